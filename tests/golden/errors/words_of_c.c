/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#include <stdlib.h>
#include <string.h>

slip_kernel void f(i32 n, const f32 x[n], f32 y[n])
{
    f32 *room = malloc(n * sizeof *room);

    slip_for (i, n) {
        y[i] = sqrtf(x[i]) + rand();
        x[i] = 0;
        memmove(&y[i], &room[i], 4);
        slip_atomic_add(&y[0], 1.0f);
    }
    slip_for (i, 0, n)
        y[i] = 0;
    slip_for (i32 i, n)
        y[i] = 0;
}
