#include <slipway/kernel.h>
slip_kernel void f(i32 n, const f32 x[n], f32 y[n])
{
    f32 s = 0;
    slip_for (i, n) {
        s += x[i];
        y[i] = s;
    }
}
