/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queued_memory_test.c - memory of a device whose work is queued and whose addresses are its own.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/lazy.h"
#include "runtime/present.h"
#include "support/check.h"

enum { N = 16 };

static slip_status add_one(const hand_device *on, slip_stream *stream, void *x, int32_t n)
{
    float a = 1;
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { x, 4 * (uint64_t)n } };

    return slip_launch(stream, hand_entry(on, HAND_ADD), args, 3, NULL, 0);
}

/* Is the page mapped, and may nobody touch it? msync refuses what is not mapped; a write by the
 * kernel into what nobody may touch is refused too. */
static bool stands_reserved(const void *address)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)address / page * page);
    int ends[2];

    if (msync(start, page, MS_ASYNC) != 0)
        return false;
    CHECK_EQ_I64(pipe(ends), 0);
    bool touched = write(ends[1], address, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return !touched;
}

static void device_memory_is_stood_for_by_addresses_that_nobody_may_touch(void)
{
    hand_device on;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    void *a = NULL, *b = NULL, *native = NULL;
    float x[N], y[N] = { 0 };

    lazy_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 3 * page + 1, &a), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, 0, &b), SLIP_OK);
    CHECK_EQ_U64((uintptr_t)a % page, 0);
    CHECK(a != b);
    CHECK(stands_reserved(a) && stands_reserved((char *)a + 3 * page));
    CHECK(stands_reserved((char *)a + 4 * page)); /* the page past the end is nobody's */
    CHECK_STATUS(slip_native(on.device, (char *)a + 40, &native), SLIP_OK);
    CHECK_EQ_U64((uintptr_t)native & UINT32_MAX, 40);
    CHECK((uintptr_t)native >> 32 >= LAZY_FIRST_ADDRESS);
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    CHECK_STATUS(slip_upload(on.stream, (char *)a + 100, x, sizeof x), SLIP_OK);
    CHECK_STATUS(slip_download(on.stream, y, (char *)a + 104, sizeof y - 4), SLIP_OK);
    CHECK_EQ_F64((double)y[0], 1.0);
    CHECK_EQ_F64((double)y[N - 2], N - 1);
    CHECK_STATUS(slip_upload(on.stream, (char *)a + 3 * page, x, 2), SLIP_ERR_ARGUMENT);
    slip_free(on.device, a);
    CHECK(!stands_reserved(a));
    slip_free(on.device, b);
    lazy_close(&on);
}

/* Nobody's addresses would be a fault of the process; what the process maps there is its own. */
static void freed_addresses_are_refused_until_the_process_uses_them_again(void)
{
    hand_device on;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = NULL, *other = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_alloc(on.device, page, &memory), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, page, &other), SLIP_OK);
    slip_free(on.device, memory);
    CHECK(!stands_reserved(memory));
    CHECK_STATUS(add_one(&on, on.stream, (char *)memory + 64, N), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "array `x` of add is at ");
    CHECK_CONTAINS(slip_last_error()->message, "in memory that slip_free has given back");
    CHECK_STATUS(slip_upload(on.stream, other, memory, 8), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_download(on.stream, memory, other, 8), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(on.device, memory, 8), SLIP_ERR_ARGUMENT);
    CHECK(mmap(memory, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
               0) == memory);
    CHECK_STATUS(add_one(&on, on.stream, (char *)memory + 64, N), SLIP_OK);
    CHECK_STATUS(slip_upload(on.stream, other, memory, 8), SLIP_OK);
    CHECK_EQ_I64(munmap(memory, page), 0);
    slip_free(on.device, other);
    lazy_close(&on);
}

static void memory_of_another_device_is_refused(void)
{
    hand_device on;
    slip_device *other = NULL;
    void *memory = NULL, *own = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_device_open("cpu", &other), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, 64, &memory), SLIP_OK);
    CHECK_STATUS(slip_alloc(other, 64, &own), SLIP_OK);
    CHECK_STATUS(slip_upload(slip_default(other), own, memory, 8), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "in memory of slip_alloc on another device; cpu:0 ");
    CHECK_STATUS(slip_download(slip_default(other), memory, own, 8), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(other, memory, 8), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(other, (char *)memory + 63, 1), SLIP_ERR_ARGUMENT);
    slip_free(on.device, memory);
    CHECK_STATUS(slip_keep(other, memory, 8), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "in memory that slip_free has given back");
    slip_free(other, own);
    slip_device_close(other);
    lazy_close(&on);
}

