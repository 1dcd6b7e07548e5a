/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomics.c - updates of elements that many iterations share. Each result here is the same in any
 * order of the iterations, so a serial run has it too.
 */
#include <slipway/kernel.h>

slip_kernel void add_to_bins(i32 n, const u32 at[n], i8 a[5], u8 b[5], i16 c[5], u16 d[5],
                             i32 e[5], u32 f[5], i64 g[5], u64 h[5], f32 p[5], f64 q[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] += i;
        b[k] += i;
        c[k] += i;
        d[k] += i;
        e[k] += i * i;
        f[k] += i * i;
        g[k] += (i64)i << 33;
        h[k] += (u64)i << 33;
        p[k] += i & 7; /* exact: below 2^24 */
        q[k] += i & 15;
    }
}

slip_kernel void subtract_from_bins(i32 n, const u32 at[n], i8 a[5], u8 b[5], i16 c[5], u16 d[5],
                                    i32 e[5], u32 f[5], i64 g[5], u64 h[5], f32 p[5], f64 q[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] -= i;
        b[k] -= i;
        c[k] -= i;
        d[k] -= i;
        e[k] -= i * i;
        f[k] -= i * i;
        g[k] -= (i64)i << 33;
        h[k] -= (u64)i << 33;
        p[k] -= i & 7;
        q[k] -= i & 15;
    }
}

/* Powers of two only, so that products of floats stay exact; integers wrap. */
slip_kernel void multiply_bins(i32 n, const u32 at[n], i8 a[5], u8 b[5], i16 c[5], u16 d[5],
                               i32 e[5], u32 f[5], i64 g[5], u64 h[5], f32 p[5], f64 q[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] *= 2 * i + 1;
        b[k] *= 2 * i + 1;
        c[k] *= 2 * i + 1;
        d[k] *= 2 * i + 1;
        e[k] *= 2 * i + 1;
        f[k] *= 2 * i + 1;
        g[k] *= 2 * i + 1;
        h[k] *= 2 * i + 1;
        p[k] *= i & 1 ? 2 : 0.5f;
        q[k] *= i & 1 ? 2 : 0.5;
    }
}

/* floor(floor(x / a) / b) is floor(x / (a b)): any order. */
slip_kernel void divide_bins(i32 n, const u32 at[n], i32 a[5], u32 b[5], i64 c[5], u64 d[5],
                             u8 e[5], f32 p[5], f64 q[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] /= (i & 1) + 1;
        b[k] /= (i & 1) + 1;
        c[k] /= (i & 3) + 1;
        d[k] /= (i & 3) + 1;
        e[k] /= (i & 1) + 1;
        p[k] /= i & 1 ? 2 : 1;
        q[k] /= i & 1 ? 2 : 1;
    }
}

slip_kernel void remainders_of_bins(i32 n, const u32 at[n], i32 a[5], u64 b[5], i16 c[5], u8 d[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] %= 1000;
        b[k] %= 1000003;
        c[k] %= 77;
        d[k] %= 10;
    }
}

slip_kernel void bits_of_bins(i32 n, const u32 at[n], const u64 v[n], i8 a[5], u8 b[5], i16 c[5],
                              u16 d[5], i32 e[5], u32 f[5], i64 g[5], u64 h[5], u32 x[5],
                              i64 y[5], u8 z[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] |= v[i] & 0x11;
        b[k] |= v[i] & 0x11;
        c[k] &= v[i] | 0xfff0;
        d[k] &= v[i] | 0xfff0;
        e[k] ^= v[i];
        f[k] ^= v[i];
        g[k] ^= v[i];
        h[k] |= v[i] & 0x10000000001;
        x[k] &= v[i] | 0xffff0000;
        y[k] &= v[i] | ~0xff00ll;
        z[k] ^= v[i];
    }
}

slip_kernel void shift_bins(i32 n, const u32 at[n], i32 a[5], u32 b[5], i64 c[5], u64 d[5],
                            u8 e[5], i16 f[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] <<= i & 1;
        b[k] >>= i & 1;
        c[k] >>= i & 1;
        d[k] <<= i & 1;
        e[k] <<= i & 1;
        f[k] >>= i & 1;
    }
}

slip_kernel void count_up_and_down(i32 n, const u32 at[n], i8 a[5], u8 b[5], i16 c[5], u16 d[5],
                                   i32 e[5], u32 f[5], i64 g[5], u64 h[5], f32 p[5], f64 q[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k]++;
        b[k]--;
        ++c[k];
        --d[k];
        e[k]++;
        f[k]--;
        ++g[k];
        --h[k];
        p[k]++;
        --q[k];
    }
}

/* Computed in the common type, stored in the element's: f32 += f64, u8 += i32, i16 *= i64. */
slip_kernel void mixed_updates(i32 n, const u32 at[n], f32 a[5], u8 b[5], i16 c[5], u32 d[5],
                               i32 e[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        a[k] += 0.5 * (i & 3);
        b[k] += -i;
        c[k] *= 2LL * i + 1;
        d[k] -= 1ll << (i & 31);
        e[k] += (i & 1) * 3.0f;
    }
}

