/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeat_test.c - which calls are kept, and for which ones they hold.
 *
 * What is kept is looked at from inside; that values are right whatever is kept is for
 * tests/conformance/repeats_test.c.
 */
#include <string.h>

#include "runtime/bind.h"
#include "runtime/hand.h"
#include "support/check.h"

enum { N = 8 };

static hand_device on;
static float x[4 * N];

/* What a call of `add` with these arguments finds kept of it. */
typedef enum found { NOTHING, NOTED, WHOLE } found;

static repeats *repeats_of(const slip_stream *stream, const slip_entry *entry)
{
    const binding *b = bind_known(stream, entry);

    return b ? b->repeats : NULL;
}

static found find(slip_stream *stream, int32_t n, float a, const void *array, const uint64_t *given)
{
    uint64_t args[3] = { (uint64_t)(int64_t)n, 0, (uint64_t)(uintptr_t)array };
    repeats *r = repeats_of(stream, hand_entry(&on, HAND_ADD));

    memcpy(&args[1], &a, sizeof a);
    if (!r)
        return NOTHING;
    const repeat_call *call = repeat_find(r, atomic_load(&stream->device->generation), args, given);
    return !call ? NOTHING : call->record.state == RECORD_WHOLE ? WHOLE : NOTED;
}

static slip_status add_on(slip_stream *stream, int32_t n, float a, float *array)
{
    return slip_launch(stream, hand_entry(&on, HAND_ADD),
                       (slip_arg[]){ ARG(n), ARG(a), { array, array ? 4 * (uint64_t)n : 0 } }, 3,
                       NULL, 0);
}

static const uint64_t *bytes_given(int32_t n)
{
    static uint64_t given[3];

    given[0] = given[1] = BIND_UNKNOWN;
    given[2] = 4 * (uint64_t)n;
    return given;
}

static void add(int32_t n, float a, float *array)
{
    float before = array[n - 1];

    CHECK_STATUS(add_on(on.stream, n, a, array), SLIP_OK);
    CHECK_EQ_F64((double)array[n - 1], (double)(before + a));
}

static void the_first_equal_call_is_noted_the_second_recorded(void)
{
    hand_open(&on);
    CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), NOTHING);
    add(N, 1, x);
    CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), NOTED);
    add(N, 2, x);
    CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), WHOLE);
    for (int k = 0; k < 5; k++)
        add(N, (float)k, x);
    hand_close(&on);
}

/* The first call takes it for all that are kept, whatever their arrays are. */
static void only_the_first_call_takes_memory(void)
{
    hand_open(&on);
    add(N, 1, x);
    uint64_t live = mem_live();
    for (uint64_t fail = 1; fail < 8; fail++) {
        mem_fail_at(fail); /* the record would be given up */
        for (int k = 0; k < 3 * REPEAT_CALLS; k++)
            add(N, 1, x + fail * REPEAT_CALLS % 8 + (uint64_t)k % REPEAT_CALLS);
        mem_fail_at(0);
        CHECK_EQ_U64(mem_live(), live);
        CHECK_EQ_U64(find(on.stream, N, 1, x + fail * REPEAT_CALLS % 8, bytes_given(N)), WHOLE);
    }
    hand_close(&on);
}

static void a_first_call_that_finds_no_memory_for_records_goes_well(void)
{
    for (uint64_t fail = 1; fail < 40; fail++) {
        hand_open(&on);
        fail_clear();
        mem_fail_at(fail);
        slip_status status = add_on(on.stream, N, 1, x);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        CHECK(status == SLIP_OK || status == SLIP_ERR_MEMORY);
        for (int k = 0; k < 3; k++)
            add(N, 1, x);
        CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), WHOLE);
        hand_close(&on);
    }
}

