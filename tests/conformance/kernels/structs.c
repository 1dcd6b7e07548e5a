/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structs.c - structs by value, in arrays, nested, as results; literals and initialisers.
 */
#include <slipway/kernel.h>

#include "structs.h"

struct span {
    i32 lo, hi;
};

struct mixed {
    i8 a;
    f64 b;
    u16 c;
    bool d;
    i64 e[2];
    struct span s;
    f32 f;
};

struct matrix {
    f32 m[4][4];
};

/* Parameters: every member, at its offset. */
slip_kernel void members_by_value(struct mixed p, struct span s, vec3 v, slip_out f64 out[12])
{
    out[0] = p.a;
    out[1] = p.b;
    out[2] = p.c;
    out[3] = p.d;
    out[4] = (f64)p.e[0];
    out[5] = (f64)p.e[1];
    out[6] = p.s.lo;
    out[7] = p.s.hi;
    out[8] = p.f;
    out[9] = s.hi - s.lo;
    slip_for (i, 2)
        out[10 + i] = (f64)v.x + (f64)p.e[i] + (f64)v.z;
}

slip_kernel struct span give_span(i32 lo, i32 hi)
{
    return (struct span){ .hi = hi, .lo = lo };
}

slip_kernel struct mixed give_mixed(struct mixed p, i32 k)
{
    p.e[k & 1] += 1;
    p.s.hi = k;
    return p;
}

slip_kernel struct matrix give_matrix(f32 a)
{
    struct matrix m = { { { 0 } } };
    for (i32 r = 0; r < 4; ++r)
        m.m[r][r] = a * (f32)(r + 1);
    return m;
}

/* A result computed by tasks. */
slip_kernel struct span bounds_of(i32 n, const i32 x[n])
{
    struct span s = { INT32_MAX, INT32_MIN };
    slip_for (i, n) {
        slip_atomic_min(&s.lo, x[i]);
        slip_atomic_max(&s.hi, x[i]);
    }
    return s;
}

slip_kernel void arrays_of_structs(i32 n, f32 dt, struct body b[n])
{
    slip_for (i, n) {
        struct body mine = b[i];
        mine.position.x += mine.velocity.x * dt;
        mine.position.y += mine.velocity.y * dt;
        b[i].position = mine.position;
        b[i].velocity = (vec3){ .y = mine.velocity.y, .x = 1 };
        b[i].mass *= 0.5;
        b[i].link[i % LINKS] += mine.link[(i + 1) % LINKS];
        b[i].tag++;
        b[i].fixed = !mine.fixed;
        b[i].range.low -= mine.range.high;
        b[i].stamp ^= (i64)mine.link[0] << 32;
    }
}

slip_kernel void whole_assignment(i32 n, const struct body from[n], slip_out struct body to[n])
{
    slip_for (i, n) {
        struct body copy;
        copy = from[n - 1 - i];
        copy.tag = (u8)i;
        to[i] = i & 1 ? copy : from[i];
    }
}

slip_kernel void sizes_and_offsets(slip_out i64 out[16])
{
    out[0] = sizeof(struct body);
    out[1] = sizeof(struct mixed);
    out[2] = offsetof(struct body, mass);
    out[3] = offsetof(struct body, link[2]);
    out[4] = offsetof(struct body, range.high);
    out[5] = offsetof(struct body, stamp);
    out[6] = offsetof(struct mixed, s.hi);
    out[7] = sizeof(vec3[5]);
    out[8] = sizeof(bool) * 10 + sizeof(char);
    out[9] = _Alignof(struct mixed);
    out[10] = sizeof(long) + sizeof(size_t);
    out[11] = sizeof((u8)1 + (u8)1);
    out[12] = sizeof(out[0]) + sizeof 'a';
    out[13] = sizeof(((struct body *)0)->link);
    out[14] = offsetof(struct mixed, d);
    out[15] = sizeof(struct matrix);
}

