/* SPDX-License-Identifier: Apache-2.0 */
/* pair.h - a struct that kernels and their callers share. */
#ifndef TESTS_PAIR_H
#define TESTS_PAIR_H

#include <stdint.h>

struct pair {
    int32_t a, b;
};

#endif
