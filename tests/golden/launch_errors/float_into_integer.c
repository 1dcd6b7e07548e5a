#include <slipway/kernel.h>
slip_kernel i32 f(i32 n, const f32 x[n])
{
    i32 s = 0;
    slip_for (i, n)
        s += x[i];
    return s;
}
