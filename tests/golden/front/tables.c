/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static const f32 weight[2][3] = { { 0.5f, 1 }, [1] = { [1] = -2.0f * 3 } };
static const struct {
    u8 tag;
    i64 big[2];
} rows[2] = { { 1, { 2 } }, { .big[1] = 1LL << 40, } };
enum { SIDE = 4 };
static const i32 area = SIDE * SIDE;

slip_kernel void f(i32 n, f32 x[n])
{
    static const u8 order[] = { 2, 0, 1 };
    slip_for (i, n)
        x[i] = weight[i & 1][order[i % 3]] + (f32)rows[i & 1].big[1] + area;
}
