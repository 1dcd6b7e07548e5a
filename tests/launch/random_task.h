/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_task.h - what the tasks of random programs do: each mixes what it reads and its own number
 * into what it writes.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_RANDOM_TASK_H
#define SLIPWAY_TESTS_LAUNCH_RANDOM_TASK_H

#include "launch/launch_case.h"

/* Elements of each array; bytes of the cells; arrays that a task touches at most. */
enum { RANDOM_WORDS = 40, RANDOM_CELL_BYTES = 16, RANDOM_TOUCHED = 5 };

/* As task `id` does, on the arrays that it touches. */
void random_work(int64_t id, int32_t *const arrays[], const int64_t flags[], int count);

/* The same as a task. Arguments: the number, how many arrays, then each one's address and flags. */
void random_task(const uint8_t *block, int64_t first, int64_t last);
/* A loop of the device: cells { i32 go; i64 left at 8 }. */
void random_start(const uint8_t *block, int64_t first, int64_t last);
void random_test(const uint8_t *block, int64_t first, int64_t last);

#endif
