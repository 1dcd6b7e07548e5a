/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct big {
    f64 v[400];
};

slip_kernel void f(struct big a, struct big b, f64 x[1])
{
    x[0] = a.v[0] + b.v[0];
}
