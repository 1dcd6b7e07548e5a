/* SPDX-License-Identifier: Apache-2.0 */
/*
 * left_out_test.c - warnings of math functions that GPUs do not have.
 */
#include <slipway/slipc.h>

#include "base/text.h"
#include "support/check.h"

/* The second call lies in a function that both kernels come to; fmod and sin are had everywhere. */
static const char shared[] = "#include <math.h>\n"
                             "#include <slipway/kernel.h>\n"
                             "static f64 both(f64 x)\n"
                             "{\n"
                             "    return 1 + lgamma(x);\n"
                             "}\n"
                             "slip_kernel void a(i32 n, f32 x[n], f64 y[n])\n"
                             "{\n"
                             "    slip_for (i, n) {\n"
                             "        x[i] = erff(x[i]) + erff(fmodf(x[i], 2));\n"
                             "        y[i] = both(y[i]) + both(-y[i]);\n"
                             "    }\n"
                             "}\n"
                             "slip_kernel void b(i32 n, f64 y[n])\n"
                             "{\n"
                             "    slip_for (i, n)\n"
                             "        y[i] = both(sin(y[i]));\n"
                             "}\n";

/* Too long to be put where they are called: a helper that a helper calls. */
static const char deep[] = "#include <math.h>\n"
                           "#include <slipway/kernel.h>\n"
                           "#define STEP x = x * 3 + 1; x = x / 7 - 2; x = x * x;\n"
                           "#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP\n"
                           "static f32 inner(f32 x) { STEPS STEPS return erff(x); }\n"
                           "static f32 outer(f32 x) { STEPS STEPS return inner(x); }\n"
                           "slip_kernel void c(i32 n, f32 x[n])\n"
                           "{\n"
                           "    slip_for (i, n)\n"
                           "        x[i] = outer(x[i]);\n"
                           "}\n";

static void told_of(const char *source, const char *targets, const char *wanted)
{
    slipc_options options = { .targets = targets };
    slipc_result *result = NULL;
    text all = { 0 };

    CHECK_STATUS(slipc_compile("k.c", source, &options, &result), SLIP_OK);
    for (uint32_t k = 0; k < slipc_diagnostic_count(result); k++) {
        const slipc_diagnostic *d = slipc_diagnostic_at(result, k);
        CHECK_EQ_I64(d->severity, SLIPC_WARNING);
        CHECK_TEXT(d->file, "k.c");
        CHECK_CONTAINS(d->advice, "--target cpu");
        text_add(&all, "%u:%u %s\n", d->line, d->column, d->message);
    }
    CHECK_TEXT(text_get(&all), wanted);
    text_finish(&all);
    slipc_result_free(result);
}

static void told(const char *targets, const char *wanted)
{
    told_of(shared, targets, wanted);
}

static void each_call_is_told_once_with_its_targets_and_kernels(void)
{
    told("cpu,ptx,spirv",
         "10:16 `erff` has no version for spirv, ptx: the kernel `a` is refused there\n"
         "10:29 `erff` has no version for spirv, ptx: the kernel `a` is refused there\n"
         "5:16 `lgamma` has no version for spirv, ptx: the kernels `a`, `b` are refused there\n");
}

static void one_target_is_enough(void)
{
    told("gfx942",
         "10:16 `erff` has no version for gfx942: the kernel `a` is refused there\n"
         "10:29 `erff` has no version for gfx942: the kernel `a` is refused there\n"
         "5:16 `lgamma` has no version for gfx942: the kernels `a`, `b` are refused there\n");
}

static void a_call_below_helpers_is_found(void)
{
    told_of(deep, "ptx", "5:46 `erff` has no version for ptx: the kernel `c` is refused there\n");
}

static void code_for_cpus_has_them_all(void)
{
    told("cpu-all", "");
}

static const check_case cases[] = {
    CASE(each_call_is_told_once_with_its_targets_and_kernels),
    CASE(one_target_is_enough),
    CASE(a_call_below_helpers_is_found),
    CASE(code_for_cpus_has_them_all),
};
CHECK_MAIN(cases)
