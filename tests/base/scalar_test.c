/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_test.c - what C leaves open, bools, bit casts and choices, by hand; and what the tables
 * say.
 */
#include "base/scalar.h"

#include <inttypes.h>

#include "support/check.h"

typedef struct hand_row {
    scalar_op op;
    scalar_type type;
    int64_t a, b, result;
    bool exact;
} hand_row;

/* LANGUAGE rule 3, value by value. */
static const hand_row by_hand[] = {
    { SCALAR_OP_div, SCALAR_i32, 7, 0, 0, false },
    { SCALAR_OP_rem, SCALAR_i32, 7, 0, 7, false },
    { SCALAR_OP_rem, SCALAR_i32, -7, 0, -7, false },
    { SCALAR_OP_div, SCALAR_i32, INT32_MIN, -1, INT32_MIN, false },
    { SCALAR_OP_rem, SCALAR_i32, INT32_MIN, -1, 0, true },
    { SCALAR_OP_div, SCALAR_i64, INT64_MIN, -1, INT64_MIN, false },
    { SCALAR_OP_rem, SCALAR_i64, INT64_MIN, -1, 0, true },
    { SCALAR_OP_div, SCALAR_i32, -7, 2, -3, true },
    { SCALAR_OP_rem, SCALAR_i32, -7, 2, -1, true },
    { SCALAR_OP_rem, SCALAR_i32, 7, -2, 1, true },
    { SCALAR_OP_div, SCALAR_u64, -1, 2, INT64_MAX, true },
    { SCALAR_OP_shl, SCALAR_i32, 1, 33, 2, false },
    { SCALAR_OP_shl, SCALAR_i32, 1, 31, INT32_MIN, false },
    { SCALAR_OP_shl, SCALAR_u32, 1, 31, 0x80000000, true },
    { SCALAR_OP_shl, SCALAR_i64, 1, 64, 1, false },
    { SCALAR_OP_shl, SCALAR_i32, 1, -1, INT32_MIN, false },
    { SCALAR_OP_shr, SCALAR_i32, -8, 1, -4, true },
    { SCALAR_OP_shr, SCALAR_i32, -1, 31, -1, true },
    { SCALAR_OP_shr, SCALAR_u32, 0x80000000, 31, 1, true },
    { SCALAR_OP_shr, SCALAR_u32, 0x80000000, 32, 0x80000000, false },
    { SCALAR_OP_shr, SCALAR_i64, INT64_MIN, 63, -1, true },
    { SCALAR_OP_add, SCALAR_i32, INT32_MAX, 1, INT32_MIN, false },
    { SCALAR_OP_add, SCALAR_u8, 255, 1, 0, false },
    { SCALAR_OP_mul, SCALAR_i32, 65536, 65536, 0, false },
    { SCALAR_OP_mul, SCALAR_i64, INT64_MIN, -1, INT64_MIN, false },
    { SCALAR_OP_mul, SCALAR_u64, -1, -1, 1, false },
    { SCALAR_OP_neg, SCALAR_i8, -128, 0, -128, false },
    { SCALAR_OP_abs, SCALAR_i16, -32768, 0, -32768, false },
    { SCALAR_OP_neg, SCALAR_u32, 1, 0, 0xffffffff, false },
    { SCALAR_OP_not, SCALAR_u8, 0x0f, 0, 0xf0, true },
    { SCALAR_OP_not, SCALAR_i8, 0x0f, 0, -16, true },
    { SCALAR_OP_lt, SCALAR_u64, 1, -1, 1, true },
    { SCALAR_OP_lt, SCALAR_i64, 1, -1, 0, true },
    { SCALAR_OP_max, SCALAR_u32, 0xffffffff, 1, 0xffffffff, true },
};

static void what_c_leaves_open_has_the_languages_value(void)
{
    for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++) {
        const hand_row *row = &by_hand[i];
        uint64_t a = (uint64_t)row->a, b = (uint64_t)row->b, out = 0xdead;
        uint64_t got = scalar_eval(row->op, row->type, row->type, a, b, 0);
        bool exact = scalar_eval_exact(row->op, row->type, row->type, a, b, 0, &out);
        if (got != (uint64_t)row->result || exact != row->exact)
            CHECK_FAIL("row %zu: %s %s %" PRId64 " %" PRId64 " is %" PRId64 ", %sexact", i,
                       scalar_ops[row->op].name, scalar_types[row->type].name, row->a, row->b,
                       (int64_t)got, exact ? "" : "not ");
        CHECK_EQ_U64(out, exact ? (uint64_t)row->result : 0xdead);
    }
}

