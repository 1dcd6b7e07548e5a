/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_op.c - the values of ops, one op after another, and whole functions of the IR.
 *
 * Kernel-level ops (task, sections, scratch) cannot occur here: the launch pass has taken them
 * apart. A region stops where nothing can reach its rest.
 */
#include "target/spirv_emit.h"

spirv_id spirv_value(spirv_emit *e, const ir_op *op)
{
    spirv_id value = 0;

    if (op->code == IR_const)
        return spirv_const(e, op->type->scalar, op->bits);
    if (op->code == IR_table) { /* large ones have an address */
        spirv_id base = spirv_data_address(e);
        return spirv_add_bytes(e, base, spirv_data_offset(e->m, op->table));
    }
    if (op->code == IR_param)
        value = op->index < e->func->param_count ? e->params[op->index] : 0;
    else if (op->id < e->value_count)
        value = e->values[op->id];
    if (value == 0)
        spirv_wrong(e, "a value is used before it is made");
    return value;
}

void spirv_set(spirv_emit *e, const ir_op *op, spirv_id value)
{
    if (op->id >= e->value_count)
        spirv_wrong(e, "an op was not numbered");
    else
        e->values[op->id] = value;
}

/* Global pointers are compared and selected as the 64-bit values that they are. */
static scalar_type held_type(const ir_type *type)
{
    return type->kind == IR_PTR ? SCALAR_u64 : type->scalar;
}

static void scalar_value(spirv_emit *e, const ir_op *op)
{
    scalar_op which = (scalar_op)op->code;
    scalar_type type = held_type(op->type), from = held_type(op->in[0]->type);
    spirv_id in[3] = { 0, 0, 0 }, value;

    for (uint32_t i = 0; i < op->in_count && i < 3; i++)
        in[i] = spirv_value(e, op->in[i]);
    if (scalar_types[type].is_float &&
        (which == SCALAR_OP_add || which == SCALAR_OP_sub || which == SCALAR_OP_mul))
        for (uint32_t i = 0; i < 2; i++)
            in[i] = spirv_hidden(e, op->in[i], in[i]);
    if ((which == SCALAR_OP_div || which == SCALAR_OP_rem) && !scalar_types[type].is_float)
        value = spirv_divide(e, which, type, in[0], in[1], op->in[1]);
    else
        value = spirv_scalar(e, which, type, from, in[0], in[1], in[2]);
    spirv_set(e, op, value);
}

static void call(spirv_emit *e, const ir_op *op)
{
    uint32_t *operands = arena_new(e->arena, (op->in_count + 1) * sizeof *operands);

    operands[0] = spirv_function_of(e, (spirv_function){ .kind = SPIRV_HELPER, .func = op->func });
    for (uint32_t i = 0; i < op->in_count; i++) {
        if (op->in[i]->type->kind == IR_PTR && op->in[i]->type->space != IR_GLOBAL)
            spirv_wrong(e, "a call passes a pointer that is no address");
        operands[i + 1] = spirv_value(e, op->in[i]);
    }
    spirv_id value = spirv_make(e, SPIRV_FunctionCall, spirv_type_value(e, op->type), operands,
                                op->in_count + 1);
    spirv_set(e, op, value);
}

static void misplaced(spirv_emit *e, const ir_op *op)
{
    if (e->status == SLIP_OK)
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "the op %s cannot stand in %s of a task",
                              ir_codes[op->code].name, e->func->name);
}

