/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_stream_test.c - recording, submitting, waiting; streams that wait for each other.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/vulkan_case.h"
#include "driver/vulkan_instance.h"
#include "driver/vulkan_shim.h"
#include "support/check.h"

static const uint32_t one[3] = { 1, 1, 1 };

/* A device with the add shader and a few words of memory, mapped. */
typedef struct bench {
    void *self;
    queue_code code;
    queue_kernel kernel;
    queue_memory memory;
    uint32_t *words;
} bench;

enum { WORDS = 64 };

static bench begin(void)
{
    bench b = { .self = vulkan_case_open(), .code = vulkan_case_shader("add") };

    CHECK_STATUS(vulkan->kernel_new(b.self, &b.code, 0, &b.kernel), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(b.self, WORDS * 4, QUEUE_MEMORY_READBACK, &b.memory), SLIP_OK);
    b.words = (void *)b.memory.host;
    memset(b.words, 0, WORDS * 4);
    return b;
}

static void end(bench *b)
{
    vulkan->kernel_drop(b->self, &b->kernel);
    vulkan->free(b->self, &b->memory);
    vulkan_case_shader_free(&b->code);
    vulkan_case_close(b->self);
}

static void *open_stream(const bench *b)
{
    void *stream = NULL;

    CHECK_STATUS(vulkan->stream_open(b->self, &stream), SLIP_OK);
    return stream;
}

/* word[to] = word[from] + k */
static void add(const bench *b, void *stream, uint32_t to, uint32_t from, uint32_t k)
{
    const vulkan_case_add push = { b->memory.address + 4 * to, b->memory.address + 4 * from, 1, k };

    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_TASKS), SLIP_OK);
    CHECK_STATUS(vulkan->dispatch(stream, &b->kernel, &push, sizeof push, one), SLIP_OK);
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_HOST), SLIP_OK);
}

static uint64_t submit(void *stream, const queue_point *after, uint32_t count)
{
    uint64_t value = 0;

    CHECK_STATUS(vulkan->submit(stream, after, count, &value), SLIP_OK);
    return value;
}

static void more_submissions_than_lists_are_in_flight(void)
{
    bench b = begin();
    void *stream = open_stream(&b);
    uint64_t value = submit(stream, NULL, 0);

    for (uint32_t k = 1; k <= 500; k++) {
        uint64_t before = value;
        add(&b, stream, 0, 0, k);
        value = submit(stream, NULL, 0);
        CHECK(value > before);
    }
    CHECK_STATUS(vulkan->wait(stream, value, 0), SLIP_OK);
    CHECK_EQ_U64(b.words[0], 500 * 501 / 2);
    vulkan->stream_close(b.self, stream);
    end(&b);
}

static void values_grow_and_old_ones_need_no_wait(void)
{
    bench b = begin();
    void *stream = open_stream(&b);
    uint64_t reached = 9, first = submit(stream, NULL, 0); /* nothing is sent */

    CHECK_STATUS(vulkan->reached(stream, &reached), SLIP_OK);
    CHECK_EQ_U64(reached, first);
    CHECK_STATUS(vulkan->wait(stream, first, 0), SLIP_OK);
    for (uint64_t k = 1; k <= 20; k++) {
        add(&b, stream, 0, 0, 1);
        CHECK_EQ_U64(submit(stream, NULL, 0), first + k);
        CHECK_STATUS(vulkan->wait(stream, first + k, k % 2 ? UINT64_C(1000000000) : 0), SLIP_OK);
        CHECK_EQ_U64(b.words[0], k);
        CHECK_STATUS(vulkan->reached(stream, &reached), SLIP_OK);
        CHECK_EQ_U64(reached, first + k);
        CHECK_STATUS(vulkan->wait(stream, first + 1, 1000), SLIP_OK);
    }
    vulkan->stream_close(b.self, stream);
    end(&b);
}

