/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_kernels.h - the kernels that the launchers' tests call, each with what plain C
 * computes.
 *
 * All arrays are i32, all scalars i64. Sums wrap.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_CASE_KERNELS_H
#define SLIPWAY_TESTS_LAUNCH_CASE_KERNELS_H

#include "launch/launch_case.h"

static inline int32_t case_wrap(int64_t value)
{
    return (int32_t)(uint32_t)(uint64_t)value;
}

/* Tells the fake that array[first .. last - 1] is read or written. */
void case_span(const int32_t *array, int64_t first, int64_t last, bool writes);

/* (n, a, const x[n], y[n]): y = a x + y */
void kernel_saxpy(case_kernel *k);
void plain_saxpy(int64_t n, int64_t a, const int32_t *x, int32_t *y);

/* (n, x[n]) one pass: x = 3 x + 1 */
void kernel_scale(case_kernel *k);
void plain_scale(int64_t n, int32_t *x);

/* (n, const x[n], y[n]): y = x + 5, y overwritten whole */
void kernel_cover(case_kernel *k);

/* (n, m, const x[n], r[n], y[m]): r = x + 5; y = 3 y + 1 */
void kernel_pair(case_kernel *k);

/* (n, steps, u[n]): next = u and neighbours; u = next, `steps` times; next is scratch */
void kernel_heat(case_kernel *k);
void plain_heat(int64_t n, int64_t steps, int32_t *u);

/* i64 (n, const x[n]): the sum, by blocks of partial results */
void kernel_sum(case_kernel *k);
int64_t plain_sum(int64_t n, const int32_t *x);

/* (n, const a[n], const b[n], z[6]): sections that sum a, b and a, each into a variable of its own;
 * then z = the low and the high halves of the three */
enum { KERNEL_SUMS = 3 };
void kernel_sums(case_kernel *k);

/* i64 (n, limit, x[n]): do { x += 1; } while (++passes < limit), decided on the device; passes */
void kernel_count(case_kernel *k);

/* (n, const b[2], y[n]): y[i] = i for b[0] <= i < b[1], the bounds read on the device */
void kernel_bounds(case_kernel *k);

/* i64 (n, const b[2], const x[n]): the sum of x[i] for b[0] <= i < b[1] */
void kernel_part_sum(case_kernel *k);

/* (n, a[n], b[n], c[n]): sections a += 1 and b += 2; then c = a + b */
void kernel_sections(case_kernel *k);

/* (p, q, r, y[p][q][r]): y += 10000 z + 100 y + x, and many arguments besides */
void kernel_cube(case_kernel *k);
void plain_cube(const int64_t extents[3], int32_t *y);

#endif
