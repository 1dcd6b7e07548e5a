/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_refuse_test.c - calls that are refused before anything runs, and what the refusal says.
 */
#include "runtime/hand.h"
#include "support/check.h"

static void more_iterations_than_63_bits_are_refused(void)
{
    hand_device on;
    int64_t out = 0, lo = INT64_MIN, hi = INT64_MAX;
    slip_arg args[] = { ARG(lo), ARG(hi), ARG(out) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_WIDE, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "wide:61");
    lo = hi = (int64_t)1 << 32;
    CHECK_STATUS(LAUNCH(&on, HAND_SQUARE, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "4294967296 * 4294967296");
    CHECK_CONTAINS(slip_last_error()->message, "hand.c:66");
    hand_close(&on);
}

static void null_for_a_non_empty_array_is_refused(void)
{
    hand_device on;
    int32_t n = 5;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), { NULL, 20 } };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "array `x` of add is NULL; its extents need 20 bytes (hand.c:3)");
    hand_close(&on);
}

static void extents_that_overflow_or_are_negative_are_refused(void)
{
    hand_device on;
    int32_t n = 65536, m = 65536;
    float x[1];
    slip_arg args[] = { ARG(n), ARG(m), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_AREA, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "`n * m` overflows: 65536 * 65536 does not fit i32 (hand.c:30)");
    n = -3;
    m = 1;
    CHECK_STATUS(LAUNCH(&on, HAND_AREA, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "extent `n * m` of `x` is negative: -3");
    hand_close(&on);
}

static void counts_and_sizes_of_arguments_are_checked(void)
{
    hand_device on;
    int32_t n = 4;
    int64_t wide = 4;
    float a = 1, x[3] = { 0 };
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };
    slip_arg wrong[] = { ARG(wide), ARG(a), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), args, 2, NULL, 0),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "add takes 3 arguments, 2 were given");
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), NULL, 3, NULL, 0),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "the list of the 3 arguments of add is NULL");
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, wrong), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "`n` of add, is i32 of 4 bytes; 8 were given");
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "array `x` of add has 12 bytes; its extents need 16");
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), args, 3, &wide, 8),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "add has no result");
    CHECK_EQ_F64((double)x[0], 0.0);
    slip_stats stats;
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 0);
    hand_close(&on);
}

static void a_result_of_the_wrong_size_is_refused(void)
{
    hand_device on;
    int32_t x[1] = { 4 }, narrow = 0;
    int64_t n = 1;
    slip_arg args[] = { ARG(n), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &narrow, sizeof narrow),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "the result of sum has 8 bytes, the place for it 4");
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(more_iterations_than_63_bits_are_refused),
    CASE(null_for_a_non_empty_array_is_refused),
    CASE(extents_that_overflow_or_are_negative_are_refused),
    CASE(counts_and_sizes_of_arguments_are_checked),
    CASE(a_result_of_the_wrong_size_is_refused),
};

CHECK_MAIN(cases)
