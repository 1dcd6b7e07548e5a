/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>
#include <stdio.h>
enum { N = 4 };
static int calls;
static i32 f(i32 a, i32 b)
{
    ++calls;
    return a + b;
}
int main(void)
{
    const i32 n = 5;
    u8 small = 200;
    bool yes = true;
    i64 big = 3;
    size_t z = 3;
    i32 sum = 0;
    i32 m = 2;
    for (i32 i = 0; i < 3; ++i) {
        slip_for (i, i + 1)
            sum += 1;
    }
    printf("outer-i bound: %d (want 6)\n", sum);
    sum = 0;
    slip_for (i, n)
        sum += i;
    slip_for (i, small)
        sum++;
    slip_for (i, yes)
        sum++;
    slip_for (i, big)
        sum++;
    slip_for (i, z)
        sum++;
    slip_for (i, N)
        sum++;
    printf("types: %d (want 221)\n", sum);
    sum = 0;
    slip_for (i, f(1, 2))
        sum++;
    slip_for2 (y, f(1, 1), x, f(1, 2))
        sum++;
    slip_for3 (a, f(1, 1), b, f(1, 1), c, f(1, 1)) {
        if (b)
            continue;
        sum++;
    }
    printf("once: calls %d (want 6) sum %d (want 13)\n", calls, sum);
    sum = 0;
    slip_for2 (y, m, x, m) {
        if (y == 0 && x == 0)
            m = 9;
        sum++;
    }
    printf("held bounds: %d (want 4)\n", sum);
    sum = 0;
    slip_for_range (i, 5, 2)
        sum++;
    slip_for_range (i, -2, n)
        sum++;
    slip_for_range (i, z, 5)
        sum++;
    slip_for (i, -7)
        sum++;
    slip_for_range (i, INT32_MAX - 2, INT32_MAX)
        sum++;
    printf("ranges: %d (want 11)\n", sum);
    if (n > 9)
        slip_for (i, n)
            sum = 0;
    else
        sum = 77;
    printf("else: %d (want 77)\n", sum);
    _Static_assert(sizeof(__typeof__((small) | (small))) == 4, "promoted");
    u8 h = 3;
    f32 t = 2;
    i64 q = 9;
    unsigned long long ull = 3;
    printf("%d %g %lld %llu %d %g %g %d\n", slip_atomic_min(&h, 1), (double)slip_atomic_max(&t, 5),
           (long long)slip_atomic_exchange(&q, 1), slip_atomic_min(&ull, 1), (int)h, (double)t,
           (double)slip_min(-0.0f, 0.0f), (int)slip_min(h, -4));
    return 0;
}
