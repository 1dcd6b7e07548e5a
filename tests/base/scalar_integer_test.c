/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_integer_test.c - the integer operations and conversions: all pairs of 8 bits, and every
 * pair of edges of the wider types, against arithmetic done in 128 bits by other means.
 */
#include "base/scalar.h"

#include <inttypes.h>
#include <string.h>

#include "support/check.h"

__extension__ typedef __int128 wide; /* holds every exact result but a 64-bit product's */

static const scalar_type integers[] = { SCALAR_i8,  SCALAR_u8,  SCALAR_i16, SCALAR_u16,
                                        SCALAR_i32, SCALAR_u32, SCALAR_i64, SCALAR_u64 };
enum { INTEGERS = sizeof integers / sizeof integers[0], EDGES = 40 };

/* The type's facts, written out again on purpose. */
static int width(scalar_type type)
{
    static const int widths[] = { 8, 8, 8, 16, 16, 32, 32, 64, 64, 32, 64 };
    return widths[type];
}

static bool is_signed(scalar_type type)
{
    return type == SCALAR_i8 || type == SCALAR_i16 || type == SCALAR_i32 || type == SCALAR_i64;
}

static wide two_to(int n)
{
    return (wide)1 << n;
}

static wide lowest(scalar_type type)
{
    return is_signed(type) ? -two_to(width(type) - 1) : 0;
}

static wide highest(scalar_type type)
{
    return two_to(width(type) - is_signed(type)) - 1;
}

/* The number that is congruent to v and fits the type, found by division. */
static wide wrapped(scalar_type type, wide v)
{
    wide span = two_to(width(type)), r = v % span;

    if (r < 0)
        r += span;
    return r > highest(type) ? r - span : r;
}

static wide value_of(scalar_type type, uint64_t bits)
{
    return is_signed(type) ? (wide)(int64_t)bits : (wide)bits;
}

static uint64_t bits_of(wide v)
{
    return (uint64_t)v;
}

static wide floor_div(wide a, wide b)
{
    wide q = a / b;

    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/*
 * What the language says op gives, and whether that is also what mathematics says. Products of
 * 64-bit operands are kept in range by taking them apart.
 */
static wide expected(scalar_op op, scalar_type type, wide a, wide b, bool *exact)
{
    int w = width(type);
    wide count = ((b % w) + w) % w;
    wide v = 0;

    *exact = true;
    switch (op) {
    case SCALAR_OP_add:
        v = a + b;
        break;
    case SCALAR_OP_sub:
        v = a - b;
        break;
    case SCALAR_OP_mul: {
        wide product;
        if (__builtin_mul_overflow(a, b, &product)) { /* only u64: the exact one has 128 bits */
            *exact = false;
            return bits_of(a) * bits_of(b);
        }
        v = product;
        break;
    }
    case SCALAR_OP_div:
        v = b == 0 ? 0 : a / b;
        *exact = b != 0;
        break;
    case SCALAR_OP_rem:
        v = b == 0 ? a : a - a / b * b;
        *exact = b != 0;
        break;
    case SCALAR_OP_min:
        v = a < b ? a : b;
        break;
    case SCALAR_OP_max:
        v = a > b ? a : b;
        break;
    case SCALAR_OP_and:
        v = a & b;
        break;
    case SCALAR_OP_or:
        v = a | b;
        break;
    case SCALAR_OP_xor:
        v = a ^ b;
        break;
    case SCALAR_OP_shl:
        *exact = b >= 0 && b < w;
        for (v = a; count > 0; count--) { /* doubling; may leave the type long before 128 bits */
            v *= 2;
            if (wrapped(type, v) != v)
                *exact = false;
            v = wrapped(type, v);
        }
        break;
    case SCALAR_OP_shr:
        *exact = b >= 0 && b < w;
        v = floor_div(a, two_to((int)count));
        break;
    case SCALAR_OP_eq:
        return a == b;
    case SCALAR_OP_ne:
        return a != b;
    case SCALAR_OP_lt:
        return a < b;
    case SCALAR_OP_le:
        return a <= b;
    case SCALAR_OP_neg:
        v = -a;
        break;
    case SCALAR_OP_not:
        v = -a - 1;
        if (!is_signed(type))
            v = highest(type) - a;
        break;
    case SCALAR_OP_abs:
        v = a < 0 ? -a : a;
        break;
    default:
        CHECK_FAIL("operation %d is not one of these", op);
    }
    if (wrapped(type, v) != v)
        *exact = false;
    return wrapped(type, v);
}

static const scalar_op integer_ops[] = {
    SCALAR_OP_add, SCALAR_OP_sub, SCALAR_OP_mul, SCALAR_OP_div, SCALAR_OP_rem, SCALAR_OP_min,
    SCALAR_OP_max, SCALAR_OP_and, SCALAR_OP_or,  SCALAR_OP_xor, SCALAR_OP_shl, SCALAR_OP_shr,
    SCALAR_OP_eq,  SCALAR_OP_ne,  SCALAR_OP_lt,  SCALAR_OP_le,  SCALAR_OP_neg, SCALAR_OP_not,
    SCALAR_OP_abs,
};

static void check_pair(scalar_op op, scalar_type type, wide a, wide b)
{
    bool exact, says_exact;
    uint64_t right = bits_of(expected(op, type, a, b, &exact)), out = 0xdead;
    uint64_t got = scalar_eval(op, type, SCALAR_bool, bits_of(a), bits_of(b), 0);

    if (got != right)
        CHECK_FAIL("%s %s %" PRId64 ", %" PRId64 " is %" PRIx64 ", expected %" PRIx64,
                   scalar_ops[op].name, scalar_types[type].name, (int64_t)a, (int64_t)b, got,
                   right);
    says_exact = scalar_eval_exact(op, type, SCALAR_bool, bits_of(a), bits_of(b), 0, &out);
    if (says_exact != exact || out != (exact ? right : 0xdead))
        CHECK_FAIL("%s %s %" PRId64 ", %" PRId64 " is %sexact", scalar_ops[op].name,
                   scalar_types[type].name, (int64_t)a, (int64_t)b, exact ? "" : "not ");
}

static void every_pair_of_eight_bits_is_right(void)
{
    for (size_t o = 0; o < sizeof integer_ops / sizeof integer_ops[0]; o++)
        for (int t = 0; t < 2; t++)
            for (wide a = lowest(integers[t]); a <= highest(integers[t]); a++)
                for (wide b = lowest(integers[t]); b <= highest(integers[t]); b++)
                    check_pair(integer_ops[o], integers[t], a, b);
}

/* 0, 1, 2, 3, 7, the powers of two and their neighbours, both ends, and the negatives of all. */
static int edges_of(scalar_type type, wide out[EDGES])
{
    static const int powers[] = { 4, 7, 8, 15, 16, 31, 32, 63 };
    wide wanted[64];
    int count = 0, used = 0;

    for (wide v = 0; v < 4; v++)
        wanted[count++] = v;
    wanted[count++] = width(type) - 1;
    wanted[count++] = width(type);
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++)
        for (int near = -1; near <= 1; near++)
            wanted[count++] = two_to(powers[i]) + near;
    for (int near = 0; near < 3; near++) {
        wanted[count++] = lowest(type) + near;
        wanted[count++] = highest(type) - near;
    }
    for (int i = 0; i < count && used < EDGES; i++) {
        wide v = i % 3 == 2 && is_signed(type) ? -wanted[i] : wanted[i];
        if (v >= lowest(type) && v <= highest(type))
            out[used++] = v;
    }
    return used;
}

