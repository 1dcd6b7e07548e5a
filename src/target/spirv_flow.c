/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_flow.c - structured control flow (SPIR-V 1.5, 2.11).
 *
 * The IR leaves any number of levels at once; a block of SPIR-V may branch only to the merge or
 * continue target of the innermost loop around it, or to the merge of the innermost switch that no
 * loop comes between. So an IR loop is a loop, a block that is left early is a switch with one
 * case, and an exit that must cross something goes in steps: it stores where it goes, a code, and
 * branches to the merge of what is in its way; there the code is tested, and the exit goes on.
 * The open constructs and the exits that wait at their merges are one list, e->construct.
 *
 * A break or continue that only goes where its region ends anyway is no exit at all. A return
 * leaves the function from anywhere (OpReturn): a task's body is a function of its own.
 */
#include "target/spirv_flow.h"

/* ---- constructs and exits ---- */

spirv_construct *spirv_construct_push(spirv_emit *e, spirv_construct_kind kind, const ir_op *op)
{
    spirv_construct *c = arena_new(e->arena, sizeof *c);

    *c = (spirv_construct){ .up = e->construct, .kind = kind, .op = op, .number = ++e->constructs };
    if (kind != SPIRV_LEVEL)
        c->merge = spirv_new(e);
    e->construct = c;
    return c;
}

/* The innermost construct that a branch to `to` may not cross, NULL if there is none. */
static spirv_construct *in_the_way(const spirv_emit *e, const spirv_construct *to)
{
    for (spirv_construct *c = e->construct; c && c != to; c = c->up)
        if (c->kind == SPIRV_LOOP ||
            (to->kind == SPIRV_BLOCK && (c->kind == SPIRV_BLOCK || c->kind == SPIRV_SWITCH)))
            return c;
    return NULL;
}

static uint32_t code_of(const spirv_construct *to, bool to_next)
{
    return 2 * to->number + (to_next ? 1 : 0);
}

static void set_code(spirv_emit *e, uint32_t code)
{
    if (e->exit_code == 0)
        e->exit_code = spirv_variable(e, spirv_type(e, SPIRV_U32), spirv_u32(e, 0));
    uint32_t operands[2] = { e->exit_code, spirv_u32(e, code) };
    spirv_line(e, SPIRV_Store, operands, 2);
}

static void wait_at(spirv_emit *e, spirv_construct *c, spirv_construct *to, bool to_next)
{
    for (spirv_exit *x = c->pending; x; x = x->next)
        if (x->to == to && x->to_next == to_next)
            return;
    spirv_exit *made = arena_new(e->arena, sizeof *made);
    *made = (spirv_exit){ c->pending, to, to_next };
    c->pending = made;
}

static void store_run(spirv_emit *e, const spirv_construct *c, bool value)
{
    uint32_t operands[2] = { c->run, spirv_bool(e, value) };

    spirv_line(e, SPIRV_Store, operands, 2);
}

static void branch_to_merge(spirv_emit *e, const spirv_construct *c)
{
    if (c->run)
        store_run(e, c, false);
    spirv_branch(e, c->run ? c->next : c->merge);
}

/* Goes to the merge of `to`, or on with its next pass. `resumed`: the code was set before. */
static void leave(spirv_emit *e, spirv_construct *to, bool to_next, bool resumed)
{
    if (to_next && to->continue_to) {
        if (resumed)
            set_code(e, code_of(to->continue_to, false));
        to = to->continue_to;
        to_next = false;
    }
    spirv_construct *way = in_the_way(e, to);
    if (way) {
        if (!resumed)
            set_code(e, code_of(to, to_next));
        wait_at(e, way, to, to_next);
        branch_to_merge(e, way);
        return;
    }
    if (resumed)
        set_code(e, 0);
    to->merge_reached |= !to_next;
    if (to_next)
        spirv_branch(e, to->next);
    else
        branch_to_merge(e, to);
}