static void pinned_memory_is_the_hosts_and_has_an_address_of_the_device(void)
{
    hand_device on;
    void *memory = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_host_alloc(on.device, N * sizeof(float), &memory), SLIP_OK);
    memset(memory, 0, N * sizeof(float));
    CHECK_STATUS(add_one(&on, on.stream, (float *)memory + 2, 8), SLIP_OK);
    CHECK_TEXT(lazy.log, "add\n"
                         "  class 0: pinned, 32 bytes at 8\n"
                         "  x: class 0, 32 bytes at 0, written\n");
    slip_host_free(on.device, memory);
    lazy_close(&on);
}

static void memory_and_streams_of_others_cannot_be_wrapped(void)
{
    hand_device on;
    float x[N];
    void *out = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_wrap(on.device, x, sizeof x, &out), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "make it with slip_alloc");
    CHECK(out == NULL);
    CHECK_STATUS(slip_stream_native(on.stream, &out), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message,
                   "lazy shares no streams with other code: nobody else has a queue");
    lazy_close(&on);
}

static void a_kept_range_goes_up_at_once_and_comes_down_when_fetched(void)
{
    hand_device on;
    float x[N] = { 1, 2, 3 };
    slip_stats stats;

    lazy_open(&on);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    memset(x, 0, sizeof x);
    CHECK_STATUS(slip_fetch(on.stream, x), SLIP_OK);
    CHECK_EQ_F64((double)x[2], 3.0);
    x[2] = 7;
    CHECK_STATUS(slip_push(on.stream, &x[5]), SLIP_OK);
    x[2] = 0;
    CHECK_STATUS(slip_fetch(on.stream, &x[1]), SLIP_OK);
    CHECK_EQ_F64((double)x[2], 7.0);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.uploads, 2);
    CHECK_EQ_U64(stats.downloads, 2);
    CHECK_STATUS(slip_unkeep(on.device, x), SLIP_OK);
    lazy_close(&on);
}

/* Which other streams use, that nothing orders after the default one. */
static void a_mirror_is_whole_when_it_is_kept(void)
{
    hand_device on;
    float x[N] = { 1, 2, 3 };

    lazy_open(&on);
    lazy.held = true;
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    CHECK_EQ_I64(lazy.waits, 1);
    lazy.held = false;
    lazy_close(&on);
}

/* ---- what is freed while work is queued -------------------------------------------------------
 */

static void freed_memory_goes_back_when_every_stream_has_passed_its_mark(void)
{
    hand_device on;
    float x[N] = { 0 };
    slip_stream *other = NULL;
    void *memory = NULL, *next = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &other), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, 64, &memory), SLIP_OK);
    lazy.held = true;
    CHECK_STATUS(add_one(&on, on.stream, memory, N), SLIP_OK);
    CHECK_STATUS(add_one(&on, other, memory, N), SLIP_OK);
    slip_free(on.device, memory);
    CHECK_EQ_I64(lazy.memories, 1);
    CHECK(stands_reserved(memory));
    CHECK_EQ_I64(lazy.waits, 0);
    CHECK_STATUS(add_one(&on, on.stream, memory, N), SLIP_ERR_ARGUMENT); /* nobody's by now */
    CHECK_STATUS(add_one(&on, on.stream, x, N), SLIP_OK);
    CHECK_CONTAINS(lazy.log, "class 0: unknown, 64 bytes\n");
    lazy_run(on.stream, 1); /* not the call after the free, which need not be waited for */
    CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    CHECK_EQ_I64(lazy.memories, 1);
    lazy_run(other, LAZY_ALL);
    CHECK_STATUS(slip_alloc(on.device, 64, &next), SLIP_OK); /* looks at the streams, too */
    CHECK_EQ_I64(lazy.memories, 1);
    slip_free(on.device, next);
    CHECK_EQ_I64(lazy.memories, 1);
    CHECK(stands_reserved(next));
    lazy_run(on.stream, LAZY_ALL);
    CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    CHECK_EQ_I64(lazy.memories, 0);
    CHECK_EQ_I64(lazy.waits, 0);
    lazy_close(&on);
}

/* Marks must not be taken anew while one is ahead, or a stream that is always fed would never
 * pass. */
