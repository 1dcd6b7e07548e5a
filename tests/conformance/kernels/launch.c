/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.c - what stands between and around the tasks of a kernel: scalars, scratch, serial
 * statements, control flow that the host decides.
 */
#include <math.h>
#include <slipway/kernel.h>

slip_kernel void heat(i32 n, i32 steps, f32 k, f32 u[n])
{
    f32 next[n];
    for (i32 s = 0; s < steps; ++s) {
        slip_for (i, n) {
            i32 l = i > 0 ? i - 1 : 0;
            i32 r = i < n - 1 ? i + 1 : n - 1;
            next[i] = u[i] + k * (u[l] - 2 * u[i] + u[r]);
        }
        slip_for (i, n)
            u[i] = next[i];
    }
}

/* Two pointers swap between steps. */
slip_kernel void ping_pong(i32 n, i32 steps, f32 u[n])
{
    f32 other[n];
    f32 *from = u, *to = other;
    for (i32 s = 0; s < steps; ++s) {
        f32 *t;
        slip_for (i, n)
            to[i] = from[i] * 0.5f + from[n - 1 - i];
        t = from;
        from = to;
        to = t;
    }
    if (steps & 1)
        slip_for (i, n)
            u[i] = from[i];
}

/* Pointers into parts of arrays, moved by the launch. */
slip_kernel void moving_window(i32 n, i32 width, f32 x[n])
{
    f32 *window = x;
    for (i32 at = 0; at + width <= n; at += width) {
        slip_for (i, width)
            window[i] += (f32)(at + i);
        window += width;
    }
}

/* Launch variables: loops, bounds and values from arguments alone. */
slip_kernel void launch_arithmetic(i32 n, u8 small, f64 ratio, i32 x[n])
{
    i32 half = n / 2, odd = n & 1 ? 1 : 0;
    u8 wraps = small + 200;
    i64 wide = (i64)n * 1000000007;
    f32 scale = (f32)sqrt(ratio) + (f32)floor(ratio);
    i32 bound = (i32)ceil(fabs(ratio)) + half;
    if (bound > n)
        bound = n;
    slip_for (i, bound)
        x[i] += wraps + (i32)(wide % 1000) + (i32)scale;
    half *= 2;
    half += odd;
    wraps >>= 1;
    while (half > 10) {
        half /= 3;
        slip_for (i, half)
            x[i] ^= half + wraps;
    }
    do {
        ++half;
        slip_for_range (i, n - half > 0 ? n - half : 0, n)
            x[i] -= half;
    } while (half < 7);
}

static const i32 strides[4] = { 1, 3, 7, 20 };

/* Loops around tasks: nested, with break, continue, and bounds from a table. */
slip_kernel void nested_host_loops(i32 n, i32 rounds, i32 x[n])
{
    for (i32 a = 0; a < rounds; ++a) {
        if (a == 1)
            continue;
        for (i32 b = 3; b >= 0; --b) {
            if (strides[b] > n)
                continue;
            if (a == 2 && b == 1)
                break;
            slip_for (i, n / strides[b])
                x[i * strides[b]] += a + b + 1;
        }
        if (a == 3)
            break;
        slip_for (i, n)
            x[i] *= 3;
    }
}

slip_kernel i32 early_return(i32 n, i32 kind, i32 x[n])
{
    if (kind == 0)
        return -1;
    slip_for (i, n)
        x[i] += 1;
    if (kind == 1)
        return 1;
    for (i32 k = 0; k < 5; ++k) {
        slip_for (i, n)
            x[i] += 10;
        if (k == kind)
            return 100 + k;
    }
    return 7;
}

slip_kernel void switch_around_tasks(i32 n, i32 kind, i32 x[n])
{
    switch (kind) {
    case 1:
        slip_for (i, n)
            x[i] += 1;
        break;
    case 2:
        slip_for (i, n)
            x[i] *= 2;
        /* fallthrough */
    case 3:
        slip_for (i, n)
            x[i] -= 3;
        break;
    default:
        slip_for (i, n)
            x[i] = kind;
    }
}

/* Serial statements run once, in order, between the tasks. */
slip_kernel void serial_between_tasks(i32 n, i32 x[n], i32 log[8])
{
    log[0] = 1;
    slip_for (i, n)
        x[i] += log[0];
    log[0] = 5;
    log[1] = n > 0 ? x[0] : -1;
    slip_for (i, n)
        x[i] += log[0];
    log[2] = n > 0 ? x[n - 1] - log[1] : -2;
    for (i32 k = 3; k < 8; ++k) {
        i32 t = log[k - 1] * 3;
        log[k] = t > 100 ? t % 97 : t + k;
    }
    slip_for (i, n)
        x[i] ^= log[i & 7];
}

