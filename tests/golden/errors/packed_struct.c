/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct __attribute__((packed)) odd {
    u8 tag;
    f32 value;
};

struct __attribute__((aligned(32))) wide {
    f32 value;
};

slip_kernel void f(i32 n, struct odd x[n], struct wide y[n])
{
    slip_for (i, n)
        x[i].value = y[i].value;
}
