/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments_test.c - many arguments; arrays that are equal or overlap; what a call refuses before
 * anything is queued.
 */
#include "conform.h"

#include <pthread.h>
#include <string.h>

#include "arguments.slip.h"

#include "arguments.reference.h"

#define SUM(k, ...)                                                                               \
    do {                                                                                          \
        i32 got = 0;                                                                              \
        ON_DEVICE(sum##k, __VA_ARGS__, &got);                                                     \
        EXPECT_I64(got, k * (k + 1) / 2);                                                         \
    } while (0)

CONFORM(many_arrays)
{
    i32 v[65];

    for (int j = 0; j < 65; j++)
        v[j] = j;
    SUM(8, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8]);
    SUM(16, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
        &v[12], &v[13], &v[14], &v[15], &v[16]);
    SUM(17, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
        &v[12], &v[13], &v[14], &v[15], &v[16], &v[17]);
    SUM(32, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
        &v[12], &v[13], &v[14], &v[15], &v[16], &v[17], &v[18], &v[19], &v[20], &v[21], &v[22],
        &v[23], &v[24], &v[25], &v[26], &v[27], &v[28], &v[29], &v[30], &v[31], &v[32]);
    SUM(33, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
        &v[12], &v[13], &v[14], &v[15], &v[16], &v[17], &v[18], &v[19], &v[20], &v[21], &v[22],
        &v[23], &v[24], &v[25], &v[26], &v[27], &v[28], &v[29], &v[30], &v[31], &v[32], &v[33]);
    SUM(34, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
        &v[12], &v[13], &v[14], &v[15], &v[16], &v[17], &v[18], &v[19], &v[20], &v[21], &v[22],
        &v[23], &v[24], &v[25], &v[26], &v[27], &v[28], &v[29], &v[30], &v[31], &v[32], &v[33],
        &v[34]);
    SUM(64, &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
        &v[12], &v[13], &v[14], &v[15], &v[16], &v[17], &v[18], &v[19], &v[20], &v[21], &v[22],
        &v[23], &v[24], &v[25], &v[26], &v[27], &v[28], &v[29], &v[30], &v[31], &v[32], &v[33],
        &v[34], &v[35], &v[36], &v[37], &v[38], &v[39], &v[40], &v[41], &v[42], &v[43], &v[44],
        &v[45], &v[46], &v[47], &v[48], &v[49], &v[50], &v[51], &v[52], &v[53], &v[54], &v[55],
        &v[56], &v[57], &v[58], &v[59], &v[60], &v[61], &v[62], &v[63], &v[64]);
}

CONFORM(many_arrays_are_written)
{
    EACH (n, 0, 1, 100) {
        conform_pair x[41];
        i32 *v[41];
        for (int j = 0; j <= 40; j++) {
            x[j] = PAIR(i32, PLAIN, n);
            v[j] = x[j].side[0];
        }
        ON_DEVICE(write40, (i32)n, v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10],
                  v[11], v[12], v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21],
                  v[22], v[23], v[24], v[25], v[26], v[27], v[28], v[29], v[30], v[31], v[32],
                  v[33], v[34], v[35], v[36], v[37], v[38], v[39], v[40]);
        for (int j = 1; j <= 40; j++)
            for (i64 i = 0; i < n; i++)
                EXPECT_I64(v[j][i], (i32)((u32)((i32 *)x[j].side[1])[i] + (u32)j));
    }
}

CONFORM(scalars_between_arrays)
{
    conform_pair out = PAIR(f64, PLAIN, 20);
    const i8 v0 = -100;
    const u16 v3 = 60000;
    const i64 v6 = INT64_C(1) << 40;
    const f64 v9 = 0.5;
    const i16 v12 = -3000;
    const u32 v15 = 4000000000u;
    const f32 v18 = 0.25f;

    BOTH(interleaved, -1, &v0, 255, -2, 65535, &v3, -4, 4294967295u, -6, &v6, UINT64_MAX, 1.5f,
         2.5, &v9, -10, 11, -12, &v12, 13, -14, 15u, &v15, -16, 17, 18.5f, &v18, 19.5, S(out));
    SAME(out);
    WANT(f64, out, -101, 255, -2, 125535, -4, 4294967295, 1099511627770, 18446744073709551616.0,
         1.5, 3, -10, 11, -3012, 13, -14, 4000000015, -16, 17, 18.75, 19.5);
}

CONFORM(equal_arrays_at_equal_indices)
{
    SIZES (n) {
        conform_pair x = PAIR(f32, PLAIN, n), z = PAIR(f32, PLAIN, n);
        BOTH(same_index, n, S(x), S(x), S(z));
        SAME(x);
        SAME(z);
        BOTH(same_index, n, S(x), S(z), S(z));
        SAME(z);
        BOTH(same_index, n, S(x), S(x), S(x));
        SAME(x);
    }
}

CONFORM(equal_arrays_in_different_tasks)
{
    SIZES (n) {
        conform_pair a = PAIR(i32, PLAIN, n), out = PAIR(i32, PLAIN, n);
        BOTH(tasks_apart, n, S(a), S(a), S(out));
        SAME(a);
        SAME(out);
    }
    conform_pair a = PAIR_OF(i32, 1, 2);
    RETURN(i32, got, want, serial_alias, S(a), S(a));
    EXPECT_I64(got, 60);
    EXPECT_I64(got, want);
    WANT(i32, a, 6, 60);
}

