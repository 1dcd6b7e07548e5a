/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_op.c - the types of each op, its inputs and what its fields name.
 *
 * One function per group of ops, and the switch over all codes at the bottom. The rule that no
 * pointer but a global one is merged, stored or given as a value stands in verify_plain. Must
 * never assume more than that counts are right and inputs not NULL.
 */
#include <inttypes.h>

#include "ir/launch.h"
#include "ir/verify.h"

bool verify_plain(const ir_type *type)
{
    return type->kind == IR_SCALAR || (type->kind == IR_PTR && type->space == IR_GLOBAL);
}

static void want(verifier *v, const ir_op *op, bool claim, const char *rule)
{
    if (!claim)
        verify_fail(v, op, "%s: %s", ir_codes[op->code].name, rule);
}

static bool is_ptr(const ir_op *op)
{
    return op->type->kind == IR_PTR;
}

static bool is_writable(const ir_op *op)
{
    return is_ptr(op) && (op->type->space == IR_GLOBAL || op->type->space == IR_LOCAL);
}

static bool is_i64(const ir_op *op)
{
    return ir_is_scalar(op->type, SCALAR_i64);
}

static bool is_integer(const ir_type *type)
{
    return type->kind == IR_SCALAR && scalar_types[type->scalar].is_integer;
}

/* A pointer of the given one's space to `elem`. */
static bool points_alike(const ir_type *type, const ir_type *ptr, const ir_type *elem)
{
    return type->kind == IR_PTR && type->space == ptr->space && type->elem == elem;
}

static void check_arithmetic(verifier *v, const ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        want(v, op, op->in[i]->type == op->type, "each input has the type of the result");
    want(v, op, op->type->kind == IR_SCALAR &&
             scalar_allowed((scalar_op)op->code, op->type->scalar, op->type->scalar),
         "the type has this operation");
}

static void check_comparison(verifier *v, const ir_op *op)
{
    const ir_type *type = op->in[0]->type;

    want(v, op, ir_is_scalar(op->type, SCALAR_bool), "the result is a bool");
    want(v, op, type == op->in[1]->type, "both inputs have one type");
    want(v, op, verify_plain(type) && (type->kind == IR_PTR ||
             scalar_allowed((scalar_op)op->code, type->scalar, type->scalar)),
         "the type has this operation");
}

/* A global pointer is a plain 64-bit value: its bits can be had as an integer, and back. */
static void check_convert(verifier *v, const ir_op *op)
{
    const ir_type *to = op->type, *from = op->in[0]->type;
    bool wide = (to->kind == IR_PTR || (is_integer(to) && to->size == 8)) &&
                (from->kind == IR_PTR || (is_integer(from) && from->size == 8));
    bool address = op->code == IR_bitcast && wide && verify_plain(to) && verify_plain(from);

    want(v, op, address || (to->kind == IR_SCALAR && from->kind == IR_SCALAR &&
             scalar_allowed((scalar_op)op->code, to->scalar, from->scalar)),
         "between these types there is none");
}

static void check_select(verifier *v, const ir_op *op)
{
    want(v, op, ir_is_scalar(op->in[0]->type, SCALAR_bool), "the condition is a bool");
    want(v, op, op->in[1]->type == op->type && op->in[2]->type == op->type,
         "both choices have the type of the result");
    want(v, op, verify_plain(op->type), "only scalars and global pointers are selected");
}

static void check_place(verifier *v, const ir_op *op)
{
    const ir_type *ptr = op->in[0]->type;

    want(v, op, is_ptr(op->in[0]), "the first input is a pointer");
    if (ptr->kind != IR_PTR)
        return;
    if (op->code != IR_field)
        want(v, op, is_i64(op->in[1]), "the second input is an i64");
    if (op->code == IR_offset)
        want(v, op, op->type == ptr, "the result has the pointer's type");
    else if (op->code == IR_index)
        want(v, op, ptr->elem->kind == IR_ARRAY && points_alike(op->type, ptr, ptr->elem->elem),
             "from a pointer to an array to one to its element");
    else
        want(v, op, ptr->elem->kind == IR_STRUCT && op->index < ptr->elem->field_count &&
                 points_alike(op->type, ptr, ptr->elem->fields[op->index].type),
             "from a pointer to a struct to one to that field");
}

