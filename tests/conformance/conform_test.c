/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform_test.c - the harness itself: it sees every difference it must see, and its reduction tree
 * is the one of the language, by examples worked out by hand.
 */
#include "conform.h"

#include <math.h>
#include <string.h>

#include "conform_tree.h"

static conform nobody(void)
{
    return (conform){ .size = -1 };
}

#define DIFFERS(T, a, b)                                                                          \
    do {                                                                                          \
        conform c_ = nobody();                                                                    \
        conform_same(&c_, "x", TYPE_##T, &(T){ a }, &(T){ b }, 1);                                \
        CHECK(c_.failure[0] != '\0');                                                             \
    } while (0)
#define EQUALS(T, a, b)                                                                           \
    do {                                                                                          \
        conform c_ = nobody();                                                                    \
        conform_same(&c_, "x", TYPE_##T, &(T){ a }, &(T){ b }, 1);                                \
        CHECK_TEXT(c_.failure, "");                                                               \
    } while (0)

static void values_are_compared_by_bits(void)
{
    EQUALS(i8, -1, -1);
    DIFFERS(i8, -1, 1);
    DIFFERS(u64, UINT64_MAX, UINT64_MAX - 1);
    DIFFERS(f32, 0.0f, -0.0f);
    DIFFERS(f64, 1.0, nextafter(1.0, 2.0));
    DIFFERS(f32, NAN, 1.0f);
    DIFFERS(bool, true, false);
}

static void nans_are_one_class(void)
{
    EQUALS(f32, NAN, -NAN);
    EQUALS(f64, NAN, slip_bits_f64(0x7ff0000000000001u));
    DIFFERS(f32, INFINITY, NAN);
    DIFFERS(u32, 0x7fc00000u, 0xffc00000u); /* as integers they are two numbers */
}

static void the_first_difference_is_named(void)
{
    const i32 got[] = { 1, 2, 3, 9 }, want[] = { 1, 2, 4, 8 };
    conform c = nobody();

    c.size = 4;
    conform_same(&c, "out", TYPE_i32, got, want, 4);
    CHECK_TEXT(c.failure, "out[2] is 3 (0x3), expected 4 (0x4), at size 4");
    conform_same(&c, "other", TYPE_i32, got, want, 4);
    CHECK_CONTAINS(c.failure, "out[2]"); /* the first failure stays */
}

static void members_are_compared_and_padding_is_not(void)
{
    struct padded {
        i8 a;
        i32 b[2];
    } got = { 1, { 2, 3 } }, want;
    static const conform_field fields[] = { FIELD(struct padded, a, i8),
                                            FIELDS(struct padded, b, i32, 2) };
    conform c = nobody();

    memset(&want, 0x77, sizeof want);
    want.a = 1;
    want.b[0] = 2;
    want.b[1] = 3;
    conform_same_fields(&c, "x", &got, &want, sizeof got, 1, fields, 2);
    CHECK_TEXT(c.failure, "");
    want.b[1] = 4;
    conform_same_fields(&c, "x", &got, &want, sizeof got, 1, fields, 2);
    CHECK_TEXT(c.failure, "x[0].b is 3 (0x3), expected 4 (0x4)");
}

static void writes_outside_an_array_are_found(void)
{
    for (int at = 0; at < 2; at++) {
        conform c = nobody();
        int64_t size;
        unsigned char *x;
        CHECK(conform_each(&c, 0, (const int64_t[]){ 5 }, 1, &size));
        x = conform_values(&c, TYPE_u8, PLAIN, 10);
        x[at ? 10 : -1] ^= 1;
        CHECK(!conform_each(&c, 1, (const int64_t[]){ 5 }, 1, &size));
        CHECK_CONTAINS(c.failure, at ? "byte 0 after an array of 10 bytes"
                                     : "byte 1 before an array of 10 bytes");
        CHECK(c.blocks == NULL);
    }
}

static void values_repeat_and_differ_between_arrays(void)
{
    conform a = nobody(), b = nobody();
    int64_t size;
    const u64 *x, *y, *z;

    CHECK(conform_each(&a, 0, (const int64_t[]){ 1 }, 1, &size));
    CHECK(conform_each(&b, 0, (const int64_t[]){ 1 }, 1, &size));
    x = conform_values(&a, TYPE_u64, PLAIN, 100);
    y = conform_values(&b, TYPE_u64, PLAIN, 100);
    z = conform_values(&b, TYPE_u64, PLAIN, 100);
    CHECK(memcmp(x, y, 800) == 0);
    for (int i = 0; i < 100; i++)
        CHECK(y[i] != z[i]);
    conform_each(&a, 1, NULL, 1, &size);
    conform_each(&b, 1, NULL, 1, &size);
}

static void wild_values_have_the_specials(void)
{
    conform c = nobody();
    int64_t size;
    bool nan = false, zero = false, denormal = false, infinite = false, plain = false;
    const f32 *x;

    CHECK(conform_each(&c, 0, (const int64_t[]){ 1 }, 1, &size));
    x = conform_values(&c, TYPE_f32, WILD, 1000);
    for (int i = 0; i < 1000; i++) {
        nan |= isnan(x[i]);
        zero |= x[i] == 0 && signbit(x[i]);
        infinite |= isinf(x[i]);
        denormal |= fpclassify(x[i]) == FP_SUBNORMAL;
        plain |= fabsf(x[i]) > 1 && fabsf(x[i]) < 100;
    }
    CHECK(nan && zero && infinite && denormal && plain);
    conform_each(&c, 1, NULL, 1, &size);
}

/* A lane folds k and k + 64 before it meets lane + 32: 1e8 swallows the 1. */
static void a_lane_is_folded_before_lanes_meet(void)
{
    f32 x[65] = { [0] = 1e8f, [32] = -1e8f, [64] = 1 };

    CHECK_EQ_F64(tree_f32(TREE_ADD, 0, x, 65), 0);
    x[64] = 0;
    x[63] = 1; /* lane 63 goes down another path: it meets 31, 15, 7, 3, 1 */
    CHECK_EQ_F64(tree_f32(TREE_ADD, 0, x, 65), 1);
}

/* Halving: 0 meets 32 first, then 16, then 8, 4, 2, 1. */
static void lanes_are_folded_by_halving(void)
{
    f32 x[64] = { [0] = 1e8f, [1] = 1, [16] = 1, [32] = -1e8f };

    CHECK_EQ_F64(tree_f32(TREE_ADD, 0, x, 64), 2);
    x[32] = 0;
    x[1] = -1e8f;
    CHECK_EQ_F64(tree_f32(TREE_ADD, 0, x, 64), 0); /* 16 comes before 1 */
}

/* Blocks of 1024 are a new sequence: block 64 falls into the lane of block 0. */
static void blocks_are_folded_as_their_parts_were(void)
{
    static f32 x[1024 * 65];

    x[5] = 1e8f;
    x[32 * 1024 + 900] = -1e8f;
    x[64 * 1024] = 1;
    CHECK_EQ_F64(tree_f32(TREE_ADD, 0, x, 1024 * 65), 0);
    x[64 * 1024] = 0;
    x[63 * 1024] = 1;
    CHECK_EQ_F64(tree_f32(TREE_ADD, 0, x, 1024 * 65), 1);
}

static void the_old_value_is_first_operand_and_last_step(void)
{
    const f32 x[] = { 1, -1e8f };

    CHECK_EQ_F64(tree_f32(TREE_ADD, 1e8f, x, 2), 0);
    CHECK_EQ_F64(tree_f32(TREE_ADD, -0.0f, x, 0), -0.0);
    CHECK_EQ_F64(tree_f64(TREE_MUL, 3, NULL, 0), 3);
}

static void sums_of_many_are_close(void)
{
    enum { MANY = 10000000 };
    static f32 x[MANY];
    f64 exact = 0;
    f32 got;

    for (int i = 0; i < MANY; i++) {
        x[i] = (f32)(i % 1000) / 999;
        exact += (f64)x[i];
    }
    got = tree_f32(TREE_ADD, 0, x, MANY);
    CHECK_NEAR((f64)got / exact, 1, 2e-7); /* a serial f32 loop is off by 1e-5 */
}

static const check_case cases[] = {
    CASE(values_are_compared_by_bits),
    CASE(nans_are_one_class),
    CASE(the_first_difference_is_named),
    CASE(members_are_compared_and_padding_is_not),
    CASE(writes_outside_an_array_are_found),
    CASE(values_repeat_and_differ_between_arrays),
    CASE(wild_values_have_the_specials),
    CASE(a_lane_is_folded_before_lanes_meet),
    CASE(lanes_are_folded_by_halving),
    CASE(blocks_are_folded_as_their_parts_were),
    CASE(the_old_value_is_first_operand_and_last_step),
    CASE(sums_of_many_are_close),
};
CHECK_MAIN(cases)
