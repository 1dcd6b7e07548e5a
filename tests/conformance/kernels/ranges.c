/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.c - every form of slip_for with every type of bound.
 */
#include <slipway/kernel.h>

enum { TEN = 10 };

slip_kernel void bounds_of_every_type(i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g, u64 h,
                                      size_t z, bool t, i32 count[11])
{
    slip_for (i, a)
        count[0] += i + 1;
    slip_for (i, b)
        count[1] += i + 1;
    slip_for (i, c)
        count[2] += i + 1;
    slip_for (i, d)
        count[3] += i + 1;
    slip_for (i, e)
        count[4] += i + 1;
    slip_for (i, f)
        count[5] += i + 1;
    slip_for (i, g)
        count[6] += i + 1;
    slip_for (i, h)
        count[7] += i + 1;
    slip_for (i, z)
        count[8] += i + 1;
    slip_for (i, t)
        count[9] += i + 1;
    slip_for (i, TEN)
        count[10] += i + 1;
}

/* The index has the promoted type of its bounds: what 0 - i - 1 gives shows it. */
slip_kernel void index_types(u8 a, i32 b, u32 c, i64 d, u64 e, i64 below[5])
{
    slip_for (i, a)
        below[0] += (0 - i - 1) < 0;
    slip_for (i, b)
        below[1] += (0 - i - 1) < 0;
    slip_for (i, c)
        below[2] += (0 - i - 1) > 0;
    slip_for (i, d)
        below[3] += (i64)sizeof i;
    slip_for (i, e)
        below[4] += (i64)sizeof i + (0 - i - 1 > 0);
}

slip_kernel void range(i32 lo, i32 hi, i32 n, i32 x[n], i32 ran[1])
{
    slip_for_range (i, lo, hi) {
        ran[0]++;
        if (i >= 0 && i < n)
            x[i] = i * 10 + lo;
    }
}

/* From lo on, the element at i - lo. */
slip_kernel void range_i64(i64 lo, i64 hi, i32 n, i64 x[n])
{
    slip_for_range (i, lo, hi)
        x[i - lo] = i;
}

slip_kernel void range_u64(u64 lo, u64 hi, i32 n, u64 x[n])
{
    slip_for_range (i, lo, hi)
        x[i - lo] = i;
}

slip_kernel void range_u32(u32 lo, u32 hi, i32 n, u32 x[n])
{
    slip_for_range (i, lo, hi)
        x[i - lo] = i;
}

/* The types of the two bounds meet: i32 with i64 gives i64. */
slip_kernel void range_of_two_types(i32 lo, i64 hi, i32 n, i64 x[n])
{
    slip_for_range (i, lo, hi)
        x[i - lo] = i * 3 + (i64)sizeof i;
}

slip_kernel void loop2(i32 h, i32 w, slip_out i64 x[h][w])
{
    slip_for2 (r, h, c, w)
        x[r][c] = (i64)r * 100000 + c;
}

slip_kernel void loop2_of_two_types(i64 h, u8 w, i32 n, i64 x[n])
{
    slip_for2 (r, h, c, w)
        x[r * w + c] = (i64)(sizeof r * 10 + sizeof c) + r * c;
}

slip_kernel void loop3(i32 d, i32 h, i32 w, slip_out i64 x[d][h][w])
{
    slip_for3 (p, d, r, h, c, w)
        x[p][r][c] = (i64)p * 1000000 + r * 1000 + c;
}

/* Field case 11: an empty axis beside a full one; then one empty task of two. */
slip_kernel void empty_axes(i32 h, i32 w, i32 n, i32 a[1], i32 x[n])
{
    slip_for2 (r, h, c, w)
        a[0] += r + c + 1;
    slip_for3 (p, 3, r, h, c, w)
        a[0] += 100;
    slip_for (i, h)
        a[0] += 1;
    slip_for (i, n)
        x[i] *= 2;
}

