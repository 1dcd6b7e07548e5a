/* SPDX-License-Identifier: Apache-2.0 */
/*
 * special_test.c - what C11's Annex F (F.10) says of zeros, infinities, NaNs and exact cases,
 * written out by hand. Each row holds for f32 and f64; bits are compared, NaNs as a class.
 */
#include <float.h>
#include <math.h>
#include <slipway/slip_math.h>
#include <string.h>

#include "math/ulp.h"
#include "support/check.h"

#define INF INFINITY
#define PI 3.14159265358979323846

typedef struct one_row {
    const char *name;
    double x, want; /* f32: want rounded */
} one_row;

static const one_row one_rows[] = {
    { "sin", 0.0, 0.0 },        { "sin", -0.0, -0.0 },    { "sin", INF, NAN },
    { "sin", -INF, NAN },       { "sin", NAN, NAN },      { "cos", 0.0, 1 },
    { "cos", -0.0, 1 },         { "cos", INF, NAN },      { "cos", NAN, NAN },
    { "tan", 0.0, 0.0 },        { "tan", -0.0, -0.0 },    { "tan", -INF, NAN },
    { "tan", NAN, NAN },        { "asin", 0.0, 0.0 },     { "asin", -0.0, -0.0 },
    { "asin", 1, PI / 2 },      { "asin", -1, -PI / 2 },  { "asin", 1.5, NAN },
    { "asin", -INF, NAN },      { "asin", NAN, NAN },     { "acos", 1, 0.0 },
    { "acos", -1, PI },         { "acos", 0.0, PI / 2 },  { "acos", 2, NAN },
    { "acos", INF, NAN },       { "acos", NAN, NAN },     { "atan", 0.0, 0.0 },
    { "atan", -0.0, -0.0 },     { "atan", INF, PI / 2 },  { "atan", -INF, -PI / 2 },
    { "atan", 1, PI / 4 },      { "atan", NAN, NAN },     { "sinh", 0.0, 0.0 },
    { "sinh", -0.0, -0.0 },     { "sinh", INF, INF },     { "sinh", -INF, -INF },
    { "sinh", 1e4, INF },       { "sinh", -1e4, -INF },   { "sinh", NAN, NAN },
    { "cosh", 0.0, 1 },         { "cosh", -0.0, 1 },      { "cosh", INF, INF },
    { "cosh", -INF, INF },      { "cosh", NAN, NAN },     { "tanh", 0.0, 0.0 },
    { "tanh", -0.0, -0.0 },     { "tanh", INF, 1 },       { "tanh", -INF, -1 },
    { "tanh", 40, 1 },          { "tanh", NAN, NAN },     { "asinh", 0.0, 0.0 },
    { "asinh", -0.0, -0.0 },    { "asinh", INF, INF },    { "asinh", -INF, -INF },
    { "asinh", NAN, NAN },      { "acosh", 1, 0.0 },      { "acosh", 0.5, NAN },
    { "acosh", -INF, NAN },     { "acosh", INF, INF },    { "acosh", NAN, NAN },
    { "atanh", 0.0, 0.0 },      { "atanh", -0.0, -0.0 },  { "atanh", 1, INF },
    { "atanh", -1, -INF },      { "atanh", 1.5, NAN },    { "atanh", INF, NAN },
    { "atanh", NAN, NAN },      { "exp", 0.0, 1 },        { "exp", -0.0, 1 },
    { "exp", INF, INF },        { "exp", -INF, 0.0 },     { "exp", 1e4, INF },
    { "exp", -1e4, 0.0 },       { "exp", NAN, NAN },      { "exp2", 0.0, 1 },
    { "exp2", -0.0, 1 },        { "exp2", 10, 1024 },     { "exp2", -10, 0x1p-10 },
    { "exp2", -149, 0x1p-149 }, { "exp2", 127, 0x1p127 }, { "exp2", INF, INF },
    { "exp2", -INF, 0.0 },      { "exp2", 2000, INF },    { "exp2", -2000, 0.0 },
    { "exp2", NAN, NAN },       { "expm1", 0.0, 0.0 },    { "expm1", -0.0, -0.0 },
    { "expm1", INF, INF },      { "expm1", -INF, -1 },    { "expm1", -200, -1 },
    { "expm1", 1e4, INF },      { "expm1", NAN, NAN },    { "log", 1, 0.0 },
    { "log", 0.0, -INF },       { "log", -0.0, -INF },    { "log", -1, NAN },
    { "log", INF, INF },        { "log", -INF, NAN },     { "log", NAN, NAN },
    { "log2", 1, 0.0 },         { "log2", 8, 3 },         { "log2", 0x1p-149, -149 },
    { "log2", 0x1p-126, -126 }, { "log2", 0.0, -INF },    { "log2", -0.0, -INF },
    { "log2", -2, NAN },        { "log2", INF, INF },     { "log2", NAN, NAN },
    { "log10", 1, 0.0 },        { "log10", 10, 1 },       { "log10", 1000, 3 },
    { "log10", 1e10, 10 },      { "log10", 0.0, -INF },   { "log10", -0.0, -INF },
    { "log10", -1, NAN },       { "log10", INF, INF },    { "log10", NAN, NAN },
    { "log1p", 0.0, 0.0 },      { "log1p", -0.0, -0.0 },  { "log1p", -1, -INF },
    { "log1p", -2, NAN },       { "log1p", INF, INF },    { "log1p", -INF, NAN },
    { "log1p", NAN, NAN },      { "cbrt", 0.0, 0.0 },     { "cbrt", -0.0, -0.0 },
    { "cbrt", 27, 3 },          { "cbrt", -8, -2 },       { "cbrt", INF, INF },
    { "cbrt", -INF, -INF },     { "cbrt", NAN, NAN },     { "cbrt", 0x1p-120, 0x1p-40 },
};

