#include <slipway/kernel.h>
slip_kernel void said(i32 n, i32 m, f32 x[n], f32 y[n][m])
{
    slip_for_range (i, 1, n - 1)
        x[i] = 0.5f * (x[i - 1] + x[i + 1]);
    slip_for (i, n)
        x[i] = i < n - 1 ? x[i + 1] : 0;
    slip_for2 (a, n - 1, b, m)
        y[a][b] = y[a + 1][b];
    slip_for (i, n / 4)
        x[2 * i + 1] = x[2 * i + 3];
}
slip_kernel void not_said(i32 n, i32 m, f32 x[n], f32 y[n][m], i32 half)
{
    slip_for (i, n / 2)
        x[2 * i] = x[2 * i + 1];
    slip_for (i, n / 2)
        x[2 * i + half] = x[2 * i + 1 - half];
    slip_for2 (a, n, b, m)
        if ((a + b) % 2 == half && a > 0)
            y[a][b] = y[a - 1][b];
    slip_for (i, n)
        for (i32 k = 1; k < m; k++)
            y[i][k] = y[i][k - 1];
    slip_for_range (i, 1, n)
        x[i] = i == 1 ? x[i - 1] : 0;
    slip_for (i, n)
        x[i] = x[i] + 1;
    slip_for (i, 1)
        x[i] = x[i + 1];
    slip_for (i, 64)
        x[i] = x[i + 64] + x[n - 1 - i];
}
