/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_code_test.c - each claim of check_code.c, broken alone.
 */
#include "module/broken.h"
#include "module/read.h"
#include "support/check.h"

/* name, the change, the message. `w` is the whole module. */
/* clang-format off */
#define BREAKS(X)                                                                                \
    /* code */                                                                                   \
    X(symbols_missing, w->codes[1].symbol_count = 3,                                             \
      "a code's symbols are not one per task (item 1)")                                          \
    X(imports_askew, w->codes[1].imports_offset = 65537,                                         \
      "a code's imports are out of range (item 1)")                                              \
    X(imports_in_the_code, w->codes[1].imports_offset = 0,                                       \
      "a code's imports are out of range (item 1)")                                              \
    X(imports_too_far, w->codes[1].imports_offset = UINT64_C(1) << 32,                           \
      "a code's imports are out of range (item 1)")                                              \
    X(imports_too_many, w->codes[1] = with_imports(w->codes[1], 4097),                           \
      "a code has too many imports (item 1)")                                                    \
    X(import_without_name, w->imports[1] = NULL, "an import has no name (item 1)")               \
    X(import_of_empty_name, w->imports[1] = "", "an import has no name (item 1)")                \
    X(task_past_the_code, w->symbols[1][2].main = 40, "a task lies outside its code (item 2)")   \
    X(finish_past_the_code, w->symbols[1][1].finish = 40,                                        \
      "a task's finish lies outside its code (item 1)")                                          \
    X(finish_missing, w->symbols[1][1].finish = MOD_NONE,                                        \
      "a task's finish lies outside its code (item 1)")                                          \
    X(finish_of_no_reduction, w->symbols[1][2].finish = 8,                                       \
      "a task's finish lies outside its code (item 2)")                                          \
    /* shaders */                                                                                \
    X(shader_of_bytes, w->shaders[1].offset = 22, "a shader is not made of words (item 1)")      \
    X(shader_cut, w->shaders[1].bytes = 21, "a shader is not made of words (item 1)")            \
    X(shader_of_half_a_header, w->shaders[1].bytes = 16,                                         \
      "a shader is not made of words (item 1)")                                                  \
    X(shader_past_the_code, w->shaders[3].offset = 80,                                           \
      "a shader lies outside its code (item 3)")                                                 \
    X(shader_far_past, w->shaders[3].offset = UINT32_MAX - 3,                                    \
      "a shader lies outside its code (item 3)")                                                 \
    X(shader_without_end, w->shaders[0].bytes = UINT32_MAX - 3,                                  \
      "a shader lies outside its code (item 0)")                                                 \
    X(shader_of_another_word, w->words[40] = 4, "a shader is no SPIR-V (item 2)")                \
    X(workgroup_of_none, w->shaders[0].local = 0, "a shader's workgroup is out of range (item 0)") \
    X(workgroup_too_large, w->shaders[0].local = 1025,                                           \
      "a shader's workgroup is out of range (item 0)")                                           \
    X(need_unknown, w->shaders[0].needs = 1u << MOD_NEED_COUNT,                                  \
      "a shader needs what is unknown (item 0)")                                                 \
    X(left_out_with_words, w->shaders[4].bytes = 20,                                             \
      "a shader that was left out has words (item 4)")                                           \
    X(empty_without_a_reason, w->shaders[4].needs = 0, "a shader is not made of words (item 4)") \
    X(task_without_shader, w->symbols[2][0].main = 5, "a task names no shader (item 0)")         \
    X(finish_without_shader, w->symbols[2][1].finish = MOD_NONE,                                 \
      "a task names no shader (item 1)")                                                         \
    X(finish_of_what_reduces_nothing, w->symbols[2][2].finish = 2,                               \
      "a task without reductions has a finish (item 2)")                                         \
    X(block_too_large_to_push, (w->tasks[0].block_bytes = 100),                                  \
      "a task's block does not fit into what a shader is passed (item 0)")                       \
    X(reduction_that_walks_on, w->shaders[1].strided = true,                                     \
      "a shader walks on that must not (item 1)")                                                \
    X(serial_that_walks_on, w->shaders[3].strided = true,                                        \
      "a shader walks on that must not (item 2)")                                                \
    X(reduction_of_32_lanes, w->shaders[1].local = 32,                                           \
      "a reduction's workgroup is not its lanes (item 1)")                                       \
    X(reduction_of_any_lanes, w->shaders[2].local_fixed = false,                                 \
      "a reduction's workgroup is not its lanes (item 1)")                                       \
    X(serial_of_two, w->shaders[3].local = 2,                                                    \
      "a serial task's workgroup is not one invocation (item 2)")                                \
    X(tables_askew, w->codes[2].data_offset = 72,                                                \
      "constant tables lie outside their code (item 2)")                                         \
    X(tables_past_the_code, w->codes[2].data_bytes = 17,                                         \
      "constant tables lie outside their code (item 2)")                                         \
    X(tables_without_end, w->codes[2].data_bytes = UINT32_MAX,                                   \
      "constant tables lie outside their code (item 2)")                                         \
    X(shaders_that_import, w->codes[2].imports_offset = 65536,                                   \
      "shaders import nothing (item 2)")                                                         \
    /* shaders of a stream target */                                                             \
    X(text_without_end, w->ptx[7] = '.', "a text does not end (item 3)")                         \
    X(text_of_nothing, w->codes[3].size = 0, "a text does not end (item 3)")                     \
    X(kernel_with_a_place, w->kernels[3].offset = 4,                                             \
      "a shader is not the whole code (item 3)")                                                 \
    X(kernel_of_a_part, w->kernels[0].bytes = 7, "a shader is not the whole code (item 0)")      \
    X(kernel_of_nothing, w->kernels[1].bytes = 0, "a shader is not the whole code (item 1)")     \
    X(kernel_left_out_with_bytes, w->kernels[4].bytes = 8,                                       \
      "a shader that was left out has words (item 4)")                                           \
    X(kernel_of_too_many_threads, w->kernels[0].local = 1025,                                    \
      "a shader's workgroup is out of range (item 0)")                                           \
    X(kernel_reduction_of_256_lanes, w->kernels[1].local = 256,                                  \
      "a reduction's workgroup is not its lanes (item 1)")                                       \
    X(kernel_finish_of_64_lanes, w->kernels[2].local = 64,                                       \
      "a reduction's workgroup is not its lanes (item 1)")                                       \
    X(block_too_large_to_pass,                                                                   \
      (w->shaders[0].inline_block = false, w->tasks[0].block_bytes = 4065),                      \
      "a task's block does not fit into what a shader is passed (item 0)")                       \
    X(kernels_with_tables, w->codes[3].data_bytes = 8,                                           \
      "a code that holds its own tables has others (item 3)")                                    \
    X(kernels_that_import, w->codes[3].imports_offset = 65536,                                   \
      "shaders import nothing (item 3)")
