/* SPDX-License-Identifier: Apache-2.0 */
/*
 * casts_test.c - conversions against the C compiler, bit for bit.
 */
#include "conform.h"

#include "casts.slip.h"

#include "casts.reference.h"

typedef struct eleven {
    conform_pair a, b, c, d, e, f, g, h, p, q, t;
} eleven;

static eleven one_of_each(conform *c, int32_t n)
{
    return (eleven){ PAIR(i8, PLAIN, n), PAIR(u8, PLAIN, n), PAIR(i16, PLAIN, n),
                     PAIR(u16, PLAIN, n), PAIR(i32, PLAIN, n), PAIR(u32, PLAIN, n),
                     PAIR(i64, PLAIN, n), PAIR(u64, PLAIN, n), PAIR(f32, PLAIN, n),
                     PAIR(f64, PLAIN, n), PAIR(bool, PLAIN, n) };
}

static void same_eleven(conform *c, const eleven *x)
{
    SAME(x->a);
    SAME(x->b);
    SAME(x->c);
    SAME(x->d);
    SAME(x->e);
    SAME(x->f);
    SAME(x->g);
    SAME(x->h);
    SAME(x->p);
    SAME(x->q);
    SAME(x->t);
}

#define ELEVEN(x)                                                                                 \
    S((x).a), S((x).b), S((x).c), S((x).d), S((x).e), S((x).f), S((x).g), S((x).h), S((x).p),     \
        S((x).q), S((x).t)

#define FROM(T, fill)                                                                             \
    SIZES (n) {                                                                                   \
        const void *x = IN(T, fill, n);                                                           \
        eleven out = one_of_each(c, n);                                                           \
        BOTH(from_##T, n, x, ELEVEN(out));                                                        \
        same_eleven(c, &out);                                                                     \
    }

CONFORM(from_narrow_integers)
{
    FROM(i8, WILD)
    FROM(u8, WILD)
    FROM(i16, WILD)
    FROM(u16, WILD)
}

CONFORM(from_wide_integers)
{
    FROM(i32, WILD)
    FROM(u32, WILD)
    FROM(i64, WILD)
    FROM(u64, WILD)
}

CONFORM(from_truths)
{
    FROM(bool, PLAIN)
}

CONFORM(from_floats_in_range)
{
    FROM(f32, PLAIN)
    FROM(f64, PLAIN)
}

CONFORM(between_floats_of_any_value)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f64, WILD, n);
        conform_pair wide = PAIR(f64, ZERO, n), narrow = PAIR(f32, ZERO, n);
        conform_pair tx = PAIR(bool, PLAIN, n), ty = PAIR(bool, PLAIN, n);
        BOTH(between_floats, n, x, y, S(wide), S(narrow), S(tx), S(ty));
        SAME(wide);
        SAME(narrow);
        SAME(tx);
        SAME(ty);
    }
}

CONFORM(implied_by_assignment_argument_and_return)
{
    SIZES (n) {
        const void *x = IN(i64, WILD, n), *y = IN(f64, WILD, n);
        conform_pair a = PAIR(i32, ZERO, n), b = PAIR(f64, ZERO, n), d = PAIR(u16, ZERO, n);
        conform_pair e = PAIR(f32, ZERO, n);
        BOTH(implied, n, x, y, S(a), S(b), S(d), S(e));
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
    }
}

CONFORM(chains_and_common_types)
{
    SIZES (n) {
        const void *x = IN(i64, WILD, n), *y = IN(f64, PLAIN, n), *x8 = IN(i8, WILD, n);
        const void *y32 = IN(u32, WILD, n), *z = IN(f32, WILD, n);
        conform_pair a = PAIR(i64, ZERO, n), b = PAIR(f64, ZERO, n), d = PAIR(i64, ZERO, n);
        BOTH(chains, n, x, y, S(a), S(b));
        SAME(a);
        SAME(b);
        BOTH(common_types, n, x8, y32, z, S(b), S(d));
        SAME(b);
        SAME(d);
    }
}

CONFORM(widened_and_compared_with_constants)
{
    SIZES (n) {
        const void *x = IN(i8, WILD, n), *y = IN(i16, WILD, n), *z = IN(i32, WILD, n);
        conform_pair a = PAIR(i32, ZERO, n), b = PAIR(i64, ZERO, n);
        BOTH(widened_beside_constants, n, x, y, z, S(a), S(b));
        SAME(a);
        SAME(b);
    }
}

CONFORM(bits_of_floats_and_back)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f64, WILD, n), *u = IN(u64, WILD, n);
        conform_pair a = PAIR(u32, ZERO, n), b = PAIR(u64, ZERO, n), d = PAIR(f32, ZERO, n);
        conform_pair e = PAIR(f64, ZERO, n), f = PAIR(i64, ZERO, n);
        BOTH(bits_of_floats, n, x, y, S(a), S(b), S(d), S(e));
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
        BOTH(bits_by_memcpy, n, x, u, S(a), S(e), S(f));
        SAME(a);
        SAME(e);
        SAME(f);
    }
}

static const check_case cases[] = {
    CASE(from_narrow_integers),
    CASE(from_wide_integers),
    CASE(from_truths),
    CASE(from_floats_in_range),
    CASE(between_floats_of_any_value),
    CASE(implied_by_assignment_argument_and_return),
    CASE(chains_and_common_types),
    CASE(widened_and_compared_with_constants),
    CASE(bits_of_floats_and_back),
};
CHECK_MAIN(cases)
