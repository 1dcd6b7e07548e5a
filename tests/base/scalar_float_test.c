/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_float_test.c - the operations on f32 and f64 and their conversions, by hand.
 */
#include "base/scalar.h"

#include <inttypes.h>
#include <math.h>

#include "base/float_bits.h"
#include "support/check.h"

static uint64_t eval(scalar_op op, scalar_type type, uint64_t a, uint64_t b)
{
    return scalar_eval(op, type, type, a, b, 0);
}

static uint64_t convert(scalar_type to, scalar_type from, uint64_t a)
{
    return scalar_eval(SCALAR_OP_convert, to, from, a, 0, 0);
}

static void a_nan_that_arithmetic_makes_is_the_positive_quiet_one(void)
{
    CHECK_EQ_U64(eval(SCALAR_OP_div, SCALAR_f32, f32(0.0f), f32(0.0f)), F32_NAN);
    CHECK_EQ_U64(eval(SCALAR_OP_sub, SCALAR_f64, F64_INF, F64_INF), F64_NAN);
    CHECK_EQ_U64(eval(SCALAR_OP_sqrt, SCALAR_f64, f64(-1.0), 0), F64_NAN);
    CHECK_EQ_U64(eval(SCALAR_OP_add, SCALAR_f32, 0xffa00001, f32(1.0f)), F32_NAN);
    CHECK_EQ_U64(eval(SCALAR_OP_sqrt, SCALAR_f64, f64(-0.0), 0), f64(-0.0));
}

static void min_and_max_let_a_nan_lose_and_order_the_zeros(void)
{
    for (scalar_type type = SCALAR_f32; type <= SCALAR_f64; type++) {
        uint64_t minus = type == SCALAR_f32 ? f32(-0.0f) : f64(-0.0);
        uint64_t nan = type == SCALAR_f32 ? 0xffc00123 : 0xfff8000000000123;
        uint64_t inf = type == SCALAR_f32 ? F32_INF : F64_INF;
        uint64_t one = type == SCALAR_f32 ? f32(1) : f64(1), two = type == SCALAR_f32 ? f32(2) : f64(2);
        CHECK_EQ_U64(eval(SCALAR_OP_min, type, minus, 0), minus);
        CHECK_EQ_U64(eval(SCALAR_OP_min, type, 0, minus), minus);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, minus, 0), 0);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, 0, minus), 0);
        CHECK_EQ_U64(eval(SCALAR_OP_min, type, nan, inf), inf);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, inf, nan), inf);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, nan, minus), minus);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, nan, nan), nan);
        CHECK_EQ_U64(eval(SCALAR_OP_min, type, one, two), one);
        CHECK_EQ_U64(eval(SCALAR_OP_min, type, two, one), one);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, one, two), two);
        CHECK_EQ_U64(eval(SCALAR_OP_max, type, two, one), two);
    }
}

static void neg_and_abs_change_the_sign_alone(void)
{
    CHECK_EQ_U64(eval(SCALAR_OP_neg, SCALAR_f32, 0x7fa00001, 0), 0xffa00001);
    CHECK_EQ_U64(eval(SCALAR_OP_neg, SCALAR_f64, 0, 0), f64(-0.0));
    CHECK_EQ_U64(eval(SCALAR_OP_neg, SCALAR_f64, 0x7ff4000000000001, 0), 0xfff4000000000001);
    CHECK_EQ_U64(eval(SCALAR_OP_abs, SCALAR_f32, 0xffc00005, 0), 0x7fc00005);
    CHECK_EQ_U64(eval(SCALAR_OP_abs, SCALAR_f64, f64(-0.0), 0), 0);
}

static void comparisons_are_ordered_except_ne(void)
{
    for (scalar_type type = SCALAR_f32; type <= SCALAR_f64; type++) {
        uint64_t nan = type == SCALAR_f32 ? F32_NAN : F64_NAN;
        uint64_t one = type == SCALAR_f32 ? f32(1) : f64(1);
        uint64_t minus = type == SCALAR_f32 ? f32(-0.0f) : f64(-0.0);
        CHECK_EQ_U64(eval(SCALAR_OP_eq, type, nan, nan), 0);
        CHECK_EQ_U64(eval(SCALAR_OP_ne, type, nan, nan), 1);
        CHECK_EQ_U64(eval(SCALAR_OP_lt, type, nan, one), 0);
        CHECK_EQ_U64(eval(SCALAR_OP_le, type, one, nan), 0);
        CHECK_EQ_U64(eval(SCALAR_OP_eq, type, minus, 0), 1);
        CHECK_EQ_U64(eval(SCALAR_OP_lt, type, minus, 0), 0);
        CHECK_EQ_U64(eval(SCALAR_OP_le, type, 0, minus), 1);
        CHECK_EQ_U64(eval(SCALAR_OP_lt, type, 0, one), 1);
        CHECK_EQ_U64(eval(SCALAR_OP_lt, type, one, 0), 0);
    }
}

