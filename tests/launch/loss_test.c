/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loss_test.c - what is told of a lost device: the calls that were queued and had not ended, on
 * each kind of launcher, whichever call was told, and by every later call.
 */
#include <stdlib.h>
#include <string.h>

#include "launch/loss.h"
#include "launch/queue_case.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { COUNT = 100, BYTES = COUNT * 4, HEADING = 39 };

static case_run run, second;
static case_kernel scale, cover;
static launch_memory memory, other;
static int32_t x[COUNT];

/* ---- the list -------------------------------------------------------------------------------- */

/* Of a device that is new, with this record standing; what the record says then. */
static const char *noted(const char *record, loss_list *list)
{
    loss l = { 0 };

    (void)SLIP_FAIL(SLIP_ERR_LOST, "%s", record);
    loss_note(&l, list);
    return fail_last()->message;
}

static void names_that_follow_each_other_are_counted(void)
{
    loss_list list;

    fail_clear();
    loss_list_begin(&list);
    loss_list_stream(&list);
    loss_list_before(&list, 7);
    loss_list_add(&list, "a");
    for (int k = 0; k < 3; k++)
        loss_list_add(&list, "b");
    loss_list_stream(&list);
    loss_list_add(&list, "b");
    loss_list_stream(&list); /* has none */
    CHECK_TEXT(noted("gone", &list), "gone; not known to have ended, oldest first: 7 before, a, b "
                                     "(3 times); on another stream b");
}

static void nothing_queued_is_told_by_nothing(void)
{
    loss_list list;

    fail_clear();
    loss_list_begin(&list);
    loss_list_stream(&list);
    loss_list_before(&list, 0);
    CHECK_TEXT(noted("gone", &list), "gone");
}

/* Names of every length, after records of every length: the oldest stay, the rest are counted. */
static void what_does_not_fit_is_counted(void)
{
    char record[256], name[100], all[40];

    for (size_t r = 0; r < 255; r += 9)
        for (size_t n = 1; n < 100; n += 7) {
            memset(record, 'r', r);
            record[r] = '\0';
            memset(name, 'n', n);
            name[n] = '\0';
            loss_list list;
            fail_clear();
            (void)SLIP_FAIL(SLIP_ERR_LOST, "%s", record);
            loss_list_begin(&list);
            for (int k = 0; k < 10; k++) {
                loss_list_add(&list, name);
                loss_list_add(&list, "other");
            }
            const char *text = noted("", &list);
            if (r + 2 + HEADING + sizeof ", and 20 more" > 256)
                continue; /* no room at all */
            const char *more = strstr(text, " more");
            int named = 0;
            const char *at = strstr(text, "first: ");
            while (at && (at = strchr(at + 1, ' ')) != NULL)
                named++;
            if (!more) {
                CHECK_EQ_I64(named, 20);
                continue;
            }
            named -= named > 2 ? 3 : 2; /* ", and 13 more" and "20 more" are no names */
            snprintf(all, sizeof all, "%s%d more", named > 0 ? ", and " : ": ", 20 - named);
            CHECK_CONTAINS(text, all);
        }
}

static void the_first_loss_is_what_all_tell(void)
{
    loss l = { 0 };
    loss_list list;

    fail_clear();
    CHECK_STATUS(loss_tell(&l), SLIP_ERR_LOST);
    CHECK_TEXT(fail_last()->message, "the device is lost");
    loss_list_begin(&list);
    loss_note(&l, &list); /* says nothing of why: it is not kept */
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_LOST, "first");
    loss_list_begin(&list);
    loss_list_add(&list, "a");
    loss_note(&l, &list);
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_LOST, "second");
    loss_list_begin(&list);
    loss_note(&l, &list);
    CHECK_TEXT(fail_last()->message, "first; not known to have ended, oldest first: a");
    fail_clear();
    CHECK_STATUS(loss_tell(&l), SLIP_ERR_LOST);
    CHECK_TEXT(fail_last()->message, "first; not known to have ended, oldest first: a");
    fail_clear();
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void begin(void)
{
    kernel_scale(&scale);
    kernel_cover(&cover);
    CHECK_STATUS(run.family->memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &memory), SLIP_OK);
    CHECK_STATUS(run.family->memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &other), SLIP_OK);
    CHECK_STATUS(run.family->copy_up(run.stream, &memory, 0, x, BYTES), SLIP_OK);
    CHECK_STATUS(run.family->stream_sync(run.stream, NULL), SLIP_OK);
}

static slip_status call_scale(case_run *on)
{
    case_given given[] = { given_number(COUNT), given_device(&memory, COUNT) };

    return case_call(on, &scale, given, NULL);
}

static slip_status call_cover(case_run *on, void *to)
{
    case_given given[] = { given_number(COUNT), given_device(&memory, COUNT),
                           to ? given_host(to, COUNT) : given_device(&other, COUNT) };

    return case_call(on, &cover, given, NULL);
}

/* Every call that comes tells the same. */
static void check_told(slip_status status, const char *list)
{
    char first[sizeof fail_last()->message];
    uint64_t mark = 0;

    CHECK_RESULT(status, SLIP_ERR_LOST);
    CHECK_CONTAINS(fail_last()->message, "fake");
    CHECK_CONTAINS(fail_last()->message, list);
    strcpy(first, fail_last()->message);
    fail_clear();
    CHECK_STATUS(call_scale(&run), SLIP_ERR_LOST);
    CHECK_TEXT(fail_last()->message, first);
    fail_clear();
    CHECK_STATUS(run.family->stream_sync(run.stream, NULL), SLIP_ERR_LOST);
    CHECK_TEXT(fail_last()->message, first);
    fail_clear();
    CHECK_STATUS(run.family->mark(run.stream, &mark), SLIP_ERR_LOST);
    CHECK_TEXT(fail_last()->message, first);
    fail_clear();
    CHECK_STATUS(run.family->copy_down(run.stream, x, &memory, 0, BYTES, NULL), SLIP_ERR_LOST);
    CHECK_TEXT(fail_last()->message, first);
    fail_clear();
    fake_queue_hold(false); /* its helper may be in a wait, which then goes on */
    run.family->stream_close(run.stream);
    run.stream = NULL;
    run.family->memory_drop(run.device, &memory);
    run.family->memory_drop(run.device, &other);
}

