/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.c - kernels of the field cases that are about launching, memory, sizes and threads.
 */
#include <slipway/kernel.h>

/* Work that takes a while and whose result the caller can predict. */
static u32 churn(u32 rounds, u32 from)
{
    for (u32 r = 0; r < rounds; ++r)
        from = from * 1664525u + 1013904223u;
    return from;
}

/* Case 1: each launch in flight has its own arguments. */
slip_kernel void stamp(i32 n, i32 tag, u32 rounds, slip_out i32 dst[n])
{
    slip_for (i, n) {
        u32 spent = churn(rounds, (u32)i);
        dst[i] = spent == 0xffffffffu ? tag : tag + 0 * (i32)spent;
    }
}

/* Case 2: a group's lanes start after what came before on the stream, and end before what follows. */
slip_kernel void slow_fill(i32 n, i32 value, u32 rounds, slip_out i32 p[n])
{
    slip_for (i, n)
        p[i] = churn(rounds, (u32)i) == 0 && rounds == 0xffffffffu ? 0 : value;
}

slip_kernel void group(i32 n, const i32 p[n], slip_out i32 x[n], slip_out i32 y[n])
{
    slip_sections {
        slip_section {
            slip_for (i, n)
                x[i] = p[i] + 1;
        }
        slip_section {
            slip_for (i, n)
                y[i] = p[i] * 2;
        }
    }
}

slip_kernel void add(i32 n, const i32 x[n], const i32 y[n], slip_out i32 z[n])
{
    slip_for (i, n)
        z[i] = x[i] + y[i];
}

slip_kernel i64 total_i32(i64 n, const i32 x[n])
{
    i64 sum = 0;

    slip_for (i, n)
        sum += x[i];
    return sum;
}

slip_kernel i64 total_u8(i64 n, const u8 x[n])
{
    i64 sum = 0;

    slip_for (i, n)
        sum += x[i];
    return sum;
}

slip_kernel void copy_bytes(i64 n, const u8 from[n], slip_out u8 to[n])
{
    slip_for (i, n)
        to[i] = from[i];
}

/* Case 10: offsets beyond 2 GiB and 4 GiB. */
slip_kernel void ends_f32(i64 n, f32 value, f32 a[n])
{
    slip_for (k, 2)
        a[k == 0 ? 0 : n - 1] = value;
}

slip_kernel f32 read_f32(i64 n, i64 at, const f32 a[n])
{
    return a[at];
}

/* Case 11: nothing to do is done. */
slip_kernel void twice(i32 n, i32 a[n])
{
    slip_for (i, n)
        a[i] = 2 * a[i];
}

slip_kernel void twice2(i32 h, i32 w, i32 a[h][w])
{
    slip_for2 (y, h, x, w)
        a[y][x] = 2 * a[y][x];
}

slip_kernel void one_of_two(i32 n, i32 m, i32 a[n], i32 b[m])
{
    slip_sections {
        slip_section {
            slip_for (i, n)
                a[i] += 1;
        }
        slip_section {
            slip_for (i, m)
                b[i] += 1;
        }
    }
}

slip_kernel i64 count2(u64 h, u64 w)
{
    i64 count = 0;

    slip_for2 (y, h, x, w)
        count += 1;
    return count;
}

/* Cases 13 and 16: products of extents beyond 32 bits, an axis beyond 65535. */
slip_kernel void diagonal(i32 h, i32 w, i64 count[1])
{
    slip_for2 (y, h, x, w) {
        if (y == x)
            count[0] += 1;
    }
}

slip_kernel void corner3(i32 d, i32 h, i32 w, i64 count[1])
{
    slip_for3 (z, d, y, h, x, w) {
        if (z == d - 1 && y == h - 1 && x == w - 1)
            count[0] += 1;
    }
}

slip_kernel void tall(i32 h, i32 w, i32 a[h][w])
{
    slip_for2 (y, h, x, w)
        a[y][x] += 1;
}

/* Case 14: an extent beyond the type of most indices. */
slip_kernel void first_and_last(i64 n, i64 seen[2])
{
    slip_for (i, n) {
        if (i == 0)
            seen[0] = i;
        if (i == n - 1)
            seen[1] = i;
    }
}

slip_kernel void where(i64 h, i64 w, i64 at, i64 seen[2])
{
    slip_for2 (i, h, j, w) {
        if (i * w + j == at) {
            seen[0] = i;
            seen[1] = j;
        }
    }
}

/* Case 29: heavily contended float atomics. */
slip_kernel void count_f32(i64 n, f32 total[1])
{
    slip_for (i, n)
        total[0] += 1.0f;
}

/* Case 37: an update in an inner loop and a read of the same element after it. */
slip_kernel void seen_in_order(i32 a[8], i32 seen[2])
{
    for (i32 i = 0; i < 8; ++i) {
        for (i32 k = 0; k < 3; ++k)
            a[i] += 1;
        if (i == 0)
            seen[0] = a[0];
        if (i == 3)
            seen[1] = a[0];
    }
}

/* Case 53: a bound read on the device is read again in each pass. */
slip_kernel void grow(i32 state[3]) /* n, c, out */
{
    i32 before = state[0];

    do {
        i32 bound = state[0];
        slip_for (k, bound)
            state[2] += 1;
        state[0] = state[0] + 2;
        state[1] = state[1] - 1;
    } while (state[1]);
    state[2] = state[2] + 0 * before;
}

/* Case 61: launches from several threads. */
slip_kernel void iota(i32 n, slip_out i32 a[n])
{
    slip_for (i, n)
        a[i] = i;
}

/* Case 38: bool in memory. */
slip_kernel void positive(const f32 v[5], slip_out bool out[5])
{
    slip_for (i, 5)
        out[i] = v[i] > 0;
}

slip_kernel void truths(const bool in[4], slip_out i32 truth[4], slip_out bool again[4])
{
    slip_for (i, 4) {
        truth[i] = in[i] ? 1 : 0;
        again[i] = in[i];
    }
}
