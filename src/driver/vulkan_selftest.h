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

enum { VULKAN_SELFTEST_CASES = 1024, VULKAN_SELFTEST_LOCAL = 64 };

typedef struct vulkan_selftest_case {
    uint64_t a, b, c; /* floats */
    int64_t n;
} vulkan_selftest_case;

/* What is computed of each case, in this order. */
typedef struct vulkan_selftest_answer {
    uint64_t quotient;  /* a / b */
    uint64_t root;      /* sqrt(c): a hard case where a, b are none, and the other way round */
    uint64_t fused;     /* fma(a, b, c) */
    uint64_t sum;       /* a + b */
    uint64_t product;   /* a * b */
    uint64_t converted; /* n as a float */
    uint64_t narrowed;  /* a as an f32, bits; 64-bit floats only */
} vulkan_selftest_answer;

enum { VULKAN_SELFTEST_ANSWERS = 7 };

typedef struct vulkan_selftest_push {
    uint64_t cases, answers; /* addresses */
} vulkan_selftest_push;

/* VULKAN_SELFTEST_CASES of them, the same each time. */
void vulkan_selftest_cases(uint32_t width, vulkan_selftest_case *out);
/* The right answers, computed by this processor: IEEE 754 in the default rounding mode. */
void vulkan_selftest_answers(uint32_t width, const vulkan_selftest_case *cases,
                             vulkan_selftest_answer *out);
/* The bits of QUEUE_NUMERICS that a device's answers earn; `nearest` apart, which is of both
 * widths. */
uint32_t vulkan_selftest_judge(uint32_t width, const vulkan_selftest_case *cases,
                               const vulkan_selftest_answer *right,
                               const vulkan_selftest_answer *got, bool *out_nearest);
/* One invocation a case, VULKAN_SELFTEST_LOCAL a workgroup. */
void vulkan_selftest_shader(uint32_t width, vulkan_words *out);

#endif
