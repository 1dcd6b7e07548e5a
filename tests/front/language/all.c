/* SPDX-License-Identifier: Apache-2.0 */
/* every construct of DESIGN.md section 2 */
#include <assert.h>
#include <math.h>
#include <slipway/kernel.h>
#include <stdio.h>

enum { LIMBS = 4, RED = 2 };
typedef struct {
    f32 x, y, z;
} vec3;
struct body {
    vec3 pos, vel;
    f64 mass;
    i32 link[LIMBS];
    u8 tag;
    bool fixed;
};
struct span {
    i32 lo, hi;
};
static const f32 table[5] = { 0.5f, [3] = 2.0f, 1.5f };

static vec3 add(vec3 a, vec3 b)
{
    return (vec3){ a.x + b.x, a.y + b.y, .z = a.z + b.z };
}
static f32 pick(i32 k)
{
    for (;;) {
        if (k > 2)
            return 1;
        ++k;
    }
}
static void smooth(i32 n, f32 u[n])
{
    slip_for (i, n)
        u[i] *= 0.5f;
}

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

slip_kernel f32 all(i32 n, i64 big, u32 m, size_t z, struct span range, const f32 x[n],
                    slip_out f32 y[n], f32 g[n][m], const vec3 v[n], struct body *b, u8 hist[256],
                    i32 count[1], f64 w[2][n][3])
{
    f32 s = 0, top = -INFINITY;
    f32 scratch[n], fixed[6] = { 0 };
    i32 flag = 1, trips = 0;

    y[0] = 0;
    slip_for (i, n) {
        y[i] = 0;
        if (x[i] < 0)
            continue;
        y[i] = x[i] * table[i % 5];
    }
    slip_for_range (i, range.lo, range.hi)
        scratch[i] = y[i];
    slip_for_range (i, -3, n)
        if (i >= 0)
            scratch[i] += 1;
    slip_for (i, big)
        hist[i % 256]++;
    slip_for (i, z) {
        hist[i & 255] += 2;
    }
    slip_for2 (r, n, c, m)
        g[r][c] = r + c;
    slip_for3 (a, 2, r, n, c, 3) {
        w[a][r][c] = a;
        if (c == 1)
            continue;
        w[a][r][c] *= 2;
    }
    slip_for (i, n) {
        s += x[i];
        slip_atomic_max(&top, x[i]);
    }
    if (n > 4)
        slip_for (i, n)
            y[i] += 1;
    else
        y[0] = 2;
    do {
        flag = 0;
        slip_for (i, n)
            if (y[i] > 10) {
                y[i] -= 1;
                flag = 1;
            }
        ++trips;
    } while (flag && trips < 5);
    while (count[0] > 0) {
        slip_for (i, 1)
            count[0]--;
    }
    slip_sections
    {
        slip_section
        {
            slip_for (i, n)
                y[i] += 1;
        }
        slip_section
        {
            slip_for2 (r, n, c, m)
                g[r][c] *= 2;
        }
    }
    smooth(n, y);
    slip_for (i, n) {
        vec3 q[LIMBS] = { { 0 } };
        f32 best = slip_min(x[i], y[i]);
        for (i32 k = 0; k < LIMBS; k++) {
            if (k == 2)
                continue;
            q[k] = add(v[i], (vec3){ .x = x[i], .z = 1 });
        }
        switch (i % 4) {
        case 0:
            best += 1;
            break;
        case 1:
            best *= 2; /* fallthrough */
        case RED:
            best -= 1;
            break;
        default:
            best = pick(i);
        }
        b[i].pos = q[(i + 1) % LIMBS];
        b[i].link[i % LIMBS] = (i32)sizeof(struct body);
        b[i].fixed = best > 0;
        u32 bits = slip_f32_bits(best);
        i32 slot = count[0]++;
        slip_atomic_exchange(&count[0], slot);
        slip_atomic_compare_exchange(&count[0], slot, 0);
        do {
            bits >>= 1;
        } while (bits > 100);
        y[i] = (bits & 1 ? sqrtf(best) : -best) + fixed[i % 6] + (f32)trips + fmaf(best, 2, 1);
        assert(y[i] == y[i]);
        if (i == 0)
            printf("%g\n", (double)y[i]);
    }
    return s + top;
}

slip_kernel struct span extent(void)
{
    return (struct span){ 1, 2 };
}