/* The exits that wait at a merge go on. The last one needs no test where nothing else comes. */
static void resume(spirv_emit *e, const spirv_construct *c)
{
    for (const spirv_exit *x = c->pending; x; x = x->next) {
        if (!x->next && !c->merge_reached) {
            leave(e, x->to, x->to_next, true);
            return;
        }
        spirv_id u32 = spirv_type(e, SPIRV_U32), yes = spirv_new(e), merge = spirv_new(e);
        spirv_id code = spirv_make1(e, SPIRV_Load, u32, e->exit_code);
        spirv_id goes = spirv_make2(e, SPIRV_IEqual, spirv_type(e, SPIRV_BOOL), code,
                                    spirv_u32(e, code_of(x->to, x->to_next)));
        spirv_branch_if(e, goes, yes, merge, merge);
        spirv_block_begin(e, yes);
        leave(e, x->to, x->to_next, true);
        spirv_block_begin(e, merge);
    }
}

void spirv_construct_pop(spirv_emit *e, spirv_construct *c)
{
    e->construct = c->up;
    if (c->kind == SPIRV_LEVEL)
        return;
    c->merge_reached |= e->open;
    spirv_block_begin(e, c->merge);
    if (!c->merge_reached && !c->pending)
        spirv_unreachable(e);
    else
        resume(e, c);
}

static void leave_levels(spirv_emit *e, const ir_op *op)
{
    const ir_op *target = spirv_target_of(op);
    spirv_construct *c = e->construct;

    while (c && c->op != target)
        c = c->up;
    if (!target || !c) {
        spirv_wrong(e, "an exit leaves more levels than there are");
        return;
    }
    /* Of a loop, only a continue leads to the end of its body; of a block, only a break. */
    bool to_next = op->code == IR_continue;
    if (to_next == (target->code == IR_loop) && !spirv_is_early(op, target))
        return;
    leave(e, c, to_next, false);
}

/* ---- if ---- */

static void if_op(spirv_emit *e, const ir_op *op)
{
    bool valued = op->type->kind != IR_VOID;
    bool has_else = valued || op->regions[1]->first != NULL;
    spirv_id yes = spirv_new(e), merge = spirv_new(e), no = has_else ? spirv_new(e) : merge;
    uint32_t join[4], count = 0;
    bool reached = !has_else;

    spirv_branch_if(e, spirv_value(e, op->in[0]), yes, no, merge);
    for (uint32_t k = 0; k < (has_else ? 2u : 1u); k++) {
        spirv_block_begin(e, k ? no : yes);
        spirv_id value = 0;
        if (valued)
            value = spirv_region_value(e, op->regions[k]);
        else
            spirv_region(e, op->regions[k]);
        if (!e->open)
            continue;
        reached = true;
        join[count++] = value;
        join[count++] = e->block;
        spirv_branch(e, merge);
    }
    spirv_block_begin(e, merge);
    if (!reached)
        spirv_unreachable(e);
    else if (valued)
        spirv_set(e, op, spirv_make(e, SPIRV_Phi, spirv_type_value(e, op->type), join, count));
}

/* ---- loop and block ---- */

static void loop_merge(spirv_emit *e, spirv_id merge, spirv_id next)
{
    uint32_t operands[3] = { merge, next, 0 };

    spirv_line(e, SPIRV_LoopMerge, operands, 3);
}

/* A switch with one case. */
static spirv_construct *block_begin(spirv_emit *e, spirv_construct_kind kind, const ir_op *op)
{
    spirv_construct *c = spirv_construct_push(e, kind, op);
    spirv_id body = spirv_new(e);
    uint32_t header[2] = { c->merge, 0 }, operands[2] = { spirv_u32(e, 0), body };

    spirv_line(e, SPIRV_SelectionMerge, header, 2);
    spirv_line(e, SPIRV_Switch, operands, 2);
    e->open = false;
    spirv_block_begin(e, body);
    return c;
}

/*
 * A loop that is left late is left by its head alone: what a pass has stored comes to the merge by
 * way of the next pass. (Mesa 22.3's llvmpipe runs invocations side by side; what one computed in
 * its last pass it computes again, with loads that give 0, as long as others go on.)
 */
