/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sync_test.c - which waits calls have: by the program, by the environment, and in plans that are
 * printed.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

enum { COUNT = 20, STEPS = 3, CALLERS = 4, ROUNDS = 300 };

static float u[COUNT];

/* u = 0; in STEPS steps it becomes whatever it became the first time. */
static slip_status steps(const hand_device *on, slip_stream *stream)
{
    int32_t n = COUNT, k = STEPS;
    slip_arg args[] = { { &n, sizeof n }, { &k, sizeof k }, { u, sizeof u } };

    for (int i = 0; i < COUNT; i++)
        u[i] = 0;
    return slip_launch(stream, hand_entry(on, HAND_STEPS), args, 3, NULL, 0);
}

static slip_stats stats_of(const hand_device *on)
{
    slip_stats stats;

    slip_device_stats(on->device, &stats);
    return stats;
}

/* A plan of each policy is made once, and is found again when the policy comes back. Nothing waits
 * on a CPU, by either. */
static void a_policy_holds_from_the_next_call_on(void)
{
    hand_device on;
    slip_stream *stream = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &stream), SLIP_OK);
    CHECK_EQ_I64(slip_device_get_sync(on.device), SLIP_SYNC_MINIMAL);
    CHECK_STATUS(steps(&on, on.stream), SLIP_OK);
    float want = u[COUNT - 1];
    for (int round = 0; round < 6; round++) {
        slip_sync policy = round % 2 ? SLIP_SYNC_MINIMAL : SLIP_SYNC_CONSERVATIVE;
        CHECK_STATUS(slip_device_set_sync(on.device, policy), SLIP_OK);
        CHECK_EQ_I64(slip_device_get_sync(on.device), policy);
        for (int k = 0; k < 2; k++) {
            CHECK_STATUS(steps(&on, k ? stream : on.stream), SLIP_OK);
            CHECK_EQ_F64((double)u[COUNT - 1], (double)want);
        }
        /* One of each policy and kind of stream. */
        CHECK_EQ_U64(stats_of(&on).plans, round == 0 ? 3 : 4);
    }
    CHECK_EQ_U64(stats_of(&on).host_waits, 0);
    slip_stream_destroy(stream);
    hand_close(&on);
}

static void devices_have_policies_of_their_own(void)
{
    hand_device on, other;

    hand_open(&on);
    hand_open(&other);
    CHECK_STATUS(slip_device_set_sync(on.device, SLIP_SYNC_CONSERVATIVE), SLIP_OK);
    CHECK_EQ_I64(slip_device_get_sync(other.device), SLIP_SYNC_MINIMAL);
    slip_device_close(other.device);
    hand_close(&on);
}

static void the_policy_of_the_environment_stays(void)
{
    static const slip_sync policies[] = { SLIP_SYNC_MINIMAL, SLIP_SYNC_CONSERVATIVE };
    static const char *const names[] = { "minimal", "conservative" };

    for (int k = 0; k < 2; k++) {
        hand_device on;
        setenv("SLIPWAY_SYNC", names[k], 1);
        hand_open(&on);
        unsetenv("SLIPWAY_SYNC");
        for (int asked = 0; asked < 2; asked++) {
            CHECK_STATUS(slip_device_set_sync(on.device, policies[asked]), SLIP_OK);
            CHECK_EQ_I64(slip_device_get_sync(on.device), policies[k]);
            CHECK_STATUS(steps(&on, on.stream), SLIP_OK);
        }
        CHECK_EQ_U64(stats_of(&on).plans, 1); /* of the policy that stays */
        hand_close(&on);
    }
}

static void a_policy_that_does_not_exist_is_refused(void)
{
    hand_device on;
    char *text = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_device_set_sync(NULL, SLIP_SYNC_MINIMAL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_device_set_sync(on.device, (slip_sync)0), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_device_set_sync(on.device, (slip_sync)3), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "no policy 3; there are 1, minimal, and 2");
    CHECK_EQ_I64(slip_device_get_sync(on.device), SLIP_SYNC_MINIMAL);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD),
                              &(slip_explain_options){ .sync = (slip_sync)7 }, &text),
                 SLIP_ERR_ARGUMENT);
    CHECK(text == NULL);
    hand_close(&on);
}

/* The device's policy, or the one that is asked for. */
static void a_plan_that_is_printed_names_its_policy(void)
{
    hand_device on;

    hand_open(&on);
    for (int k = 0; k < 6; k++) {
        slip_sync own = k % 2 ? SLIP_SYNC_CONSERVATIVE : SLIP_SYNC_MINIMAL;
        slip_explain_options options = { .facts = "cuda", .sync = (slip_sync)(k / 2) };
        char *text = NULL;
        CHECK_STATUS(slip_device_set_sync(on.device, own), SLIP_OK);
        CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &text), SLIP_OK);
        bool conservative = (options.sync ? options.sync : own) == SLIP_SYNC_CONSERVATIVE;
        CHECK((strstr(text, "default stream, conservative") != NULL) == conservative);
        CHECK((strstr(text, "because the policy is conservative") != NULL) == conservative);
        slip_text_free(text);
    }
    hand_close(&on);
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct caller {
    const hand_device *on;
    pthread_t thread;
    int wrong;
} caller;

static void *call_on_own_stream(void *user)
{
    caller *c = user;
    slip_stream *stream = NULL;
    int32_t n = 1;
    float a = 1, x = 0;
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { &x, sizeof x } };

    c->wrong = slip_stream_create(c->on->device, &stream) != SLIP_OK;
    for (int k = 0; k < ROUNDS && !c->wrong; k++)
        c->wrong = slip_launch(stream, hand_entry(c->on, HAND_ADD), args, 3, NULL, 0) != SLIP_OK;
    c->wrong |= x != (float)ROUNDS;
    slip_stream_destroy(stream);
    return NULL;
}

static void a_policy_may_change_while_others_call(void)
{
    hand_device on;
    caller callers[CALLERS];

    hand_open(&on);
    for (int k = 0; k < CALLERS; k++) {
        callers[k] = (caller){ .on = &on };
        CHECK_EQ_I64(pthread_create(&callers[k].thread, NULL, call_on_own_stream, &callers[k]), 0);
    }
    for (int k = 0; k < ROUNDS; k++)
        CHECK_STATUS(
            slip_device_set_sync(on.device, k % 2 ? SLIP_SYNC_MINIMAL : SLIP_SYNC_CONSERVATIVE),
            SLIP_OK);
    for (int k = 0; k < CALLERS; k++) {
        pthread_join(callers[k].thread, NULL);
        CHECK_EQ_I64(callers[k].wrong, 0);
    }
    CHECK(stats_of(&on).plans <= 2);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(a_policy_holds_from_the_next_call_on),    CASE(devices_have_policies_of_their_own),
    CASE(the_policy_of_the_environment_stays),     CASE(a_policy_that_does_not_exist_is_refused),
    CASE(a_plan_that_is_printed_names_its_policy), CASE(a_policy_may_change_while_others_call),
};

CHECK_MAIN(cases)
