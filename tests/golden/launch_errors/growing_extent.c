#include <slipway/kernel.h>
slip_kernel void f(i32 n, i32 x[n])
{
    for (i32 k = 1; k < n; k *= 2) {
        i32 t[k];
        slip_for (i, k)
            t[i] = x[i];
        slip_for (i, k)
            x[i] = t[i] + 1;
    }
}
