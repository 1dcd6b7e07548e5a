#include <slipway/kernel.h>
slip_kernel void interior(i32 n, const f32 x[n], slip_out f32 y[n])
{
    slip_for (i, n)
        if (i > 0 && i < n - 1)
            y[i] = x[i - 1] + x[i + 1];
}
slip_kernel void added(i32 n, const f32 x[n], slip_out f32 y[n])
{
    slip_for (i, n)
        y[i] += x[i];
}
slip_kernel void not_said(i32 n, const f32 x[n], slip_out f32 y[n], slip_out f32 z[n])
{
    slip_for (i, n) {
        if (x[i] > 0)
            y[i] = 1;
        else
            y[i] = 2;
    }
    slip_for (i, n)
        z[i] = 0;
    slip_for (i, n)
        z[i] += x[i];
}
