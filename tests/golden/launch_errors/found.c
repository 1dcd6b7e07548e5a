#include <slipway/kernel.h>
slip_kernel i32 f(i32 n, const f32 x[n])
{
    i32 found = -1;
    slip_for (i, n)
        if (x[i] > 0)
            found = i;
    return found;
}
