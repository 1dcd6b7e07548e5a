/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_switch.c - a switch of the IR: an OpSwitch, or one test after another.
 */
#include "target/spirv_flow.h"

enum { MOST_TESTS = 32 };

/* Tests one after another, where exits of blocks would have to cross an OpSwitch, or the value has
 * 64 bits. */
static bool as_tests(const ir_op *op)
{
    uint32_t tests = 0;

    if (scalar_types[op->in[0]->type->scalar].bytes == 8)
        return true;
    for (uint32_t k = 0; k + 1 < op->region_count; k++)
        tests += op->cases[k].count;
    if (tests > MOST_TESTS)
        return false;
    for (uint32_t k = 0; k < op->region_count; k++)
        if (spirv_has_exit(op->regions[k], NULL, IR_break))
            return true;
    return false;
}

static spirv_id is_case(spirv_emit *e, const ir_op *op, uint32_t k)
{
    scalar_type type = op->in[0]->type->scalar;
    spirv_id flag = spirv_type(e, SPIRV_BOOL), value = spirv_value(e, op->in[0]), any = 0;

    for (uint32_t i = 0; i < op->cases[k].count; i++) {
        spirv_id same =
            spirv_make2(e, SPIRV_IEqual, flag, value, spirv_const(e, type, op->cases[k].values[i]));
        any = any ? spirv_make2(e, SPIRV_LogicalOr, flag, any, same) : same;
    }
    return any ? any : spirv_bool(e, false);
}

static void switch_tests(spirv_emit *e, const ir_op *op)
{
    uint32_t count = op->region_count - 1;
    spirv_id *merges = arena_new(e->arena, (count + 1) * sizeof *merges);
    bool *reached = arena_new(e->arena, (count + 1) * sizeof *reached);

    for (uint32_t k = 0; k < count; k++) {
        spirv_id yes = spirv_new(e), no = spirv_new(e);
        merges[k] = spirv_new(e);
        spirv_branch_if(e, is_case(e, op, k), yes, no, merges[k]);
        spirv_block_begin(e, yes);
        spirv_region(e, op->regions[k]);
        reached[k] = e->open;
        if (e->open)
            spirv_branch(e, merges[k]);
        spirv_block_begin(e, no);
    }
    spirv_region(e, op->regions[count]);
    for (uint32_t k = count; k-- > 0;) {
        reached[k] |= e->open;
        spirv_block_begin(e, merges[k]);
        if (!reached[k])
            spirv_unreachable(e);
    }
}

void spirv_switch(spirv_emit *e, const ir_op *op)
{
    spirv_words *w = &e->words[SPIRV_IN_BODY];
    spirv_id value = spirv_value(e, op->in[0]);

    if (as_tests(op)) {
        switch_tests(e, op);
        return;
    }
    spirv_id *labels = arena_new(e->arena, op->region_count * sizeof *labels);
    spirv_construct *c = spirv_construct_push(e, SPIRV_SWITCH, NULL);
    uint32_t header[2] = { c->merge, 0 };
    for (uint32_t k = 0; k < op->region_count; k++)
        labels[k] = spirv_new(e);
    spirv_line(e, SPIRV_SelectionMerge, header, 2);
    spirv_words_begin(w, SPIRV_Switch);
    spirv_words_add(w, value);
    spirv_words_add(w, labels[op->region_count - 1]);
    for (uint32_t k = 0; k + 1 < op->region_count; k++)
        for (uint32_t i = 0; i < op->cases[k].count; i++) {
            spirv_words_add(w, (uint32_t)op->cases[k].values[i]);
            spirv_words_add(w, labels[k]);
        }
    spirv_words_end(w);
    e->open = false;
    for (uint32_t k = 0; k < op->region_count; k++) {
        /* A label that no case names would be a block outside the construct. */
        if (k + 1 < op->region_count && op->cases[k].count == 0)
            continue;
        spirv_block_begin(e, labels[k]);
        spirv_region(e, op->regions[k]);
        c->merge_reached |= e->open;
        if (e->open)
            spirv_branch(e, c->merge);
    }
    spirv_construct_pop(e, c);
}