/* Braces elided, designators of nested members, later ones winning, zeros for the rest. */
slip_kernel void initialisers(i32 k, slip_out i32 out[40])
{
    i32 plain[5] = { 1, 2, [4] = k, [1] = 20 };
    i32 flat[2][3] = { 1, 2, 3, 4, k };
    i32 deep[2][2][2] = { [1] = { { 5 }, 6, 7 }, [0][1] = { 8 } };
    struct span spans[3] = { 1, 2, { 3 }, [2].lo = 0 ? 1 : 2 };
    struct mixed m = { .s = { .hi = 9 }, .a = -1, .e = { [1] = k } };
    struct mixed list[2] = { [1].s.lo = 4, [1].e[0] = 5, [0].b = 2.5 };
    vec3 v = { k, .z = 3 };
    for (i32 i = 0; i < 5; ++i)
        out[i] = plain[i];
    for (i32 i = 0; i < 6; ++i)
        out[5 + i] = flat[i / 3][i % 3];
    for (i32 i = 0; i < 8; ++i)
        out[11 + i] = deep[i >> 2][i >> 1 & 1][i & 1];
    for (i32 i = 0; i < 3; ++i) {
        out[19 + 2 * i] = spans[i].lo;
        out[20 + 2 * i] = spans[i].hi;
    }
    out[25] = m.a;
    out[26] = m.s.lo * 10 + m.s.hi;
    out[27] = (i32)(m.e[0] + m.e[1]);
    out[28] = (i32)m.b + m.c + m.d + (i32)m.f;
    out[29] = (i32)(list[0].b * 2) + list[0].s.lo;
    out[30] = list[1].s.lo * 10 + (i32)list[1].e[0];
    out[31] = (i32)(list[1].b + list[1].f) + list[1].a;
    out[32] = (i32)(v.x * 100 + v.y * 10 + v.z);
    for (i32 i = 33; i < 40; ++i)
        out[i] = -i;
}

/* The same inside an iteration: initialised anew each time. */
slip_kernel void initialised_each_time(i32 n, slip_out i32 out[n])
{
    slip_for (i, n) {
        i32 s = 0;
        for (i32 k = 0; k < 3; ++k) {
            i32 t[4] = { i, [2] = k };
            struct span p = { .lo = t[2] };
            t[1] += 5;
            t[3] += t[1];
            p.hi += t[3] + p.lo;
            s = s * 10 + p.hi + t[0] % 3;
        }
        out[i] = s;
    }
}

static f32 dot(const vec3 *a, const vec3 *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

slip_kernel void compound_literals(i32 n, const vec3 x[n], slip_out f32 out[n])
{
    slip_for (i, n) {
        const vec3 *p = &(vec3){ 1, 2, x[i].z };
        vec3 q = cross(x[i], (vec3){ .y = 1 });
        f32 s = dot(p, &x[i]) + dot(&q, &(vec3){ 3, 2, 1 });
        s += ((f32[4]){ 1, s, 3 })[i & 3];
        s += (struct span){ i, 2 }.hi;
        out[i] = s;
    }
}

slip_kernel void anonymous_members(i32 n, slip_out i32 out[n])
{
    slip_for (i, n) {
        struct {
            i32 a;
            struct {
                i32 b, c;
            };
            i16 d[3];
        } s = { i, { 2, 3 }, { 4 } };
        s.c += s.b;
        s.d[i % 3] = (i16)(s.a * 3);
        out[i] = s.a + s.b * 10 + s.c * 100 + s.d[0] + s.d[1] + s.d[2];
    }
}

/* Member arrays of a by-value struct, indexed at run time. */
slip_kernel void matrix_by_value(struct matrix m, i32 n, const f32 x[n][4], slip_out f32 y[n][4])
{
    slip_for2 (i, n, r, 4) {
        f32 s = 0;
        for (i32 k = 0; k < 4; ++k)
            s += m.m[r][k] * x[i][k];
        y[i][r] = s;
    }
}

/* A parameter block near its limit of 4,096 bytes. */
struct large {
    f64 v[500];
    i32 n;
};

slip_kernel f64 large_by_value(struct large p, i64 last, slip_out f64 out[500])
{
    slip_for (i, 500)
        out[i] = p.v[i] * p.n;
    return p.v[499] + (f64)last;
}

/* Structs as scratch, as kernel-level variables, and reduced by member. */
slip_kernel i64 kernel_level_structs(i32 n, const struct body b[n])
{
    struct span counts = { 0, 0 };
    struct body scratch[n];
    struct {
        i64 total;
        i32 step;
    } run = { .step = 2 };
    slip_for (i, n) {
        scratch[i] = b[i];
        scratch[i].stamp += run.step;
        if (b[i].fixed)
            counts.lo += 1;
        else
            counts.hi += b[i].tag;
    }
    run.step += 3;
    slip_for (i, n)
        run.total += scratch[i].stamp % 1000 * run.step;
    return run.total * 1000 + counts.lo * 7 + counts.hi;
}

slip_kernel void updates_of_members(i32 n, const i32 at[n], struct mixed bins[4])
{
    slip_for (i, n) {
        bins[at[i]].e[i & 1] += i;
        bins[at[i]].c++;
        bins[at[i]].s.hi |= 1 << (i & 15);
        slip_atomic_max(&bins[at[i]].s.lo, i);
    }
}
