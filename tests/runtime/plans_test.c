/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans_test.c - the plans that an entry keeps.
 */
#include <string.h>

#include "runtime/hand.h"
#include "runtime/plans.h"
#include "support/check.h"

static slip_status call2(const hand_device *on, hand_kernel kernel, const float *x, float *y,
                         int32_t n)
{
    slip_arg args[] = { { &n, sizeof n }, { x, 4 * (uint64_t)n }, { y, 4 * (uint64_t)n } };

    return slip_launch(on->stream, hand_entry(on, kernel), args, 3, NULL, 0);
}

static void the_oldest_of_more_than_sixteen_plans_goes(void)
{
    hand_device on;
    void *memory[4];
    float host[8] = { 0 };
    slip_stats stats;

    hand_open(&on);
    slip_entry *entry = hand_entry(&on, HAND_BOTH);
    CHECK_STATUS(slip_alloc(on.device, 64, &memory[0]), SLIP_OK);
    CHECK_STATUS(slip_host_alloc(on.device, 64, &memory[1]), SLIP_OK);
    CHECK_STATUS(slip_host_alloc(on.device, 64, &memory[2]), SLIP_OK);
    CHECK_STATUS(slip_keep(on.device, host, sizeof host), SLIP_OK);
    memset(memory[0], 0, 64);
    float other[8] = { 0 };
    void *places[] = {
        memory[0], memory[1], host, other, (float *)memory[0] + 8, (float *)memory[1] + 8
    };
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            CHECK_STATUS(call2(&on, HAND_BOTH, places[i], places[k], 8), SLIP_OK);
    CHECK(entry->plan_count <= ENTRY_MAX_PLANS);
    slip_device_stats(on.device, &stats);
    CHECK(stats.plans > ENTRY_MAX_PLANS);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(the_oldest_of_more_than_sixteen_plans_goes),
};

CHECK_MAIN(cases)
