/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_test.c - the slots of a stream driver do what the table says: over the stub as CUDA and as
 * HIP, and on a CUDA device where there is one.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/stream_case.h"
#include "driver/stream_device.h"
#include "support/check.h"

enum { N = 3000, LOCAL = 256 };

/* An open device, entered, with a kernel and a stream of its own. */
typedef struct session {
    const stream_driver *table;
    stream_family family;
    void *self, *stream, *code;
    stream_guard guard;
    stream_kernel kernel;
} session;

static void begin_on(session *s, void *self, stream_family family)
{
    uint64_t bytes = 0;
    const char *code = stream_case_code(family, &bytes);

    *s = (session){ .table = stream_case_table(family), .family = family, .self = self };
    CHECK_STATUS(s->table->enter(self, &s->guard), SLIP_OK);
    CHECK_STATUS(s->table->stream_open(self, false, &s->stream), SLIP_OK);
    CHECK_STATUS(s->table->code_load(self, (const uint8_t *)code, bytes, &s->code), SLIP_OK);
    CHECK_STATUS(s->table->kernel_get(self, s->code, 0, &s->kernel), SLIP_OK);
}

static session begin(stream_family family)
{
    void *self = NULL;
    session s;

    CHECK_STATUS(stream_case_table(family)->open(0, &self), SLIP_OK);
    begin_on(&s, self, family);
    return s;
}

static void end(session *s)
{
    s->table->code_drop(s->self, s->code);
    s->table->stream_close(s->self, s->stream);
    s->table->leave(s->self, &s->guard);
    s->table->close(s->self);
}

static stream_memory new_memory(session *s, uint64_t bytes, stream_memory_kind kind)
{
    stream_memory out = { 0 };

    CHECK_STATUS(s->table->alloc(s->self, bytes, kind, &out), SLIP_OK);
    CHECK_EQ_U64(out.bytes, bytes);
    CHECK_EQ_U64(out.address % 256, 0);
    CHECK((out.host != NULL) == (kind == STREAM_MEMORY_PINNED));
    if (s->family == STREAM_HIP) /* the stub has two addresses for one place */
        CHECK(out.address != (uintptr_t)out.host);
    return out;
}

static void launch(session *s, void *stream, uint64_t x, int64_t end, int32_t k)
{
    const uint32_t groups[3] = { 2, 3, 2 }; /* 3072 threads, and N iterations */
    const stream_case_params params = { .end = end, .count = end, .x = x, .k = k };

    CHECK_STATUS(
        s->table->launch(s->self, stream, &s->kernel, &params, sizeof params, groups, LOCAL),
        SLIP_OK);
}

/* ---- work ------------------------------------------------------------------------------------ */

static void check_queued(session *s, void *stream)
{
    stream_memory up = new_memory(s, N * 4, STREAM_MEMORY_PINNED),
                  x = new_memory(s, N * 4, STREAM_MEMORY_DEVICE),
                  down = new_memory(s, N * 4, STREAM_MEMORY_PINNED);
    bool passed = false;

    for (int32_t k = 0; k < N; k++)
        memcpy(up.host + 4 * k, &k, 4);
    memset(down.host, 0xff, N * 4);
    CHECK_STATUS(s->table->zero(s->self, stream, x.address, N * 4), SLIP_OK);
    CHECK_STATUS(s->table->upload(s->self, stream, x.address, up.host, (N - 10) * 4), SLIP_OK);
    launch(s, stream, x.address, N - 1, 1000);
    launch(s, stream, x.address, N, 7);
    CHECK_STATUS(s->table->download(s->self, stream, down.host, x.address, N * 4), SLIP_OK);
    CHECK_STATUS(s->table->stream_wait(s->self, stream), SLIP_OK);
    CHECK_STATUS(s->table->stream_passed(s->self, stream, &passed), SLIP_OK);
    CHECK(passed);
    for (int32_t k = 0; k < N; k++) {
        int32_t got, expected = (k < N - 10 ? k : 0) + (k < N - 1 ? 1007 : 7);
        memcpy(&got, down.host + 4 * k, 4);
        CHECK_EQ_I64(got, expected);
    }
    s->table->free(s->self, &up);
    s->table->free(s->self, &x);
    s->table->free(s->self, &down);
    CHECK(down.address == 0 && down.host == NULL);
}

static void check_blocking(session *s, void *default_stream)
{
    static int32_t values[N];
    stream_memory x = new_memory(s, sizeof values, STREAM_MEMORY_DEVICE);

    for (int32_t k = 0; k < N; k++)
        values[k] = -k;
    CHECK_STATUS(s->table->upload_blocking(s->self, x.address, values, sizeof values), SLIP_OK);
    memset(values, 0, sizeof values);
    launch(s, default_stream, x.address, N, 5);
    CHECK_STATUS(s->table->download_blocking(s->self, values, x.address, sizeof values), SLIP_OK);
    for (int32_t k = 0; k < N; k++)
        CHECK_EQ_I64(values[k], 5 - k);
    s->table->free(s->self, &x);
}

