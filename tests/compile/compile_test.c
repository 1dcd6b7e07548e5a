/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_test.c - the library's own promises: options, targets, stages, dependencies, results on
 * failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipc.h>

#include "base/mem.h"
#include "base/text.h"
#include "compile/compile.h"
#include "module/read.h"
#include "support/check.h"

static const char scale[] = "#include <slipway/kernel.h>\n"
                            "slip_kernel void scale(i32 n, f32 a, f32 x[n])\n"
                            "{\n"
                            "    slip_for (i, n)\n"
                            "        x[i] *= a;\n"
                            "}\n";

static slipc_result *compile(const char *source, const slipc_options *options, slip_status wanted)
{
    slipc_result *result = NULL;

    CHECK_EQ_I64(slipc_compile("scale.c", source, options, &result), wanted);
    CHECK(result != NULL);
    CHECK_EQ_I64(slipc_result_error(result)->code, wanted);
    return result;
}

static const mod_module *read_module(mem_arena *arena, const slipc_result *result)
{
    const mod_module *module = NULL;
    size_t size = 0;
    const void *bytes = slipc_module_bytes(result, &size);

    CHECK_STATUS(mem_arena_init(arena), SLIP_OK);
    CHECK_STATUS(mod_read(arena, bytes, size, &module), SLIP_OK);
    return module;
}

#define X86_64_LEVELS                                                                              \
    (1u << MOD_TARGET_CPU_X86_64_V2 | 1u << MOD_TARGET_CPU_X86_64_V3 |                             \
     1u << MOD_TARGET_CPU_X86_64_V4)
#if defined(__aarch64__)
#define OWN_LEVELS (1u << MOD_TARGET_CPU_AARCH64)
#else
#define OWN_LEVELS X86_64_LEVELS
#endif

static uint32_t targets_made(const mod_module *module)
{
    uint32_t made = 0;

    for (uint32_t c = 0; c < module->code_count; c++)
        made |= 1u << module->codes[c].target;
    return made;
}

static void named_sets_hold_their_targets(void)
{
    static const struct {
        const char *targets;
        uint32_t made;
    } rows[] = {
        { "cpu", OWN_LEVELS },
        { "cpu-x86-64", X86_64_LEVELS },
        { "cpu-all", X86_64_LEVELS | 1u << MOD_TARGET_CPU_AARCH64 },
        { "cpu-aarch64,cpu", OWN_LEVELS | 1u << MOD_TARGET_CPU_AARCH64 },
        { "spirv", 1u << MOD_TARGET_SPIRV },
        { "cuda", 1u << MOD_TARGET_PTX },
        { "hip", 1u << MOD_TARGET_GFX90A | 1u << MOD_TARGET_GFX942 | 1u << MOD_TARGET_GFX1030 |
                     1u << MOD_TARGET_GFX1100 },
        { "gfx1030,ptx,host", 0 }, /* and the host's, below */
    };

    uint32_t few =
        1u << MOD_TARGET_GFX1030 | 1u << MOD_TARGET_PTX | 1u << compile_host_target();

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        slipc_options options = { .targets = rows[k].targets };
        slipc_result *result = compile(scale, &options, SLIP_OK);
        mem_arena arena;
        CHECK_EQ_U64(targets_made(read_module(&arena, result)), rows[k].made ? rows[k].made : few);
        mem_arena_finish(&arena);
        slipc_result_free(result);
    }
}

static void the_default_is_every_level_of_this_machine_ptx_and_shaders(void)
{
    slipc_result *result = compile(scale, NULL, SLIP_OK);
    mem_arena arena;
    const mod_module *module = read_module(&arena, result);

    CHECK_EQ_U64(targets_made(module),
                 OWN_LEVELS | 1u << MOD_TARGET_PTX | 1u << MOD_TARGET_SPIRV);
    CHECK_EQ_U64(module->entry_count, 1);
    CHECK_TEXT(module->entries[0].name, "scale");
    CHECK_EQ_U64(module->entries[0].task_count, 1);
    mem_arena_finish(&arena);
    slipc_result_free(result);
}

static void named_targets_alone_are_compiled(void)
{
    slipc_options options = { .targets = "cpu-x86-64-v3,cpu-aarch64" };
    slipc_result *result = compile(scale, &options, SLIP_OK);
    mem_arena arena;
    const mod_module *module = read_module(&arena, result);

    CHECK_EQ_U64(module->code_count, 2);
    CHECK_EQ_U64(module->codes[0].target, MOD_TARGET_CPU_X86_64_V3);
    CHECK_EQ_U64(module->codes[1].target, MOD_TARGET_CPU_AARCH64);
    mem_arena_finish(&arena);
    slipc_result_free(result);
}

static void an_unknown_target_is_named_with_those_there_are(void)
{
    slipc_options options = { .targets = "cpu-z80" };
    slipc_result *result = compile(scale, &options, SLIP_ERR_ARGUMENT);
    size_t size = 1;

    CHECK_CONTAINS(slipc_result_error(result)->message, "cpu-z80");
    CHECK_CONTAINS(slipc_result_error(result)->message, "cpu-aarch64");
    CHECK_CONTAINS(slipc_result_error(result)->message, "cuda, hip, cpu-x86-64-v2");
    slipc_module_bytes(result, &size);
    CHECK_EQ_U64(size, 0);
    slipc_result_free(result);
}