static void what_is_discarded_never_runs(void)
{
    bench b = begin();
    void *stream = open_stream(&b);
    uint64_t first = submit(stream, NULL, 0);

    vulkan->discard(stream); /* nothing */
    for (uint32_t k = 0; k < 10; k++) {
        add(&b, stream, 0, 0, 100);
        vulkan->discard(stream);
        add(&b, stream, 0, 0, 1);
        uint64_t value = submit(stream, NULL, 0);
        add(&b, stream, 0, 0, 1000);
        vulkan->discard(stream);
        CHECK_EQ_U64(value, first + k + 1);
        CHECK_STATUS(vulkan->wait(stream, value, 0), SLIP_OK);
        CHECK_EQ_U64(b.words[0], k + 1);
    }
    vulkan->stream_close(b.self, stream);
    end(&b);
}

static void a_stream_may_be_closed_with_a_list_that_was_never_sent(void)
{
    bench b = begin();
    void *stream = open_stream(&b);

    add(&b, stream, 0, 0, 1);
    vulkan->stream_close(b.self, stream);
    end(&b);
}

static void parts_outside_of_memory_are_refused(void)
{
    bench b = begin();
    void *stream = open_stream(&b);

    CHECK_STATUS(vulkan->copy(stream, &b.memory, 8, &b.memory, 0, WORDS * 4 - 7),
                 SLIP_ERR_INTERNAL);
    CHECK_STATUS(vulkan->copy(stream, &b.memory, 0, &b.memory, UINT64_MAX, 8), SLIP_ERR_INTERNAL);
    CHECK_STATUS(vulkan->zero(stream, &b.memory, WORDS * 4, 4), SLIP_ERR_INTERNAL);
    CHECK_STATUS(vulkan->zero(stream, &b.memory, 2, 4), SLIP_ERR_INTERNAL);
    CHECK_STATUS(vulkan->zero(stream, &b.memory, 4, 6), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "no multiples of 4");
    vulkan->stream_close(b.self, stream);
    end(&b);
}

/* Two streams take turns at one word; each turn waits for the other's. */
static void streams_take_turns_by_points(void)
{
    bench b = begin();
    void *streams[2] = { open_stream(&b), open_stream(&b) };
    queue_point last = { 0 };

    for (uint32_t k = 1; k <= 100; k++) {
        void *stream = streams[k % 2];
        add(&b, stream, k % 2, 1 - k % 2, k);
        last = (queue_point){ stream, submit(stream, &last, k > 1) };
    }
    CHECK_STATUS(vulkan->wait(last.stream, last.value, 0), SLIP_OK);
    CHECK_EQ_U64(b.words[0], 100 * 101 / 2);
    CHECK_EQ_U64(b.words[1], 99 * 100 / 2);
    for (int k = 0; k < 2; k++)
        vulkan->stream_close(b.self, streams[k]);
    end(&b);
}

static void one_stream_waits_for_many(void)
{
    enum { MANY = 40 };
    bench b = begin();
    void *streams[MANY], *last = open_stream(&b);
    queue_point points[MANY];

    for (uint32_t k = 0; k < MANY; k++) {
        streams[k] = open_stream(&b);
        add(&b, streams[k], k, k, k * k);
        points[k] = (queue_point){ streams[k], submit(streams[k], NULL, 0) };
    }
    /* waits alone: nothing is recorded */
    uint64_t value = submit(last, points, MANY);
    CHECK_STATUS(vulkan->wait(last, value, 0), SLIP_OK);
    for (uint32_t k = 0; k < MANY; k++)
        CHECK_EQ_U64(b.words[k], k * k);
    for (uint32_t k = 0; k < MANY; k++)
        vulkan->stream_close(b.self, streams[k]);
    vulkan->stream_close(b.self, last);
    end(&b);
}

/* ---- what is submitted ---------------------------------------------------------------------- */

static struct {
    uint32_t batches, waits, lists, signals;
    uint64_t wait_values[4], signal_value;
} seen;