static void check_made(verifier *v, const ir_op *op)
{
    const ir_type *type = op->type;

    if (op->code == IR_const)
        want(v, op, type->kind == IR_SCALAR && scalar_canonical(type->scalar, op->bits) == op->bits,
             "a scalar with the bits of its type");
    else if (op->code == IR_undef)
        want(v, op, verify_plain(type), "a scalar or a global pointer");
    else if (op->code == IR_var)
        want(v, op, type->kind == IR_PTR && type->space == IR_LOCAL && type->elem->size > 0,
             "makes a ptr.local to something that has a size");
    else if (op->code == IR_table)
        want(v, op, op->table && type->kind == IR_PTR && type->space == IR_TABLE_SPACE &&
                 type->elem == op->table->type,
             "makes a ptr.table to its table");
    for (uint32_t i = 0; op->code == IR_scratch && i < op->in_count; i++)
        want(v, op, is_i64(op->in[i]), "extents are i64");
    if (op->code == IR_scratch)
        want(v, op, type->kind == IR_PTR && type->space == IR_GLOBAL && op->in_count > 0 &&
                 op->in_count <= IR_MAX_RANK,
             "makes a ptr.global, with one to four extents");
}

static void check_memory(verifier *v, const ir_op *op)
{
    const ir_type *ptr = op->in[0]->type;

    want(v, op, is_ptr(op->in[0]), "the first input is a pointer");
    if (ptr->kind != IR_PTR)
        return;
    if (op->code == IR_load) {
        want(v, op, verify_plain(ptr->elem) && op->type == ptr->elem,
             "gives the scalar or global pointer that its pointer points to");
        return;
    }
    want(v, op, is_writable(op->in[0]), "writes global or local memory only");
    want(v, op, op->type->kind == IR_VOID, "gives nothing");
    if (op->code == IR_store)
        want(v, op, verify_plain(ptr->elem) && op->in[1]->type == ptr->elem &&
                 (ptr->elem->kind == IR_SCALAR || ptr->space == IR_LOCAL),
             "a scalar of the pointer's type, or a global pointer to local memory");
    else if (op->code == IR_copy)
        want(v, op, is_ptr(op->in[1]) && op->in[1]->type->elem == ptr->elem &&
                 (ptr->elem->kind == IR_STRUCT || ptr->elem->kind == IR_ARRAY),
             "from a pointer to the same aggregate type");
    else
        want(v, op, ir_is_scalar(op->in[1]->type, SCALAR_u8), "the value is a u8");
}

static void check_atomic(verifier *v, const ir_op *op)
{
    const ir_type *type = op->type;
    bool known = op->scalar == SCALAR_OP_COUNT || op->scalar == SCALAR_OP_add ||
                 op->scalar == SCALAR_OP_sub || op->scalar == SCALAR_OP_and ||
                 op->scalar == SCALAR_OP_or || op->scalar == SCALAR_OP_xor ||
                 op->scalar == SCALAR_OP_min || op->scalar == SCALAR_OP_max;

    want(v, op, is_writable(op->in[0]) && type->kind == IR_SCALAR && op->in[0]->type->elem == type,
         "gives the old scalar at a pointer to global or local memory");
    for (uint32_t i = 1; i < op->in_count; i++)
        want(v, op, op->in[i]->type == type, "values have the type of what they replace");
    if (op->code == IR_cas)
        want(v, op, is_integer(type), "integers only");
    if (op->code == IR_atomic)
        want(v, op, known && type->kind == IR_SCALAR && (op->scalar == SCALAR_OP_COUNT ||
                 scalar_allowed(op->scalar, type->scalar, type->scalar)),
             "add, sub, and, or, xor, min, max or exchange of this type");
}

static void check_reduce(verifier *v, const ir_op *op)
{
    const ir_task_info *info = v->func->task;

    want(v, op, info && op->index < info->task->reduce_count &&
             ir_is_scalar(op->in[0]->type, info->task->reduces[op->index].type),
         "a value of the type of the task's reduction of that number");
    want(v, op, op->type->kind == IR_VOID, "gives nothing");
}

static void check_call(verifier *v, const ir_op *op)
{
    const ir_func *f = op->func, *g = v->module->funcs;

    while (g && g != f)
        g = g->next;
    want(v, op, f && g && f->kind != IR_TASK, "calls a helper or kernel of the module");
    if (v->status != SLIP_OK)
        return;
    want(v, op, op->in_count == f->param_count, "as many inputs as the function has parameters");
    for (uint32_t i = 0; i < op->in_count && i < f->param_count; i++)
        want(v, op, op->in[i]->type == f->params[i].op->type, "inputs have the parameters' types");
    want(v, op, f->result->kind == IR_SCALAR ? op->type == f->result : op->type->kind == IR_VOID,
         "gives the function's scalar, or nothing");
    want(v, op, f->kind != IR_KERNEL || f->result->kind != IR_STRUCT,
         "a kernel that gives a struct is not called");
}

