/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integers_test.c - integer arithmetic against the C compiler, bit for bit.
 */
#include "conform.h"

#include "integers.slip.h"

#include "integers.reference.h"

typedef struct eight {
    conform_pair a, b, c, d, e, f, g, h;
} eight;

static eight one_of_each(conform *c, conform_fill fill, int32_t n)
{
    return (eight){ PAIR(i8, fill, n), PAIR(u8, fill, n), PAIR(i16, fill, n), PAIR(u16, fill, n),
                    PAIR(i32, fill, n), PAIR(u32, fill, n), PAIR(i64, fill, n),
                    PAIR(u64, fill, n) };
}

static void same_eight(conform *c, const eight *x)
{
    SAME(x->a);
    SAME(x->b);
    SAME(x->c);
    SAME(x->d);
    SAME(x->e);
    SAME(x->f);
    SAME(x->g);
    SAME(x->h);
}

#define EIGHT(x) S((x).a), S((x).b), S((x).c), S((x).d), S((x).e), S((x).f), S((x).g), S((x).h)

CONFORM(add_subtract_multiply_wrap)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        const void *v = IN(u64, WILD, n);
        BOTH(add_sub_mul, n, EIGHT(x), v);
        same_eight(c, &x);
    }
}

CONFORM(bitwise_operators)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        const void *v = IN(u64, WILD, n);
        BOTH(and_or_xor_not, n, EIGHT(x), v);
        same_eight(c, &x);
    }
}

CONFORM(division_truncates_at_every_width)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        const void *v = IN(u8, WILD, n);
        BOTH(divide_and_remain, n, EIGHT(x), v);
        same_eight(c, &x);
    }
}

CONFORM(shifts_keep_the_sign)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        const void *v = IN(u8, PLAIN, n);
        BOTH(shift_left_and_right, n, EIGHT(x), v);
        same_eight(c, &x);
    }
}

CONFORM(increments_before_and_after)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        conform_pair sum = PAIR(i64, PLAIN, n);
        BOTH(plus_plus_minus_minus, n, EIGHT(x), S(sum));
        same_eight(c, &x);
        SAME(sum);
    }
}

CONFORM(unary_operators)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        conform_pair out = PAIR(i64, PLAIN, n);
        BOTH(negate_and_not, n, EIGHT(x), S(out));
        SAME(out);
    }
}

CONFORM(comparisons_convert_as_c_does)
{
    SIZES (n) {
        eight x = one_of_each(c, WILD, n);
        conform_pair out = PAIR(u64, PLAIN, n);
        BOTH(compare_all, n, EIGHT(x), S(out));
        SAME(out);
    }
}

CONFORM(small_types_promote_to_int)
{
    SIZES (n) {
        const void *a = IN(u8, WILD, n), *b = IN(u8, WILD, n), *d = IN(u16, WILD, n);
        const void *e = IN(i32, WILD, n), *f = IN(u32, WILD, n);
        conform_pair out = PAIR(i64, PLAIN, n);
        BOTH(promote, n, a, b, d, e, f, S(out));
        SAME(out);
    }
}

CONFORM(compound_assignment_of_mixed_types)
{
    SIZES (n) {
        conform_pair a = PAIR(i8, WILD, n), b = PAIR(u16, WILD, n), d = PAIR(i32, WILD, n);
        conform_pair e = PAIR(u32, WILD, n), f = PAIR(i64, WILD, n);
        const void *wide = IN(i64, WILD, n), *flat = IN(u32, WILD, n), *small = IN(f32, EXACT, n);
        BOTH(compound_mixed, n, S(a), S(b), S(d), S(e), S(f), wide, flat, small);
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
        SAME(f);
    }
}

CONFORM(remainder_has_the_sign_of_the_dividend)
{
    const i32 a[] = { -4, -3, -2, -1, 0, 1, 2, 3, -1, -5, -769 };
    const i32 b[] = { 3, 3, 3, 3, 3, 3, 3, 3, 768, 768, 768 };
    conform_pair r = PAIR(i32, ZERO, 11);

    BOTH(remainder_truncates, 11, a, b, S(r));
    WANT(i32, r, -1, 0, -2, -1, 0, 1, 2, 0, -1, -5, -1);
    SAME(r);
}