/* One stream goes on where another has come to, and the host after both. */
static void check_events(session *s, void *default_stream)
{
    stream_memory x = new_memory(s, N * 4, STREAM_MEMORY_PINNED);
    void *event = NULL, *later = NULL;
    bool passed = false;

    CHECK_STATUS(s->table->event_new(s->self, &event), SLIP_OK);
    CHECK_STATUS(s->table->event_new(s->self, &later), SLIP_OK);
    CHECK_STATUS(s->table->event_passed(s->self, event, &passed), SLIP_OK);
    CHECK(passed); /* never recorded: nothing is pending */
    CHECK_STATUS(s->table->zero(s->self, s->stream, x.address, N * 4), SLIP_OK);
    launch(s, s->stream, x.address, N, 3);
    CHECK_STATUS(s->table->record(s->self, s->stream, event), SLIP_OK);
    CHECK_STATUS(s->table->stream_after(s->self, default_stream, event), SLIP_OK);
    launch(s, default_stream, x.address, N, 4);
    CHECK_STATUS(s->table->record(s->self, default_stream, later), SLIP_OK);
    CHECK_STATUS(s->table->event_wait(s->self, later), SLIP_OK);
    CHECK_STATUS(s->table->event_passed(s->self, event, &passed), SLIP_OK);
    CHECK(passed);
    for (int32_t k = 0; k < N; k++) {
        int32_t got;
        memcpy(&got, x.host + 4 * k, 4);
        CHECK_EQ_I64(got, 7);
    }
    s->table->event_drop(s->self, event);
    s->table->event_drop(s->self, later);
    s->table->free(s->self, &x);
}

static void check_registered(session *s)
{
    char *host = aligned_alloc(4096, 16384);
    stream_memory x = { 0 };
    int32_t got = 0;

    memset(host, 0, 16384);
    slip_status status = s->table->host_register(s->self, host, 16384, &x);
    if (status == SLIP_OK) { /* a machine may forbid it: the caller then goes without */
        CHECK(x.host == (uint8_t *)host && x.bytes == 16384);
        launch(s, s->stream, x.address, N, 21);
        CHECK_STATUS(s->table->stream_wait(s->self, s->stream), SLIP_OK);
        memcpy(&got, host + 4 * (N - 1), 4);
        CHECK_EQ_I64(got, 21);
    }
    s->table->host_unregister(s->self, &x);
    CHECK(x.host == NULL);
    free(host);
}

static void check_all(session *s)
{
    void *default_stream = NULL, *wrapped = NULL;

    CHECK_STATUS(s->table->stream_open(s->self, true, &default_stream), SLIP_OK);
    check_queued(s, s->stream);
    check_queued(s, default_stream);
    check_blocking(s, default_stream);
    check_events(s, default_stream);
    check_registered(s);
    CHECK_STATUS(s->table->stream_wrap(s->self, NULL, &wrapped), SLIP_OK);
    check_queued(s, wrapped);
    s->table->stream_close(s->self, wrapped);
    s->table->stream_close(s->self, default_stream);
}