/* Field case 37: the loop is serial; each element is read back between its updates. */
slip_kernel void reads_between_updates(i32 a[8], i32 seen[2])
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

/* The same inside each iteration of a task. */
slip_kernel void reads_between_own_updates(i32 n, i32 a[n], slip_out i32 seen[n])
{
    slip_for (i, n) {
        i32 before = a[i];
        for (i32 k = 0; k < 3; ++k)
            a[i] += 1;
        seen[i] = a[i] - before;
        a[i] *= 2;
        seen[i] += a[i];
    }
}

/* Device variables: computed by tasks or from arrays, read by later ones. */
slip_kernel void device_scalars(i32 n, const i32 x[n], slip_out i64 y[n])
{
    i64 total = 0;
    i32 most = INT32_MIN, first = n > 0 ? x[0] : 0;
    slip_for (i, n) {
        total += x[i];
        slip_atomic_max(&most, x[i]);
    }
    total += most;
    first = first * 2 + 1;
    slip_for (i, n)
        y[i] = x[i] * total + first;
    total = total > 0 ? 1 : 2;
    slip_for (i, n)
        y[i] += total;
}

/* A flag assigned the same value by whoever finds something. */
slip_kernel i32 found_flag(i32 n, i32 wanted, const i32 x[n])
{
    i32 found = 0;
    bool any_negative = false;
    slip_for (i, n) {
        if (x[i] == wanted)
            found = 1;
        if (x[i] < 0)
            any_negative = true;
    }
    return found + 2 * any_negative;
}

/* Scratch of constant size with an initialiser, reached again in each round. */
slip_kernel void initialised_scratch(i32 n, i32 rounds, const i32 x[n], slip_out i32 out[40])
{
    slip_for (i, 40)
        out[i] = 0;
    for (i32 k = 0; k < rounds; ++k) {
        i32 bins[8] = { 1, 2, [7] = 9 };
        slip_for (i, n)
            bins[x[i] & 7] += k + 1;
        slip_for (i, 8)
            out[(k % 5) * 8 + i] += bins[i];
    }
}

/* Scratch of every rank and type; a block's own scratch ends with it. */
slip_kernel void scratch_of_every_shape(i32 h, i32 w, f32 x[h][w])
{
    f64 sums[h];
    f32 turned[w][h];
    u8 mark[2][h][w];
    slip_for (r, h)
        sums[r] = r;
    slip_for2 (r, h, c, w) {
        turned[c][r] = x[r][c];
        mark[0][r][c] = x[r][c] > 0;
        mark[1][r][c] = (u8)(r + c);
    }
    if (h > 2) {
        i64 block[h + w];
        slip_for (i, h + w)
            block[i] = i * 3;
        slip_for (r, h)
            sums[r] += (f64)block[r + w];
    }
    slip_for2 (r, h, c, w)
        x[r][c] = turned[c][r] * 2 + (f32)sums[r] + mark[0][r][c] * 100.0f + mark[1][r][c];
}

/* A million steps are cut into submissions; the count must hold. */
slip_kernel void many_small_steps(i32 steps, i32 x[4])
{
    for (i32 s = 0; s < steps; ++s)
        slip_for (i, 4)
            x[i] += s & i;
}

slip_kernel void alternating_tasks(i32 n, i32 steps, i32 x[n], i32 y[n])
{
    for (i32 s = 0; s < steps; ++s) {
        if (s & 1)
            slip_for (i, n)
                x[i] += y[n - 1 - i];
        else
            slip_for (i, n)
                y[i] -= x[n - 1 - i];
        if (s % 5 == 4)
            y[0] = s;
    }
}

/* Prefix sums by doubling: each step reads what the one before wrote. */
slip_kernel void prefix_sums(i32 n, i64 x[n])
{
    i64 next[n];
    for (i32 reach = 1; reach < n; reach *= 2) {
        slip_for (i, n)
            next[i] = i >= reach ? x[i] + x[i - reach] : x[i];
        slip_for (i, n)
            x[i] = next[i];
    }
}

/* Odd-even transposition: neighbouring pairs, disjoint within a task. */
slip_kernel void odd_even_sort(i32 n, i32 x[n])
{
    for (i32 k = 0; k < n; ++k)
        slip_for (i, (n - (k & 1)) / 2) {
            i32 a = 2 * i + (k & 1);
            if (x[a] > x[a + 1]) {
                i32 t = x[a];
                x[a] = x[a + 1];
                x[a + 1] = t;
            }
        }
}

/* A copy of a parameter in a launch variable, and C's conversions of it. */
slip_kernel f64 launch_variable_as_result(i32 n, f32 x)
{
    i32 k = n;
    f64 y = x;
    for (; k > 0; k -= 2)
        y = y * 0.5 + k;
    y += k;
    return y;
}
