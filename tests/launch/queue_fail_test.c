/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_fail_test.c - every driver call and every request of memory fails once: an error, the
 * host's arrays untouched, nothing leaked, and the next call works.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "launch/launch_ways.h"
#include "launch/queue_case.h"
#include "support/check.h"

enum { COUNT = WAY_COUNT, BYTES = WAY_BYTES, MOST_CALLS = 400 };

static case_run run;
static case_kernel kernel;
static launch_memory memory;
static int32_t x[COUNT], y[COUNT], before[COUNT], want[COUNT];

static void fill(int32_t from)
{
    for (int32_t i = 0; i < COUNT; i++) {
        x[i] = from + i * 3;
        y[i] = from * 5 - i;
    }
    memcpy(before, y, sizeof y);
    memcpy(want, y, sizeof y);
}

static void open_way(const way *w, bool mapped, bool warm)
{
    case_open(&run, (fake_queue_settings){ .seed = 5 + mapped, .device_mapped = mapped });
    way_begin(&run, w, warm);
}

static void close_way(const way *w)
{
    way_end(&run, w);
    case_close(&run);
}

/* True while there is a k-th call to fail. */
static bool fail_call(const way *w, bool mapped, bool warm, uint64_t k)
{
    open_way(w, mapped, warm);
    fake_queue_fail_at(k, false);
    fail_clear();
    slip_status status = way_call(&run, w, 2);
    bool failed = fake_queue_failed();
    /* Where the wait fails, a copy into the caller's own pinned memory may have ended. */
    bool in_place = w->pinned && (mapped || strstr(fail_last()->message, "in wait"));
    fake_queue_fail_at(0, false);
    if (status == SLIP_OK) {
        way_check_values(w);
    } else {
        CHECK(failed && fail_last()->code == status);
        CHECK_CONTAINS(fail_last()->message, "told to fail");
        if (!in_place)
            way_check_untouched(w, k);
    }
    CHECK_STATUS(way_call(&run, w, 3), SLIP_OK);
    way_check_values(w);
    close_way(w);
    return failed;
}

static void each_driver_call_fails_once(void)
{
    uint64_t total = 0;

    for (size_t at = 0; at < way_count; at++)
        for (int kind = 0; kind < 4; kind++)
            for (uint64_t k = 1; fail_call(&ways[at], kind & 1, kind >> 1, k); k++, total++)
                CHECK(k < MOST_CALLS);
    printf("%llu driver calls failed\n", (unsigned long long)total);
    CHECK(total > 150);
}

static bool lose_device(const way *w, bool mapped, bool warm, uint64_t k)
{
    open_way(w, mapped, warm);
    fake_queue_fail_at(k, true);
    slip_status status = way_call(&run, w, 2);
    bool failed = fake_queue_failed();
    if (failed) {
        CHECK(status == SLIP_ERR_LOST);
        if (!w->pinned)
            way_check_untouched(w, k);
        CHECK_STATUS(way_call(&run, w, 3), SLIP_ERR_LOST);
        CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_ERR_LOST);
        CHECK(case_launcher.passed(run.stream, UINT64_MAX)); /* nothing runs any more */
    }
    close_way(w);
    return failed;
}

static void a_lost_device_stays_lost_and_closes(void)
{
    for (size_t at = 0; at < way_count; at++)
        for (int kind = 0; kind < 4; kind++)
            for (uint64_t k = 1; lose_device(&ways[at], kind & 1, kind >> 1, k); k++)
                CHECK(k < MOST_CALLS);
}

static bool fail_memory(const way *w, bool mapped, uint64_t k)
{
    open_way(w, mapped, false);
    mem_fail_at(k);
    fail_clear();
    slip_status status = way_call(&run, w, 2);
    mem_fail_at(0);
    if (status != SLIP_OK) {
        CHECK(status == SLIP_ERR_MEMORY && fail_last()->code == status);
        way_check_untouched(w, k);
    }
    CHECK_STATUS(way_call(&run, w, 3), SLIP_OK);
    way_check_values(w);
    close_way(w);
    return status != SLIP_OK;
}