static void look(const char *name, void *out)
{
    const VkSubmitInfo *batch = out;
    const VkTimelineSemaphoreSubmitInfo *values;

    if (strcmp(name, "vkQueueSubmit") != 0)
        return;
    values = batch->pNext;
    seen.batches++;
    seen.waits = batch->waitSemaphoreCount;
    seen.lists = batch->commandBufferCount;
    seen.signals = batch->signalSemaphoreCount;
    CHECK_EQ_U64(values->waitSemaphoreValueCount, seen.waits);
    for (uint32_t k = 0; k < seen.waits && k < 4; k++)
        seen.wait_values[k] = values->pWaitSemaphoreValues[k];
    seen.signal_value = values->pSignalSemaphoreValues[0];
}

/* A queue that runs one list after another hides a wait that is missing: look at what it is told.
 */
static void a_submission_says_its_waits_its_list_and_its_signal(void)
{
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    bench b = begin();
    void *a = open_stream(&b), *c = open_stream(&b);
    shim->edit = look;
    memset(&seen, 0, sizeof seen);
    uint64_t at_a = submit(a, NULL, 0), at_c = submit(c, NULL, 0);
    const queue_point points[2] = { { a, at_a + 1 }, { a, at_a + 2 } };
    CHECK_EQ_U64(seen.batches, 0); /* nothing to send, nothing sent */
    add(&b, a, 0, 0, 1);
    CHECK_EQ_U64(submit(a, NULL, 0), at_a + 1);
    CHECK(seen.batches == 1 && seen.waits == 0 && seen.lists == 1 && seen.signals == 1);
    CHECK_EQ_U64(seen.signal_value, at_a + 1);
    CHECK_EQ_U64(submit(a, NULL, 0), at_a + 1); /* the last value again */
    CHECK_EQ_U64(seen.batches, 1);
    add(&b, a, 0, 0, 1);
    CHECK_EQ_U64(submit(a, NULL, 0), at_a + 2);
    add(&b, c, 0, 0, 1);
    CHECK_EQ_U64(submit(c, points, 2), at_c + 1);
    CHECK(seen.batches == 3 && seen.waits == 2 && seen.lists == 1 && seen.signals == 1);
    CHECK(seen.wait_values[0] == at_a + 1 && seen.wait_values[1] == at_a + 2);
    CHECK_EQ_U64(seen.signal_value, at_c + 1);
    CHECK_EQ_U64(submit(c, points, 1), at_c + 2);
    CHECK(seen.batches == 4 && seen.waits == 1 && seen.lists == 0);
    CHECK_EQ_U64(seen.signal_value, at_c + 2);
    CHECK_STATUS(vulkan->wait(c, at_c + 2, 0), SLIP_OK);
    vulkan->stream_close(b.self, a);
    vulkan->stream_close(b.self, c);
    end(&b);
    CHECK_EQ_I64(shim->live, 0);
    vulkan_shim_end();
}

/* A device whose memory the host shares hides a barrier that says too little: look at what it says.
 * The masks are those of the specification's tables of stages and accesses. */
static void barriers_name_the_stages_and_accesses_that_they_order(void)
{
    enum { COMPUTE = 0x800, TRANSFER = 0x1000, HOST = 0x4000 };
    enum { SHADER_READ = 0x20, SHADER_WRITE = 0x40, COPY_READ = 0x800, COPY_WRITE = 0x1000 };
    enum { HOST_READ = 0x2000 };
    const VkFlags tasks = SHADER_READ | SHADER_WRITE | COPY_READ | COPY_WRITE;
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    bench b = begin();
    void *stream = open_stream(&b);

    memset(&shim->barrier, 0, sizeof shim->barrier);
    CHECK_STATUS(vulkan->barrier(stream, 0), SLIP_OK);
    CHECK_EQ_U64(shim->barrier.from, 0); /* none */
    for (uint32_t flags = 1; flags <= 3; flags++) {
        VkFlags to = (flags & QUEUE_BARRIER_TASKS ? COMPUTE | TRANSFER : 0) |
                     (flags & QUEUE_BARRIER_HOST ? HOST : 0);
        VkFlags used = (flags & QUEUE_BARRIER_TASKS ? tasks : 0) |
                       (flags & QUEUE_BARRIER_HOST ? HOST_READ : 0);
        CHECK_STATUS(vulkan->barrier(stream, flags), SLIP_OK);
        CHECK_EQ_U64(shim->barrier.from, COMPUTE | TRANSFER);
        CHECK_EQ_U64(shim->barrier.to, to);
        CHECK_EQ_U64(shim->barrier.written, SHADER_WRITE | COPY_WRITE);
        CHECK_EQ_U64(shim->barrier.used, used);
    }
    vulkan->stream_close(b.self, stream);
    end(&b);
    vulkan_shim_end();
}

