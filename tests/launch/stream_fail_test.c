/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_fail_test.c - every driver call and every request of memory fails once: an error, the
 * host's arrays untouched, nothing left queued, nothing leaked, and the next call works.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "launch/lanes_parts.h"
#include "launch/launch_ways.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { MOST_CALLS = 600 };

static case_run run, second;
static case_kernel kernel;

/* A bit each: warm, by CUDA's facts, on an explicit stream, with events as few as can be. */
enum { KINDS = 16 };

static case_run *open_way(const way *w, int kind)
{
    bool warm = kind & 1, cuda = kind >> 1 & 1, explicitly = kind >> 2 & 1;

    stream_case_open(&run,
                     (fake_stream_settings){ .seed = 5, .schedule = kind % 3, .rerecords = cuda });
    if (kind >> 3 & 1)
        ((lanes_device *)run.device)->sizes.most_events = 1;
    if (explicitly)
        stream_case_second(&run, &second);
    case_run *where = explicitly ? &second : &run;
    way_begin(where, w, warm);
    return where;
}

static void close_way(const way *w, case_run *where)
{
    way_end(where, w);
    if (where == &second)
        stream_case_end_second(&second);
    stream_case_close(&run);
}

/* True while there is a k-th call to fail. */
static bool fail_call(const way *w, int kind, uint64_t k)
{
    case_run *where = open_way(w, kind);
    fake_stream_fail_at(k, false);
    fail_clear();
    slip_status status = way_call(where, w, 2);
    bool failed = fake_stream_failed();
    /* Where the wait fails, a copy into the caller's own pinned memory may have ended. */
    bool in_place = w->pinned && strstr(fail_last()->message, "wait");
    fake_stream_fail_at(0, false);
    if (status == SLIP_OK) {
        way_check_values(w);
    } else {
        CHECK(failed && fail_last()->code == status);
        CHECK_CONTAINS(fail_last()->message, "told to fail");
        CHECK_EQ_U64(fake_stream_pending(), 0);
        if (!in_place)
            way_check_untouched(w, k);
    }
    CHECK_STATUS(way_call(where, w, 3), SLIP_OK);
    way_check_values(w);
    close_way(w, where);
    return failed;
}

static void each_driver_call_fails_once(void)
{
    uint64_t total = 0;

    for (size_t at = 0; at < way_count; at++)
        for (int kind = 0; kind < KINDS; kind++)
            for (uint64_t k = 1; fail_call(&ways[at], kind, k); k++, total++)
                CHECK(k < MOST_CALLS);
    printf("%llu driver calls failed\n", (unsigned long long)total);
    CHECK(total > 500);
}

static bool lose_device(const way *w, int kind, uint64_t k)
{
    case_run *where = open_way(w, kind);
    fake_stream_fail_at(k, true);
    slip_status status = way_call(where, w, 2);
    bool failed = fake_stream_failed();
    if (failed) {
        CHECK(status == SLIP_ERR_LOST);
        if (!w->pinned)
            way_check_untouched(w, k);
        CHECK_STATUS(way_call(where, w, 3), SLIP_ERR_LOST);
        CHECK_STATUS(run.family->stream_sync(where->stream, NULL), SLIP_ERR_LOST);
        CHECK(run.family->passed(where->stream, UINT64_MAX)); /* nothing runs any more */
    }
    close_way(w, where);
    return failed;
}

static void a_lost_device_stays_lost_and_closes(void)
{
    for (size_t at = 0; at < way_count; at++)
        for (int kind = 0; kind < KINDS; kind++)
            for (uint64_t k = 1; lose_device(&ways[at], kind, k); k++)
                CHECK(k < MOST_CALLS);
}

/* The wait for what had been queued fails too: nobody knows what the device still writes. */
static bool fail_for_good(const way *w, int kind, uint64_t k)
{
    case_run *where = open_way(w, kind);
    fake_stream_fail_from(k);
    fail_clear();
    slip_status status = way_call(where, w, 2);
    bool failed = fake_stream_failed(), told = strstr(fail_last()->message, "given up");
    slip_error first = *fail_last();
    fake_stream_fail_at(0, false);
    if (failed) {
        CHECK(status != SLIP_OK && status != SLIP_ERR_LOST && first.code == status);
        if (!w->pinned)
            way_check_untouched(w, k);
        fail_clear();
        if (told) /* it had queued something */
            CHECK_STATUS(way_call(where, w, 3), SLIP_ERR_LOST);
        else
            CHECK_STATUS(way_call(where, w, 3), SLIP_OK);
    }
    close_way(w, where);
    return failed;
}

