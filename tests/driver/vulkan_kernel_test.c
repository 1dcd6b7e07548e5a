/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_kernel_test.c - shaders become pipelines: float controls, specialisation, refusals.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/vulkan_case.h"
#include "driver/vulkan_words.h"
#include "support/check.h"

/* ---- float controls ------------------------------------------------------------------------- */

enum { OP_MODE = 16, OP_CAPABILITY = 17 };

/* The operands of every instruction of one kind, as text: "4464 4466". */
static const char *list(const vulkan_words *w, uint32_t opcode)
{
    static char text[4][400];
    static int next;
    char *out = text[next++ % 4];
    size_t length = 0;

    out[0] = '\0';
    for (size_t at = 5; at < w->count; at += w->data[at] >> 16)
        if ((w->data[at] & 0xffff) == opcode) {
            length += (size_t)snprintf(out + length, 400 - length, "%s", length ? "," : "");
            for (uint32_t k = opcode == OP_MODE ? 2 : 1; k < w->data[at] >> 16; k++)
                length += (size_t)snprintf(out + length, 400 - length, " %u", w->data[at + k]);
        }
    return out;
}

static vulkan_words fit(const queue_code *code, vulkan_floats f32, vulkan_floats f64)
{
    vulkan_floats floats[VULKAN_WIDTHS] = { { true, true, true }, f32, f64 };
    vulkan_words w = { 0 };

    CHECK_STATUS(vulkan_words_fit(code->words, code->bytes, floats, &w), SLIP_OK);
    return w;
}

/* Modes: 4459 DenormPreserve, 4461 SignedZeroInfNanPreserve, 4462 RoundingModeRTE, 17 LocalSize;
 * capabilities 4464, 4466, 4467 of these in turn. */
static void what_a_device_does_not_report_is_dropped_width_by_width(void)
{
    const vulkan_floats all = { true, true, true }, none = { 0 };
    queue_code code = vulkan_case_shader("modes");
    vulkan_words w = fit(&code, all, all);

    CHECK_EQ_U64(w.count * 4, code.bytes);
    CHECK(memcmp(w.data, code.words, code.bytes) == 0);
    vulkan_words_finish(&w);

    w = fit(&code, none, none);
    CHECK_TEXT(list(&w, OP_MODE), " 17 1 1 1");
    CHECK_TEXT(list(&w, OP_CAPABILITY), " 1, 11, 10, 5347");
    CHECK_EQ_U64(code.bytes - w.count * 4, 4 * (6 * 4 + 3 * 2));
    vulkan_words_finish(&w);

    w = fit(&code, (vulkan_floats){ .preserve_denorm = true, .nearest_even = true },
            (vulkan_floats){ .nearest_even = true });
    CHECK_TEXT(list(&w, OP_MODE), " 17 1 1 1, 4459 32, 4462 32, 4462 64");
    CHECK_TEXT(list(&w, OP_CAPABILITY), " 1, 11, 10, 5347, 4464, 4467");
    vulkan_words_finish(&w);

    w = fit(&code, none, (vulkan_floats){ .preserve_signs = true });
    CHECK_TEXT(list(&w, OP_MODE), " 17 1 1 1, 4461 64");
    CHECK_TEXT(list(&w, OP_CAPABILITY), " 1, 11, 10, 5347, 4466");
    vulkan_words_finish(&w);
    vulkan_case_shader_free(&code);
    CHECK_EQ_U64(mem_live(), 0);
}