static void each_request_of_memory_fails_once(void)
{
    for (size_t at = 0; at < way_count; at++)
        for (int mapped = 0; mapped < 2; mapped++)
            for (uint64_t k = 1; fail_memory(&ways[at], mapped, k); k++)
                CHECK(k < 30);
}

/* Calls that returned and were held back are not undone by a later one's failure. */
static void a_failure_keeps_the_calls_before_it(void)
{
    uint64_t seen = 0;

    for (uint64_t k = 1; k < 60; k++) {
        int went_well = 0, failed = 0;
        kernel_scale(&kernel);
        case_open(&run, (fake_queue_settings){ .seed = k });
        CHECK_STATUS(case_launcher.memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &memory),
                     SLIP_OK);
        fill(1);
        CHECK_STATUS(case_launcher.copy_up(run.stream, &memory, 0, x, BYTES), SLIP_OK);
        case_given given[] = { given_number(COUNT), given_device(&memory, COUNT) };
        case_prepare(&run, &kernel, given, false);
        fake_queue_fail_at(k, false);
        for (int c = 0; c < 12; c++) {
            if (case_call(&run, &kernel, given, NULL) == SLIP_OK)
                went_well++;
            else
                failed++;
        }
        fake_queue_fail_at(0, false);
        while (case_launcher.stream_sync(run.stream, NULL) != SLIP_OK)
            failed++;
        CHECK_STATUS(case_launcher.copy_down(run.stream, y, &memory, 0, BYTES, NULL), SLIP_OK);
        /* a call that failed has changed the array wholly or not at all */
        bool found = false;
        for (int times = 0; times <= went_well + failed && !found; times++) {
            found = memcmp(x, y, BYTES) == 0 && (times >= went_well || failed > 0);
            plain_scale(COUNT, x);
        }
        if (!found)
            CHECK_FAIL("call %llu failed: %d calls went well, %d did not, and the array is none's",
                       (unsigned long long)k, went_well, failed);
        seen += (uint64_t)failed;
        case_launcher.memory_drop(run.device, &memory);
        case_close(&run);
    }
    CHECK(seen > 10);
}

/* What opens and loads, swept. */
static void opening_fails_without_leaks(void)
{
    void *device = NULL, *stream = NULL, *code = NULL;
    counters counts = { 0 };
    bool failed = true;

    kernel_saxpy(&kernel);
    kernel.code.data_bytes = 24;
    for (uint64_t k = 1; failed; k++) {
        fake_queue_reset((fake_queue_settings){ .seed = k });
        fake_queue_fail_at(k, false);
        device = stream = code = NULL;
        launch_memory made = { 0 };
        slip_status status = case_launcher.open(0, &device);
        if (status == SLIP_OK)
            status = case_launcher.stream_open(device, true, &counts, &stream);
        if (status == SLIP_OK)
            status = case_launcher.code_load(device, &kernel.module, &kernel.code, &code);
        if (status == SLIP_OK)
            status = case_launcher.memory_new(device, 100, LAUNCH_MEMORY_DEVICE, &made);
        failed = fake_queue_failed();
        CHECK(failed || status == SLIP_OK);
        if (device) {
            case_launcher.memory_drop(device, &made);
            case_launcher.code_drop(device, code);
            case_launcher.stream_close(stream);
            case_launcher.close(device);
        }
        CHECK_EQ_U64(fake_queue_live(), 0);
        CHECK_EQ_U64(mem_live(), 0);
        CHECK(k < 30);
    }
    CHECK_TEXT(fake_queue_wrong(), "");
}

