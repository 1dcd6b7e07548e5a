/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_test.c - field cases about launching, streams and memory, through the public interface.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "cases.h"

#include "kernels.slip.h"

static void case_1_each_launch_has_its_own_arguments(void)
{
    enum { N = 65536 };
    slip_stream *s1, *s2;

    device = open_device();
    OK(slip_stream_create(device, &s1));
    OK(slip_stream_create(device, &s2));
    int32_t *a = device_ints(N), *b = device_ints(N);
    for (int round = 0; round < 50; round++) {
        OK(stamp(s1, N, 1, 20, a));
        OK(stamp(s2, N, 2, 20, b));
        OK(slip_stream_sync(s1));
        OK(slip_stream_sync(s2));
        CHECK_EQ_I64(sum_of(s1, N, a), N);
        CHECK_EQ_I64(sum_of(s2, N, b), 2 * N);
    }
    slip_free(device, a);
    slip_free(device, b);
    slip_stream_destroy(s1);
    slip_stream_destroy(s2);
    slip_device_close(device);
}

/* z = (7 + 1) + (7 * 2) = 22; the sum over 65536 elements is 1441792. */
static void case_2_sections_wait_for_what_came_before(void)
{
    enum { N = 65536 };
    slip_stream *s;

    device = open_device();
    OK(slip_stream_create(device, &s));
    int32_t *p = device_ints(N), *x = device_ints(N), *y = device_ints(N), *z = device_ints(N);
    OK(slow_fill(s, N, 7, 50, p));
    OK(group(s, N, p, x, y));
    OK(add(s, N, x, y, z));
    OK(slip_stream_sync(s));
    CHECK_EQ_I64(sum_of(s, N, z), 1441792);
    slip_free(device, p);
    slip_free(device, x);
    slip_free(device, y);
    slip_free(device, z);
    slip_stream_destroy(s);
    slip_device_close(device);
}

/* The source of an upload may change as soon as the call has returned: 1024 * (0 + 1 + ... + 99) =
 * 5068800. */
static void case_4_a_host_array_may_be_reused_at_once(void)
{
    enum { N = 1024, ROUNDS = 100 };
    static int32_t h[N];
    int32_t *d[ROUNDS];
    int64_t sum = 0;

    device = open_device();
    slip_stream *on = slip_default(device);
    for (int k = 0; k < ROUNDS; k++) {
        d[k] = device_ints(N);
        for (int i = 0; i < N; i++)
            h[i] = k;
        OK(slip_upload(on, d[k], h, sizeof h));
    }
    for (int k = 0; k < ROUNDS; k++) {
        sum += sum_of(on, N, d[k]);
        slip_free(device, d[k]);
    }
    CHECK_EQ_I64(sum, 5068800);
    slip_device_close(device);
}

/* 4096 * 0x5a = 368640; and a kept array does not see what the host writes later: 0 + 1 + ... + 99
 * = 4950. */
static void case_5_host_memory_may_be_freed_and_a_mirror_is_its_own(void)
{
    enum { BYTES = 4096 };
    int64_t sum = 0;
    void *to;

    device = open_device();
    slip_stream *on = slip_default(device);
    OK(slip_alloc(device, BYTES, &to));
    uint8_t *from = malloc(BYTES);
    CHECK(from != NULL);
    memset(from, 0x5a, BYTES);
    OK(slip_upload(on, to, from, BYTES));
    free(from);
    from = malloc(BYTES);
    CHECK(from != NULL);
    memset(from, 0xff, BYTES);
    OK(total_u8(on, BYTES, to, &sum));
    CHECK_EQ_I64(sum, 368640);
    free(from);
    slip_free(device, to);

    int32_t h[100];
    for (int i = 0; i < 100; i++)
        h[i] = i;
    OK(slip_keep(device, h, sizeof h));
    h[0] = -1;
    CHECK_EQ_I64(sum_of(on, 100, h), 4950);
    OK(slip_push(on, h));
    CHECK_EQ_I64(sum_of(on, 100, h), 4949);
    OK(slip_unkeep(device, h));
    slip_device_close(device);
}

/* r = 1 + 2 in each of 1024 elements: 3072. Waiting for the older record keeps the first fill. */
static void case_7_an_event_stands_for_its_latest_record(void)
{
    enum { N = 1024 };
    slip_stream *s1, *s2, *s3;
    slip_event *e1, *e2;

    device = open_device();
    OK(slip_stream_create(device, &s1));
    OK(slip_stream_create(device, &s2));
    OK(slip_stream_create(device, &s3));
    OK(slip_event_create(device, &e1));
    OK(slip_event_create(device, &e2));
    int32_t *a = device_ints(N), *b = device_ints(N), *r = device_ints(N);
    OK(slow_fill(s1, N, 1, 1000, a));
    OK(slip_event_record(e1, s1));
    OK(slow_fill(s2, N, 2, 1, b));
    OK(slip_event_record(e2, s2));
    OK(slip_stream_wait(s3, e1));
    OK(slip_stream_wait(s3, e2));
    slip_event_destroy(e1); /* a destroyed event keeps what was already asked of it */
    OK(add(s3, N, a, b, r));
    OK(slip_stream_sync(s3));
    CHECK_EQ_I64(sum_of(s3, N, r), 3072);
    slip_free(device, a);
    slip_free(device, b);
    slip_free(device, r);
    slip_event_destroy(e2);
    slip_stream_destroy(s1);
    slip_stream_destroy(s2);
    slip_stream_destroy(s3);
    slip_device_close(device);
}

