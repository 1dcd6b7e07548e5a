/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_program.h - random programs and homes, on devices that a fake draws: it finds no unordered
 * pair, and the arrays end as if the tasks had run one after another.
 *
 * A task mixes what it reads and its own number into what it writes, so that no order but the
 * program's gives its values.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_RANDOM_PROGRAM_H
#define SLIPWAY_TESTS_LAUNCH_RANDOM_PROGRAM_H

#include "launch/launch_case.h"

typedef struct random_driver {
    void (*open)(case_run *run, uint64_t seed);
    void (*close)(case_run *run);
    const char *(*wrong)(void);
} random_driver;

typedef struct random_counts {
    uint64_t programs, tasks, host_waits;
} random_counts;

/* `rounds` programs, or as many as SLIPWAY_RANDOM_ROUNDS says. */
void random_programs(const random_driver *driver, uint64_t rounds);
/* Of the program's own randomness. */
uint32_t random_pick(uint32_t below);

#endif