static void a_list_of_no_target_is_refused(void)
{
    slipc_options options = { .targets = "" };
    slipc_result *result = compile(scale, &options, SLIP_ERR_ARGUMENT);

    CHECK_CONTAINS(slipc_result_error(result)->message, "no target ``; there are host, cpu, ");
    slipc_result_free(result);
}

static void each_stage_has_a_text(void)
{
    static const struct {
        const char *stage, *part;
    } rows[] = { { "front", "kernel void scale" },
                 { "inline", "kernel void scale" },
                 { "dce", "task %" },
                 { "access", "access 2 read write update single" },
                 { "atomics", "access 2 read write single" },
                 { "launch", "task 0 scale:4" },
                 { "llvm", "define" },
                 { "optimized", "define" },
                 { "asm", ".text" } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        slipc_options options = { .targets = "host", .dump = rows[i].stage };
        slipc_result *result = compile(scale, &options, SLIP_OK);
        CHECK_CONTAINS(slipc_dump_text(result), rows[i].part);
        slipc_result_free(result);
    }
}

static void an_unknown_stage_is_refused_with_those_there_are(void)
{
    slipc_options options = { .dump = "parse" };
    slipc_result *result = compile(scale, &options, SLIP_ERR_ARGUMENT);

    CHECK_CONTAINS(slipc_result_error(result)->message, "parse");
    CHECK_CONTAINS(slipc_result_error(result)->message, "launch");
    slipc_result_free(result);
}

static void the_same_source_gives_the_same_bytes(void)
{
    slipc_result *a = compile(scale, NULL, SLIP_OK), *b = compile(scale, NULL, SLIP_OK);
    size_t a_size = 0, b_size = 0;
    const void *a_bytes = slipc_module_bytes(a, &a_size), *b_bytes = slipc_module_bytes(b, &b_size);

    CHECK(a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0);
    slipc_result_free(a);
    slipc_result_free(b);
}

static void a_refused_source_keeps_its_diagnostics(void)
{
    slipc_result *result =
        compile("#include <slipway/kernel.h>\n"
                "slip_kernel void f(i32 n, f32 x[n]) { slip_for (i, n) x[j] = 0; }\n",
                NULL, SLIP_ERR_COMPILE);
    const slipc_diagnostic *d = slipc_diagnostic_at(result, 0);

    CHECK(d != NULL);
    CHECK_EQ_I64(d->severity, SLIPC_ERROR);
    CHECK_EQ_U64(d->line, 2);
    CHECK_CONTAINS(d->text, "scale.c:2:");
    CHECK(slipc_diagnostic_at(result, slipc_diagnostic_count(result)) == NULL);
    slipc_result_free(result);
}

static void a_missing_file_is_not_found(void)
{
    slipc_result *result = NULL;

    CHECK_EQ_I64(slipc_compile("/nowhere/at/all.c", NULL, NULL, &result), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slipc_result_error(result)->message,
                   "cannot read /nowhere/at/all.c: No such file");
    slipc_result_free(result);
}

static void dependencies_begin_with_the_source(void)
{
    slipc_result *result = NULL;
    const char *path = check_path("examples/arm/arm_f32.c");

    CHECK_EQ_I64(slipc_compile(path, NULL, &(slipc_options){ .targets = "host" }, &result),
                 SLIP_OK);
    CHECK(slipc_dependency_count(result) >= 4);
    CHECK_TEXT(slipc_dependency_at(result, 0), path);
    bool kernels = false;
    for (uint32_t i = 0; i < slipc_dependency_count(result); i++)
        kernels |= strstr(slipc_dependency_at(result, i), "arm_kernels.h") != NULL;
    CHECK(kernels);
    slipc_result_free(result);
}

/* A switch in which each of `count` groups falls into the next one. */
static size_t code_of_a_switch(uint32_t count)
{
    slipc_options options = { .targets = "cpu-x86-64-v3", .dump = "asm" };
    text source = { 0 };

    text_add(&source, "#include <slipway/kernel.h>\n"
                      "slip_kernel void f(i32 n, const i32 x[n], i32 y[n])\n"
                      "{ slip_for (i, n) { i32 s = 0; switch (x[i]) {\n");
    for (uint32_t k = 0; k < count; k++)
        text_add(&source, "case %u: s += %u * x[i];\n", k, k * 7 % 13 + 1);
    text_add(&source, "} y[i] = s; } }\n");
    slipc_result *result = compile(text_get(&source), &options, SLIP_OK);
    size_t bytes = strlen(slipc_dump_text(result));
    slipc_result_free(result);
    text_finish(&source);
    return bytes;
}

static void code_of_a_switch_grows_with_its_labels(void)
{
    size_t few = code_of_a_switch(40), many = code_of_a_switch(160);

    CHECK(few > 0);
    CHECK(many < 6 * few); /* four times the labels */
}

static const check_case cases[] = {
    CASE(the_default_is_every_level_of_this_machine_ptx_and_shaders),
    CASE(named_sets_hold_their_targets),
    CASE(named_targets_alone_are_compiled),
    CASE(a_list_of_no_target_is_refused),
    CASE(an_unknown_target_is_named_with_those_there_are),
    CASE(each_stage_has_a_text),
    CASE(an_unknown_stage_is_refused_with_those_there_are),
    CASE(the_same_source_gives_the_same_bytes),
    CASE(a_refused_source_keeps_its_diagnostics),
    CASE(a_missing_file_is_not_found),
    CASE(dependencies_begin_with_the_source),
    CASE(code_of_a_switch_grows_with_its_labels),
};
CHECK_MAIN(cases)
