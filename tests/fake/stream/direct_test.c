/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_test.c - the look-alikes themselves, called as a driver calls them: work runs when the
 * schedule says, with the task's own code, and what was left unordered is found.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake/stream/blob.h"
#include "fake/stream/look.h"
#include "support/check.h"

enum { COUNT = 1000, BYTES = COUNT * 4 };

static api_address device(size_t bytes)
{
    api_address made = 0;

    LOOK(look.api.memory_new(&made, bytes));
    return made;
}

static int32_t *pinned(size_t bytes)
{
    void *made = NULL;

    LOOK(look.api.host_new(&made, bytes, control.hip ? 0x40000003 : 3));
    return made;
}

static api_stream stream(unsigned flags)
{
    api_stream made = NULL;

    LOOK(look.api.stream_new(&made, flags));
    return made;
}

/* An event of what the one stream holds, and the other after it. */
static void edge(api_stream from, api_stream to)
{
    api_event event = NULL;

    LOOK(look.api.event_new(&event, 2));
    LOOK(look.api.event_record(event, from));
    LOOK(look.api.stream_after(to, event, 0));
    LOOK(look.api.event_wait(event));
    LOOK(look.api.event_drop(event));
}

static api_function function(const char *name)
{
    api_function found = NULL;

    LOOK(look.api.code_function(&found, look.code, name));
    return found;
}

static void fill(int32_t *to, int32_t first)
{
    for (int32_t k = 0; k < COUNT; k++)
        to[k] = first + k;
}

/* ---- kernels ---- */

/* module.h: first, end, cells, then the block: axes, then arguments. */
typedef struct add_params {
    int64_t first, end;
    uint64_t cells;
    int64_t lo, count;
    api_address y, x;
} add_params;

static void launch_add(api_stream on, api_address x, api_address y, int64_t count)
{
    add_params p = { 0, count, 0, 0, count, y, x };
    void *params[] = { &p };

    LOOK(look.api.launch(function("s0"), (unsigned)((count + 255) / 256), 1, 1, 256, 1, 1, 0, on,
                         params, NULL));
}

static void a_task_runs_with_its_parameters(void)
{
    static const char *const schedules[] = { "eager", "lazy", "random" };
    int32_t got[COUNT];

    for (int k = 0; k < 3; k++) {
        look_begin(schedules[k], 1);
        api_address x = device(BYTES), y = device(BYTES);
        int32_t *host = pinned(BYTES);
        api_stream s = stream(1);
        fill(host, 5);
        LOOK(look.api.upload_queued(x, host, BYTES, s));
        LOOK(look.api.fill_queued(y, 0, BYTES, s));
        launch_add(s, x, y, COUNT);
        launch_add(s, x, y, COUNT);
        LOOK(look.api.stream_wait(s));
        LOOK(look.api.download(got, y, BYTES));
        for (int32_t i = 0; i < COUNT; i++)
            CHECK_EQ_I64(got[i], 2 * (5 + i));
        look_reported(0, "");
        LOOK(look.api.stream_drop(s));
        LOOK(look.api.host_free(host));
        LOOK(look.api.memory_free(x));
        LOOK(look.api.memory_free(y));
    }
}

typedef struct table_params {
    int64_t first, end;
    uint64_t cells;
    uint32_t magic, shift;
    int64_t axes[4];
    int64_t m;
    api_address t;
} table_params;

