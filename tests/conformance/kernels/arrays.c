/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrays.c - array parameters of every rank and kind of extent, local arrays, pointers.
 */
#include <slipway/kernel.h>

struct grid {
    i32 w, h;
    u8 depth;
};

slip_kernel void store_even(i32 n, i32 value, i32 first, i32 x[n])
{
    slip_for (i, n)
        if (i % 2 == first)
            x[i] = value;
}

slip_kernel void store_first(i32 n, i32 count, i32 x[n])
{
    slip_for (i, count)
        x[i] = 42;
}

slip_kernel void increment_all(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] += 1;
}

slip_kernel void sum_into_one(i32 n, const i32 x[n], i32 total[1])
{
    slip_for (i, n)
        total[0] += x[i];
}

slip_kernel void empty_bodies(i32 a, i32 b, i32 x[a], i32 y[a][b], f64 z[b][a])
{
    (void)x;
    (void)y;
    (void)z;
}

slip_kernel void two_arrays(i32 n, i32 m, i32 x[n], f64 y[m])
{
    slip_for (i, n)
        x[i] *= 3;
    slip_for (i, m)
        y[i] = -y[i];
}

/* Each scalar type as an element, each its own task. */
slip_kernel void every_element_type(i32 n, i8 a[n], u8 b[n], i16 c[n], u16 d[n], i32 e[n],
                                    u32 f[n], i64 g[n], u64 h[n], f32 p[n], f64 q[n], bool t[n])
{
    slip_for (i, n) {
        a[i] = a[i] * 3 + i;
        b[i] = b[i] * 3 + i;
        c[i] = c[i] * 3 + i;
        d[i] = d[i] * 3 + i;
        e[i] = e[i] * 3 + i;
        f[i] = f[i] * 3 + i;
        g[i] = g[i] * 3 + i;
        h[i] = h[i] * 3 + i;
        p[i] = p[i] * 3 + i;
        q[i] = q[i] * 3 + i;
        t[i] = !t[i];
    }
}

slip_kernel void rank2(i32 h, i32 w, const f32 x[h][w], slip_out f32 turned[w][h])
{
    slip_for2 (r, h, c, w)
        turned[c][r] = x[r][c] * (f32)(r + 1);
}

slip_kernel void rank3(i32 d, i32 h, i32 w, const i32 x[d][h][w], slip_out i32 sum[h][w])
{
    slip_for2 (r, h, c, w) {
        i32 s = 0;
        for (i32 k = 0; k < d; ++k)
            s = s * 2 + x[k][r][c];
        sum[r][c] = s;
    }
}

/* Also behaviour L14: each extent is seen in the kernel. */
slip_kernel void rank4(i32 a, i32 b, i32 c, i32 d, const i16 x[a][b][c][d],
                       slip_out i64 y[d][c][b][a], slip_out i32 shape[4])
{
    shape[0] = a;
    shape[1] = b;
    shape[2] = c;
    shape[3] = d;
    slip_for3 (i, a, j, b, k, c)
        for (i32 l = 0; l < d; ++l)
            y[l][k][j][i] = x[i][j][k][l] + 1000 * i + 100 * j + 10 * k + l;
}

slip_kernel void constant_extents(const f32 basis[3][4], const i32 n[1], slip_out f32 out[4][3],
                                  u8 count[256])
{
    slip_for2 (r, 4, c, 3)
        out[r][c] = basis[c][r];
    slip_for (i, 256)
        count[i] = (u8)(count[i] + i + n[0]);
}

/* Extents of other types, expressions, struct members, sizeof. */
slip_kernel void expression_extents(u8 small, u32 flat, i64 wide, size_t size, struct grid g,
                                    const i32 a[small], const i32 b[flat + 1],
                                    const i32 c[wide * 2 - 1], const i32 d[size / 2],
                                    const i32 e[g.h][g.w * sizeof(u16)], slip_out i32 out[small])
{
    slip_for (i, small) {
        i32 s = a[i] + b[flat] + c[2 * wide - 2] + d[size / 2 - 1];
        for (i32 r = 0; r < g.h; ++r)
            for (i32 k = 0; k < 2 * g.w; ++k)
                s ^= e[r][k] + r * k;
        out[i] = s + g.depth;
    }
}

/* Other spellings of known and of unknown outer extents. */
slip_kernel void static_extent(i32 n, const f32 x[static n], f32 y[restrict static n])
{
    slip_for (i, n)
        y[i] += x[i];
}

slip_kernel void unknown_extents(i32 n, const f32 *x, f32 y[], const i32 (*rows)[3])
{
    slip_for (i, n)
        y[i] = x[i] * 2 + (f32)(rows[i][0] + rows[i][1] * rows[i][2]);
}

/* Pointers into arrays: arithmetic, difference, comparison, rows. */
slip_kernel void pointers_into_arrays(i32 n, i32 m, const i32 x[n], const i32 y[n][m],
                                      slip_out i64 out[n])
{
    slip_for (i, n) {
        const i32 *p = x + i, *end = x + n, *row = y[i];
        const i32(*rows)[m] = y + i;
        i64 s = 0;
        while (p < end && p - x < i + 4)
            s = s * 3 + *p++;
        s += p[-1] + *(row + m - 1) + row[0] + (*rows)[m / 2] + rows[0][0];
        s += (i64)(p - x) * 1000 + (p == end) + (end > p) * 2;
        out[i] = s;
    }
}