/* Bounds are expressions, read once before the first iteration. */
slip_kernel void bounds_are_expressions(i32 n, i32 m, i32 x[n])
{
    i32 k = m;
    slip_for (i, n - k > 0 ? n - k : 0)
        x[i] += k;
    slip_for_range (i, m / 2 * 0, (m < n ? m : n) / 2)
        x[i] += 100;
    k = n / 3;
    slip_for (i, k)
        x[i] += k;
    slip_for_range (i, k, k + (n > 6))
        x[i] = -1;
}

static i32 smaller(i32 a, i32 b)
{
    return a < b ? a : b;
}

static i64 rounded_up(i64 n, i32 by)
{
    while (n % by != 0)
        ++n;
    return n;
}

/* Bounds that functions work out. */
slip_kernel void bounds_from_functions(i32 n, i32 m, i32 x[n])
{
    slip_for (i, smaller(n, m))
        x[i] += 1;
    slip_for_range (i, rounded_up(m, 4), rounded_up(smaller(n, 900), 8) - 8)
        x[i] -= 7;
}

slip_kernel void outer_index_in_bounds(i32 n, i32 x[n])
{
    for (i32 i = 0; i < 5; ++i)
        slip_for (i, i < n ? i + 1 : n)
            x[i] += 1;
}

/* A bound that the device computes: behaviour L28. */
slip_kernel void bound_from_an_array(i32 n, const i32 limit[2], i32 x[n])
{
    i32 top = limit[0];
    slip_for (i, top)
        x[i] += 1;
    slip_for_range (i, limit[1], top)
        x[i] += 10;
    top = 0;
    slip_for (i, n)
        top += x[i] > 10;
    slip_for (i, top)
        x[i] -= 1000;
}

/* Ranges inside the loops of the launch: zero trips of the outer or the inner one. */
slip_kernel void zero_trips(i32 outer, i32 inner, i32 n, i32 x[n])
{
    for (i32 k = 0; k < outer; ++k)
        slip_for (i, inner)
            x[i] += k + 1;
}

/* Indices at the ends of the type. */
slip_kernel void at_the_ends(slip_out i64 x[8])
{
    slip_for_range (i, INT32_MAX - 2, INT32_MAX)
        x[i - (INT32_MAX - 2)] = i;
    slip_for_range (i, INT32_MIN, INT32_MIN + 2)
        x[2 + (i - INT32_MIN)] = i;
    slip_for_range (i, INT64_MAX - 2, INT64_MAX)
        x[4 + (i - (INT64_MAX - 2))] = i;
    slip_for_range (i, UINT32_MAX - 2, UINT32_MAX)
        x[6 + (i - (UINT32_MAX - 2))] = i;
}

/* Field case 17: a loop tiled by hand; every element exactly once. */
slip_kernel void tiled_by_hand(i32 h, i32 w, i32 tile, i32 x[h][w])
{
    slip_for2 (r, (h + tile - 1) / tile, c, (w + tile - 1) / tile)
        for (i32 a = r * tile; a < (r + 1) * tile && a < h; ++a)
            for (i32 b = c * tile; b < (c + 1) * tile && b < w; ++b)
                x[a][b] += 1;
}

/* Above 2^31 and 2^32 iterations: only the ends are touched. */
slip_kernel void ends_of_a_long_range(i64 n, i64 first[1], i64 last[1])
{
    slip_for (i, n) {
        if (i == 0)
            first[0] += i + 1;
        if (i == n - 1)
            last[0] += i;
    }
}

/* Field case 13. */
slip_kernel void diagonal(i32 h, i32 w, i64 count[1])
{
    slip_for2 (r, h, c, w)
        if (r == c)
            count[0] += 1;
}

slip_kernel void corner3(i32 d, i32 h, i32 w, i64 count[1], i64 flat[1])
{
    slip_for3 (p, d, r, h, c, w)
        if (p == d - 1 && r == h - 1 && c >= w - 3) {
            count[0] += 1;
            slip_atomic_max(&flat[0], ((i64)p * h + r) * w + c);
        }
}
