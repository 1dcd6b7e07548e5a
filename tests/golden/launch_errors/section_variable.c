#include <slipway/kernel.h>
slip_kernel void f(i32 n, i32 x[n], i32 y[n])
{
    i32 k = 0;
    slip_sections {
        slip_section {
            k = n;
            slip_for (i, n)
                x[i] = k;
        }
        slip_section {
            slip_for (i, n)
                y[i] = k;
        }
    }
}
