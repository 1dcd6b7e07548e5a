/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_fail_test.c - whichever call of CUDA or HIP, or request for memory, fails: the failure is
 * recorded and names the call, nothing is left behind, nothing is published, and the next try
 * works. A code that tells of earlier work ends the device, and closing it still works.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/stream_case.h"
#include "driver/stream_device.h"
#include "support/check.h"

enum { N = 500 };

/* What a session makes, step by step. */
typedef struct session {
    const stream_driver *table;
    stream_family family;
    void *self, *stream, *legacy, *wrapped, *code, *event;
    stream_guard guard;
    bool inside;
    stream_memory x, pinned, kept;
    stream_kernel kernel;
    bool passed;
} session;

static int32_t host[N];

static slip_status step_open(session *s)
{
    return s->table->open(1, &s->self);
}

static slip_status step_enter(session *s)
{
    slip_status status = s->table->enter(s->self, &s->guard);

    s->inside = status == SLIP_OK;
    return status;
}

static slip_status step_device(session *s)
{
    return s->table->alloc(s->self, sizeof host, STREAM_MEMORY_DEVICE, &s->x);
}

static slip_status step_pinned(session *s)
{
    return s->table->alloc(s->self, sizeof host, STREAM_MEMORY_PINNED, &s->pinned);
}

static slip_status step_register(session *s)
{
    return s->table->host_register(s->self, host, sizeof host, &s->kept);
}

static slip_status step_code(session *s)
{
    uint64_t bytes = 0;
    const char *code = stream_case_code(s->family, &bytes);

    return s->table->code_load(s->self, (const uint8_t *)code, bytes, &s->code);
}

static slip_status step_kernel(session *s)
{
    return s->table->kernel_get(s->self, s->code, 0, &s->kernel);
}

static slip_status step_stream(session *s)
{
    return s->table->stream_open(s->self, false, &s->stream);
}

static slip_status step_legacy(session *s)
{
    return s->table->stream_open(s->self, true, &s->legacy);
}

static slip_status step_wrap(session *s)
{
    static int device = 1; /* the stub reads the device of a foreign stream there */

    return s->table->stream_wrap(s->self, &device, &s->wrapped);
}

static slip_status step_event(session *s)
{
    return s->table->event_new(s->self, &s->event);
}

static slip_status step_zero(session *s)
{
    return s->table->zero(s->self, s->stream, s->x.address, s->x.bytes);
}

static slip_status step_launch(session *s)
{
    const stream_case_params params = { .end = N, .x = s->x.address, .k = 4 };

    return s->table->launch(s->self, s->stream, &s->kernel, &params, sizeof params,
                            (const uint32_t[]){ 2, 1, 1 }, 256);
}

static slip_status step_download(session *s)
{
    return s->table->download(s->self, s->stream, s->pinned.host, s->x.address, s->x.bytes);
}

static slip_status step_upload(session *s)
{
    return s->table->upload(s->self, s->stream, s->x.address, s->pinned.host, s->x.bytes);
}

static slip_status step_record(session *s)
{
    return s->table->record(s->self, s->stream, s->event);
}

static slip_status step_after(session *s)
{
    return s->table->stream_after(s->self, s->legacy, s->event);
}

static slip_status step_event_passed(session *s)
{
    return s->table->event_passed(s->self, s->event, &s->passed);
}

static slip_status step_event_wait(session *s)
{
    return s->table->event_wait(s->self, s->event);
}

static slip_status step_stream_passed(session *s)
{
    return s->table->stream_passed(s->self, s->stream, &s->passed);
}

static slip_status step_stream_wait(session *s)
{
    return s->table->stream_wait(s->self, s->stream);
}

static slip_status step_up(session *s)
{
    return s->table->upload_blocking(s->self, s->x.address, s->pinned.host, s->x.bytes);
}

static slip_status step_down(session *s)
{
    return s->table->download_blocking(s->self, host, s->x.address, s->x.bytes);
}

