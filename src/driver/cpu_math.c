/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_math.c - the C library's math functions that compiled kernels call: those that the math library
 * of kernels lacks, and two exact ones. A name that is not in the
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
    BOTH_(erf),
    BOTH_(erfc),
    BOTH_(tgamma),
    BOTH_(fmod),
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
