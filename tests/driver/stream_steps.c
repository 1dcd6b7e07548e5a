/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_steps.c - see stream_steps.h.
 */
#define _GNU_SOURCE
#include "driver/stream_steps.h"

#include <string.h>

#include "driver/stream_device.h"
#include "support/check.h"

enum { N = 500, PAGE = 4096, PAGES = 2048 };

static int32_t host[N];

static slip_status step_open(stream_session *s)
{
    return s->table->open(s->index, &s->self);
}

static slip_status step_enter(stream_session *s)
{
    slip_status status = s->table->enter(s->self, &s->guard);

    s->inside = s->inside || status == SLIP_OK;
    return status;
}

static slip_status step_device(stream_session *s)
{
    return s->table->alloc(s->self, sizeof host, STREAM_MEMORY_DEVICE, &s->x);
}

static slip_status step_pinned(stream_session *s)
{
    return s->table->alloc(s->self, sizeof host, STREAM_MEMORY_PINNED, &s->pinned);
}

static slip_status step_register(stream_session *s)
{
    return s->table->host_register(s->self, s->own, PAGE, &s->kept);
}

static slip_status step_on_device(stream_session *s)
{
    return s->table->on_device(s->self, (const void *)(uintptr_t)s->x.address, &s->passed);
}

static slip_status step_code(stream_session *s)
{
    return s->table->code_load(s->self, (const uint8_t *)s->text, s->text_bytes, &s->code);
}

static slip_status step_kernel(stream_session *s)
{
    return s->table->kernel_get(s->self, s->code, 0, &s->kernel);
}

static slip_status step_stream(stream_session *s)
{
    return s->table->stream_open(s->self, false, &s->stream);
}

static slip_status step_legacy(stream_session *s)
{
    return s->table->stream_open(s->self, true, &s->legacy);
}

static slip_status step_wrap(stream_session *s)
{
    return s->table->stream_wrap(s->self, s->foreign, &s->wrapped);
}

static slip_status step_captured(stream_session *s)
{
    return s->table->stream_captured(s->self, s->wrapped, &s->passed);
}

static slip_status step_event(stream_session *s)
{
    return s->table->event_new(s->self, &s->event);
}

static slip_status step_zero(stream_session *s)
{
    return s->table->zero(s->self, s->stream, s->x.address, s->x.bytes);
}

static slip_status add_four(stream_session *s, uint64_t x)
{
    const stream_case_params params = { .end = N, .count = N, .x = x, .k = 4 };

    return s->table->launch(s->self, s->stream, &s->kernel, &params, sizeof params,
                            (const uint32_t[]){ 2, 1, 1 }, 256);
}

static slip_status step_launch(stream_session *s)
{
    return add_four(s, s->x.address);
}

static slip_status step_launch_pinned(stream_session *s)
{
    return add_four(s, s->pinned.address);
}

static slip_status step_launch_kept(stream_session *s)
{
    return add_four(s, s->kept.address);
}

static slip_status step_download(stream_session *s)
{
    return s->table->download(s->self, s->stream, s->pinned.host, s->x.address, s->x.bytes);
}

static slip_status step_upload(stream_session *s)
{
    return s->table->upload(s->self, s->stream, s->x.address, s->pinned.host, s->x.bytes);
}

static slip_status step_record(stream_session *s)
{
    return s->table->record(s->self, s->stream, s->event);
}

static slip_status step_after(stream_session *s)
{
    return s->table->stream_after(s->self, s->legacy, s->event);
}

static slip_status step_event_passed(stream_session *s)
{
    return s->table->event_passed(s->self, s->event, &s->passed);
}

static slip_status step_event_wait(stream_session *s)
{
    return s->table->event_wait(s->self, s->event);
}

static slip_status step_stream_passed(stream_session *s)
{
    return s->table->stream_passed(s->self, s->stream, &s->passed);
}

static slip_status step_stream_wait(stream_session *s)
{
    return s->table->stream_wait(s->self, s->stream);
}

static slip_status step_up(stream_session *s)
{
    return s->table->upload_blocking(s->self, s->x.address, s->pinned.host, s->x.bytes);
}

static slip_status step_down(stream_session *s)
{
    return s->table->download_blocking(s->self, host, s->x.address, s->x.bytes);
}

