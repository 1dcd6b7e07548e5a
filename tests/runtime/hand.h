/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.h - a module made by hand, and a driver whose code is functions of the test.
 *
 * The driver is the real one but for its code: an "image" is an array of C functions, and a
 * symbol's byte offset is an index into it. It can fail the k-th call that may fail.
 */
#ifndef SLIPWAY_TESTS_HAND_H
#define SLIPWAY_TESTS_HAND_H

#include <stdatomic.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/objects.h"

/* Tests of one thread only: the call numbered hand_fail_at (from 1) of hand_calls fails; 0:
 * none. */
extern uint32_t hand_fail_at, hand_calls;

/* The cpu family over that driver. */
const launcher *hand_family(void);

/*
 * The kernels of hand_module, in order. What each does as C:
 *
 *   nothing(void)                                {}
 *   add(i32 n, f32 a, f32 x[n])                  x[i] += a
 *   next(i32 n, const f32 x[n], f32 y[n])        y[i] = x[i] + 1       x and y apart, or equal
 *   reverse(i32 n, const f32 x[n], f32 y[n])     y[n - 1 - i] = x[i]   x and y apart
 *   sum(i64 n, const i32 x[n])                   returns the i64 sum
 *   steps(i32 n, i32 k, f32 u[n])                k times: t[i] = u[i] + i; u[i] = t[i]; f32 t[n]
 *   area(i32 n, i32 m, f32 x[n * m])             x[i] = 1 for all n * m
 *   open(i32 n, f32 *x)                          x[i] += 1 for i < n
 *   point(struct P { f32 a; i32 n; } p, f32 x[p.n])   x[i] += p.a
 *   drain(i32 n, i32 x[n])                       do { all x[i] -= 1 } while (x[0] > 0), decided
 *                                                on the device
 *   wide(i64 lo, i64 hi, i64 out[1])             out[0] += last - first, over lo .. hi - 1
 *   square(i64 h, i64 w, i64 out[1])             out[0] += 1, over h x w
 *   both(i32 n, f32 x[n], f32 y[n])              x[i] += 1, then y[i] += 1, in two tasks
 *   slow(i32 n, i64 out[1])                      out[0] += 1 after n times 1 us, serial
 */
typedef enum hand_kernel {
    HAND_NOTHING,
    HAND_ADD,
    HAND_NEXT,
    HAND_REVERSE,
    HAND_SUM,
    HAND_STEPS,
    HAND_AREA,
    HAND_OPEN,
    HAND_POINT,
    HAND_DRAIN,
    HAND_WIDE,
    HAND_SQUARE,
    HAND_BOTH,
    HAND_SLOW,
    HAND_KERNELS
} hand_kernel;

const mod_module *hand_module(void);

/* Arguments of a launch on a hand_device, and the launch itself without a result. */
#define ARG(value)                                                                                 \
    {                                                                                              \
        &(value), sizeof(value)                                                                    \
    }
#define ARRAY_ARG(array)                                                                           \
    {                                                                                              \
        (array), sizeof(array)                                                                     \
    }
#define LAUNCH(on, kernel, args)                                                                   \
    slip_launch((on)->stream, hand_entry((on), (kernel)), (args),                                  \
                sizeof(args) / sizeof((args)[0]), NULL, 0)

/* A device of hand_family with the module loaded; the case ends where that fails. */
typedef struct hand_device {
    slip_device *device;
    slip_stream *stream; /* the default one */
    slip_module *module;
} hand_device;

void hand_open(hand_device *out);
slip_entry *hand_entry(const hand_device *on, hand_kernel kernel);
void hand_close(hand_device *on); /* and checks that no memory is left */
slip_status hand_add_one(const hand_device *on, void *x, int32_t n); /* `add` with a of 1 */

/* How many slow tasks have begun. */
extern atomic_int hand_slow_begun;

#endif