static void words_that_are_no_module_are_refused(void)
{
    const vulkan_floats floats[VULKAN_WIDTHS] = { 0 };
    uint32_t words[12] = { 0x07230203, 0x10500, 0, 9, 0, 2u << 16 | 17, 1, 3u << 16 | 17, 1, 1 };
    vulkan_words w = { 0 };
    const uint8_t *bytes = (const uint8_t *)words;

    CHECK_STATUS(vulkan_words_fit(bytes, 40, floats, &w), SLIP_OK);
    vulkan_words_finish(&w);
    CHECK_STATUS(vulkan_words_fit(bytes, 38, floats, &w), SLIP_ERR_FORMAT);
    CHECK_STATUS(vulkan_words_fit(bytes, 16, floats, &w), SLIP_ERR_FORMAT);
    CHECK_STATUS(vulkan_words_fit(bytes, 0, floats, &w), SLIP_ERR_FORMAT);
    CHECK_STATUS(vulkan_words_fit(bytes, 36, floats, &w), SLIP_ERR_FORMAT); /* 3 words, 2 left */
    CHECK_CONTAINS(fail_last()->message, "at word 7 has 3 words, and 2 are left");
    words[7] = 17; /* no length: would never end */
    CHECK_STATUS(vulkan_words_fit(bytes, 40, floats, &w), SLIP_ERR_FORMAT);
    words[0] = 0x03022307; /* the other byte order */
    CHECK_STATUS(vulkan_words_fit(bytes, 40, floats, &w), SLIP_ERR_FORMAT);
    CHECK_STATUS(vulkan_words_fit(bytes, UINT64_C(1) << 40, floats, &w), SLIP_ERR_FORMAT);
    CHECK(w.data == NULL);
    CHECK_EQ_U64(mem_live(), 0);
}

static void words_need_not_be_aligned(void)
{
    const vulkan_floats floats[VULKAN_WIDTHS] = { 0 };
    queue_code code = vulkan_case_shader("modes");
    uint8_t *moved = malloc(code.bytes + 1);
    vulkan_words a = { 0 }, b = { 0 };

    memcpy(moved + 1, code.words, code.bytes);
    CHECK_STATUS(vulkan_words_fit(code.words, code.bytes, floats, &a), SLIP_OK);
    CHECK_STATUS(vulkan_words_fit(moved + 1, code.bytes, floats, &b), SLIP_OK);
    CHECK(a.count == b.count && memcmp(a.data, b.data, a.count * 4) == 0);
    vulkan_words_finish(&a);
    vulkan_words_finish(&b);
    free(moved);
    vulkan_case_shader_free(&code);
}

/* ---- on a device ---------------------------------------------------------------------------- */

/* Runs a kernel whose only argument is where to put its words; one workgroup. */
static void run_once(void *self, const queue_kernel *kernel, queue_memory *to)
{
    static const uint32_t one[3] = { 1, 1, 1 };
    void *stream = NULL;
    uint64_t value = 0;

    CHECK_STATUS(vulkan->stream_open(self, &stream), SLIP_OK);
    CHECK_STATUS(vulkan->dispatch(stream, kernel, &to->address, 8, one), SLIP_OK);
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_HOST), SLIP_OK);
    CHECK_STATUS(vulkan->submit(stream, NULL, 0, &value), SLIP_OK);
    CHECK_STATUS(vulkan->wait(stream, value, 0), SLIP_OK);
    vulkan->stream_close(self, stream);
}

static void shaders_are_specialised_by_local_size_data_and_facts(void)
{
    void *self = vulkan_case_open();
    queue_code code = vulkan_case_shader("spec");
    queue_kernel kernel;
    queue_limits limits;
    queue_memory to;
    uint32_t words[3 + QUEUE_NUMERIC_COUNT];

    vulkan->limits(self, &limits);
    code.local = 1;
    CHECK_STATUS(vulkan->alloc(self, sizeof words, QUEUE_MEMORY_READBACK, &to), SLIP_OK);
    CHECK_STATUS(vulkan->kernel_new(self, &code, UINT64_C(0x123456789abcdef0), &kernel), SLIP_OK);
    run_once(self, &kernel, &to);
    memcpy(words, to.host, sizeof words);
    CHECK_EQ_U64(words[0], 1);
    CHECK_EQ_U64(words[1], 0x9abcdef0);
    CHECK_EQ_U64(words[2], 0x12345678);
    for (uint32_t k = 0; k < QUEUE_NUMERIC_COUNT; k++)
        CHECK_EQ_U64(words[3 + k], limits.numerics >> k & 1);
    vulkan->kernel_drop(self, &kernel);
    CHECK(kernel.pipeline == NULL);
    vulkan->free(self, &to);
    vulkan_case_shader_free(&code);
    vulkan_case_close(self);
}