static void a_wait_that_cannot_be_made_loses_the_device(void)
{
    for (size_t at = 0; at < way_count; at++)
        for (int kind = 0; kind < KINDS; kind++)
            for (uint64_t k = 1; fail_for_good(&ways[at], kind, k); k++)
                CHECK(k < MOST_CALLS);
}

static bool fail_memory(const way *w, int kind, uint64_t k)
{
    case_run *where = open_way(w, kind & ~1);
    mem_fail_at(k);
    fail_clear();
    slip_status status = way_call(where, w, 2);
    mem_fail_at(0);
    if (status != SLIP_OK) {
        CHECK(status == SLIP_ERR_MEMORY && fail_last()->code == status);
        way_check_untouched(w, k);
        CHECK_EQ_U64(fake_stream_pending(), 0);
    }
    CHECK_STATUS(way_call(where, w, 3), SLIP_OK);
    way_check_values(w);
    close_way(w, where);
    return status != SLIP_OK;
}

static void each_request_of_memory_fails_once(void)
{
    for (size_t at = 0; at < way_count; at++)
        for (int kind = 0; kind < KINDS; kind += 2)
            for (uint64_t k = 1; fail_memory(&ways[at], kind, k); k++)
                CHECK(k < 60);
}

/* What opens and loads, swept. */
static void opening_fails_without_leaks(void)
{
    const launcher *family = stream_case_family(true);
    void *device = NULL, *stream = NULL, *code = NULL;
    counters counts = { 0 };
    bool failed = true;

    kernel_sum(&kernel);
    kernel.code.size = kernel.code.shader_count * sizeof kernel.words[0];
    for (uint64_t k = 1; failed; k++) {
        fake_stream_reset((fake_stream_settings){ .seed = k, .rerecords = true });
        fake_stream_fail_at(k, false);
        device = stream = code = NULL;
        launch_memory made = { 0 };
        slip_status status = family->open(0, &device);
        if (status == SLIP_OK)
            status = family->stream_open(device, true, &counts, &stream);
        if (status == SLIP_OK)
            status = family->code_load(device, &kernel.module, &kernel.code, &code);
        if (status == SLIP_OK)
            status = family->memory_new(device, 100, LAUNCH_MEMORY_DEVICE, &made);
        failed = fake_stream_failed();
        CHECK(failed || status == SLIP_OK);
        if (device) {
            if (made.own)
                family->memory_drop(device, &made);
            family->code_drop(device, code);
            family->stream_close(stream);
            family->close(device);
        }
        CHECK_EQ_U64(fake_stream_live(), 0);
        CHECK_EQ_U64(mem_live(), 0);
        CHECK(k < 30);
    }
    CHECK_TEXT(fake_stream_wrong(), "");
}

/* What was freed is kept, and used again by who asks for as much; the driver's free, which may
 * wait, is called where there is no more, and by trim. */
static void freed_memory_is_kept_until_it_is_needed(void)
{
    launch_memory memory = { 0 }, large = { 0 };

    stream_case_open(&run, (fake_stream_settings){ .seed = 2, .most_bytes = 5 << 20 });
    CHECK_STATUS(run.family->memory_new(run.device, 1 << 20, LAUNCH_MEMORY_DEVICE, &memory),
                 SLIP_OK);
    uint64_t address = memory.address, live = fake_stream_live(), waits = fake_stream_waits();
    run.family->memory_drop(run.device, &memory);
    CHECK_EQ_U64(fake_stream_live(), live);
    CHECK_EQ_U64(fake_stream_waits(), waits);
    CHECK_STATUS(run.family->memory_new(run.device, 1 << 20, LAUNCH_MEMORY_DEVICE, &memory),
                 SLIP_OK);
    CHECK_EQ_U64(memory.address, address);
    run.family->memory_drop(run.device, &memory);
    CHECK_STATUS(run.family->memory_new(run.device, 5 << 20, LAUNCH_MEMORY_DEVICE, &large),
                 SLIP_OK);
    CHECK_STATUS(run.family->memory_new(run.device, 5 << 20, LAUNCH_MEMORY_DEVICE, &memory),
                 SLIP_ERR_MEMORY);
    fail_clear();
    run.family->memory_drop(run.device, &large);
    live = fake_stream_live();
    run.family->trim(run.device);
    CHECK_EQ_U64(fake_stream_live(), live - 1);
    stream_case_close(&run);
}

