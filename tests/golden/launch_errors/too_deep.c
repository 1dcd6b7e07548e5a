#include <slipway/kernel.h>

#define IF8(k) \
    if (x[i] > k) \
    if (x[i] > k + 1) \
    if (x[i] > k + 2) \
    if (x[i] > k + 3) \
    if (x[i] > k + 4) \
    if (x[i] > k + 5) \
    if (x[i] > k + 6) \
    if (x[i] > k + 7)
#define IF64(k) \
    IF8(k) IF8(k + 8) IF8(k + 16) IF8(k + 24) IF8(k + 32) IF8(k + 40) IF8(k + 48) IF8(k + 56)

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        IF64(0)
        IF64(64)
        IF64(128)
        IF8(192)
        x[i] = 1;
    }
}
