/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reductions.c - kernel-level scalars that tasks reduce, with every operator and type.
 */
#include <slipway/kernel.h>

slip_kernel void integer_sums(i32 n, const i64 x[n], slip_out i64 out[9])
{
    i8 a = 1;
    u8 b = 2;
    i16 c = 3;
    u16 d = 4;
    i32 e = 5;
    u32 f = 6;
    i64 g = 7;
    u64 h = 8;
    i32 down = 9;
    slip_for (i, n) {
        a += x[i];
        b += x[i];
        c += x[i];
        d += x[i];
        e += x[i];
        f += x[i];
        g += x[i];
        h += x[i];
        down -= (i32)x[i];
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = (i64)h;
    out[8] = down;
}

slip_kernel void integer_products(i32 n, const i64 x[n], slip_out i64 out[8])
{
    i8 a = 1;
    u8 b = 3;
    i16 c = 5;
    u16 d = 7;
    i32 e = 9;
    u32 f = 11;
    i64 g = 13;
    u64 h = 15;
    slip_for (i, n) {
        a *= x[i] | 1;
        b *= x[i] | 1;
        c *= x[i] | 1;
        d *= x[i] | 1;
        e *= x[i] | 1;
        f *= x[i] | 1;
        g *= x[i] | 1;
        h *= x[i] | 1;
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = (i64)h;
}

slip_kernel void integer_bits(i32 n, const i64 x[n], slip_out i64 out[12])
{
    u8 a = 0xff, b = 0, c = 0x5a;
    i16 d = -1, e = 0, f = 0x1234;
    u32 g = 0xffffffff, h = 1, k = 7;
    i64 l = -1, m = 0, o = 1ll << 50;
    slip_for (i, n) {
        a &= x[i] | 0x3c;
        b |= x[i] & 0x18;
        c ^= x[i];
        d &= x[i] | 0xff0;
        e |= x[i] & 0x808;
        f ^= x[i];
        g &= x[i] | 0xff00ff;
        h |= x[i] & 0x10010;
        k ^= x[i];
        l &= x[i] | 0xffffffffll;
        m |= x[i] & 0x4000000001;
        o ^= x[i];
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
    out[8] = k;
    out[9] = l;
    out[10] = m;
    out[11] = o;
}

/* In C a bool meets a number in the number's type, and keeps whether the outcome is 0. */
slip_kernel void truths(i32 n, const i64 x[n], const f32 y[n], slip_out i64 out[14])
{
    bool some = false, all = true, odd = true, product = true, sum = false, difference = true;
    bool toggled = false, stepped = false, down = true, low = false, lows = true, any_f = false;
    bool started = true, both = true;
    slip_for (i, n) {
        some |= x[i] & 0x70;
        all &= x[i] | 1;
        odd ^= x[i] & 1;
        product *= x[i] | 2;
        sum += x[i] > 1000;
        difference -= y[i] > 0;
        toggled ^= x[i] != 7;
        low += x[i] & 1;
        lows -= (i8)(x[i] & 1);
        any_f |= y[i] > 0.9f;
        started += false;
        both &= x[i] < 0;
        stepped++;
        down--;
    }
    out[0] = some;
    out[1] = all;
    out[2] = odd;
    out[3] = product;
    out[4] = sum;
    out[5] = difference;
    out[6] = toggled;
    out[7] = low;
    out[8] = lows;
    out[9] = any_f;
    out[10] = started;
    out[11] = both;
    out[12] = stepped;
    out[13] = down;
}

slip_kernel void integer_extremes(i32 n, const i64 x[n], slip_out i64 out[16])
{
    i8 a = 100, b = -100;
    u8 c = 100, d = 100;
    i16 e = 0, f = 0;
    u16 g = 65535, h = 0;
    i32 k = INT32_MAX, l = INT32_MIN;
    u32 m = UINT32_MAX, o = 0;
    i64 p = INT64_MAX, q = INT64_MIN;
    u64 r = UINT64_MAX, s = 0;
    slip_for (i, n) {
        slip_atomic_min(&a, (i8)x[i]);
        slip_atomic_max(&b, (i8)x[i]);
        slip_atomic_min(&c, (u8)x[i]);
        slip_atomic_max(&d, (u8)x[i]);
        slip_atomic_min(&e, (i16)x[i]);
        slip_atomic_max(&f, (i16)x[i]);
        slip_atomic_min(&g, (u16)x[i]);
        slip_atomic_max(&h, (u16)x[i]);
        slip_atomic_min(&k, (i32)x[i]);
        slip_atomic_max(&l, (i32)x[i]);
        slip_atomic_min(&m, (u32)x[i]);
        slip_atomic_max(&o, (u32)x[i]);
        slip_atomic_min(&p, x[i]);
        slip_atomic_max(&q, x[i]);
        slip_atomic_min(&r, (u64)x[i]);
        slip_atomic_max(&s, (u64)x[i]);
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
    out[8] = k;
    out[9] = l;
    out[10] = m;
    out[11] = o;
    out[12] = p;
    out[13] = q;
    out[14] = (i64)r;
    out[15] = (i64)s;
}

slip_kernel f32 sum_f32(i32 n, f32 old, const f32 x[n])
{
    f32 s = old;
    slip_for (i, n)
        s += x[i];
    return s;
}

slip_kernel f64 sum_f64(i32 n, f64 old, const f64 x[n])
{
    f64 s = old;
    slip_for (i, n)
        s += x[i];
    return s;
}

slip_kernel f32 minus_f32(i32 n, f32 old, const f32 x[n])
{
    f32 s = old;
    slip_for (i, n)
        s -= x[i];
    return s;
}

slip_kernel f32 product_f32(i32 n, f32 old, const f32 x[n])
{
    f32 s = old;
    slip_for (i, n)
        s *= x[i];
    return s;
}

slip_kernel f64 product_f64(i32 n, f64 old, const f64 x[n])
{
    f64 s = old;
    slip_for (i, n)
        s *= x[i];
    return s;
}

slip_kernel f32 least_f32(i32 n, f32 old, const f32 x[n])
{
    f32 s = old;
    slip_for (i, n)
        slip_atomic_min(&s, x[i]);
    return s;
}

slip_kernel f32 greatest_f32(i32 n, f32 old, const f32 x[n])
{
    f32 s = old;
    slip_for (i, n)
        slip_atomic_max(&s, x[i]);
    return s;
}

slip_kernel f64 least_f64(i32 n, f64 old, const f64 x[n])
{
    f64 s = old;
    slip_for (i, n)
        slip_atomic_min(&s, x[i]);
    return s;
}

slip_kernel f64 greatest_f64(i32 n, f64 old, const f64 x[n])
{
    f64 s = old;
    slip_for (i, n)
        slip_atomic_max(&s, x[i]);
    return s;
}

/* Several updates an iteration fold in program order, from the identity. */
slip_kernel f32 several_updates(i32 n, const f32 x[n], const f32 y[n])
{
    f32 s = 0;
    slip_for (i, n) {
        s += x[i];
        s -= y[i];
        for (i32 k = 0; k < i % 3; ++k)
            s += x[i] * (f32)(k + 2);
    }
    return s;
}

/* Iterations without an update hold the identity: their places in the tree stay. */
slip_kernel f64 some_iterations(i32 n, const f64 x[n])
{
    f64 s = 0;
    slip_for (i, n) {
        if (i % 7 == 2)
            continue;
        if (x[i] > 0)
            s += x[i] * x[i];
    }
    return s;
}

/* Iterations are numbered row-major, and from the start of the range. */
slip_kernel f32 sum_rows(i32 h, i32 w, const f32 x[h][w])
{
    f32 s = 0;
    slip_for2 (r, h, c, w)
        s += x[r][c];
    return s;
}

slip_kernel f64 sum_boxes(i32 d, i32 h, i32 w, const f64 x[d][h][w])
{
    f64 s = 0;
    slip_for3 (p, d, r, h, c, w)
        s += x[p][r][c];
    return s;
}

slip_kernel f32 sum_range(i32 lo, i32 hi, i32 n, const f32 x[n])
{
    f32 s = 0;
    slip_for_range (i, lo, hi)
        s += x[i];
    return s;
}

/* Each update computes in double and rounds to the float part. */
slip_kernel f32 float_by_double(i32 n, const f64 x[n])
{
    f32 s = 0;
    slip_for (i, n)
        s += x[i];
    return s;
}

/* Reduced in every pass: the old value comes last. */
slip_kernel f32 in_a_loop(i32 n, i32 passes, const f32 x[n])
{
    f32 s = 0.1f;
    for (i32 k = 0; k < passes; ++k) {
        slip_for (i, n)
            s += x[i] * (f32)(k + 1);
        s *= 0.5f;
    }
    return s;
}

struct moments {
    f64 sum, squares;
    i64 count;
    f32 low, high;
};

slip_kernel struct moments moments_of(i32 n, const f64 x[n])
{
    struct moments m = { .low = 1e30f, .high = -1e30f };
    slip_for (i, n) {
        m.sum += x[i];
        m.squares += x[i] * x[i];
        m.count++;
        slip_atomic_min(&m.low, (f32)x[i]);
        slip_atomic_max(&m.high, (f32)x[i]);
    }
    return m;
}

/* A result of one task is read by the next. */
slip_kernel f64 mean_then_variance(i32 n, const f64 x[n])
{
    f64 mean = 0, variance = 0;
    slip_for (i, n)
        mean += x[i];
    mean /= n;
    slip_for (i, n)
        variance += (x[i] - mean) * (x[i] - mean);
    return variance / n;
}

static f32 weigh(f32 x, f32 *total)
{
    *total += x;
    return x * 0.5f;
}

/* Updates through helpers of an iteration's own sum, then one reduction. */
slip_kernel f32 through_a_local(i32 n, const f32 x[n], slip_out f32 y[n])
{
    f32 s = 0;
    slip_for (i, n) {
        f32 mine = 0;
        y[i] = weigh(x[i], &mine);
        y[i] += weigh(2, &mine);
        s += mine;
    }
    return s;
}