static void it_holds_for_what_decides_and_no_more(void)
{
    uint64_t other[3] = { BIND_UNKNOWN, BIND_UNKNOWN, 4 * N + 4 };

    hand_open(&on);
    add(N, 1, x);
    add(N, 1, x);
    CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), WHOLE);
    CHECK_EQ_U64(find(on.stream, N, -7.5f, x, bytes_given(N)), WHOLE);
    CHECK_EQ_U64(find(on.stream, N - 1, 1, x, bytes_given(N)), NOTHING);
    CHECK_EQ_U64(find(on.stream, N, 1, x + 1, bytes_given(N)), NOTHING);
    CHECK_EQ_U64(find(on.stream, N, 1, x, other), NOTHING);
    CHECK_EQ_U64(find(on.stream, N, 1, x, NULL), NOTHING);
    hand_close(&on);
}

/* Memory that comes or goes may be what an array lies in; by the other policy calls may wait. */
static void a_change_of_what_is_known_of_memory_or_of_policy_drops_it(void)
{
    void *memory[2];

    hand_open(&on);
    for (int step = 0; step < 7; step++) {
        for (int k = 0; k < 2; k++)
            CHECK_STATUS(add_on(on.stream, N, 1, x), SLIP_OK);
        CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), WHOLE);
        if (step == 0)
            CHECK_STATUS(slip_alloc(on.device, 64, &memory[0]), SLIP_OK);
        else if (step == 1)
            slip_free(on.device, memory[0]);
        else if (step == 2)
            CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
        else if (step == 3)
            CHECK_STATUS(slip_unkeep(on.device, x), SLIP_OK);
        else if (step == 4)
            CHECK_STATUS(slip_host_alloc(on.device, 64, &memory[1]), SLIP_OK);
        else if (step == 5)
            slip_host_free(on.device, memory[1]);
        else
            CHECK_STATUS(slip_device_set_sync(on.device, SLIP_SYNC_CONSERVATIVE), SLIP_OK);
        CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), NOTHING);
    }
    hand_close(&on);
}

static void the_oldest_goes_when_one_more_is_kept(void)
{
    hand_open(&on);
    for (int turn = 0; turn < 3; turn++)
        for (int k = 0; k < REPEAT_CALLS; k++)
            add(N, 1, x + k);
    for (int k = 0; k < REPEAT_CALLS; k++)
        CHECK_EQ_U64(find(on.stream, N, 1, x + k, bytes_given(N)), WHOLE);
    add(N, 1, x + REPEAT_CALLS);
    CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), NOTHING);
    CHECK_EQ_U64(find(on.stream, N, 1, x + 1, bytes_given(N)), WHOLE);
    CHECK_EQ_U64(find(on.stream, N, 1, x + REPEAT_CALLS, bytes_given(N)), NOTED);
    hand_close(&on);
}

static void each_stream_and_each_device_has_its_own(void)
{
    slip_stream *second = NULL;
    slip_device *device = NULL;
    slip_module *module = NULL;
    int32_t n = N;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), { x, 4 * N } };

    hand_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &second), SLIP_OK);
    add(N, 1, x);
    add(N, 1, x);
    CHECK_EQ_U64(find(second, N, 1, x, bytes_given(N)), NOTHING);
    CHECK_STATUS(add_on(second, N, 1, x), SLIP_OK);
    CHECK_EQ_U64(find(second, N, 1, x, bytes_given(N)), NOTED);
    CHECK_STATUS(device_open_with(hand_family(), 0, &device), SLIP_OK);
    CHECK_STATUS(module_adopt(device, hand_module(), &module), SLIP_OK);
    CHECK_STATUS(
        slip_launch(slip_default(device), slip_module_entry(module, HAND_ADD), args, 3, NULL, 0),
        SLIP_OK);
    CHECK_EQ_U64(repeats_of(slip_default(device), slip_module_entry(module, HAND_ADD))
                     ->calls[0]
                     .record.state,
                 RECORD_EMPTY);
    slip_device_close(device);
    hand_close(&on);
}

static void a_module_that_is_unloaded_takes_it_along(void)
{
    hand_open(&on);
    for (int round = 0; round < 3; round++) {
        uint32_t id = hand_entry(&on, HAND_ADD)->id;
        for (int k = 0; k < 4; k++)
            add(N, 1, x);
        CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), WHOLE);
        slip_module_unload(on.module);
        CHECK(on.stream->bindings[id] == NULL);
        CHECK_STATUS(module_adopt(on.device, hand_module(), &on.module), SLIP_OK);
        CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), NOTHING);
    }
    hand_close(&on);
}

