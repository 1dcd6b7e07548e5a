/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_foreign_test.c - what other code of the process has of CUDA and HIP: what is current, its
 * captures, streams and memory, over the stub.
 */
#include "driver/stream_case.h"
#include "support/check.h"

/* ---- what is current ------------------------------------------------------------------------- */

static void what_was_current_is_current_again(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = NULL;
    stream_guard guard;

    CHECK_STATUS(table->open(1, &self), SLIP_OK);
    for (int before = -1; before < 2; before++) {
        stream_stub_make_current(stub, before);
        int was = stream_stub_current(stub);
        uint64_t changes = stub->pushes + stub->selects;
        CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
        CHECK_EQ_I64(stream_stub_current(stub), 1);
        CHECK_EQ_U64(stub->pushes + stub->selects - changes, was != 1);
        CHECK(guard.changed == (was != 1));
        table->leave(self, &guard);
        CHECK_EQ_I64(stream_stub_current(stub), was);
    }
    table->close(self);
    stream_stub_end(stub);
}
STREAM_CASES(what_was_current_is_current_again)

static void opening_and_closing_change_nothing_current(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    drv_info info;

    stream_stub_make_current(stub, 1);
    CHECK_STATUS(table->info(0, &info), SLIP_OK);
    void *self = stream_case_open(family);
    CHECK_EQ_U64(stub->pushes + stub->selects, 0);
    table->close(self);
    CHECK_EQ_U64(stub->pushes + stub->selects, 0);
    CHECK_EQ_I64(stream_stub_current(stub), 1);
    stream_stub_end(stub);
}
STREAM_CASES(opening_and_closing_change_nothing_current)

/* ---- captures of other code -------------------------------------------------------------------
 */

/* Each slot that may synchronise or allocate, one after another. */
static void use_all(const stream_driver *table, stream_family family, void *self)
{
    uint64_t code_bytes = 0;
    const char *text = stream_case_code(family, &code_bytes);
    stream_memory x, pinned, kept;
    stream_kernel kernel;
    void *code, *stream, *event;
    static char host[256];
    bool passed;

    CHECK_STATUS(table->alloc(self, 256, STREAM_MEMORY_DEVICE, &x), SLIP_OK);
    CHECK_STATUS(table->alloc(self, 256, STREAM_MEMORY_PINNED, &pinned), SLIP_OK);
    CHECK_STATUS(table->host_register(self, host, sizeof host, &kept), SLIP_OK);
    CHECK_STATUS(table->code_load(self, (const uint8_t *)text, code_bytes, &code), SLIP_OK);
    CHECK_STATUS(table->kernel_get(self, code, 0, &kernel), SLIP_OK);
    CHECK_STATUS(table->stream_open(self, false, &stream), SLIP_OK);
    CHECK_STATUS(table->event_new(self, &event), SLIP_OK);
    CHECK_STATUS(table->upload_blocking(self, x.address, host, 256), SLIP_OK);
    CHECK_STATUS(table->download_blocking(self, host, x.address, 256), SLIP_OK);
    CHECK_STATUS(table->record(self, stream, event), SLIP_OK);
    CHECK_STATUS(table->event_passed(self, event, &passed), SLIP_OK);
    CHECK_STATUS(table->event_wait(self, event), SLIP_OK);
    CHECK_STATUS(table->stream_passed(self, stream, &passed), SLIP_OK);
    CHECK_STATUS(table->stream_wait(self, stream), SLIP_OK);
    table->event_drop(self, event);
    table->stream_close(self, stream);
    table->code_drop(self, code);
    table->host_unregister(self, &kept);
    table->free(self, &pinned);
    table->free(self, &x);
}

static void a_capture_elsewhere_hinders_nothing(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    stream_guard guard;

    stub->capturing = true;
    void *self = stream_case_open(family);
    CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
    use_all(table, family, self);
    table->leave(self, &guard);
    table->close(self);
    stream_stub_end(stub); /* nothing is left: what gives back was not refused either */
}
STREAM_CASES(a_capture_elsewhere_hinders_nothing)

