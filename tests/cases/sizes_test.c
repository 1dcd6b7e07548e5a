/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sizes_test.c - field cases about large and empty arrays and ranges.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cases.h"

#include "kernels.slip.h"

/* What the device says of itself under this name, as a number; 0 where it says nothing. */
typedef struct detail {
    const char *name;
    char value[64];
} detail;

static void note_detail(const char *name, const char *value, void *user)
{
    detail *d = user;

    if (strcmp(name, d->name) == 0)
        snprintf(d->value, sizeof d->value, "%s", value);
}

static uint64_t largest_allocation(void)
{
    detail d = { .name = "largest allocation" };

    OK(slip_device_details(device, note_detail, &d));
    return strtoull(d.value, NULL, 10);
}

/* The record tells of the bytes asked for, and of the device's limit where there is one. */
static void check_refusal(slip_status status, uint64_t bytes)
{
    const slip_error error = *slip_last_error();
    const char *message = error.message;
    uint64_t limit = largest_allocation();
    char number[32];

    CHECK_RESULT(status, SLIP_ERR_MEMORY);
    snprintf(number, sizeof number, "%" PRIu64, bytes);
    CHECK_CONTAINS(message, number);
    snprintf(number, sizeof number, "%" PRIu64, limit);
    if (limit > 0) {
        CHECK(bytes > limit);
        CHECK_CONTAINS(message, number);
    }
}

static void check_ends(int64_t n)
{
    float last = 0, first = 0;
    void *a = NULL;
    slip_stream *on = slip_default(device);
    slip_status status = slip_alloc(device, (uint64_t)n * 4, &a);

    if (status != SLIP_OK) {
        check_refusal(status, (uint64_t)n * 4);
        return;
    }
    OK(ends_f32(on, n, 7.0f, a));
    OK(read_f32(on, n, n - 1, a, &last));
    OK(read_f32(on, n, 0, a, &first));
    CHECK(first == 7.0f && last == 7.0f);
    slip_free(device, a);
}

/* The same with a host array: it is right, or refused before anything runs. */
static void check_ends_from_host(int64_t n)
{
    float *a = mmap(NULL, (size_t)n * 4, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(a != MAP_FAILED);
    slip_status status = ends_f32(slip_default(device), n, 7.0f, a);
    if (status != SLIP_OK)
        check_refusal(status, (uint64_t)n * 4);
    float want = status == SLIP_OK ? 7.0f : 0.0f;
    CHECK(a[0] == want && a[n - 1] == want && a[1] == 0 && a[n - 2] == 0);
    munmap(a, (size_t)n * 4);
}

/* 1200000000 floats are 4.8 GB, 536870913 are 2 GiB and 4 bytes. A device that cannot have so much
 * says what it can; the most that it can have is addressed right to its end. */
static void case_10_an_array_beyond_4_gib_is_addressed_right(void)
{
    device = open_device();
    check_ends(1200000000);
    check_ends(536870913);
    check_ends_from_host(1200000000);
    uint64_t limit = largest_allocation();
    if (limit > 0 && limit <= UINT64_C(1) << 32)
        check_ends((int64_t)(limit / 4));
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

/* Where the device is software, products of 24 bits take the place of those of 33. */
static void case_13_products_of_extents_are_64_bit(void)
{
    int64_t count = 0;

    device = open_device();
    slip_stream *on = slip_default(device);
    int32_t part = runs_in_software() ? 16 : 1, side = 65536 / part;
    OK(diagonal(on, side, side, &count));
    CHECK_EQ_I64(count, side);
    count = 0;
    OK(diagonal(on, side, side + 1, &count));
    CHECK_EQ_I64(count, side);
    count = 0;
    OK(corner3(on, 2048 / part, 2048 / part, 1024, &count));
    CHECK_EQ_I64(count, 1);
    slip_device_close(device);
}

/* The linear index w of (2, w) is (1, 0). Where the device is software, w is 2^24. */
static void case_14_an_extent_may_pass_2_to_the_31(void)
{
    int64_t seen[2] = { -1, -1 };

    device = open_device();
    slip_stream *on = slip_default(device);
    int64_t w = (int64_t)1 << (runs_in_software() ? 24 : 31);
    OK(first_and_last(on, w, seen));
    CHECK(seen[0] == 0 && seen[1] == w - 1);
    seen[0] = seen[1] = -1;
    OK(first_and_last(on, w + 1, seen));
    CHECK(seen[0] == 0 && seen[1] == w);
    OK(where(on, 2, w, w, seen));
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

static const check_case cases[] = {
    CASE(case_10_an_array_beyond_4_gib_is_addressed_right),
    CASE(case_11_empty_arrays_and_ranges_do_nothing),
    CASE(case_11_an_empty_axis_empties_the_longest_range),
    CASE(case_13_products_of_extents_are_64_bit),
    CASE(case_14_an_extent_may_pass_2_to_the_31),
    CASE(case_16_an_axis_may_pass_65535),
};
CHECK_MAIN(cases)
