/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_test.c - kernels for NVIDIA's and AMD's GPUs: their text, what comes of it, and what a module
 * says of each.
 *
 * The goldens are read by hand where they change; target/llvm_gpu and its neighbours run such
 * texts, gpu/ptxas and gpu/amd put what is made of all kernels of the tree through the vendors'
 * and LLVM's own tools.
 */
#define _GNU_SOURCE /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "module/read.h"
#include "support/check.h"

static slipc_result *compile(const char *source, const char *targets, const char *dump, bool fma)
{
    slipc_options options = { .targets = targets, .dump = dump, .fma = fma };
    slipc_result *result = NULL;

    CHECK_STATUS(slipc_compile("kernel.c", source, &options, &result), SLIP_OK);
    return result;
}

/* The kernels of a text, without what stands before the first. */
static void golden(const char *kernel, const char *target)
{
    char path[512], *source = NULL;
    size_t bytes = 0;

    snprintf(path, sizeof path, "%s/tests/golden/spirv/%s.c", CHECK_ROOT, kernel);
    CHECK_STATUS(compile_read_file(path, &source, &bytes), SLIP_OK);
    slipc_result *result = compile(source, target, "llvm", false);
    const char *kernels = strstr(slipc_dump_text(result), "\n; task ");
    CHECK(kernels != NULL);
    snprintf(path, sizeof path, "tests/golden/gpu/%s.%s.txt", kernel, target);
    CHECK_GOLDEN(path, kernels);
    slipc_result_free(result);
    mem_free(source);
}

static void a_thread_runs_one_iteration(void)
{
    golden("plain", "ptx");
}

static void bounds_in_cells_are_walked_to(void)
{
    golden("strided", "ptx");
}

static void updates_are_native_or_attempts(void)
{
    golden("updates", "ptx");
    golden("updates", "gfx90a");
}

static void reductions_fold_lanes_and_blocks(void)
{
    golden("sum", "ptx");
}

/* ---- PTX ---- */

static const char arithmetic[] =
    "#include <math.h>\n#include <slipway/kernel.h>\n"
    "slip_kernel void k(i32 n, const f32 x[n], const f64 y[n], f32 z[n], f64 w[n]) {\n"
    "    slip_for (i, n) {\n"
    "        z[i] = x[i] * x[i] + sqrtf(x[i]) / 3.0f - z[i];\n"
    "        w[i] = y[i] * y[i] + sqrt(y[i]) / w[i];\n    }\n}\n";

static bool holds(const slipc_result *result, const char *words)
{
    return strstr(slipc_dump_text(result), words) != NULL;
}

/* Only .rn keeps ptxas from fusing (PTX ISA 6.0, "mul", "add"). */
static void every_float_operation_rounds_by_itself(void)
{
    static const char *const wanted[] = { "mul.rn.f32", "add.rn.f32",  "sub.rn.f32",
                                          "div.rn.f32", "sqrt.rn.f32", "mul.rn.f64",
                                          "add.rn.f64", "div.rn.f64",  "sqrt.rn.f64" };
    static const char *const never[] = { "fma", ".ftz", ".approx", ".full" };
    slipc_result *result = compile(arithmetic, "ptx", "asm", false);

    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        CHECK_CONTAINS(slipc_dump_text(result), wanted[k]);
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        CHECK(!holds(result, never[k]));
    slipc_result_free(result);
    result = compile(arithmetic, "ptx", "asm", true);
    CHECK(holds(result, "fma.rn.f32") && holds(result, "fma.rn.f64"));
    slipc_result_free(result);
}

/* Not through a cache that another task's writes, or this one's, would not reach. */
static void arrays_are_global_and_read_where_they_lie(void)
{
    slipc_result *result = compile(arithmetic, "ptx", "asm", false);

    CHECK(holds(result, "ld.global.f32") && holds(result, "st.global.f64"));
    CHECK(!holds(result, "ld.global.nc") && !holds(result, "ld.f32") && !holds(result, "st.f64"));
    slipc_result_free(result);
    result = compile("#include <slipway/kernel.h>\n"
                     "static const f32 t[200] = { 1, 2 };\n"
                     "slip_kernel void k(i32 n, const i32 x[n], f32 y[n]) {\n"
                     "    slip_for (i, n) y[i] = t[x[i]]; }\n",
                     "ptx", "asm", false);
    CHECK(holds(result, ".global .align 16 .b8 ") && holds(result, "ld.global.nc.f32"));
    slipc_result_free(result);
}

