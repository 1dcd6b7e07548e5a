/* SPDX-License-Identifier: Apache-2.0 */
/*
 * floats_test.c - strict floating point against the C compiler, bit for bit; NaN as a class.
 */
#include "conform.h"

#include <fenv.h>
#include <math.h>

#include "floats.slip.h"

#include "floats.reference.h"

#define SAME4(a, b, d, e)                                                                         \
    do {                                                                                          \
        SAME(a);                                                                                  \
        SAME(b);                                                                                  \
        SAME(d);                                                                                  \
        SAME(e);                                                                                  \
    } while (0)

CONFORM(arithmetic_of_both_widths)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f32, WILD, n);
        const void *p = IN(f64, WILD, n), *q = IN(f64, WILD, n);
        conform_pair s = PAIR(f32, ZERO, n), d = PAIR(f32, ZERO, n), m = PAIR(f32, ZERO, n);
        conform_pair r = PAIR(f32, ZERO, n), g = PAIR(f32, ZERO, n);
        conform_pair ws = PAIR(f64, ZERO, n), wd = PAIR(f64, ZERO, n), wm = PAIR(f64, ZERO, n);
        conform_pair wr = PAIR(f64, ZERO, n), wg = PAIR(f64, ZERO, n);
        BOTH(arithmetic_f32, n, x, y, S(s), S(d), S(m), S(r), S(g));
        SAME4(s, d, m, r);
        SAME(g);
        BOTH(arithmetic_f64, n, p, q, S(ws), S(wd), S(wm), S(wr), S(wg));
        SAME4(ws, wd, wm, wr);
        SAME(wg);
    }
}

static void check_quotients(conform *c, int n, const f32 *x, const f32 *y)
{
    conform_pair a = PAIR(f32, ZERO, n), b = PAIR(f32, ZERO, n), k = PAIR(f32, ZERO, n);
    conform_pair d = PAIR(f32, ZERO, n), e = PAIR(u32, ZERO, n);

    BOTH(quotients_of_roots, n, x, y, S(a), S(b), S(k), S(d), S(e));
    SAME4(a, b, k, d);
    SAME(e);
}

CONFORM(quotients_and_roots_of_one_another_are_right)
{
    SIZES (n)
        for (int f = 0; f < 2; f++)
            check_quotients(c, n, IN(f32, f ? PLAIN : WILD, n), IN(f32, f ? PLAIN : WILD, n));
}

/* All exponents with each third one. */
CONFORM(quotients_and_roots_are_right_at_any_size)
{
    enum { EXPONENTS = 277, N = EXPONENTS * (EXPONENTS / 3 + 1) };
    f32 *x = (f32 *)IN(f32, PLAIN, N), *y = (f32 *)IN(f32, PLAIN, N);

    for (int i = 0, exponent; i < N; i++) {
        x[i] = ldexpf(frexpf(x[i], &exponent), i % EXPONENTS - 148);
        y[i] = ldexpf(frexpf(y[i], &exponent), i / EXPONENTS * 3 - 148);
    }
    check_quotients(c, N, x, y);
}

CONFORM(multiply_and_add_are_never_fused)
{
    SIZES (n) {
        const void *a = IN(f32, PLAIN, n), *b = IN(f32, PLAIN, n);
        const void *p = IN(f64, PLAIN, n), *q = IN(f64, PLAIN, n);
        conform_pair narrow = PAIR(f32, PLAIN, n), wide = PAIR(f64, PLAIN, n);
        conform_pair updated = PAIR(f32, PLAIN, n);
        BOTH(never_fused, n, a, b, p, q, S(narrow), S(wide), S(updated));
        for (int i = 0; i < n; i++) /* fused, few of these are zero */
            EXPECT(((float *)narrow.side[0])[i] == 0 && ((double *)wide.side[0])[i] == 0 &&
                   ((float *)updated.side[0])[i] == 0);
        SAME(narrow);
        SAME(wide);
        SAME(updated);
    }
}

