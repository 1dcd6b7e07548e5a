/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference_test.c - kernels with large scratch: as plain C, on the stack that slip_reference_run
 * makes for them, and on each device.
 */
#include "conform.h"

#include <pthread.h>

#include <slipway/reference.h>

#include "scratch.slip.h"

#include "scratch.reference.h"

typedef struct reversal {
    i32 n;
    i32 *x;
    i64 sum;
    int inner; /* what a run inside this one returned */
    pthread_t thread;
} reversal;

static void reverse(void *arg)
{
    reversal *r = arg;

    r->thread = pthread_self();
    r->sum = reverse_by_scratch_reference(r->n, r->x);
}

static void sum_scratch(void *arg)
{
    reversal *r = arg;

    r->sum = sum_of_scratch_reference(r->n);
}

static void a_kernel_reverses_through_scratch(void)
{
    i32 x[5] = { 1, 2, 3, 4, 50 };
    reversal r = { .n = 5, .x = x };

    CHECK_EQ_I64(slip_reference_run(reverse, &r), 0);
    CHECK_EQ_I64(r.sum, 60);
    CHECK_EQ_I64(x[0], 50);
    CHECK_EQ_I64(x[4], 1);
    CHECK(!pthread_equal(r.thread, pthread_self()));
}

static void scratch_of_nothing_runs(void)
{
    reversal r = { .n = 0 };

    CHECK_EQ_I64(slip_reference_run(reverse, &r), 0);
    CHECK_EQ_I64(r.sum, 0);
}

/* 400 MB of scratch: fifty times an ordinary stack. */
static void scratch_of_a_hundred_million_elements_runs(void)
{
    reversal r = { .n = 100000000 };

    CHECK_EQ_I64(slip_reference_run(sum_scratch, &r), 0);
    CHECK_EQ_I64(r.sum, (i64)r.n * (r.n - 1) / 2);
}

static void each_run_has_a_fresh_stack(void)
{
    for (int k = 0; k < 200; k++) {
        reversal r = { .n = 1000 + k };
        CHECK_EQ_I64(slip_reference_run(sum_scratch, &r), 0);
        CHECK_EQ_I64(r.sum, (i64)r.n * (r.n - 1) / 2);
    }
}

static void run_inside(void *arg)
{
    reversal *r = arg;

    r->inner = slip_reference_run(sum_scratch, r);
}

static void a_run_may_start_another(void)
{
    reversal r = { .n = 3000000, .inner = -1 };

    CHECK_EQ_I64(slip_reference_run(run_inside, &r), 0);
    CHECK_EQ_I64(r.inner, 0);
    CHECK_EQ_I64(r.sum, (i64)r.n * (r.n - 1) / 2);
}

CONFORM(scratch_of_millions)
{
    EACH (n, 0, 1, 3000000, 20000001) {
        conform_pair x = PAIR(i32, PLAIN, n);
        RETURN(i64, got, want, reverse_by_scratch, (i32)n, S(x));
        EXPECT_I64(got, want);
        SAME(x);
    }
}

CONFORM(scratch_of_a_hundred_million)
{
    const i32 n = 100000000;

    SAME_RETURN(i64, sum_of_scratch, n);
}

static const check_case cases[] = {
    CASE(a_kernel_reverses_through_scratch),
    CASE(scratch_of_nothing_runs),
    CASE(scratch_of_a_hundred_million_elements_runs),
    CASE(each_run_has_a_fresh_stack),
    CASE(a_run_may_start_another),
    CASE(scratch_of_millions),
    CASE(scratch_of_a_hundred_million),
};
CHECK_MAIN(cases)
