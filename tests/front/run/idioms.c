/* SPDX-License-Identifier: Apache-2.0 */
/* idioms.c - kernels as people write them: many small things in odd combinations. */
#include <slipway/kernel.h>
#include <stdlib.h>

#define KERNEL(name)                                                                               \
    slip_kernel void name(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n],        \
                          i64 z[n], u8 h[n])
#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
#define EACH(k, count) for (i32 k = 0; k < (count); ++k)

typedef enum { NORTH, EAST = 5, SOUTH, WEST = -2 } side;
enum wide { BIG = 2000000000, SMALL = 1 };
typedef f32 row4[4];
typedef struct link {
    side way;
    i32 up;
    row4 pos;
    i8 tag;
} link;

static inline i32 turn(side s)
{
    switch (s) {
    case NORTH:
        return EAST;
    case EAST:
    case SOUTH:
        return WEST;
    case WEST:
        break;
    }
    return 0;
}
static i32 chain(const link *restrict links, i32 at, i32 *depth)
{
    *depth = 0;
    while (at >= 0) {
        const link *l = &links[at];
        at = l->up;
        ++*depth;
    }
    return *depth;
}
static f32 dot4(const row4 p, const f32 q[static 4])
{
    f32 s = 0;
    EACH(k, 4)
    s += p[k] * q[k];
    return s;
}
static void sort(i32 count, i32 *v)
{
    for (i32 i = 1; i < count; ++i) {
        i32 key = v[i], j = i - 1;
        while (j >= 0 && v[j] > key) {
            v[j + 1] = v[j];
            --j;
        }
        v[j + 1] = key;
    }
}
static i32 find(const i32 *from, i32 count, i32 what)
{
    const i32 *p = from;
    for (i32 left = count; left--; p++)
        if (*p == what)
            return count - left;
    return -1;
}
static u32 hash(const u8 *bytes, i32 count)
{
    u32 h = 2166136261u;
    for (const u8 *p = bytes; count > 0; count--)
        h = (h ^ *p++) * 16777619u;
    return h;
}
static void swap(f32 *p, f32 *q)
{
    f32 t = *p;
    *p = *q;
    *q = t;
}
static i64 gcd(i64 p, i64 q)
{
    while (q) {
        i64 t = p % q;
        p = q;
        q = t;
    }
    return p;
}

KERNEL(enums)
{
    slip_for (i, n) {
        side s = (side)(a[i] & 1 ? EAST : i % 3 == 0 ? WEST : SOUTH);
        enum wide w = i & 1 ? BIG : SMALL;
        x[i] = turn(s) * 10 + (s == EAST) + (w > 5) * 4 + (s < NORTH) + CLAMP(a[i], 0, 9);
        z[i] = w + (i64)s;
        h[i] = (u8)w;
    }
}

KERNEL(helpers)
{
    link links[6];
    EACH(k, 6)
    {
        links[k].way = NORTH;
        links[k].up = k - 1 - (k > 3);
        EACH(c, 4)
        links[k].pos[c] = (f32)(k * c);
        links[k].tag = (i8)(k * 50);
    }
    slip_for (i, n) {
        link own[2] = { links[i % 6], { .pos = { [2] = 1 }, .up = 1 } };
        i32 depth;
        x[i] = chain(links, i % 6, &depth) * 10;
        x[i] += depth + own[0].tag;
        y[i] = dot4(own[0].pos, links[3].pos) + dot4(own[1].pos, links[5].pos);
        swap(&own[0].pos[1], &own[1].pos[3]);
        y[i] += own[1].pos[3];
        f32 *p = own[0].pos;
        p[2] += 1;
        p = own[0].pos;
        y[i] += *(p + 2) + p[i & 3];
        i32 v[8];
        EACH(k, 8)
        v[k] = a[(i + k * 5) % n];
        sort(8, v);
        x[i] += v[0] * 100 + v[7] + find(v, 8, a[i]) + find(a, n, v[3]);
        sort(8, v + 0);
        u8 bytes[5];
        for (i32 k = 0; k < 5; ++k)
            bytes[k] = (u8)(k + a[i]);
        z[i] = hash(bytes, 5) + (i64)hash(h, 3) + gcd(a[i] + 40, 36);
    }
}

KERNEL(expressions)
{
    slip_for (i, n) {
        i32 p = i, q = 3, r;
        r = p++ + q * 2;
        r += (p += 2, q -= 1, p * q);
        p = q = r & 15;
        r = (p > q) ? p : (q > 5 ? (q & 3) : -q);
        h[i] = x[i] = r + (i8)(a[i] * 40);
        bool t = !p, u = t | (q > 2), w = t ^ u;
        t += 2;
        u &= w;
        w = w == t;
        x[i] += t + u * 2 + w * 4 + -(-p) + !!q + ~-q;
        x[i] += (a[i] > 0 && b[i] > 0) || (a[i] < 0 && !(b[i] <= 0));
        x[i] += ((i32[]){ 5, 6, 7 })[i % 3] + (int)((link){ .up = 4, .tag = 2 }).tag + abs(a[i]);
        char c = 'A' + i % 26;
        short sh = c * 300;
        unsigned char uc = sh;
        long l = sh * 1000L;
        unsigned long ul = ~0ul >> (i & 31);
        z[i] = l + (i64)(ul % 1000003) + uc + c + sizeof(link) + sizeof x[i] + _Alignof(link);
        y[i] = i % 2 ? 1 : 2.5f;
        y[i] += a[i] ? b[i] / a[i] : 0;
        const f32 k1[3] = { 1, 2, 4 };
        const i32 weights[2][2] = { { 1, 2 }, { 3 } };
        y[i] += k1[i % 3] + weights[i & 1][0];
        register i32 fast = 1;
        fast <<= i & 3;
        x[i] += fast;
#pragma unroll
        for (i32 k = 0; k < 2; ++k)
            x[i] += __builtin_expect(k == 1, 1) ? 3 : 1;
        ;
    }
}

KERNEL(host_flow)
{
    const f32 steps[3] = { 0.5f, 0.25f, 1 };
    const i32 last = n - 1;
    i32 rounds = 0;
    f32 scale = 1;
    for (i32 s = m; s-- > 0;) {
        if (s == 3)
            continue;
        switch (s) {
        case 0:
            scale = steps[0];
            break;
        case 1:
            scale *= 2;
        default:
            scale += steps[s % 3];
        }
        i32 stride = s > 2 ? 2 : 1;
        slip_for (i, n / stride)
            y[i * stride] += scale;
        if (s == 2 && n > 1000)
            break;
        ++rounds;
    }
    for (i32 span = 1; span < n; span *= 2) {
        i32 back[n];
        slip_for (i, n)
            back[i] = i >= span ? x[i - span] + x[i] : x[i];
        slip_for (i, n)
            x[i] = back[i];
    }
    i32 *cur = x;
    {
        i32 n = 3;
        slip_for (n_index, n)
            cur[n_index] = n;
    }
    z[last] = rounds;
    do {
        slip_for (i, n)
            h[i] ^= (u8)rounds;
        rounds -= 2;
    } while (rounds > 0);
    slip_for_range (i, last - 2, last)
        z[i] = rounds;
}
