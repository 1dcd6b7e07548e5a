/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spin.c - the clock by which a thread ends its spinning.
 */
#define _GNU_SOURCE
#include "driver/spin.h"

#include <time.h>

uint64_t spin_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}
