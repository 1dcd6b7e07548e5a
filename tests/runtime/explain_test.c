/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_test.c - plans as text, for this device and for the facts of others.
 */
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

static void the_plan_of_a_call_is_told_without_running_it(void)
{
    hand_device on;
    char *text = NULL;
    slip_stats stats;

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), NULL, NULL, 0, &text), SLIP_OK);
    CHECK_CONTAINS(text, "add:3");
    slip_text_free(text);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls + stats.tasks + stats.plans, 0);
    hand_close(&on);
}

static void the_facts_of_a_family_that_is_not_here_give_its_plan(void)
{
    hand_device on;
    char *cpu = NULL, *cuda = NULL, *none = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), "cpu", NULL, 0, &cpu), SLIP_OK);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), "cuda", NULL, 0, &cuda), SLIP_OK);
    CHECK_CONTAINS(cuda, "upload");
    CHECK(strcmp(cpu, cuda) != 0);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), "metal", NULL, 0, &none),
                 SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "cpu, cuda, hip and vulkan");
    CHECK(none == NULL);
    slip_text_free(cpu);
    slip_text_free(cuda);
    hand_close(&on);
}

/* What `cuda` says of kernel add for an array, known memory or not. */
static char *explain_add(const hand_device *on, void *x)
{
    int32_t n = 4;
    float a = 1;
    slip_arg args[] = { { &n, 4 }, { &a, 4 }, { x, 16 } };
    char *text = NULL;

    CHECK_STATUS(slip_explain(hand_entry(on, HAND_ADD), "cuda", args, 3, &text), SLIP_OK);
    return text;
}

static void known_memory_is_classed_as_in_a_call(void)
{
    hand_device on;
    float x[4] = { 0 };
    void *memory = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 16, &memory), SLIP_OK);
    char *host = explain_add(&on, x), *resident = explain_add(&on, memory);
    CHECK(strstr(host, "download") != NULL);
    CHECK(strcmp(host, resident) != 0);
    slip_text_free(host);
    slip_text_free(resident);
    int32_t n = 5;
    slip_arg wrong[] = { { &n, 4 }, { &n, 4 }, { memory, 20 } };
    char *none = NULL;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), NULL, wrong, 3, &none), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), NULL, wrong, 2, &none), SLIP_ERR_ARGUMENT);
    CHECK(none == NULL);
    hand_close(&on);
}

static void explaining_leaves_nothing_behind_whichever_request_fails(void)
{
    hand_device on;

    hand_open(&on);
    uint64_t live = mem_live();
    for (uint64_t fail = 1;; fail++) {
        char *text = NULL;
        fail_clear();
        mem_fail_at(fail);
        slip_status status = slip_explain(hand_entry(&on, HAND_STEPS), NULL, NULL, 0, &text);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        slip_text_free(text);
        CHECK_EQ_U64(mem_live(), live);
        if (status == SLIP_OK)
            break;
        CHECK(text == NULL);
    }
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(the_plan_of_a_call_is_told_without_running_it),
    CASE(the_facts_of_a_family_that_is_not_here_give_its_plan),
    CASE(known_memory_is_classed_as_in_a_call),
    CASE(explaining_leaves_nothing_behind_whichever_request_fails),
};

CHECK_MAIN(cases)
