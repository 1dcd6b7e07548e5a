/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.c - control flow inside an iteration: every statement but switch, nested and mixed.
 */
#include <assert.h>
#include <stdio.h>
#include <slipway/kernel.h>

slip_kernel void if_chains(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 v = x[i], r = 0;
        if (v < 0)
            if (v < -1000)
                r = 1;
            else
                r = 2;
        else if (v == 0)
            r = 3;
        else if (v & 1) {
            r = 4;
            if (v & 2)
                r = 5;
        } else {
            r = 6;
        }
        if (!(v & 4))
            ;
        else
            r += 10;
        out[i] = r;
    }
}

slip_kernel void while_loops(i32 n, const u32 x[n], slip_out i32 steps[n], slip_out u32 last[n])
{
    slip_for (i, n) {
        u32 v = x[i] % 1000 + 1;
        i32 count = 0;
        while (v != 1) { /* Collatz */
            v = v & 1 ? 3 * v + 1 : v / 2;
            ++count;
        }
        steps[i] = count;
        while (v < 1000)
            v = v * 3 + x[i] % 7;
        last[i] = v;
    }
}

slip_kernel void do_loops(i32 n, const u32 x[n], slip_out i32 digits[n], slip_out u32 folded[n])
{
    slip_for (i, n) {
        u32 v = x[i], sum = 0;
        i32 count = 0;
        do {
            sum += v % 10;
            v /= 10;
            count++;
        } while (v);
        digits[i] = count;
        do
            sum = sum / 10 + sum % 10;
        while (sum > 9);
        folded[i] = sum;
    }
}

/* Each part of a for may be missing, each may be a comma expression. */
slip_kernel void for_shapes(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 k = x[i] & 15, s = 0, j;
        for (; k < 20; ++k)
            s += k;
        for (j = 0;; j += 2) {
            if (j > k)
                break;
            s ^= j;
        }
        for (i32 a = 0, b = 10; a < b; a++, --b)
            s += a * b;
        for (;;) {
            if (--j < 3)
                break;
            s -= j;
        }
        for (j = 5; j--;)
            s = s * 3 + j;
        for (i32 a = s & 7; a < 9;)
            a += 2, s += a;
        out[i] = s + j;
    }
}

/* Field case 31. */
slip_kernel void continue_then_break(i32 count, i32 stop, slip_out i32 out[count], i32 found[1])
{
    i32 n = 0;
    for (i32 i = 0; i < count; ++i)
        out[i] = -1;
    for (i32 i = 0; i < count; i++) {
        if (i % 2 == 0)
            continue;
        out[n++] = i;
        if (stop)
            break;
    }
    found[0] = n;
}

/* The same in every iteration of a task. */
slip_kernel void continue_and_break(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 s = 0;
        for (i32 a = 0; a < 12; ++a) {
            if ((x[i] >> a) & 1)
                continue;
            for (i32 b = 0; b < 12; ++b) {
                if (b == a)
                    continue;
                if (((x[i] >> b) & 3) == 3)
                    break;
                s += a * b + 1;
            }
            if (s > 200)
                break;
            s += 1000;
        }
        out[i] = s;
    }
}

/* Field case 32: the store before the continue is kept, and read by nobody else. */
slip_kernel void store_before_continue(i32 n, const i32 state[n], i32 x[n], i32 y[n])
{
    slip_for (p, n) {
        if (state[p] == 0) {
            x[p] = 1;
            continue;
        }
        if (state[p] != 0)
            y[p] = 1;
    }
}

slip_kernel void continue_of_tasks(i32 h, i32 w, const i32 x[h][w], i32 out[h][w])
{
    slip_for2 (r, h, c, w) {
        if (x[r][c] < 0)
            continue;
        out[r][c] = x[r][c] / 2;
        if (x[r][c] & 1) {
            out[r][c] += 7;
            if (x[r][c] & 2)
                continue;
        }
        out[r][c] *= 3;
    }
}

/* Field case 34. */
static i32 first_above(i32 limit)
{
    i32 a = 1;
    for (;;) {
        a += 1;
        if (a > limit)
            return a;
    }
}

slip_kernel i32 return_inside_a_loop(i32 limit)
{
    return first_above(limit);
}