CONFORM(fma_is_fused_where_it_is_written)
{
    SIZES (n) {
        const f32 *a = IN(f32, PLAIN, n), *b = IN(f32, PLAIN, n);
        const f64 *p = IN(f64, PLAIN, n), *q = IN(f64, PLAIN, n);
        conform_pair narrow = PAIR(f32, PLAIN, n), wide = PAIR(f64, PLAIN, n);
        BOTH(fused_where_written, n, a, b, p, q, S(narrow), S(wide));
        SAME(narrow);
        SAME(wide);
        for (int i = 0; i < n; i++) { /* the exact rest of an f32 product, by f64 */
            double exact = (double)a[i] * b[i] - (double)(a[i] * b[i]);
            EXPECT((double)((float *)narrow.side[0])[i] == exact);
        }
    }
}

CONFORM(sums_keep_their_order)
{
    SIZES (n) {
        const void *x = IN(f32, PLAIN, n + 8);
        conform_pair l = PAIR(f32, ZERO, n), r = PAIR(f32, ZERO, n), s = PAIR(f32, ZERO, n);
        BOTH(in_the_order_written, n, x, S(l), S(r), S(s));
        SAME(l);
        SAME(r);
        SAME(s);
    }
}

CONFORM(comparisons_and_classes)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f32, WILD, n), *p = IN(f64, WILD, n);
        conform_pair out = PAIR(u32, PLAIN, n);
        BOTH(compare_floats, n, x, y, p, S(out));
        SAME(out);
    }
}

CONFORM(ternaries_with_nan)
{
    const f32 a[] = { 1, NAN, 1, -0.0f, 0.0f }, b[] = { NAN, 1, 2, 0.0f, -0.0f };
    conform_pair x = PAIR(f32, ZERO, 5), y = PAIR(f32, ZERO, 5), z = PAIR(f32, ZERO, 5);

    BOTH(choose_by_comparison, 5, a, b, S(x), S(y), S(z));
    WANT(f32, x, NAN, 1, 2, 0.0f, -0.0f);
    WANT(f32, y, 1, NAN, 2, -0.0f, 0.0f);
    WANT(f32, z, 1, NAN, 1, -0.0f, 0.0f);
    SAME(x);
    SAME(y);
    SAME(z);
}

CONFORM(denormals_from_constants_and_at_run_time)
{
    conform_pair out = PAIR(f32, ZERO, 2), wide = PAIR(f64, ZERO, 2);
    const float tiny = 9.99994610e-41f;

    BOTH(denormal_product, 1e-10f, 1e-30f, 1e-160, 1e-150, S(out), S(wide));
    WANT(f32, out, tiny, tiny);
    WANT(f64, wide, 1e-160 * 1e-150, 1e-160 * 1e-150);
    EXPECT(*(uint32_t *)out.side[0] == 0x000116c2);
    SIZES (n) {
        const void *bits = IN(u32, PLAIN, n);
        conform_pair half = PAIR(f32, ZERO, n), twice = PAIR(f32, ZERO, n);
        conform_pair sum = PAIR(f32, ZERO, n);
        BOTH(denormals_survive, n, bits, S(half), S(twice), S(sum));
        SAME(half);
        SAME(twice);
        SAME(sum);
    }
}

CONFORM(float_with_double)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f64, PLAIN, n);
        conform_pair narrow = PAIR(f32, ZERO, n), wide = PAIR(f64, ZERO, n);
        conform_pair half = PAIR(f32, ZERO, n), updated = PAIR(f32, PLAIN, n);
        BOTH(mixed_widths, n, x, y, S(narrow), S(wide), S(half), S(updated));
        SAME4(narrow, wide, half, updated);
    }
}

CONFORM(unsuffixed_literals)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n);
        conform_pair p = PAIR(f32, ZERO, n), q = PAIR(f32, ZERO, n), r = PAIR(f32, ZERO, n);
        conform_pair s = PAIR(f32, ZERO, n), t = PAIR(f32, ZERO, n);
        BOTH(double_literals, n, x, S(p), S(q), S(r), S(s), S(t));
        SAME4(p, q, r, s);
        SAME(t);
    }
}

CONFORM(zeros_keep_their_sign)
{
    const f32 x[] = { 0.0f, -0.0f, 1, -1 };
    conform_pair p = PAIR(f32, ZERO, 4), q = PAIR(f32, ZERO, 4), r = PAIR(f32, ZERO, 4);
    conform_pair s = PAIR(f32, ZERO, 4);

    BOTH(negative_zeros, 4, x, S(p), S(q), S(r), S(s));
    WANT(f32, p, 0.0f, 0.0f, 1, -1);
    WANT(f32, q, 0.0f, -0.0f, 1, -1);
    WANT(f32, r, 0.0f, 0.0f, -1, 1);
    WANT(f32, s, -0.0f, 0.0f, -0.0f, 0.0f);
    SAME4(p, q, r, s);
}

