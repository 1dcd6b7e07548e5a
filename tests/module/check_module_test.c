/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_module_test.c - each claim of check_module.c, broken alone: the whole module passes, and
 * one change to it is refused with the claim's message.
 */
#include <string.h>

#include "module/read.h"
#include "module/whole.h"
#include "support/check.h"

/* name, the change, the message. `w` is the whole module. */
/* clang-format off */
#define BREAKS(X)                                                                                \
    X(file_without_name, w->files[1] = NULL, "a file has no name (item 1)")                      \
    /* kernel */                                                                                 \
    X(kernel_without_name, w->entries[1].name = NULL, "a kernel has no name")                    \
    X(kernel_of_empty_name, w->entries[1].name = "", "a kernel has no name")                     \
    X(two_kernels_of_one_name, w->entries[1].name = "all",                                       \
      "kernel all: two kernels have one name (item 1)")                                          \
    X(more_slots_than_may_be, w->entries[0].slot_count = (1 << 20) + 1,                          \
      "slots are out of range")                                                                  \
    X(fewer_slots_than_parameters, w->entries[0].slot_count = 4, "slots are out of range")       \
    X(cells_too_large, w->entries[0].cells_bytes = (1 << 20) + 1, "the cells are too large")     \
    X(cells_without_slot, w->entries[1].cells_slot = MOD_NONE,                                   \
      "the cells' slot is no free slot")                                                         \
    X(cells_in_a_parameter, w->entries[0].cells_slot = 2, "the cells' slot is no free slot")     \
    X(slot_without_cells,                                                                        \
      (w->entries[1].cells_bytes = 0, w->entries[1].result.kind = MOD_NO_RESULT),                \
      "the cells' slot is no free slot")                                                         \
    X(more_extents_than_instructions, w->entries[0].extent_instrs = 7,                           \
      "extents are out of range")                                                                \
    X(symbols_past_the_end, w->entries[1].first_symbol = 4, "symbols are out of range")          \
    X(symbols_far_past_the_end, w->entries[1].first_symbol = UINT32_MAX,                         \
      "symbols are out of range")                                                                \
    /* signature */                                                                              \
    X(parameter_without_name, w->params[2].name = NULL, "a parameter has no name (item 2)")      \
    X(parameter_of_empty_name, w->params[2].name = "", "a parameter has no name (item 2)")       \
    X(parameter_of_no_bytes, w->params[1].bytes = 0,                                             \
      "a parameter's size is out of range (item 1)")                                             \
    X(parameter_too_large, w->params[1].bytes = (1 << 20) + 1,                                   \
      "a parameter's size is out of range (item 1)")                                             \
    X(parameter_alignment, w->params[4].align = 3,                                               \
      "a parameter's alignment is no power of two up to 64 (item 4)")                            \
    X(parameter_no_alignment, w->params[4].align = 0,                                            \
      "a parameter's alignment is no power of two up to 64")                                     \
    X(parameter_alignment_large, w->params[4].align = 128,                                       \
      "a parameter's alignment is no power of two up to 64")                                     \
    X(struct_without_type, w->params[1].struct_name = NULL,                                      \
      "a struct parameter has no type (item 1)")                                                 \
    X(scalar_of_wrong_size, w->params[0].bytes = 8,                                              \
      "a parameter's size is not its type's (item 0)")                                           \
    X(element_of_wrong_size, w->params[2].bytes = 8,                                             \
      "a parameter's size is not its type's (item 2)")                                           \
    X(scalar_with_extents, w->params[0].rank = 1,                                                \
      "a parameter that is no array has extents (item 0)")                                       \
    X(extent_past_the_slots, w->params[4].extents[0] = 16,                                       \
      "an extent's slot is out of range (item 4)")                                               \
    X(extent_unknown_inside, w->params[2].extents[1] = MOD_NONE,                                 \
      "an extent's slot is out of range (item 2)")                                               \
    X(extent_unknown_unsaid, w->params[3].outer_unknown = false,                                 \
      "an extent's slot is out of range (item 3)")                                               \
    X(access_unknown, w->params[3].access = 32, "an access is of an unknown kind (item 3)")      \
    /* result */                                                                                 \
    X(result_of_no_bytes, w->entries[1].result.bytes = 0, "the result's size is out of range")   \
    X(result_too_large, w->entries[1].result.bytes = 65, "the result's size is out of range")    \
    X(result_outside, w->entries[1].result.cell = 8, "the result lies outside the cells")        \
    X(result_far_outside, w->entries[0].result.cell = UINT32_MAX - 3,                            \
      "the result lies outside the cells")                                                       \
    X(result_of_wrong_size, w->entries[0].result.bytes = 4,                                      \
      "the result's size is not its type's")                                                     \
    X(result_struct_without_type, w->entries[1].result.struct_name = NULL,                       \
      "the result's struct has no type")                                                         \
    /* instructions */                                                                           \
    X(target_past_the_slots, w->instrs[3].dst = 16,                                              \
      "an instruction's target is no free slot (item 3)")                                        \
    X(target_is_a_parameter, w->instrs[3].dst = 4,                                               \
      "an instruction's target is no free slot (item 3)")                                        \
    X(exact_without_text, w->instrs[0].text = NULL, "an exact instruction has no text (item 0)") \
    X(member_of_a_scalar, w->instrs[1].a = 0, "a member of what is no struct (item 1)")          \
    X(member_of_nothing, w->instrs[1].a = 5, "a member of what is no struct (item 1)")           \
    X(member_outside, w->instrs[1].b = 11, "a member outside its struct (item 1)")               \
    X(member_far_outside, w->instrs[1].b = UINT32_MAX, "a member outside its struct (item 1)")   \
    X(table_index_past_the_slots, w->instrs[2].a = 16, "an operand is out of range (item 2)")    \
    X(table_start_outside, w->instrs[2].b = 13, "a table outside the data (item 2)")             \
    X(table_end_outside, w->instrs[2].c = 9, "a table outside the data (item 2)")                \
    X(table_end_far_outside, w->instrs[2].c = UINT32_MAX, "a table outside the data (item 2)")   \
    X(moved_past_the_slots, w->instrs[3].a = 16, "an operand is out of range (item 3)")          \
    X(first_operand, w->instrs[5].a = 16, "an operand is out of range (item 5)")                 \
    X(second_operand, w->instrs[5].b = 16, "an operand is out of range (item 5)")                \
    X(third_operand, w->instrs[5].c = MOD_NONE, "an operand is out of range (item 5)")           \
    X(floor_of_an_integer, w->instrs[4].op = SCALAR_OP_floor,                                    \
      "an operation is not defined for its type (item 4)")                                       \
    /* constants, scratch */                                                                     \
    X(constant_past_the_slots, w->consts[1].slot = 16,                                           \
      "a constant's slot is no free slot (item 1)")                                              \
    X(constant_in_a_parameter, w->consts[1].slot = 0,                                            \
      "a constant's slot is no free slot (item 1)")                                              \
    X(scratch_without_name, w->scratch[1].name = NULL, "a scratch array has no name (item 1)")   \
    X(scratch_past_the_slots, w->scratch[1].slot = 16,                                           \
      "a scratch array's slot is no free slot (item 1)")                                         \
    X(scratch_in_a_parameter, w->scratch[1].slot = 2,                                            \
      "a scratch array's slot is no free slot (item 1)")                                         \
    X(scratch_of_no_bytes, w->scratch[0].bytes = 0,                                              \
      "a scratch element's size is out of range (item 0)")                                       \
    X(scratch_too_large, w->scratch[0].bytes = (1 << 20) + 1,                                    \
      "a scratch element's size is out of range (item 0)")                                       \
    X(scratch_alignment, w->scratch[0].align = 48,                                               \
      "a scratch alignment is no power of two up to 64 (item 0)")                                \
    X(scratch_extent, w->scratch[1].extents[3] = 16,                                             \
      "a scratch extent's slot is out of range (item 1)")                                        \
    X(variable_without_name, w->variables[1].name = NULL,                                        \
      "a variable has no name or type (item 1)")                                                 \
    X(variable_without_type, w->variables[2].type = NULL,                                        \
      "a variable has no name or type (item 2)")                                                 \
    X(variable_past_the_slots, w->variables[0].at = 16,                                          \
      "a variable lies outside the slots or cells (item 0)")                                     \
    X(variable_past_the_cells, w->variables[1].at = w->entries[0].cells_bytes,                      \
      "a variable lies outside the slots or cells (item 1)")                                        \
    /* nodes */                                                                                  \
    X(node_ends_at_itself, w->nodes[7].end = 7, "nodes do not nest (item 7)")                    \
    X(node_ends_past_its_parent, w->nodes[14].end = 16, "nodes do not nest (item 14)")           \
    X(node_ends_past_the_last, w->nodes[15].end = 22, "nodes do not nest (item 15)")             \
    X(section_outside_sections, w->nodes[6].kind = MOD_SECTION,                                  \
      "sections hold sections only (item 6)")                                                    \
    X(task_between_sections, w->nodes[16] = w->nodes[3]; w->nodes[16].end = 17,                  \
      "sections hold sections only")                                                             \
    X(leaf_with_children, w->nodes[3].kind = MOD_TASK; w->nodes[13].kind = MOD_TASK,             \
      "a node that takes no children has some (item 13)")                                        \
    X(branch_condition, w->nodes[2].cond = 16, "a branch's condition is out of range (item 2)")  \
    X(branch_else_before, w->nodes[2].other = 2, "a branch's else is out of range (item 2)")     \
    X(branch_else_after, w->nodes[2].other = 7, "a branch's else is out of range (item 2)")      \
    X(first_instruction, w->nodes[1].first = 7, "instructions are out of range (item 1)")        \
    X(instructions_past_the_end, w->nodes[1].count = 6,                                          \
      "instructions are out of range (item 1)")                                                  \
    X(instructions_far_past, w->nodes[1].count = UINT32_MAX,                                     \
      "instructions are out of range (item 1)")                                                  \
    X(task_that_is_not, w->nodes[3].first = 3, "a task is out of range (item 3)")                \
    X(scratch_that_is_not, w->nodes[0].first = 2, "a scratch array is out of range (item 0)")    \
    X(jump_condition, w->nodes[8].cond = 16, "a jump's condition is out of range (item 8)")      \
    X(break_outside, w->nodes[5].kind = MOD_BREAK, "a jump stands outside a loop (item 5)")      \
    X(continue_outside, w->nodes[5].kind = MOD_CONTINUE,                                         \
      "a jump stands outside a loop (item 5)")                                                   \
    X(break_in_a_device_loop, w->nodes[14].kind = MOD_BREAK,                                     \
      "a jump stands outside a loop (item 14)")                                                  \
    X(return_in_a_section, w->nodes[17].kind = MOD_RETURN,                                       \
      "a return stands in a section (item 17)")                                                  \
    X(continue_into_a_node, w->nodes[10].other = 11, "a continue lands inside a node (item 10)") \
    X(continue_out_of_the_loop, w->nodes[10].other = 14,                                         \
      "a continue lands inside a node (item 10)")                                                \
    X(device_condition, w->nodes[13].first = 37,                                                 \
      "a device loop's condition lies outside the cells (item 13)")                              \
    X(sections_in_sections, w->nodes[19] = w->nodes[15]; w->nodes[19].end = 21,                  \
      "sections stand in sections (item 19)")                                                    \
    /* tasks */                                                                                  \
    X(task_without_name, w->tasks[1].name = NULL, "a task has no name (item 1)")                 \
    X(block_too_small, w->tasks[0].block_bytes = 31, "a task's block is out of range (item 0)")  \
    X(block_too_large, w->tasks[0].block_bytes = 4097,                                           \
      "a task's block is out of range (item 0)")                                                 \
    X(index_of_float, w->tasks[0].axes[0].type = SCALAR_f64, "an index is no integer (item 0)")  \
    X(index_of_bool, w->tasks[0].axes[0].type = SCALAR_bool, "an index is no integer (item 0)")  \
    X(bound_of_nothing, w->tasks[0].axes[0].lo = MOD_NONE,                                       \
      "a bound is not one of slot and cell (item 0)")                                            \
    X(bound_of_both, w->tasks[0].axes[1].hi = 5, "a bound is not one of slot and cell (item 0)") \
    X(lower_bound_slot, w->tasks[0].axes[0].lo = 16, "a bound's slot is out of range (item 0)")  \
    X(upper_bound_slot, w->tasks[0].axes[0].hi = 16, "a bound's slot is out of range (item 0)")  \
    X(lower_bound_cell, w->tasks[1].axes[0].lo_cell = 39,                                        \
      "a bound lies outside the cells (item 1)")                                                 \
    X(upper_bound_cell, w->tasks[0].axes[1].hi_cell = 37,                                        \
      "a bound lies outside the cells (item 0)")                                                 \
    X(argument_in_the_axes, w->args[3].offset = 8,                                               \
      "an argument lies outside the block (item 1)")                                             \
    X(argument_past_the_block, w->args[0].offset = 64,                                           \
      "an argument lies outside the block (item 0)")                                             \
    X(argument_far_past, w->args[1].offset = UINT32_MAX - 7,                                     \
      "an argument lies outside the block (item 0)")                                             \
    X(argument_of_no_slot, w->args[0].index = 16, "an argument from a slot is not one (item 0)") \
    X(argument_of_four_bytes, w->args[0].bytes = 4,                                              \
      "an argument from a slot is not one (item 0)")                                             \
    X(argument_askew, w->args[0].offset = 36, "an argument from a slot is not one (item 0)")     \
    X(argument_of_a_scalar, w->args[1].index = 0, "an argument from what is no struct (item 0)") \
    X(argument_of_nothing, w->args[1].index = 5, "an argument from what is no struct (item 0)")  \
    X(struct_cut, w->args[1].bytes = 8, "a struct argument's size is not its type's (item 0)")   \
    X(predicate_outside, w->tasks[0].predicate = 37,                                             \
      "a predicate lies outside the cells (item 0)")                                             \
    X(reduction_undefined, w->reduces[0].op = SCALAR_OP_xor,                                     \
      "a reduction is not defined for its type (item 1)")                                        \
    X(reduction_outside, w->reduces[0].cell = 33, "a reduction lies outside the cells (item 1)") \
    X(partials_without_reductions, w->tasks[0].partial_offset = 56,                              \
      "a task without reductions has partial results")                                           \
    X(finishes_without_reductions, w->tasks[0].finishes_always = true,                           \
      "a task without reductions has nothing to finish (item 0)")                                \
    X(partials_of_one, w->tasks[1].partial_bytes = 8,                                            \
      "partial results are not 8 bytes each (item 1)")                                           \
    X(partials_of_none, w->tasks[1].partial_bytes = 0,                                           \
      "partial results are not 8 bytes each (item 1)")                                           \
    X(partials_in_the_axes, w->tasks[1].partial_offset = 8,                                      \
      "partial results lie outside the block (item 1)")                                          \
    X(partials_askew, w->tasks[1].partial_offset = 20,                                           \
      "partial results lie outside the block (item 1)")                                          \
    X(partials_past_the_block, w->tasks[1].partial_offset = 32,                                  \
      "partial results lie outside the block (item 1)")                                          \
    X(partials_far_past, w->tasks[1].partial_offset = UINT32_MAX - 7,                            \
      "partial results lie outside the block")                                                   \
    X(access_to_a_scalar, w->accesses[1].array = 0, "an access names no array (item 0)")         \
    X(access_past_the_cells, w->accesses[1].array = 8, "an access names no array (item 0)")      \
    X(access_of_unknown_kind, w->accesses[1].flags = 64,                                         \
      "an access is of an unknown kind (item 0)")                                                \
    X(update_that_does_not_read, w->accesses[0].flags = MOD_WRITE | MOD_UPDATE,                  \
      "an access is of an unknown kind (item 0)")                                                \
    X(pair_of_a_struct, w->aparts[1].a = 1, "a pair names no array (item 0)")                    \
    X(pair_past_the_cells, w->aparts[1].b = 8, "a pair names no array (item 0)")                 \
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

