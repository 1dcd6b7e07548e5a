/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 total(i32 n, const f32 x[n])
{
    f32 s = 0;
    slip_for (i, n)
        s += x[i];
    return s;
}

slip_kernel void f(i32 n, f32 x[n], f32 y[n])
{
    slip_sections {
        slip_section {
            x[0] = total(n, y);
        }
        slip_section {
            slip_for (i, n) {
                if (y[i] < 0)
                    continue;
                y[i] = 1;
            }
        }
    }
}
