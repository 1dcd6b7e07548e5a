/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c - kernels on what stands between tasks: kernel-level state, sections, calls, updates. */
#include <slipway/kernel.h>

#define KERNEL(name)                                                                               \
    slip_kernel void name(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n],        \
                          i64 z[n], u8 h[n])

struct span {
    i32 lo, hi;
};

static void smooth(i32 n, f32 u[n])
{
    f32 next[n];
    slip_for (i, n)
        next[i] = 0.5f * (u[i] + u[(i + 1) % n]);
    slip_for (i, n)
        u[i] = next[i];
}
static i64 sum(i32 n, const i32 v[n], i32 *most)
{
    i64 s = 0;
    slip_for (i, n) {
        s += v[i];
        slip_atomic_max(most, v[i]);
    }
    return s;
}
static struct span limits(i32 n, const i32 v[n])
{
    struct span s = { 0, 0 };
    slip_for (i, n) {
        slip_atomic_min(&s.lo, v[i]);
        slip_atomic_max(&s.hi, v[i]);
    }
    return s;
}
static i32 middle(struct span s)
{
    return s.lo + (s.hi - s.lo) / 2;
}
static void count(i32 *counter, i32 by)
{
    *counter += by;
}

KERNEL(updates)
{
    i32 hits = 0, flag = 0, seen = 3;
    f32 most = -1000;
    slip_for (i, n) {
        x[a[i] & 3]++;
        h[a[i] & 1] += 3;
        y[i % 3] += 0.5f;
        z[i % 2] -= i;
        hits += a[i] > 0;
        slip_atomic_max(&most, b[i]);
        if (a[i] == 7)
            flag = 1;
        i32 slot = x[4]++;
        x[5 + slot % 3] += slot;
        slip_atomic_min(&x[8], a[i]);
        i32 was = slip_atomic_exchange(&x[9], a[i]);
        was = slip_atomic_compare_exchange(&x[10], was, a[i]);
        (void)was;
        count(&x[11], i);
        count(&seen, a[i] & 3); /* the kernel's own variable, through a helper: an update */
        i32 own = 0;
        count(&own, 2);
        x[12] += own;
    }
    x[13] = hits + seen;
    y[4] = most;
    x[14] = flag;
}

KERNEL(calls)
{
    i32 most = -1;
    smooth(n, y);
    z[0] = sum(n, a, &most);
    x[0] = most;
    struct span s = limits(n, a);
    s.hi += 1;
    x[1] = middle(s) + middle((struct span){ 3, 9 });
    slip_for_range (i, 2, n)
        x[i] = middle(s) + most;
    updates(n, m, a, b, x, y, z, h);
    i64 again = 0;
    again = sum(n, x, &most);
    z[1] = again;
}

KERNEL(sections)
{
    f32 t[n];
    slip_sections
    {
        slip_section
        {
            slip_for (i, n)
                x[i] += 1;
            x[0] = 5;
        }
        slip_section
        {
            slip_for (i, n)
                t[i] = b[i] * 2;
            smooth(n, t);
            slip_for (i, n)
                y[i] = t[i];
        }
    }
    if (x[0] == 5)
        slip_for (i, n)
            x[i] *= 2;
}

KERNEL(serial)
{
    static const i32 start[3] = { 4, 5, 6 };
    i32 fixed[3] = { 1, 2 }, k = 0;
    struct span s = { .hi = m };
    u8 wide = 250;
    i64 big = n;
    for (i32 i = 0; i < 3; ++i) {
        fixed[i] += start[i];
        k += fixed[i];
    }
    n -= 2;
    slip_for (i, n)
        x[i] = fixed[i % 3] + k + s.hi;
    slip_for_range (i, -3, 4)
        if (i > 0)
            x[i] += i;
    slip_for (i, wide)
        z[i % n]++;
    slip_for (i, big)
        z[i] += i;
    slip_for_range (i, 9, 3)
        x[i] = 0;
    slip_for (i, sizeof(i64))
        h[i] = (u8)i;
    x[n] = n + k;
    y[0] = (f32)x[1] + b[0];
}
