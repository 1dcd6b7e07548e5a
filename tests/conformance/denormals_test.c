/* SPDX-License-Identifier: Apache-2.0 */
/*
 * denormals_test.c - every operation on floats, of numbers around the least normal one, against
 * plain C. All operations that are wrong are printed, each with the first operands that show it, so
 * that one run on a device tells what it flushes. Sums are checked as integers too.
 */
#include "conform.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "denormals.h"

#include "denormals.slip.h"

#include "denormals.reference.h"

#define ROW_NAME(name, text, value) text,
static const char *const arithmetic_names[] = { ARITHMETIC(ROW_NAME) };
static const char *const choice_names[] = { CHOICES(ROW_NAME) };
static const char *const function_names[] = { FUNCTIONS(ROW_NAME) };

/* Of an exponent range from `least` (its least denormal is 2^least) with `digits` digits. */
#define EDGES_OF(least, digits)                                                                    \
    0.0, -0.0, least, -(least), 2 * (least), -3 * (least), digits / 2 * (least),                   \
        -(digits / 2 + 1) * (least), (digits - 1) * (least), -(digits - 1) * (least),              \
        digits *(least), -digits *(least), 1.5 * digits *(least), 0x1p+30 * (least), 1.0, -1.0,    \
        0.5, -1.5, 129.0, -131.0, 0x1p+20, (double)INFINITY, -(double)INFINITY, (double)NAN
static const double narrow_edges[] = { EDGES_OF(0x1p-149, 0x1p+23) };
static const double wide_edges[] = { EDGES_OF(0x1p-1074, 0x1p+52) };
enum { EDGES = sizeof narrow_edges / sizeof narrow_edges[0], PAIRS = EDGES * EDGES };

/* The pairs of all values, and k, for which 3 and 0 come with each first one. */
static f32 x32[PAIRS], y32[PAIRS];
static f64 x64[PAIRS], y64[PAIRS];
static i32 which[PAIRS];

static void fill_pairs(void)
{
    for (int k = 0; k < PAIRS; k++) {
        x32[k] = (f32)narrow_edges[k / EDGES];
        y32[k] = (f32)narrow_edges[k % EDGES];
        x64[k] = wide_edges[k / EDGES];
        y64[k] = wide_edges[k % EDGES];
        which[k] = k % 2 ? k : -3;
    }
}

/* ---- comparing, a row at a time -------------------------------------------------------------- */

static uint64_t number(const void *at, bool wide, size_t index, double *value)
{
    uint64_t bits = 0;
    f32 narrow;

    memcpy(&bits, (const char *)at + index * (wide ? 8 : 4), wide ? 8 : 4); /* little-endian */
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(value, &bits, sizeof *value);
    if (!wide)
        *value = (double)narrow;
    return bits;
}

/* Prints the row if it is wrong. */
static bool row_is_right(const conform_pair *out, size_t row, const char *name)
{
    const bool wide = out->type == TYPE_f64;
    const void *x = wide ? (const void *)x64 : x32, *y = wide ? (const void *)y64 : y32;
    size_t wrong = 0, first = 0;
    double a, b, got, want;

    for (size_t k = 0; k < PAIRS; k++) {
        uint64_t is = number(out->side[0], wide, row * PAIRS + k, &got);
        uint64_t right = number(out->side[1], wide, row * PAIRS + k, &want);
        if (is == right || (isnan(got) && isnan(want)))
            continue;
        first = wrong++ ? first : k;
    }
    if (wrong == 0)
        return true;
    uint64_t bits_a = number(x, wide, first, &a), bits_b = number(y, wide, first, &b);
    uint64_t is = number(out->side[0], wide, row * PAIRS + first, &got);
    uint64_t right = number(out->side[1], wide, row * PAIRS + first, &want);
    fprintf(stderr,
            "wrong: %s %s for %zu of %d pairs, first x = %g (0x%" PRIx64 "), y = %g (0x%" PRIx64
            "): got %g (0x%" PRIx64 "), expected %g (0x%" PRIx64 ")\n",
            wide ? "f64" : "f32", name, wrong, PAIRS, a, bits_a, b, bits_b, got, is, want, right);
    return false;
}