static const struct {
    const char *name;
    slip_status (*run)(session *s);
} steps[] = {
    { "open", step_open },
    { "enter", step_enter },
    { "alloc", step_device },
    { "alloc", step_pinned },
    { "host_register", step_register },
    { "code_load", step_code },
    { "kernel_get", step_kernel },
    { "stream_open", step_stream },
    { "stream_open", step_legacy },
    { "stream_wrap", step_wrap },
    { "event_new", step_event },
    { "zero", step_zero },
    { "launch", step_launch },
    { "download", step_download },
    { "upload", step_upload },
    { "record", step_record },
    { "stream_after", step_after },
    { "event_passed", step_event_passed },
    { "event_wait", step_event_wait },
    { "stream_passed", step_stream_passed },
    { "stream_wait", step_stream_wait },
    { "upload_blocking", step_up },
    { "download_blocking", step_down },
};

enum { STEPS = sizeof steps / sizeof steps[0] };

static session start(stream_family family)
{
    memset(host, 0, sizeof host);
    return (session){ .table = stream_case_table(family), .family = family };
}

/* On the way out, with whatever there is. */
static void end(session *s)
{
    const stream_driver *t = s->table;

    if (s->self) {
        t->event_drop(s->self, s->event);
        t->stream_close(s->self, s->wrapped);
        t->stream_close(s->self, s->legacy);
        t->stream_close(s->self, s->stream);
        t->code_drop(s->self, s->code);
        t->host_unregister(s->self, &s->kept);
        t->free(s->self, &s->pinned);
        t->free(s->self, &s->x);
        if (s->inside)
            t->leave(s->self, &s->guard);
    }
    t->close(s->self);
    stream_table_forget();
}

