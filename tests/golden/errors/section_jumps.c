/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n], f32 y[n])
{
    for (i32 s = 0; s < 2; ++s) {
        slip_sections {
            slip_section {
                slip_for (i, n)
                    x[i] = 1;
                if (n > 4)
                    break;
            }
            slip_section {
                if (n > 5)
                    continue;
                if (n > 6)
                    return;
                slip_for (i, n)
                    y[i] = 1;
            }
        }
    }
}