static void *fill_and_drop(void *user)
{
    slip_stream *on = user;
    void *mine = NULL;

    for (int round = 0; round < 20; round++) {
        if (slip_alloc(device, 40000, &mine) != SLIP_OK ||
            slow_fill(on, 10000, 123, 100, mine) != SLIP_OK)
            return (void *)1;
        slip_free(device, mine); /* without a wait */
    }
    return NULL;
}

/* Memory that one stream still uses is not handed to another: 10000 * 456 = 4560000. */
static void case_8_freed_memory_waits_for_its_last_user(void)
{
    slip_stream *s1, *s2;
    pthread_t thread;
    void *failed;

    device = open_device();
    OK(slip_stream_create(device, &s1));
    OK(slip_stream_create(device, &s2));
    CHECK(pthread_create(&thread, NULL, fill_and_drop, s1) == 0);
    for (int round = 0; round < 20; round++) {
        int32_t *mine = device_ints(10000);
        OK(slow_fill(s2, 10000, 456, 1, mine));
        OK(slip_stream_sync(s2));
        CHECK_EQ_I64(sum_of(s2, 10000, mine), 4560000);
        slip_free(device, mine);
    }
    pthread_join(thread, &failed);
    CHECK(failed == NULL);
    slip_stream_destroy(s1);
    slip_stream_destroy(s2);
    slip_device_close(device);
}

static void case_29_contended_float_updates_lose_nothing(void)
{
    float total = 0;

    device = open_device();
    slip_stream *on = slip_default(device);
    for (int round = 0; round < 2; round++) {
        total = 0;
        OK(count_f32(on, 16000000, &total));
        CHECK(total == 16000000.0f);
    }
    total = 16777210.0f; /* 2^24 - 6: six more count, the rest is lost to rounding, as f32 has it */
    OK(count_f32(on, 100, &total));
    CHECK(total == 16777216.0f);
    slip_device_close(device);
}

static void case_37_a_read_sees_the_updates_before_it(void)
{
    int32_t a[8] = { 0 }, seen[2] = { 0 };

    device = open_device();
    OK(seen_in_order(slip_default(device), a, seen));
    CHECK(seen[0] == 3 && seen[1] == 3);
    for (int i = 0; i < 8; i++)
        CHECK_EQ_I64(a[i], 3);
    slip_device_close(device);
}

/* Each byte is 1, 5 in all; a byte that is neither 0 nor 1 reads as true and is stored as 1. */
static void case_38_a_bool_is_one_byte_of_0_or_1(void)
{
    static const float v[5] = { 0.5f, 1, 2, 3e-45f, INFINITY };
    uint8_t out[5] = { 9, 9, 9, 9, 9 }, in[4] = { 2, 0, 255, 1 }, again[4] = { 9, 9, 9, 9 };
    int32_t truth[4] = { -1, -1, -1, -1 };
    int sum = 0;

    device = open_device();
    OK(positive(slip_default(device), v, (bool *)out));
    for (int i = 0; i < 5; i++) {
        CHECK_EQ_I64(out[i], 1);
        sum += out[i];
    }
    CHECK_EQ_I64(sum, 5);
    OK(truths(slip_default(device), (const bool *)in, truth, (bool *)again));
    for (int i = 0; i < 4; i++) {
        CHECK_EQ_I64(truth[i], i != 1);
        CHECK_EQ_I64(again[i], i != 1);
    }
    slip_device_close(device);
}

static void case_28_f16(void)
{
    check_skip("f16", "the language has no such type yet");
}

/* n = 0, c = 3: passes of 0, 2 and 4 iterations: out = 6, n = 6, c = 0. */
static void case_53_a_device_loop_reads_its_bound_each_pass(void)
{
    int32_t state[3] = { 0, 3, 0 };

    device = open_device();
    OK(grow(slip_default(device), state));
    CHECK(state[0] == 6 && state[1] == 0 && state[2] == 6);
    slip_device_close(device);
}

static const check_case cases[] = {
    CASE(case_1_each_launch_has_its_own_arguments),
    CASE(case_2_sections_wait_for_what_came_before),
    CASE(case_4_a_host_array_may_be_reused_at_once),
    CASE(case_5_host_memory_may_be_freed_and_a_mirror_is_its_own),
    CASE(case_7_an_event_stands_for_its_latest_record),
    CASE(case_8_freed_memory_waits_for_its_last_user),
    CASE(case_29_contended_float_updates_lose_nothing),
    CASE(case_28_f16),
    CASE(case_37_a_read_sees_the_updates_before_it),
    CASE(case_38_a_bool_is_one_byte_of_0_or_1),
    CASE(case_53_a_device_loop_reads_its_bound_each_pass),
};
CHECK_MAIN(cases)