typedef struct two_row {
    const char *name;
    double x, y, want;
} two_row;

static const two_row two_rows[] = {
    { "atan2", 0.0, -0.0, PI },
    { "atan2", -0.0, -0.0, -PI },
    { "atan2", 0.0, 0.0, 0.0 },
    { "atan2", -0.0, 0.0, -0.0 },
    { "atan2", 0.0, -1, PI },
    { "atan2", -0.0, -1, -PI },
    { "atan2", 0.0, 1, 0.0 },
    { "atan2", -0.0, 1, -0.0 },
    { "atan2", -1, 0.0, -PI / 2 },
    { "atan2", -1, -0.0, -PI / 2 },
    { "atan2", 1, 0.0, PI / 2 },
    { "atan2", 1, -0.0, PI / 2 },
    { "atan2", 1, -INF, PI },
    { "atan2", -1, -INF, -PI },
    { "atan2", 1, INF, 0.0 },
    { "atan2", -1, INF, -0.0 },
    { "atan2", INF, 1, PI / 2 },
    { "atan2", -INF, 1, -PI / 2 },
    { "atan2", INF, -INF, 3 * PI / 4 },
    { "atan2", -INF, -INF, -3 * PI / 4 },
    { "atan2", INF, INF, PI / 4 },
    { "atan2", -INF, INF, -PI / 4 },
    { "atan2", NAN, 1, NAN },
    { "atan2", 1, NAN, NAN },
    { "atan2", 1, 1, PI / 4 },
    { "atan2", 1, -1, 3 * PI / 4 },

    { "hypot", INF, NAN, INF },
    { "hypot", NAN, -INF, INF },
    { "hypot", NAN, 1, NAN },
    { "hypot", 1, NAN, NAN },
    { "hypot", -3, 4, 5 },
    { "hypot", 0.0, -0.0, 0.0 },
    { "hypot", -2, 0.0, 2 },
    { "hypot", 0x1p-149, 0, 0x1p-149 },
    { "hypot", 3e30, 4e30, 5e30 },

    { "pow", 0.0, -3, INF },
    { "pow", -0.0, -3, -INF },
    { "pow", 0.0, -2, INF },
    { "pow", -0.0, -2, INF },
    { "pow", -0.0, -2.5, INF },
    { "pow", 0.0, -INF, INF },
    { "pow", -0.0, -INF, INF },
    { "pow", 0.0, 3, 0.0 },
    { "pow", -0.0, 3, -0.0 },
    { "pow", 0.0, 2, 0.0 },
    { "pow", -0.0, 2, 0.0 },
    { "pow", -0.0, 2.5, 0.0 },
    { "pow", -1, INF, 1 },
    { "pow", -1, -INF, 1 },
    { "pow", 1, NAN, 1 },
    { "pow", 1, INF, 1 },
    { "pow", NAN, 0.0, 1 },
    { "pow", NAN, -0.0, 1 },
    { "pow", INF, 0.0, 1 },
    { "pow", 0.0, 0.0, 1 },
    { "pow", -2, 0.5, NAN },
    { "pow", -2, -0.5, NAN },
    { "pow", 0.5, -INF, INF },
    { "pow", -0.5, -INF, INF },
    { "pow", 2, -INF, 0.0 },
    { "pow", -2, -INF, 0.0 },
    { "pow", 0.5, INF, 0.0 },
    { "pow", -0.5, INF, 0.0 },
    { "pow", 2, INF, INF },
    { "pow", -2, INF, INF },
    { "pow", -INF, -3, -0.0 },
    { "pow", -INF, -2, 0.0 },
    { "pow", -INF, -2.5, 0.0 },
    { "pow", -INF, 3, -INF },
    { "pow", -INF, 2, INF },
    { "pow", -INF, 2.5, INF },
    { "pow", INF, -1, 0.0 },
    { "pow", INF, 0.5, INF },
    { "pow", NAN, 1, NAN },
    { "pow", 2, NAN, NAN },
    { "pow", 2, 10, 1024 },
    { "pow", -2, 3, -8 },
    { "pow", -2, 4, 16 },
    { "pow", 2, -149, 0x1p-149 },
    { "pow", 3, 4, 81 },
    { "pow", -2, -1, -0.5 },
    { "pow", 1.5, 1e30, INF },
    { "pow", 1.5, -1e30, 0.0 },
    { "pow", -1, 1e30, 1 },
    { "pow", 9, 0.5, 3 },
    { "pow", -2, 16777215, -INF },

    { "fmod", 0.0, 1, 0.0 },
    { "fmod", -0.0, 1, -0.0 },
    { "fmod", 5, 3, 2 },
    { "fmod", -5, 3, -2 },
    { "fmod", -6, 3, -0.0 },
    { "fmod", 1, 0.0, NAN },
    { "fmod", INF, 1, NAN },
    { "fmod", 1, INF, 1 },
    { "fmod", -1, -INF, -1 },
    { "fmod", NAN, 1, NAN },
    { "fmod", 1, NAN, NAN },
    { "remainder", 5, 3, -1 },
    { "remainder", 6, 4, -2 },
    { "remainder", 2, 4, 2 },
    { "remainder", -9, 3, -0.0 },
    { "remainder", 1, INF, 1 },
    { "remainder", INF, 1, NAN },
    { "remainder", 1, 0.0, NAN },
};

