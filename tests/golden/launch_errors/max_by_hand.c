#include <math.h>
#include <slipway/kernel.h>
slip_kernel f32 f(i32 n, const f32 x[n])
{
    f32 m = 0;
    slip_for (i, n)
        m = fmaxf(m, x[i]);
    return m;
}