CONFORM(overlapping_arrays_in_different_tasks)
{
    SIZES (n) {
        conform_pair a = PAIR(i32, PLAIN, n + 3), out = PAIR(i32, PLAIN, n);
        BOTH(tasks_apart, n, S(a), (i32 *)S(a) + 3, S(out));
        SAME(a);
        SAME(out);
    }
}

CONFORM(equal_arrays_that_would_lose_updates_are_refused)
{
    i32 x[8] = { 0 }, y[8] = { 0 };

    REFUSED(SLIP_ERR_ARGUMENT, "a", opposite_ends, 8, x, x);
    REFUSED(SLIP_ERR_ARGUMENT, "b", opposite_ends, 7, x, x + 1);
    EXPECT(strstr(slip_last_error()->message, "overlap") != NULL);
    for (int i = 0; i < 8; i++)
        EXPECT_I64(x[i], 0);
    ON_DEVICE(opposite_ends, 8, x, y);
    ON_DEVICE(opposite_ends, 4, x, x + 4); /* side by side is apart */
    for (int i = 0; i < 8; i++)
        EXPECT_I64(x[i], 2);
}

CONFORM(shifted_arrays_are_refused)
{
    i32 x[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

    REFUSED(SLIP_ERR_ARGUMENT, "from", copy_forward, 8, x, x + 1);
    EXPECT_I64(x[8], 9);
    ON_DEVICE(copy_forward, 9, x, x);
}

CONFORM(a_missing_array_is_named)
{
    f32 y = 3;

    REFUSED(SLIP_ERR_ARGUMENT, "x", plain_extent, 5, NULL);
    ON_DEVICE(plain_extent, 0, NULL);
    ON_DEVICE(plain_extent, 1, &y);
    EXPECT(y == 4);
}

CONFORM(extents_that_overflow_are_refused)
{
    f32 x[4] = { 0 };
    i32 count = 0;

    REFUSED(SLIP_ERR_ARGUMENT, "n * m", product_extent, 65536, 65536, x);
    REFUSED(SLIP_ERR_ARGUMENT, "65536", product_extent, 65536, 65536, x);
    REFUSED(SLIP_ERR_ARGUMENT, "n", plain_extent, -1, x);
    REFUSED(SLIP_ERR_ARGUMENT, "-1", plain_extent, -1, x);
    REFUSED(SLIP_ERR_ARGUMENT, "n / m", quotient_extent, 4, 0, x);
    REFUSED(SLIP_ERR_ARGUMENT, "n * m", product_scratch, 65536, 65536, x);
    REFUSED(SLIP_ERR_ARGUMENT, "-15", product_scratch, -3, 5, x);
    REFUSED(SLIP_ERR_ARGUMENT, "extent `n * m` of", product_scratch, -3, 5, x);
    REFUSED(SLIP_ERR_ARGUMENT, "n * m", product_bound, 65536, 65536, &count);
    EXPECT(x[0] == 0 && count == 0);
    ON_DEVICE(quotient_extent, 8, 2, x);
    EXPECT(x[0] == 1 && x[1] == 0);
    x[0] = 0;
    ON_DEVICE(product_extent, 2, 2, x);
    ON_DEVICE(product_scratch, 2, 3, x + 1);
    ON_DEVICE(product_bound, 20, 30, &count);
    EXPECT(x[0] == 1 && x[1] == 1 && x[2] == 1 && count == 600);
}

typedef struct stamper {
    slip_stream *on;
    i32 tag;
    i32 *x;
    bool wrong;
} stamper;

enum { STAMPED = 4096, LAUNCHES = 200 };

static void *stamp_many_times(void *arg)
{
    stamper *s = arg;

    for (i32 k = 0; k < LAUNCHES; k++) {
        if (stamp(s->on, STAMPED, s->tag + k, 50, s->x) != SLIP_OK)
            s->wrong = true;
        for (int i = 0; i < STAMPED; i++)
            s->wrong |= s->x[i] != s->tag + k;
    }
    return NULL;
}

/* Behaviour L31 and field case 1: each launch sees its own arguments. */
CONFORM(two_threads_launch_one_kernel)
{
    stamper s[2] = { { .tag = 1000 }, { .tag = -2000 } };
    pthread_t threads[2];

    for (int k = 0; k < 2; k++) {
        s[k].x = IN(i32, ZERO, STAMPED);
        conform_status(c, slip_stream_create(c->device, &s[k].on), "slip_stream_create");
    }
    for (int k = 0; k < 2; k++)
        EXPECT(pthread_create(&threads[k], NULL, stamp_many_times, &s[k]) == 0);
    for (int k = 0; k < 2; k++) {
        pthread_join(threads[k], NULL);
        EXPECT(!s[k].wrong);
        slip_stream_destroy(s[k].on);
    }
}

static const check_case cases[] = {
    CASE(many_arrays),
    CASE(many_arrays_are_written),
    CASE(scalars_between_arrays),
    CASE(equal_arrays_at_equal_indices),
    CASE(equal_arrays_in_different_tasks),
    CASE(overlapping_arrays_in_different_tasks),
    CASE(equal_arrays_that_would_lose_updates_are_refused),
    CASE(shifted_arrays_are_refused),
    CASE(a_missing_array_is_named),
    CASE(extents_that_overflow_are_refused),
    CASE(two_threads_launch_one_kernel),
};
CHECK_MAIN(cases)
