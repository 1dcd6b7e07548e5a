/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finishes.c - serial statements beside reductions, which run where the reduction ends: before its
 * fold and behind it, in loops and conditions of the device, and where there are no iterations.
 */
#include <slipway/kernel.h>

#include "finishes.h"

/* The shape of conjugate gradients, in integers that wrap. */
slip_kernel i64 chained(i32 n, i32 steps, const i64 b[n], slip_out i64 x[n])
{
    i64 r[n];
    i64 p[n];
    i64 rr = 0;

    slip_for (i, n) {
        x[i] = 0;
        r[i] = b[i];
        p[i] = b[i];
        rr += b[i] * b[i];
    }
    for (i32 s = 0; s < steps; ++s) {
        i64 pq = 0;
        slip_for (i, n)
            pq += p[i] * (3 * p[i] - r[i]);
        i64 alpha = rr % (pq | 1);
        i64 next = 0;
        slip_for (i, n) {
            x[i] = x[i] + alpha * p[i];
            r[i] = r[i] - alpha * p[i] * 3;
            next += r[i] * r[i];
        }
        i64 beta = next % (rr | 1);
        rr = next + s;
        slip_for (i, n)
            p[i] = r[i] + beta * p[i];
    }
    return rr;
}

/* The device decides how often: what ends a pass stands behind the sum. */
slip_kernel i32 rounds_to_nothing(i32 n, i64 x[n])
{
    i64 left = 1;
    i32 rounds = 0;

    while (left != 0 && rounds < 70) {
        left = 0;
        slip_for (i, n) {
            x[i] = x[i] / 2;
            left += x[i] != 0;
        }
        ++rounds;
    }
    return rounds;
}

/* Where the device's condition does not hold, neither sum nor what stands around it is done. */
slip_kernel i64 on_condition(i32 n, i64 limit, const i64 x[n])
{
    i64 sum = 0;
    i64 count = 7;
    i64 total = 11;

    slip_for (i, n)
        sum += x[i];
    total += sum * 3;
    if (sum > limit) {
        count = 0;
        slip_for (i, n)
            count += x[i] > limit;
        total = total * 2 - count;
    }
    return total + count;
}

/* The last task reads what is set before it, and sets what is read before it: that stays a task. */
slip_kernel i64 seen_by_the_task(i32 n, const i64 x[n], slip_out i64 y[n])
{
    i64 first = 1;
    i64 sum = 0;
    i64 before = 0;
    i32 some = 0;

    slip_for (i, n)
        first += x[i];
    slip_for (i, n)
        y[i] = x[i] + first;
    first = first * 2;
    sum = 5;
    slip_for (i, n)
        sum += x[i] * first;
    slip_for (i, n)
        y[i] = y[i] - 1;
    before = before + some;
    slip_for (i, n) {
        sum += x[i];
        if (x[i] > 0)
            some = 1;
    }
    return sum + before + 2 * some;
}

/* What stands before the second sum reads what its iterations read, and neither writes it. */
slip_kernel i64 reads_alike(i32 n, const i64 x[n], slip_out i64 y[n])
{
    i64 first = 1;
    i64 twice = 0;
    i64 sum = 0;

    slip_for (i, n)
        first += x[i];
    slip_for (i, n)
        y[i] = x[i] + first;
    twice = first * 2;
    sum = first;
    slip_for (i, n)
        sum += x[i] * first;
    return sum + twice;
}

/* Ways out stand behind sums: of a loop, and of the kernel. */
slip_kernel i64 leaves_early(i32 n, i32 times, i64 limit, const i64 x[n])
{
    i64 total = 0;

    for (i32 k = 0; k < times; ++k) {
        i64 sum = k;
        slip_for (i, n)
            sum += x[i] >> k;
        if (sum < 0)
            return -sum;
        if (sum < limit)
            break;
        total += sum;
    }
    i64 last = 0;
    slip_for (i, n)
        last ^= x[i];
    if (last == 0)
        return total;
    return total + last;
}

/* A bound of the next task is computed behind a sum, and a struct is the result. */
slip_kernel struct moments bounded(i32 n, const i32 x[n], slip_out i32 y[n])
{
    struct moments m = { 0, 0, 0, 2147483647, -2147483647 };
    i32 end = 0;

    slip_for (i, n)
        y[i] = -1;
    slip_for (i, n) {
        m.count += x[i] > 0;
        slip_atomic_min(&m.low, x[i]);
        slip_atomic_max(&m.high, x[i]);
    }
    end = m.count < n / 2 ? (i32)m.count : n / 2;
    slip_for (i, end) {
        y[i] = x[i];
        m.sum += x[i];
    }
    m.spread = m.count ? m.sum / m.count : -1;
    return m;
}

/* More than one task takes in stands behind the sum, and more than another before it. */
slip_kernel i32 filled(i32 n, struct weights b, const i32 x[n])
{
    i32 s = b.w[17] - b.w[18] * b.w[19] + b.w[20] * b.w[21] - b.w[22] * b.w[23] + b.w[24] * b.w[25];

    s = s * b.w[26] - b.w[27] * b.w[28] + b.w[29] * b.w[30] - b.w[31] * b.w[32] + b.w[33] * b.w[34];
    slip_for (i, n)
        s += x[i] * b.w[i % 990];
    i32 r = s * b.w[1] + b.w[2];
    r = r * b.w[3] + b.w[4];
    r = r * b.w[5] + b.w[6];
    r = r * b.w[7] + b.w[8];
    r = r * b.w[9] + b.w[10];
    r = r * b.w[11] + b.w[12];
    r = r * b.w[13] + b.w[14];
    return r * b.w[15] + b.w[16];
}

/* Two axes, either of which may be empty. */
slip_kernel i64 in_rows(i32 n, i32 m, const i64 x[n * m])
{
    i64 sum = 3;

    slip_for2 (i, n, j, m)
        sum += x[i * m + j] * (i + 2 * j);
    return sum * 2 + n;
}