slip_kernel void pointer_chosen_by_data(i32 n, const f32 a[n], const f32 b[n], slip_out f32 out[n])
{
    slip_for (i, n) {
        const f32 *p = i & 1 ? a : b;
        if (i % 3 == 0)
            p = a + (n - 1 - i);
        else
            p += i;
        out[i] = *p + (p == &a[i] ? 1000 : 0);
    }
}

/* The same memory under another shape. */
slip_kernel void reshaped(i32 n, i32 w, f32 x[n * w], slip_out f32 sums[n])
{
    slip_for (i, n) {
        f32(*rows)[w] = (f32(*)[w])x;
        f32 s = 0;
        for (i32 k = 0; k < w; ++k)
            s += rows[i][k];
        rows[i][0] = s;
        sums[i] = s;
    }
}

slip_kernel void local_arrays(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 count[10] = { 0 }, square[4][5] = { { 1, 2 }, { [3] = 7 }, [3] = { 9, 9, 9, 9, 9 } };
        u8 bytes[16] = { 5, 6 };
        bool seen[7] = { false, true };
        f32 line[3] = { 0.5f };
        u32 v = x[i];
        i32 s = 0;
        for (; v; v /= 10)
            count[v % 10]++;
        for (i32 k = 0; k < 10; ++k)
            s = s * 3 + count[k];
        bytes[x[i] & 15] += 250;
        seen[(x[i] & 7) % 7] = !seen[(x[i] & 7) % 7];
        line[x[i] & 1] += line[0];
        square[x[i] & 3][(x[i] & 0xff) % 5] *= 100;
        for (i32 r = 0; r < 4; ++r)
            for (i32 c = 0; c < 5; ++c)
                s += square[r][c] * (r + 2 * c + 1);
        for (i32 k = 0; k < 16; ++k)
            s += bytes[k] * k;
        out[i] = s + seen[0] + 2 * seen[1] + 4 * seen[6] + (i32)(line[1] * 8);
    }
}

/* A larger one per iteration: 4 KB. */
slip_kernel void larger_local_array(i32 n, const u32 x[n], slip_out u32 out[n])
{
    slip_for (i, n) {
        u32 sieve[1024], s = 0;
        for (u32 k = 0; k < 1024; ++k)
            sieve[k] = k;
        for (u32 k = 0; k < 64; ++k) {
            u32 j = (x[i] >> (k & 15)) & 1023;
            u32 t = sieve[k];
            sieve[k] = sieve[j];
            sieve[j] = t;
        }
        for (u32 k = 0; k < 1024; ++k)
            s = s * 31 + sieve[k];
        out[i] = s;
    }
}

/* The test of the inner loop loads what its body exchanges: a window's median, its least and its
 * largest element. */
slip_kernel void sorted_windows(i32 n, const i32 x[n], slip_out i32 least[n],
                                slip_out i32 median[n], slip_out i32 largest[n])
{
    slip_for (i, n) {
        i32 window[9];
        for (i32 k = 0; k < 9; ++k)
            window[k] = x[(i + 3 * k) % n];
        for (i32 k = 1; k < 9; ++k)
            for (i32 j = k; j > 0 && window[j - 1] > window[j]; --j) {
                i32 t = window[j];
                window[j] = window[j - 1];
                window[j - 1] = t;
            }
        least[i] = window[0];
        median[i] = window[4];
        largest[i] = window[8];
    }
}

/* The same at the end of a loop, with three parts and an `or` in them. */
slip_kernel void sunk_elements(i32 n, const i32 x[n][4], slip_out i32 out[n][4])
{
    slip_for (i, n) {
        i32 p[4], j = 3;
        for (i32 k = 0; k < 4; ++k)
            p[k] = x[i][k];
        do {
            i32 t = p[j];
            p[j] = p[j - 1];
            p[j - 1] = t;
            j--;
        } while (j > 0 && p[j - 1] > p[j] && (p[j] != 3 || p[0] > 4));
        for (i32 k = 0; k < 4; ++k)
            out[i][k] = p[k];
    }
}

/* Only equal indices of the two: the same array may be passed for both. */
slip_kernel void axpy(i32 n, f32 a, const f32 x[n], f32 y[n])
{
    slip_for (i, n)
        y[i] = a * x[i] + y[i];
}

/* Rows are written through constant and run-time parts of a larger array. */
slip_kernel void gather_and_scatter(i32 n, i32 m, const i32 at[n], const f32 x[m],
                                    f32 y[m], slip_out f32 out[n])
{
    slip_for (i, n)
        out[i] = x[at[i]];
    slip_for (i, n)
        y[at[i]] = out[i] + 1; /* equal indices store equal values */
}

slip_kernel void written_in_parts(i32 n, slip_out i32 x[n])
{
    slip_for_range (i, 0, n / 2)
        x[i] = i;
    slip_for_range (i, n / 2, n)
        x[i] = -i;
}

slip_kernel void raw_truths(i32 n, const i32 v[n], const bool in[n], slip_out bool positive[n],
                            slip_out i32 number[n])
{
    slip_for (i, n) {
        positive[i] = v[i] > 0;
        number[i] = in[i] ? 10 : 20;
        number[i] += in[i] + (in[i] == true) + !in[i] * 2;
    }
}
