/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_test.c - the whole stack on a look-alike: right under every schedule, and right about every
 * failure. Each driver call of a scene is made to fail in turn, with a code that its page lists:
 * the error names the call, host outputs are untouched, nothing is left, and after a refused call
 * the same works.
 *
 *     SLIPFAKE_SWEEP=SCENE:CALL  one failure alone; with SLIPFAKE_LOG=1 all calls are told
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/stream/look_control.h"
#include "fake/stream/whole.h"
#include "support/check.h"

#include "whole.slip.h"

/* Where every size is small there are as many times the calls. */
#if defined(SLIP_TEST_SMALL)
enum { STEP = 7 };
#else
enum { STEP = 1 };
#endif

typedef struct tally {
    uint32_t calls, failures, refused, lost, unseen;
} tally;

static whole w;

static slip_status open_all(void)
{
    slip_status status = slip_device_open(getenv("SLIPWAY_TEST_FAMILY"), &w.device);

    if (status == SLIP_OK)
        status = slip_stream_create(w.device, &w.stream);
    if (status == SLIP_OK)
        status = slip_stream_create(w.device, &w.other);
    return status;
}

static void close_all(void)
{
    if (w.device)
        whole_drop(&w);
    slip_device_close(w.device);
    memset(&w, 0, sizeof w);
}

/* Nothing was found wrong by the look-alike. */
static void check_reports(const whole_scene *scene, const char *when, uint64_t k)
{
    char last[512] = "";

    if (control.reports(last, sizeof last) != 0)
        CHECK_FAIL("%s, %s %llu: %s", scene->name, when, (unsigned long long)k, last);
}

/* ---- schedules ---- */

static void run_scene(const whole_scene *scene, const char *schedule, uint64_t seed)
{
    control_begin(schedule, seed);
    uint32_t before = control.live();
    CHECK_RESULT(open_all(), SLIP_OK);
    for (int round = 0; round < 3; round++) {
        if (seed % 2)
            w.stream = slip_default(w.device);
        whole_begin(&w);
        if (scene->call(&w) != SLIP_OK)
            CHECK_FAIL("%s, %s %llu: %s", scene->name, schedule, (unsigned long long)seed,
                       slip_last_error()->message);
        if (!scene->right(&w))
            CHECK_FAIL("%s, %s %llu: wrong in round %d", scene->name, schedule,
                       (unsigned long long)seed, round);
    }
    close_all();
    check_reports(scene, schedule, seed);
    CHECK_EQ_U64(control.live(), before);
}

static void every_scene_is_right_under_every_schedule(void)
{
    uint32_t runs = 0;

    for (int s = 0; s < whole_scene_count; s++)
        for (uint64_t seed = 0; seed < 20; seed++, runs++)
            run_scene(&whole_scenes[s], seed < 2 ? "eager" : seed < 4 ? "lazy" : "random", seed);
    printf("%u runs of %d scenes, under 20 schedules\n", runs, whole_scene_count);
}

/* By either policy, by turns on one device: each kernel has a plan of each, and the stream driver
 * waits as often as the policy says. */
static void every_scene_is_right_by_either_policy(void)
{
    for (int s = 0; s < whole_scene_count; s++) {
        const whole_scene *scene = &whole_scenes[s];
        control_begin("random", (uint64_t)s);
        CHECK_RESULT(open_all(), SLIP_OK);
        for (int round = 0; round < 4; round++) {
            slip_stats before, after;
            CHECK_RESULT(slip_device_set_sync(w.device, round % 2 ? SLIP_SYNC_CONSERVATIVE
                                                                  : SLIP_SYNC_MINIMAL),
                         SLIP_OK);
            whole_begin(&w);
            slip_device_stats(w.device, &before);
            if (scene->call(&w) != SLIP_OK || !scene->right(&w))
                CHECK_FAIL("%s, round %d: %s", scene->name, round, slip_last_error()->message);
            slip_device_stats(w.device, &after);
            CHECK_EQ_U64(after.conservative_waits > before.conservative_waits, round % 2);
            CHECK(after.host_waits - before.host_waits >=
                  after.conservative_waits - before.conservative_waits);
            CHECK(round < 2 || after.plans == before.plans);
        }
        close_all();
        check_reports(scene, "by either policy, scene", (uint64_t)s);
    }
}

/* ---- failures ---- */

static void judge(const whole_scene *scene, slip_status status, uint64_t k, tally *t)
{
    const char *failed = control.failed();
    const slip_error *error = slip_last_error();

    if (status == SLIP_OK) {
        t->unseen++; /* a call whose failure changes nothing: asking, or closing */
        return;
    }
    if (status == SLIP_ERR_LOST) { /* of earlier work: no call is to blame */
        t->lost++;
        return;
    }
    if (!error->vendor_call || strcmp(error->vendor_call, failed) != 0)
        CHECK_FAIL("%s: call %llu, %s, failed, and the error names %s: %s", scene->name,
                   (unsigned long long)k, failed, error->vendor_call ? error->vendor_call : "none",
                   error->message);
    t->refused++;
}

/* Of a call that gives something back and was refused: who asked could do no more. */
static bool gives_back(const char *name)
{
    static const char *const words[] = { "Free", "Destroy", "Unload", "Release", "Unregister" };

    for (size_t k = 0; name && k < sizeof words / sizeof *words; k++)
        if (strstr(name, words[k]))
            return true;
    return false;
}

/* One scene in a fresh device, its k-th driver call failing; of the first scene also those that
 * open the device and load the module. False: it has fewer. */
