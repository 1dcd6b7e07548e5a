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

/* What is judged, and the fact that it is of 32-bit and of 64-bit floats. */
enum { NO_FACT = NUMERIC_COUNT };
#define JUDGED(X)                                                                                  \
    X(QUOTIENT, NUMERIC_DIV_F32, NUMERIC_DIV_F64)                                                  \
    X(ROOT, NUMERIC_SQRT_F32, NUMERIC_SQRT_F64)                                                    \
    X(FUSED, NUMERIC_FMA_F32, NUMERIC_FMA_F64)                                                     \
    X(NORMAL_FUSED, NUMERIC_FUSED_F32, NO_FACT)                                                    \
    X(DENORMALS, NUMERIC_DENORM_F32, NUMERIC_DENORM_F64)                                           \
    X(NEAREST, NUMERIC_NEAREST, NUMERIC_NEAREST)                                                   \
    X(COMPARED, NUMERIC_COMPARE_F32, NUMERIC_COMPARE_F64)                                          \
    X(MINMAX, NUMERIC_MINMAX_F32, NUMERIC_MINMAX_F64)                                              \
    X(WHOLE, NUMERIC_WHOLE_F32, NUMERIC_WHOLE_F64)                                                 \
    X(ZEROS, NUMERIC_ZEROS, NUMERIC_ZEROS)                                                         \
    X(NARROWED, NO_FACT, NUMERIC_NARROW)                                                           \
    X(WIDENED, NO_FACT, NUMERIC_WIDEN)                                                             \
    X(CLAMPED, NUMERIC_CLAMP_F32, NUMERIC_CLAMP_F64)                                               \
    X(BRIEF, NUMERIC_BRIEF_F32, NO_FACT)

typedef enum judged {
#define JUDGED_ENUM_(name, narrow, wide) JUDGED_##name,
    JUDGED(JUDGED_ENUM_)
#undef JUDGED_ENUM_
        JUDGED_COUNT
} judged;

typedef struct verdict {
    uint32_t width;
    bool wrong[JUDGED_COUNT];
} verdict;

static void want(verdict *v, judged what, uint64_t right, uint64_t got)
{
    if (!same(v->width, right, got))
        v->wrong[what] = true;
}

/* Sums, differences and products show whether denormals are kept where one is among the numbers,
 * and how the device rounds where none is. */
static void judge_arithmetic(verdict *v, const vulkan_selftest_case *of,
                             const vulkan_selftest_answer *right, const vulkan_selftest_answer *got)
{
    const uint32_t width = v->width;
    bool input = denormal(width, of->a) || denormal(width, of->b);

    want(v, JUDGED_QUOTIENT, right->quotient, got->quotient);
    want(v, JUDGED_ROOT, right->root, got->root);
    if (width == 32 && of->c >= 63u << 23 && of->c < 0x7f800000) /* what is refined */
        want(v, JUDGED_BRIEF, right->brief_root, got->brief_root);
    want(v, JUDGED_FUSED, right->fused, got->fused);
    if (!input && !denormal(width, of->c) && !denormal(width, right->fused))
        want(v, JUDGED_NORMAL_FUSED, right->fused, got->fused);
    want(v, input || denormal(width, right->sum) ? JUDGED_DENORMALS : JUDGED_NEAREST, right->sum,
         got->sum);
    want(v, input || denormal(width, right->product) ? JUDGED_DENORMALS : JUDGED_NEAREST,
         right->product, got->product);
    want(v, input || denormal(width, right->difference) ? JUDGED_DENORMALS : JUDGED_NEAREST,
         right->difference, got->difference);
    want(v, JUDGED_NEAREST, right->converted, got->converted);
}

