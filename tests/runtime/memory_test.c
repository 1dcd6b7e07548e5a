/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_test.c - the five kinds of memory, and what calls do with each.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

enum { N = 16 };

static void unknown_memory_is_used_in_place(void)
{
    hand_device on;
    float x[N] = { 0 };
    slip_stats stats;

    hand_open(&on);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
    CHECK_EQ_F64((double)x[N - 1], 1.0);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.uploads + stats.downloads + stats.host_waits, 0);
    hand_close(&on);
}

static void pinned_memory_is_used_by_both_sides(void)
{
    hand_device on;
    void *memory = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_host_alloc(on.device, N * sizeof(float), &memory), SLIP_OK);
    CHECK_EQ_U64((uintptr_t)memory % 64, 0);
    float *x = memory;
    memset(x, 0, N * sizeof *x);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
    CHECK_EQ_F64((double)x[0], 1.0);
    slip_host_free(on.device, memory);
    hand_close(&on);
}

static void a_registered_range_is_used_in_place_until_it_is_forgotten(void)
{
    hand_device on;
    float x[2 * N] = { 0 };
    void *native = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_host_register(on.device, x, N * sizeof *x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, &x[2], N - 2), SLIP_OK);
    CHECK_EQ_F64((double)x[1], 1.0);
    CHECK_EQ_F64((double)x[3], 2.0);
    CHECK_STATUS(slip_fetch(on.stream, x), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "it is of slip_host_register");
    CHECK_STATUS(slip_native(on.device, x, &native), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(hand_add_one(&on, &x[2], N), SLIP_ERR_ARGUMENT); /* partly in it */
    CHECK_CONTAINS(slip_last_error()->message, "slip_host_register");
    CHECK_STATUS(slip_host_unregister(on.device, x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, &x[2], N), SLIP_OK);
    CHECK_EQ_F64((double)x[N], 1.0);
    hand_close(&on);
}

static void what_cannot_be_registered_is_refused(void)
{
    hand_device on;
    float x[N] = { 0 };

    hand_open(&on);
    CHECK_STATUS(slip_host_register(NULL, x, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_host_register(on.device, NULL, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_host_register(on.device, x, 0), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "are no range to pin");
    CHECK_STATUS(slip_host_register(on.device, (void *)(UINTPTR_MAX - 9), 100), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_host_register(on.device, x, UINT64_MAX), SLIP_ERR_MEMORY);
    CHECK_STATUS(slip_host_register(on.device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(slip_host_register(on.device, &x[1], 4), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_host_unregister(on.device, &x[1]), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "lies 4 bytes behind the beginning of the");
    CHECK_CONTAINS(slip_last_error()->message, "slip_host_unregister takes their beginning");
    CHECK_STATUS(slip_host_unregister(on.device, NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_host_unregister(on.device, x), SLIP_OK);
    CHECK_STATUS(slip_host_unregister(on.device, x), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "nothing that slip_host_register gave begins at");
    hand_close(&on);
}

static slip_status give_back(int way, slip_device *device, void *memory)
{
    static void (*const silent[])(slip_device *, void *) = { slip_free, slip_host_free,
                                                             slip_unwrap };

    if (way < 3)
        silent[way](device, memory);
    else
        return way == 3 ? slip_unkeep(device, memory) : slip_host_unregister(device, memory);
    return SLIP_OK;
}

/* Each way to end memory, given memory of each kind: only its own takes it, and the others say
 * which that is. */
static void memory_given_back_by_the_wrong_function_is_told_the_right_one(void)
{
    static const char *const gave[] = { "slip_alloc", "slip_host_alloc", "slip_wrap", "slip_keep",
                                        "slip_host_register" };
    static const char *const takes[] = { "slip_free", "slip_host_free", "slip_unwrap",
                                         "slip_unkeep", "slip_host_unregister" };
    static float wrapped[N], kept[N], registered[N];
    void *memory[5] = { NULL, NULL, NULL, kept, registered };
    char expected[128];
    hand_device on;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 64, &memory[0]), SLIP_OK);
    CHECK_STATUS(slip_host_alloc(on.device, 64, &memory[1]), SLIP_OK);
    CHECK_STATUS(slip_wrap(on.device, wrapped, sizeof wrapped, &memory[2]), SLIP_OK);
    CHECK_STATUS(slip_keep(on.device, kept, sizeof kept), SLIP_OK);
    CHECK_STATUS(slip_host_register(on.device, registered, sizeof registered), SLIP_OK);
    for (int right = 0; right < 2; right++) /* the wrong ones first, which take nothing */
        for (int way = 0; way < 5; way++)
            for (int kind = 0; kind < 5; kind++) {
                if ((way == kind) != right)
                    continue;
                fail_clear();
                slip_status status = give_back(way, on.device, memory[kind]);
                CHECK_EQ_I64(slip_last_error()->code, right ? SLIP_OK : SLIP_ERR_ARGUMENT);
                CHECK_EQ_I64(status, way < 3 ? SLIP_OK : slip_last_error()->code);
                if (right)
                    continue;
                snprintf(expected, sizeof expected, "%s: what begins at %p is of %s; %s takes it",
                         takes[way], memory[kind], gave[kind], takes[kind]);
                CHECK_CONTAINS(slip_last_error()->message, expected);
            }
    hand_close(&on);
}

static void a_kept_range_has_a_mirror_that_calls_use(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *native = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
    CHECK_EQ_F64((double)x[3], 0.0); /* the mirror changed, not the host's */
    CHECK_STATUS(slip_native(on.device, &x[3], &native), SLIP_OK);
    CHECK_EQ_F64((double)*(float *)native, 1.0);
    CHECK_STATUS(slip_fetch(on.stream, &x[5]), SLIP_OK); /* any address of the range */
    CHECK_EQ_F64((double)x[3], 1.0);
    x[3] = 10;
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
    CHECK_STATUS(slip_push(on.stream, x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, &x[2], 2), SLIP_OK); /* an interior pointer */
    CHECK_STATUS(slip_fetch(on.stream, x), SLIP_OK);
    CHECK_EQ_F64((double)x[3], 11.0);
    CHECK_EQ_F64((double)x[4], 1.0);
    CHECK_STATUS(slip_unkeep(on.device, x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK); /* unknown again */
    CHECK_EQ_F64((double)x[3], 12.0);
    hand_close(&on);
}

static void unkeep_drops_the_mirror_without_copying_it_back(void)
{
    hand_device on;
    float x[N] = { 0 };

    hand_open(&on);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
    CHECK_STATUS(slip_unkeep(on.device, x), SLIP_OK);
    CHECK_EQ_F64((double)x[0], 0.0);
    hand_close(&on);
}

static void device_memory_takes_uploads_arithmetic_and_downloads(void)
{
    hand_device on;
    float x[N], y[N] = { 0 };
    void *memory = NULL;
    slip_stats stats;

    hand_open(&on);
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    CHECK_STATUS(slip_alloc(on.device, sizeof x, &memory), SLIP_OK);
    CHECK_STATUS(slip_upload(on.stream, memory, x, sizeof x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, (float *)memory + 4, 8), SLIP_OK);
    CHECK_STATUS(slip_download(on.stream, y, memory, sizeof y), SLIP_OK);
    CHECK_EQ_F64((double)y[3], 3.0);
    CHECK_EQ_F64((double)y[4], 5.0);
    CHECK_EQ_F64((double)y[12], 12.0);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.uploads, 1);
    CHECK_EQ_U64(stats.upload_bytes, sizeof x);
    CHECK_EQ_U64(stats.downloads, 1);
    CHECK_EQ_U64(stats.download_bytes, sizeof y);
    slip_free(on.device, memory);
    hand_close(&on);
}

static void wrapped_memory_is_device_memory_at_its_own_address(void)
{
    hand_device on;
    float foreign[N] = { 0 };
    void *memory = NULL, *native = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_wrap(on.device, foreign, sizeof foreign, &memory), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, memory, N), SLIP_OK);
    CHECK_EQ_F64((double)foreign[0], 1.0);
    CHECK_STATUS(slip_native(on.device, memory, &native), SLIP_OK);
    CHECK(native == foreign);
    slip_unwrap(on.device, memory);
    CHECK_STATUS(slip_native(on.device, memory, &native), SLIP_ERR_ARGUMENT);
    hand_close(&on);
}

static void wrapped_memory_may_not_pass_the_end_of_the_address_space(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *out = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_wrap(on.device, x, UINT64_MAX, &out), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "18446744073709551615 bytes at ");
    CHECK(out == NULL);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK); /* nothing was wrapped */
    hand_close(&on);
}