static void memory_that_is_given_back_is_used_again_before_an_error(void)
{
    launch_memory large = { 0 };

    kernel_saxpy(&kernel);
    case_open(&run, (fake_queue_settings){ .seed = 2, .most_bytes = 5 << 20 });
    case_given given[4];
    fill(1);
    given[0] = given_number(COUNT);
    given[1] = given_number(3);
    given[2] = given_host(x, COUNT);
    given[3] = given_host(y, COUNT);
    plain_saxpy(COUNT, 3, x, want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    CHECK_STATUS(case_launcher.memory_new(run.device, 5 << 20, LAUNCH_MEMORY_DEVICE, &large),
                 SLIP_ERR_MEMORY);
    case_launcher.trim(run.device);
    CHECK_STATUS(case_launcher.memory_new(run.device, 5 << 20, LAUNCH_MEMORY_DEVICE, &large),
                 SLIP_OK);
    fill(2);
    memcpy(want, y, sizeof want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_ERR_MEMORY);
    CHECK(memcmp(y, before, BYTES) == 0);
    case_launcher.memory_drop(run.device, &large);
    plain_saxpy(COUNT, 3, x, want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    CHECK(memcmp(y, want, BYTES) == 0);
    case_close(&run);
}

static void a_task_that_needs_what_the_device_lacks_is_named(void)
{
    static const char *const files[] = { "k.c" };
    void *code = NULL;

    kernel_saxpy(&kernel);
    kernel.module.files = files;
    kernel.module.file_count = 1;
    kernel.shaders[0].needs = 1u << MOD_NEED_F64 | 1u << MOD_NEED_ATOMIC64;
    kernel.shaders[0].need_places[MOD_NEED_F64] = (mod_place){ 0, 12, 7 };
    for (uint32_t has = 0; has < 2; has++) {
        case_open(&run, (fake_queue_settings){ .has = has ? 3u << MOD_NEED_ATOMIC64 | 1 : 0 });
        case_load(&run, &kernel, &code);
        if (has) {
            CHECK_STATUS(case_launcher.code_check(run.device, code, &kernel.module, &kernel.entry),
                         SLIP_OK);
        } else {
            CHECK_STATUS(case_launcher.code_check(run.device, code, &kernel.module, &kernel.entry),
                         SLIP_ERR_UNSUPPORTED);
            CHECK_TEXT(fail_last()->message, "saxpy needs 64-bit floats at k.c:12:7, which this "
                                             "device does not have");
        }
        case_close(&run);
    }
}

static void facts_are_taken_back_by_name(void)
{
    void *device = NULL;

    fake_queue_reset((fake_queue_settings){ .device_mapped = true });
    setenv("SLIPWAY_WITHOUT", "host_mapped,device_memory_mapped", 1);
    CHECK_STATUS(case_launcher.open(0, &device), SLIP_OK);
    const plan_facts *facts = case_launcher.facts(device);
    CHECK(!facts->holds[PLAN_FACT_host_mapped] && !facts->holds[PLAN_FACT_device_memory_mapped]);
    CHECK(facts->holds[PLAN_FACT_access_known]);
    CHECK_EQ_U64(fake_queue_without(), 0);
    case_launcher.close(device);
    setenv("SLIPWAY_WITHOUT", "fma_f32,host_mapped,widen", 1);
    CHECK_STATUS(case_launcher.open(0, &device), SLIP_OK);
    facts = case_launcher.facts(device);
    CHECK(!facts->holds[PLAN_FACT_host_mapped] && facts->holds[PLAN_FACT_device_memory_mapped]);
    CHECK_EQ_U64(fake_queue_without(), 1u << NUMERIC_FMA_F32 | 1u << NUMERIC_WIDEN);
    case_launcher.close(device);
    setenv("SLIPWAY_WITHOUT", "lane_in_order", 1); /* a contract, not a thing to leave out */
    device = NULL;
    CHECK_STATUS(case_launcher.open(0, &device), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "\"lane_in_order\"");
    unsetenv("SLIPWAY_WITHOUT");
    CHECK(device == NULL);
    CHECK_EQ_U64(fake_queue_live(), 0);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(facts_are_taken_back_by_name),
    CASE(each_driver_call_fails_once),
    CASE(a_lost_device_stays_lost_and_closes),
    CASE(each_request_of_memory_fails_once),
    CASE(a_failure_keeps_the_calls_before_it),
    CASE(opening_fails_without_leaks),
    CASE(memory_that_is_given_back_is_used_again_before_an_error),
    CASE(a_task_that_needs_what_the_device_lacks_is_named),
};
CHECK_MAIN(cases)
