/* SPDX-License-Identifier: Apache-2.0 */
/* A bound in a cell: the shader reads it, walks on by the grid, and steps its coordinates. A struct
 * too large for push constants goes by address, as does a table of more than 256 bytes. */
#include <slipway/kernel.h>

typedef struct coefficients {
    f32 c[20];
    i16 shift;
} coefficients;

static const f32 weights[80] = { 1, 2, 3 };

slip_kernel void strided(i32 n, const i32 count[1], coefficients p, f32 y[n][4])
{
    i32 most = count[0];

    slip_for2 (i, most, j, 4)
        y[i][j] = p.c[j + p.shift] * weights[i % 80];
}
