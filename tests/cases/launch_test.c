/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_test.c - field cases about launching, memory, sizes and threads, through the public interface.
 *
 * Each case's number is that of the scenario in the notes on field reports; its right value is worked out by hand
 * in the comment or follows from arithmetic. SLIPWAY_TEST_FAMILY picks the device family ("cpu").
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <slipway/slipway.h>

#include "kernels.slip.h"
#define CHECK_PUBLIC
#include "support/check.h"

#define OK(call) CHECK_RESULT(call, SLIP_OK)

static slip_device *device;

static slip_device *open_device(void)
{
    slip_device *made = NULL;
    const char *family = getenv("SLIPWAY_TEST_FAMILY");

    OK(slip_device_open(family ? family : "cpu", &made));
    return made;
}

static int64_t sum_of(slip_stream *on, int32_t n, const int32_t *x)
{
    int64_t sum = -1;

    OK(total_i32(on, n, x, &sum));
    return sum;
}

static int32_t *device_ints(int32_t n)
{
    void *made;

    OK(slip_alloc(device, (uint64_t)n * 4, &made));
    return made;
}

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

/* The source of an upload may change as soon as the call has returned: 1024 * (0 + 1 + ... + 99) = 5068800. */
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

/* 4096 * 0x5a = 368640; and a kept array does not see what the host writes later: 0 + 1 + ... + 99 = 4950. */
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
        if (slip_alloc(device, 40000, &mine) != SLIP_OK || slow_fill(on, 10000, 123, 100, mine) != SLIP_OK)
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

/* 1200000000 floats are 4.8 GB; on a device with less the request is refused by name, never wrong. */
static void case_10_an_array_beyond_4_gib_is_addressed_right(void)
{
    const int64_t n = 1200000000;
    float last = 0, first = 0;
    void *a = NULL;

    device = open_device();
    slip_stream *on = slip_default(device);
    slip_status status = slip_alloc(device, (uint64_t)n * 4, &a);
    if (status == SLIP_ERR_MEMORY) {
        CHECK(strstr(slip_last_error()->message, "4800000000") != NULL);
    } else {
        CHECK_RESULT(status, SLIP_OK);
        OK(ends_f32(on, n, 7.0f, a));
        OK(read_f32(on, n, n - 1, a, &last));
        OK(read_f32(on, n, 0, a, &first));
        CHECK(first == 7.0f && last == 7.0f);
        slip_free(device, a);
    }
    slip_device_close(device);
}

static void case_11_empty_arrays_and_ranges_do_nothing(void)
{
    int32_t a[4] = { 1, 2, 3, 4 }, b[2] = { 5, 6 };

    device = open_device();
    slip_stream *on = slip_default(device);
    OK(twice(on, 0, NULL));
    OK(twice(on, 0, a));
    CHECK(a[0] == 1 && a[3] == 4);
    OK(twice(on, 4, a));
    CHECK(a[0] == 2 && a[1] == 4 && a[2] == 6 && a[3] == 8);
    OK(twice2(on, 0, 5, NULL));
    OK(twice2(on, 5, 0, NULL));
    OK(one_of_two(on, 0, 2, NULL, b));
    CHECK(b[0] == 6 && b[1] == 7);
    OK(one_of_two(on, 2, 0, b, NULL));
    CHECK(b[0] == 7 && b[1] == 8);
    CHECK_RESULT(twice(on, 4, NULL), SLIP_ERR_ARGUMENT);
    OK(twice(on, 4, a));
    CHECK(a[3] == 16);
    slip_device_close(device);
}

static void case_11_an_empty_axis_empties_the_longest_range(void)
{
    int64_t count = -1;

    device = open_device();
    slip_stream *on = slip_default(device);
    OK(count2(on, 0, UINT64_MAX, &count));
    CHECK_EQ_I64(count, 0);
    OK(count2(on, UINT64_MAX, 0, &count));
    CHECK_EQ_I64(count, 0);
    CHECK_RESULT(count2(on, 1, UINT64_MAX, &count), SLIP_ERR_ARGUMENT);
    CHECK(strstr(slip_last_error()->message, "from 0 to 18446744073709551615") != NULL);
    OK(count2(on, 3, 5, &count));
    CHECK_EQ_I64(count, 15);
    slip_device_close(device);
}

static void case_13_products_of_extents_are_64_bit(void)
{
    int64_t count = 0;

    device = open_device();
    slip_stream *on = slip_default(device);
    OK(diagonal(on, 65536, 65536, &count));
    CHECK_EQ_I64(count, 65536);
    count = 0;
    OK(diagonal(on, 65536, 65537, &count));
    CHECK_EQ_I64(count, 65536);
    count = 0;
    OK(corner3(on, 2048, 2048, 1024, &count));
    CHECK_EQ_I64(count, 1);
    slip_device_close(device);
}

/* The linear index 2^31 of (2, 2^31) is (1, 0). */
static void case_14_an_extent_may_pass_2_to_the_31(void)
{
    int64_t seen[2] = { -1, -1 };

    device = open_device();
    slip_stream *on = slip_default(device);
    OK(first_and_last(on, (int64_t)1 << 31, seen));
    CHECK(seen[0] == 0 && seen[1] == 2147483647);
    seen[0] = seen[1] = -1;
    OK(first_and_last(on, ((int64_t)1 << 31) + 1, seen));
    CHECK(seen[0] == 0 && seen[1] == (int64_t)1 << 31);
    OK(where(on, 2, (int64_t)1 << 31, (int64_t)1 << 31, seen));
    CHECK(seen[0] == 1 && seen[1] == 0);
    slip_device_close(device);
}