CONFORM(quotient_rounds_towards_zero)
{
    const i8 a[] = { -7, 7, -1, -6, 6, -7 }, b[] = { 2, -2, 2, 5, -5, 3 };
    conform_pair q8 = PAIR(i8, ZERO, 6), r8 = PAIR(i8, ZERO, 6), q16 = PAIR(i16, ZERO, 6);
    conform_pair r16 = PAIR(i16, ZERO, 6), q32 = PAIR(i32, ZERO, 6), r32 = PAIR(i32, ZERO, 6);
    conform_pair q64 = PAIR(i64, ZERO, 6), r64 = PAIR(i64, ZERO, 6), q = PAIR(i32, ZERO, 12);

    BOTH(quotients, 6, a, b, S(q8), S(r8), S(q16), S(r16), S(q32), S(r32), S(q64), S(r64));
    WANT(i8, q8, -3, -3, 0, -1, -1, -2);
    WANT(i8, r8, -1, 1, -1, -1, 1, -1);
    WANT(i16, q16, -3, -3, 0, -1, -1, -2);
    WANT(i16, r16, -1, 1, -1, -1, 1, -1);
    WANT(i32, q32, -3, -3, 0, -1, -1, -2);
    WANT(i32, r32, -1, 1, -1, -1, 1, -1);
    WANT(i64, q64, -3, -3, 0, -1, -1, -2);
    WANT(i64, r64, -1, 1, -1, -1, 1, -1);
    BOTH(constant_quotients, S(q));
    WANT(i32, q, -3, -3, 0, -1, -1, -2, -1, 1, -1, -1, 1, -1);
}

CONFORM(right_shift_by_signedness)
{
    const u32 u[] = { 0x80000000u, 5 };
    const i32 s[] = { -16, 0 };
    const i8 k = -8;
    const u8 b = 0xf8;
    const u16 w = 0xffff;
    const u64 l = UINT64_MAX;
    conform_pair out = PAIR(i64, ZERO, 7);

    BOTH(right_shifts, u, s, &k, &b, &w, &l, S(out));
    WANT(i64, out, 0x08000000, -4, 1, -4, 31, 127, 15);
    SAME(out);
}

CONFORM(literals_have_their_c_types)
{
    conform_pair s = PAIR(i64, ZERO, 12), u = PAIR(u64, ZERO, 6);

    BOTH(literals, S(s), S(u));
    SAME(s);
    SAME(u);
    WANT(i64, s, 2147483647, 2147483648, -2147483648, 1, INT64_MAX, 65 + 10 + 127 + 65, 1, 39,
         INT32_MIN, INT64_MIN, 0, 1);
    WANT(u64, u, UINT64_MAX, 0, 4294967296, UINT64_MAX, UINT64_C(1) << 63, 4294967295);
}

CONFORM(hashes_of_many_rounds)
{
    SIZES (n) {
        conform_pair narrow = PAIR(u32, WILD, n), wide = PAIR(u64, WILD, n);
        conform_pair bits = PAIR(u8, PLAIN, n);
        BOTH(hash_steps, n, 11, S(narrow), S(wide), S(bits));
        SAME(narrow);
        SAME(wide);
        SAME(bits);
    }
}

CONFORM(loops_of_division)
{
    SIZES (n) {
        const void *a = IN(i32, PLAIN, n), *b = IN(i32, PLAIN, n), *base = IN(u32, PLAIN, n);
        conform_pair out = PAIR(i32, ZERO, n), power = PAIR(u64, ZERO, n);
        BOTH(greatest_divisor, n, a, b, S(out));
        SAME(out);
        BOTH(modular_power, n, base, UINT64_C(1000000006), UINT64_C(1000000007), S(power));
        SAME(power);
    }
}

static const check_case cases[] = {
    CASE(add_subtract_multiply_wrap),
    CASE(bitwise_operators),
    CASE(division_truncates_at_every_width),
    CASE(shifts_keep_the_sign),
    CASE(increments_before_and_after),
    CASE(unary_operators),
    CASE(comparisons_convert_as_c_does),
    CASE(small_types_promote_to_int),
    CASE(compound_assignment_of_mixed_types),
    CASE(remainder_has_the_sign_of_the_dividend),
    CASE(quotient_rounds_towards_zero),
    CASE(right_shift_by_signedness),
    CASE(literals_have_their_c_types),
    CASE(hashes_of_many_rounds),
    CASE(loops_of_division),
};
CHECK_MAIN(cases)
