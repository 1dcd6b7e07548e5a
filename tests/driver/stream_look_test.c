/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_look_test.c - the stream drivers over the look-alikes of CUDA and HIP: right whenever what
 * is queued runs, whatever their documentation lets a call do, and whichever call fails with
 * whichever code its page lists.
 */
#define _GNU_SOURCE
#include <string.h>

#include "base/mem.h"
#include "driver/stream_device.h"
#include "driver/stream_look.h"
#include "driver/stream_steps.h"
#include "support/check.h"

enum { SEEDS = 40, MOST_CODES = 64, DEINITIALIZED = 4 /* after which the look-alike goes on */ };

static stream_session begin(stream_family family, const stream_look *look)
{
    stream_session s = stream_steps_begin(family);

    s.index = 0;
    s.foreign = NULL; /* the default stream */
    s.text = look->text;
    s.text_bytes = look->text_bytes;
    return s;
}

/* ---- schedules ------------------------------------------------------------------------------- */

static void check_schedule(stream_family family, const char *schedule, uint64_t seed)
{
    const stream_look *look = stream_look_begin(family, schedule, seed);
    stream_session s = begin(family, look);
    uint32_t live = look->live();

    stream_outcome o = stream_steps_run(&s);
    CHECK_EQ_I64(o.failures, 0);
    stream_steps_end(&s);
    CHECK_EQ_U64(look->live(), live);
    CHECK_EQ_U64(mem_live(), 0);
    stream_look_end(look);
}

static void work_is_right_whenever_it_runs(stream_family family)
{
    check_schedule(family, "eager", 0);
    check_schedule(family, "lazy", 0);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        check_schedule(family, "random", seed);
}
STREAM_CASES(work_is_right_whenever_it_runs)

/* ---- failures -------------------------------------------------------------------------------- */

/* The slot of ours with that name. */
static int slot_of(stream_family family, const char *name)
{
    for (int slot = 0; slot < STREAM_SLOT_COUNT; slot++) {
        const char *ours = stream_steps_call(family, slot);
        if (ours && strcmp(ours, name) == 0)
            return slot;
    }
    return STREAM_SLOT_COUNT;
}

static void check_outcome(stream_family family, const stream_outcome *o, int slot, int code)
{
    const stream_vendor *vendor = family == STREAM_CUDA ? &cuda_vendor : &hip_vendor;
    slip_status expected = stream_result_status(vendor, code);
    const char *name = stream_steps_call(family, slot);

    CHECK_EQ_I64(o->status, expected);
    CHECK(expected != SLIP_OK);
    if (o->lost && (slot == STREAM_SLOT_capture_mode || slot == STREAM_SLOT_context_push))
        return; /* the loss may have been found in silence */
    CHECK_EQ_I64(o->record.vendor_code, code);
    CHECK_CONTAINS(o->record.message, name);
}

/* The library recovers from a loss, which no real one does, so that it can be seen what is left:
 * for that, what was queued is waited for, which the driver cannot any more. */
static void recover(const stream_look *look, const stream_session *s)
{
    const stream_device *device = s->self;
    const stream_stream *stream = s->stream;

    look->reset("eager", 0);
    if (s->inside && stream)
        CHECK_EQ_I64(device->api->stream_wait(stream->handle), 0);
    if (s->inside)
        CHECK_EQ_I64(device->api->stream_wait(NULL), 0);
}

/* The k-th call of that name fails; whether somebody was told. */
static bool fail_once(stream_family family, const char *name, uint64_t k, int code)
{
    const stream_look *look = stream_look_begin(family, "lazy", k);
    stream_session s = begin(family, look);
    uint32_t live = look->live();
    int slot = slot_of(family, name);

    CHECK(look->fail(name, k, code) == 1);
    stream_outcome o = stream_steps_run(&s);
    CHECK_EQ_U64(look->reports(NULL, 0), 0);
    recover(look, &s);
    stream_steps_end(&s);
    if (look->live() != live || mem_live() != 0)
        CHECK_FAIL("call %llu of %s gave %d, in %s: %lld objects, %llu blocks are left",
                   (unsigned long long)k, name, code, o.step ? o.step : "no step",
                   (long long)look->live() - live, (unsigned long long)mem_live());
    stream_look_end(look);
    if (o.step)
        check_outcome(family, &o, slot, code);
    return o.step != NULL;
}

/* Each call of that name: how many were told of. What puts something back is not told of, and its
 * calls alternate with others that are. */
static uint64_t sweep(stream_family family, const char *name, int code)
{
    uint64_t told = 0;

    for (uint64_t k = 1, quiet = 0; quiet < 2; k++) {
        bool seen = fail_once(family, name, k, code);
        quiet = seen ? 0 : quiet + 1;
        told += seen;
    }
    return told;
}

/* Slots of the look-alike that a session does not come to before it ends, or never. On CUDA it asks
 * until all is done, as the look-alike soon says, and need not sleep. */
static bool is_not_used(stream_family family, int slot)
{
    return slot == STREAM_SLOT_COUNT || slot == STREAM_SLOT_properties_r0000 ||
           slot == STREAM_SLOT_cuda_error_name || slot == STREAM_SLOT_cuda_error_text ||
           slot == STREAM_SLOT_hip_error_name || slot == STREAM_SLOT_hip_error_text ||
           (family == STREAM_CUDA &&
            (slot == STREAM_SLOT_function_attribute || slot == STREAM_SLOT_stream_wait ||
             slot == STREAM_SLOT_event_wait)) ||
           (stream_steps_silent(slot) && slot != STREAM_SLOT_capture_mode);
}

static void every_call_may_fail_with_every_documented_code(stream_family family)
{
    const stream_look *look = stream_look_begin(family, "eager", 0);
    const char *name = "";
    int codes[MOST_CODES];
    uint64_t swept = 0;

    for (uint32_t slot = 0;; slot++) {
        uint32_t count = look->codes(slot, &name, codes, MOST_CODES);
        if (name && name[0] == '\0')
            break;
        if (!name || is_not_used(family, slot_of(family, name)))
            continue;
        for (uint32_t c = 0; c < count; c++, swept++)
            if (codes[c] != DEINITIALIZED &&
                !stream_steps_answer(slot_of(family, name), codes[c]) &&
                sweep(family, name, codes[c]) == 0)
                CHECK_FAIL("%s gave %d, and nobody was ever told", name, codes[c]);
    }
    CHECK(swept > 200);
}
STREAM_CASES(every_call_may_fail_with_every_documented_code)

static const check_case cases[] = {
    STREAM_CASE(work_is_right_whenever_it_runs),
    STREAM_CASE(every_call_may_fail_with_every_documented_code),
};

CHECK_MAIN(cases)
