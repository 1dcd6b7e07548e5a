/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_test.c - the failure record: the first wins, notes add, threads are apart.
 */
#include "base/fail.h"

#include <pthread.h>
#include <string.h>

#include "support/check.h"

static slip_status refuse(int n)
{
    return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%d is too many; at most %d", n, 3);
}

static slip_status refuse_within(int n)
{
    SLIP_TRY(refuse(n));
    return SLIP_OK;
}

static void a_failure_is_recorded_with_its_place(void)
{
    CHECK_STATUS(refuse_within(5), SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "5 is too many; at most 3");
    CHECK_CONTAINS(fail_last()->file, "fail_test.c");
    CHECK(fail_last()->line > 0);
    CHECK(fail_last()->vendor_call == NULL);
    CHECK_EQ_I64(fail_last()->vendor_code, 0);
}

static void the_first_failure_wins(void)
{
    fail_clear();
    CHECK_EQ_I64(SLIP_FAIL(SLIP_ERR_MEMORY, "first"), SLIP_ERR_MEMORY);
    CHECK_EQ_I64(SLIP_FAIL(SLIP_ERR_DEVICE, "second"), SLIP_ERR_DEVICE);
    CHECK_EQ_I64(fail_native(SLIP_ERR_LOST, "x.c", 1, 7, "cuInit", "third"), SLIP_ERR_LOST);
    CHECK_EQ_I64(fail_last()->code, SLIP_ERR_MEMORY);
    CHECK_TEXT(fail_last()->message, "first");
    CHECK(fail_last()->vendor_call == NULL);
}

static void clearing_makes_room_for_the_next(void)
{
    fail_clear();
    CHECK_EQ_I64(fail_last()->code, SLIP_OK);
    CHECK_TEXT(fail_last()->message, "");
    CHECK_EQ_I64(fail_native(SLIP_ERR_DEVICE, "x.c", 12, 700, "cuLaunch", "returned %d", 700),
                 SLIP_ERR_DEVICE);
    CHECK_EQ_I64(fail_last()->vendor_code, 700);
    CHECK_TEXT(fail_last()->vendor_call, "cuLaunch");
    CHECK_TEXT(fail_last()->message, "returned 700");
    fail_clear();
    CHECK_EQ_I64(SLIP_FAIL(SLIP_ERR_FORMAT, "plain"), SLIP_ERR_FORMAT);
    CHECK(fail_last()->vendor_call == NULL);
    CHECK_EQ_I64(fail_last()->vendor_code, 0);
}

static void a_record_is_put_back_with_all_that_it_says(void)
{
    fail_clear();
    (void)fail_native(SLIP_ERR_DEVICE, "x.c", 12, 700, "cuLaunch", "returned %d", 700);
    const slip_error before = *fail_last();
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_FORMAT, "expected");
    fail_restore(&before);
    CHECK_EQ_I64(fail_last()->code, SLIP_ERR_DEVICE);
    CHECK_EQ_I64(fail_last()->vendor_code, 700);
    CHECK_TEXT(fail_last()->vendor_call, "cuLaunch");
    CHECK_TEXT(fail_last()->message, "returned 700");
    CHECK_EQ_I64(fail_last()->line, 12);
}

static void notes_follow_the_message(void)
{
    fail_clear();
    fail_note("nothing stands, so nothing is noted");
    CHECK_TEXT(fail_last()->message, "");
    (void)refuse(9);
    fail_note("while opening device %u", 2u);
    fail_note("while starting");
    CHECK_TEXT(fail_last()->message,
               "9 is too many; at most 3; while opening device 2; while starting");
}

static void long_messages_are_cut_and_terminated(void)
{
    char many[400];

    memset(many, 'm', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%s", many);
    CHECK_EQ_U64(strlen(fail_last()->message), sizeof fail_last()->message - 1);
    fail_note("no room is left");
    CHECK_EQ_U64(strlen(fail_last()->message), sizeof fail_last()->message - 1);
    CHECK_EQ_I64(fail_last()->message[254], 'm');

    for (size_t length = 250; length < 256; length++) {
        fail_clear();
        (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%.*s", (int)length, many);
        fail_note("%s", "abc");
        CHECK(strlen(fail_last()->message) <= 255);
        CHECK(memcmp(fail_last()->message, many, length < 255 ? length : 255) == 0);
    }
}

static void *other_thread(void *seen)
{
    *(slip_status *)seen = fail_last()->code;
    (void)SLIP_FAIL(SLIP_ERR_TIMEOUT, "elsewhere");
    return NULL;
}

static void each_thread_has_its_own_record(void)
{
    pthread_t thread;
    slip_status seen = SLIP_ERR_INTERNAL;

    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_MEMORY, "here");
    CHECK_EQ_I64(pthread_create(&thread, NULL, other_thread, &seen), 0);
    pthread_join(thread, NULL);
    CHECK_EQ_I64(seen, SLIP_OK);
    CHECK_TEXT(fail_last()->message, "here");
}

static void every_code_has_its_name(void)
{
    CHECK_TEXT(fail_name(SLIP_OK), "SLIP_OK");
    CHECK_TEXT(fail_name(SLIP_ERR_MEMORY), "SLIP_ERR_MEMORY");
    CHECK_TEXT(fail_name(SLIP_ERR_INTERNAL), "SLIP_ERR_INTERNAL");
    for (int i = 0; i <= SLIP_ERR_INTERNAL; i++)
        CHECK(strncmp(fail_name((slip_status)i), "SLIP_", 5) == 0);
}

static const check_case cases[] = {
    CASE(a_failure_is_recorded_with_its_place), CASE(the_first_failure_wins),
    CASE(clearing_makes_room_for_the_next),     CASE(a_record_is_put_back_with_all_that_it_says),
    CASE(notes_follow_the_message),
    CASE(long_messages_are_cut_and_terminated), CASE(each_thread_has_its_own_record),
    CASE(every_code_has_its_name),
};
CHECK_MAIN(cases)
