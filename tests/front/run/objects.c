/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c - kernels on structs, arrays, initialisers and pointers. */
#include <slipway/kernel.h>

#define KERNEL(name)                                                                               \
    slip_kernel void name(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n],        \
                          i64 z[n], u8 h[n])

typedef struct {
    f32 x, y, z;
} vec3;

struct part {
    i32 id;
    vec3 at[2];
    struct {
        u8 low;
        i16 high[3];
    } code;
    struct {
        i32 left, right;
    };
    bool on;
};

static const f32 table[5] = { 0.5f, [3] = 2.0f, 1.5f };
static const i32 grid[3][4] = {
    { 1, 2 },
    [2] = { [1] = 5, 6 },
};
static const i32 flat[2][3] = { 1, 2, 3, 4, 5 };
static const struct part parts[2] = {
    { 7, { { 1, 2, 3 }, { 4 } }, { 9, { 1, 2, 3 } }, .left = 3, .on = 1 },
    [1] = { .at[1].y = 8, 9, .code = { .high = { [1] = -4 } }, .right = 1 << 4 | 3 },
};
static const i32 SIDE = 3, AREA = SIDE * 3 + 1;

static vec3 add(vec3 p, vec3 q)
{
    return (vec3){ p.x + q.x, p.y + q.y, .z = p.z + q.z };
}
static vec3 scale(f32 s, vec3 v)
{
    v.x *= s;
    v.y *= s;
    v.z *= s;
    return v;
}
static f32 total(const f32 *p, i32 count)
{
    f32 s = 0;
    while (count-- > 0)
        s += *p++;
    return s;
}
static void fill(i32 count, i32 *p, i32 v)
{
    for (i32 k = 0; k < count; ++k)
        p[k] = v + k;
}
static i32 sum2(i32 rows, i32 cols, i32 g[rows][cols])
{
    i32 s = 0;
    for (i32 r = 0; r < rows; ++r)
        for (i32 c = 0; c < cols; ++c)
            s += g[r][c] * (r + 1);
    return s;
}
static i32 row_sum(i32 cols, const i32 row[cols])
{
    i32 s = 0;
    for (i32 c = 0; c < cols; ++c)
        s += row[c];
    return s;
}
static struct part make(i32 id)
{
    struct part p = { .id = id, .code.high[2] = 5, .at = { [1] = { .z = 2 } } };
    if (id > 4)
        return p;
    p.left = id;
    return p;
}
static void move(struct part *p, f32 by)
{
    p->at[0].x += by;
    (*p).at[1] = p->at[0];
    p->code.high[1]++;
}

KERNEL(structs)
{
    slip_for (i, n) {
        vec3 v = { b[i], .z = 1 }, w = add(v, (vec3){ 1, 2, 3 });
        vec3 list[3] = { v, { .y = 4 }, w };
        w = scale(2, add(list[a[i] & 1], list[2]));
        vec3 pick = a[i] > 0 ? v : list[1];
        struct part p = make(a[i] & 7), q = p, *r = &q;
        move(&p, 2);
        move(r, b[i]);
        q.on = p.at[1].x > q.at[1].x;
        list[1] = q.at[1];
        list[2].y = list[1].x = 3;
        y[i] = v.x + w.y * 3 + w.z + pick.y + p.at[1].x + q.at[1].z + list[1].x + add(v, w).z +
               list[2].y;
        x[i] = p.id + p.code.high[1] * 10 + p.code.high[2] + q.left + q.on +
               (i32)sizeof(struct part) + r->code.low;
        z[i] = parts[i & 1].id + parts[i & 1].code.high[1] + parts[1].right + parts[0].left * 2 +
               (i64)parts[i & 1].at[1].y + (i64)parts[1].at[1].z * 100 + parts[0].on +
               (i64)offsetof(struct part, code);
    }
}

