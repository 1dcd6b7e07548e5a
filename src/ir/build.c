/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.c - making ops at a cursor, and the table of what each op is.
 *
 * The builder gives each op its type from its inputs and checks nothing: ir_verify does. Must
 * never be given an op of another module.
 */
#include <string.h>

#include "ir/ir.h"

static void *copy_bytes(ir_module *m, const void *from, size_t bytes)
{
    void *made = arena_new(m->arena, bytes);

    if (bytes)
        memcpy(made, from, bytes);
    return made;
}

ir_region *ir_region_new(ir_module *m, ir_op *owner)
{
    ir_region *r = arena_new(m->arena, sizeof *r);

    r->owner = owner;
    return r;
}

ir_op *ir_region_arg(ir_module *m, ir_region *r, const ir_type *type, const char *name)
{
    ir_op **args = arena_new(m->arena, (r->arg_count + 1) * sizeof *args);
    ir_op *op = arena_new(m->arena, sizeof *op);

    *op = (ir_op){ .code = IR_arg, .type = type, .index = r->arg_count,
                   .name = name ? arena_copy(m->arena, name, strlen(name)) : NULL };
    if (r->arg_count)
        memcpy(args, r->args, r->arg_count * sizeof *args);
    args[r->arg_count++] = op;
    r->args = args;
    return op;
}

ir_op *ir_build(ir_builder *b, ir_code code, const ir_type *type, ir_op *const *in,
                uint32_t in_count)
{
    ir_op *op = arena_new(b->module->arena, sizeof *op);

    *op = (ir_op){ .code = code, .type = type, .place = b->place, .in_count = in_count };
    op->in = copy_bytes(b->module, in, in_count * sizeof *in);
    ir_move_before(op, b->region, b->before);
    return op;
}

static ir_op *build_void(ir_builder *b, ir_code code, ir_op *const *in, uint32_t in_count)
{
    return ir_build(b, code, ir_type_void(b->module), in, in_count);
}

static void add_regions(ir_builder *b, ir_op *op, uint32_t count)
{
    op->regions = arena_new(b->module->arena, (count ? count : 1) * sizeof *op->regions);
    op->region_count = count;
    for (uint32_t i = 0; i < count; i++)
        op->regions[i] = ir_region_new(b->module, op);
}

ir_op *ir_const(ir_builder *b, scalar_type type, uint64_t bits)
{
    ir_op *op = ir_build(b, IR_const, ir_type_scalar(b->module, type), NULL, 0);

    op->bits = scalar_canonical(type, bits);
    return op;
}

ir_op *ir_const_i64(ir_builder *b, int64_t value)
{
    return ir_const(b, SCALAR_i64, (uint64_t)value);
}

ir_op *ir_unary(ir_builder *b, scalar_op op, ir_op *a)
{
    return ir_build(b, (ir_code)op, a->type, &a, 1);
}

static bool is_comparison(scalar_op op)
{
    return op == SCALAR_OP_eq || op == SCALAR_OP_ne || op == SCALAR_OP_lt || op == SCALAR_OP_le;
}

ir_op *ir_binary(ir_builder *b, scalar_op op, ir_op *a, ir_op *c)
{
    const ir_type *type = is_comparison(op) ? ir_type_scalar(b->module, SCALAR_bool) : a->type;
    ir_op *in[2] = { a, c };

    return ir_build(b, (ir_code)op, type, in, 2);
}

ir_op *ir_select(ir_builder *b, ir_op *condition, ir_op *a, ir_op *c)
{
    ir_op *in[3] = { condition, a, c };

    return ir_build(b, IR_select, a->type, in, 3);
}

ir_op *ir_convert(ir_builder *b, scalar_type to, ir_op *a)
{
    if (ir_is_scalar(a->type, to))
        return a;
    return ir_build(b, IR_convert, ir_type_scalar(b->module, to), &a, 1);
}

ir_op *ir_bitcast(ir_builder *b, scalar_type to, ir_op *a)
{
    if (ir_is_scalar(a->type, to))
        return a;
    return ir_build(b, IR_bitcast, ir_type_scalar(b->module, to), &a, 1);
}

ir_op *ir_var(ir_builder *b, const ir_type *type, const char *name)
{
    ir_op *op = ir_build(b, IR_var, ir_type_ptr(b->module, IR_LOCAL, type), NULL, 0);

    op->name = name ? arena_copy(b->module->arena, name, strlen(name)) : NULL;
    return op;
}

ir_op *ir_table_ref(ir_builder *b, const ir_table *table)
{
    ir_op *op =
        ir_build(b, IR_table, ir_type_ptr(b->module, IR_TABLE_SPACE, table->type), NULL, 0);

    op->table = table;
    return op;
}

ir_op *ir_index(ir_builder *b, ir_op *ptr, ir_op *index_i64)
{
    ir_op *in[2] = { ptr, index_i64 };

    return ir_build(b, IR_index, ir_type_ptr(b->module, ptr->type->space, ptr->type->elem->elem),
                    in, 2);
}

ir_op *ir_offset(ir_builder *b, ir_op *ptr, ir_op *count_i64)
{
    ir_op *in[2] = { ptr, count_i64 };

    return ir_build(b, IR_offset, ptr->type, in, 2);
}

