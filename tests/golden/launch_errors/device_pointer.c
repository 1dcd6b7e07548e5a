#include <slipway/kernel.h>
slip_kernel void f(i32 n, const i32 flag[1], i32 x[n], i32 y[n])
{
    i32 *p = x;
    if (flag[0])
        p = y;
    slip_for (i, n)
        p[i] = 1;
}