/* Most devices' memory cannot be read by the host, so that this is refused on all of them. */
static void copies_from_device_memory_to_device_memory_are_refused(void)
{
    hand_device on;
    float x[N] = { 0 }, kept[N] = { 0 };
    void *a = NULL, *b = NULL, *wrapped = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, sizeof x, &a), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, sizeof x, &b), SLIP_OK);
    CHECK_STATUS(slip_wrap(on.device, x, sizeof x, &wrapped), SLIP_OK);
    CHECK_STATUS(slip_upload(on.stream, a, b, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "both sides are device memory");
    CHECK_CONTAINS(slip_last_error()->message, "of slip_alloc");
    CHECK_STATUS(slip_download(on.stream, a, b, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_download(on.stream, wrapped, a, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "of slip_wrap");
    CHECK_STATUS(slip_upload(on.stream, a, (char *)b + 4, 4), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(on.device, kept, sizeof kept),
                 SLIP_OK); /* the host's own all the same */
    CHECK_STATUS(slip_upload(on.stream, a, kept, sizeof kept), SLIP_OK);
    CHECK_STATUS(slip_download(on.stream, kept, a, sizeof kept), SLIP_OK);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(unknown_memory_is_used_in_place),
    CASE(pinned_memory_is_used_by_both_sides),
    CASE(a_registered_range_is_used_in_place_until_it_is_forgotten),
    CASE(what_cannot_be_registered_is_refused),
    CASE(memory_given_back_by_the_wrong_function_is_told_the_right_one),
    CASE(a_kept_range_has_a_mirror_that_calls_use),
    CASE(unkeep_drops_the_mirror_without_copying_it_back),
    CASE(device_memory_takes_uploads_arithmetic_and_downloads),
    CASE(wrapped_memory_is_device_memory_at_its_own_address),
    CASE(wrapped_memory_may_not_pass_the_end_of_the_address_space),
    CASE(copies_from_device_memory_to_device_memory_are_refused),
};
CHECK_MAIN(cases)