static void bool_has_logic_and_nothing_else(void)
{
    for (uint64_t a = 0; a < 2; a++) {
        CHECK_EQ_U64(scalar_eval(SCALAR_OP_not, SCALAR_bool, SCALAR_bool, a, 0, 0), 1 - a);
        for (uint64_t b = 0; b < 2; b++) {
            CHECK_EQ_U64(scalar_eval(SCALAR_OP_and, SCALAR_bool, SCALAR_bool, a, b, 0), a * b);
            CHECK_EQ_U64(scalar_eval(SCALAR_OP_or, SCALAR_bool, SCALAR_bool, a, b, 0), a + b > 0);
            CHECK_EQ_U64(scalar_eval(SCALAR_OP_xor, SCALAR_bool, SCALAR_bool, a, b, 0),
                         (a + b) % 2);
            CHECK_EQ_U64(scalar_eval(SCALAR_OP_eq, SCALAR_bool, SCALAR_bool, a, b, 0), a == b);
            CHECK_EQ_U64(scalar_eval(SCALAR_OP_ne, SCALAR_bool, SCALAR_bool, a, b, 0), a != b);
        }
    }
    CHECK(!scalar_allowed(SCALAR_OP_add, SCALAR_bool, SCALAR_bool));
    CHECK(!scalar_allowed(SCALAR_OP_shl, SCALAR_bool, SCALAR_bool));
    CHECK(!scalar_allowed(SCALAR_OP_lt, SCALAR_bool, SCALAR_bool));
}

static void bitcast_reads_the_same_bits_another_way(void)
{
    CHECK_EQ_I64(scalar_eval(SCALAR_OP_bitcast, SCALAR_i32, SCALAR_f32, 0x80000000, 0, 0),
                 INT32_MIN);
    CHECK_EQ_U64(scalar_eval(SCALAR_OP_bitcast, SCALAR_f32, SCALAR_i32,
                             (uint64_t)(int64_t)INT32_MIN, 0, 0), 0x80000000);
    CHECK_EQ_U64(scalar_eval(SCALAR_OP_bitcast, SCALAR_u8, SCALAR_i8, (uint64_t)-1, 0, 0), 255);
    /* A signalling NaN stays one. */
    CHECK_EQ_U64(scalar_eval(SCALAR_OP_bitcast, SCALAR_f32, SCALAR_u32, 0x7fa00001, 0, 0),
                 0x7fa00001);
    CHECK(!scalar_allowed(SCALAR_OP_bitcast, SCALAR_i32, SCALAR_f64));
    CHECK(!scalar_allowed(SCALAR_OP_bitcast, SCALAR_bool, SCALAR_u8));
    CHECK(scalar_allowed(SCALAR_OP_bitcast, SCALAR_u64, SCALAR_f64));
}

static void select_takes_whole_values(void)
{
    CHECK_EQ_U64(scalar_eval(SCALAR_OP_select, SCALAR_f32, SCALAR_bool, 1, 0x7fa00001, 5),
                 0x7fa00001);
    CHECK_EQ_U64(scalar_eval(SCALAR_OP_select, SCALAR_i64, SCALAR_bool, 0, 4, 5), 5);
}

static void the_tables_say_what_the_types_are(void)
{
    scalar_type found = SCALAR_bool;

    CHECK_TEXT(scalar_types[SCALAR_u16].name, "u16");
    CHECK_TEXT(scalar_types[SCALAR_i64].c_name, "int64_t");
    CHECK_TEXT(scalar_types[SCALAR_f32].npy_name, "<f4");
    CHECK(scalar_type_named("i16xyz", 3, &found) && found == SCALAR_i16);
    CHECK(scalar_type_named("f64", 3, &found) && found == SCALAR_f64);
    CHECK(!scalar_type_named("i6", 2, &found));
    CHECK(!scalar_type_named("", 0, &found));
    CHECK(!scalar_type_named("i644", 4, &found));
    CHECK_EQ_U64(found, SCALAR_f64);
    CHECK_EQ_U64(scalar_ops[SCALAR_OP_select].operands, 3);
    CHECK_EQ_U64(scalar_ops[SCALAR_OP_neg].operands, 1);
    CHECK_TEXT(scalar_ops[SCALAR_OP_shr].name, "shr");
}

static const check_case cases[] = {
    CASE(what_c_leaves_open_has_the_languages_value),
    CASE(bool_has_logic_and_nothing_else),
    CASE(bitcast_reads_the_same_bits_another_way),
    CASE(select_takes_whole_values),
    CASE(the_tables_say_what_the_types_are),
};
CHECK_MAIN(cases)
