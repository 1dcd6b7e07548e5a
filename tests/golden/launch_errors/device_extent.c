#include <slipway/kernel.h>
slip_kernel void f(i32 n, const i32 count[1], i32 x[n])
{
    i32 m = count[0];
    i32 t[m * 2];
    slip_for (i, n)
        t[i] = x[i];
    slip_for (i, n)
        x[i] = t[i];
}