static void rint_goes_to_the_even_neighbour(void)
{
    static const double rows[][2] = { { 0.5, 0 }, { 1.5, 2 }, { 2.5, 2 }, { -0.5, -0.0 },
                                      { -1.5, -2 }, { 0x1p52 + 1, 0x1p52 + 1 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_EQ_F64(as_f64(eval(SCALAR_OP_rint, SCALAR_f64, f64(rows[i][0]), 0)), rows[i][1]);
    CHECK_EQ_U64(eval(SCALAR_OP_rint, SCALAR_f32, f32(2.5f), 0), f32(2.0f));
}

typedef struct saturate_row {
    scalar_type to;
    double value;
    uint64_t result;
    bool exact;
} saturate_row;

/* LANGUAGE rules 3 and 26; the edges are the last numbers inside and the first outside. */
static const saturate_row saturated[] = {
    { SCALAR_i8, 127.9, 127, true },
    { SCALAR_i8, 128, 127, false },
    { SCALAR_i8, -128.9, (uint64_t)-128, true },
    { SCALAR_i8, -127, (uint64_t)-127, true },
    { SCALAR_i8, -129, (uint64_t)-128, false },
    { SCALAR_u8, 300, 255, false },
    { SCALAR_u8, 255.5, 255, true },
    { SCALAR_u8, 256, 255, false },
    { SCALAR_u8, -5, 0, false },
    { SCALAR_u8, -0.9, 0, true },
    { SCALAR_u8, -1, 0, false },
    { SCALAR_i16, 40000, 32767, false },
    { SCALAR_i16, -32768, (uint64_t)-32768, true },
    { SCALAR_u16, 65535, 65535, true },
    { SCALAR_u16, 1e10, 65535, false },
    { SCALAR_i32, 3e9, INT32_MAX, false },
    { SCALAR_i32, 2147483647.0, INT32_MAX, true },
    { SCALAR_i32, 2147483648.0, INT32_MAX, false },
    { SCALAR_i32, -2147483648.0, (uint64_t)INT32_MIN, true },
    { SCALAR_i32, -2147483647.0, (uint64_t)-2147483647, true },
    { SCALAR_i32, -1e300, (uint64_t)INT32_MIN, false },
    { SCALAR_u32, 4294967295.0, UINT32_MAX, true },
    { SCALAR_u32, 4294967296.0, UINT32_MAX, false },
    { SCALAR_i64, 0x1.fffffffffffffp62, 0x7ffffffffffffc00, true },
    { SCALAR_i64, 0x1p63, INT64_MAX, false },
    { SCALAR_i64, -0x1p63, (uint64_t)INT64_MIN, true },
    { SCALAR_i64, -0x1.0000000000001p63, (uint64_t)INT64_MIN, false },
    { SCALAR_u64, 0x1.fffffffffffffp63, 0xfffffffffffff800, true },
    { SCALAR_u64, 0x1p64, UINT64_MAX, false },
    { SCALAR_u64, -0.0, 0, true },
    { SCALAR_i32, -2.9, (uint64_t)-2, true },
    { SCALAR_i64, HUGE_VAL, INT64_MAX, false },
    { SCALAR_i16, -HUGE_VAL, (uint64_t)-32768, false },
};

static void floats_become_integers_by_truncation_and_saturation(void)
{
    for (size_t i = 0; i < sizeof saturated / sizeof saturated[0]; i++) {
        const saturate_row *row = &saturated[i];
        uint64_t out = 0xdead;
        bool exact = scalar_eval_exact(SCALAR_OP_convert, row->to, SCALAR_f64, f64(row->value), 0, 0,
                                       &out);
        if (convert(row->to, SCALAR_f64, f64(row->value)) != row->result || exact != row->exact)
            CHECK_FAIL("%s of %.17g is %" PRIx64 ", %sexact", scalar_types[row->to].name, row->value,
                       convert(row->to, SCALAR_f64, f64(row->value)), exact ? "" : "not ");
        CHECK_EQ_U64(out, exact ? row->result : 0xdead);
        if ((double)(float)row->value == row->value)
            CHECK_EQ_U64(convert(row->to, SCALAR_f32, f32((float)row->value)), row->result);
    }
    for (scalar_type to = SCALAR_i8; to <= SCALAR_u64; to++) {
        uint64_t out = 0xdead;
        CHECK_EQ_U64(convert(to, SCALAR_f32, 0xffc00000), 0);
        CHECK_EQ_U64(convert(to, SCALAR_f64, F64_NAN), 0);
        CHECK(!scalar_eval_exact(SCALAR_OP_convert, to, SCALAR_f64, F64_NAN, 0, 0, &out));
        CHECK_EQ_U64(out, 0xdead);
    }
}

static void integers_become_floats_rounded_once(void)
{
    /* 2^24 + 1 and + 3 are ties; by way of double a long would be rounded twice. */
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_i32, 16777217), f32(16777216.0f));
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_i32, 16777219), f32(16777220.0f));
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_i64, 0x8000004000000001 >> 1), f32(0x1p62f));
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_i64, 0x4000004000000001), f32(0x1.000002p62f));
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_u64, 0x8000008000000001), f32(0x1.000002p63f));
    CHECK_EQ_U64(convert(SCALAR_f64, SCALAR_u64, UINT64_MAX), f64(0x1p64));
    CHECK_EQ_U64(convert(SCALAR_f64, SCALAR_i64, UINT64_MAX), f64(-1.0));
    CHECK_EQ_U64(convert(SCALAR_f64, SCALAR_u64, 0x20000000000001), f64(0x1p53));
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_i8, (uint64_t)-128), f32(-128.0f));
    CHECK_EQ_U64(convert(SCALAR_f64, SCALAR_bool, 1), f64(1.0));
}

