/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_math.c - the C library's math functions that compiled kernels call. A name that is not in the
 * table cannot be imported: an image must never reach anything else of the process.
 */
#define _GNU_SOURCE /* lgamma_r */
#include "driver/cpu_math.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* lgamma writes the sign into a global; threads must not share that. */
static double lgamma_alone(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

static float lgammaf_alone(float x)
{
    int sign;

    return lgammaf_r(x, &sign);
}

typedef struct math_row {
    const char *name;
    cpu_math_function function;
} math_row;

#define BOTH_(name)                                                                                \
    { #name, (cpu_math_function)name },                                                            \
    {                                                                                              \
#name "f", (cpu_math_function)name##f                                                      \
    }

static const math_row rows[] = {
    BOTH_(sin),
    BOTH_(cos),
    BOTH_(tan),
    BOTH_(asin),
    BOTH_(acos),
    BOTH_(atan),
    BOTH_(sinh),
    BOTH_(cosh),
    BOTH_(tanh),
    BOTH_(asinh),
    BOTH_(acosh),
    BOTH_(atanh),
    BOTH_(exp),
    BOTH_(exp2),
    BOTH_(expm1),
    BOTH_(log),
    BOTH_(log2),
    BOTH_(log10),
    BOTH_(log1p),
    BOTH_(cbrt),
    BOTH_(erf),
    BOTH_(erfc),
    BOTH_(tgamma),
    BOTH_(pow),
    BOTH_(atan2),
    BOTH_(hypot),
    BOTH_(fmod),
    BOTH_(remainder),
    BOTH_(nextafter),
    BOTH_(fma),
    { "lgamma", (cpu_math_function)lgamma_alone },
    { "lgammaf", (cpu_math_function)lgammaf_alone },
};

cpu_math_function cpu_math_named(const char *name)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].name, name) == 0)
            return rows[k].function;
    return NULL;
}