static void head_of(spirv_emit *e, spirv_construct *c, spirv_id head, bool is_late)
{
    spirv_id body = spirv_new(e), run;

    if (is_late) {
        c->run = spirv_variable(e, spirv_type(e, SPIRV_BOOL), 0);
        store_run(e, c, true);
    }
    spirv_block_begin(e, head);
    run = is_late ? spirv_make1(e, SPIRV_Load, spirv_type(e, SPIRV_BOOL), c->run) : 0;
    loop_merge(e, c->merge, c->next);
    if (is_late) {
        uint32_t operands[3] = { run, body, c->merge };
        spirv_line(e, SPIRV_BranchConditional, operands, 3);
        e->open = false;
    }
    spirv_block_begin(e, body);
}

/*
 * Where no continue is early, `next` simply follows the body. Else it is the continue construct,
 * if it may be one; or the body is a block of its own, which continue leaves.
 */
static void loop_op(spirv_emit *e, const ir_op *op)
{
    bool continues = spirv_has_exit(op->regions[0], op, IR_continue),
         is_late = spirv_leaves_late(op);
    bool in_construct = continues && !is_late && spirv_is_simple(op->regions[1]);

    spirv_hoist(e, op);
    spirv_construct *c = spirv_construct_push(e, SPIRV_LOOP, op);
    spirv_id head = spirv_new(e);

    c->next = spirv_new(e);
    head_of(e, c, head, is_late);
    if (continues && !in_construct)
        c->continue_to = block_begin(e, SPIRV_BLOCK, NULL);
    spirv_region(e, op->regions[0]);
    if (c->continue_to)
        spirv_construct_pop(e, c->continue_to);
    if (!in_construct && e->open)
        spirv_region(e, op->regions[1]);
    if (e->open)
        spirv_branch(e, c->next);
    spirv_block_begin(e, c->next);
    if (in_construct)
        spirv_region(e, op->regions[1]);
    spirv_branch(e, head);
    spirv_construct_pop(e, c);
}

static void block_op(spirv_emit *e, const ir_op *op)
{
    spirv_construct *c = spirv_has_exit(op->regions[0], op, IR_break)
                             ? block_begin(e, SPIRV_BLOCK, op)
                             : spirv_construct_push(e, SPIRV_LEVEL, op);

    spirv_region(e, op->regions[0]);
    spirv_construct_pop(e, c);
}

void spirv_own_loop_begin(spirv_emit *e, spirv_own_loop *l)
{
    spirv_id body = spirv_new(e);

    *l = (spirv_own_loop){ spirv_new(e), spirv_new(e), spirv_new(e) };
    spirv_block_begin(e, l->head);
    loop_merge(e, l->merge, l->next);
    spirv_branch(e, body);
    spirv_block_begin(e, body);
}

void spirv_own_loop_until(spirv_emit *e, spirv_own_loop *l, spirv_id done)
{
    spirv_id more = spirv_new(e);
    uint32_t operands[3] = { done, l->merge, more };

    spirv_line(e, SPIRV_BranchConditional, operands, 3);
    e->open = false;
    spirv_block_begin(e, more);
}

void spirv_own_loop_end(spirv_emit *e, spirv_own_loop *l)
{
    spirv_branch(e, l->next);
    spirv_block_begin(e, l->next);
    spirv_branch(e, l->head);
    spirv_block_begin(e, l->merge);
}

/* ---- all of them ---- */

static void return_op(spirv_emit *e, const ir_op *op)
{
    bool gives = op->in_count && op->in[0]->type->kind == IR_SCALAR && e->func->kind == IR_HELPER;

    spirv_return(e, gives ? spirv_value(e, op->in[0]) : 0);
}

void spirv_flow(spirv_emit *e, const ir_op *op)
{
    switch ((int)op->code) {
    case IR_if:
        if_op(e, op);
        break;
    case IR_loop:
        loop_op(e, op);
        break;
    case IR_block:
        block_op(e, op);
        break;
    case IR_switch:
        spirv_switch(e, op);
        break;
    case IR_break:
    case IR_continue:
        leave_levels(e, op);
        break;
    case IR_return:
        return_op(e, op);
        break;
    }
}
