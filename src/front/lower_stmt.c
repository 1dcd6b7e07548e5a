/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_stmt.c - statements and control flow. A loop tests its condition at the head of its body,
 * or for do-while in its `next`; break and continue name levels of the IR.
 */
#include "front/lower.h"

/* ---- break, continue, return --------------------------------------------------------------------
 */

static const char *const leave_advice =
    "write `continue`, or move the body to a static function and return there";

static void push(lower *l, frame *made, frame_kind kind, bool level)
{
    *made = (frame){ .up = l->frames, .kind = kind, .level = level };
    l->frames = made;
}

/* `continue` in a task leaves the block around its body. */
static void leave_task(lower *l, node *n, uint32_t levels, bool is_continue)
{
    if (is_continue)
        ir_break(&l->b, levels);
    else
        front_error(l->f, n->place, leave_advice,
                    "`break` cannot leave a slip_for: its iterations run at the same time");
}

void lower_break(lower *l, node *n, bool is_continue)
{
    uint32_t levels = 0;

    l->b.place = n->place;
    for (frame *fr = l->frames; fr; fr = fr->up) {
        levels += fr->level;
        switch (fr->kind) {
        case FRAME_LOOP:
            (void)(is_continue ? ir_continue(&l->b, levels) : ir_break(&l->b, levels));
            return;
        case FRAME_SWITCH:
            if (is_continue)
                break;
            if (fr->level)
                ir_break(&l->b, levels);
            return; /* without a block it stands last, and says nothing */
        case FRAME_TASK:
            leave_task(l, n, levels, is_continue);
            return;
        case FRAME_SECTION:
            front_error(l->f, n->place, "let the section run to its end",
                        "`%s` cannot leave a slip_section", is_continue ? "continue" : "break");
            return;
        case FRAME_BLOCK:
            break;
        }
    }
}

static void refuse_return(lower *l, node *n)
{
    bool section = false;
    for (frame *fr = l->frames; fr; fr = fr->up)
        section = section || fr->kind == FRAME_SECTION;
    if (l->task)
        front_error(l->f, n->place, leave_advice, "`return` cannot leave a slip_for");
    else
        front_error(l->f, n->place, "let the section run to its end", "`return` cannot leave %s",
                    section ? "a slip_section" : "slip_sections");
}

static void return_stmt(lower *l, node *n)
{
    const ftype *r = l->inst->decl->result;

    if (l->task || l->section) {
        refuse_return(l, n);
        return;
    }
    if (n->count == 0 || r->kind == FT_VOID) {
        if (n->count)
            lower_effect(l, n->kids[0]);
        ir_return(&l->b, NULL);
        return;
    }
    if (r->kind == FT_STRUCT) {
        spot to = { .type = r, .base = l->result };
        if (!l->result)
            to = lower_temp(l, r, ".result");
        lower_copy(l, to, lower_place(l, n->kids[0]));
        l->b.place = n->place;
        ir_return(&l->b, l->result ? NULL : to.base);
        return;
    }
    ir_op *value = lower_value(l, n->kids[0]);
    l->b.place = n->place;
    ir_return(&l->b, value);
}

/* ---- loops
 * ------------------------------------------------------------------------------------------ */

/* a && b, where b is computed only if a holds; kernel-level conditions stay one value. */
static bool tests_twice(const lower *l, const node *c)
{
    bool in_task = l->task || !l->kernel_level;

    return in_task && c->kind == N_BINARY && c->op == CXBinaryOperator_LAnd &&
           !lower_cheap(c->kids[1]);
}

/*
 * if (!c) break; nothing where c is always true.
 *
 * For a && b one after the other. Mesa 22.3's llvmpipe reads local arrays wrong in a body whose
 * loop's test has loaded them on one of two ways.
 */
