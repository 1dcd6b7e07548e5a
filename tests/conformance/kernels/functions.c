/* SPDX-License-Identifier: Apache-2.0 */
/*
 * functions.c - static functions called from kernels: parameters and results of every kind,
 * pointers to local and global arrays, functions that contain tasks.
 */
#include <slipway/kernel.h>

typedef struct pair {
    i32 a;
    f32 b;
} pair;

struct big {
    f64 m[9];
    i32 rank;
};

static i32 square(i32 x)
{
    return x * x;
}

static inline i32 square_plus(i32 x, i32 y)
{
    return square(x) + square(square(y) & 0xff) + y;
}

slip_kernel void plain_calls(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n)
        out[i] = square_plus(x[i], square(x[i] & 7)) - square(3);
}

/* Declared first, defined below its use. */
static i64 later(i64 x, u8 y);

slip_kernel void forward_declared(i32 n, const i64 x[n], slip_out i64 out[n])
{
    slip_for (i, n)
        out[i] = later(x[i], x[i]) + later(1, 300 - 45);
}

static i64 later(i64 x, u8 y)
{
    return x / 3 + y;
}

/* Returns from inside loops and branches. */
static i32 find_bit(u32 v, i32 wanted)
{
    i32 seen = 0;
    if (v == 0)
        return -1;
    for (i32 k = 0; k < 32; ++k) {
        if (v >> k & 1) {
            if (seen == wanted)
                return k;
            ++seen;
        }
        while (seen > wanted)
            return 77;
    }
    do {
        if (seen & 1)
            return 100 + seen;
        seen /= 2;
    } while (seen > 0);
    switch (wanted) {
    case 3:
        return 200;
    case 5:
        wanted = 9;
        break;
    default:
        return 300 + wanted;
    }
    return wanted;
}

slip_kernel void returns_inside_loops(i32 n, const u32 x[n], slip_out i32 out[n])
{
    slip_for (i, n)
        out[i] = find_bit(x[i], i % 20);
}

/* void functions, return without a value. */
static void add_if_small(i32 v, i32 *total)
{
    if (v > 50)
        return;
    *total += v;
}

slip_kernel void out_parameters(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 total = 1;
        for (i32 k = 0; k < 5; ++k)
            add_if_small((x[i] >> k) & 127, &total);
        out[i] = total;
    }
}

/* One function, called with local and with global arrays, and with parts of them. */
static f32 sum_of(const f32 *v, i32 count)
{
    f32 s = 0;
    for (i32 k = 0; k < count; ++k)
        s += v[k];
    return s;
}

static void scale_all(i32 count, f32 v[count], f32 by)
{
    for (i32 k = 0; k < count; ++k)
        v[k] *= by;
}

slip_kernel void local_and_global_arrays(i32 n, const f32 x[n + 4], f32 y[4 * n],
                                         slip_out f32 out[n])
{
    slip_for (i, n) {
        f32 mine[6];
        for (i32 k = 0; k < 6; ++k)
            mine[k] = x[i + k % 4] + (f32)k;
        scale_all(6, mine, 0.5f);
        scale_all(4, y + 4 * i, 3);
        scale_all(2, mine + 2, -1);
        out[i] = sum_of(mine, 6) + sum_of(&y[4 * i], 4) + sum_of(&x[i], 4) + sum_of(mine + 3, 2);
    }
}

static void multiply3(f64 out[3][3], f64 a[3][3], f64 b[3][3])
{
    for (i32 r = 0; r < 3; ++r)
        for (i32 c = 0; c < 3; ++c) {
            f64 s = 0;
            for (i32 k = 0; k < 3; ++k)
                s += a[r][k] * b[k][c];
            out[r][c] = s;
        }
}

slip_kernel void local_matrices(i32 n, const f64 x[n][9], slip_out f64 out[n][9])
{
    slip_for (i, n) {
        f64 a[3][3], b[3][3], p[3][3];
        for (i32 r = 0; r < 3; ++r)
            for (i32 c = 0; c < 3; ++c) {
                a[r][c] = x[i][3 * r + c];
                b[c][r] = x[i][3 * r + c] + (r == c);
            }
        multiply3(p, a, b);
        multiply3(a, p, p);
        for (i32 k = 0; k < 9; ++k)
            out[i][k] = a[k / 3][k % 3];
    }
}

static pair turn(pair p)
{
    p.a = -p.a;
    return (pair){ .b = p.b * 2, .a = p.a + 1 };
}

static void turn_in_place(pair *p)
{
    pair t = turn(*p);
    p->a = t.a;
    (*p).b += t.b;
}

slip_kernel void structs_by_value(i32 n, const pair x[n], slip_out pair out[n])
{
    slip_for (i, n) {
        pair p = turn(turn(x[i]));
        turn_in_place(&p);
        out[i] = p;
        out[i].a += turn(p).a;
        turn_in_place(&out[i]);
    }
}

static struct big make_big(i32 rank, f64 x)
{
    struct big b = { .rank = rank };
    for (i32 k = 0; k < rank; ++k)
        b.m[k] = x * k;
    return b;
}

static f64 total_of(struct big b)
{
    f64 s = 0;
    for (i32 k = 0; k < 9; ++k)
        s += b.m[k];
    b.m[0] = 5; /* the caller's stays */
    return s + b.rank;
}