static const char *call_name(stream_family family, int slot)
{
    const stream_vendor *vendor = family == STREAM_CUDA ? &cuda_vendor : &hip_vendor;

    return slot == STREAM_SLOT_COUNT ? "no call" : vendor->symbols[slot].name;
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* Runs a session of which something fails once, and is tried again: how many steps failed. */
static int run_session(session *s, stream_stub *stub, slip_status expected)
{
    int failures = 0;

    for (int k = 0; k < STEPS; k++)
        for (;;) {
            session before = *s;
            fail_clear();
            slip_status status = steps[k].run(s);
            CHECK_EQ_I64(fail_last()->code, status);
            if (status == SLIP_OK)
                break;
            CHECK(memcmp(&before, s, sizeof before) == 0); /* nothing published */
            CHECK_EQ_I64(status, expected);
            CHECK(++failures == 1);
            if (stub) {
                const char *name = call_name(s->family, stub->failed);
                if (!strstr(fail_last()->message, name))
                    CHECK_FAIL("%s: \"%s\" does not name %s", steps[k].name, fail_last()->message,
                               name);
                CHECK_EQ_I64(fail_last()->vendor_code, stub->code);
            }
            if (!s->self) /* a failure of the library itself is kept, until it is forgotten */
                stream_table_forget();
        }
    for (int k = 0; k < N; k++)
        CHECK_EQ_I64(host[k], 4);
    return failures;
}

/* The mode that a thread had before is put back by a call that cannot be told of; the device before
 * likewise; and giving back cannot fail. */
static bool may_be_silent(int slot)
{
    return slot == STREAM_SLOT_capture_mode || slot == STREAM_SLOT_device_select ||
           slot == STREAM_SLOT_context_pop || slot == STREAM_SLOT_context_release ||
           slot == STREAM_SLOT_memory_free || slot == STREAM_SLOT_host_free ||
           slot == STREAM_SLOT_host_unregister || slot == STREAM_SLOT_code_unload ||
           slot == STREAM_SLOT_stream_drop || slot == STREAM_SLOT_event_drop;
}

static uint64_t sweep(stream_family family, int code, slip_status expected)
{
    for (uint64_t k = 1;; k++) {
        stream_stub *stub = stream_stub_begin(family, "whole");
        session s = start(family);
        stub->fail_at = k;
        stub->code = code;
        stub->scribbles = true;
        int failures = run_session(&s, stub, expected);
        end(&s);
        const char *name = call_name(family, stub->failed);
        if (stub->live != 0 || mem_live() != 0)
            CHECK_FAIL("call %llu, %s, failed: %lld objects, %llu blocks of memory are left",
                       (unsigned long long)k, name, (long long)stub->live,
                       (unsigned long long)mem_live());
        if (stub->failed == STREAM_SLOT_COUNT)
            return k - 1;
        if (failures == 0 && !may_be_silent(stub->failed))
            CHECK_FAIL("call %llu, %s, failed, and nobody was told", (unsigned long long)k, name);
    }
}

static void a_call_that_fails_leaves_nothing_behind(stream_family family)
{
    uint64_t calls = sweep(family, 1, SLIP_ERR_DEVICE);

    /* By hand: library 3, two devices of 12 (HIP 13), open 3 (2), steps 49 (51: HIP sleeps), giving
     * back 18, leave 1, close 3 (2). */
    CHECK_EQ_U64(calls, family == STREAM_CUDA ? 101 : 103);
    CHECK_EQ_U64(sweep(family, 2, SLIP_ERR_MEMORY), calls);
    CHECK_EQ_U64(sweep(family, 801, SLIP_ERR_UNSUPPORTED), calls);
}
STREAM_CASES(a_call_that_fails_leaves_nothing_behind)

static void a_request_for_memory_that_fails_leaves_nothing_behind(stream_family family)
{
    for (uint64_t k = 1;; k++) {
        stream_stub *stub = stream_stub_begin(family, "whole");
        session s = start(family);
        mem_fail_at(k);
        int failures = run_session(&s, NULL, SLIP_ERR_MEMORY);
        mem_fail_at(0);
        end(&s);
        CHECK_EQ_I64(stub->live, 0);
        CHECK_EQ_U64(mem_live(), 0);
        if (failures == 0) {
            CHECK_EQ_U64(k, 7); /* library, its devices, the device, three streams */
            break;
        }
    }
}
STREAM_CASES(a_request_for_memory_that_fails_leaves_nothing_behind)

static void a_refusal_says_call_code_and_text(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = start(family);

    CHECK_STATUS(step_open(&s), SLIP_OK);
    CHECK_STATUS(step_enter(&s), SLIP_OK);
    stub->fail_at = 1;
    stub->calls = 0;
    stub->only = STREAM_SLOT_memory_new;
    stub->code = 2;
    CHECK_STATUS(step_device(&s), SLIP_ERR_MEMORY);
    CHECK_TEXT(fail_last()->message,
               family == STREAM_CUDA ? "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2), as the stub "
                                       "has it; while allocating 2000 bytes"
                                     : "hipMalloc: hipErrorOutOfMemory (2), as the stub has it; "
                                       "while allocating 2000 bytes");
    CHECK_TEXT(fail_last()->vendor_call, family == STREAM_CUDA ? "cuMemAlloc_v2" : "hipMalloc");
    stub->calls = 0;
    stub->code = 12345;
    CHECK_STATUS(step_device(&s), SLIP_ERR_DEVICE);
    CHECK_CONTAINS(fail_last()->message, "does not know (12345), which it does not explain");
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(a_refusal_says_call_code_and_text)

/* ---- losses ---------------------------------------------------------------------------------- */

/* Steps of a lost device that can be asked for without what was never made. */
static bool can_run(const session *s, int k)
{
    if (steps[k].run == step_kernel)
        return s->code != NULL;
    return k < 11 || (s->event && s->stream && s->legacy);
}

/* A call at or after `at` loses the device; true where there was one. */
static bool lose(stream_family family, uint64_t at)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = start(family);
    slip_status status = SLIP_OK;
    int k = 0;

    CHECK_STATUS(step_open(&s), SLIP_OK);
    *stub = (stream_stub){ .only = STREAM_SLOT_COUNT,
                           .failed = STREAM_SLOT_COUNT,
                           .fail_at = at,
                           .code = 700,
                           .is_hip = stub->is_hip,
                           .depth = stub->depth,
                           .device = stub->device,
                           .live = stub->live };
    while (status == SLIP_OK && ++k < STEPS) {
        session before = s;
        fail_clear();
        status = steps[k].run(&s);
        CHECK(status == SLIP_OK || memcmp(&before, &s, sizeof s) == 0);
    }
    bool failed = stub->failed != STREAM_SLOT_COUNT;
    if (k < STEPS) {
        CHECK_EQ_I64(status, SLIP_ERR_LOST);
        if (stub->failed !=
            STREAM_SLOT_capture_mode) { /* which may have been put back in silence */
            CHECK_CONTAINS(fail_last()->message, "the device is lost, as ");
            CHECK_CONTAINS(fail_last()->message, call_name(family, stub->failed));
        }
        for (int next = 1; next < STEPS; next++)
            if (can_run(&s, next)) {
                CHECK_STATUS(steps[next].run(&s), SLIP_ERR_LOST);
                CHECK_CONTAINS(fail_last()->message, "Second stub is lost: an earlier call gave ");
                CHECK_CONTAINS(fail_last()->message, "(700)");
            }
    }
    stub->fail_at = 0;
    if (failed && s.guard.changed) /* outside: what gives back makes the device current by itself */
        s.table->leave(s.self, &s.guard);
    s.inside = s.inside && !failed;
    int was = stream_stub_current(stub);
    end(&s);
    if (failed)
        CHECK_EQ_I64(stream_stub_current(stub), was);
    if (stub->live != 0)
        CHECK_FAIL("call %llu, %s, lost the device: %lld objects are left", (unsigned long long)at,
                   call_name(family, stub->failed), (long long)stub->live);
    CHECK_EQ_U64(mem_live(), 0);
    return failed;
}

static void a_lost_device_stays_lost_and_can_be_closed(stream_family family)
{
    uint64_t at = 1;

    while (lose(family, at))
        at++;
    CHECK_EQ_U64(at - 1, family == STREAM_CUDA ? 49 : 51);
}
STREAM_CASES(a_lost_device_stays_lost_and_can_be_closed)

/* LAUNCH rule 15, and what the error's comment says; the other codes refuse one call. */
static void codes_are_of_three_kinds(void)
{
    static const int lost[] = { 4,   214, 220, 226, 700, 702, 709, 710, 714,
                                715, 716, 717, 718, 719, 721, 810, 911 };
    static const int memory[] = { 2 };
    static const int hip_lost[] = { 4, 214, 700, 702, 709, 710, 719 };

    for (int code = 1; code < 1100; code++) {
        slip_status status = stream_result_status(&cuda_vendor, code);
        bool is_lost = false;
        for (size_t k = 0; k < sizeof lost / sizeof lost[0]; k++)
            is_lost = is_lost || lost[k] == code;
        CHECK((status == SLIP_ERR_LOST) == is_lost);
        CHECK((status == SLIP_ERR_MEMORY) == (code == memory[0]));
        CHECK(code < 900 || code > 908 || status == SLIP_ERR_UNSUPPORTED);
        CHECK(status != SLIP_OK);
        is_lost = false;
        for (size_t k = 0; k < sizeof hip_lost / sizeof hip_lost[0]; k++)
            is_lost = is_lost || hip_lost[k] == code;
        CHECK((stream_result_status(&hip_vendor, code) == SLIP_ERR_LOST) == is_lost);
    }
    CHECK_EQ_I64(stream_result_status(&cuda_vendor, 0), SLIP_OK);
}

static const check_case cases[] = {
    STREAM_CASE(a_call_that_fails_leaves_nothing_behind),
    STREAM_CASE(a_request_for_memory_that_fails_leaves_nothing_behind),
    STREAM_CASE(a_refusal_says_call_code_and_text),
    STREAM_CASE(a_lost_device_stays_lost_and_can_be_closed),
    CASE(codes_are_of_three_kinds),
};

CHECK_MAIN(cases)