ir_op *ir_field_ref(ir_builder *b, ir_op *ptr, uint32_t field)
{
    const ir_type *type = ptr->type->elem->fields[field].type;
    ir_op *op = ir_build(b, IR_field, ir_type_ptr(b->module, ptr->type->space, type), &ptr, 1);

    op->index = field;
    return op;
}

ir_op *ir_load(ir_builder *b, ir_op *ptr)
{
    return ir_build(b, IR_load, ptr->type->elem, &ptr, 1);
}

ir_op *ir_store(ir_builder *b, ir_op *ptr, ir_op *value)
{
    ir_op *in[2] = { ptr, value };

    return build_void(b, IR_store, in, 2);
}

ir_op *ir_copy(ir_builder *b, ir_op *to, ir_op *from)
{
    ir_op *in[2] = { to, from };

    return build_void(b, IR_copy, in, 2);
}

ir_op *ir_call(ir_builder *b, ir_func *f, ir_op *const *in, uint32_t in_count)
{
    const ir_type *type = f->result->kind == IR_STRUCT ? ir_type_void(b->module) : f->result;
    ir_op *op = ir_build(b, IR_call, type, in, in_count);

    op->func = f;
    return op;
}

ir_op *ir_math_call(ir_builder *b, ir_math math, ir_op *const *in, uint32_t in_count)
{
    ir_op *op = ir_build(b, IR_math, in[0]->type, in, in_count);

    op->math = math;
    return op;
}

ir_op *ir_if(ir_builder *b, ir_op *condition, const ir_type *type_or_void)
{
    ir_op *op = ir_build(b, IR_if, type_or_void, &condition, 1);

    add_regions(b, op, 2);
    return op;
}

static ir_op *build_structure(ir_builder *b, ir_code code, uint32_t regions)
{
    ir_op *op = build_void(b, code, NULL, 0);

    add_regions(b, op, regions);
    return op;
}

ir_op *ir_loop(ir_builder *b)
{
    return build_structure(b, IR_loop, 2);
}

ir_op *ir_block(ir_builder *b)
{
    return build_structure(b, IR_block, 1);
}

ir_op *ir_sections(ir_builder *b)
{
    return build_structure(b, IR_sections, 1);
}

ir_op *ir_section(ir_builder *b)
{
    return build_structure(b, IR_section, 1);
}

ir_op *ir_switch(ir_builder *b, ir_op *value, const ir_case *cases, uint32_t case_count)
{
    ir_op *op = build_void(b, IR_switch, &value, 1);
    ir_case *kept = copy_bytes(b->module, cases, case_count * sizeof *cases);

    for (uint32_t i = 0; i < case_count; i++)
        kept[i].values = copy_bytes(b->module, cases[i].values, cases[i].count * sizeof(uint64_t));
    op->cases = kept;
    add_regions(b, op, case_count + 1);
    return op;
}

ir_op *ir_task(ir_builder *b, ir_op *const *bounds, uint32_t rank)
{
    ir_op *op = build_void(b, IR_task, bounds, 2 * rank);

    add_regions(b, op, 1);
    for (uint32_t i = 0; i < rank; i++)
        ir_region_arg(b->module, op->regions[0], bounds[2 * i]->type, NULL);
    return op;
}

ir_op *ir_update(ir_builder *b, ir_op *ptr)
{
    ir_op *op = ir_build(b, IR_update, ptr->type->elem, &ptr, 1);

    add_regions(b, op, 1);
    ir_region_arg(b->module, op->regions[0], ptr->type->elem, "old");
    return op;
}

void ir_enter(ir_builder *b, ir_op *op, uint32_t region)
{
    b->region = op->regions[region];
    b->before = NULL;
}

void ir_leave(ir_builder *b, ir_op *op)
{
    b->region = op->parent;
    b->before = op->next;
}

ir_op *ir_break(ir_builder *b, uint32_t levels)
{
    ir_op *op = build_void(b, IR_break, NULL, 0);

    op->levels = levels;
    return op;
}

ir_op *ir_continue(ir_builder *b, uint32_t levels)
{
    ir_op *op = build_void(b, IR_continue, NULL, 0);

    op->levels = levels;
    return op;
}

ir_op *ir_yield(ir_builder *b, ir_op *value_or_null)
{
    return build_void(b, IR_yield, &value_or_null, value_or_null != NULL);
}

ir_op *ir_return(ir_builder *b, ir_op *value_or_null)
{
    return build_void(b, IR_return, &value_or_null, value_or_null != NULL);
}

const ir_code_row ir_codes[IR_CODE_COUNT] = {
#define SCALAR_ROW_(name, operands) { #name, operands, 0, IR_PURE },
    SCALAR_OPS(SCALAR_ROW_)
#undef SCALAR_ROW_
#define ANY IR_ANY
#define PURE IR_PURE
#define READS IR_READS
#define WRITES IR_WRITES
#define EXIT IR_EXIT
#define PLACE IR_PLACE
#define OP(name, inputs, regions, flags, meaning) { #name, inputs, regions, flags },
#include "ir/op.def"
#undef OP
#undef ANY
#undef PURE
#undef READS
#undef WRITES
#undef EXIT
#undef PLACE
};

const ir_math_row ir_maths[IR_MATH_COUNT] = {
#define MATH_ROW_(name, operands) { #name, operands },
    IR_MATHS(MATH_ROW_)
#undef MATH_ROW_
};