static void floats_change_width_and_become_bool(void)
{
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_f64, f64(1e300)), F32_INF);
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_f64, f64(-0.0)), f32(-0.0f));
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_f64, f64(0x1.000001p0)), f32(1.0f)); /* a tie */
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_f64, f64(0x1p-150)), 0);
    CHECK_EQ_U64(convert(SCALAR_f32, SCALAR_f64, f64(0x1.8p-150)), 1);
    CHECK_EQ_U64(convert(SCALAR_f64, SCALAR_f32, 1), f64(0x1p-149));
    CHECK_EQ_U64(convert(SCALAR_f64, SCALAR_f32, 0xffa00001), F64_NAN);
    CHECK_EQ_U64(convert(SCALAR_bool, SCALAR_f32, 0x80000000), 0);
    CHECK_EQ_U64(convert(SCALAR_bool, SCALAR_f32, 1), 1);
    CHECK_EQ_U64(convert(SCALAR_bool, SCALAR_f64, F64_NAN), 1);
    CHECK_EQ_U64(convert(SCALAR_bool, SCALAR_f64, f64(0.5)), 1);
}

static void floats_are_always_exact_for_extents(void)
{
    uint64_t out = 0;

    CHECK(scalar_eval_exact(SCALAR_OP_div, SCALAR_f64, SCALAR_f64, f64(1), f64(0), 0, &out));
    CHECK_EQ_U64(out, F64_INF);
    CHECK(scalar_eval_exact(SCALAR_OP_convert, SCALAR_f32, SCALAR_i64, 16777217, 0, 0, &out));
    CHECK_EQ_U64(out, f32(16777216.0f));
}

static void floats_have_no_bit_operations(void)
{
    CHECK(!scalar_allowed(SCALAR_OP_and, SCALAR_f32, SCALAR_f32));
    CHECK(!scalar_allowed(SCALAR_OP_not, SCALAR_f64, SCALAR_f64));
    CHECK(!scalar_allowed(SCALAR_OP_shl, SCALAR_f32, SCALAR_f32));
    CHECK(scalar_allowed(SCALAR_OP_fma, SCALAR_f32, SCALAR_f32));
    CHECK(!scalar_allowed(SCALAR_OP_fma, SCALAR_i32, SCALAR_i32));
    CHECK(!scalar_allowed(SCALAR_OP_sqrt, SCALAR_u64, SCALAR_u64));
}

static const check_case cases[] = {
    CASE(a_nan_that_arithmetic_makes_is_the_positive_quiet_one),
    CASE(min_and_max_let_a_nan_lose_and_order_the_zeros),
    CASE(neg_and_abs_change_the_sign_alone),
    CASE(comparisons_are_ordered_except_ne),
    CASE(rint_goes_to_the_even_neighbour),
    CASE(floats_become_integers_by_truncation_and_saturation),
    CASE(integers_become_floats_rounded_once),
    CASE(floats_change_width_and_become_bool),
    CASE(floats_are_always_exact_for_extents),
    CASE(floats_have_no_bit_operations),
};
CHECK_MAIN(cases)