static void the_lowest_level_that_serves_is_asked_for(void)
{
    slipc_result *result = compile(arithmetic, "ptx", "asm", false);

    CHECK(holds(result, ".version 6.0") && holds(result, ".target sm_60"));
    CHECK(holds(result, ".visible .entry s0(") && holds(result, ".maxntid 256, 1, 1"));
    CHECK(holds(result, ".param .align 8 .b8 s0_param_0[72]")); /* 24 + 16 + 4 x 8 */
    slipc_result_free(result);
}

/* ---- AMD ---- */

static void amd_code_is_unfused_and_global_too(void)
{
    static const char source[] = "#include <slipway/kernel.h>\n"
                                 "slip_kernel void k(i32 n, const f32 x[n], f32 z[n]) {\n"
                                 "    slip_for (i, n) z[i] = x[i] * x[i] + z[i]; }\n";
    static const char *const levels[] = { "gfx90a", "gfx942", "gfx1030", "gfx1100" };

    for (int k = 0; k < 4; k++) {
        slipc_result *result = compile(source, levels[k], "asm", false);
        CHECK(holds(result, "global_load_") && holds(result, "global_store_"));
        CHECK(holds(result, "v_mul_f32") && holds(result, "v_add_f32"));
        CHECK(!holds(result, "v_fma") && !holds(result, "v_mac") && !holds(result, "v_mad_f32"));
        CHECK(!holds(result, "flat_load") && !holds(result, "flat_store"));
        slipc_result_free(result);
        result = compile(source, levels[k], "asm", true);
        CHECK(holds(result, "v_fma"));
        slipc_result_free(result);
    }
}

/* Of 64 threads a wave of 64 needs no barrier instruction; two waves of 32 do. */
static void reductions_wait_where_a_group_has_two_waves(void)
{
    static const char source[] = "#include <slipway/kernel.h>\n"
                                 "slip_kernel f32 k(i32 n, const f32 x[n]) {\n    f32 s = 0;\n"
                                 "    slip_for (i, n) s += x[i];\n    return s; }\n";
    slipc_result *result = compile(source, "gfx1100", "asm", false);

    CHECK(holds(result, "s_barrier") && holds(result, "ds_bpermute_b32"));
    slipc_result_free(result);
    result = compile(source, "ptx", "asm", false);
    CHECK(holds(result, "bar.sync") && holds(result, "shfl.sync.down.b32"));
    slipc_result_free(result);
}

