/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_values.h - calls whose values every launcher must get as plain C does, on a run that is
 * open.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_LAUNCH_VALUES_H
#define SLIPWAY_TESTS_LAUNCH_LAUNCH_VALUES_H

#include "launch/case_kernels.h"

enum { VALUES_MOST = 5000, VALUES_SIZES = 9 };

/* Sizes about what the launcher's grids and blocks are. */
typedef struct values_given {
    case_run *run;
    case_kernel *kernel;  /* that of the scene */
    const int64_t *sizes; /* [VALUES_SIZES], VALUES_MOST at most */
    uint64_t seed;
} values_given;

void values_fill(int32_t *array, int64_t n, int32_t from);
void values_check(const int32_t *got, const int32_t *expected, int64_t n);
/* One call of kernel_saxpy on arrays of the host. */
void values_saxpy_once(case_run *run, case_kernel *kernel, int64_t n, int64_t a, uint64_t seed);

void values_saxpy(const values_given *g);    /* of kernel_saxpy, and so on */
void values_heat(const values_given *g);     /* a loop around tasks */
void values_sum(const values_given *g);      /* a reduction */
void values_sums(const values_given *g);     /* three, with no order between */
void values_cube(const values_given *g);     /* three axes */
void values_bounds(const values_given *g);   /* which the device decides */
void values_part_sum(const values_given *g); /* a reduction over such */

#endif