static void a_call_gives_back_what_it_does_not_need_before_an_error(void)
{
    launch_memory large = { 0 };

    stream_case_open(&run, (fake_stream_settings){ .seed = 2, .most_bytes = 6 << 20 });
    way_begin(&run, &ways[0], true);
    CHECK_STATUS(run.family->memory_new(run.device, 6 << 20, LAUNCH_MEMORY_DEVICE, &large),
                 SLIP_ERR_MEMORY);
    fail_clear();
    run.family->stream_trim(run.stream);
    CHECK_STATUS(run.family->memory_new(run.device, 6 << 20, LAUNCH_MEMORY_DEVICE, &large),
                 SLIP_OK);
    CHECK_STATUS(way_call(&run, &ways[0], 2), SLIP_ERR_MEMORY);
    fail_clear();
    way_check_untouched(&ways[0], 0);
    run.family->memory_drop(run.device, &large);
    CHECK_STATUS(way_call(&run, &ways[0], 3), SLIP_OK);
    way_check_values(&ways[0]);
    stream_case_close(&run);
}

static void a_task_that_needs_what_the_device_lacks_is_named(void)
{
    static const char *const files[] = { "k.c" };
    void *code = NULL;

    kernel_saxpy(&kernel);
    kernel.module.files = files;
    kernel.module.file_count = 1;
    kernel.shaders[0].needs = 1u << MOD_NEED_MATH;
    kernel.shaders[0].need_places[MOD_NEED_MATH] = (mod_place){ 0, 12, 7 };
    stream_case_open(&run, (fake_stream_settings){ .lacks = 1u << MOD_NEED_MATH });
    case_load(&run, &kernel, &code);
    CHECK_STATUS(run.family->code_check(run.device, code, &kernel.module, &kernel.entry),
                 SLIP_ERR_UNSUPPORTED);
    CHECK_TEXT(fail_last()->message, "saxpy needs a math function at k.c:12:7, which this "
                                     "device does not have");
    fail_clear();
    stream_case_close(&run);
}

static void facts_are_taken_back_by_name(void)
{
    const launcher *family = stream_case_family(false);
    void *device = NULL;

    fake_stream_reset((fake_stream_settings){ .seed = 1 });
    setenv("SLIPWAY_WITHOUT", "blocking_download_drains", 1);
    CHECK_STATUS(family->open(0, &device), SLIP_OK);
    const plan_facts *facts = family->facts(device);
    CHECK(!facts->holds[PLAN_FACT_blocking_download_drains]);
    CHECK(facts->holds[PLAN_FACT_access_known] && !facts->holds[PLAN_FACT_event_rerecord]);
    family->close(device);
    setenv("SLIPWAY_WITHOUT", "event_rerecord", 1); /* a contract, not a thing to leave out */
    device = NULL;
    CHECK_STATUS(family->open(0, &device), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "SLIPWAY_WITHOUT names \"event_rerecord\"; it takes ");
    static const char *const takes[] = { "access_known,",           "host_mapped,",
                                         "device_memory_mapped,",   "blocking_download_drains,",
                                         "copies_join_submission,", "div_f32 to brief_f32" };
    for (size_t k = 0; k < sizeof takes / sizeof *takes; k++)
        CHECK_CONTAINS(fail_last()->message, takes[k]);
    fail_clear();
    unsetenv("SLIPWAY_WITHOUT");
    CHECK(device == NULL);
    CHECK_EQ_U64(fake_stream_live(), 0);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(facts_are_taken_back_by_name),
    CASE(each_driver_call_fails_once),
    CASE(a_lost_device_stays_lost_and_closes),
    CASE(a_wait_that_cannot_be_made_loses_the_device),
    CASE(each_request_of_memory_fails_once),
    CASE(opening_fails_without_leaks),
    CASE(freed_memory_is_kept_until_it_is_needed),
    CASE(a_call_gives_back_what_it_does_not_need_before_an_error),
    CASE(a_task_that_needs_what_the_device_lacks_is_named),
};
CHECK_MAIN(cases)
