/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - kernels on control flow, all of one signature; run_test.c runs them. */
#include <slipway/kernel.h>

#define KERNEL(name)                                                                               \
    slip_kernel void name(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n],        \
                          i64 z[n], u8 h[n])

enum { RED = 2, BLUE = 7 };

static i32 pick(i32 k)
{
    for (;;) {
        if (k > 2)
            return k;
        ++k;
    }
}

static i32 classify(i32 v)
{
    if (v < -100)
        return -2;
    else if (v < 0)
        return -1;
    while (v > 0) {
        v /= 3;
        if (v == 5)
            return 5;
    }
    do {
        if (v == 0)
            break;
    } while (++v < 3);
    return v + 40;
}

KERNEL(loops)
{
    slip_for (i, n) {
        i32 sum = 0;
        for (i32 k = 0, q = 9; k < 10; ++k, q--) {
            if (k == 3)
                continue;
            if (k + a[i] % 7 == 8)
                break;
            sum += k * q;
        }
        i32 k = 5;
        for (; k;)
            if (k-- == a[i] % 5)
                break;
        for (i32 q = 0;; ++q) {
            if (q > (a[i] & 3))
                break;
            sum += q;
        }
        do {
            sum += 2;
            if (sum % 3 == 0)
                continue;
            sum++;
        } while (sum < 30);
        while (1) {
            if (sum-- < 10)
                break;
        }
        x[i] = sum * 100 + k + pick(a[i]) + classify(a[i]);
    }
}

KERNEL(nested_loops)
{
    slip_for (i, n) {
        i32 count = 0;
        for (i32 p = 0; p < m; ++p) {
            for (i32 q = 0; q < m; ++q) {
                if ((p + q + i) % 4 == 0)
                    continue;
                if (p * q > 9)
                    break;
                i32 r = 0;
                while (r < 3) {
                    r++;
                    if (r == 2 && p == 1)
                        break;
                    count++;
                }
            }
            if (count > 50)
                break;
        }
        x[i] = count;
    }
}

KERNEL(switches)
{
    slip_for (i, n) {
        i32 v = 0;
        switch (a[i] % 6) { /* plain */
        case 0:
            v = 1;
            break;
        case 1:
        case -1: {
            v = 2;
            break;
        }
        case RED:
            if (i & 1)
                break;
            v = 3;
            break;
        default:
            v = 4;
            break;
        }
        switch (a[i] & 7) { /* falls through, default in the middle */
        case 0:
            v += 10;
        case 3:
            v += 100;
            if (i % 3 == 0)
                break;
        default:
            v += 1000;
        case 5: {
            v += 10000;
            for (i32 k = 0; k < 4; ++k) {
                if (k == 2)
                    break;
                v++;
            }
        } break;
        case BLUE:
            v = -v;
        }
        switch ((u8)a[i]) { /* no default, no break */
        case 200:
            v += 5;
        }
        for (i32 k = 0; k < 5; ++k) {
            switch (k) {
            case 1:
                continue;
            case 3:
                v += 7;
            case 4:
                continue;
            default:
                break;
            }
            v += k;
        }
        switch (z[i] > 0 ? 1 : 0) {
            i32 shared;
        case 0:
            shared = 3;
            v += shared;
            break;
        case 1:
            shared = 4;
            v *= shared;
        }
        x[i] = v;
    }
}

KERNEL(early_continue)
{
    slip_for (i, n) {
        if (a[i] < 0)
            continue;
        for (i32 k = 0; k < 3; ++k) {
            if (k == 1)
                continue;
            x[i] += k;
        }
        switch (a[i] % 3) {
        case 0:
            continue;
        case 1:
            x[i] += 5;
            break;
        default:
            x[i] += 6;
        }
        y[i] = 1;
    }
}

KERNEL(logic)
{
    slip_for (i, n) {
        i32 k = a[i], calls = 0;
        bool in = k >= 0 && k < n;
        if (in && a[k] != 0)
            calls |= 1;
        if (k < 0 || k >= n || a[k] == 0)
            calls |= 2;
        if (!(k > 3) && !!k)
            calls |= 4;
        i32 t = (k > 3) + (k < 9) * 2 + !k + (k == 2 || k == 4);
        i32 u = k > 5 ? k - 5 : k < -5 ? a[(k & 7) % n] : calls++;
        i32 w = (calls++ > 0 && k > 1 && ++t) || (t += 3);
        f32 f = b[i] ? b[i] : -1;
        if (b[i])
            calls += 16;
        i32 s = k > 0 ? (calls += 32, 1) : 2;
        x[i] = calls + t * 1000 + u + w + s;
        y[i] = f;
        h[i] = (u8)(in ? 3 : f > 0);
    }
}

KERNEL(unbraced)
{
    if (n > 4)
        slip_for (i, n)
            x[i] += 1;
    else
        x[0] = 9;
    if (n > 400)
        slip_for (i, n)
            x[i] += 1;
    else
        x[0] = 9;
    i32 s = 0;
    while (s < 3) {
        slip_for (i, n)
            x[i] += s;
        if (x[1] > 1000)
            break;
        ++s;
    }
    do
        slip_for (i, n)
            x[i] ^= s;
    while (--s > 0);
    for (i32 k = 0; k < m; k += 2) {
        if (k == 2)
            continue;
        slip_for_range (i, k, n - k)
            y[i] += (f32)k;
        if (k == 4)
            return;
    }
    x[2] = -1;
}
