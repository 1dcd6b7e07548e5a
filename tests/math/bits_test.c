/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bits_test.c - the math library through slipc on the CPU device, and as the C compiler builds it:
 * the same bits, on numbers of every kind, NaNs as a class.
 */
#include <math.h>
#include <slipway/kernel.h>
#include <slipway/slipway.h>
#include <stdlib.h>

#include "each.slip.h"
#include "kernels/each.h"
#include "math/ulp.h"
#include "support/check.h"

#define ONE_(name) void each_##name##_reference(i32 n, const f32 *x, const f64 *y, f32 *a, f64 *b);
#define TWO_(name)                                                                                 \
    void each_##name##_reference(i32 n, const f32 *x, const f32 *s, const f64 *y, const f64 *t,    \
                                 f32 *a, f64 *b);
EACH_OF_ONE(ONE_)
EACH_OF_TWO(TWO_)
#undef ONE_
#undef TWO_

enum { COUNT = 100000 };

typedef struct numbers {
    float x[COUNT], s[COUNT], device_f32[COUNT], reference_f32[COUNT];
    double y[COUNT], t[COUNT], device_f64[COUNT], reference_f64[COUNT];
} numbers;

static double wild(uint64_t *state)
{
    uint64_t bits = ulp_random(state);

    switch (bits % 4) {
    case 0:
        return ulp_f64(ulp_random(state));
    case 1:
        return ldexp((double)(int64_t)bits, -58);
    case 2:
        return ldexp((double)(int64_t)bits, -63);
    default:
        return ldexp((double)(int64_t)bits, (int)(ulp_random(state) % 200) - 160);
    }
}

static numbers *make_numbers(void)
{
    numbers *n = calloc(1, sizeof *n);
    uint64_t state = 0x9e3779b97f4a7c15u;

    CHECK(n != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        n->x[i] = i % 2 ? ulp_f32((uint32_t)(((uint64_t)i << 32) / COUNT)) : (float)wild(&state);
        n->s[i] = (float)wild(&state);
        n->y[i] = wild(&state);
        n->t[i] = wild(&state);
    }
    return n;
}

static void compare(const char *name, const numbers *n)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        float a = n->device_f32[i], b = n->reference_f32[i];
        double c = n->device_f64[i], d = n->reference_f64[i];
        if (!(isnan(a) && isnan(b)) && ulp_bits_f32(a) != ulp_bits_f32(b))
            CHECK_FAIL("%sf(%a, %a) is %a on the device and %a in C", name, (double)n->x[i],
                       (double)n->s[i], (double)a, (double)b);
        if (!(isnan(c) && isnan(d)) && ulp_bits_f64(c) != ulp_bits_f64(d))
            CHECK_FAIL("%s(%a, %a) is %a on the device and %a in C", name, n->y[i], n->t[i], c, d);
    }
}

static void the_device_and_the_C_compiler_agree_bit_for_bit(void)
{
    numbers *n = make_numbers();
    slip_device *device = NULL;

    CHECK_RESULT(slip_device_open("cpu", &device), SLIP_OK);
#define ONE_(name)                                                                                 \
    CHECK_RESULT(                                                                                  \
        each_##name(slip_default(device), COUNT, n->x, n->y, n->device_f32, n->device_f64),        \
        SLIP_OK);                                                                                  \
    each_##name##_reference(COUNT, n->x, n->y, n->reference_f32, n->reference_f64);                \
    compare(#name, n);
#define TWO_(name)                                                                                 \
    CHECK_RESULT(each_##name(slip_default(device), COUNT, n->x, n->s, n->y, n->t, n->device_f32,   \
                             n->device_f64),                                                       \
                 SLIP_OK);                                                                         \
    each_##name##_reference(COUNT, n->x, n->s, n->y, n->t, n->reference_f32, n->reference_f64);    \
    compare(#name, n);
    EACH_OF_ONE(ONE_)
    EACH_OF_TWO(TWO_)
    slip_device_close(device);
    free(n);
}

static const check_case cases[] = {
    CASE(the_device_and_the_C_compiler_agree_bit_for_bit),
};
CHECK_MAIN(cases)
