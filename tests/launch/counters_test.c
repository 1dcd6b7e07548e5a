/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters_test.c - sums of counters, and the clock.
 */
#include "launch/counters.h"

#include <string.h>

#include "support/check.h"

static void every_counter_is_in_the_sum(void)
{
    static counters a, b;
    slip_stats sum;
    uint64_t k = 1;

    memset(&sum, 0, sizeof sum);
#define FILL_(name, text)                                                                          \
    counters_add(&a.name, k);                                                                      \
    counters_add(&b.name, 1000 * k++);
    SLIP_STATS_ROWS(FILL_)
#undef FILL_
    counters_sum(&sum, &a);
    counters_sum(&sum, &b);
    k = 1;
#define CHECK_(name, text) CHECK_EQ_U64(sum.name, 1001 * k++);
    SLIP_STATS_ROWS(CHECK_)
#undef CHECK_
}

static void the_clock_does_not_go_back(void)
{
    uint64_t last = counters_now();

    for (int i = 0; i < 1000; i++) {
        uint64_t now = counters_now();
        CHECK(now >= last);
        last = now;
    }
}

static const check_case cases[] = {
    CASE(every_counter_is_in_the_sum),
    CASE(the_clock_does_not_go_back),
};

CHECK_MAIN(cases)