static void a_shader_with_every_float_control_runs_here(void)
{
    void *self = vulkan_case_open();
    queue_code code = vulkan_case_shader("modes");
    queue_kernel kernel;
    queue_limits limits;
    queue_memory to;
    float sum = 0;

    vulkan->limits(self, &limits);
    if (!(limits.has & 1)) { /* it names f64 */
        vulkan_case_shader_free(&code);
        vulkan_case_close(self);
        check_skip("vulkan-f64", "the device has no 64-bit floats");
    }
    code.local = 1;
    code.local_fixed = true;
    CHECK_STATUS(vulkan->alloc(self, 4, QUEUE_MEMORY_READBACK, &to), SLIP_OK);
    CHECK_STATUS(vulkan->kernel_new(self, &code, 0, &kernel), SLIP_OK);
    run_once(self, &kernel, &to);
    memcpy(&sum, to.host, sizeof sum);
    CHECK_EQ_F64(sum, 1.0);
    vulkan->kernel_drop(self, &kernel);
    vulkan->free(self, &to);
    vulkan_case_shader_free(&code);
    vulkan_case_close(self);
}

static void what_a_device_cannot_take_is_refused_with_both_numbers(void)
{
    void *self = vulkan_case_open();
    queue_code code = vulkan_case_shader("add");
    queue_kernel kernel = { NULL, 7 };
    queue_limits limits;
    char text[80];

    vulkan->limits(self, &limits);
    queue_code other = code;
    other.push_bytes = limits.max_push_bytes + 4;
    CHECK_STATUS(vulkan->kernel_new(self, &other, 0, &kernel), SLIP_ERR_UNSUPPORTED);
    snprintf(text, sizeof text, "%u bytes of push constants, and the device takes %u",
             limits.max_push_bytes + 4, limits.max_push_bytes);
    CHECK_CONTAINS(fail_last()->message, text);
    other = code;
    other.local = limits.max_local + 1;
    other.local_fixed = true;
    CHECK_STATUS(vulkan->kernel_new(self, &other, 0, &kernel), SLIP_ERR_UNSUPPORTED);
    snprintf(text, sizeof text, "needs %u invocations a workgroup, and the device has at most %u",
             limits.max_local + 1, limits.max_local);
    CHECK_CONTAINS(fail_last()->message, text);
    CHECK(kernel.pipeline == NULL && kernel.local == 7);

    other.local_fixed = false; /* made smaller instead */
    CHECK_STATUS(vulkan->kernel_new(self, &other, 0, &kernel), SLIP_OK);
    CHECK_EQ_U64(kernel.local, limits.max_local);

    void *stream = NULL;
    uint32_t groups[3] = { 1, 1, 1 };
    uint32_t push[100] = { 0 };
    CHECK_STATUS(vulkan->stream_open(self, &stream), SLIP_OK);
    if (limits.max_groups[1] < UINT32_MAX) {
        groups[1] = limits.max_groups[1] + 1;
        CHECK_STATUS(vulkan->dispatch(stream, &kernel, push, 4, groups), SLIP_ERR_UNSUPPORTED);
        CHECK_CONTAINS(fail_last()->message, "workgroups on axis 1");
    }
    groups[1] = 1;
    CHECK_STATUS(vulkan->dispatch(stream, &kernel, push, limits.max_push_bytes + 4, groups),
                 SLIP_ERR_INTERNAL);
    vulkan->stream_close(self, stream);
    vulkan->kernel_drop(self, &kernel);
    vulkan_case_shader_free(&code);
    vulkan_case_close(self);
}

static const check_case cases[] = {
    CASE(what_a_device_does_not_report_is_dropped_width_by_width),
    CASE(words_that_are_no_module_are_refused),
    CASE(words_need_not_be_aligned),
    CASE(shaders_are_specialised_by_local_size_data_and_facts),
    CASE(a_shader_with_every_float_control_runs_here),
    CASE(what_a_device_cannot_take_is_refused_with_both_numbers),
};

CHECK_MAIN(cases)
