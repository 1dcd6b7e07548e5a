/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform_tree.c - the reduction tree, once per float type, over a plain copy of the parts.
 *
 * Must stay a literal reading of the rule: no shortcut, no shared code with src/.
 */
#include "conform_tree.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, LANES = 64 };

/* A NaN loses to a number; -0 is below +0. */
static int first_is_less(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

static double fold(tree_op op, double a, double b)
{
    switch (op) {
    case TREE_ADD:
        return a + b;
    case TREE_MUL:
        return a * b;
    case TREE_MIN:
        return isnan(a) ? b : isnan(b) || first_is_less(a, b) ? a : b;
    case TREE_MAX:
        return isnan(a) ? b : isnan(b) || first_is_less(b, a) ? a : b;
    }
    return 0;
}

static double identity(tree_op op)
{
    return op == TREE_ADD ? -0.0 : op == TREE_MUL ? 1.0 : (double)NAN;
}

/* A sum or product of two f32 in f64, rounded to f32, is the f32 operation (53 >= 2 * 24 + 2). */
#define TREE(T)                                                                                   \
    static T block_##T(tree_op op, const T *parts, size_t count)                                  \
    {                                                                                             \
        T lane[LANES];                                                                            \
                                                                                                  \
        for (size_t l = 0; l < LANES; l++) {                                                      \
            lane[l] = (T)identity(op);                                                            \
            for (size_t k = l; k < BLOCK; k += LANES)                                             \
                lane[l] = (T)fold(op, (double)lane[l],                                            \
                                  k < count ? (double)parts[k] : identity(op));                   \
        }                                                                                         \
        for (size_t half = LANES / 2; half > 0; half /= 2)                                        \
            for (size_t l = 0; l < half; l++)                                                     \
                lane[l] = (T)fold(op, (double)lane[l], (double)lane[l + half]);                   \
        return lane[0];                                                                           \
    }                                                                                             \
                                                                                                  \
    static T tree_of_##T(tree_op op, T old, const T *parts, size_t count)                         \
    {                                                                                             \
        T *level = malloc((count + 1) * sizeof *level);                                           \
        T result = (T)identity(op);                                                               \
                                                                                                  \
        if (!level)                                                                               \
            return (T)NAN;                                                                        \
        if (count)                                                                                \
            memcpy(level, parts, count * sizeof *level);                                          \
        while (count > 1) {                                                                       \
            size_t blocks = (count + BLOCK - 1) / BLOCK;                                          \
            for (size_t b = 0; b < blocks; b++)                                                   \
                level[b] = block_##T(op, level + b * BLOCK,                                       \
                                     count - b * BLOCK < BLOCK ? count - b * BLOCK : BLOCK);      \
            count = blocks;                                                                       \
        }                                                                                         \
        if (count)                                                                                \
            result = level[0];                                                                    \
        free(level);                                                                              \
        return (T)fold(op, (double)old, (double)result);                                          \
    }

TREE(float)
TREE(double)

float tree_f32(tree_op op, float old, const float *parts, size_t count)
{
    return tree_of_float(op, old, parts, count);
}

double tree_f64(tree_op op, double old, const double *parts, size_t count)
{
    return tree_of_double(op, old, parts, count);
}

double tree_bound_f32(const float *parts, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += fabs((double)parts[i]);
    return 2 * (double)count * FLT_EPSILON * sum;
}

double tree_bound_f64(const double *parts, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += fabs(parts[i]);
    return 2 * (double)count * DBL_EPSILON * sum;
}
