#include <slipway/kernel.h>
slip_kernel i32 f(i32 n, const f32 x[n])
{
    i32 sign = 0;
    slip_for (i, n) {
        if (x[i] > 0)
            sign = 1;
        else
            sign = -1;
    }
    return sign;
}
