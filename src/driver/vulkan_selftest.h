/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest.h - the parts of the self-test: hard cases, the shader that computes them, and
 * what a device's answers say of it.
 *
 * A self-test is of one width of floats, 32 or 64 bits. Numbers stand as bits in the low part of a
 * 64-bit word, in the cases as in the answers.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_SELFTEST_H
#define SLIPWAY_DRIVER_VULKAN_SELFTEST_H

#include "driver/vulkan_device.h"
#include "driver/vulkan_words.h"

/* The last are for the roots of NUMERIC_HARD_ROOTS, times each power of 4 that matters. */
enum {
    VULKAN_SELFTEST_ROOTS = 8 * 96,
    VULKAN_SELFTEST_CASES = 1024 + VULKAN_SELFTEST_ROOTS,
    VULKAN_SELFTEST_LOCAL = 64
};

typedef struct vulkan_selftest_case {
    uint64_t a, b, c; /* floats */
    int64_t n;
    uint64_t wide, narrow; /* an f64 that may be an f32, and an f32 */
} vulkan_selftest_case;

/* What is computed of each case, in this order. */
typedef struct vulkan_selftest_answer {
    uint64_t quotient;  /* a / b */
    uint64_t root;      /* sqrt(c): a hard case where a, b are none, and the other way round */
    uint64_t fused;     /* fma(a, b, c) */
    uint64_t sum;       /* a + b */
    uint64_t product;   /* a * b */
    uint64_t converted; /* n as a float */
    uint64_t order;     /* a == b, a != b, a < b, a <= b: bits 0 .. 3 */
    uint64_t least, most;
    uint64_t floor, ceil, trunc, rint; /* of a */
    /* a + 0, 0 - a, a * 0, 0 / a, a / 0, where the zero is a constant of the shader's */
    uint64_t zero_sum, zero_difference, zero_product, zero_quotient, by_zero;
    uint64_t narrowed, widened; /* an f32, an f64; of 64-bit floats only */
    uint64_t difference;        /* a - b */
    /* 1 < a ? 1 : a and -1 < a ? a : -1 by selection, and the first by a branch */
    uint64_t at_most, at_least, at_most_later;
    uint64_t brief_root; /* sqrt(c) as math/refine.c's briefest steps have it; of 32-bit floats */
} vulkan_selftest_answer;

enum { VULKAN_SELFTEST_ANSWERS = 25 };

typedef struct vulkan_selftest_push {
    uint64_t cases, answers; /* addresses */
} vulkan_selftest_push;

/* The bits of a number that the width has. */
uint64_t vulkan_selftest_number(uint32_t width, double value);
/* VULKAN_SELFTEST_CASES of them, the same each time. */
void vulkan_selftest_cases(uint32_t width, vulkan_selftest_case *out);
/* The right answers, computed by this processor: IEEE 754 in the default rounding mode. */
void vulkan_selftest_answers(uint32_t width, const vulkan_selftest_case *cases,
                             vulkan_selftest_answer *out);
/* The bits of NUMERICS that a device's answers earn, as far as the width has to do with them. */
uint32_t vulkan_selftest_judge(uint32_t width, const vulkan_selftest_case *cases,
                               const vulkan_selftest_answer *right,
                               const vulkan_selftest_answer *got);
/* Those that a device has only if both widths earn them. */
enum { VULKAN_SELFTEST_SHARED = 1 << NUMERIC_NEAREST | 1 << NUMERIC_ZEROS };
/* One invocation a case, VULKAN_SELFTEST_LOCAL a workgroup. */
void vulkan_selftest_shader(uint32_t width, vulkan_words *out);

#endif
