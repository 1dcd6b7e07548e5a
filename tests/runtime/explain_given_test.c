/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_given_test.c - plans of calls that this machine could not make: arrays said to live
 * elsewhere, facts taken back, kernels without code.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "module/write.h"
#include "runtime/hand.h"
#include "support/check.h"

/* As if the array that a call is given lived elsewhere: the same plan as without arguments. */
static void kinds_of_memory_hold_for_given_arguments_too(void)
{
    float x[4] = { 0 };
    int32_t n = 4;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };
    hand_device on;

    hand_open(&on);
    for (int kind = SLIP_MEMORY_PINNED; kind <= SLIP_MEMORY_DEVICE; kind++) {
        slip_memory_kind memory[] = { 0, 0, (slip_memory_kind)kind };
        slip_explain_options options = {
            .facts = "cuda", .args = args, .arg_count = 3, .memory = memory
        };
        slip_explain_options without = { .facts = "cuda", .memory = memory };
        char *given = NULL, *plain = NULL;
        CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &without, &plain), SLIP_OK);
        CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &given), SLIP_OK);
        CHECK_TEXT(given, plain);
        slip_text_free(given);
        slip_text_free(plain);
    }
    slip_memory_kind none[] = { 0, 0, (slip_memory_kind)4 };
    slip_explain_options options = { .args = args, .arg_count = 3, .memory = none };
    char *text = NULL;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &text), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "x: there is no memory of kind 4");
    CHECK(text == NULL);
    hand_close(&on);
}

/* Where an array is, and what a call would not look at, stays: memory of slip_alloc; no bytes. */
static void an_array_of_which_nothing_is_said_is_where_it_is(void)
{
    slip_memory_kind memory[] = { 0, SLIP_MEMORY_UNKNOWN, SLIP_MEMORY_DEVICE };
    float y[4] = { 0 };
    int32_t n = 4, none = 0;
    void *x = NULL;
    hand_device on;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, sizeof y, &x), SLIP_OK);
    slip_arg args[] = { ARG(n), { x, sizeof y }, ARRAY_ARG(y) };
    slip_arg empty[] = { ARG(none), { x, 0 }, { y, 0 } };
    slip_explain_options options = {
        .facts = "cuda", .args = args, .arg_count = 3, .memory = memory
    };
    char *text = NULL;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_NEXT), &options, &text), SLIP_OK);
    CHECK_CONTAINS(text, "array x: device memory");
    CHECK_CONTAINS(text, "array y: device memory");
    CHECK_CONTAINS(text, " 0 host waits\n");
    slip_text_free(text);
    text = NULL;
    options.args = empty;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_NEXT), &options, &text), SLIP_OK);
    CHECK_CONTAINS(text, "array y: unknown host memory");
    slip_text_free(text);
    hand_close(&on);
}

static void arrays_that_overlap_are_of_one_kind(void)
{
    float x[4] = { 0 };
    int32_t n = 4;
    slip_arg args[] = { ARG(n), ARRAY_ARG(x), ARRAY_ARG(x) };
    slip_memory_kind one[] = { 0, SLIP_MEMORY_DEVICE, SLIP_MEMORY_UNKNOWN };
    slip_memory_kind both[] = { 0, SLIP_MEMORY_DEVICE, SLIP_MEMORY_DEVICE };
    slip_explain_options options = { .facts = "cuda", .args = args, .arg_count = 3, .memory = one };
    char *text = NULL;
    hand_device on;

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_BOTH), &options, &text), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "arrays `x` and `y` of both overlap, and are said to be in memory of two kinds");
    CHECK(text == NULL);
    options.memory = both;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_BOTH), &options, &text), SLIP_OK);
    CHECK_CONTAINS(text, "array y: device memory, class 0");
    slip_text_free(text);
    hand_close(&on);
}

static void facts_that_the_environment_takes_back_do_not_hold(void)
{
    static const slip_explain_options cuda = { .facts = "cuda" };
    char *text = NULL, *before = NULL, *after = NULL;
    hand_device on;

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &cuda, &before), SLIP_OK);
    CHECK_CONTAINS(before, "download x, blocking");
    setenv("SLIPWAY_WITHOUT", "blocking_download_drains", 1);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &cuda, &text), SLIP_OK);
    CHECK(strstr(text, "download x, blocking") == NULL);
    CHECK_CONTAINS(text, "download x");
    slip_text_free(text);
    text = NULL;
    setenv("SLIPWAY_WITHOUT", "blocking_downloads", 1);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &cuda, &text), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "SLIPWAY_WITHOUT names \"blocking_downloads\"");
    CHECK(text == NULL);
    unsetenv("SLIPWAY_WITHOUT");
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &cuda, &after), SLIP_OK);
    CHECK_TEXT(after, before); /* the table of facts is as it was */
    slip_text_free(before);
    slip_text_free(after);
    hand_close(&on);
}

/* The hand module as a file without code: nothing of it runs anywhere. */
static void a_plan_needs_no_code(void)
{
    mod_module bare = *hand_module();
    slip_module *module = NULL;
    slip_entry *entry = NULL;
    slip_entry_info info;
    text file = { 0 };
    char *plan = NULL, *with_code = NULL;
    float x[4] = { 0 };
    int32_t n = 4;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };
    hand_device on;

    bare.code_count = 0;
    CHECK_STATUS(mod_write(&bare, &file), SLIP_OK);
    hand_open(&on);
    CHECK_STATUS(slip_module_load(on.device, file.data, file.bytes, &module), SLIP_ERR_UNSUPPORTED);
    CHECK(module == NULL);
    CHECK_STATUS(slip_module_inspect(on.device, file.data, file.bytes, &module), SLIP_OK);
    CHECK_STATUS(slip_module_find(module, "add", &entry), SLIP_OK);
    slip_entry_describe(entry, &info);
    CHECK_EQ_U64(info.param_count, 3);
    static const char *const facts[] = { NULL, "cpu", "cuda", "hip", "vulkan" };
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        const slip_explain_options options = { .facts = facts[k], .args = args, .arg_count = 3 };
        CHECK_STATUS(slip_explain(entry, &options, &plan), SLIP_OK);
        CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &with_code), SLIP_OK);
        CHECK_TEXT(plan, with_code);
        slip_text_free(plan);
        slip_text_free(with_code);
    }
    for (int again = 0; again < 2; again++) {
        CHECK_STATUS(slip_launch(on.stream, entry, args, 3, NULL, 0), SLIP_ERR_UNSUPPORTED);
        CHECK_CONTAINS(slip_last_error()->message, "slip_module_load loads one to be called");
        CHECK_CONTAINS(slip_last_error()->message, "while calling add");
    }
    CHECK_EQ_F64((double)x[0], 0.0);
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK); /* the stream is as it was */
    CHECK_EQ_F64((double)x[0], 1.0);
    slip_module_unload(module);
    CHECK_STATUS(slip_module_inspect(on.device, file.data, file.bytes / 2, &module),
                 SLIP_ERR_FORMAT);
    text_finish(&file);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(kinds_of_memory_hold_for_given_arguments_too),
    CASE(an_array_of_which_nothing_is_said_is_where_it_is),
    CASE(arrays_that_overlap_are_of_one_kind),
    CASE(facts_that_the_environment_takes_back_do_not_hold),
    CASE(a_plan_needs_no_code),
};

CHECK_MAIN(cases)
