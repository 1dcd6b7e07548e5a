/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queued_call_test.c - what a launcher is told of a call, and what the runtime makes of its
 * answers.
 */
#include <string.h>

#include "runtime/lazy.h"
#include "support/check.h"

enum { N = 16 };

static slip_status both(const hand_device *on, void *one, void *two, int32_t n)
{
    slip_arg args[] = { { &n, sizeof n }, { one, 4 * (uint64_t)n }, { two, 4 * (uint64_t)n } };

    return slip_launch(on->stream, hand_entry(on, HAND_BOTH), args, 3, NULL, 0);
}

static slip_status next(const hand_device *on, const void *from, void *to, int32_t n)
{
    slip_arg args[] = { { &n, sizeof n }, { from, 4 * (uint64_t)n }, { to, 4 * (uint64_t)n } };

    return slip_launch(on->stream, hand_entry(on, HAND_NEXT), args, 3, NULL, 0);
}

static void arrays_that_overlap_are_one_class_and_know_their_place_in_it(void)
{
    hand_device on;
    float x[2 * N] = { 0 };

    lazy_open(&on);
    CHECK_STATUS(both(&on, x + 4, x, 8), SLIP_OK); /* the second begins before the first */
    CHECK_TEXT(lazy.log, "both\n"
                         "  class 0: unknown, 48 bytes\n"
                         "  x: class 0, 32 bytes at 16, written\n"
                         "  y: class 0, 32 bytes at 0, written\n");
    lazy.log[0] = '\0';
    CHECK_STATUS(next(&on, x, x + 8, 8), SLIP_OK); /* they touch; x is const */
    CHECK_TEXT(lazy.log, "next\n"
                         "  class 0: unknown, 32 bytes\n"
                         "  class 1: unknown, 32 bytes\n"
                         "  x: class 0, 32 bytes at 0\n"
                         "  y: class 1, 32 bytes at 0, written\n");
    lazy.log[0] = '\0';
    CHECK_STATUS(both(&on, x, x, 0), SLIP_OK);
    CHECK_TEXT(lazy.log, "both\n"
                         "  class 0: unknown, 0 bytes\n"
                         "  class 1: unknown, 0 bytes\n"
                         "  x: class 0, 0 bytes at 0, written\n"
                         "  y: class 1, 0 bytes at 0, written\n");
    lazy_close(&on);
}

static void a_class_in_known_memory_knows_its_place_there(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *memory = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 256, &memory), SLIP_OK);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(both(&on, (float *)memory + 12, (float *)memory + 10, 8), SLIP_OK);
    CHECK_TEXT(lazy.log, "both\n"
                         "  class 0: resident, 40 bytes at 40\n"
                         "  x: class 0, 32 bytes at 8, written\n"
                         "  y: class 0, 32 bytes at 0, written\n");
    lazy.log[0] = '\0';
    CHECK_STATUS(next(&on, x + 2, memory, 4), SLIP_OK);
    CHECK_TEXT(lazy.log, "next\n"
                         "  class 0: kept, 16 bytes at 8\n"
                         "  class 1: resident, 16 bytes at 0\n"
                         "  x: class 0, 16 bytes at 0\n"
                         "  y: class 1, 16 bytes at 0, written\n");
    lazy_close(&on);
}

/* ---- kernels that the device cannot run -------------------------------------------------------
 */

static void a_kernel_that_needs_what_the_device_lacks_is_refused_by_find_and_call(void)
{
    hand_device on;
    float x[N] = { 0 };
    slip_entry *entry = NULL;
    char *plan = NULL;

    lazy_open(&on);
    lazy.refused = "next";
    CHECK_STATUS(slip_module_find(on.module, "next", &entry), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "hand.c:");
    CHECK_CONTAINS(slip_last_error()->message, "needs what a lazy device lacks; next cannot run on "
                                               "lazy:0");
    CHECK(entry == NULL);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(next(&on, x, x + 8, 8), SLIP_ERR_UNSUPPORTED);
        CHECK_CONTAINS(slip_last_error()->message, "while calling next");
    }
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_NEXT), NULL, &plan), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(
        slip_explain(hand_entry(&on, HAND_NEXT), &(slip_explain_options){ .facts = "cuda" }, &plan),
        SLIP_OK);
    slip_text_free(plan);
    CHECK_TEXT(lazy.log, "");
    CHECK_STATUS(slip_module_find(on.module, "both", &entry), SLIP_OK);
    CHECK_STATUS(both(&on, x, x + 8, 8), SLIP_OK);
    lazy.refused = NULL;
    CHECK_STATUS(next(&on, x, x + 8, 8), SLIP_OK);
    lazy_close(&on);
}

/* ---- failures ---------------------------------------------------------------------------------
 */

static float kept[N];

