/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_test.c - the look-alikes themselves, called as a driver calls them: work runs when the
 * schedule says, and what was left unordered is found.
 */
#include "fake/stream/direct.h"
#include "support/check.h"

/* ---- when things happen ---- */

static void lazy_work_reads_late_and_writes_late(void)
{
    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    int32_t *up = direct_pinned(DIRECT_BYTES), *down = direct_pinned(DIRECT_BYTES);
    api_stream s = direct_stream(1);
    direct_fill(up, 1);
    direct_fill(down, 9000);
    LOOK(look.api.upload_queued(x, up, DIRECT_BYTES, s));
    LOOK(look.api.download_queued(down, x, DIRECT_BYTES, s));
    up[0] = 77; /* too early */
    look_reported(1, "the host (touching it) writes what");
    CHECK_EQ_I64(down[1], 9001);
    look_reported(2, "the host (touching it) reads what");
    LOOK(look.api.stream_wait(s));
    CHECK_EQ_I64(down[0], 77);
    CHECK_EQ_I64(down[1], 2);
    LOOK(look.api.stream_drop(s));
    LOOK(look.api.host_free(up));
    LOOK(look.api.host_free(down));
    LOOK(look.api.memory_free(x));
}

static void a_query_is_answered_in_the_end(void)
{
    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    api_stream s = direct_stream(1);
    int asked = 0;
    LOOK(look.api.fill_queued(x, 1, DIRECT_BYTES, s));
    CHECK_EQ_I64(look.api.stream_query(s), 600);
    while (look.api.stream_query(s) == 600)
        CHECK(asked++ < 100);
    LOOK(look.api.stream_query(s));
    LOOK(look.api.stream_drop(s));
    LOOK(look.api.memory_free(x));
}

/* A slot beside one that is in use. */
static void pinned_memory_that_nothing_uses_is_the_hosts(void)
{
    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    int32_t *slots = direct_pinned(DIRECT_BYTES);
    api_stream s = direct_stream(1);
    direct_fill(slots, 0);
    LOOK(look.api.upload_queued(x, slots, 400, s));
    LOOK(look.api.download_queued(slots + 100, x, 400, s));
    slots[200] = 5;
    CHECK_EQ_I64(slots[201], 201);
    look_reported(0, "");
    LOOK(look.api.stream_wait(s));
    CHECK_EQ_I64(slots[100], 0);
    slots[0] = 1;
    look_reported(0, "");
    LOOK(look.api.stream_drop(s));
    LOOK(look.api.host_free(slots));
    LOOK(look.api.memory_free(x));
}

/* CUDA: the source of a blocking upload of pageable memory is free, and what was queued later comes
 * later. HIP: it has ended. */
static void a_blocking_upload_leaves_its_source_free(void)
{
    int32_t host[DIRECT_COUNT], got[DIRECT_COUNT];

    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    direct_fill(host, 3);
    LOOK(look.api.upload(x, host, DIRECT_BYTES));
    direct_fill(host, 100);
    LOOK(look.api.download(got, x, DIRECT_BYTES));
    CHECK_EQ_I64(got[DIRECT_COUNT - 1], 3 + DIRECT_COUNT - 1);
    look_reported(0, "");
    LOOK(look.api.memory_free(x));
}

/* ---- what is left unordered ---- */

static void unordered_work_on_two_streams_is_found(void)
{
    look_begin("eager", 0);
    api_address x = direct_device(DIRECT_BYTES), y = direct_device(DIRECT_BYTES);
    api_stream a = direct_stream(1), b = direct_stream(1);
    LOOK(look.api.fill_queued(x, 0, DIRECT_BYTES, a));
    direct_edge(a, b);
    direct_add(b, x, y, DIRECT_COUNT);
    look_reported(0, "");
    LOOK(look.api.fill_queued(x, 1, DIRECT_BYTES, a)); /* what b reads */
    look_reported(1, "nothing orders them");
    LOOK(look.api.stream_wait(b));
    LOOK(look.api.fill_queued(y, 1, DIRECT_BYTES, a));
    look_reported(1, "nothing orders them");
    LOOK(look.api.stream_drop(a));
    LOOK(look.api.stream_wait(b));
    LOOK(look.api.stream_drop(b));
    control.reset("eager", 0);
    LOOK(look.api.memory_free(x));
    LOOK(look.api.memory_free(y));
}

