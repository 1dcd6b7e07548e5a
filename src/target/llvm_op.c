/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_op.c - ops and structured control flow as blocks.
 *
 * A region leaves its last block open unless it ended in an exit. Kernel-level ops (task, sections,
 * scratch) cannot occur here: the launch pass has taken them apart.
 */
#include "target/llvm_gpu.h"

/* dst = the address in device memory as a pointer. */
static void address_line(llvm_emit *e, const char *dst, const char *address)
{
    const char *held = e->gpu ? llvm_temp(e) : dst;

    llvm_line(e, "%s = inttoptr i64 %s to %s", held, address, llvm_global_type(e));
    if (e->gpu)
        llvm_global_cast(e, dst, held);
}

static void push_level(llvm_emit *e, uint32_t break_to, uint32_t continue_to)
{
    if (e->level_count == LLVM_LEVELS) {
        if (e->status == SLIP_OK)
            e->status = SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "loops nested more than %d deep in %s",
                                  LLVM_LEVELS, e->func->name);
        return;
    }
    e->levels[e->level_count++] = (llvm_level){ break_to, continue_to };
}

static void pop_level(llvm_emit *e)
{
    if (e->level_count)
        e->level_count--;
}

static void leave(llvm_emit *e, const ir_op *op)
{
    if (op->levels == 0 || op->levels > e->level_count) {
        if (e->status == SLIP_OK)
            e->status =
                SLIP_FAIL(SLIP_ERR_INTERNAL, "%s leaves %u levels of %u in %s",
                          ir_codes[op->code].name, op->levels, e->level_count, e->func->name);
        return;
    }
    llvm_level level = e->levels[e->level_count - op->levels];
    llvm_branch(e, op->code == IR_break ? level.break_to : level.continue_to);
}

static void if_value(llvm_emit *e, const ir_op *op, uint32_t yes, uint32_t no, uint32_t join)
{
    char first[LLVM_NAME], second[LLVM_NAME];
    uint32_t first_block, second_block;

    llvm_block_begin(e, yes);
    llvm_keep(first, llvm_region_value(e, op->regions[0]));
    first_block = e->at_block;
    llvm_branch(e, join);
    llvm_block_begin(e, no);
    llvm_keep(second, llvm_region_value(e, op->regions[1]));
    second_block = e->at_block;
    llvm_block_begin(e, join);
    llvm_line(e, "%s = phi %s [ %s, %%x%u ], [ %s, %%x%u ]", llvm_value(e, op),
              llvm_type_name(op->type), first, first_block, second, second_block);
}

static void if_op(llvm_emit *e, const ir_op *op)
{
    uint32_t yes = llvm_block_new(e), no = llvm_block_new(e), join = llvm_block_new(e);

    llvm_branch_if(e, llvm_value(e, op->in[0]), yes, no);
    if (op->type->kind != IR_VOID) {
        if_value(e, op, yes, no, join);
        return;
    }
    llvm_block_begin(e, yes);
    llvm_region(e, op->regions[0]);
    if (e->open)
        llvm_branch(e, join);
    llvm_block_begin(e, no);
    llvm_region(e, op->regions[1]);
    llvm_block_begin(e, join);
}

static void loop_op(llvm_emit *e, const ir_op *op)
{
    uint32_t body = llvm_block_new(e), next = llvm_block_new(e), done = llvm_block_new(e);

    llvm_block_begin(e, body);
    push_level(e, done, next);
    llvm_region(e, op->regions[0]);
    llvm_block_begin(e, next);
    llvm_region(e, op->regions[1]);
    pop_level(e);
    if (e->open)
        llvm_line(e, "br label %%x%u%s", body, llvm_gpu_loop_note(e, op));
    e->open = false;
    llvm_block_begin(e, done);
}

static void block_op(llvm_emit *e, const ir_op *op)
{
    uint32_t done = llvm_block_new(e);

    push_level(e, done, 0);
    llvm_region(e, op->regions[0]);
    pop_level(e);
    llvm_block_begin(e, done);
}

static void switch_op(llvm_emit *e, const ir_op *op)
{
    scalar_type type = op->in[0]->type->scalar;
    uint32_t first = e->blocks + 1, join;

    for (uint32_t i = 0; i < op->region_count; i++)
        llvm_block_new(e);
    join = llvm_block_new(e);
    llvm_line(e, "switch %s %s, label %%x%u [", llvm_scalar_name(type), llvm_value(e, op->in[0]),
              first + op->region_count - 1);
    for (uint32_t i = 0; i + 1 < op->region_count; i++)
        for (uint32_t k = 0; k < op->cases[i].count; k++)
            llvm_line(e, "  %s %s, label %%x%u", llvm_scalar_name(type),
                      llvm_const(e, type, op->cases[i].values[k]), first + i);
    llvm_line(e, "]");
    e->open = false;
    for (uint32_t i = 0; i < op->region_count; i++) {
        llvm_block_begin(e, first + i);
        llvm_region(e, op->regions[i]);
        if (e->open)
            llvm_branch(e, join);
    }
    llvm_block_begin(e, join);
}

static void return_op(llvm_emit *e, const ir_op *op)
{
    if (e->end_block) /* ends a task's iteration */
        llvm_branch(e, e->end_block);
    else if (op->in_count && op->in[0]->type->kind == IR_SCALAR)
        llvm_line(e, "ret %s %s", llvm_type_name(op->in[0]->type), llvm_value(e, op->in[0]));
    else
        llvm_line(e, "ret void");
    e->open = false;
}