slip_kernel void large_structs_by_value(i32 n, const f64 x[n], slip_out f64 out[n])
{
    slip_for (i, n) {
        struct big b = make_big(i % 10, x[i]);
        out[i] = total_of(b) + b.m[0] + total_of(make_big(3, 1));
    }
}

/* Operands are evaluated left to right; each call's effects are whole before the next. */
static i32 next_of(i32 *state)
{
    *state = *state * 5 + 1;
    return *state & 15;
}

slip_kernel void effects_in_order(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 state = x[i], a = next_of(&state);
        i32 b = next_of(&state);
        a = a * 100 + b;
        if (next_of(&state) > 7 && next_of(&state) > 3)
            a += next_of(&state);
        out[i] = (a += state, a ^ b);
    }
}

static bool is_even(u8 x)
{
    return !(x & 1);
}

static i8 as_i8(i32 x)
{
    return x;
}

static u64 as_u64(i32 x)
{
    return x;
}

static f64 third(i32 x)
{
    return x / 3.0f;
}

slip_kernel void results_of_every_type(i32 n, const i32 x[n], slip_out f64 out[n])
{
    slip_for (i, n)
        out[i] = is_even(x[i]) * 1000 + as_i8(x[i]) + (f64)(as_u64(x[i]) >> 40) + third(x[i]);
}

/* Many levels, and parameters that shadow. */
static i32 level1(i32 x)
{
    return x + 1;
}
static i32 level2(i32 x)
{
    x = level1(x) * 2;
    return level1(x);
}
static i32 level3(i32 x, i32 y)
{
    i32 z = level2(x);
    {
        i32 x = level2(y);
        z += x;
    }
    return z - level2(x);
}
static i32 level4(i32 x)
{
    for (i32 k = 0; k < 3; ++k)
        x = level3(x, k) + level3(k, x);
    return x;
}

slip_kernel void many_levels(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n)
        out[i] = level4(x[i]);
}

/* Functions with tasks: as a statement, an initialiser, the right side of an assignment. */
static void smooth(i32 n, const f32 from[n], f32 to[n])
{
    slip_for (i, n)
        to[i] = (from[i > 0 ? i - 1 : 0] + from[i] + from[i < n - 1 ? i + 1 : n - 1]) / 3;
}

static i32 count_above(i32 n, const f32 x[n], f32 limit)
{
    i32 count = 0;
    slip_for (i, n)
        if (x[i] > limit)
            count += 1;
    return count;
}

slip_kernel i32 functions_with_tasks(i32 n, i32 rounds, f32 u[n])
{
    f32 v[n];
    i32 before = count_above(n, u, 0), after = 0;
    for (i32 k = 0; k < rounds; ++k) {
        smooth(n, u, v);
        smooth(n, v, u);
    }
    after = count_above(n, u, 0);
    return before * 10000 + after;
}

/* A helper with scratch of its own, called twice. */
static void reverse_of(i32 n, i32 x[n])
{
    i32 copy[n];
    slip_for (i, n)
        copy[i] = x[i];
    slip_for (i, n)
        x[i] = copy[n - 1 - i];
}

slip_kernel void helpers_with_scratch(i32 n, i32 m, i32 x[n], i32 y[m])
{
    reverse_of(n, x);
    if (m > 3)
        reverse_of(m, y);
}

/* A kernel calls a kernel as any function. */
slip_kernel void doubled(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] *= 2;
}

slip_kernel void calls_a_kernel(i32 n, i32 times, i32 x[n])
{
    for (i32 k = 0; k < times; ++k)
        doubled(n, x);
    slip_for (i, n)
        x[i] += 1;
}

slip_kernel i32 returns_a_function_with_tasks(i32 n, f32 limit, const f32 x[n])
{
    return count_above(n, x, limit);
}

/* Array parameters are pointers: they move, are chosen between, and count from where they are. */
static i32 moved(const i32 v[4])
{
    i32 s = *v++;
    ++v;
    s = s * 3 + *v + v[-1];
    v += 1;
    v = v - 2;
    return s * 5 + *v;
}

static i32 chosen(const i32 a[4], bool which, const i32 b[4])
{
    const i32 *p = which ? a : b;
    i32 s = *p;
    p = (which ? b : a) + 1;
    return s * 7 + *p + *((which ? a : b) + 2);
}

slip_kernel void parameters_that_move(i32 n, const i32 x[n + 4], const i32 y[n + 4],
                                      slip_out i32 out[n])
{
    slip_for (i, n)
        out[i] = moved(x + i) + moved(i + y + 0) * 11 + chosen(&x[i], x[i] & 1, 1 + y + i - 1);
}

_Static_assert(sizeof(pair) == 8, "two words");

/* Words that change nothing here. */
static inline i32 hinted(register const i32 *restrict v, const i32 count)
{
    register i32 s = 0;
#pragma unroll
    for (i32 k = 0; k < count; ++k)
        if (__builtin_expect(v[k] > 0, 1))
            s += v[k];
    (void)count;
    return s;
}

slip_kernel void accepted_words(i32 n, const i32 *restrict x, i32 out[restrict n])
{
    slip_for (i, n) {
        const i32 mine[3] = { i, -i, 7 };
        out[i] = hinted(mine, 3) + out[i];
    }
    (void)x;
}
