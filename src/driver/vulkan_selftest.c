/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest.c - finds out what a device's numbers are like, by running them when it is
 * opened.
 *
 * What a device reports is not what it does (LANGUAGE rules 1, 20): only answers count. Nothing
 * here says what is done about a wrong one; the shaders choose by the bits.
 */
#include "driver/vulkan_selftest.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/vulkan_stream.h"

enum {
    CASE_BYTES = VULKAN_SELFTEST_CASES * (int)sizeof(vulkan_selftest_case),
    ANSWER_BYTES = VULKAN_SELFTEST_CASES * (int)sizeof(vulkan_selftest_answer),
};

_Static_assert(sizeof(vulkan_selftest_answer) == 8 * VULKAN_SELFTEST_ANSWERS, "words");

/* ---- judging -------------------------------------------------------------------------------- */

static bool is_nan(uint32_t width, uint64_t bits)
{
    return width == 32 ? (bits & 0x7fffffff) > 0x7f800000
                       : (bits & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff) << 52;
}

/* Every NaN is as good as another. */
static bool same(uint32_t width, uint64_t right, uint64_t got)
{
    return right == got || (is_nan(width, right) && is_nan(width, got));
}

static bool denormal(uint32_t width, uint64_t bits)
{
    return width == 32 ? (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0
                       : (bits >> 52 & 0x7ff) == 0 && (bits & ((UINT64_C(1) << 52) - 1)) != 0;
}

typedef struct verdict {
    bool quotient, root, fused, normal_fused, denormals, nearest;
} verdict;

/* Sums and products show whether denormals are kept where one is among the numbers, and how the
 * device rounds where none is. */
static void judge_case(uint32_t width, const vulkan_selftest_case *of,
                       const vulkan_selftest_answer *right, const vulkan_selftest_answer *got,
                       verdict *v)
{
    bool input = denormal(width, of->a) || denormal(width, of->b);
    bool sum = same(width, right->sum, got->sum);
    bool product = same(width, right->product, got->product);

    v->quotient = v->quotient && same(width, right->quotient, got->quotient);
    v->root = v->root && same(width, right->root, got->root);
    bool fused = same(width, right->fused, got->fused);
    v->fused = v->fused && fused;
    if (!input && !denormal(width, of->c) && !denormal(width, right->fused))
        v->normal_fused = v->normal_fused && fused;
    bool *of_sum = input || denormal(width, right->sum) ? &v->denormals : &v->nearest;
    *of_sum = *of_sum && sum;
    bool *of_product = input || denormal(width, right->product) ? &v->denormals : &v->nearest;
    *of_product = *of_product && product;
    v->nearest = v->nearest && same(width, right->converted, got->converted);
    if (width == 64 && !denormal(32, right->narrowed))
        v->nearest = v->nearest && same(32, right->narrowed, got->narrowed);
}

uint32_t vulkan_selftest_judge(uint32_t width, const vulkan_selftest_case *cases,
                               const vulkan_selftest_answer *right,
                               const vulkan_selftest_answer *got, bool *out_nearest)
{
    const bool narrow = width == 32;
    verdict v = { true, true, true, true, true, true };
    uint32_t bits = 0;

    for (uint32_t k = 0; k < VULKAN_SELFTEST_CASES; k++)
        judge_case(width, &cases[k], &right[k], &got[k], &v);
    bits |= (uint32_t)v.quotient << (narrow ? QUEUE_NUMERIC_DIV_F32 : QUEUE_NUMERIC_DIV_F64);
    bits |= (uint32_t)v.root << (narrow ? QUEUE_NUMERIC_SQRT_F32 : QUEUE_NUMERIC_SQRT_F64);
    bits |= (uint32_t)v.fused << (narrow ? QUEUE_NUMERIC_FMA_F32 : QUEUE_NUMERIC_FMA_F64);
    if (narrow)
        bits |= (uint32_t)v.normal_fused << QUEUE_NUMERIC_FUSED_F32;
    bits |= (uint32_t)v.denormals << (narrow ? QUEUE_NUMERIC_DENORM_F32 : QUEUE_NUMERIC_DENORM_F64);
    *out_nearest = v.nearest;
    return bits;
}

/* ---- running -------------------------------------------------------------------------------- */

typedef struct test {
    queue_memory cases, answers;
    queue_kernel kernel;
    vulkan_stream *stream;
    vulkan_selftest_answer *right;
} test;

static void test_finish(vulkan_device *device, test *t)
{
    vulkan_stream_close(t->stream);
    if (t->kernel.pipeline)
        vulkan_kernel_drop(device, &t->kernel);
    vulkan_memory_free(device, &t->cases);
    vulkan_memory_free(device, &t->answers);
    mem_free(t->right);
}

static slip_status make_kernel(vulkan_device *device, uint32_t width, queue_kernel *out)
{
    vulkan_words words = { 0 };

    vulkan_selftest_shader(width, &words);
    const queue_code code = {
        .words = (const uint8_t *)words.data,
        .bytes = words.count * sizeof *words.data,
        .push_bytes = sizeof(vulkan_selftest_push),
        .local = VULKAN_SELFTEST_LOCAL,
        .local_fixed = true,
    };
    slip_status status = words.status;
    if (status == SLIP_OK)
        status = vulkan_kernel_new(device, &code, 0, out);
    vulkan_words_finish(&words);
    return status;
}

static slip_status run(const test *t)
{
    static const uint32_t groups[3] = { VULKAN_SELFTEST_CASES / VULKAN_SELFTEST_LOCAL, 1, 1 };
    const vulkan_selftest_push push = { t->cases.address, t->answers.address };
    uint64_t value = 0;

    SLIP_TRY(vulkan_stream_dispatch(t->stream, &t->kernel, &push, sizeof push, groups));
    SLIP_TRY(vulkan_stream_barrier(t->stream, QUEUE_BARRIER_HOST));
    SLIP_TRY(vulkan_stream_submit(t->stream, NULL, 0, &value));
    return vulkan_stream_wait(t->stream, value, 0);
}

static slip_status set_up(vulkan_device *device, uint32_t width, test *t)
{
    SLIP_TRY(mem_new(ANSWER_BYTES, (void **)&t->right));
    SLIP_TRY(vulkan_memory_alloc(device, CASE_BYTES, QUEUE_MEMORY_UPLOAD, &t->cases));
    SLIP_TRY(vulkan_memory_alloc(device, ANSWER_BYTES, QUEUE_MEMORY_READBACK, &t->answers));
    SLIP_TRY(make_kernel(device, width, &t->kernel));
    return vulkan_stream_open(device, &t->stream);
}

static slip_status test_width(vulkan_device *device, uint32_t width, uint32_t *out_bits,
                              bool *out_nearest)
{
    test t = { 0 };
    slip_status status = set_up(device, width, &t);

    if (status != SLIP_OK)
        goto done;
    vulkan_selftest_case *cases = (void *)t.cases.host;
    vulkan_selftest_answer *answers = (void *)t.answers.host;
    vulkan_selftest_cases(width, cases);
    vulkan_selftest_answers(width, cases, t.right);
    memset(answers, 0xa5, ANSWER_BYTES); /* the answer to nothing */
    status = run(&t);
    if (status != SLIP_OK) /* something may be pending yet */
        vulkan_device_idle(device);
    else
        *out_bits = vulkan_selftest_judge(width, cases, t.right, answers, out_nearest);

done:
    test_finish(device, &t);
    return status;
}

slip_status vulkan_selftest(vulkan_device *device, uint32_t *out)
{
    bool has_f64 = device->physical->has >> DRV_NEED_F64 & 1;
    bool nearest32 = false, nearest64 = true;
    uint32_t bits32 = 0, bits64 = 0;

    slip_status status = test_width(device, 32, &bits32, &nearest32);
    if (status == SLIP_OK && has_f64)
        status = test_width(device, 64, &bits64, &nearest64);
    vulkan_memory_trim(device);
    if (status != SLIP_OK) {
        fail_note("while testing the device's numbers");
        return status;
    }
    *out = bits32 | bits64 | (uint32_t)(nearest32 && nearest64) << QUEUE_NUMERIC_NEAREST;
    return SLIP_OK;
}
