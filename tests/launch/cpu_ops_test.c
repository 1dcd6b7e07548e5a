/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_ops_test.c - lowering plans: what is refused, and what is left behind.
 *
 * That jumps go where the program says is seen by running it: cpu_stream_test.c.
 */
#include "launch/cpu_ops.h"

#include "base/fail.h"
#include "base/mem.h"
#include "support/check.h"

/* A plan for another family, or a broken one, is refused as a fault of ours before anything
 * runs. */
static void steps_of_other_families_are_refused(void)
{
    plan_step steps[] = { { .kind = PLAN_SUBMIT, .node = MOD_NONE } };
    plan other = { .steps = steps, .step_count = 1 };
    static const mod_entry entry = { .name = "k" };
    flow_op *ops = NULL;

    CHECK_STATUS(cpu_ops_make(&other, &entry, &ops), SLIP_ERR_INTERNAL);
    steps[0].kind = PLAN_BARRIER;
    CHECK_STATUS(cpu_ops_make(&other, &entry, &ops), SLIP_ERR_INTERNAL);
    steps[0] = (plan_step){ .kind = PLAN_UPLOAD, .move = PLAN_MOVE_STAGED, .node = MOD_NONE };
    CHECK_STATUS(cpu_ops_make(&other, &entry, &ops), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "step 0 of the plan of k");
    CHECK(ops == NULL);
    CHECK_EQ_U64(mem_live(), 0);
}

static void lowering_leaves_nothing_behind_whichever_request_fails(void)
{
    plan empty = { 0 };
    static const mod_entry entry = { .name = "k" };

    for (uint64_t fail = 1;; fail++) {
        flow_op *ops = NULL;
        fail_clear();
        mem_fail_at(fail);
        slip_status status = cpu_ops_make(&empty, &entry, &ops);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        if (status == SLIP_OK) {
            CHECK_EQ_U64(fail, 4);
            CHECK_EQ_U64(ops[0].kind, FLOW_END);
            mem_free(ops);
            break;
        }
        CHECK(ops == NULL);
        CHECK_EQ_U64(mem_live(), 0);
    }
}

static const check_case cases[] = {
    CASE(steps_of_other_families_are_refused),
    CASE(lowering_leaves_nothing_behind_whichever_request_fails),
};

CHECK_MAIN(cases)
