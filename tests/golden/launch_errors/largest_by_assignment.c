/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel f32 largest(i32 n, const f32 x[n], i32 at[1])
{
    f32 most = 0;
    i32 where = 0;

    slip_for (i, n) {
        if (x[i] > most) {
            most = x[i];
            where = i;
        }
    }
    at[0] = where;
    return most;
}
