/* SPDX-License-Identifier: Apache-2.0 */
/* Divisions and roots of straight code behind one test; one alone; and a group that a store of its
 * value ends. */
#include <math.h>
#include <slipway/kernel.h>

slip_kernel void roots(i32 n, const f32 x[n], const f32 m[n], f32 y[n], f32 z[n])
{
    slip_for (i, n) {
        f32 u = x[i], pull = m[i] / (u * sqrtf(u));
        y[i] = pull * u;
        z[i] = m[i] / y[i];
    }
}