#define BREAK_FUNCTION(name, change, message)                                                      \
    static void break_##name(whole *w)                                                             \
    {                                                                                              \
        change;                                                                                    \
    }
BREAKS(BREAK_FUNCTION)

static const struct broken {
    const char *name;
    void (*change)(whole *w);
    const char *message;
} breaks[] = {
#define BREAK_ROW(name, change, message) { #name, break_##name, message },
    BREAKS(BREAK_ROW)
};

static void the_whole_module_passes(void)
{
    whole w;

    whole_make(&w);
    CHECK_STATUS(mod_check(&w.m), SLIP_OK);
}

static void each_broken_claim_is_refused_by_its_name(void)
{
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        whole w;
        whole_make(&w);
        breaks[i].change(&w);
        fail_clear();
        slip_status status = mod_check(&w.m);
        if (status != SLIP_ERR_FORMAT || fail_last()->code != status ||
            !strstr(fail_last()->message, breaks[i].message))
            CHECK_FAIL("%s: %s, \"%s\"; expected \"%s\"", breaks[i].name,
                       status ? "refused" : "passed", status ? fail_last()->message : "",
                       breaks[i].message);
    }
}

/* Changes at the border of what is allowed, so that a claim that asks too much is seen. */
static void what_just_fits_passes(void)
{
    whole w;

    whole_make(&w);
    w.entries[0].slot_count = 1 << 20;
    w.entries[0].cells_bytes = 1 << 20;
    w.params[1].align = 64;
    w.scratch[0].bytes = 1 << 20;
    w.entries[0].result.cell = (1 << 20) - 8;
    w.tasks[0].predicate = (1 << 20) - 4;
    w.nodes[13].first = (1 << 20) - 4;
    w.nodes[10].other = 13;
    w.nodes[2].other = 6;
    w.instrs[2].b = 12;
    w.instrs[2].c = 0;
    w.tasks[0].block_bytes = 4096;
    w.args[0].offset = 4088;
    w.shaders[0].inline_block = false; /* 4,096 bytes go by address */
    w.kernels[0].inline_block = false; /* and here, since a header comes first */
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

static void nodes_may_nest_200_deep_and_no_deeper(void)
{
    static mod_node nodes[203];
    whole w;

    for (uint32_t depth = 199; depth <= 200; depth++) {
        whole_make(&w);
        for (uint32_t i = 0; i <= depth; i++)
            nodes[i] = (mod_node){ .kind = i < depth ? MOD_LOOP : MOD_EVAL, .end = depth + 1 };
        w.entries[1].nodes = nodes;
        w.entries[1].node_count = depth + 1;
        if (depth == 199) {
            CHECK_STATUS(mod_check(&w.m), SLIP_OK);
        } else {
            CHECK_STATUS(mod_check(&w.m), SLIP_ERR_FORMAT);
            CHECK_CONTAINS(fail_last()->message, "nodes nest too deep (item 200)");
        }
    }
}

static const check_case cases[] = {
    CASE(the_whole_module_passes),
    CASE(each_broken_claim_is_refused_by_its_name),
    CASE(what_just_fits_passes),
    CASE(a_kernel_is_passed_4096_bytes_and_code_objects_end_as_they_like),
    CASE(nodes_may_nest_200_deep_and_no_deeper),
};
CHECK_MAIN(cases)
