#include <slipway/kernel.h>
slip_kernel void f(i32 n, const i32 to[n], f32 y[n])
{
    slip_for (i, n)
        y[to[i]] *= 2;
}
