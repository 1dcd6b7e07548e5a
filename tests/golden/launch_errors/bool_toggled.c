#include <slipway/kernel.h>
slip_kernel bool f(i32 n, const i32 x[n])
{
    bool b = false;
    slip_for (i, n)
        b ^= x[i];
    return b;
}
