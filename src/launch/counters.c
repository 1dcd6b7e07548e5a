/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters.c - sums counters, and the clock that times are taken from.
 *
 * Must never take a lock: the sum is of values that each were true at some moment.
 */
#define _GNU_SOURCE
#include "launch/counters.h"

#include <time.h>

void counters_sum(slip_stats *sum, const counters *from)
{
#define COUNTERS_SUM_(name, text)                                                                  \
    sum->name += atomic_load_explicit(&from->name, memory_order_relaxed);
    SLIP_STATS_ROWS(COUNTERS_SUM_)
#undef COUNTERS_SUM_
}

uint64_t counters_now(void)
{
    struct timespec now = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
