/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_module_test.c - each claim of check_module.c, broken alone.
 */
#include "module/broken.h"
#include "module/read.h"
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
    /* scratch, variables */                                                                     \
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
    X(part_past_the_cells, w->accesses[2].bytes = w->entries[0].cells_bytes - 11,                \
      "an access lies outside the cells (item 0)")                                               \
    X(part_far_past, w->accesses[2].first = UINT32_MAX, "an access lies outside the cells")      \
    X(part_of_an_array, w->accesses[1].bytes = 4, "an access lies outside the cells (item 0)")   \
    X(part_of_no_bytes, w->accesses[2].bytes = 0, "an access lies outside the cells (item 0)")   \
    X(pair_of_a_struct, w->aparts[1].a = 1, "a pair names no array (item 0)")                    \
    X(pair_past_the_cells, w->aparts[1].b = 8, "a pair names no array (item 0)")
/* clang-format on */

BREAKS(BREAK_FUNCTION)
static const broken_claim breaks[] = { BREAKS(BREAK_ROW) };

static void the_whole_module_passes(void)
{
    whole w;

    whole_make(&w);
    CHECK_STATUS(mod_check(&w.m), SLIP_OK);
}

static void each_broken_claim_is_refused_by_its_name(void)
{
    broken_claims_refused(breaks, sizeof breaks / sizeof breaks[0]);
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
    w.tasks[0].block_bytes = 4096;
    w.args[0].offset = 4088;
    w.shaders[0].inline_block = false; /* 4,096 bytes go by address */
    w.kernels[0].inline_block = false; /* and here, since a header comes first */
    CHECK_STATUS(mod_check(&w.m), SLIP_OK);
}

static const check_case cases[] = {
    CASE(the_whole_module_passes),
    CASE(each_broken_claim_is_refused_by_its_name),
    CASE(what_just_fits_passes),
};
CHECK_MAIN(cases)