static void check_both(const char *name, double x, double y, float got_f32, double got_f64,
                       double want)
{
    if (isnan(want) ? !isnan(got_f64) : ulp_bits_f64(got_f64) != ulp_bits_f64(want))
        CHECK_FAIL("%s(%a, %a) is %a; it should be %a", name, x, y, got_f64, want);
    if (isnan(want) ? !isnan(got_f32) : ulp_bits_f32(got_f32) != ulp_bits_f32((float)want))
        CHECK_FAIL("%sf(%a, %a) is %a; it should be %a", name, x, y, (double)got_f32,
                   (double)(float)want);
}

static void functions_of_one_follow_annex_f(void)
{
    for (size_t i = 0; i < sizeof one_rows / sizeof one_rows[0]; i++) {
        const one_row *r = &one_rows[i];
        bool found = false;
        for (uint32_t k = 0; k < ulp_row_count; k++) {
            const ulp_row *f = &ulp_rows[k];
            if (strcmp(f->name, r->name) != 0)
                continue;
            found = true;
            check_both(r->name, r->x, 0, f->f32((float)r->x), f->f64(r->x), r->want);
        }
        CHECK(found);
    }
}

static void functions_of_two_follow_annex_f(void)
{
    for (size_t i = 0; i < sizeof two_rows / sizeof two_rows[0]; i++) {
        const two_row *r = &two_rows[i];
        bool found = false;
        for (uint32_t k = 0; k < ulp_pair_row_count; k++) {
            const ulp_pair_row *f = &ulp_pair_rows[k];
            if (strcmp(f->name, r->name) != 0)
                continue;
            found = true;
            check_both(r->name, r->x, r->y, f->f32((float)r->x, (float)r->y), f->f64(r->x, r->y),
                       r->want);
        }
        if (strcmp(r->name, "fmod") == 0)
            check_both(r->name, r->x, r->y, slip_fmodf((float)r->x, (float)r->y),
                       slip_fmod(r->x, r->y), r->want);
        else if (strcmp(r->name, "remainder") == 0)
            check_both(r->name, r->x, r->y, slip_remainderf((float)r->x, (float)r->y),
                       slip_remainder(r->x, r->y), r->want);
        else
            CHECK(found);
    }
}

/* Sizes that differ between the types: the last numbers before overflow and underflow. */
static void ranges_end_where_they_should(void)
{
    CHECK_EQ_F64(slip_exp(709.782712893384), 0x1.fffffffffff2ap+1023); /* e^x by MPFR, rounded */
    CHECK_EQ_F64(slip_exp(709.7827128933841), INFINITY);
    CHECK_EQ_F64(slip_exp(-745.1332191019411), 0x1p-1074);
    CHECK_EQ_F64(slip_exp(-745.1332191019412), 0);
    CHECK_EQ_F64(slip_exp2(-1074), 0x1p-1074);
    CHECK_EQ_F64(slip_exp2(-1075), 0);
    CHECK_EQ_F64((double)slip_exp2f(-149), 0x1p-149);
    CHECK_EQ_F64((double)slip_exp2f(-150), 0);
    CHECK_EQ_F64(slip_sin(0x1p-1074), 0x1p-1074);
    CHECK_EQ_F64(slip_sinh(-0x1p-1074), -0x1p-1074);
    CHECK_EQ_F64((double)slip_tanf(0x1p-149f), 0x1p-149);
    CHECK_EQ_F64((double)slip_asinf(-0x1p-140f), -0x1p-140);
    CHECK_EQ_F64(slip_cbrt(0x1p-1074), 0x1p-358);
    CHECK_EQ_F64(slip_hypot(DBL_MAX, DBL_MAX), INFINITY);
    CHECK_EQ_F64(slip_fma(DBL_MAX, 2, -DBL_MAX), DBL_MAX);
}

static const check_case cases[] = {
    CASE(functions_of_one_follow_annex_f),
    CASE(functions_of_two_follow_annex_f),
    CASE(ranges_end_where_they_should),
};
CHECK_MAIN(cases)