static void two_axes_are_divided_by_the_reciprocal(void)
{
    int32_t got[7 * 9];

    look_begin("eager", 0);
    api_address t = device(sizeof got);
    /* ceil(2^35 / 9): exact below 2^31, as 9 * magic - 2^35 = 1 < 2^4. */
    table_params p = { 0, 63, 0, 3817748708u, 3, { 0, 7, 0, 9 }, 9, t };
    void *params[] = { &p };
    LOOK(look.api.launch(function("s1"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    LOOK(look.api.download(got, t, sizeof got));
    for (int32_t k = 0; k < 63; k++)
        CHECK_EQ_I64(got[k], k / 9 * 100 + k % 9);
    look_reported(0, "");
    p.magic++;
    p.shift = 2;
    LOOK(look.api.launch(function("s1"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    look_reported(1, "do not divide by that");
    LOOK(look.api.stream_wait(NULL));
    LOOK(look.api.memory_free(t));
}

typedef struct sum_params {
    int64_t first, end;
    uint64_t cells;
    int64_t lo, count;
    api_address x, cells_again, partials;
} sum_params;

static void a_reduction_is_its_blocks_and_a_finish(void)
{
    enum { N = 5000 };
    int32_t host[N];
    int64_t cells[2] = { 0, 7 };

    look_begin("random", 3);
    for (int32_t k = 0; k < N; k++)
        host[k] = k;
    api_address x = device(sizeof host), c = device(sizeof cells), parts = device(5 * 8);
    LOOK(look.api.upload(x, host, sizeof host));
    LOOK(look.api.upload(c, cells, sizeof cells));
    sum_params p = { 0, N, c, 0, N, x, c, parts };
    void *params[] = { &p };
    LOOK(look.api.launch(function("s2"), 5, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    LOOK(look.api.launch(function("s3"), 1, 1, 1, 1024, 1, 1, 0, NULL, params, NULL));
    LOOK(look.api.download(cells, c, sizeof cells));
    CHECK_EQ_I64(cells[1], 7 + (int64_t)N * (N - 1) / 2);
    look_reported(0, "");
    LOOK(look.api.launch(function("s3"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    look_reported(1, "64 threads a group, and has 1024");
    LOOK(look.api.stream_wait(NULL));
    LOOK(look.api.memory_free(x));
    LOOK(look.api.memory_free(c));
    LOOK(look.api.memory_free(parts));
}

/* ---- when things happen ---- */

static void lazy_work_reads_late_and_writes_late(void)
{
    look_begin("lazy", 0);
    api_address x = device(BYTES);
    int32_t *up = pinned(BYTES), *down = pinned(BYTES);
    api_stream s = stream(1);
    fill(up, 1);
    fill(down, 9000);
    LOOK(look.api.upload_queued(x, up, BYTES, s));
    LOOK(look.api.download_queued(down, x, BYTES, s));
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
    api_address x = device(BYTES);
    api_stream s = stream(1);
    int asked = 0;
    LOOK(look.api.fill_queued(x, 1, BYTES, s));
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
    api_address x = device(BYTES);
    int32_t *slots = pinned(BYTES);
    api_stream s = stream(1);
    fill(slots, 0);
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
    int32_t host[COUNT], got[COUNT];

    look_begin("lazy", 0);
    api_address x = device(BYTES);
    fill(host, 3);
    LOOK(look.api.upload(x, host, BYTES));
    fill(host, 100);
    LOOK(look.api.download(got, x, BYTES));
    CHECK_EQ_I64(got[COUNT - 1], 3 + COUNT - 1);
    look_reported(0, "");
    LOOK(look.api.memory_free(x));
}

/* ---- what is left unordered ---- */

static void unordered_work_on_two_streams_is_found(void)
{
    look_begin("eager", 0);
    api_address x = device(BYTES), y = device(BYTES);
    api_stream a = stream(1), b = stream(1);
    LOOK(look.api.fill_queued(x, 0, BYTES, a));
    edge(a, b);
    launch_add(b, x, y, COUNT);
    look_reported(0, "");
    LOOK(look.api.fill_queued(x, 1, BYTES, a)); /* what b reads */
    look_reported(1, "nothing orders them");
    LOOK(look.api.stream_wait(b));
    LOOK(look.api.fill_queued(y, 1, BYTES, a));
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
    api_address x = device(BYTES), y = device(BYTES), z = device(BYTES);
    api_stream a = stream(1), b = stream(1);
    LOOK(look.api.event_new(&event, 2));
    LOOK(look.api.fill_queued(x, 1, BYTES, a));
    LOOK(look.api.event_record(event, a));
    LOOK(look.api.stream_after(b, event, 0));
    LOOK(look.api.fill_queued(y, 0, BYTES, b));
    LOOK(look.api.fill_queued(z, 0, BYTES, a));
    launch_add(b, x, y, COUNT);
    launch_add(a, x, z, COUNT);
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
    api_address x = device(BYTES);
    api_stream with = stream(0), without = stream(1);
    LOOK(look.api.fill_queued(x, 1, BYTES, with));
    LOOK(look.api.fill_queued(x, 2, BYTES, NULL));
    LOOK(look.api.fill_queued(x, 3, BYTES, with));
    look_reported(0, "");
    LOOK(look.api.fill_queued(x, 4, BYTES, without));
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
    api_address x = device(BYTES);
    api_stream s = stream(1);
    LOOK(look.api.fill_queued(x, 1, BYTES, s));
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

/* ---- memory ---- */

static void fresh_memory_is_poison_and_scratch_is_poisoned_again(void)
{
    uint8_t got[512];

    look_begin("lazy", 0);
    api_address x = device(sizeof got);
    api_stream s = stream(1);
    LOOK(look.api.download(got, x, sizeof got));
    CHECK(got[0] == 0xdb && got[511] == 0xdb);
    LOOK(look.api.fill_queued(x, 0, sizeof got, s));
    control.own(s, x + 256, 256);
    LOOK(look.api.stream_wait(s));
    LOOK(look.api.download(got, x, sizeof got));
    CHECK(got[255] == 0 && got[256] == 0xdb);
    look_reported(0, "");
    LOOK(look.api.stream_drop(s));
    LOOK(look.api.memory_free(x));
}

/* Runs the code in a child, which must end by a fault. */
static void must_fault(void (*run)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        run();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}

static api_address victim;

static void touch(void)
{
    signal(SIGSEGV, SIG_DFL); /* the test program catches it */
    *(volatile int *)(uintptr_t)victim = 1;
}

static void the_host_cannot_touch_device_memory(void)
{
    look_begin("eager", 0);
    victim = device(BYTES);
    must_fault(touch);
    LOOK(look.api.memory_free(victim));
    must_fault(touch);
}

/* The blob of the module, with what it says of `add` changed. */
static uint8_t *changed_blob(uint32_t arg, uint32_t flags)
{
    size_t bytes = 0, at = 0;
    char *file = check_read(look.module, &bytes);
    blob b;

    while (memcmp(file + at, BLOB_MAGIC, 8) != 0)
        at++;
    memcpy(&b, file + at, sizeof b);
    uint8_t *made = malloc(b.bytes);
    CHECK(made != NULL);
    memcpy(made, file + at, b.bytes);
    ((blob_arg *)(made + b.args))[arg].flags = flags;
    free(file);
    return made;
}

static api_function changed_add;
static api_address changed_x, changed_y;

static void launch_changed(void)
{
    add_params p = { 0, COUNT, 0, 0, COUNT, changed_y, changed_x };
    void *params[] = { &p };

    signal(SIGSEGV, SIG_DFL);
    control.forked(); /* as if the child had begun by itself */
    look.api.launch(changed_add, 4, 1, 1, 256, 1, 1, 0, NULL, params, NULL);
}

/* Of `add` argument 0 is y, which it reads and writes, and 1 is x, which it reads. */
static void a_task_can_touch_what_its_facts_say_and_no_more(void)
{
    static const struct {
        uint32_t arg, flags;
    } lies[] = { { 0, BLOB_READS }, { 0, 0 }, { 1, 0 } };

    look_begin("eager", 0);
    changed_x = device(BYTES);
    changed_y = device(BYTES);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        uint8_t *bytes = changed_blob(lies[k].arg, lies[k].flags);
        api_code code = NULL;
        LOOK(look.api.code_load(&code, bytes, 0, NULL, NULL));
        LOOK(look.api.code_function(&changed_add, code, "s0"));
        must_fault(launch_changed);
        LOOK(look.api.code_unload(code));
        free(bytes);
    }
    LOOK(look.api.memory_free(changed_x));
    LOOK(look.api.memory_free(changed_y));
}

static void a_threads_own_default_stream_orders_with_the_legacy_one(void)
{
    api_stream own = (api_stream)(uintptr_t)2;

    look_begin("lazy", 0);
    api_address x = device(BYTES);
    LOOK(look.api.fill_queued(x, 1, BYTES, NULL));
    LOOK(look.api.fill_queued(x, 2, BYTES, own));
    LOOK(look.api.fill_queued(x, 3, BYTES, (api_stream)(uintptr_t)1));
    look_reported(0, "");
    LOOK(look.api.stream_wait(NULL));
    LOOK(look.api.memory_free(x));
    look_reported(0, "");
}

/* ---- failures ---- */

static void a_call_fails_when_it_is_told_to(void)
{
    api_address x = 0, other = 0;

    look_begin("eager", 0);
    CHECK(control.fail(control.hip ? "hipMalloc" : "cuMemAlloc_v2", 2, 2));
    CHECK(!control.fail("cuNothing", 1, 2));
    CHECK(control.fail(control.hip ? "hipMalloc" : "cuMemAlloc_v2", 2, 2));
    x = device(64);
    LOOK(look.api.memory_free(x));
    x = 0;
    CHECK_EQ_I64(look.api.memory_new(&x, 64), 2);
    CHECK_EQ_U64(x, 0xdbdbdbdbdbdbdbdb); /* whatever it was */
    x = device(64);
    CHECK(control.fail(NULL, 1, 700));
    CHECK_EQ_I64(look.api.stream_wait(NULL), 700);
    CHECK_EQ_I64(look.api.memory_new(&other, 64), 700); /* sticky */
    control.reset("eager", 0);
    LOOK(look.api.memory_free(x));
}

static void calls_need_what_is_current(void)
{
    api_context before = NULL, foreign;
    api_address x = 0;

    if (!control.hip) {
        look_begin("eager", 0);
        api_stream s = stream(1);
        foreign = control.context();
        LOOK(look.api.context_push(foreign));
        CHECK_EQ_I64(look.api.stream_wait(s), 400); /* of another context */
        LOOK(look.api.stream_wait(NULL));           /* the foreign one's */
        LOOK(look.api.context_pop(&before));
        CHECK(before == foreign);
        LOOK(look.api.context_pop(&before));
        CHECK_EQ_I64(look.api.memory_new(&x, 64), 201);
        LOOK(look.api.context_push(before));
        LOOK(look.api.stream_drop(s));
    }
}

static const check_case cases[] = {
    CASE(a_task_runs_with_its_parameters),
    CASE(two_axes_are_divided_by_the_reciprocal),
    CASE(a_reduction_is_its_blocks_and_a_finish),
    CASE(lazy_work_reads_late_and_writes_late),
    CASE(pinned_memory_that_nothing_uses_is_the_hosts),
    CASE(a_query_is_answered_in_the_end),
    CASE(a_blocking_upload_leaves_its_source_free),
    CASE(unordered_work_on_two_streams_is_found),
    CASE(an_edge_orders_whatever_is_queued_after_it),
    CASE(the_default_stream_orders_with_blocking_streams_alone),
    CASE(memory_that_is_in_use_is_not_to_be_freed),
    CASE(an_event_is_recorded_again_when_it_has_passed),
    CASE(fresh_memory_is_poison_and_scratch_is_poisoned_again),
    CASE(the_host_cannot_touch_device_memory),
    CASE(a_task_can_touch_what_its_facts_say_and_no_more),
    CASE(a_threads_own_default_stream_orders_with_the_legacy_one),
    CASE(a_call_fails_when_it_is_told_to),
    CASE(calls_need_what_is_current),
};
CHECK_MAIN(cases)