static void check_math(verifier *v, const ir_op *op)
{
    want(v, op, op->type->kind == IR_SCALAR && scalar_types[op->type->scalar].is_float,
         "floats only");
    want(v, op, op->math < IR_MATH_COUNT && op->in_count == ir_maths[op->math].operands,
         "as many inputs as the function takes");
    for (uint32_t i = 0; i < op->in_count; i++)
        want(v, op, op->in[i]->type == op->type, "each input has the type of the result");
}

static void check_switch(verifier *v, const ir_op *op)
{
    const ir_type *type = op->in[0]->type;

    want(v, op, is_integer(type), "on an integer");
    if (!is_integer(type))
        return;
    for (uint32_t k = 0; k + 1 < op->region_count; k++)
        for (uint32_t i = 0; i < op->cases[k].count; i++) {
            uint64_t value = op->cases[k].values[i];
            want(v, op, scalar_canonical(type->scalar, value) == value,
                 "cases have bits of the value's type");
            for (uint32_t j = 0; j <= k; j++)
                for (uint32_t n = 0; n < (j < k ? op->cases[j].count : i); n++)
                    want(v, op, op->cases[j].values[n] != value, "each case stands once");
        }
}

static void check_task(verifier *v, const ir_op *op)
{
    want(v, op, op->in_count % 2 == 0 && op->in_count <= 2 * MOD_MAX_AXES,
         "lo and hi for at most three axes");
    for (uint32_t i = 0; i + 1 < op->in_count; i += 2)
        want(v, op, is_integer(op->in[i]->type) && op->in[i]->type == op->in[i + 1]->type,
             "lo and hi of an axis are integers of one type");
}

static void check_control(verifier *v, const ir_op *op)
{
    bool valued = op->type->kind != IR_VOID;

    if (op->code == IR_if || op->code == IR_assert)
        want(v, op, ir_is_scalar(op->in[0]->type, SCALAR_bool), "the condition is a bool");
    if (op->code == IR_if)
        want(v, op, !valued || verify_plain(op->type),
             "only scalars and global pointers are merged");
    else
        want(v, op, !valued, "gives nothing");
    for (uint32_t i = 0; op->code == IR_print && i < op->in_count; i++)
        want(v, op, op->in[i]->type->kind == IR_SCALAR, "prints scalars only");
    if (op->code == IR_switch)
        check_switch(v, op);
    if (op->code == IR_task)
        check_task(v, op);
}

void verify_types(verifier *v, const ir_op *op)
{
    switch (op->code) {
    case IR_add:
    case IR_sub:
    case IR_mul:
    case IR_div:
    case IR_rem:
    case IR_min:
    case IR_max:
    case IR_and:
    case IR_or:
    case IR_xor:
    case IR_shl:
    case IR_shr:
    case IR_neg:
    case IR_not:
    case IR_abs:
    case IR_sqrt:
    case IR_floor:
    case IR_ceil:
    case IR_trunc:
    case IR_rint:
    case IR_fma:
        check_arithmetic(v, op);
        break;
    case IR_eq:
    case IR_ne:
    case IR_lt:
    case IR_le:
        check_comparison(v, op);
        break;
    case IR_convert:
    case IR_bitcast:
        check_convert(v, op);
        break;
    case IR_select:
        check_select(v, op);
        break;
    case IR_const:
    case IR_undef:
    case IR_var:
    case IR_scratch:
    case IR_table:
        check_made(v, op);
        break;
    case IR_index:
    case IR_offset:
    case IR_field:
        check_place(v, op);
        break;
    case IR_load:
    case IR_store:
    case IR_copy:
    case IR_fill:
        check_memory(v, op);
        break;
    case IR_update:
    case IR_atomic:
    case IR_cas:
        check_atomic(v, op);
        break;
    case IR_reduce:
        check_reduce(v, op);
        break;
    case IR_call:
        check_call(v, op);
        break;
    case IR_math:
        check_math(v, op);
        break;
    case IR_assert:
    case IR_print:
    case IR_if:
    case IR_loop:
    case IR_block:
    case IR_switch:
    case IR_break:
    case IR_continue:
    case IR_return:
    case IR_yield:
    case IR_task:
    case IR_sections:
    case IR_section:
        check_control(v, op);
        break;
    case IR_param:
    case IR_arg:
    case IR_CODE_COUNT:
        break;
    }
}