static void a_stream_that_is_always_fed_still_passes_what_was_freed_first(void)
{
    hand_device on;
    void *memory[8];

    lazy_open(&on);
    for (int i = 0; i < 8; i++)
        CHECK_STATUS(slip_alloc(on.device, 64, &memory[i]), SLIP_OK);
    lazy.held = true;
    for (int i = 0; i < 8; i++) {
        CHECK_STATUS(add_one(&on, on.stream, memory[i], N), SLIP_OK);
        slip_free(on.device, memory[i]);
        if (i >= 2)
            lazy_run(on.stream, (uint64_t)i - 1); /* two behind, always */
    }
    CHECK(lazy.memories <= 5);
    lazy_close(&on);
}

static void a_full_device_is_waited_for_and_asked_again(void)
{
    hand_device on;
    void *memory = NULL, *next = NULL;

    lazy_open(&on);
    lazy.room = 100;
    CHECK_STATUS(slip_alloc(on.device, 64, &memory), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, 64, &next), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(slip_last_error()->message, "the lazy device is full");
    lazy.held = true;
    CHECK_STATUS(add_one(&on, on.stream, memory, N), SLIP_OK);
    slip_free(on.device, memory);
    CHECK_EQ_U64(lazy.used, 64);
    CHECK_STATUS(slip_alloc(on.device, 64, &next), SLIP_OK);
    CHECK_EQ_U64(lazy.used, 64);
    CHECK_EQ_I64(lazy.waits, 1);
    CHECK_EQ_U64(slip_last_error()->code, SLIP_OK);
    slip_free(on.device, next);
    lazy_close(&on);
}

/* Whoever holds the lock when memory is freed takes the mark: the call may still queue something
 * that uses it. */
static void a_call_in_progress_takes_the_mark_when_it_has_queued_its_work(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *memory = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 64, &memory), SLIP_OK);
    lazy.held = true;
    stream_lock(on.stream);
    slip_free(on.device, memory);
    CHECK_EQ_I64(lazy.memories, 1);
    uint64_t before = lazy.calls;
    stream_unlock(on.stream);
    CHECK_EQ_U64(lazy.calls, before + 1); /* one mark, and none for the next use */
    stream_lock(on.stream);
    stream_unlock(on.stream);
    CHECK_EQ_U64(lazy.calls, before + 1);
    CHECK_STATUS(add_one(&on, on.stream, x, N), SLIP_OK);
    CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    CHECK_EQ_I64(lazy.memories, 0); /* the mark is before the call */
    lazy_close(&on);
}

static void the_code_of_an_unloaded_module_stays_until_its_calls_have_ended(void)
{
    hand_device on;
    float x[N] = { 0 };

    lazy_open(&on);
    lazy.held = true;
    CHECK_STATUS(add_one(&on, on.stream, x, N), SLIP_OK);
    slip_module_unload(on.module);
    CHECK_EQ_I64(lazy.codes, 1);
    CHECK_EQ_I64(lazy.plans, 0);
    lazy_run(on.stream, LAZY_ALL);
    CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    CHECK_EQ_I64(lazy.codes, 0);
    lazy_close(&on);
}

static void a_mark_that_cannot_be_had_is_asked_for_again(void)
{
    hand_device on;
    void *memory = NULL;

    lazy_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 64, &memory), SLIP_OK);
    fail_clear();
    lazy.calls = 0;
    lazy.fail_at = 1;
    slip_free(on.device, memory);
    CHECK_EQ_I64(lazy.memories, 1);
    CHECK_EQ_U64(slip_last_error()->code, SLIP_OK);
    CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    CHECK_EQ_I64(lazy.memories, 0);
    lazy_close(&on);
}

static const check_case cases[] = {
    CASE(device_memory_is_stood_for_by_addresses_that_nobody_may_touch),
    CASE(freed_addresses_are_refused_until_the_process_uses_them_again),
    CASE(memory_of_another_device_is_refused),
    CASE(pinned_memory_is_the_hosts_and_has_an_address_of_the_device),
    CASE(memory_and_streams_of_others_cannot_be_wrapped),
    CASE(a_mirror_is_whole_when_it_is_kept),
    CASE(a_kept_range_goes_up_at_once_and_comes_down_when_fetched),
    CASE(freed_memory_goes_back_when_every_stream_has_passed_its_mark),
    CASE(a_stream_that_is_always_fed_still_passes_what_was_freed_first),
    CASE(a_full_device_is_waited_for_and_asked_again),
    CASE(a_call_in_progress_takes_the_mark_when_it_has_queued_its_work),
    CASE(the_code_of_an_unloaded_module_stays_until_its_calls_have_ended),
    CASE(a_mark_that_cannot_be_had_is_asked_for_again),
};

CHECK_MAIN(cases)