/* What had ended before is not named, nor a call of which nothing was queued. */
static void a_stream_driver_that_loses_the_device_names_what_was_queued(void)
{
    static const char *const lists[] = {
        "oldest first: scale (2 times), cover",
        "oldest first: scale (2 times), cover",
        "oldest first: scale (2 times), cover (2 times)",
        "oldest first: scale (2 times), cover; on another stream cover",
    };

    for (int rerecords = 0; rerecords < 2; rerecords++)
        for (int how = 0; how < 4; how++) {
            stream_case_open(&run, (fake_stream_settings){ .rerecords = rerecords });
            run.around = NULL;
            begin();
            CHECK_STATUS(call_cover(&run, x), SLIP_OK); /* waits, and leaves slots behind */
            CHECK_STATUS(call_scale(&run), SLIP_OK);
            CHECK_STATUS(call_scale(&run), SLIP_OK);
            if (how == 3) {
                stream_case_second(&run, &second);
                second.around = NULL;
                CHECK_STATUS(call_cover(&second, NULL), SLIP_OK);
            }
            CHECK_STATUS(call_cover(&run, NULL), SLIP_OK);
            slip_status status = SLIP_OK;
            fake_stream_fail_at(how == 2 ? 3 : 1, true);
            if (how == 0) /* the call that is told has nothing queued */
                status = call_scale(&run);
            else if (how == 1 || how == 3)
                status = run.family->stream_sync(run.stream, NULL);
            else /* it has, and its copy back or its wait tells */
                status = call_cover(&run, x);
            check_told(status, lists[how]);
            if (how == 0 || how == 1)
                CHECK(!strstr(fail_last()->message, "cover ("));
            if (how == 3)
                stream_case_end_second(&second);
            fake_stream_fail_at(0, false);
            stream_case_close(&run);
        }
}

static void of_many_calls_the_last_are_named_and_the_rest_counted(void)
{
    stream_case_open(&run, (fake_stream_settings){ .rerecords = true });
    run.around = NULL;
    begin();
    for (int k = 0; k < 50; k++)
        CHECK_STATUS(call_scale(&run), SLIP_OK);
    fake_stream_fail_at(1, true);
    check_told(run.family->stream_sync(run.stream, NULL),
               "oldest first: 18 before, scale (32 times)");
    fake_stream_fail_at(0, false);
    stream_case_close(&run);
}

/* Held back or submitted, told by a submission or by a wait. */
static void a_queue_driver_that_loses_the_device_names_what_was_queued(void)
{
    for (int how = 0; how < 4; how++) {
        case_open(&run, (fake_queue_settings){ .seed = 1 });
        begin();
        fake_queue_hold(true);
        CHECK_STATUS(call_scale(&run), SLIP_OK);
        CHECK_STATUS(call_scale(&run), SLIP_OK);
        CHECK_STATUS(call_cover(&run, NULL), SLIP_OK);
        if (how > 0) { /* the open list is empty, and only the wait is left */
            uint64_t mark = 0;
            CHECK_STATUS(run.family->mark(run.stream, &mark), SLIP_OK);
        }
        if (how == 3)
            for (int k = 0; k < 100; k++)
                CHECK_STATUS(call_scale(&run), SLIP_OK);
        fake_queue_fail_at(1, true);
        slip_status status =
            how == 2 ? call_scale(&run) : run.family->stream_sync(run.stream, NULL);
        check_told(status, how == 2   ? "oldest first: scale (2 times), cover, scale"
                           : how == 3 ? "oldest first: earlier ones, scale (32 times)"
                                      : "oldest first: scale (2 times), cover");
        fake_queue_fail_at(0, false);
        case_close(&run);
    }
}

/* Of calls that were refused nothing is queued, nor of those that were held back with them. */
static void calls_that_were_thrown_away_are_not_named(void)
{
    case_open(&run, (fake_queue_settings){ .seed = 1 });
    begin();
    fake_queue_hold(true);
    CHECK_STATUS(call_cover(&run, NULL), SLIP_OK); /* submitted */
    CHECK_STATUS(call_scale(&run), SLIP_OK);       /* held back */
    fake_queue_fail_submits(1);
    CHECK(run.family->stream_sync(run.stream, NULL) != SLIP_OK);
    fail_clear();
    fake_queue_fail_at(1, true);
    slip_status status = run.family->stream_sync(run.stream, NULL);
    CHECK(!strstr(fail_last()->message, "scale"));
    check_told(status, "oldest first: cover");
    fake_queue_fail_at(0, false);
    case_close(&run);
}

static const check_case cases[] = {
    CASE(names_that_follow_each_other_are_counted),
    CASE(nothing_queued_is_told_by_nothing),
    CASE(what_does_not_fit_is_counted),
    CASE(the_first_loss_is_what_all_tell),
    CASE(a_stream_driver_that_loses_the_device_names_what_was_queued),
    CASE(of_many_calls_the_last_are_named_and_the_rest_counted),
    CASE(a_queue_driver_that_loses_the_device_names_what_was_queued),
    CASE(calls_that_were_thrown_away_are_not_named),
};
CHECK_MAIN(cases)