void spirv_one(spirv_emit *e, const ir_op *op)
{
    if (!e->in_library)
        e->place = op->place;
    switch (op->code) {
#define SCALAR_CASE_(name, operands) case IR_##name:
        SCALAR_OPS(SCALAR_CASE_)
#undef SCALAR_CASE_
        scalar_value(e, op);
        break;
    case IR_const:
    case IR_param:
    case IR_arg:
    case IR_table:
    case IR_yield:  /* read by spirv_region_value */
    case IR_assert: /* both are gone from unchecked builds */
    case IR_print:
        break;
    case IR_undef:
        spirv_set(e, op, spirv_undef(e, spirv_type_value(e, op->type)));
        break;
    case IR_var:
    case IR_index:
    case IR_offset:
    case IR_field:
    case IR_load:
    case IR_store:
        spirv_memory(e, op);
        break;
    case IR_copy:
        spirv_copy(e, op);
        break;
    case IR_fill:
        spirv_fill(e, op);
        break;
    case IR_update:
    case IR_atomic:
    case IR_cas:
        spirv_atomic(e, op);
        break;
    case IR_reduce:
        spirv_reduce_op(e, op);
        break;
    case IR_call:
        call(e, op);
        break;
    case IR_math:
        spirv_set(e, op, spirv_math(e, op));
        break;
    case IR_if:
    case IR_loop:
    case IR_block:
    case IR_switch:
    case IR_break:
    case IR_continue:
    case IR_return:
        spirv_flow(e, op);
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

void spirv_region(spirv_emit *e, const ir_region *r)
{
    for (const ir_op *op = r->first; op && e->open && e->status == SLIP_OK; op = op->next) {
        const ir_op *last = spirv_group(e, op);
        if (last)
            op = last;
        else if (!e->hoisted[op->id])
            spirv_one(e, op);
    }
}

spirv_id spirv_region_value(spirv_emit *e, const ir_region *r)
{
    spirv_region(e, r);
    if (!e->open)
        return 0;
    if (r->last && r->last->code == IR_yield && r->last->in_count == 1)
        return spirv_value(e, r->last->in[0]);
    spirv_wrong(e, "a region does not end in a yield of a value");
    return 0;
}

/* ---- functions ---- */

typedef struct id_range {
    uint32_t most;
} id_range;

static bool see_id(ir_op *op, void *user)
{
    id_range *ids = user;

    if (op->id > ids->most)
        ids->most = op->id;
    for (uint32_t k = 0; k < op->region_count; k++)
        for (uint32_t a = 0; a < op->regions[k]->arg_count; a++)
            if (op->regions[k]->args[a]->id > ids->most)
                ids->most = op->regions[k]->args[a]->id;
    return true;
}

/* Struct parameters of a task are places in its block: an address where that is not in line. */
static bool is_block_place(const ir_type *type)
{
    return type->kind == IR_PTR && type->space == IR_PARAM_SPACE;
}

static void block_places(spirv_emit *e, const ir_func *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (is_block_place(f->params[i].op->type) && !e->shader->inline_block) {
            const mod_task *task = spirv_task_row(e);
            spirv_id block = spirv_block_address(e);
            e->params[i] = spirv_add_bytes(e, block, task->args[i - task->rank].offset);
        }
}

void spirv_body(spirv_emit *e, const ir_func *f, spirv_id id)
{
    uint32_t count = 0;
    spirv_id *types = arena_new(e->arena, (f->param_count + 1) * sizeof *types);
    spirv_id *params = arena_new(e->arena, (f->param_count + 1) * sizeof *params);
    id_range ids = { 0 };
    const ir_type *gives = f->result->kind == IR_STRUCT ? NULL : f->result;
    spirv_id result =
        gives && f->kind == IR_HELPER ? spirv_type_value(e, gives) : spirv_type(e, SPIRV_VOID);

    for (uint32_t i = 0; i < f->param_count; i++)
        if (!is_block_place(f->params[i].op->type))
            types[count++] = spirv_type_value(e, f->params[i].op->type);
    spirv_function_begin(e, id, result, types, params, count, f->name);
    e->func = f;
    e->params = arena_new(e->arena, (f->param_count + 1) * sizeof *e->params);
    count = 0;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (!is_block_place(f->params[i].op->type))
            e->params[i] = params[count++];
    ir_walk(f->body, see_id, &ids);
    e->value_count = ids.most + 1;
    e->values = arena_new(e->arena, e->value_count * sizeof *e->values);
    e->hoisted = arena_new(e->arena, e->value_count * sizeof *e->hoisted);
    block_places(e, f);
    spirv_region(e, f->body);
    if (e->open && result == spirv_type(e, SPIRV_VOID))
        spirv_return(e, 0);
    else if (e->open) /* only where the source has a path without a return */
        spirv_return(e, spirv_undef(e, result));
    spirv_function_end(e);
}
