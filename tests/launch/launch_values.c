/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_values.c - calls of each kind, compared with plain C.
 */
#include "launch/launch_values.h"

#include <string.h>

#include "support/check.h"

static int32_t x[VALUES_MOST], y[VALUES_MOST], want[VALUES_MOST];

void values_fill(int32_t *array, int64_t n, int32_t from)
{
    for (int64_t i = 0; i < n; i++)
        array[i] = (int32_t)((uint32_t)from * 2654435761u + (uint32_t)i * 40503u) % 1000;
}

void values_check(const int32_t *got, const int32_t *expected, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (got[i] != expected[i])
            CHECK_FAIL("element %lld is %d, plain C has %d", (long long)i, got[i], expected[i]);
}

void values_saxpy_once(case_run *run, case_kernel *kernel, int64_t n, int64_t a, uint64_t seed)
{
    case_given given[] = { given_number(n), given_number(a), given_host(x, n), given_host(y, n) };

    values_fill(x, n, (int32_t)seed);
    values_fill(y, n, (int32_t)seed + 7);
    memcpy(want, y, sizeof want);
    plain_saxpy(n, a, x, want);
    CHECK_STATUS(case_call(run, kernel, given, NULL), SLIP_OK);
    values_check(y, want, n);
}

void values_saxpy(const values_given *g)
{
    for (int k = 0; k < 2 * VALUES_SIZES; k++)
        values_saxpy_once(g->run, g->kernel, g->sizes[k % VALUES_SIZES], k + 2,
                          g->seed + (uint64_t)k);
}

void values_heat(const values_given *g)
{
    for (int k = 0; k < VALUES_SIZES; k++) {
        int64_t n = g->sizes[k];
        case_given given[] = { given_number(n), given_number(k), given_host(x, n) };
        values_fill(x, n, k);
        memcpy(want, x, sizeof want);
        plain_heat(n, k, want);
        CHECK_STATUS(case_call(g->run, g->kernel, given, NULL), SLIP_OK);
        values_check(x, want, n);
    }
}

void values_sum(const values_given *g)
{
    for (int k = 0; k < 2 * VALUES_SIZES; k++) {
        int64_t n = g->sizes[k % VALUES_SIZES], sum = -1;
        case_given given[] = { given_number(n), given_host(x, n) };
        values_fill(x, n, k);
        CHECK_STATUS(case_call(g->run, g->kernel, given, &sum), SLIP_OK);
        CHECK_EQ_I64(sum, plain_sum(n, x));
    }
}

void values_sums(const values_given *g)
{
    for (int k = 0; k < 2 * VALUES_SIZES; k++) {
        int64_t n = g->sizes[k % VALUES_SIZES], sums[KERNEL_SUMS];
        case_given given[] = { given_number(n), given_host(x, n), given_host(y, n),
                               given_host(want, 2 * KERNEL_SUMS) };
        values_fill(x, n, k);
        values_fill(y, n, 7 * k + 1);
        CHECK_STATUS(case_call(g->run, g->kernel, given, NULL), SLIP_OK);
        memcpy(sums, want, sizeof sums);
        CHECK_EQ_I64(sums[0], plain_sum(n, x));
        CHECK_EQ_I64(sums[1], plain_sum(n, y));
        CHECK_EQ_I64(sums[2], plain_sum(n, x));
    }
}

void values_cube(const values_given *g)
{
    static const int64_t extents[][3] = { { 3, 5, 7 }, { 1, 1, 1 }, { 4, 8, 16 }, { 2, 33, 17 } };

    for (int k = 0; k < 4; k++) {
        const int64_t *e = extents[k];
        int64_t n = e[0] * e[1] * e[2];
        case_given given[] = { given_number(e[0]), given_number(e[1]), given_number(e[2]),
                               given_host(y, n) };
        values_fill(y, n, k);
        memcpy(want, y, sizeof want);
        plain_cube(e, want);
        CHECK_STATUS(case_call(g->run, g->kernel, given, NULL), SLIP_OK);
        values_check(y, want, n);
    }
}

/* Bounds of the k-th call; of the last they are inverted. */
static void bounds_of(int k, int32_t out[2])
{
    out[0] = 10 * k;
    out[1] = k == 3 ? 5 : 900 + 1000 * k;
}

void values_bounds(const values_given *g)
{
    for (int k = 0; k < 4; k++) {
        int32_t b[2];
        case_given given[] = { given_number(VALUES_MOST), given_host(b, 2),
                               given_host(y, VALUES_MOST) };
        bounds_of(k, b);
        values_fill(y, VALUES_MOST, k);
        memcpy(want, y, sizeof want);
        for (int32_t i = b[0]; i < b[1]; i++)
            want[i] = i;
        CHECK_STATUS(case_call(g->run, g->kernel, given, NULL), SLIP_OK);
        values_check(y, want, VALUES_MOST);
    }
}

void values_part_sum(const values_given *g)
{
    for (int k = 0; k < 4; k++) {
        int32_t b[2];
        int64_t sum = -1;
        case_given given[] = { given_number(VALUES_MOST), given_host(b, 2),
                               given_host(x, VALUES_MOST) };
        bounds_of(k, b);
        values_fill(x, VALUES_MOST, k);
        CHECK_STATUS(case_call(g->run, g->kernel, given, &sum), SLIP_OK);
        CHECK_EQ_I64(sum, k == 3 ? 0 : plain_sum(b[1] - b[0], x + b[0]));
    }
}
