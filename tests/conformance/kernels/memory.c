/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - tables, memcpy and memset of constant size, and file-scope constants.
 */
#include <slipway/kernel.h>

#define TWICE(x) ((x) + (x))
#define FOUR(x) (x), (x) + 1, (x) + 2, (x) + 3
#define SIXTEEN(x) FOUR(x), FOUR((x) + 4), FOUR((x) + 8), FOUR((x) + 12)

enum { RED = 2, GREEN, BLUE = 1 << 4, NEGATIVE = -7, LATER };
enum kind { NONE, SOME = GREEN + 1, ALL };

struct entry {
    u8 code;
    i32 delta[3];
    f64 weight;
};

static const f32 small_table[5] = { 0.5f, [3] = 2.0f, 1.5f };
static const i8 signs[] = { 1, -1, 1, 1, -1, -1, 1 };
static const u16 square_table[3][4] = { { 1, 2, 3, 4 }, { 5 }, { [2] = 7 } };
/* 1 KB: over the 256 bytes that may be copied into each iteration. */
static const i32 large_table[16][16] = { { SIXTEEN(0) }, { SIXTEEN(100) }, { SIXTEEN(-50) },
                                         { SIXTEEN(7) }, [9] = { SIXTEEN(900) },
                                         [15] = { SIXTEEN(1 << 20) } };
static const struct entry entries[4] = { { 1, { 2, 3, 4 }, 0.25 },
                                         { .weight = -1.5, .code = RED },
                                         { BLUE, { [1] = NEGATIVE } },
                                         { 255, { LATER, ALL, SOME }, 1e100 } };
static const i32 offset = 11;
static const f64 half = 1.0 / 2;

slip_kernel void small_tables(i32 n, const u32 at[n], slip_out f32 out[n])
{
    slip_for (i, n) {
        u32 k = at[i];
        out[i] = small_table[k % 5] * signs[k % sizeof signs] + square_table[k % 3][k % 4];
        out[i] += offset * (f32)half;
    }
}

slip_kernel void large_tables(i32 n, const u32 at[n], slip_out i64 out[n])
{
    slip_for (i, n) {
        const i32 *row = large_table[at[i] & 15];
        i64 s = 0;
        for (i32 k = 0; k < 16; ++k)
            s = s * 3 + row[(k * 5) & 15];
        out[i] = s + large_table[9][at[i] & 7];
    }
}

static f64 weigh(const struct entry *e, i32 k)
{
    return e->weight * e->delta[k % 3] + e->code;
}

slip_kernel void tables_of_structs(i32 n, const u32 at[n], slip_out f64 out[n])
{
    slip_for (i, n) {
        struct entry mine = entries[(at[i] >> 2) & 3];
        mine.delta[0] += offset;
        out[i] = weigh(&entries[at[i] & 3], i) + mine.delta[0] * 2 + mine.weight;
    }
}

slip_kernel void tables_in_functions(i32 n, const u32 at[n], slip_out u8 out[n])
{
    slip_for (i, n) {
        static const u8 reversed[16] = { 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15 };
        const i32 local[3] = { 5, TWICE(6), 7 };
        out[i] = (u8)(reversed[at[i] & 15] << 4 | reversed[at[i] >> 4 & 15]);
        out[i] = (u8)(out[i] + local[at[i] % 3]);
    }
}

/* Read by serial statements and by the launch itself. */
slip_kernel i32 tables_at_kernel_level(i32 n, i32 x[n])
{
    i32 rounds = large_table[1][2] - 100;
    for (i32 k = 0; k < rounds + signs[0]; ++k)
        slip_for (i, n)
            x[i] += signs[k % 7] * (k + 1);
    return n > 0 ? x[0] + square_table[1][0] : square_table[2][2];
}

slip_kernel void enumerators(i32 n, const i32 x[n], slip_out i32 out[n])
{
    slip_for (i, n) {
        enum kind k = x[i] & 1 ? ALL : x[i] & 2 ? SOME : NONE;
        out[i] = k * 100 + RED + GREEN * BLUE + NEGATIVE + LATER + (i32)sizeof k;
        out[i] += k == SOME ? 5000 : 0;
        out[i] += k > NONE;
    }
}

slip_kernel void copies(i32 n, const u8 from[16 * n], u8 to[16 * n], slip_out i32 first[n],
                        const f32 numbers[4 * n], slip_out u32 bits[4 * n])
{
    slip_for (i, n) {
        u8 local[16], part[4];
        f32 mine[4];
        u32 words[4];
        memcpy(local, from + 16 * i, 16);
        local[5] ^= local[0] * 5;
        memcpy(to + 16 * i, &local[4], 12);
        memcpy(part, &local[3], sizeof part);
        first[i] = part[0] | part[1] << 8 | part[2] << 16;
        memcpy(mine, &numbers[4 * i], sizeof mine);
        mine[2] += 1;
        memcpy(words, mine, sizeof words);
        words[1] ^= words[0] * 5;
        memcpy(bits + 4 * i, words, 16);
    }
}

/* Bytes of numbers of another size. */
slip_kernel void copies_of_other_sizes(i32 n, const u8 from[16 * n], u8 to[16 * n],
                                       slip_out i32 first[n], slip_out f64 last[n])
{
    slip_for (i, n) {
        u8 local[16];
        u32 words[4];
        i32 lead;
        memcpy(local, from + 16 * i, 16);
        memcpy(words, local, sizeof words);
        words[1] ^= words[0] * 5;
        memcpy(to + 16 * i, &words[1], 12);
        memcpy(&lead, &local[3], sizeof lead);
        first[i] = lead;
        memcpy(&last[i], &from[16 * i + 8], sizeof(f64));
    }
}

slip_kernel void copies_of_structs(i32 n, const struct entry from[n], struct entry to[n])
{
    slip_for (i, n) {
        struct entry mine, other;
        memcpy(&mine, &from[i], sizeof mine);
        other = mine;
        other.delta[1]++;
        memcpy(mine.delta, other.delta, sizeof mine.delta);
        memcpy(&to[i].code, &mine.code, 1);
        memcpy(&to[i].delta, &mine.delta, sizeof mine.delta);
        memcpy(&to[i].weight, &mine.weight, sizeof(f64));
    }
}

slip_kernel void fills(i32 n, i32 x[4 * n], slip_out i64 out[n])
{
    slip_for (i, n) {
        i64 local[6];
        struct entry e;
        memset(local, 0xff, sizeof local);
        memset(local + 1, 0, 2 * sizeof(i64));
        memset(&local[4], 0x5a, 4);
        memset(x + 4 * i, i & 1 ? 0x11 : 0, 3 * sizeof(i32));
        memset(&e, 0, sizeof e);
        e.delta[2] += 3;
        out[i] = local[0] + local[1] + local[2] * 3 + local[3] * 5 + (local[4] >> 7) + local[5];
        out[i] += e.code + e.delta[2] + (i64)e.weight;
    }
}
