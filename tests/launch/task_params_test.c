/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task_params_test.c - the bytes that a shader is told, laid out by hand as module.h says; and
 * grids against counting.
 */
#include <string.h>

#include "base/fail.h"
#include "launch/task_params.h"
#include "support/check.h"

static task_params params;

/* A task of `rank` axes of these counts, with one argument of 8 bytes after them. */
static task_launch begin(mod_task *task, uint32_t rank, const int64_t *counts)
{
    uint8_t *block = task_params_block(&params);
    task_launch launch = { .task = task, .total = 1, .cells = 0x1122334455667788 };

    memset(&params, 0xee, sizeof params);
    memset(params.recips, 0, sizeof params.recips);
    *task = (mod_task){ .name = "k:1", .rank = rank, .block_bytes = 16 * rank + 8 };
    for (uint32_t k = 0; k < rank; k++) {
        int64_t axis[2] = { 5, counts[k] };
        memcpy(block + 16 * (size_t)k, axis, sizeof axis);
        launch.total *= counts[k];
    }
    memcpy(block + 16 * (size_t)rank, "argument", 8);
    return launch;
}

static uint64_t word(const task_given *given, uint32_t at)
{
    uint64_t value;

    memcpy(&value, given->bytes + at, sizeof value);
    return value;
}

static void one_axis_has_three_words_and_its_block(void)
{
    mod_task task;
    mod_shader shader = { .inline_block = true };
    task_given given;
    task_launch launch = begin(&task, 1, (int64_t[]){ 1000 });

    CHECK_STATUS(task_params_make(&params, &launch, &shader, 48, &given), SLIP_OK);
    CHECK_EQ_U64(given.count, 48);
    CHECK_EQ_U64(word(&given, 0), 0);
    CHECK_EQ_U64(word(&given, 8), 1000);
    CHECK_EQ_U64(word(&given, 16), 0x1122334455667788);
    CHECK_EQ_U64(word(&given, 24), 5);
    CHECK_EQ_U64(word(&given, 32), 1000);
    CHECK(memcmp(given.bytes + 40, "argument", 8) == 0);
    CHECK_EQ_U64((uintptr_t)given.bytes % 8, 0);
    task_params_begin_at(&given, 512);
    CHECK_EQ_U64(word(&given, 0), 512);
    CHECK_EQ_U64(word(&given, 8), 1000);
}

static void a_serial_task_has_no_axis(void)
{
    mod_task task;
    mod_shader shader = { .inline_block = true };
    task_given given;
    task_launch launch = begin(&task, 0, NULL);

    CHECK_STATUS(task_params_make(&params, &launch, &shader, 4096, &given), SLIP_OK);
    CHECK_EQ_U64(given.count, 32);
    CHECK_EQ_U64(word(&given, 8), 1);
    CHECK(memcmp(given.bytes + 24, "argument", 8) == 0);
}

/* 640 = 5 * 128: x / 640 = x * magic >> (32 + 9), magic = floor(2^41 / 640) + 1; a power of two
 * shifts alone. */
static void fast_axes_have_reciprocals_the_fastest_first(void)
{
    mod_task task;
    mod_shader shader = { .inline_block = true };
    task_given given;
    task_launch launch = begin(&task, 3, (int64_t[]){ 7, 64, 640 });

    CHECK_STATUS(task_params_make(&params, &launch, &shader, 4096, &given), SLIP_OK);
    CHECK_EQ_U64(given.count, 24 + 16 + 48 + 8);
    CHECK_EQ_U64(word(&given, 24), 3435973837u | (uint64_t)9 << 32);
    CHECK_EQ_U64(word(&given, 32), (uint64_t)6 << 32);
    CHECK_EQ_U64(word(&given, 40), 5);
    CHECK_EQ_U64(word(&given, 48), 7);
    CHECK_EQ_U64((uintptr_t)given.bytes % 8, 0);
}

