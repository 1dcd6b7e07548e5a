/* SPDX-License-Identifier: Apache-2.0 */
/*
 * denormals.c - every operation on floats, of numbers around the least normal one: a row of `out`
 * an operation (denormals.h).
 */
#include "denormals.h"
#include <math.h>
#include <slipway/kernel.h>

#define PUT_ROW(name, text, value) out[ROW_##name][i] = (value);
#define PUT_CHOICE(name, text, value) out[CHOICE_##name][i] = (value);
#define PUT_FUNCTION(name, text, value) out[FUNCTION_##name][i] = (value);

#define T f32
#define OTHER f64
#define NAMED(name) name##_f32
#define FN(name) name##f
#define TO_BITS slip_f32_bits
#define OF_BITS slip_bits_f32
#define LEAST 0x1p-149
#define TINY 0x1.234p-133
#define NORMAL 0x1p-126
#include "denormals_of.h"

slip_kernel void arithmetic_f32(i32 n, f32 one, const f32 a[n], const f32 b[n], const i32 which[n],
                                slip_out f32 out[ARITHMETIC_ROWS][n])
{
    slip_for (i, n)
        NAMED(put_arithmetic)(i, n, one, a[i], b[i], which[i], out);
}

slip_kernel void choices_f32(i32 n, const f32 a[n], const f32 b[n], const i32 which[n],
                             slip_out f32 out[CHOICE_ROWS][n])
{
    slip_for (i, n)
        NAMED(put_choices)(i, n, a[i], b[i], which[i], out);
}

slip_kernel void functions_f32(i32 n, const f32 a[n], const f32 b[n],
                               slip_out f32 out[FUNCTION_ROWS][n])
{
    slip_for (i, n)
        NAMED(put_functions)(i, n, a[i], b[i], out);
}

/* Sums of denormals are exact, in any order. */
slip_kernel void updates_f32(i32 n, const f32 a[n], f32 sums[8], f32 ends[2], slip_out f32 all[3])
{
    f32 sum = 0, least = 1, most = -1;

    slip_for (i, n) {
        sums[i & 7] += a[i];
        slip_atomic_min(&ends[0], a[i]);
        slip_atomic_max(&ends[1], a[i]);
        sum += a[i];
        slip_atomic_min(&least, a[i]);
        slip_atomic_max(&most, a[i]);
    }
    slip_for (i, 1) {
        all[0] = sum;
        all[1] = least;
        all[2] = most;
    }
}

#undef T
#undef OTHER
#undef NAMED
#undef FN
#undef TO_BITS
#undef OF_BITS
#undef LEAST
#undef TINY
#undef NORMAL
#define T f64
#define OTHER f32
#define NAMED(name) name##_f64
#define FN(name) name
#define TO_BITS slip_f64_bits
#define OF_BITS slip_bits_f64
#define LEAST 0x1p-1074
#define TINY 0x1.234p-1040
#define NORMAL 0x1p-1022
#include "denormals_of.h"

slip_kernel void arithmetic_f64(i32 n, f64 one, const f64 a[n], const f64 b[n], const i32 which[n],
                                slip_out f64 out[ARITHMETIC_ROWS][n])
{
    slip_for (i, n)
        NAMED(put_arithmetic)(i, n, one, a[i], b[i], which[i], out);
}

slip_kernel void choices_f64(i32 n, const f64 a[n], const f64 b[n], const i32 which[n],
                             slip_out f64 out[CHOICE_ROWS][n])
{
    slip_for (i, n)
        NAMED(put_choices)(i, n, a[i], b[i], which[i], out);
}

slip_kernel void functions_f64(i32 n, const f64 a[n], const f64 b[n],
                               slip_out f64 out[FUNCTION_ROWS][n])
{
    slip_for (i, n)
        NAMED(put_functions)(i, n, a[i], b[i], out);
}

slip_kernel void updates_f64(i32 n, const f64 a[n], f64 sums[8], f64 ends[2], slip_out f64 all[3])
{
    f64 sum = 0, least = 1, most = -1;

    slip_for (i, n) {
        sums[i & 7] += a[i];
        slip_atomic_min(&ends[0], a[i]);
        slip_atomic_max(&ends[1], a[i]);
        sum += a[i];
        slip_atomic_min(&least, a[i]);
        slip_atomic_max(&most, a[i]);
    }
    slip_for (i, 1) {
        all[0] = sum;
        all[1] = least;
        all[2] = most;
    }
}
