/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n], f32 y[n])
{
    slip_section {
        slip_for (i, n)
            x[i] = 1;
    }
    slip_sections {
        x[0] = 2;
        slip_section {
            slip_sections {
                slip_section { y[0] = 1; }
            }
        }
    }
    slip_for (i, n) {
        slip_sections {
            slip_section { y[i] = 1; }
        }
    }
}
