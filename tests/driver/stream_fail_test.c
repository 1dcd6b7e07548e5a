/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_fail_test.c - whichever call of CUDA or HIP, or request for memory, fails: the failure is
 * recorded and names the call, nothing is left behind, nothing is published, and the next try
 * works. A code that tells of earlier work ends the device, and closing it still works.
 *
 * Over the stub, whose calls fill what they were to give though they fail; stream_look_test.c does
 * the same with every code that is documented.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/stream_device.h"
#include "driver/stream_steps.h"
#include "support/check.h"

/* ---- refusals -------------------------------------------------------------------------------- */

static void check_failure(stream_family family, const stream_stub *stub, const stream_outcome *o,
                          slip_status expected)
{
    const char *name = stream_steps_call(family, stub->failed);

    if (!o->step && !stream_steps_silent(stub->failed) &&
        !stream_steps_answer(stub->failed, stub->code))
        CHECK_FAIL("%s failed, and nobody was told", name);
    if (!o->step)
        return;
    CHECK_EQ_I64(o->status, expected);
    CHECK_EQ_I64(o->record.vendor_code, stub->code);
    if (!strstr(o->record.message, name))
        CHECK_FAIL("%s: \"%s\" does not name %s", o->step, o->record.message, name);
}

static uint64_t sweep(stream_family family, int code, slip_status expected)
{
    for (uint64_t k = 1;; k++) {
        stream_stub *stub = stream_stub_begin(family, "whole");
        stream_session s = stream_steps_begin(family);
        stub->fail_at = k;
        stub->code = code;
        stub->scribbles = true;
        stream_outcome o = stream_steps_run(&s);
        stream_steps_end(&s);
        if (stub->live != 0 || mem_live() != 0)
            CHECK_FAIL("call %llu, %s, failed: %lld objects, %llu blocks of memory are left",
                       (unsigned long long)k, stream_steps_call(family, stub->failed),
                       (long long)stub->live, (unsigned long long)mem_live());
        if (stub->failed == STREAM_SLOT_COUNT)
            return k - 1;
        check_failure(family, stub, &o, expected);
    }
}

static void a_call_that_fails_leaves_nothing_behind(stream_family family)
{
    uint64_t calls = sweep(family, 1, SLIP_ERR_DEVICE);

    /* By hand: library 3, two devices of 12 (HIP 13), open 3 (2), steps 57 (58: HIP sleeps), giving
     * back 18, leave 1, close 3 (2). */
    CHECK_EQ_U64(calls, family == STREAM_CUDA ? 109 : 110);
    CHECK_EQ_U64(sweep(family, 2, SLIP_ERR_MEMORY), calls);
    CHECK_EQ_U64(sweep(family, 801, SLIP_ERR_UNSUPPORTED), calls);
}
STREAM_CASES(a_call_that_fails_leaves_nothing_behind)

static void a_request_for_memory_that_fails_leaves_nothing_behind(stream_family family)
{
    for (uint64_t k = 1;; k++) {
        stream_stub *stub = stream_stub_begin(family, "whole");
        stream_session s = stream_steps_begin(family);
        mem_fail_at(k);
        stream_outcome o = stream_steps_run(&s);
        mem_fail_at(0);
        stream_steps_end(&s);
        CHECK_EQ_I64(stub->live, 0);
        CHECK_EQ_U64(mem_live(), 0);
        CHECK(!o.step || o.status == SLIP_ERR_MEMORY);
        if (!o.step) {
            CHECK_EQ_U64(k, 7); /* library, its devices, the device, three streams */
            break;
        }
    }
}
STREAM_CASES(a_request_for_memory_that_fails_leaves_nothing_behind)

static void a_refusal_says_call_code_and_text(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    stream_session s = stream_steps_begin(family);

    CHECK_STATUS(s.table->open(0, &s.self), SLIP_OK);
    CHECK_STATUS(s.table->enter(s.self, &s.guard), SLIP_OK);
    s.inside = true;
    stub->fail_at = 1;
    stub->calls = 0;
    stub->only = STREAM_SLOT_memory_new;
    stub->code = 2;
    CHECK_STATUS(s.table->alloc(s.self, 2000, STREAM_MEMORY_DEVICE, &s.x), SLIP_ERR_MEMORY);
    CHECK_TEXT(fail_last()->message,
               family == STREAM_CUDA ? "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2), as the stub "
                                       "has it; while allocating 2000 bytes"
                                     : "hipMalloc: hipErrorOutOfMemory (2), as the stub has it; "
                                       "while allocating 2000 bytes");
    CHECK_TEXT(fail_last()->vendor_call, family == STREAM_CUDA ? "cuMemAlloc_v2" : "hipMalloc");
    stub->calls = 0;
    stub->code = 12345;
    CHECK_STATUS(s.table->alloc(s.self, 2000, STREAM_MEMORY_DEVICE, &s.x), SLIP_ERR_DEVICE);
    CHECK_CONTAINS(fail_last()->message, "does not know (12345), which it does not explain");
    stream_steps_end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(a_refusal_says_call_code_and_text)

/* ---- losses ---------------------------------------------------------------------------------- */

/* Call `at` of what follows the opening loses the device; true where there was one. */
static bool lose(stream_family family, uint64_t at)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    stream_session s = stream_steps_begin(family);
    void *opened = NULL;

    CHECK_STATUS(s.table->open(0, &opened), SLIP_OK); /* so that the library is loaded */
    s.table->close(opened);
    stub->calls = 0;
    stub->fail_at = at;
    stub->code = 700;
    stream_outcome o = stream_steps_run(&s);
    bool failed = stub->failed != STREAM_SLOT_COUNT;
    stub->fail_at = 0;
    if (o.lost) {
        CHECK_EQ_I64(o.status, SLIP_ERR_LOST);
        if (stub->failed != STREAM_SLOT_capture_mode) { /* which may have lost it in silence */
            CHECK_CONTAINS(o.record.message, "the device is lost, as ");
            CHECK_CONTAINS(o.record.message, stream_steps_call(family, stub->failed));
        }
    }
    if (o.lost && s.inside) { /* outside: what gives back makes the device current by itself */
        s.table->leave(s.self, &s.guard);
        s.inside = false;
    }
    int was = stream_stub_current(stub);
    stream_steps_end(&s);
    CHECK(!o.lost || stream_stub_current(stub) == was);
    if (stub->live != 0)
        CHECK_FAIL("call %llu, %s, lost the device: %lld objects are left", (unsigned long long)at,
                   stream_steps_call(family, stub->failed), (long long)stub->live);
    CHECK_EQ_U64(mem_live(), 0);
    return failed;
}

static void a_lost_device_stays_lost_and_can_be_closed(stream_family family)
{
    uint64_t at = 1;

    while (lose(family, at))
        at++;
    CHECK_EQ_U64(at - 1, 60); /* open 3 (HIP 2), steps 57 (58) */
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
