/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_task.h - tasks as the fakes run them: told what module.h says that a shader is told, with
 * every access reported to the fake that runs them.
 */
#ifndef SLIPWAY_TESTS_FAKE_TASK_H
#define SLIPWAY_TESTS_FAKE_TASK_H

#include "module/module.h"

/* A task's code. `body` runs iterations first .. last - 1 of `block`, and says what it touches. */
typedef struct fake_shader {
    const mod_task *task;
    const mod_shader *shader;
    bool is_finish;
    void (*body)(const uint8_t *block, int64_t first, int64_t last);
} fake_shader;

/* Called by bodies, before the access. */
void fake_reads(const void *from, uint64_t bytes);
void fake_writes(const void *to, uint64_t bytes);
void fake_updates(const void *at, uint64_t bytes); /* atomically */

/* A fake, for what it runs. */
typedef struct fake_runner {
    void (*touch)(const void *at, uint64_t bytes, bool writes, bool updates);
    uint32_t (*pick)(uint32_t below);
    void (*wrong)(const char *format, ...) __attribute__((format(printf, 1, 2)));
} fake_runner;

/* Whose accesses come next. */
void fake_runs_for(const fake_runner *runner);

/* A grid of a shader's groups; `params` are its push constants, or its parameter. */
typedef struct fake_grid {
    const fake_shader *shader;
    const uint8_t *params;
    uint32_t param_bytes, groups[3], local;
} fake_grid;

/* Groups run in any order. */
void fake_task_run(const fake_grid *grid);

#endif