/* All that a program does with a device, up to the first failure. */
static slip_status use(hand_device *on, slip_event *event, slip_stream **out_stream)
{
    void *memory = NULL, *pinned = NULL;
    slip_entry *entry = NULL;
    float x[N] = { 0 };

    SLIP_TRY(slip_module_find(on->module, "both", &entry));
    SLIP_TRY(slip_stream_create(on->device, out_stream));
    SLIP_TRY(slip_alloc(on->device, 256, &memory));
    SLIP_TRY(slip_host_alloc(on->device, 256, &pinned));
    SLIP_TRY(slip_keep(on->device, kept, sizeof kept));
    SLIP_TRY(slip_upload(on->stream, memory, x, sizeof x));
    SLIP_TRY(both(on, memory, pinned, N));
    SLIP_TRY(both(on, kept, x, N));
    SLIP_TRY(slip_event_record(event, on->stream));
    SLIP_TRY(slip_stream_wait(*out_stream, event));
    SLIP_TRY(slip_push(on->stream, kept));
    SLIP_TRY(slip_event_record(event, on->stream));
    SLIP_TRY(slip_event_sync(event));
    SLIP_TRY(slip_fetch(on->stream, kept));
    SLIP_TRY(slip_download(on->stream, x, memory, sizeof x));
    SLIP_TRY(slip_stream_sync(*out_stream));
    return slip_device_sync(on->device);
}

/* Slots that fail within slip_device_open and a load leave nothing; those that fail later leave a
 * device that works again, and closes. */
static slip_status try_once(uint32_t fail_at, slip_status with, uint32_t *out_calls)
{
    hand_device on = { 0 };
    slip_stream *stream = NULL;
    slip_event *event = NULL;

    lazy = (lazy_state){ .fail_at = fail_at, .fail_with = with, .room = UINT32_MAX, .held = true };
    fail_clear();
    slip_status status = device_open_with(lazy_family(), 0, &on.device);
    *out_calls = lazy.calls;
    if (status != SLIP_OK) {
        CHECK(on.device == NULL);
        return status;
    }
    on.stream = slip_default(on.device);
    status = module_adopt(on.device, hand_module(), &on.module);
    CHECK_EQ_U64(status == SLIP_OK, on.module != NULL);
    if (status == SLIP_OK) {
        CHECK_STATUS(slip_event_create(on.device, &event), SLIP_OK);
        status = use(&on, event, &stream);
    }
    slip_status recorded = slip_last_error()->code;
    *out_calls = lazy.calls;
    lazy.fail_at = 0;
    if (with == SLIP_ERR_LOST && status == SLIP_ERR_LOST && on.module) {
        float x[N] = { 0 };
        void *memory = NULL;
        CHECK_STATUS(both(&on, x, x, 1), SLIP_ERR_LOST); /* latched */
        CHECK_STATUS(slip_alloc(on.device, 1, &memory), SLIP_ERR_LOST);
        CHECK_STATUS(slip_device_sync(on.device), SLIP_ERR_LOST);
        CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    } else if (on.module) {
        float x[N] = { 0 };
        CHECK_STATUS(both(&on, x, x, 1), SLIP_OK); /* the next call works */
    }
    CHECK_EQ_U64(recorded, status);
    slip_stream_destroy(stream);
    slip_event_destroy(event);
    slip_device_close(on.device);
    return status;
}

static void whichever_slot_fails_is_told_and_leaves_nothing_behind(void)
{
    static const slip_status kinds[] = { SLIP_ERR_DEVICE, SLIP_ERR_LOST };

    for (size_t k = 0; k < 2; k++)
        for (uint32_t fail = 1;; fail++) {
            uint32_t calls = 0;
            slip_status status = try_once(fail, kinds[k], &calls);
            CHECK_EQ_I64(lazy.streams + lazy.memories + lazy.codes + lazy.plans, 0);
            CHECK_EQ_U64(mem_live(), 0);
            if (calls < fail) {
                CHECK_EQ_U64(status, SLIP_OK);
                CHECK(fail > 30); /* of so many slots and sweeps */
                break;
            }
            if (status != SLIP_OK) /* a sweep asks for its mark again */
                CHECK_EQ_U64(status, kinds[k]);
        }
}

static void requests_of_the_heap_fail_in_the_same_way(void)
{
    for (uint64_t fail = 1;; fail++) {
        hand_device on = { 0 };
        slip_stream *stream = NULL;
        slip_event *event = NULL;
        lazy_open(&on);
        CHECK_STATUS(slip_event_create(on.device, &event), SLIP_OK);
        fail_clear();
        mem_fail_at(fail);
        slip_status status = use(&on, event, &stream);
        mem_fail_at(0);
        CHECK_EQ_U64(slip_last_error()->code, status);
        slip_stream_destroy(stream);
        slip_event_destroy(event);
        lazy_close(&on);
        if (status == SLIP_OK)
            break;
        CHECK_EQ_U64(status, SLIP_ERR_MEMORY);
    }
}

static const check_case cases[] = {
    CASE(arrays_that_overlap_are_one_class_and_know_their_place_in_it),
    CASE(a_class_in_known_memory_knows_its_place_there),
    CASE(a_kernel_that_needs_what_the_device_lacks_is_refused_by_find_and_call),
    CASE(whichever_slot_fails_is_told_and_leaves_nothing_behind),
    CASE(requests_of_the_heap_fail_in_the_same_way),
};

CHECK_MAIN(cases)