/* Field case 35: the right side is evaluated only where it counts. */
slip_kernel void short_circuit(i32 n, const i32 a[n], const i32 at[n], slip_out i32 hit[n],
                               slip_out i32 bumps[n])
{
    slip_for (k, n) {
        i32 i = at[k], count = 0;
        hit[k] = 0;
        if (i >= 0 && i < n && a[i] != 0)
            hit[k] = 1;
        if (i < 0 || i >= n || a[i] == 0)
            hit[k] += 2;
        if (hit[k] == 1 && ++count > 0)
            count += 10;
        if (hit[k] == 2 || (count += 100) > 50)
            count += 1000;
        count = i > 0 ? count + (i & 3) : i < 0 ? (count += 5, count * 2) : count + 9;
        bumps[k] = count + (i && count) + (!i || !count);
    }
}

slip_kernel void ternaries(i32 n, const i32 x[n], const f32 y[n], slip_out i32 a[n],
                           slip_out f32 b[n])
{
    slip_for (i, n) {
        i32 v = x[i];
        a[i] = v < 0 ? v < -100 ? 1 : 2 : v > 100 ? v & 1 ? 3 : 4 : 5;
        b[i] = v & 1 ? v & 2 ? y[i] : -y[i] : v & 2 ? y[i] * 2 : (f32)v;
        a[i] += (v & 8 ? a[i] : v) == a[i] ? 100 : 200;
    }
}

slip_kernel void commas_and_assignments(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 a, b, c;
        a = b = c = x[i] & 0xff;
        a += b -= c *= 3;
        b = (c++, c * a);
        c = (a = b + 1, b = a * 2, a - b);
        out[i] = ((a ^= b) & 1 ? (a += 5) : (b -= 2)) + c;
        out[i] += a * 3 + b;
    }
}

slip_kernel void sort_small(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 v[8];
        for (i32 k = 0; k < 8; ++k)
            v[k] = (x[i] >> (k * 3)) & 63;
        for (i32 a = 1; a < 8; ++a) {
            i32 key = v[a], b = a;
            while (b > 0 && v[b - 1] > key) {
                v[b] = v[b - 1];
                --b;
            }
            v[b] = key;
        }
        out[i] = 0;
        for (i32 k = 0; k < 8; ++k)
            out[i] = out[i] * 7 + v[k];
    }
}

slip_kernel void escape_times(i32 h, i32 w, i32 most, slip_out i32 out[h][w])
{
    slip_for2 (r, h, c, w) {
        f32 cx = (f32)c / w * 3 - 2, cy = (f32)r / h * 2 - 1, x = 0, y = 0;
        i32 k = 0;
        for (; k < most && x * x + y * y < 4; ++k) {
            f32 t = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = t;
        }
        out[r][c] = k;
    }
}

slip_kernel void binary_search(i32 n, i32 m, const i32 sorted[n], const i32 key[m],
                               slip_out i32 at[m])
{
    slip_for (i, m) {
        i32 low = 0, high = n;
        while (low < high) {
            i32 middle = low + (high - low) / 2;
            if (sorted[middle] < key[i])
                low = middle + 1;
            else
                high = middle;
        }
        at[i] = low;
    }
}

/* Loads that give the same in every pass, from places far outside x where no pass makes them. */
slip_kernel void loads_in_loops(i32 n, const i32 far[n], const i32 x[300], i32 out[n])
{
    slip_for (i, n) {
        i32 sum = 0, passes = far[i] ? 0 : 5;
        for (i32 j = 0; j < passes; ++j)
            sum += x[(i64)far[i] << 36] + j;
        for (i32 j = 0; j < 4; ++j) {
            if (far[i])
                break;
            sum += x[((i64)far[i] << 36) + 1] * j;
        }
        for (i32 j = 0; j < 4; ++j) {
            if (far[i] == 0)
                sum += x[((i64)far[i] << 36) + 2] ^ j;
            if (j == 2)
                continue;
            sum += x[(x[i % 300] & 255) + (far[i] & 7)];
        }
        for (i32 j = 0; j < 6; ++j)
            out[i] = out[i] * 3 + x[i % 300];
        for (i32 j = 0; j < 3; ++j) {
            sum -= x[i % 300 / 2];
            for (i32 k = 0; k < j; ++k)
                sum += x[i % 300 / 2] * k + x[j + i % 200];
        }
        out[i] += sum;
    }
}

/* Unchecked: an assertion is not evaluated; the arguments of printf are, and nothing is printed. */
slip_kernel void asserts_and_prints(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 count = 0;
        assert(x[i] == x[i]);
#ifdef __SLIPC__
        assert(++count < 0);
        printf("%d %s %g\n", ++count, "never", 0.5);
#else
        ++count;
#endif
        out[i] = count * 10 + x[i] % 10;
    }
}
