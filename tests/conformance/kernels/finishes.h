/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finishes.h - the result of a kernel of finishes.c; for the kernels and for the program beside them.
 */
#ifndef SLIPWAY_TESTS_CONFORMANCE_FINISHES_H
#define SLIPWAY_TESTS_CONFORMANCE_FINISHES_H

#include <stdint.h>

struct moments {
    int64_t count, sum, spread;
    int32_t low, high;
};

#endif