/* Zeroing 256 MiB takes a while. */
static void a_wait_spins_for_as_long_as_it_is_told_then_blocks(void)
{
    const uint64_t bytes = UINT64_C(256) << 20, second = UINT64_C(1000000000);
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    bench b = begin();
    void *stream = open_stream(&b);
    queue_memory large;
    uint64_t polls[3];

    CHECK_STATUS(vulkan->alloc(b.self, bytes, QUEUE_MEMORY_DEVICE, &large), SLIP_OK);
    for (int k = 0; k < 3; k++) {
        CHECK_STATUS(vulkan->zero(stream, &large, 0, bytes), SLIP_OK);
        uint64_t value = submit(stream, NULL, 0);
        shim->polls = shim->waits = 0;
        CHECK_STATUS(vulkan->wait(stream, value,
                                  k == 0   ? 0
                                  : k == 1 ? 1000
                                           : 1000 * second),
                     SLIP_OK);
        CHECK_EQ_U64(shim->waits, 1); /* also after a spin that saw the value */
        polls[k] = shim->polls;
    }
    CHECK_EQ_U64(polls[0], 0);
    CHECK(polls[1] >= 1);
    CHECK(polls[2] > 10 * polls[1]);
    vulkan->free(b.self, &large);
    vulkan->stream_close(b.self, stream);
    end(&b);
    vulkan_shim_end();
}

static void memory_that_is_mapped_on_the_device_needs_no_copy(void)
{
    bench b = begin();
    queue_memory device;
    queue_limits limits;

    vulkan->limits(b.self, &limits);
    CHECK_STATUS(vulkan->alloc(b.self, 400, QUEUE_MEMORY_DEVICE, &device), SLIP_OK);
    CHECK_EQ_U64(device.host != NULL, limits.device_mapped);
    if (limits.device_mapped) {
        void *stream = open_stream(&b);
        const vulkan_case_add push = { device.address, device.address, 100, 3 };
        const uint32_t groups[3] = { 2, 1, 1 };
        for (uint32_t k = 0; k < 100; k++)
            memcpy(device.host + 4 * k, &k, 4);
        CHECK_STATUS(vulkan->dispatch(stream, &b.kernel, &push, sizeof push, groups), SLIP_OK);
        CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_HOST), SLIP_OK);
        CHECK_STATUS(vulkan->wait(stream, submit(stream, NULL, 0), 0), SLIP_OK);
        for (uint32_t k = 0; k < 100; k++) {
            uint32_t word;
            memcpy(&word, device.host + 4 * k, 4);
            CHECK_EQ_U64(word, k + 3);
        }
        vulkan->stream_close(b.self, stream);
    }
    vulkan->free(b.self, &device);
    end(&b);
}

static const check_case cases[] = {
    CASE(more_submissions_than_lists_are_in_flight),
    CASE(values_grow_and_old_ones_need_no_wait),
    CASE(what_is_discarded_never_runs),
    CASE(a_stream_may_be_closed_with_a_list_that_was_never_sent),
    CASE(parts_outside_of_memory_are_refused),
    CASE(streams_take_turns_by_points),
    CASE(one_stream_waits_for_many),
    CASE(a_submission_says_its_waits_its_list_and_its_signal),
    CASE(barriers_name_the_stages_and_accesses_that_they_order),
    CASE(a_wait_spins_for_as_long_as_it_is_told_then_blocks),
    CASE(memory_that_is_mapped_on_the_device_needs_no_copy),
};

CHECK_MAIN(cases)
