/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_test.c - the look-alikes themselves, called as a driver calls them: tasks run with their
 * own code, memory is guarded, and calls fail when they are told to.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake/stream/blob.h"
#include "fake/stream/direct.h"
#include "support/check.h"

/* ---- kernels ---- */

static void a_task_runs_with_its_parameters(void)
{
    static const char *const schedules[] = { "eager", "lazy", "random" };
    int32_t got[DIRECT_COUNT];

    for (int k = 0; k < 3; k++) {
        look_begin(schedules[k], 1);
        api_address x = direct_device(DIRECT_BYTES), y = direct_device(DIRECT_BYTES);
        int32_t *host = direct_pinned(DIRECT_BYTES);
        api_stream s = direct_stream(1);
        direct_fill(host, 5);
        LOOK(look.api.upload_queued(x, host, DIRECT_BYTES, s));
        LOOK(look.api.fill_queued(y, 0, DIRECT_BYTES, s));
        direct_add(s, x, y, DIRECT_COUNT);
        direct_add(s, x, y, DIRECT_COUNT);
        LOOK(look.api.stream_wait(s));
        LOOK(look.api.download(got, y, DIRECT_BYTES));
        for (int32_t i = 0; i < DIRECT_COUNT; i++)
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
    api_address t = direct_device(sizeof got);
    /* ceil(2^35 / 9): exact below 2^31, as 9 * magic - 2^35 = 1 < 2^4. */
    table_params p = { 0, 63, 0, 3817748708u, 3, { 0, 7, 0, 9 }, 9, t };
    void *params[] = { &p };
    LOOK(look.api.launch(direct_function("s1"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    LOOK(look.api.download(got, t, sizeof got));
    for (int32_t k = 0; k < 63; k++)
        CHECK_EQ_I64(got[k], k / 9 * 100 + k % 9);
    look_reported(0, "");
    p.magic++;
    p.shift = 2;
    LOOK(look.api.launch(direct_function("s1"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
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
    api_address x = direct_device(sizeof host), c = direct_device(sizeof cells),
                parts = direct_device(5 * 8);
    LOOK(look.api.upload(x, host, sizeof host));
    LOOK(look.api.upload(c, cells, sizeof cells));
    sum_params p = { 0, N, c, 0, N, x, c, parts };
    void *params[] = { &p };
    LOOK(look.api.launch(direct_function("s2"), 5, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    LOOK(look.api.launch(direct_function("s3"), 1, 1, 1, 1024, 1, 1, 0, NULL, params, NULL));
    LOOK(look.api.download(cells, c, sizeof cells));
    CHECK_EQ_I64(cells[1], 7 + (int64_t)N * (N - 1) / 2);
    look_reported(0, "");
    LOOK(look.api.launch(direct_function("s3"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    look_reported(1, "64 threads a group, and has 1024");
    LOOK(look.api.stream_wait(NULL));
    LOOK(look.api.memory_free(x));
    LOOK(look.api.memory_free(c));
    LOOK(look.api.memory_free(parts));
}

/* ---- memory ---- */

static void fresh_memory_is_poison_and_scratch_is_poisoned_again(void)
{
    uint8_t got[512];

    look_begin("lazy", 0);
    api_address x = direct_device(sizeof got);
    api_stream s = direct_stream(1);
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
    victim = direct_device(DIRECT_BYTES);
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
    direct_add_params p = { 0, DIRECT_COUNT, 0, 0, DIRECT_COUNT, changed_y, changed_x };
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
    changed_x = direct_device(DIRECT_BYTES);
    changed_y = direct_device(DIRECT_BYTES);
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

/* ---- failures ---- */

static void a_call_fails_when_it_is_told_to(void)
{
    api_address x = 0, other = 0;

    look_begin("eager", 0);
    CHECK(control.fail(control.hip ? "hipMalloc" : "cuMemAlloc_v2", 2, 2));
    CHECK(!control.fail("cuNothing", 1, 2));
    CHECK(control.fail(control.hip ? "hipMalloc" : "cuMemAlloc_v2", 2, 2));
    x = direct_device(64);
    LOOK(look.api.memory_free(x));
    x = 0;
    CHECK_EQ_I64(look.api.memory_new(&x, 64), 2);
    CHECK_EQ_U64(x, 0xdbdbdbdbdbdbdbdb); /* whatever it was */
    x = direct_device(64);
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
        api_stream s = direct_stream(1);
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
    CASE(fresh_memory_is_poison_and_scratch_is_poisoned_again),
    CASE(the_host_cannot_touch_device_memory),
    CASE(a_task_can_touch_what_its_facts_say_and_no_more),
    CASE(a_call_fails_when_it_is_told_to),
    CASE(calls_need_what_is_current),
};
CHECK_MAIN(cases)
