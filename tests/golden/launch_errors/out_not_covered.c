#include <slipway/kernel.h>
slip_kernel void f(i32 n, i32 m, slip_out i32 y[n])
{
    slip_for (i, m)
        y[i] = 7;
}
