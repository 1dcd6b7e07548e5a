/* SPDX-License-Identifier: Apache-2.0 */
/*
 * foreign_test.c - memory that Slipway did not make: pinned where it is when the program says so,
 * and told apart by the driver when a call is given it.
 */
#include <stdlib.h>
#include <string.h>

#include "native/native.h"

#include "kernels.slip.h"

enum { N = 3000, BYTES = N * 4, PAGE = 4096 };

static slip_stream *on;

static void begin(void)
{
    native_begin();
    on = slip_default(native.device);
}

static uint32_t *pages(void)
{
    void *made = aligned_alloc(PAGE, (BYTES + PAGE - 1) / PAGE * PAGE);

    CHECK(made != NULL);
    return made;
}

static void fill(uint32_t *x)
{
    for (uint32_t i = 0; i < N; i++)
        x[i] = 7 * i;
}

/* 3 (7 i) + i */
static void check_scaled(const uint32_t *x)
{
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ_U64(x[i], 22 * i);
}

static void check_rotated(const uint32_t *x)
{
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ_U64(x[i], 7 * ((i + N - 1) % N));
}

static int64_t driver_calls(void)
{
    slip_stats stats;

    slip_device_stats(native.device, &stats);
    return (int64_t)stats.driver_calls;
}

/* Other code pins the memory, and unpins it: it can where nobody else has it pinned. */
static int native_pin(void *memory, size_t bytes)
{
    int code = native.api.host_register(memory, bytes, 0);

    if (code == 0)
        NATIVE(host_unregister, memory);
    return code;
}

/* ---- registered memory ----------------------------------------------------------------------- */

static slip_stats stats_of(slip_status (*call)(slip_stream *, int32_t, uint32_t *), uint32_t *x)
{
    slip_stats before, after;

    slip_device_stats(native.device, &before);
    OK(call(on, N, x));
    slip_device_stats(native.device, &after);
    return (slip_stats){ .uploads = after.uploads - before.uploads,
                         .downloads = after.downloads - before.downloads,
                         .host_waits = after.host_waits - before.host_waits,
                         .driver_calls = after.driver_calls - before.driver_calls };
}

/* One pass over it: nothing is copied. Many passes: it is copied straight, with no more than one
 * wait for both ways. */
static void registered_memory_is_pinned_and_used_as_such(void)
{
    begin();
    uint32_t *x = pages();
    OK(slip_host_register(native.device, x, BYTES));
    CHECK(native_pin(x, BYTES) != 0);
    OK(scale(on, 0, x)); /* loads the code */
    for (int round = 0; round < 3; round++) {
        fill(x);
        slip_stats stats = stats_of(scale, x);
        check_scaled(x);
        CHECK_EQ_U64(stats.uploads + stats.downloads, 0);
        CHECK_EQ_U64(stats.host_waits, 1);
        fill(x);
        stats = stats_of(rotate, x);
        check_rotated(x);
        CHECK_EQ_U64(stats.uploads, 1);
        CHECK_EQ_U64(stats.downloads, 1);
        CHECK_EQ_U64(stats.host_waits, 1);
    }
    OK(slip_host_unregister(native.device, x));
    CHECK_EQ_I64(native_pin(x, BYTES), 0);
    fill(x);
    OK(scale(on, N, x)); /* like any other memory */
    check_scaled(x);
    free(x);
    native_end();
}

/* In the middle of a registered range, which need not begin where a page does. */
static void a_part_of_a_registered_range_is_found_at_its_place(void)
{
    begin();
    uint32_t *x = pages(), *two = malloc(2 * BYTES + 4);
    CHECK(two != NULL);
    OK(slip_host_register(native.device, two + 1, 2 * BYTES));
    fill(two + 1);
    fill(two + 1 + N);
    OK(scale(on, N, two + 1 + N));
    check_scaled(two + 1 + N);
    OK(copy(on, N, two + 1, x));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ_U64(x[i], 7 * i);
    OK(slip_host_unregister(native.device, two + 1));
    free(two);
    free(x);
    native_end();
}

/* Other code had pinned it before: it is copied through memory of ours. */
static void memory_that_cannot_be_pinned_is_copied(void)
{
    begin();
    uint32_t *x = pages();
    NATIVE(host_register, x, BYTES, 0);
    OK(slip_host_register(native.device, x, BYTES));
    CHECK_EQ_I64(slip_last_error()->code, SLIP_OK);
    for (int round = 0; round < 2; round++) {
        fill(x);
        OK(scale(on, N, x));
        check_scaled(x);
        fill(x);
        OK(rotate(on, N, x));
        check_rotated(x);
    }
    OK(slip_host_unregister(native.device, x));
    NATIVE(host_unregister, x); /* it is still theirs */
    free(x);
    native_end();
}

/* What was refused is pinned no more, and what was forgotten goes with the device. */
static void nothing_stays_pinned(void)
{
    begin();
    uint32_t *x = pages(), *y = pages();
    OK(slip_keep(native.device, x + N / 2, BYTES / 2));
    CHECK_RESULT(slip_host_register(native.device, x, BYTES), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "touch the");
    CHECK_EQ_I64(native_pin(x, BYTES), 0);
    OK(slip_unkeep(native.device, x + N / 2));
    OK(slip_host_register(native.device, y, BYTES));
    slip_device_close(native.device);
    CHECK_EQ_I64(native_pin(y, BYTES), 0);
    native.device = NULL;
    native_end();
    free(x);
    free(y);
}

/* ---- memory that nobody has told of ---------------------------------------------------------- */