static void what_is_not_known_or_too_large_is_divided(void)
{
    mod_task task;
    mod_shader plain = { .inline_block = true },
               strided = { .inline_block = true, .strided = true };
    task_given given;
    task_launch launch = begin(&task, 2, (int64_t[]){ 1 << 20, 1 << 12 });

    CHECK_STATUS(task_params_make(&params, &launch, &plain, 4096, &given), SLIP_OK);
    CHECK_EQ_U64(word(&given, 24), (uint64_t)255 << 32);
    launch = begin(&task, 2, (int64_t[]){ 3, 3 });
    CHECK_STATUS(task_params_make(&params, &launch, &strided, 4096, &given), SLIP_OK);
    CHECK_EQ_U64(word(&given, 24), (uint64_t)255 << 32);
}

static void a_block_apart_is_an_address(void)
{
    mod_task task;
    mod_shader shader = { 0 };
    task_given given;
    task_launch launch = begin(&task, 2, (int64_t[]){ 3, 10 });

    launch.block_address = 0xabcdef;
    CHECK_STATUS(task_params_make(&params, &launch, &shader, 40, &given), SLIP_OK);
    CHECK_EQ_U64(given.count, 40);
    CHECK_EQ_U64(word(&given, 8), 30);
    CHECK_EQ_U64(word(&given, 32), 0xabcdef);
    CHECK(memcmp(task_params_block(&params) + 32, "argument", 8) == 0); /* the block stands */
}

static void too_many_bytes_are_refused(void)
{
    mod_task task;
    mod_shader shader = { .inline_block = true };
    task_given given = { NULL, 7 };
    task_launch launch = begin(&task, 1, (int64_t[]){ 4 });

    CHECK_STATUS(task_params_make(&params, &launch, &shader, 47, &given), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "task k:1: 48 bytes of parameters do not fit 47");
    CHECK_EQ_U64(given.count, 7);
    fail_clear();
}

/* ---- grids ----------------------------------------------------------------------------------- */

static void grids_hold_what_they_say_and_keep_to_the_limits(void)
{
    static const uint64_t limits[][3] = {
        { 1 << 30, 65535, 65535 }, { 65535, 65535, 65535 }, { 3, 2, 2 }, { 1, 1, 1 }, { 2, 1, 7 },
        { UINT64_MAX, 1, 1 }
    };
    static const uint64_t wanted[] = { 1, 2, 3, 5, 12, 13, 65535, 65536, 1 << 30, (1 << 30) + 1 };

    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++)
        for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++) {
            const uint64_t *most = limits[l];
            uint32_t groups[3];
            uint64_t count = task_grid(most, wanted[w], groups), whole = 1;
            for (int k = 0; k < 3; k++) {
                CHECK(groups[k] >= 1 && groups[k] <= most[k]);
                whole *= groups[k];
            }
            uint64_t room = most[0] > 1 << 30 ? 1 << 30 : most[0];
            for (int k = 1; k < 3; k++)
                room = room * most[k] > 1 << 30 ? 1 << 30 : room * most[k];
            CHECK(whole <= 1 << 30);
            CHECK(count <= wanted[w] && count <= whole);
            if (most[1] <= 2 || wanted[w] <= most[0]) /* all that the limits let it have */
                CHECK_EQ_U64(count, wanted[w] < room ? wanted[w] : room);
            CHECK(count > 0);
        }
}

static void a_grid_that_fits_one_axis_is_exact(void)
{
    uint32_t groups[3];

    CHECK_EQ_U64(task_grid((uint64_t[]){ 1 << 30, 65535, 65535 }, 1000, groups), 1000);
    CHECK_EQ_U64(groups[0], 1000);
    CHECK_EQ_U64(groups[1], 1);
    CHECK_EQ_U64(groups[2], 1);
}

static const check_case cases[] = {
    CASE(one_axis_has_three_words_and_its_block),
    CASE(a_serial_task_has_no_axis),
    CASE(fast_axes_have_reciprocals_the_fastest_first),
    CASE(what_is_not_known_or_too_large_is_divided),
    CASE(a_block_apart_is_an_address),
    CASE(too_many_bytes_are_refused),
    CASE(grids_hold_what_they_say_and_keep_to_the_limits),
    CASE(a_grid_that_fits_one_axis_is_exact),
};
CHECK_MAIN(cases)
