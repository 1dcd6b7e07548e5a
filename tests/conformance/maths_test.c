/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maths_test.c - math functions against the same library in plain C.
 *
 * The reference links math/ as the C compiler builds it, so every function has the same bits on every
 * device, but for erf, erfc, tgamma and lgamma: those are the C library's on both sides. tests/math
 * compares math/ with true values.
 */
#include "conform.h"

#include <string.h>

#include "maths.slip.h"

#include "maths.reference.h"

#define ONE_OPERAND(kernel, T, rows, fill)                                                        \
    SIZES (n) {                                                                                   \
        const void *x = IN(T, fill, n);                                                           \
        conform_pair out = PAIR(T, PLAIN, rows * n);                                              \
        BOTH(kernel, n, x, S(out));                                                               \
        SAME(out);                                                                                \
    }
#define TWO_OPERANDS(kernel, T, rows, fill)                                                       \
    SIZES (n) {                                                                                   \
        const void *x = IN(T, fill, n), *y = IN(T, fill, n);                                      \
        conform_pair out = PAIR(T, PLAIN, rows * n);                                              \
        BOTH(kernel, n, x, y, S(out));                                                            \
        SAME(out);                                                                                \
    }

CONFORM(exact_functions)
{
    ONE_OPERAND(exact_f32, f32, 9, WILD)
    ONE_OPERAND(exact_f64, f64, 9, WILD)
    ONE_OPERAND(exact_f32, f32, 9, PLAIN)
    ONE_OPERAND(exact_f64, f64, 9, PLAIN)
}

CONFORM(halves_round_as_they_should)
{
    const f64 x[] = { 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, -0.0 };
    conform_pair out = PAIR(f64, ZERO, 72);
    conform_pair rounded = { { NULL, NULL }, 8, TYPE_f64 };

    BOTH(exact_f64, 8, x, S(out));
    rounded.side[0] = (f64 *)out.side[0] + 5 * 8;
    WANT(f64, rounded, 0.0, 2, 2, -0.0, -2, -2, 0.0, -0.0);
    rounded.side[0] = (f64 *)out.side[0] + 6 * 8;
    WANT(f64, rounded, 0.0, 2, 2, -0.0, -2, -2, 0.0, -0.0);
    rounded.side[0] = (f64 *)out.side[0] + 7 * 8;
    WANT(f64, rounded, 1, 2, 3, -1, -2, -3, 0.0, -0.0);
    SAME(out);
}

CONFORM(exact_functions_of_two)
{
    TWO_OPERANDS(two_operands_f32, f32, 7, WILD)
    TWO_OPERANDS(two_operands_f64, f64, 7, WILD)
    TWO_OPERANDS(two_operands_f32, f32, 7, EXACT)
    TWO_OPERANDS(two_operands_f64, f64, 7, PLAIN)
}

CONFORM(angles)
{
    TWO_OPERANDS(angles_f32, f32, 7, WILD)
    TWO_OPERANDS(angles_f64, f64, 7, WILD)
}

CONFORM(hyperbolic_functions)
{
    ONE_OPERAND(hyperbolic_f32, f32, 6, WILD)
    ONE_OPERAND(hyperbolic_f64, f64, 6, WILD)
}

CONFORM(powers_and_logarithms)
{
    TWO_OPERANDS(powers_f32, f32, 10, WILD)
    TWO_OPERANDS(powers_f64, f64, 10, WILD)
    TWO_OPERANDS(powers_f32, f32, 10, EXACT)
}

/* The C library's, so the CPU family's alone: the others refuse the kernel, and say why. */
CONFORM(error_and_gamma_functions)
{
    slip_device_info info;

    SIZES (n) {
        const void *x = IN(f32, WILD, n), *y = IN(f64, WILD, n);
        conform_pair narrow = PAIR(f32, PLAIN, 4 * n), wide = PAIR(f64, PLAIN, 4 * n);
        slip_device_describe(c->device, &info);
        if (strcmp(info.family, "cpu") != 0) {
            REFUSED(SLIP_ERR_UNSUPPORTED, "needs a math function at ", special_functions, n, x, y,
                    narrow.side[0], wide.side[0]);
            continue;
        }
        BOTH(special_functions, n, x, y, S(narrow), S(wide));
        SAME(narrow);
        SAME(wide);
    }
}

CONFORM(functions_of_other_widths)
{
    SIZES (n) {
        const void *x = IN(f32, PLAIN, n), *k = IN(i32, EXACT, n);
        conform_pair out = PAIR(f32, PLAIN, 4 * n);
        BOTH(double_functions_of_floats, n, x, k, S(out));
        SAME(out);
    }
}

CONFORM(magnitudes_of_integers)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n), *y = IN(i64, WILD, n);
        conform_pair a = PAIR(i32, ZERO, n), b = PAIR(i64, ZERO, n), d = PAIR(i64, ZERO, n);
        BOTH(integer_magnitudes, n, x, y, S(a), S(b), S(d));
        SAME(a);
        SAME(b);
        SAME(d);
    }
}

CONFORM(functions_of_constants)
{
    conform_pair out = PAIR(f64, ZERO, 10);

    BOTH(on_constants, S(out));
    WANT(f64, out, 0x1.6a09e667f3bcdp+0, -3, 2, 4, -3, -1.5, 0.0, -0.0, 0x1.6a09e6p-1, 17);
    SAME(out);
}

CONFORM(rotation_by_sine_and_cosine)
{
    SIZES (n) {
        const void *angle = IN(f32, WILD, n);
        conform_pair x = PAIR(f32, PLAIN, n), y = PAIR(f32, PLAIN, n);
        BOTH(sine_and_cosine, n, angle, S(x), S(y));
        SAME(x);
        SAME(y);
    }
}

static const check_case cases[] = {
    CASE(exact_functions),
    CASE(halves_round_as_they_should),
    CASE(exact_functions_of_two),
    CASE(angles),
    CASE(hyperbolic_functions),
    CASE(powers_and_logarithms),
    CASE(error_and_gamma_functions),
    CASE(functions_of_other_widths),
    CASE(magnitudes_of_integers),
    CASE(functions_of_constants),
    CASE(rotation_by_sine_and_cosine),
};
CHECK_MAIN(cases)