/* What a stream was ordered after orders all its later work; reading together is no conflict. */
static void an_edge_orders_whatever_is_queued_after_it(void)
{
    api_event event = NULL;

    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES), y = direct_device(DIRECT_BYTES),
                z = direct_device(DIRECT_BYTES);
    api_stream a = direct_stream(1), b = direct_stream(1);
    LOOK(look.api.event_new(&event, 2));
    LOOK(look.api.fill_queued(x, 1, DIRECT_BYTES, a));
    LOOK(look.api.event_record(event, a));
    LOOK(look.api.stream_after(b, event, 0));
    LOOK(look.api.fill_queued(y, 0, DIRECT_BYTES, b));
    LOOK(look.api.fill_queued(z, 0, DIRECT_BYTES, a));
    direct_add(b, x, y, DIRECT_COUNT);
    direct_add(a, x, z, DIRECT_COUNT);
    look_reported(0, "");
    LOOK(look.api.stream_wait(a));
    LOOK(look.api.stream_wait(b));
    LOOK(look.api.event_drop(event));
    LOOK(look.api.stream_drop(a));
    LOOK(look.api.stream_drop(b));
    LOOK(look.api.memory_free(x));
    LOOK(look.api.memory_free(y));
    LOOK(look.api.memory_free(z));
}

static void the_default_stream_orders_with_blocking_streams_alone(void)
{
    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    api_stream with = direct_stream(0), without = direct_stream(1);
    LOOK(look.api.fill_queued(x, 1, DIRECT_BYTES, with));
    LOOK(look.api.fill_queued(x, 2, DIRECT_BYTES, NULL));
    LOOK(look.api.fill_queued(x, 3, DIRECT_BYTES, with));
    look_reported(0, "");
    LOOK(look.api.fill_queued(x, 4, DIRECT_BYTES, without));
    look_reported(2, "nothing orders them");
    LOOK(look.api.stream_wait(with));
    LOOK(look.api.stream_wait(without));
    LOOK(look.api.stream_wait(NULL));
    LOOK(look.api.stream_drop(with));
    LOOK(look.api.stream_drop(without));
    LOOK(look.api.memory_free(x));
}

static void memory_that_is_in_use_is_not_to_be_freed(void)
{
    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    api_stream s = direct_stream(1);
    LOOK(look.api.fill_queued(x, 1, DIRECT_BYTES, s));
    LOOK(look.api.memory_free(x));
    look_reported(1, "has not waited for it");
    LOOK(look.api.stream_wait(s));
    LOOK(look.api.stream_drop(s));
}

static void an_event_is_recorded_again_when_it_has_passed(void)
{
    api_event e = NULL;

    look_begin("eager", 0);
    LOOK(look.api.event_new(&e, 2));
    LOOK(look.api.event_record(e, NULL));
    LOOK(look.api.event_wait(e));
    LOOK(look.api.event_record(e, NULL));
    look_reported(0, "");
    LOOK(look.api.event_record(e, NULL)); /* hipEventRecord: undefined */
    look_reported(control.hip, "recorded again");
    LOOK(look.api.event_wait(e));
    LOOK(look.api.event_drop(e));
}

static void a_threads_own_default_stream_orders_with_the_legacy_one(void)
{
    api_stream own = (api_stream)(uintptr_t)2;

    look_begin("lazy", 0);
    api_address x = direct_device(DIRECT_BYTES);
    LOOK(look.api.fill_queued(x, 1, DIRECT_BYTES, NULL));
    LOOK(look.api.fill_queued(x, 2, DIRECT_BYTES, own));
    LOOK(look.api.fill_queued(x, 3, DIRECT_BYTES, (api_stream)(uintptr_t)1));
    look_reported(0, "");
    LOOK(look.api.stream_wait(NULL));
    LOOK(look.api.memory_free(x));
    look_reported(0, "");
}

static const check_case cases[] = {
    CASE(lazy_work_reads_late_and_writes_late),
    CASE(pinned_memory_that_nothing_uses_is_the_hosts),
    CASE(a_query_is_answered_in_the_end),
    CASE(a_blocking_upload_leaves_its_source_free),
    CASE(unordered_work_on_two_streams_is_found),
    CASE(an_edge_orders_whatever_is_queued_after_it),
    CASE(the_default_stream_orders_with_blocking_streams_alone),
    CASE(memory_that_is_in_use_is_not_to_be_freed),
    CASE(an_event_is_recorded_again_when_it_has_passed),
    CASE(a_threads_own_default_stream_orders_with_the_legacy_one),
};
CHECK_MAIN(cases)
