/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_fail_test.c - whichever call of Vulkan, or request for memory, fails: the failure is
 * recorded, nothing is left behind, nothing is published, and the next try works.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/vulkan_case.h"
#include "driver/vulkan_instance.h"
#include "driver/vulkan_shim.h"
#include "support/check.h"

enum { N = 1000 };

/* What a session makes, step by step. */
typedef struct session {
    const queue_code *code;
    void *self, *stream;
    queue_kernel kernel;
    queue_memory up, device, back;
    uint64_t value;
} session;

static slip_status step_open(session *s)
{
    return vulkan->open(0, &s->self);
}

static slip_status step_up(session *s)
{
    return vulkan->alloc(s->self, N * 4, QUEUE_MEMORY_UPLOAD, &s->up);
}

static slip_status step_device(session *s)
{
    return vulkan->alloc(s->self, N * 4, QUEUE_MEMORY_DEVICE, &s->device);
}

static slip_status step_back(session *s)
{
    return vulkan->alloc(s->self, N * 4, QUEUE_MEMORY_READBACK, &s->back);
}

static slip_status step_kernel(session *s)
{
    return vulkan->kernel_new(s->self, s->code, 0, &s->kernel);
}

static slip_status step_stream(session *s)
{
    return vulkan->stream_open(s->self, &s->stream);
}

static slip_status record(session *s)
{
    const uint32_t groups[3] = { (N + 63) / 64, 1, 1 };
    const vulkan_case_add push = { s->device.address, s->device.address, N, 1 };

    for (uint32_t k = 0; k < N; k++)
        memcpy(s->up.host + 4 * k, &k, 4);
    SLIP_TRY(vulkan->copy(s->stream, &s->device, 0, &s->up, 0, N * 4));
    SLIP_TRY(vulkan->barrier(s->stream, QUEUE_BARRIER_TASKS));
    SLIP_TRY(vulkan->dispatch(s->stream, &s->kernel, &push, sizeof push, groups));
    SLIP_TRY(vulkan->barrier(s->stream, QUEUE_BARRIER_TASKS));
    SLIP_TRY(vulkan->copy(s->stream, &s->back, 0, &s->device, 0, N * 4));
    return vulkan->barrier(s->stream, QUEUE_BARRIER_HOST);
}

static slip_status step_submit(session *s)
{
    slip_status status = record(s);

    if (status == SLIP_OK)
        return vulkan->submit(s->stream, NULL, 0, &s->value);
    vulkan->discard(s->stream);
    return status;
}

static slip_status step_wait(session *s)
{
    return vulkan->wait(s->stream, s->value, 1000);
}

static slip_status step_reached(session *s)
{
    return vulkan->reached(s->stream, &s->value);
}

static const struct {
    const char *name;
    slip_status (*run)(session *s);
} steps[] = {
    { "open", step_open },     { "alloc", step_up },          { "alloc", step_device },
    { "alloc", step_back },    { "kernel_new", step_kernel }, { "stream_open", step_stream },
    { "submit", step_submit }, { "wait", step_wait },         { "reached", step_reached },
};

enum { STEPS = sizeof steps / sizeof steps[0] };

/* On the way out, with whatever there is. */
static void end(session *s)
{
    if (s->self) {
        if (s->stream)
            vulkan->stream_close(s->self, s->stream);
        if (s->kernel.pipeline)
            vulkan->kernel_drop(s->self, &s->kernel);
        vulkan->free(s->self, &s->up);
        vulkan->free(s->self, &s->device);
        vulkan->free(s->self, &s->back);
    }
    vulkan->close(s->self);
    vulkan_instance_drop();
}

static void check_sums(const session *s)
{
    for (uint32_t k = 0; k < N; k++) {
        uint32_t word;
        memcpy(&word, s->back.host + 4 * k, 4);
        CHECK_EQ_U64(word, k + 1);
    }
}

/* Runs a session of which something fails once, and is tried again: how many steps failed. */
static int run_session(session *s, const char **out_step)
{
    int failures = 0;

    for (int k = 0; k < STEPS; k++)
        for (;;) {
            session before = *s;
            fail_clear();
            slip_status status = steps[k].run(s);
            CHECK_EQ_I64(fail_last()->code, status);
            if (status == SLIP_OK)
                break;
            CHECK(memcmp(&before, s, sizeof before) == 0); /* nothing published */
            CHECK(++failures == 1);
            *out_step = steps[k].name;
            if (!s->self) /* a failure of the library itself is kept, until it is forgotten */
                vulkan_instance_drop();
        }
    check_sums(s);
    return failures;
}

/* A failing allocation is tried again with less, the cache's file may be missing, and closing
 * cannot fail. */
static bool may_be_silent(const char *call, VkResult result)
{
    static const char *const again[] = { "vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory",
                                         "vkMapMemory" };

    for (size_t k = 0; k < sizeof again / sizeof again[0]; k++)
        if (strcmp(call, again[k]) == 0)
            return result == VK_ERROR_OUT_OF_HOST_MEMORY;
    return strcmp(call, "vkGetPipelineCacheData") == 0 || strcmp(call, "vkDeviceWaitIdle") == 0;
}

