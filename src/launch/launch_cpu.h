/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cpu.h - performs one call on the cpu family.
 */
#ifndef SLIPWAY_LAUNCH_LAUNCH_CPU_H
#define SLIPWAY_LAUNCH_LAUNCH_CPU_H

#include "driver/driver.h"
#include "launch/counters.h"
#include "launch/cpu_ops.h"
#include "launch/lane.h"
#include "launch/program.h"

/* Told of each task that ran, where somebody wants to know; times are of counters_now(). */
typedef void (*launch_watch)(void *user, const mod_task *task, uint64_t from_ns, uint64_t to_ns,
                             int64_t iterations);

/*
 * launch_cpu - one call.
 *
 * Slots hold the scalars, the constants, the extents, and the addresses of arrays. Everything has
 * ended on return. On failure the result is untouched; arrays hold what the tasks that ran have
 * written.
 */
typedef struct launch_cpu {
    const cpu_driver *driver;
    void *device;
    const cpu_op *ops;
    cpu_kernel *kernels; /* [entry->task_count] */
    program_state program;
    lane *memory;
    uint8_t *block; /* [MOD_MAX_BLOCK_BYTES], aligned to 64 */
    bool *taken;    /* [scratch_count + 1], all false: what this launch has; the cells last */
    uint8_t *cells; /* NULL until taken */
    void *result;   /* NULL: not wanted */
    counters *counts;
    launch_watch watch; /* NULL: nobody */
    void *watch_user;
} launch_cpu;

slip_status launch_cpu_perform(launch_cpu *call) SLIP_MUST_USE;

#endif