static bool sweep_one(const whole_scene *scene, uint64_t k, tally *t)
{
    control_begin("random", k);
    uint32_t before = control.live();
    whole_begin(&w);
    slip_status status = SLIP_OK;
    if (scene != whole_scenes) {
        CHECK_RESULT(open_all(), SLIP_OK);
        CHECK_RESULT(whole_load(&w), SLIP_OK);
    }
    control.fail(NULL, k, -(int)k);
    if (scene == whole_scenes)
        status = open_all();
    bool opened = status == SLIP_OK;
    if (opened)
        status = scene->call(&w);
    bool failed = control.failed() != NULL;
    if (failed) {
        judge(scene, status, k, t);
        if (status != SLIP_OK && scene->one_call && !whole_untouched(&w))
            CHECK_FAIL("%s: call %llu, %s, failed, and an output was written", scene->name,
                       (unsigned long long)k, control.failed());
    }
    if (status == SLIP_OK && !scene->right(&w))
        CHECK_FAIL("%s: wrong, with call %llu failing", scene->name, (unsigned long long)k);
    if (opened && status == SLIP_ERR_LOST) {
        if (scene->call(&w) != SLIP_ERR_LOST)
            CHECK_FAIL("%s: works after call %llu lost the device", scene->name,
                       (unsigned long long)k);
    } else if (opened && status != SLIP_OK) {
        whole_begin(&w);
        CHECK_RESULT(slip_device_sync(w.device), SLIP_OK); /* a scene may have gone half its way */
        if (scene->call(&w) != SLIP_OK || !scene->right(&w))
            CHECK_FAIL("%s: after call %llu was refused the next does not work: %s", scene->name,
                       (unsigned long long)k, slip_last_error()->message);
    }
    close_all();
    failed = failed || control.failed() != NULL;
    check_reports(scene, "with a call failing, number", k);
    bool kept = gives_back(control.failed());
    control.fail(NULL, 0, 0);
    if (control.live() != before && !kept)
        CHECK_FAIL("%s: after call %llu failed %d things are left", scene->name,
                   (unsigned long long)k, (int)(control.live() - before));
    return failed;
}

static void whichever_call_fails_it_is_named_and_nothing_is_lost(void)
{
    const char *only = getenv("SLIPFAKE_SWEEP");
    tally t = { 0 };

    run_scene(&whole_scenes[0], "eager", 0); /* the driver's library is loaded */
    if (only) {                              /* "SCENE:CALL" */
        sweep_one(&whole_scenes[atoi(only)], strtoull(strchr(only, ':') + 1, NULL, 10), &t);
        return;
    }
    for (int s = 0; s < whole_scene_count; s++)
        for (uint64_t k = 1 + (uint64_t)s % STEP; sweep_one(&whole_scenes[s], k, &t); k += STEP)
            t.failures++;
    printf("%u calls failed: %u refused, %u lost, %u made no difference\n", t.failures, t.refused,
           t.lost, t.unseen);
    CHECK(t.refused > 100);
    CHECK(t.lost > 20);
}

/* ---- loss ---- */

/* A sticky code names the calls that were queued, and every later call says the same. `calls`: by
 * each vendor's name, the first thing that a wait does. */
static void lose(const char *const *calls, int code)
{
    char first[256];

    control_begin("lazy", 3);
    uint32_t before = control.live();
    CHECK_RESULT(open_all(), SLIP_OK);
    whole_begin(&w);
    CHECK_RESULT(whole_scenes[6].call(&w), SLIP_OK); /* makes the arrays */
    CHECK_RESULT(slip_device_sync(w.device), SLIP_OK);
    for (int k = 0; k < 2; k++)
        CHECK_RESULT(bump(w.stream, WHOLE_COUNT, w.device_x), SLIP_OK);
    CHECK_RESULT(shift(w.stream, WHOLE_COUNT, 3, w.device_x), SLIP_OK);
    CHECK_RESULT(bump(w.other, WHOLE_COUNT, w.device_y), SLIP_OK);
    while (*calls && control.fail(*calls, 1, code) == 0)
        calls++;
    CHECK_RESULT(slip_stream_sync(w.stream), SLIP_ERR_LOST);
    CHECK_CONTAINS(slip_last_error()->message, "not known to have ended, oldest first: bump (2 "
                                               "times), shift; on another stream bump");
    CHECK_EQ_I64(slip_last_error()->vendor_code, code);
    snprintf(first, sizeof first, "%s", slip_last_error()->message);
    CHECK_RESULT(bump(w.other, WHOLE_COUNT, w.x), SLIP_ERR_LOST);
    CHECK(strncmp(slip_last_error()->message, first, strlen(first)) == 0);
    CHECK_RESULT(slip_device_sync(w.device), SLIP_ERR_LOST);
    CHECK_TEXT(slip_last_error()->message, first);
    printf("%s\n", first);
    close_all();
    control.fail(NULL, 0, 0);
    CHECK_EQ_U64(control.live(), before);
}

static void a_lost_device_names_the_calls_that_were_queued(void)
{
    static const char *const waits[] = { "cuStreamQuery", "hipStreamQuery", NULL };
    static const int codes[] = { 700, 719 };

    for (int k = 0; k < 2; k++)
        lose(waits, codes[k]);
}

static const check_case cases[] = {
    CASE(a_lost_device_names_the_calls_that_were_queued),
    CASE(every_scene_is_right_under_every_schedule),
    CASE(every_scene_is_right_by_either_policy),
    CASE(whichever_call_fails_it_is_named_and_nothing_is_lost),
};
CHECK_MAIN(cases)
