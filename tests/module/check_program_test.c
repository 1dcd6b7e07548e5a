/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_program_test.c - each claim of check_program.c, broken alone.
 */
#include "module/broken.h"
#include "module/read.h"
#include "support/check.h"

/* name, the change, the message. `w` is the whole module. */
/* clang-format off */
#define BREAKS(X)                                                                                \
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
    /* constants */                                                                              \
    X(constant_past_the_slots, w->consts[1].slot = 16,                                           \
      "a constant's slot is no free slot (item 1)")                                              \
    X(constant_in_a_parameter, w->consts[1].slot = 0,                                            \
      "a constant's slot is no free slot (item 1)")                                              \
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
      "sections stand in sections (item 19)")
/* clang-format on */

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
    w.entries[0].cells_bytes = 1 << 20;
    w.nodes[13].first = (1 << 20) - 4;
    w.nodes[10].other = 13;
    w.nodes[2].other = 6;
    w.instrs[2].b = 12;
    w.instrs[2].c = 0;
    CHECK_STATUS(mod_check(&w.m), SLIP_OK);
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
    CASE(each_broken_claim_is_refused_by_its_name),
    CASE(what_just_fits_passes),
    CASE(nodes_may_nest_200_deep_and_no_deeper),
};
CHECK_MAIN(cases)