CONFORM(nothing_is_simplified)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f64, WILD, n);
        conform_pair p = PAIR(f32, ZERO, n), q = PAIR(f32, ZERO, n), r = PAIR(f32, ZERO, n);
        conform_pair s = PAIR(f64, ZERO, n);
        BOTH(not_simplified, n, x, y, S(p), S(q), S(r), S(s));
        SAME4(p, q, r, s);
    }
}

CONFORM(limits_and_literals)
{
    conform_pair x = PAIR(f32, PLAIN, 8), y = PAIR(f64, PLAIN, 8);

    BOTH(float_limits, S(x), S(y));
    SAME(x);
    SAME(y);
    WANT(f32, x, 3.4028234663852886e38f, 1.1754943508222875e-38f, 1.1920928955078125e-7f,
         INFINITY, -INFINITY, NAN, 0x1.8p-140f, 16777216.0f);
    WANT(f64, y, 1.7976931348623157e308, 2.2250738585072014e-308, 2.2204460492503131e-16, 1e-320,
         1.7976931348623157e308, 0x1.99999ap-4, 3.1415926535897931, 9007199254740992.0);
}

CONFORM(increments_and_compound_assignment)
{
    SIZES (n) {
        conform_pair x = PAIR(f32, WILD, n), y = PAIR(f64, WILD, n), seen = PAIR(f64, ZERO, n);
        BOTH(increments_of_floats, n, S(x), S(y), S(seen));
        SAME(x);
        SAME(y);
        SAME(seen);
    }
}

CONFORM(long_chains_of_rounding)
{
    SIZES (n) {
        const void *x = IN(f32, PLAIN, n), *y = IN(f64, PLAIN, n);
        conform_pair p = PAIR(f32, ZERO, n), r = PAIR(f64, ZERO, n), s = PAIR(f64, ZERO, n);
        BOTH(long_chains, n, x, y, S(p), S(r), S(s));
        SAME(p);
        SAME(r);
        SAME(s);
    }
}

/* The caller's rounding is the caller's: tasks round to nearest, and it is put back. */
CONFORM(the_caller_s_rounding_stays_out)
{
    const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

    EACH (n, 1, 7, 5000) {
        const void *x = IN(f32, PLAIN, n), *y = IN(f32, PLAIN, n);
        conform_pair s = PAIR(f32, ZERO, n), d = PAIR(f32, ZERO, n), m = PAIR(f32, ZERO, n);
        conform_pair r = PAIR(f32, ZERO, n), g = PAIR(f32, ZERO, n);
        arithmetic_f32_reference((i32)n, x, y, s.side[1], d.side[1], m.side[1], r.side[1],
                                 g.side[1]);
        for (int k = 0; k < 3; k++) {
            EXPECT(fesetround(modes[k]) == 0);
            ON_DEVICE(arithmetic_f32, (i32)n, x, y, S(s), S(d), S(m), S(r), S(g));
            EXPECT(fegetround() == modes[k]);
            fesetround(FE_TONEAREST);
            SAME4(s, d, m, r);
        }
    }
}

static const check_case cases[] = {
    CASE(arithmetic_of_both_widths),
    CASE(quotients_and_roots_of_one_another_are_right),
    CASE(quotients_and_roots_are_right_at_any_size),
    CASE(multiply_and_add_are_never_fused),
    CASE(fma_is_fused_where_it_is_written),
    CASE(sums_keep_their_order),
    CASE(comparisons_and_classes),
    CASE(ternaries_with_nan),
    CASE(denormals_from_constants_and_at_run_time),
    CASE(float_with_double),
    CASE(unsuffixed_literals),
    CASE(zeros_keep_their_sign),
    CASE(nothing_is_simplified),
    CASE(limits_and_literals),
    CASE(increments_and_compound_assignment),
    CASE(long_chains_of_rounding),
    CASE(the_caller_s_rounding_stays_out),
};
CHECK_MAIN(cases)