KERNEL(arrays)
{
    slip_for (i, n) {
        i32 g[3][4] = { { 1 }, { 2, 3 } };
        i32 e[] = { 5, 4, [4] = a[i], 2 };
        u8 bytes[4];
        f32 zero[6] = { 0 };
        bool flags[3] = { true, a[i] > 3 };
        memset(bytes, 7, sizeof bytes);
        for (i32 r = 0; r < 3; ++r)
            for (i32 c = 0; c < 4; ++c)
                g[r][c] += r * c + a[(r + c + i) % n];
        i32 *p = &g[1][2];
        p[-1] = 100;
        *++p = 200;
        p -= 2;
        *p-- -= 7;
        i32(*rows)[4] = g;
        rows[2][1] = 9;
        i32 copy[3][4];
        memcpy(copy, g, sizeof g);
        copy[0][0] = 1000;
        x[i] = sum2(3, 4, g) + row_sum(4, g[1]) + row_sum(3, &copy[0][0]) + e[4] + e[5] +
               (i32)(sizeof e / sizeof e[0]) + bytes[i & 3] + flags[1] + flags[2] + *p;
        y[i] = total(zero, 6) + table[i % 5] + total(table, 5) + total(&b[i / 2], 3) +
               (f32)grid[2][i % 4] + (f32)flat[1][i % 3] + (f32)AREA;
        fill(4, g[2], a[i]);
        fill(2, &x[i] - 0, x[i]);
        z[i] = row_sum(4, g[2]) + 1 [e];
    }
}

KERNEL(pointers)
{
    i32 scratch[n], other[n];
    slip_for (i, n) {
        scratch[i] = a[i];
        other[i] = -a[i];
    }
    i32 *from = scratch, *to = other;
    for (i32 k = 0; k < 3; ++k) {
        slip_for (i, n)
            to[i] = from[(i + 1) % n] + k;
        i32 *swap = from;
        from = to;
        to = swap;
    }
    slip_for (i, n) {
        const i32 *at = i % 2 ? from + i : &to[i];
        const i32 *end = from + n;
        i32 own[4] = { 1, 2, 3, 4 };
        const i32 *q = own + (i & 1);
        q++;
        x[i] =
            *at + q[0] + q[1] + (i32)(end - from) + (at == to + i) + (from != NULL) + (from < end);
        i32 single = 3, *one = &single;
        *one += 4;
        fill(1, &single, single + 1);
        x[i] += single + *one;
        f32 bits;
        u32 word = 0x40490fdbu;
        memcpy(&bits, &word, sizeof bits);
        y[i] = bits;
        const i32 *sum = from + i - 1 + 1;
        const f32 *next = i + b;
        u8 raw[12];
        u32 made[3];
        f64 wide = b[i];
        memcpy(raw, &wide, sizeof wide);
        memcpy(raw + 8, &a[i], 4);
        memcpy(made, raw, sizeof raw);
        x[i] += (i32)(made[1] ^ made[2]) + raw[7];
        memcpy(&wide, made, 8);
        y[i] += (f32)wide + *next;
        z[i] = *sum + *(a + i) + *(0 ? a : a + 1);
    }
}

KERNEL(row_views)
{
    i32 g[m][n], cube[2][m][3];
    slip_for2 (r, m, c, n)
        g[r][c] = r * 100 + c;
    slip_for3 (p, 2, q, m, r, 3) {
        if (q == 1)
            continue;
        cube[p][q][r] = p + q * r;
    }
    slip_for (i, 6)
        cube[i / 3][1][i % 3] = -1;
    slip_for (i, n) {
        i32(*p)[n] = g;
        const i32 *last = g[m - 1];
        x[i] = p[1][i] + (*(p + 2))[0] + last[i] + row_sum(n, g[i % m]) + sum2(m, n, g) +
               cube[1][i % m][2];
        x[i] += row_sum(3, cube[0][2]) + sum2(m, 3, cube[1]);
        i32 *flat_view = &g[0][0];
        x[i] += flat_view[n + 1] + ((i32(*)[n])flat_view)[2][1];
    }
}