static void test(lower *l, node *c)
{
    if (tests_twice(l, c)) {
        test(l, c->kids[0]);
        test(l, c->kids[1]);
        return;
    }
    ir_op *value = lower_condition(l, c);

    if (value->code == IR_const && value->bits)
        return;
    l->b.place = c->place;
    ir_op *stop = value->code == IR_const ? ir_const(&l->b, SCALAR_bool, 1)
                                          : ir_unary(&l->b, SCALAR_OP_not, value);
    ir_op *leave = ir_if(&l->b, stop, ir_type_void(l->f->m));
    ir_enter(&l->b, leave, 0);
    ir_break(&l->b, 1);
    ir_leave(&l->b, leave);
}

static void loop(lower *l, node *c, node *next, node *body, bool test_last)
{
    ir_op *op = ir_loop(&l->b);
    frame here;

    push(l, &here, FRAME_LOOP, true);
    ir_enter(&l->b, op, 0);
    if (c && !test_last)
        test(l, c);
    lower_stmt(l, body);
    ir_enter(&l->b, op, 1);
    if (next)
        lower_effect(l, next);
    if (c && test_last)
        test(l, c);
    ir_leave(&l->b, op);
    l->frames = here.up;
}

static void for_stmt(lower *l, node *n)
{
    if (n->kids[0])
        lower_stmt(l, n->kids[0]);
    l->b.place = n->place;
    loop(l, n->kids[1], n->kids[2], n->kids[3], false);
}

static void if_stmt(lower *l, node *n)
{
    ir_op *c = lower_condition(l, n->kids[0]);
    l->b.place = n->place;
    ir_op *op = ir_if(&l->b, c, ir_type_void(l->f->m));

    for (uint32_t side = 0; side + 1 < n->count; side++) {
        ir_enter(&l->b, op, side);
        lower_stmt(l, n->kids[side + 1]);
    }
    ir_leave(&l->b, op);
}

static void block(lower *l, node *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        lower_stmt(l, n->kids[i]);
}

static void case_outside(lower *l, node *n)
{
    front_error(l->f, n->place, "put the label at the top of the switch",
                "a `%s` label stands inside a nested statement",
                n->kind == N_CASE ? "case" : "default");
}

/* Nothing follows an op that never falls through: dead statements are left out. */
void lower_stmt(lower *l, node *n)
{
    if (mem_arena_full(l->f->arena))
        l->f->full = true;
    if (l->f->full || ir_region_ended(l->b.region))
        return;
    l->b.place = n->place;
    switch (n->kind) {
    case N_BLOCK:
        block(l, n);
        break;
    case N_DECL:
        lower_decl(l, n);
        break;
    case N_IF:
        if_stmt(l, n);
        break;
    case N_FOR:
        for_stmt(l, n);
        break;
    case N_WHILE:
        loop(l, n->kids[0], NULL, n->kids[1], false);
        break;
    case N_DO:
        loop(l, n->kids[1], NULL, n->kids[0], true);
        break;
    case N_SWITCH:
        lower_switch(l, n);
        break;
    case N_CASE:
    case N_DEFAULT:
        case_outside(l, n);
        break;
    case N_BREAK:
        lower_break(l, n, false);
        break;
    case N_CONTINUE:
        lower_break(l, n, true);
        break;
    case N_RETURN:
        return_stmt(l, n);
        break;
    case N_EMPTY:
        break;
    case N_TASK:
        lower_task(l, n);
        break;
    case N_SECTIONS:
        lower_sections(l, n);
        break;
    case N_SECTION:
        front_error(l->f, n->place, "put it directly inside slip_sections { ... }",
                    "a slip_section stands outside slip_sections");
        break;
    case N_BAD:
    case N_INT:
    case N_FLOAT:
    case N_STRING:
    case N_REF:
    case N_MEMBER:
    case N_INDEX:
    case N_CALL:
    case N_UNARY:
    case N_BINARY:
    case N_ASSIGN:
    case N_COMPOUND:
    case N_COND:
    case N_CAST:
    case N_INIT_LIST:
    case N_DESIGNATED:
    case N_LITERAL:
        lower_effect(l, n);
        break;
    }
}
