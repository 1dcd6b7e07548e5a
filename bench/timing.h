/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timing.h - the clock of the benchmarks, and what is told of many times.
 */
#ifndef SLIPWAY_BENCH_TIMING_H
#define SLIPWAY_BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

/* Seconds of the monotonic clock. */
static inline double timing_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int timing_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts the values: the least is then the first, the greatest the last. */
static inline double timing_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, timing_by_value);
    return values[count / 2];
}

#endif
