#include <slipway/kernel.h>
slip_kernel void f(i32 n, const i32 x[n], i32 last[1])
{
    slip_for (i, n)
        last[0] = x[i];
}
