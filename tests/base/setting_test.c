/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setting_test.c - variables of the environment that take one of a few words.
 */
#define _GNU_SOURCE
#include "base/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"

static const char *const words[] = { "left", "right", "left-right" };

static void a_word_is_found_and_nothing_is_none(void)
{
    uint32_t which = 77;

    unsetenv("SLIPWAY_TRIAL");
    CHECK_STATUS(setting_read("SLIPWAY_TRIAL", words, 3, &which), SLIP_OK);
    CHECK_EQ_U64(which, 3);
    setenv("SLIPWAY_TRIAL", "", 1);
    CHECK_STATUS(setting_read("SLIPWAY_TRIAL", words, 2, &which), SLIP_OK);
    CHECK_EQ_U64(which, 2);
    for (uint32_t k = 0; k < 3; k++) {
        setenv("SLIPWAY_TRIAL", words[k], 1);
        CHECK_STATUS(setting_read("SLIPWAY_TRIAL", words, 3, &which), SLIP_OK);
        CHECK_EQ_U64(which, k);
    }
    unsetenv("SLIPWAY_TRIAL");
}

static void another_value_is_refused_with_what_it_might_have_been(void)
{
    static const char *const wrong[] = { "lef", "lefty", "Left", " left", "left,right" };
    char expected[160];
    uint32_t which = 77;

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("SLIPWAY_TRIAL", wrong[k], 1);
        CHECK_STATUS(setting_read("SLIPWAY_TRIAL", words, 3, &which), SLIP_ERR_ARGUMENT);
        snprintf(expected, sizeof expected,
                 "SLIPWAY_TRIAL is \"%s\"; it takes \"left\", \"right\", \"left-right\" or nothing",
                 wrong[k]);
        CHECK_TEXT(fail_last()->message, expected);
        CHECK_EQ_U64(which, 77);
    }
    CHECK_EQ_U64(mem_live(), 0);
    unsetenv("SLIPWAY_TRIAL");
}

static void a_long_value_leaves_room_for_what_is_taken(void)
{
    char value[300];
    uint32_t which;

    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    setenv("SLIPWAY_TRIAL", value, 1);
    CHECK_STATUS(setting_read("SLIPWAY_TRIAL", words, 3, &which), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "vvv...\"; it takes \"left\", \"right\"");
    unsetenv("SLIPWAY_TRIAL");
}

static void want_of_memory_is_told_as_such(void)
{
    uint32_t which;

    setenv("SLIPWAY_TRIAL", "wrong", 1);
    mem_fail_at(1);
    CHECK_STATUS(setting_read("SLIPWAY_TRIAL", words, 3, &which), SLIP_ERR_MEMORY);
    mem_fail_at(0);
    CHECK_EQ_U64(mem_live(), 0);
    unsetenv("SLIPWAY_TRIAL");
}

static const check_case cases[] = {
    CASE(a_word_is_found_and_nothing_is_none),
    CASE(another_value_is_refused_with_what_it_might_have_been),
    CASE(a_long_value_leaves_room_for_what_is_taken),
    CASE(want_of_memory_is_told_as_such),
};

CHECK_MAIN(cases)
