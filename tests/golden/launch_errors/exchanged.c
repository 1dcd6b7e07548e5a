#include <slipway/kernel.h>
slip_kernel i32 f(i32 n, i32 x[n])
{
    i32 k = 0;
    slip_for (i, n)
        slip_atomic_exchange(&k, x[i]);
    return k;
}