static void sweep(const queue_code *code, vulkan_shim *shim, VkResult result)
{
    for (uint64_t k = 1;; k++) {
        session s = { .code = code };
        const char *step = "none";
        *shim = (vulkan_shim){ .fail_at = k, .result = result };
        int failures = run_session(&s, &step);
        end(&s);
        if (shim->live != 0 || mem_live() != 0)
            CHECK_FAIL("%s failed in %s: %lld objects, %llu blocks of memory are left",
                       shim->failed, step, (long long)shim->live, (unsigned long long)mem_live());
        if (!shim->failed) {
            CHECK_EQ_I64(failures, 0);
            if (k < 40)
                CHECK_FAIL("only %llu calls can fail", (unsigned long long)k - 1);
            break;
        }
        if (failures == 0 && !may_be_silent(shim->failed, result))
            CHECK_FAIL("%s failed, and nobody was told", shim->failed);
    }
}

static void a_call_that_fails_leaves_nothing_behind(void)
{
    vulkan_case_begin();
    queue_code code = vulkan_case_shader("add");
    vulkan_shim *shim = vulkan_shim_begin();

    sweep(&code, shim, VK_ERROR_OUT_OF_HOST_MEMORY);
    sweep(&code, shim, VK_ERROR_UNKNOWN);
    vulkan_shim_end();
    vulkan_case_shader_free(&code);
    CHECK_EQ_U64(vulkan_instance_messages(), 0);
}

static void a_request_for_memory_that_fails_leaves_nothing_behind(void)
{
    vulkan_case_begin();
    queue_code code = vulkan_case_shader("add");
    vulkan_shim *shim = vulkan_shim_begin();
    uint64_t sessions = 0, last = 0;

    /* A failure to make a block is not the end: a smaller one is tried. */
    for (uint64_t k = 1; k < last + 12; k++) {
        session s = { .code = &code };
        const char *step = "none";
        mem_fail_at(k);
        bool failed = run_session(&s, &step) > 0;
        mem_fail_at(0);
        end(&s);
        if (shim->live != 0 || mem_live() != 0)
            CHECK_FAIL("request %llu failed in %s: %lld objects, %llu blocks of memory are left",
                       (unsigned long long)k, step, (long long)shim->live,
                       (unsigned long long)mem_live());
        sessions += failed;
        last = failed ? k : last;
    }
    if (sessions < 20)
        CHECK_FAIL("only %llu requests can fail", (unsigned long long)sessions);
    vulkan_shim_end();
    vulkan_case_shader_free(&code);
    CHECK_EQ_U64(vulkan_instance_messages(), 0);
}

/* Loss: nothing works from then on but closing. */
static void check_lost_session(const queue_code *code, vulkan_shim *shim, bool *out_lost)
{
    session s = { .code = code };
    int k = 0;
    slip_status status = SLIP_OK;

    for (; k < STEPS && status == SLIP_OK; k++) {
        fail_clear();
        status = steps[k].run(&s);
        CHECK_EQ_I64(fail_last()->code, status);
    }
    *out_lost = status != SLIP_OK;
    if (status != SLIP_OK) {
        CHECK_EQ_I64(status, SLIP_ERR_LOST);
        CHECK_CONTAINS(fail_last()->message, shim->failed);
        for (; s.self && k < STEPS; k++)
            if (k < 6 || s.stream) {
                CHECK_STATUS(steps[k].run(&s), SLIP_ERR_LOST);
                CHECK_CONTAINS(fail_last()->message, "is lost: an earlier call gave "
                                                     "VK_ERROR_DEVICE_LOST");
            }
    }
    end(&s);
    CHECK_EQ_I64(shim->live, 0);
    CHECK_EQ_U64(mem_live(), 0);
}

static void a_lost_device_stays_lost_and_can_be_closed(void)
{
    static const char *const calls[] = {
        "vkQueueSubmit",      "vkWaitSemaphores", "vkGetSemaphoreCounterValue",
        "vkAllocateMemory",   "vkMapMemory",      "vkCreateComputePipelines",
        "vkEndCommandBuffer", "vkCreateSemaphore"
    };

    vulkan_case_begin();
    queue_code code = vulkan_case_shader("add");
    vulkan_shim *shim = vulkan_shim_begin();
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        bool lost = true;
        int losses = 0;
        for (uint64_t k = 1; lost; k++) {
            *shim = (vulkan_shim){ .fail_at = k, .result = VK_ERROR_DEVICE_LOST, .only = calls[c] };
            check_lost_session(&code, shim, &lost);
            losses += lost;
        }
        CHECK(losses >= 1);
    }
    vulkan_shim_end();
    vulkan_case_shader_free(&code);
    CHECK_EQ_U64(vulkan_instance_messages(), 0);
}

static void a_symbol_that_is_missing_is_named(void)
{
    static const char *const names[] = { "vkCreateInstance",  "vkEnumeratePhysicalDevices",
                                         "vkDestroyInstance", "vkGetBufferDeviceAddress",
                                         "vkDestroyDevice",   "vkQueueSubmit" };

    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    setenv("SLIPWAY_VULKAN_VALIDATE", "0", 1); /* objects that cannot be destroyed stay */
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        void *self = NULL;
        *shim = (vulkan_shim){ .hidden = names[k] };
        CHECK_STATUS(vulkan->open(0, &self), SLIP_ERR_UNSUPPORTED);
        CHECK_CONTAINS(fail_last()->message, names[k]);
        CHECK(self == NULL);
        vulkan_instance_drop();
        CHECK_EQ_U64(mem_live(), 0);
    }
    vulkan_shim_end();
}

static const check_case cases[] = {
    CASE(a_call_that_fails_leaves_nothing_behind),
    CASE(a_request_for_memory_that_fails_leaves_nothing_behind),
    CASE(a_lost_device_stays_lost_and_can_be_closed),
    CASE(a_symbol_that_is_missing_is_named),
};

CHECK_MAIN(cases)