static void compare_rows(conform *c, const conform_pair *out, const char *const *names, size_t rows)
{
    size_t wrong = 0, first = 0;

    if (c->failure[0] != '\0')
        return;
    for (size_t row = 0; row < rows; row++)
        if (!row_is_right(out, row, names[row]))
            first = wrong++ ? first : row;
    if (wrong > 0)
        conform_fail(c, "%zu of %zu operations on %s are wrong (see above), first %s", wrong, rows,
                     out->type == TYPE_f64 ? "f64" : "f32", names[first]);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static int64_t in_units(f32 x)
{
    return (int64_t)((double)x * 0x1p+149);
}

/* Of two numbers below 2^-126: the bits of a size are its number of units, the least denormal. */
static void sums_by_integers(conform *c, const f32 *sums, const f32 *differences)
{
    for (int k = 0; k < PAIRS; k++) {
        if (!(fabsf(x32[k]) < 0x1p-126f && fabsf(y32[k]) < 0x1p-126f))
            continue;
        int64_t a = slip_f32_bits(fabsf(x32[k])), b = slip_f32_bits(fabsf(y32[k]));
        a = signbit(x32[k]) ? -a : a;
        b = signbit(y32[k]) ? -b : b;
        EXPECT_I64(in_units(sums[k]), a + b);
        EXPECT_I64(in_units(differences[k]), a - b);
    }
}

CONFORM(arithmetic)
{
    conform_pair narrow = PAIR(f32, ZERO, PAIRS * ARITHMETIC_ROWS);
    conform_pair wide = PAIR(f64, ZERO, PAIRS * ARITHMETIC_ROWS);

    fill_pairs();
    BOTH(arithmetic_f32, PAIRS, 1, x32, y32, which, S(narrow));
    BOTH(arithmetic_f64, PAIRS, 1, x64, y64, which, S(wide));
    compare_rows(c, &narrow, arithmetic_names, ARITHMETIC_ROWS);
    sums_by_integers(c, (f32 *)narrow.side[0] + ROW_sum * PAIRS,
                     (f32 *)narrow.side[0] + ROW_difference * PAIRS);
    compare_rows(c, &wide, arithmetic_names, ARITHMETIC_ROWS);
}

CONFORM(choices)
{
    conform_pair narrow = PAIR(f32, ZERO, PAIRS * CHOICE_ROWS);
    conform_pair wide = PAIR(f64, ZERO, PAIRS * CHOICE_ROWS);

    fill_pairs();
    BOTH(choices_f32, PAIRS, x32, y32, which, S(narrow));
    BOTH(choices_f64, PAIRS, x64, y64, which, S(wide));
    compare_rows(c, &narrow, choice_names, CHOICE_ROWS);
    compare_rows(c, &wide, choice_names, CHOICE_ROWS);
    /* The first pair with the least denormal: x itself is chosen. */
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[CHOICE_between * PAIRS + 3 * EDGES], -0x1p-149f);
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[CHOICE_branched * PAIRS + 3 * EDGES], -0x1p-149f);
}

CONFORM(functions)
{
    conform_pair narrow = PAIR(f32, ZERO, PAIRS * FUNCTION_ROWS);
    conform_pair wide = PAIR(f64, ZERO, PAIRS * FUNCTION_ROWS);

    fill_pairs();
    BOTH(functions_f32, PAIRS, x32, y32, S(narrow));
    BOTH(functions_f64, PAIRS, x64, y64, S(wide));
    compare_rows(c, &narrow, function_names, FUNCTION_ROWS);
    compare_rows(c, &wide, function_names, FUNCTION_ROWS);
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[FUNCTION_sinh * PAIRS + 3 * EDGES], -0x1p-149f);
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[FUNCTION_log1p * PAIRS + 3 * EDGES], -0x1p-149f);
}

/* Updates and reductions of denormals alone, whose sums are exact in any order. */
CONFORM(updates)
{
    enum { COUNT = 3000 };
    const u32 *bits = IN(u32, PLAIN, COUNT);
    static f32 a[COUNT];
    static f64 p[COUNT];
    conform_pair sums = PAIR(f32, ZERO, 8), ends = PAIR(f32, ZERO, 2), all = PAIR(f32, ZERO, 3);
    conform_pair sums64 = PAIR(f64, ZERO, 8), ends64 = PAIR(f64, ZERO, 2);
    conform_pair all64 = PAIR(f64, ZERO, 3);
    int64_t sum = 0;

    for (int k = 0; k < COUNT; k++) {
        int32_t units = (int32_t)(bits[k] % 2001) - 1000;
        a[k] = (f32)units * 0x1p-149f;
        p[k] = units * 0x1p-1074;
        sum += units;
    }
    BOTH(updates_f32, COUNT, a, S(sums), S(ends), S(all));
    BOTH(updates_f64, COUNT, p, S(sums64), S(ends64), S(all64));
    SAME(sums);
    SAME(ends);
    SAME(all);
    SAME(sums64);
    SAME(ends64);
    SAME(all64);
    EXPECT_I64(in_units(((f32 *)all.side[0])[0]), sum);
}

static const check_case cases[] = {
    CASE(arithmetic),
    CASE(choices),
    CASE(functions),
    CASE(updates),
};
CHECK_MAIN(cases)
