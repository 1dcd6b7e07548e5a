/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finishes.h - a result and a parameter of kernels in finishes.c; for the kernels and for the program beside them.
 */
#ifndef SLIPWAY_TESTS_CONFORMANCE_FINISHES_H
#define SLIPWAY_TESTS_CONFORMANCE_FINISHES_H

#include <stdint.h>

/* Fills the block of a task's arguments nearly. */
struct weights {
    int32_t w[990];
};

struct moments {
    int64_t count, sum, spread;
    int32_t low, high;
};

#endif