/* clang-format on */

/* As if the file listed that many: a count says how many items there are. */
static mod_code with_imports(mod_code code, uint32_t count)
{
    static const char *names[5000];

    for (uint32_t i = 0; i < count; i++)
        names[i] = "sinf";
    code.imports = names;
    code.import_count = count;
    return code;
}

BREAKS(BREAK_FUNCTION)
static const broken_claim breaks[] = { BREAKS(BREAK_ROW) };

static void each_broken_claim_is_refused_by_its_name(void)
{
    broken_claims_refused(breaks, sizeof breaks / sizeof breaks[0]);
}

/* Changes at the border of what is allowed, so that a claim that asks too much is seen. */
static void what_just_fits_passes(void)
{
    whole w;

    whole_make(&w);
    w.codes[1] = with_imports(w.codes[1], 4096);
    w.codes[1].imports_offset = UINT32_MAX - 65535;
    w.symbols[0][0].main = 39;
    CHECK_STATUS(mod_check(&w.m), SLIP_OK);
}

/* 24 bytes of header and 8 of the second axis come before the block. */
static void a_kernel_is_passed_4096_bytes_and_code_objects_end_as_they_like(void)
{
    whole w;

    whole_make(&w);
    w.shaders[0].inline_block = false;
    w.tasks[0].block_bytes = 4064;
    CHECK_STATUS(mod_check(&w.m), SLIP_OK);
    for (mod_target t = MOD_TARGET_GFX90A; t <= MOD_TARGET_GFX1100; t++) {
        w.codes[3].target = t;
        w.ptx[7] = 'x';
        CHECK_STATUS(mod_check(&w.m), SLIP_OK);
    }
}

static const check_case cases[] = {
    CASE(each_broken_claim_is_refused_by_its_name),
    CASE(what_just_fits_passes),
    CASE(a_kernel_is_passed_4096_bytes_and_code_objects_end_as_they_like),
};
CHECK_MAIN(cases)
