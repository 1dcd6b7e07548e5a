#include <slipway/kernel.h>
slip_kernel void f(i32 n, const f32 x[n], f32 y[n])
{
    f32 d;
    slip_for (i, n) {
        d = x[i] - 1;
        y[i] = d * d;
    }
}