static void streams_carry_copies_tasks_and_events(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = begin(family);

    check_all(&s);
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(streams_carry_copies_tasks_and_events)

static void a_cuda_device_does_what_the_table_says(void)
{
    session s;

    begin_on(&s, stream_case_hardware(), STREAM_CUDA);
    check_all(&s);
    end(&s);
    stream_table_forget();
    CHECK_EQ_U64(mem_live(), 0);
}

/* ---- what the library is asked for ------------------------------------------------------------
 */

static void flags_are_what_the_documentation_asks(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = begin(family);
    stream_memory x = new_memory(&s, 64, STREAM_MEMORY_PINNED);
    void *event = NULL;
    static char host[64];

    CHECK_EQ_U64(stub->host_flags, family == STREAM_CUDA ? 3 : 0x40000003);
    CHECK_EQ_U64(stub->stream_flags, 1); /* non-blocking */
    s.table->free(s.self, &x);
    CHECK_STATUS(s.table->event_new(s.self, &event), SLIP_OK);
    CHECK_EQ_U64(stub->event_flags, 2); /* keeps no time */
    s.table->event_drop(s.self, event);
    CHECK_STATUS(s.table->host_register(s.self, host, sizeof host, &x), SLIP_OK);
    CHECK_EQ_U64(stub->register_flags, 3);
    CHECK_EQ_U64(stub->registered_bytes, 64);
    CHECK(family == STREAM_CUDA || x.address != (uintptr_t)host);
    s.table->host_unregister(s.self, &x);
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(flags_are_what_the_documentation_asks)

static void a_launch_is_one_call_with_all_that_it_was_given(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = begin(family);
    stream_memory x = new_memory(&s, N * 4, STREAM_MEMORY_DEVICE);
    void *default_stream = NULL;

    CHECK_STATUS(s.table->stream_open(s.self, true, &default_stream), SLIP_OK);
    uint64_t before = stub->calls;
    launch(&s, s.stream, x.address, N, 1);
    CHECK_EQ_U64(stub->calls - before, 1);
    CHECK_EQ_U64(stub->groups[0], 2);
    CHECK_EQ_U64(stub->groups[1], 3);
    CHECK_EQ_U64(stub->groups[2], 2);
    CHECK_EQ_U64(stub->local, LOCAL);
    CHECK_EQ_U64(stub->shared_bytes, 0);
    CHECK(stub->stream != NULL);
    launch(&s, default_stream, x.address, N, 1);
    CHECK(stub->stream == NULL); /* the legacy default stream */
    s.table->stream_close(s.self, default_stream);
    s.table->free(s.self, &x);
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(a_launch_is_one_call_with_all_that_it_was_given)

static void a_kernel_is_loaded_before_its_first_launch(stream_family family)
{
    for (int old = 0; old < 2; old++) {
        stream_stub *stub = stream_stub_begin(family, old ? "old" : "whole");
        session s = begin(family);

        CHECK_EQ_U64(stub->loads, family == STREAM_CUDA && !old);
        CHECK_EQ_U64(stub->attributes_of_functions, family == STREAM_HIP || old);
        end(&s);
        stream_stub_end(stub);
    }
}
STREAM_CASES(a_kernel_is_loaded_before_its_first_launch)

/* ---- waiting --------------------------------------------------------------------------------- */

/* Seeing that a stream is done is a wait on CUDA; HIP does not promise it. */
static void a_wait_asks_for_a_while_and_then_sleeps(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = begin(family);
    bool passed = true;

    stub->busy = 3;
    CHECK_STATUS(s.table->stream_passed(s.self, s.stream, &passed), SLIP_OK);
    CHECK(!passed);
    CHECK_STATUS(s.table->stream_wait(s.self, s.stream), SLIP_OK);
    CHECK_EQ_U64(stub->queries, 4);
    CHECK_EQ_U64(stub->waits, family == STREAM_HIP);
    stub->busy = 1 << 30;
    CHECK_STATUS(s.table->stream_wait(s.self, s.stream), SLIP_OK);
    CHECK(stub->queries > 4);
    CHECK_EQ_U64(stub->waits, family == STREAM_HIP ? 2 : 1);
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(a_wait_asks_for_a_while_and_then_sleeps)

static void an_event_is_waited_for_alike(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = begin(family);
    void *event = NULL;
    bool passed = true;

    CHECK_STATUS(s.table->event_new(s.self, &event), SLIP_OK);
    CHECK_STATUS(s.table->record(s.self, s.stream, event), SLIP_OK);
    stub->busy = 1 << 30;
    CHECK_STATUS(s.table->event_passed(s.self, event, &passed), SLIP_OK);
    CHECK(!passed);
    CHECK_STATUS(s.table->event_wait(s.self, event), SLIP_OK);
    CHECK_EQ_U64(stub->waits, 1);
    CHECK_STATUS(s.table->event_passed(s.self, event, &passed), SLIP_OK);
    CHECK(passed);
    s.table->event_drop(s.self, event);
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(an_event_is_waited_for_alike)

/* ---- streams of others ------------------------------------------------------------------------
 */

static void a_wrapped_stream_is_left_to_its_owner(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    session s = begin(family);
    int here = 0, elsewhere = 1; /* the stub reads the device of a foreign stream there */
    void *wrapped = NULL;

    CHECK_STATUS(s.table->stream_wrap(s.self, &here, &wrapped), SLIP_OK);
    CHECK_STATUS(s.table->zero(s.self, wrapped, (uintptr_t)&elsewhere, 0), SLIP_OK);
    CHECK(stub->stream == &here);
    s.table->stream_close(s.self, wrapped);
    wrapped = NULL;
    CHECK_STATUS(s.table->stream_wrap(s.self, &elsewhere, &wrapped), SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, family == STREAM_CUDA
                                         ? "the stream belongs to device 1, not to cuda:0"
                                         : "the stream belongs to device 1, not to hip:0");
    CHECK(wrapped == NULL);
    end(&s);
    stream_stub_end(stub);
}
STREAM_CASES(a_wrapped_stream_is_left_to_its_owner)

static const check_case cases[] = {
    STREAM_CASE(streams_carry_copies_tasks_and_events),
    CASE(a_cuda_device_does_what_the_table_says),
    STREAM_CASE(flags_are_what_the_documentation_asks),
    STREAM_CASE(a_launch_is_one_call_with_all_that_it_was_given),
    STREAM_CASE(a_kernel_is_loaded_before_its_first_launch),
    STREAM_CASE(a_wait_asks_for_a_while_and_then_sleeps),
    STREAM_CASE(an_event_is_waited_for_alike),
    STREAM_CASE(a_wrapped_stream_is_left_to_its_owner),
};

CHECK_MAIN(cases)