static void memory_of_other_codes_device_is_refused_until_it_is_wrapped(void)
{
    api_address made = 0;
    void *wrapped = NULL;
    static uint32_t h[N];

    begin();
    NATIVE(memory_new, &made, BYTES);
    uint32_t *x = (uint32_t *)(uintptr_t)made;
    for (int round = 0; round < 2; round++) {
        CHECK_RESULT(scale(on, N, x), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(slip_last_error()->message, "array `x` of scale is at ");
        CHECK_CONTAINS(slip_last_error()->message, "slip_wrap makes memory of other code known");
        CHECK_RESULT(scale(on, N - 8, x + 8), SLIP_ERR_ARGUMENT);
        CHECK_RESULT(slip_keep(native.device, x, BYTES), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(slip_last_error()->message, "slip_keep: the range is at ");
        CHECK_RESULT(slip_host_register(native.device, x, BYTES), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(slip_last_error()->message, "slip_host_register: the range is at ");
        OK(slip_wrap(native.device, x, BYTES, &wrapped));
        fill(h);
        OK(slip_upload(on, x, h, BYTES));
        OK(scale(on, N, x));
        OK(slip_download(on, h, x, BYTES));
        check_scaled(h);
        slip_unwrap(native.device, x);
    }
    NATIVE(memory_free, made);
    native_end();
}

/* As the host's side of a copy it would be touched by the host. */
static void copies_to_and_from_other_codes_device_are_refused(void)
{
    api_address made = 0;
    void *ours = NULL;

    begin();
    NATIVE(memory_new, &made, BYTES);
    OK(slip_alloc(native.device, BYTES, &ours));
    CHECK_RESULT(slip_upload(on, ours, (void *)(uintptr_t)made, BYTES), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "slip_upload: the memory to copy from is at ");
    CHECK_RESULT(slip_download(on, (void *)(uintptr_t)made, ours, BYTES), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "slip_download: the memory to copy to is at ");
    slip_free(native.device, ours);
    NATIVE(memory_free, made);
    native_end();
}

/* Freed memory is as unknown as any other, and is still a device's. */
static void freed_device_memory_is_refused(void)
{
    void *ours = NULL;

    begin();
    OK(slip_alloc(native.device, BYTES, &ours));
    OK(scale(on, N, ours));
    slip_free(native.device, ours);
    CHECK_RESULT(scale(on, N, ours), SLIP_ERR_ARGUMENT);
    native_end();
}

/* Host memory that other code has pinned: the device is done with it when the call returns, which
 * the look-alike would tell of. */
static void memory_that_other_code_pinned_is_copied(void)
{
    begin();
    uint32_t *x = native_pinned(BYTES);
    for (int round = 0; round < 3; round++) {
        fill(x);
        OK(scale(on, N, x));
        check_scaled(x);
        uint64_t total = 0;
        void *y = NULL;
        OK(slip_alloc(native.device, BYTES, &y));
        OK(slip_upload(on, y, x, BYTES));
        OK(gather(on, N, x, y, &total)); /* twice 22 i: N (N - 1) 22 */
        CHECK_EQ_U64(total, (uint64_t)N * (N - 1) * 22);
        OK(copy(on, N, y, x));
        for (uint32_t i = 0; i < N; i++)
            CHECK_EQ_U64(x[i], 44 * i);
        slip_free(native.device, y);
    }
    NATIVE(host_free, x);
    native_end();
}

/* Whatever the driver says of where it is. */
static void managed_memory_is_the_hosts(void)
{
    int (*managed)(api_address * out, size_t bytes, unsigned flags) = NULL;
    api_address made = 0;

    begin();
    void *found = native_find("cuMemAllocManaged", "hipMallocManaged");
    memcpy(&managed, &found, sizeof managed);
    CHECK_EQ_I64(managed(&made, BYTES, 1), 0);
    uint32_t *x = (uint32_t *)(uintptr_t)made;
    for (int round = 0; round < 8; round++) {
        fill(x);
        OK(scale(on, N, x));
        check_scaled(x);
        OK(slip_host_register(native.device, &round, sizeof round)); /* so that it is asked again */
        OK(slip_host_unregister(native.device, &round));
    }
    NATIVE(memory_free, made);
    native_end();
}

/* The driver is asked of an array that was not there in the last call, and of no other. */
static void a_repeated_call_asks_nothing(void)
{
    static uint32_t x[N], y[N];
    int64_t calls[6];

    begin();
    for (int k = 0; k < 6; k++) {
        uint32_t *given = k == 3 ? y : x;
        fill(given);
        calls[k] = driver_calls();
        OK(scale(on, N, given));
        calls[k] = driver_calls() - calls[k];
        check_scaled(given);
    }
    CHECK_EQ_I64(calls[2], calls[1]);
    CHECK_EQ_I64(calls[5], calls[1]);
    CHECK_EQ_I64(calls[3], calls[1] + 1);
    CHECK_EQ_I64(calls[4], calls[1] + 1);
    native_end();
}

static const check_case cases[] = {
    CASE(registered_memory_is_pinned_and_used_as_such),
    CASE(a_part_of_a_registered_range_is_found_at_its_place),
    CASE(memory_that_cannot_be_pinned_is_copied),
    CASE(nothing_stays_pinned),
    CASE(memory_of_other_codes_device_is_refused_until_it_is_wrapped),
    CASE(copies_to_and_from_other_codes_device_are_refused),
    CASE(freed_device_memory_is_refused),
    CASE(memory_that_other_code_pinned_is_copied),
    CASE(managed_memory_is_the_hosts),
    CASE(a_repeated_call_asks_nothing),
};
CHECK_MAIN(cases)