static const struct {
    const char *name;
    slip_status (*run)(stream_session *s);
} steps[] = {
    { "open", step_open },
    { "enter", step_enter },
    { "alloc", step_device },
    { "alloc", step_pinned },
    { "host_register", step_register },
    { "on_device", step_on_device },
    { "code_load", step_code },
    { "kernel_get", step_kernel },
    { "stream_open", step_stream },
    { "stream_open", step_legacy },
    { "stream_wrap", step_wrap },
    { "stream_captured", step_captured },
    { "event_new", step_event },
    { "zero", step_zero },
    { "launch", step_launch },
    { "launch", step_launch_kept },
    { "download", step_download },
    { "launch", step_launch_pinned },
    { "upload", step_upload },
    { "record", step_record },
    { "stream_after", step_after },
    { "event_passed", step_event_passed },
    { "event_wait", step_event_wait },
    { "stream_passed", step_stream_passed },
    { "upload", step_upload },
    { "stream_wait", step_stream_wait },
    { "upload_blocking", step_up },
    { "download_blocking", step_down },
};

enum { STEPS = sizeof steps / sizeof steps[0], FIRST_QUEUED = 13 };

/* Each session has a page of its own: one that lost its device cannot give it back. */
static void *take_page(void)
{
    static _Alignas(PAGE) char pages[PAGES][PAGE];
    static unsigned taken;

    return pages[taken++ % PAGES];
}

stream_session stream_steps_begin(stream_family family)
{
    static int second = 1; /* the stub reads the device of a foreign stream there */
    stream_session s = {
        .table = stream_case_table(family), .family = family, .index = 1, .foreign = &second
    };

    s.own = take_page();
    s.text = stream_case_code(family, &s.text_bytes);
    return s;
}

void stream_steps_end(stream_session *s)
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

const char *stream_steps_call(stream_family family, int slot)
{
    const stream_vendor *vendor = family == STREAM_CUDA ? &cuda_vendor : &hip_vendor;

    return slot == STREAM_SLOT_COUNT ? "no call" : vendor->symbols[slot].name;
}

bool stream_steps_silent(int slot)
{
    return slot == STREAM_SLOT_capture_mode || slot == STREAM_SLOT_device_select ||
           slot == STREAM_SLOT_context_pop || slot == STREAM_SLOT_context_release ||
           slot == STREAM_SLOT_memory_free || slot == STREAM_SLOT_host_free ||
           slot == STREAM_SLOT_host_unregister || slot == STREAM_SLOT_code_unload ||
           slot == STREAM_SLOT_stream_drop || slot == STREAM_SLOT_event_drop;
}

bool stream_steps_answer(int slot, int code)
{
    return slot == STREAM_SLOT_pointer_attributes && code == STREAM_CODE_INVALID_VALUE;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Steps that can be asked for without what was never made. */
static bool can_take(const stream_session *s, int k)
{
    if (steps[k].run == step_kernel)
        return s->code != NULL;
    if (steps[k].run == step_captured)
        return s->wrapped != NULL;
    return k < FIRST_QUEUED || (s->event && s->stream && s->legacy && s->wrapped);
}

static void check_lost(stream_session *s)
{
    for (int k = 1; k < STEPS; k++)
        if (can_take(s, k)) {
            CHECK_STATUS(steps[k].run(s), SLIP_ERR_LOST);
            CHECK_CONTAINS(fail_last()->message, " is lost: an earlier call gave ");
        }
}

/* One try; true where it succeeded. */
static bool take(stream_session *s, int k, stream_outcome *o)
{
    stream_session before = *s;

    fail_clear();
    slip_status status = steps[k].run(s);
    CHECK_EQ_I64(fail_last()->code, status);
    if (status == SLIP_OK)
        return true;
    CHECK(memcmp(&before, s, sizeof before) == 0); /* nothing published */
    *o = (stream_outcome){ .failures = o->failures + 1,
                           .step = steps[k].name,
                           .status = status,
                           .record = *fail_last(),
                           .lost = status == SLIP_ERR_LOST };
    return false;
}

stream_outcome stream_steps_run(stream_session *s)
{
    stream_outcome o = { 0 };

    memset(host, 0, sizeof host);
    memset(s->own, 0, PAGE);
    for (int k = 0; k < STEPS && !o.lost; k++)
        while (!o.lost && !take(s, k, &o)) {
            if (o.failures > 1)
                CHECK_FAIL("%s failed again: %s", o.step, o.record.message);
            if (!s->self) /* a failure of the library itself is kept, until it is forgotten */
                stream_table_forget();
        }
    if (o.lost && s->self)
        check_lost(s);
    for (int k = 0; k < N && !o.lost; k++) {
        CHECK_EQ_I64(host[k], 8); /* by a task in device memory, then by one in pinned memory */
        CHECK_EQ_I64(((const int32_t *)s->own)[k], 4);
    }
    return o;
}