static void judge_choices(verdict *v, const vulkan_selftest_answer *right,
                          const vulkan_selftest_answer *got)
{
    if (right->order != got->order)
        v->wrong[JUDGED_COMPARED] = true;
    want(v, JUDGED_MINMAX, right->least, got->least);
    want(v, JUDGED_MINMAX, right->most, got->most);
    want(v, JUDGED_WHOLE, right->floor, got->floor);
    want(v, JUDGED_WHOLE, right->ceil, got->ceil);
    want(v, JUDGED_WHOLE, right->trunc, got->trunc);
    want(v, JUDGED_WHOLE, right->rint, got->rint);
    want(v, JUDGED_CLAMPED, right->at_most, got->at_most);
    want(v, JUDGED_CLAMPED, right->at_least, got->at_least);
    want(v, JUDGED_CLAMPED, right->at_most_later, got->at_most_later);
}

static void judge_zeros(verdict *v, const vulkan_selftest_answer *right,
                        const vulkan_selftest_answer *got)
{
    want(v, JUDGED_ZEROS, right->zero_sum, got->zero_sum);
    want(v, JUDGED_ZEROS, right->zero_difference, got->zero_difference);
    want(v, JUDGED_ZEROS, right->zero_product, got->zero_product);
    want(v, JUDGED_ZEROS, right->zero_quotient, got->zero_quotient);
    want(v, JUDGED_ZEROS, right->by_zero, got->by_zero);
}

static void judge_widths(verdict *v, const vulkan_selftest_answer *right,
                         const vulkan_selftest_answer *got)
{
    judged what = denormal(32, right->narrowed) ? JUDGED_NARROWED : JUDGED_NEAREST;

    if (!same(32, right->narrowed, got->narrowed))
        v->wrong[what] = true;
    want(v, JUDGED_WIDENED, right->widened, got->widened);
}

uint32_t vulkan_selftest_judge(uint32_t width, const vulkan_selftest_case *cases,
                               const vulkan_selftest_answer *right,
                               const vulkan_selftest_answer *got)
{
    static const uint8_t facts[JUDGED_COUNT][2] = {
#define JUDGED_ROW_(name, narrow, wide) { narrow, wide },
        JUDGED(JUDGED_ROW_)
#undef JUDGED_ROW_
    };
    verdict v = { .width = width };
    uint32_t bits = 0;

    for (uint32_t k = 0; k < VULKAN_SELFTEST_CASES; k++) {
        judge_arithmetic(&v, &cases[k], &right[k], &got[k]);
        judge_choices(&v, &right[k], &got[k]);
        if (!denormal(width, cases[k].a)) /* which a sum may flush */
            judge_zeros(&v, &right[k], &got[k]);
        if (width == 64)
            judge_widths(&v, &right[k], &got[k]);
    }
    /* Where a comparison flushes, so does the minimum that a compiler may make of it elsewhere. */
    v.wrong[JUDGED_CLAMPED] |= v.wrong[JUDGED_COMPARED];
    for (uint32_t k = 0; k < JUDGED_COUNT; k++)
        if (facts[k][width == 64] != NO_FACT && !v.wrong[k])
            bits |= 1u << facts[k][width == 64];
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

static slip_status test_width(vulkan_device *device, uint32_t width, uint32_t *out)
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
        *out = vulkan_selftest_judge(width, cases, t.right, answers);

done:
    test_finish(device, &t);
    return status;
}

slip_status vulkan_selftest(vulkan_device *device, uint32_t *out)
{
    bool has_f64 = device->physical->has >> DRV_NEED_F64 & 1;
    uint32_t bits32 = 0, bits64 = VULKAN_SELFTEST_SHARED;

    slip_status status = test_width(device, 32, &bits32);
    if (status == SLIP_OK && has_f64)
        status = test_width(device, 64, &bits64);
    vulkan_memory_trim(device);
    if (status != SLIP_OK) {
        fail_note("while testing the device's numbers");
        return status;
    }
    *out = (bits32 | bits64) & ((bits32 & bits64) | ~(uint32_t)VULKAN_SELFTEST_SHARED);
    return SLIP_OK;
}