static void call_op(llvm_emit *e, const ir_op *op)
{
    const char *name = llvm_quoted(e, "helper.", op->func->name);
    bool gives = op->type->kind != IR_VOID;

    text_add(&e->body, "  %s%scall fastcc %s %s(", gives ? llvm_value(e, op) : "",
             gives ? " = " : "", llvm_type_name(op->type), name);
    for (uint32_t i = 0; i < op->in_count; i++)
        text_add(&e->body, "%s%s %s", i ? ", " : "", llvm_type_name(op->in[i]->type),
                 llvm_value(e, op->in[i]));
    text_add(&e->body, ")\n");
}

static void math_op(llvm_emit *e, const ir_op *op)
{
    const char *operands[3] = { NULL, NULL, NULL };

    for (uint32_t i = 0; i < op->in_count && i < 3; i++)
        operands[i] = llvm_value(e, op->in[i]);
    llvm_math(e, llvm_value(e, op), op->math, op->type->scalar, operands);
}

/* Comparisons of pointers and pointers' selects are the only scalar ops on them. */
static bool pointer_op(llvm_emit *e, const ir_op *op)
{
    const char *dst = llvm_value(e, op), *a = llvm_value(e, op->in[0]);

    if (op->code == IR_select && op->type->kind == IR_PTR) {
        llvm_line(e, "%s = select i1 %s, ptr %s, ptr %s", dst, a, llvm_value(e, op->in[1]),
                  llvm_value(e, op->in[2]));
        return true;
    }
    if (op->in[0]->type->kind == IR_PTR && op->code >= IR_eq && op->code <= IR_le) {
        static const char *const names[4] = { "eq", "ne", "ult", "ule" };
        llvm_line(e, "%s = icmp %s ptr %s, %s", dst, names[op->code - IR_eq], a,
                  llvm_value(e, op->in[1]));
        return true;
    }
    if (op->in[0]->type->kind == IR_PTR && op->code == IR_bitcast) {
        llvm_line(e, "%s = ptrtoint ptr %s to i64", dst, a);
        return true;
    }
    if (op->type->kind == IR_PTR && (op->code == IR_bitcast || op->code == IR_convert)) {
        address_line(e, dst, a);
        return true;
    }
    return false;
}

static bool widened_index(llvm_emit *e, const ir_op *op)
{
    const char *wide = op->code == IR_convert ? llvm_wide_index(e, op->in[0]) : NULL;

    if (!wide || op->type->kind != IR_SCALAR || scalar_types[op->type->scalar].is_float ||
        scalar_types[op->type->scalar].bytes != 8)
        return false;
    llvm_line(e, "%s = add i64 %s, 0", llvm_value(e, op), wide);
    return true;
}

static void scalar_line(llvm_emit *e, const ir_op *op)
{
    const char *operands[3] = { NULL, NULL, NULL };
    const ir_type *from = op->in[0]->type;

    if (pointer_op(e, op) || llvm_clamp(e, op) || widened_index(e, op))
        return;
    for (uint32_t i = 0; i < op->in_count && i < 3; i++)
        operands[i] = llvm_value(e, op->in[i]);
    llvm_scalar(e, llvm_value(e, op),
                (llvm_scalar_op){ (scalar_op)op->code, op->type->scalar, from->scalar, 1 },
                operands[0], operands[1], operands[2]);
}

static void undefined(llvm_emit *e, const ir_op *op)
{
    llvm_line(e, "%s = freeze %s undef", llvm_value(e, op), llvm_type_name(op->type));
}

static void misplaced(llvm_emit *e, const ir_op *op)
{
    if (e->status == SLIP_OK)
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "the op %s cannot stand in %s of a task",
                              ir_codes[op->code].name, e->func->name);
}

static void op_line(llvm_emit *e, const ir_op *op)
{
    switch (op->code) {
#define SCALAR_CASE_(name, operands) case IR_##name:
        SCALAR_OPS(SCALAR_CASE_)
#undef SCALAR_CASE_
        scalar_line(e, op);
        break;
    case IR_const:
    case IR_param:
    case IR_arg:
    case IR_table:
    case IR_yield:  /* read by llvm_region_value */
    case IR_assert: /* both are gone from unchecked builds */
    case IR_print:
        break;
    case IR_undef:
        undefined(e, op);
        break;
    case IR_var:
    case IR_index:
    case IR_offset:
    case IR_field:
    case IR_load:
    case IR_store:
    case IR_copy:
    case IR_fill:
        llvm_memory(e, op);
        break;
    case IR_update:
    case IR_atomic:
    case IR_cas:
        llvm_atomic(e, op);
        break;
    case IR_reduce:
        llvm_reduce_op(e, op);
        break;
    case IR_call:
        call_op(e, op);
        break;
    case IR_math:
        math_op(e, op);
        break;
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
        switch_op(e, op);
        break;
    case IR_break:
    case IR_continue:
        leave(e, op);
        break;
    case IR_return:
        return_op(e, op);
        break;
    case IR_scratch:
    case IR_task:
    case IR_sections:
    case IR_section:
    case IR_CODE_COUNT:
        misplaced(e, op);
        break;
    }
}

void llvm_region(llvm_emit *e, const ir_region *r)
{
    for (const ir_op *op = r->first; op && e->status == SLIP_OK; op = op->next)
        op_line(e, op);
}

const char *llvm_region_value(llvm_emit *e, const ir_region *r)
{
    llvm_region(e, r);
    if (r->last && r->last->code == IR_yield && r->last->in_count == 1)
        return llvm_value(e, r->last->in[0]);
    if (e->status == SLIP_OK)
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL,
                              "a region of %s does not end in a yield of a value", e->func->name);
    return "0";
}