static void every_pair_of_edges_is_right(void)
{
    for (int t = 0; t < INTEGERS; t++) {
        wide edges[EDGES];
        int count = edges_of(integers[t], edges);
        CHECK(count > 8);
        for (size_t o = 0; o < sizeof integer_ops / sizeof integer_ops[0]; o++)
            for (int i = 0; i < count; i++)
                for (int j = 0; j < count; j++)
                    check_pair(integer_ops[o], integers[t], edges[i], edges[j]);
    }
}

static void integers_convert_by_wrapping(void)
{
    for (int from = 0; from < INTEGERS; from++) {
        wide edges[EDGES];
        int count = edges_of(integers[from], edges);
        for (int to = 0; to < INTEGERS; to++)
            for (int i = 0; i < count; i++) {
                wide right = wrapped(integers[to], edges[i]);
                uint64_t out = 0xdead;
                uint64_t got = scalar_eval(SCALAR_OP_convert, integers[to], integers[from],
                                           bits_of(edges[i]), 0, 0);
                CHECK_EQ_U64(got, bits_of(right));
                CHECK(value_of(integers[to], got) == right);
                bool exact = scalar_eval_exact(SCALAR_OP_convert, integers[to], integers[from],
                                               bits_of(edges[i]), 0, 0, &out);
                CHECK_EQ_U64(exact, right == edges[i]);
                CHECK_EQ_U64(out, exact ? bits_of(right) : 0xdead);
            }
        for (int i = 0; i < count; i++)
            CHECK_EQ_U64(scalar_eval(SCALAR_OP_convert, SCALAR_bool, integers[from],
                                     bits_of(edges[i]), 0, 0), edges[i] != 0);
        CHECK_EQ_U64(scalar_eval(SCALAR_OP_convert, integers[from], SCALAR_bool, 1, 0, 0), 1);
    }
}

static void loads_and_stores_are_canonical_and_touch_only_their_bytes(void)
{
    static const int bytes[] = { 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };
    unsigned char memory[24];

    for (int t = 0; t < SCALAR_TYPE_COUNT; t++) {
        scalar_type type = (scalar_type)t;
        CHECK_EQ_U64(scalar_types[t].bytes, bytes[t]);
        memset(memory, 0x5a, sizeof memory);
        scalar_store(type, memory + 8, scalar_canonical(type, UINT64_MAX));
        for (int i = 0; i < 24; i++)
            CHECK_EQ_U64(memory[i], i < 8 || i >= 8 + bytes[t] ? 0x5a : t == 0 ? 1 : 0xff);
        uint64_t right = t == 0              ? 1
                         : is_signed(type)   ? UINT64_MAX
                         : width(type) == 64 ? UINT64_MAX
                                             : bits_of(two_to(width(type)) - 1);
        CHECK_EQ_U64(scalar_load(type, memory + 8), right);
        CHECK_EQ_U64(scalar_canonical(type, right), right);
    }
    memory[0] = 2;
    CHECK_EQ_U64(scalar_load(SCALAR_bool, memory), 1);
    CHECK_EQ_U64(scalar_canonical(SCALAR_i8, 0x180), (uint64_t)-128);
    CHECK_EQ_U64(scalar_canonical(SCALAR_u8, 0x180), 0x80);
    CHECK_EQ_U64(scalar_canonical(SCALAR_f32, 0xffffffff80000000), 0x80000000);
}

static const check_case cases[] = {
    CASE(every_pair_of_eight_bits_is_right),
    CASE(every_pair_of_edges_is_right),
    CASE(integers_convert_by_wrapping),
    CASE(loads_and_stores_are_canonical_and_touch_only_their_bytes),
};
CHECK_MAIN(cases)
