/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_float_test.c - the operations on f32 and f64 and their conversions: edges by hand, and
 * random operands against MPFR, which rounds by its own integer arithmetic.
 */
#include "base/scalar.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <mpfr.h>

#include "support/check.h"

#define F32_NAN 0x7fc00000u
#define F64_NAN 0x7ff8000000000000u
#define F32_INF 0x7f800000u
#define F64_INF 0x7ff0000000000000u

static uint64_t f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float as_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double as_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t eval(scalar_op op, scalar_type type, uint64_t a, uint64_t b)
{
    return scalar_eval(op, type, type, a, b, 0);
}

static uint64_t convert(scalar_type to, scalar_type from, uint64_t a)
{
    return scalar_eval(SCALAR_OP_convert, to, from, a, 0, 0);
}

/* ---- against MPFR ---- */

/* The bits of an MPFR number known to be exact in the type, or rounded with `ternary`. */
static uint64_t bits_of(scalar_type type, mpfr_t x, int ternary)
{
    ternary = mpfr_check_range(x, ternary, MPFR_RNDN);
    mpfr_subnormalize(x, ternary, MPFR_RNDN);
    if (mpfr_nan_p(x))
        return type == SCALAR_f32 ? F32_NAN : F64_NAN;
    return type == SCALAR_f32 ? f32(mpfr_get_flt(x, MPFR_RNDN)) : f64(mpfr_get_d(x, MPFR_RNDN));
}

static void set(mpfr_t x, scalar_type type, uint64_t bits)
{
    if (type == SCALAR_f32)
        mpfr_set_flt(x, as_f32(bits), MPFR_RNDN);
    else
        mpfr_set_d(x, as_f64(bits), MPFR_RNDN);
}

static uint64_t by_mpfr(scalar_op op, scalar_type type, const uint64_t in[3])
{
    mpfr_t x, y, z, r;
    int ternary = 0;

    /* Exponents of MPFR are one above IEEE's: 0.1xxx. */
    mpfr_set_emin(type == SCALAR_f32 ? -148 : -1073);
    mpfr_set_emax(type == SCALAR_f32 ? 128 : 1024);
    mpfr_inits2(type == SCALAR_f32 ? 24 : 53, x, y, z, r, (mpfr_ptr)0);
    set(x, type, in[0]);
    set(y, type, in[1]);
    set(z, type, in[2]);
    switch (op) {
    case SCALAR_OP_add:
        ternary = mpfr_add(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_sub:
        ternary = mpfr_sub(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_mul:
        ternary = mpfr_mul(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_div:
        ternary = mpfr_div(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_rem:
        ternary = mpfr_fmod(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_sqrt:
        ternary = mpfr_sqrt(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_floor:
        ternary = mpfr_rint_floor(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_ceil:
        ternary = mpfr_rint_ceil(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_trunc:
        ternary = mpfr_rint_trunc(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_rint:
        ternary = mpfr_rint(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_fma:
        ternary = mpfr_fma(r, x, y, z, MPFR_RNDN);
        break;
    default:
        CHECK_FAIL("operation %d is not one of these", op);
    }
    uint64_t bits = bits_of(type, r, ternary);
    mpfr_clears(x, y, z, r, (mpfr_ptr)0);
    return bits;
}

static uint64_t random_state;

static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static const uint64_t edges_f32[] = {
    0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
    0x3fc00000, 0x4b000000, 0x4b000001, 0x7f7fffff, 0xff7fffff, F32_INF, 0xff800000, F32_NAN,
};
static const uint64_t edges_f64[] = {
    0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x3ff8000000000000,
    0x4330000000000000, 0x4330000000000001, 0x7fefffffffffffff, 0xffefffffffffffff, F64_INF,
    0xfff0000000000000, F64_NAN,
};
enum { FLOAT_EDGES = sizeof edges_f32 / sizeof edges_f32[0] };

/* Any bits, edges, or numbers near one another's size, where cancellation and ties are common. */
static uint64_t random_operand(scalar_type type)
{
    uint64_t r = random64(), bits = random64();

    if (r % 8 == 0)
        return (type == SCALAR_f32 ? edges_f32 : edges_f64)[(r >> 8) % FLOAT_EDGES];
    if (type == SCALAR_f32) {
        bits &= 0xffffffff;
        if (r % 2)
            bits = (bits & 0x80ffffff) | (0x3f000000 + ((r >> 8) % 8 << 23));
    } else if (r % 2) {
        bits = (bits & 0x800fffffffffffff) | (0x3fd0000000000000 + ((r >> 8) % 16 << 52));
    }
    return bits;
}

static const scalar_op rounded_ops[] = {
    SCALAR_OP_add,   SCALAR_OP_sub,  SCALAR_OP_mul,   SCALAR_OP_div,  SCALAR_OP_rem, SCALAR_OP_sqrt,
    SCALAR_OP_floor, SCALAR_OP_ceil, SCALAR_OP_trunc, SCALAR_OP_rint, SCALAR_OP_fma,
};

static void check_rounded(scalar_op op, scalar_type type, const uint64_t in[3])
{
    uint64_t got = scalar_eval(op, type, type, in[0], in[1], in[2]);
    uint64_t right = by_mpfr(op, type, in);

    if (got != right)
        CHECK_FAIL("%s %s %" PRIx64 " %" PRIx64 " %" PRIx64 " is %" PRIx64 ", MPFR says %" PRIx64,
                   scalar_ops[op].name, scalar_types[type].name, in[0], in[1], in[2], got, right);
}

static void arithmetic_rounds_once_as_mpfr_does(void)
{
    random_state = 0x9e3779b97f4a7c15;
    for (size_t o = 0; o < sizeof rounded_ops / sizeof rounded_ops[0]; o++)
        for (int i = 0; i < 6000; i++)
            for (scalar_type type = SCALAR_f32; type <= SCALAR_f64; type++) {
                uint64_t in[3] = { random_operand(type), random_operand(type),
                                   random_operand(type) };
                check_rounded(rounded_ops[o], type, in);
            }
}

static void arithmetic_is_right_at_every_pair_of_edges(void)
{
    for (size_t o = 0; o < sizeof rounded_ops / sizeof rounded_ops[0]; o++)
        for (int i = 0; i < FLOAT_EDGES; i++)
            for (int j = 0; j < FLOAT_EDGES; j++) {
                uint64_t narrow[3] = { edges_f32[i], edges_f32[j], edges_f32[(i + j) % FLOAT_EDGES] };
                uint64_t broad[3] = { edges_f64[i], edges_f64[j], edges_f64[(i + j) % FLOAT_EDGES] };
                check_rounded(rounded_ops[o], SCALAR_f32, narrow);
                check_rounded(rounded_ops[o], SCALAR_f64, broad);
            }
}

/* ---- by hand ---- */

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
    CASE(arithmetic_rounds_once_as_mpfr_does),
    CASE(arithmetic_is_right_at_every_pair_of_edges),
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
