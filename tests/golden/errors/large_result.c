/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct big {
    f64 v[9];
};

slip_kernel struct big f(i32 n)
{
    return (struct big){ { n } };
}
