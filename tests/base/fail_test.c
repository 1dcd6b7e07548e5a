/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_test.c - the failure record: the first wins, notes add, threads are apart.
 */
#include "base/fail.h"

#include <pthread.h>
#include <stdio.h>
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

/* 255 bytes and the terminator: by hand, 252 letters and the mark. */
static void a_message_that_is_cut_ends_in_a_mark(void)
{
    char many[400], expected[256];

    memset(many, 'm', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%.255s", many);
    CHECK_EQ_U64(strlen(fail_last()->message), 255);
    CHECK(strchr(fail_last()->message, '.') == NULL); /* it fits */
    for (int length = 256; length < 399; length++) {
        fail_clear();
        (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%.*s", length, many);
        snprintf(expected, sizeof expected, "%.252s...", many);
        CHECK_TEXT(fail_last()->message, expected);
    }
}

static void a_note_takes_the_place_of_the_end_of_a_long_message(void)
{
    char many[400], expected[256];

    memset(many, 'm', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    for (int length = 240; length < 399; length++) {
        fail_clear();
        (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%.*s", length, many);
        fail_note("while calling f"); /* 17 bytes with what leads to it: 238 are left */
        if (length <= 238)
            snprintf(expected, sizeof expected, "%.*s; while calling f", length, many);
        else
            snprintf(expected, sizeof expected, "%.235s...; while calling f", many);
        CHECK_TEXT(fail_last()->message, expected);
    }
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%s", many);
    fail_note("%s", many); /* each has about half: 127 and 128 bytes */
    snprintf(expected, sizeof expected, "%.125s...; %.122s...", many, many);
    CHECK_TEXT(fail_last()->message, expected);
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "short");
    fail_note("%.200s", many); /* it fits, and stays whole */
    snprintf(expected, sizeof expected, "short; %.200s", many);
    CHECK_TEXT(fail_last()->message, expected);
}

/* "é" is two bytes in UTF-8: 126 of them are 252. */
static void no_character_is_cut_in_two(void)
{
    char many[400] = "", expected[256] = "";

    for (int k = 0; k < 150; k++)
        strcat(many, "\xc3\xa9");
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "m%s", many);
    snprintf(expected, sizeof expected, "m%.250s...", many);
    CHECK_TEXT(fail_last()->message, expected);
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_INTERNAL, "%s", many);
    snprintf(expected, sizeof expected, "%.252s...", many);
    CHECK_TEXT(fail_last()->message, expected);
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
    CASE(a_message_that_is_cut_ends_in_a_mark),
    CASE(a_note_takes_the_place_of_the_end_of_a_long_message),
    CASE(no_character_is_cut_in_two),           CASE(each_thread_has_its_own_record),
    CASE(every_code_has_its_name),
};
CHECK_MAIN(cases)