/* The value of each update is its own: no two alike. */
slip_kernel void values_of_updates(i32 n, i32 counter[4], i32 slot[n], i32 after[n + 1],
                                   i32 down[n], f32 half[2 * n + 1])
{
    slip_for (i, n) {
        i32 k = counter[0]++;
        slot[k] += i + 1;
        after[counter[1] += 1] += 1;
        down[--counter[2]] += 1;
    }
    slip_for (i, n) {
        f32 mine = half[2 * n] += 0.5f;
        half[(i32)(mine * 2) - 1] += 1;
    }
}

/* A list filled by all: which element is where is open, what is in it is not. */
slip_kernel i32 compact(i32 n, const i32 x[n], i32 out[n])
{
    i32 used[1] = { 0 };
    slip_for (i, n)
        if (x[i] > 0)
            out[used[0]++] = x[i];
    return used[0];
}

slip_kernel void least_and_greatest(i32 n, const u32 at[n], const i64 v[n], const f64 w[n],
                                    i8 a[5], u8 b[5], i16 c[5], u16 d[5], i32 e[5], u32 f[5],
                                    i64 g[5], u64 h[5], f32 p[5], f64 q[5])
{
    slip_for (i, n) {
        u32 k = at[i];
        slip_atomic_min(&a[k], (i8)v[i]);
        slip_atomic_max(&b[k], (u8)v[i]);
        slip_atomic_min(&c[k], (i16)v[i]);
        slip_atomic_max(&d[k], (u16)v[i]);
        slip_atomic_max(&e[k], (i32)v[i]);
        slip_atomic_min(&f[k], (u32)v[i]);
        slip_atomic_max(&g[k], v[i]);
        slip_atomic_min(&h[k], (u64)v[i]);
        slip_atomic_min(&p[k], (f32)w[i]);
        slip_atomic_max(&q[k], w[i]);
    }
}

/* The old values of a chain of exchanges, and the last value, are all values once. */
slip_kernel void exchanges(i32 n, i32 x[1], u8 y[1], f64 z[1], i64 sum[3])
{
    slip_for (i, n) {
        sum[0] += slip_atomic_exchange(&x[0], i + 1);
        sum[1] += slip_atomic_exchange(&y[0], (u8)(i & 63));
        sum[2] += (i64)slip_atomic_exchange(&z[0], (f64)i);
    }
}

/* Each element is claimed once: the others see it taken. */
slip_kernel void claims(i32 n, const u32 at[n], i32 owner[5], i64 wide[5], u16 narrow[5],
                        i32 claimed[3])
{
    slip_for (i, n) {
        u32 k = at[i];
        if (slip_atomic_compare_exchange(&owner[k], -1, 7) == -1)
            claimed[0]++;
        if (slip_atomic_compare_exchange(&wide[k], -1, 1ll << 40) == -1)
            claimed[1]++;
        if (slip_atomic_compare_exchange(&narrow[k], 5, 6) == 5)
            claimed[2]++;
    }
}

/* A maximum of squares, by hand. */
slip_kernel void loops_of_compare_exchange(i32 n, const u32 at[n], const u32 v[n], u64 most[5])
{
    slip_for (i, n) {
        u64 mine = (u64)v[i] * v[i], old = 0;
        for (;;) {
            u64 seen = slip_atomic_compare_exchange(&most[at[i]], old, mine > old ? mine : old);
            if (seen == old)
                break;
            old = seen;
        }
    }
}

/* What min and max give back is what was there before. */
slip_kernel void old_values_of_minima(i32 n, const i32 v[n], i32 least[1], i32 lowered[1])
{
    slip_for (i, n)
        if (slip_atomic_min(&least[0], v[i]) > v[i])
            lowered[0]++;
}

/* Field case 29. */
slip_kernel void contended(i32 n, f32 total[1])
{
    slip_for (i, n)
        total[0] += 1;
}

slip_kernel void histogram(i32 h, i32 w, const u8 image[h][w], u32 bins[256])
{
    slip_for2 (r, h, c, w)
        bins[image[r][c]]++;
}

/* Updates outside tasks are plain C. */
slip_kernel void serial_updates(i32 x[2], i32 z[1], f32 y[1])
{
    x[0] += 5;
    z[0] <<= x[0]++;
    slip_atomic_max(&x[1], z[0]);
    y[0] /= (f32)slip_atomic_exchange(&x[0], 2);
    z[0] += slip_atomic_min(&x[1], -9);
}

static void deposit(i32 amount, i64 *account)
{
    *account += amount;
}

/* Through a helper's pointer, and to members of structs in arrays. */
struct account {
    i64 balance;
    i32 moves;
};

slip_kernel void updates_through_pointers(i32 n, const u32 at[n], struct account a[5])
{
    slip_for (i, n) {
        struct account *mine = &a[at[i]];
        deposit(i, &mine->balance);
        mine->moves++;
    }
}