static void a_blocking_stream_that_captures_takes_the_default_stream(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = stream_case_open(family), *legacy = NULL, *wrapped = NULL;
    stream_guard guard;
    stream_memory x;
    char host[64] = "";

    CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
    CHECK_STATUS(table->stream_open(self, true, &legacy), SLIP_OK);
    CHECK_STATUS(table->stream_wrap(self, NULL, &wrapped), SLIP_OK);
    CHECK_STATUS(table->alloc(self, 64, STREAM_MEMORY_DEVICE, &x), SLIP_OK);
    stub->legacy_taken = true;
    CHECK_STATUS(table->zero(self, legacy, x.address, 64), SLIP_ERR_UNSUPPORTED);
    CHECK_TEXT(fail_last()->message,
               family == STREAM_CUDA
                   ? "another stream of this process is being captured: cuMemsetD8Async gave "
                     "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT (906), as the stub has it"
                   : "another stream of this process is being captured: hipMemsetD8Async gave "
                     "hipErrorStreamCaptureImplicit (906), as the stub has it");
    CHECK_EQ_I64(fail_last()->vendor_code, 906);
    CHECK_STATUS(table->upload_blocking(self, x.address, host, 64), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(table->download_blocking(self, host, x.address, 64), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(table->stream_wait(self, legacy), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(table->zero(self, wrapped, x.address, 64), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "this stream or another of this process is being");
    stub->legacy_taken = false;
    CHECK_STATUS(table->zero(self, legacy, x.address, 64), SLIP_OK);
    table->free(self, &x);
    table->stream_close(self, wrapped);
    table->stream_close(self, legacy);
    table->leave(self, &guard);
    table->close(self);
    stream_stub_end(stub);
}
STREAM_CASES(a_blocking_stream_that_captures_takes_the_default_stream)

/* ---- streams of other code ------------------------------------------------------------------- */

/* The stub reads of a stream its device, and past the last device a context of other code's. */
static void a_stream_of_elsewhere_is_refused(stream_family family)
{
    static const int elsewhere = 1, other_context = STREAM_STUB_DEVICES;
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = stream_case_open(family), *wrapped = NULL;
    stream_guard guard;

    CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
    CHECK_STATUS(table->stream_wrap(self, (void *)&elsewhere, &wrapped), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "the stream belongs to device 1, not to");
    CHECK_STATUS(table->stream_wrap(self, (void *)(uintptr_t)2, &wrapped), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "is another stream on each thread");
    if (family == STREAM_CUDA) {
        CHECK_STATUS(table->stream_wrap(self, (void *)&other_context, &wrapped), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(fail_last()->message, "not to the primary one of cuda:0");
    }
    CHECK(wrapped == NULL);
    CHECK_STATUS(table->stream_wrap(self, (void *)(uintptr_t)1, &wrapped), SLIP_OK);
    CHECK(table->stream_native(wrapped) == NULL);
    table->stream_close(self, wrapped);
    static const int here = 0;
    CHECK_STATUS(table->stream_wrap(self, (void *)&here, &wrapped), SLIP_OK);
    CHECK(table->stream_native(wrapped) == &here);
    for (int status = 0; status < 3; status++) { /* not, being, or in vain */
        bool captured = status == 0;
        stub->capture_status = status;
        CHECK_STATUS(table->stream_captured(self, wrapped, &captured), SLIP_OK);
        CHECK(captured == (status != 0));
    }
    table->stream_close(self, wrapped);
    table->leave(self, &guard);
    table->close(self);
    stream_stub_end(stub);
}
STREAM_CASES(a_stream_of_elsewhere_is_refused)

/* ---- memory of other code -------------------------------------------------------------------- */

/* Types as the vendors number them: CUDA's host is 1, device 2, unified 4; HIP's of ROCm 5 are host
 * 0, device 1, array 2, and since ROCm 6 host 1, device 2, managed 3. */
static const struct {
    stream_family family;
    int version;
    unsigned type;
    bool managed, on_device;
} pointers[] = {
    { STREAM_CUDA, 13000, 2, false, true },    { STREAM_CUDA, 13000, 2, true, false },
    { STREAM_CUDA, 13000, 1, false, false },   { STREAM_CUDA, 13000, 4, false, false },
    { STREAM_CUDA, 13000, 0, false, false },   { STREAM_HIP, 50221153, 1, false, true },
    { STREAM_HIP, 50221153, 1, true, false },  { STREAM_HIP, 50221153, 2, false, false },
    { STREAM_HIP, 60342131, 2, false, true },  { STREAM_HIP, 60342131, 1, false, false },
    { STREAM_HIP, 60342131, 3, true, false },  { STREAM_HIP, 70051831, 2, false, true },
    { STREAM_HIP, 50221153, 0, false, false }, { STREAM_HIP, 70051831, 0, false, false },
};

static void memory_is_a_devices_where_the_driver_says_so(stream_family family)
{
    static char somewhere;

    for (size_t i = 0; i < 2 * (sizeof pointers / sizeof *pointers); i++) {
        size_t k = i / 2;
        if (pointers[k].family != family)
            continue;
        stream_stub *stub = stream_stub_begin(family, "whole");
        stub->version = pointers[k].version;
        stub->memory_type = pointers[k].type;
        stub->managed = pointers[k].managed;
        stub->refuses_unknown = i % 2;
        const stream_driver *table = stream_case_table(family);
        void *self = stream_case_open(family);
        bool on_device = !pointers[k].on_device;
        stream_guard guard;
        CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
        CHECK_STATUS(table->on_device(self, &somewhere, &on_device), SLIP_OK);
        if (on_device != pointers[k].on_device)
            CHECK_FAIL("row %zu: %d", k, on_device);
        table->leave(self, &guard);
        table->close(self);
        stream_stub_end(stub);
    }
}
STREAM_CASES(memory_is_a_devices_where_the_driver_says_so)

static const check_case cases[] = {
    STREAM_CASE(what_was_current_is_current_again),
    STREAM_CASE(opening_and_closing_change_nothing_current),
    STREAM_CASE(a_capture_elsewhere_hinders_nothing),
    STREAM_CASE(a_blocking_stream_that_captures_takes_the_default_stream),
    STREAM_CASE(a_stream_of_elsewhere_is_refused),
    STREAM_CASE(memory_is_a_devices_where_the_driver_says_so),
};

CHECK_MAIN(cases)