static void case_16_an_axis_may_pass_65535(void)
{
    static int32_t a[65536 * 3];

    device = open_device();
    slip_stream *on = slip_default(device);
    OK(tall(on, 65535, 3, a));
    OK(tall(on, 65536, 3, a));
    CHECK_EQ_I64(sum_of(on, 65536 * 3, a), (65535 + 65536) * 3);
    OK(twice(on, 1, a));
    CHECK_EQ_I64(a[0], 4);
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

/* n = 0, c = 3: passes of 0, 2 and 4 iterations: out = 6, n = 6, c = 0. */
static void case_53_a_device_loop_reads_its_bound_each_pass(void)
{
    int32_t state[3] = { 0, 3, 0 };

    device = open_device();
    OK(grow(slip_default(device), state));
    CHECK(state[0] == 6 && state[1] == 0 && state[2] == 6);
    slip_device_close(device);
}

/* A child runs the case so that its exit can be seen; gives its exit code, or -1 when it did not end by itself in
 * time. */
static int run_in_child(int (*child)(void))
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        alarm(20);
        exit(child());
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void *use_and_leave(void *user)
{
    int32_t a[64] = { 0 };
    slip_device *opened;

    (void)user;
    if (slip_device_open("cpu", &opened) != SLIP_OK || iota(slip_default(opened), 64, a) != SLIP_OK)
        return NULL;
    return a[63] == 63 ? (void *)1 : NULL; /* the device is never closed */
}

static int leave_with_a_device_open(void)
{
    pthread_t thread;
    void *right = NULL;

    if (pthread_create(&thread, NULL, use_and_leave, NULL) != 0)
        return 1;
    pthread_join(thread, &right);
    return right ? 7 : 1;
}

static void case_58_a_process_may_end_without_closing(void)
{
    CHECK_EQ_I64(run_in_child(leave_with_a_device_open), 7);
}

static int launch_after_fork(void)
{
    static int32_t a[100000];

    for (int round = 0; round < 10; round++)
        if (iota(slip_default(device), 100000, a) != SLIP_OK || a[99999] != 99999)
            return 1;
    return 9;
}

static void case_59_the_cpu_works_in_a_forked_child(void)
{
    static int32_t a[100000];

    device = open_device();
    OK(iota(slip_default(device), 100000, a));
    CHECK_EQ_I64(run_in_child(launch_after_fork), 9);
    OK(iota(slip_default(device), 100000, a)); /* and the parent goes on */
    CHECK_EQ_I64(a[99999], 99999);
    slip_device_close(device);
}

enum { THREADS = 8, N61 = 1024, ROUNDS61 = 1000 };

static void *launch_many(void *user)
{
    int32_t *a = malloc(N61 * 4);
    slip_stream *on = NULL;
    int64_t sum = 0;

    (void)user;
    if (!a || slip_stream_create(device, &on) != SLIP_OK)
        return (void *)1;
    for (int round = 0; round < ROUNDS61; round++) {
        memset(a, 0xff, N61 * 4);
        if (iota(on, N61, a) != SLIP_OK || total_i32(on, N61, a, &sum) != SLIP_OK || sum != 523776)
            return (void *)1;
    }
    slip_stream_destroy(on);
    free(a);
    return NULL;
}

/* 0 + 1 + ... + 1023 = 523776, in every thread, every time. */
static void case_61_eight_threads_launch_at_once(void)
{
    pthread_t threads[THREADS];
    void *failed = NULL;

    device = open_device();
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_create(&threads[t], NULL, launch_many, NULL) == 0);
    for (int t = 0; t < THREADS; t++) {
        void *one = NULL;
        pthread_join(threads[t], &one);
        if (one)
            failed = one;
    }
    CHECK(failed == NULL);
    slip_device_close(device);
}

static const check_case cases[] = {
    CASE(case_1_each_launch_has_its_own_arguments),
    CASE(case_2_sections_wait_for_what_came_before),
    CASE(case_4_a_host_array_may_be_reused_at_once),
    CASE(case_5_host_memory_may_be_freed_and_a_mirror_is_its_own),
    CASE(case_7_an_event_stands_for_its_latest_record),
    CASE(case_8_freed_memory_waits_for_its_last_user),
    CASE(case_10_an_array_beyond_4_gib_is_addressed_right),
    CASE(case_11_empty_arrays_and_ranges_do_nothing),
    CASE(case_11_an_empty_axis_empties_the_longest_range),
    CASE(case_13_products_of_extents_are_64_bit),
    CASE(case_14_an_extent_may_pass_2_to_the_31),
    CASE(case_16_an_axis_may_pass_65535),
    CASE(case_29_contended_float_updates_lose_nothing),
    CASE(case_37_a_read_sees_the_updates_before_it),
    CASE(case_53_a_device_loop_reads_its_bound_each_pass),
    CASE(case_58_a_process_may_end_without_closing),
    CASE(case_59_the_cpu_works_in_a_forked_child),
    CASE(case_61_eight_threads_launch_at_once),
};
CHECK_MAIN(cases)