static void a_missing_linker_is_named(void)
{
    slipc_options options = { .targets = "gfx90a" };
    slipc_result *result = NULL;

    setenv("SLIPWAY_LLD", "/nowhere/ld.lld", 1);
    CHECK_STATUS(slipc_compile("kernel.c", arithmetic, &options, &result), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slipc_result_error(result)->message, "SLIPWAY_LLD is \"/nowhere/ld.lld\"");
    CHECK_CONTAINS(slipc_result_error(result)->message, "package lld-19");
    CHECK_CONTAINS(slipc_result_error(result)->message, "while making code for gfx90a");
    slipc_result_free(result);
    setenv("SLIPWAY_LLD", "/bin/false", 1);
    CHECK_STATUS(slipc_compile("kernel.c", arithmetic, &options, &result), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(slipc_result_error(result)->message, "ld.lld made no code object");
    slipc_result_free(result);
    unsetenv("SLIPWAY_LLD");
}

/* ---- facts ------------------------------------------------------------------------------ */

typedef struct made {
    slipc_result *result;
    mem_arena arena;
    const mod_code *code;
} made;

static made module_of(const char *source, const char *target)
{
    made m = { .result = compile(source, target, NULL, false) };
    const mod_module *module = NULL;
    size_t size;
    const void *bytes = slipc_module_bytes(m.result, &size);

    CHECK_STATUS(mem_arena_init(&m.arena), SLIP_OK);
    CHECK_STATUS(mod_read(&m.arena, bytes, size, &module), SLIP_OK);
    CHECK_EQ_U64(module->code_count, 1);
    m.code = &module->codes[0];
    return m;
}

static void made_finish(made *m)
{
    mem_arena_finish(&m->arena);
    slipc_result_free(m->result);
}

static void all_shaders_lie_in_one_text_that_ends(void)
{
    made m = module_of("#include <slipway/kernel.h>\n"
                       "slip_kernel f32 k(i32 n, i32 m, f32 x[n]) {\n    f32 s = 0;\n"
                       "    slip_for (i, n) s += x[i];\n    x[0] = s;\n"
                       "    slip_for (i, n) x[i] = s;\n    return s; }\n",
                       "ptx");
    const mod_shader *s = m.code->shaders;
    const uint32_t locals[5] = { 64, 1024, 1, 256, 1 };

    CHECK_EQ_U64(m.code->shader_count, 5); /* main and finish, serial, plain, the result */
    CHECK_EQ_U64(strlen((const char *)m.code->bytes) + 1, m.code->size);
    for (uint32_t k = 0; k < 5; k++) {
        char entry[32];
        snprintf(entry, sizeof entry, ".entry s%u(", k);
        CHECK_CONTAINS((const char *)m.code->bytes, entry);
        CHECK_EQ_U64(s[k].bytes, m.code->size);
        CHECK(s[k].inline_block && !s[k].strided && s[k].needs == 0);
        CHECK_EQ_I64(s[k].local_fixed, k != 3);
        CHECK_EQ_U64(s[k].local, locals[k]);
    }
    made_finish(&m);
}

static const char two_of_three[] = "#include <math.h>\n#include <slipway/kernel.h>\n"
                                   "static f64 area(f64 x) { return erf(x) + lgamma(x); }\n"
                                   "slip_kernel f64 k(i32 n, f64 x[n]) {\n    f64 s = 0;\n"
                                   "    slip_for (i, n) x[i] = fmod(x[i], 3);\n"
                                   "    slip_for (i, n)\n"
                                   "        s += area(x[i]);\n"
                                   "    slip_for (i, n) x[i] += s;\n    return s; }\n";

static void a_function_without_code_leaves_its_shaders_out_alone(void)
{
    made m = module_of(two_of_three, "ptx");
    const mod_shader *s = m.code->shaders;

    CHECK_EQ_U64(m.code->shader_count,
                 5); /* the remainder, main and finish of the sum, the addition, the result */
    CHECK(s[0].bytes == m.code->size && s[0].needs == 0);
    CHECK(s[3].bytes == m.code->size && s[3].needs == 0);
    for (int k = 1; k <= 2; k++) {
        CHECK_EQ_U64(s[k].bytes, 0);
        CHECK_EQ_U64(s[k].needs, 1 << MOD_NEED_MATH);
        CHECK_EQ_U64(s[k].need_places[MOD_NEED_MATH].line, 3);
    }
    CHECK_CONTAINS((const char *)m.code->bytes, ".entry s3(");
    CHECK(!strstr((const char *)m.code->bytes, ".entry s1("));
    CHECK(!strstr((const char *)m.code->bytes, "area"));
    made_finish(&m);
}

static void a_code_object_is_made_for_its_level_alone(void)
{
    /* e_flags' EF_AMDGPU_MACH (LLVM 19, "User Guide for AMDGPU Backend", ELF Header). */
    static const struct {
        const char *target;
        uint8_t mach;
    } rows[] = { { "gfx90a", 0x3f }, { "gfx942", 0x4c }, { "gfx1030", 0x36 }, { "gfx1100", 0x41 } };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        made m = module_of(arithmetic, rows[k].target);
        CHECK(memcmp(m.code->bytes, "\177ELF\002", 5) == 0);
        CHECK_EQ_U64(m.code->bytes[8], 3); /* EI_ABIVERSION of code object version 5 */
        CHECK_EQ_U64(m.code->bytes[48], rows[k].mach);
        CHECK_EQ_U64(m.code->shaders[0].bytes, m.code->size);
        made_finish(&m);
    }
}

static void the_same_source_gives_the_same_bytes(void)
{
    slipc_result *a = compile(two_of_three, "ptx,gfx1030", NULL, false),
                 *b = compile(two_of_three, "ptx,gfx1030", NULL, false);
    size_t a_size, b_size;
    const void *a_bytes = slipc_module_bytes(a, &a_size), *b_bytes = slipc_module_bytes(b, &b_size);

    CHECK_EQ_U64(a_size, b_size);
    CHECK(memcmp(a_bytes, b_bytes, a_size) == 0);
    slipc_result_free(a);
    slipc_result_free(b);
}

static const check_case cases[] = {
    CASE(a_thread_runs_one_iteration),
    CASE(bounds_in_cells_are_walked_to),
    CASE(updates_are_native_or_attempts),
    CASE(reductions_fold_lanes_and_blocks),
    CASE(every_float_operation_rounds_by_itself),
    CASE(arrays_are_global_and_read_where_they_lie),
    CASE(the_lowest_level_that_serves_is_asked_for),
    CASE(amd_code_is_unfused_and_global_too),
    CASE(reductions_wait_where_a_group_has_two_waves),
    CASE(a_missing_linker_is_named),
    CASE(all_shaders_lie_in_one_text_that_ends),
    CASE(a_function_without_code_leaves_its_shaders_out_alone),
    CASE(a_code_object_is_made_for_its_level_alone),
    CASE(the_same_source_gives_the_same_bytes),
};
CHECK_MAIN(cases)
