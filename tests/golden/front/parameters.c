/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct size {
    i32 rows, cols;
    i64 more[2];
};

slip_kernel void f(struct size s, u16 m, const f32 x[s.rows][s.cols + m],
                   slip_out f64 y[static 2 * sizeof(i32)], i32 *p,
                   u8 (*q)[3][m], struct size v[], bool b)
{
    slip_for2 (r, s.rows, c, s.cols)
        y[r % 8] += x[r][c] + s.more[1];
    p[0] = q[1][2][m - 1] + (i32)v[1].more[0] + b;
}
