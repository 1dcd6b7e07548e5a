#include <slipway/kernel.h>
slip_kernel void f(i32 n, const i32 to[n], i32 h[n], i32 seen[n])
{
    slip_for (i, n) {
        h[to[i]] += 1;
        seen[i] = h[i];
    }
}