/* A result, a member of a struct that the host reads, scratch. */
static void other_calls_are_not_kept(void)
{
    struct {
        float a;
        int32_t n;
    } p = { 1, N };
    int64_t many = N, sum = 0;
    int32_t n = N, k = 2, whole[N] = { 1 };
    slip_arg sum_args[] = { ARG(many), ARRAY_ARG(whole) };
    slip_arg point_args[] = { ARG(p), { x, 4 * N } };
    slip_arg steps_args[] = { ARG(n), ARG(k), { x, 4 * N } };

    hand_open(&on);
    for (int times = 0; times < 4; times++) {
        CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), sum_args, 2, &sum, 8),
                     SLIP_OK);
        CHECK_EQ_I64(sum, 1);
        CHECK_STATUS(LAUNCH(&on, HAND_POINT, point_args), SLIP_OK);
        CHECK_STATUS(LAUNCH(&on, HAND_STEPS, steps_args), SLIP_OK);
    }
    CHECK(!repeats_of(on.stream, hand_entry(&on, HAND_SUM)));
    CHECK(!repeats_of(on.stream, hand_entry(&on, HAND_POINT)));
    repeats *steps = repeats_of(on.stream, hand_entry(&on, HAND_STEPS));
    for (int c = 0; c < REPEAT_CALLS; c++)
        CHECK(steps->calls[c].generation == 0);
    hand_close(&on);
}

/* A call that fails while it is recorded, one that fails when its launches are made again, and one
 * that is refused. */
static void failures_leave_what_is_kept_as_it_was(void)
{
    hand_open(&on);
    for (int recorded = 0; recorded < 2; recorded++) {
        for (int k = 0; k < 1 + 2 * recorded; k++)
            add(N, 1, x);
        hand_calls = 0;
        hand_fail_at = 1;
        CHECK_STATUS(add_on(on.stream, N, 1, x), SLIP_ERR_DEVICE);
        hand_fail_at = 0;
        CHECK_TEXT(slip_last_error()->message,
                   "run was made to fail; while running task add:3; while calling add");
        CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), recorded ? WHOLE : NOTED);
    }
    CHECK_STATUS(add_on(on.stream, N, 1, NULL), SLIP_ERR_ARGUMENT);
    CHECK_EQ_U64(find(on.stream, N, 1, x, bytes_given(N)), WHOLE);
    add(N, 3, x);
    hand_close(&on);
}

static void making_it_fails_without_a_leak(void)
{
    repeats *r = NULL;

    hand_open(&on);
    const mod_entry *entry = hand_entry(&on, HAND_ADD)->entry;
    uint64_t live = mem_live();
    mem_fail_at(1);
    CHECK_STATUS(repeat_make(hand_family(), entry, &r), SLIP_ERR_MEMORY);
    mem_fail_at(0);
    CHECK(r == NULL);
    CHECK_EQ_U64(mem_live(), live);
    fail_clear();
    launcher none = *hand_family();
    none.perform_again = NULL;
    CHECK_STATUS(repeat_make(&none, entry, &r), SLIP_OK);
    CHECK(r == NULL);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(the_first_equal_call_is_noted_the_second_recorded),
    CASE(only_the_first_call_takes_memory),
    CASE(a_first_call_that_finds_no_memory_for_records_goes_well),
    CASE(it_holds_for_what_decides_and_no_more),
    CASE(a_change_of_what_is_known_of_memory_or_of_policy_drops_it),
    CASE(the_oldest_goes_when_one_more_is_kept),
    CASE(each_stream_and_each_device_has_its_own),
    CASE(a_module_that_is_unloaded_takes_it_along),
    CASE(other_calls_are_not_kept),
    CASE(failures_leave_what_is_kept_as_it_was),
    CASE(making_it_fails_without_a_leak),
};

CHECK_MAIN(cases)
