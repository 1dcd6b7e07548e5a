/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interp.c - the IR's meaning, as plainly as it can be said.
 *
 * Written from ir.h and op.def alone, so that it shares no mistake with a pass. Must never change
 * the function that it runs but for the numbers of its ops.
 */
#include "interp.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum outcome { NEXT, LEAVE, AGAIN, RETURN, YIELD } outcome;

typedef struct frame {
    interp *in;
    const ir_func *func;
    uint64_t *values; /* by id */
    void **memory;    /* by id: of var and scratch ops, made at the first time */
    uint32_t levels;  /* of a break or continue on its way */
    uint64_t result;  /* of return or yield */
} frame;

static outcome run_region(frame *f, const ir_region *r);

static uint64_t in(const frame *f, const ir_op *op, uint32_t i)
{
    return f->values[op->in[i]->id];
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static uint64_t read_value(const ir_type *type, uint64_t address)
{
    uint64_t bits;

    if (type->kind == IR_SCALAR)
        return scalar_load(type->scalar, at(address));
    memcpy(&bits, at(address), sizeof bits);
    return bits;
}

static void write_value(const ir_type *type, uint64_t address, uint64_t bits)
{
    if (type->kind == IR_SCALAR)
        scalar_store(type->scalar, at(address), bits);
    else
        memcpy(at(address), &bits, sizeof bits);
}

static uint64_t run_scalar(const frame *f, const ir_op *op)
{
    uint64_t v[3] = { 0 };
    scalar_op code = (scalar_op)op->code;
    bool compares = code == SCALAR_OP_eq || code == SCALAR_OP_ne || code == SCALAR_OP_lt ||
                    code == SCALAR_OP_le;

    for (uint32_t i = 0; i < op->in_count; i++)
        v[i] = in(f, op, i);
    if (op->type->kind == IR_PTR || op->in[0]->type->kind == IR_PTR) /* select, compare, bitcast */
        return code == SCALAR_OP_bitcast
                   ? v[0]
                   : scalar_eval(code, SCALAR_u64, SCALAR_u64, v[0], v[1], v[2]);
    scalar_type from = op->in[0]->type->scalar;
    return scalar_eval(code, compares ? from : op->type->scalar, from, v[0], v[1], v[2]);
}

static double own_rsqrt(double x)
{
    return 1 / sqrt(x);
}
#define rsqrt own_rsqrt

static double run_double(ir_math math, double x, double y)
{
    switch (math) {
#define CALL_1(name) name(x)
#define CALL_2(name) name(x, y)
#define MATH_CASE_(name, operands)                                                                \
    case IR_MATH_##name:                                                                          \
        return CALL_##operands(name);
        IR_MATHS(MATH_CASE_)
#undef MATH_CASE_
    case IR_MATH_COUNT:
        break;
    }
    return 0;
}

static double as_double(const ir_type *type, uint64_t bits)
{
    double value;

    bits = scalar_eval(SCALAR_OP_convert, SCALAR_f64, type->scalar, bits, 0, 0);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t run_math(const frame *f, const ir_op *op)
{
    double x = as_double(op->type, in(f, op, 0));
    double y = op->in_count > 1 ? as_double(op->type, in(f, op, 1)) : 0;
    double value = run_double(op->math, x, y);
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return scalar_eval(SCALAR_OP_convert, op->type->scalar, SCALAR_f64, bits, 0, 0);
}

/* Fresh contents are a pattern, the same each time: reading them is a fault of the test. */
static uint64_t run_memory(frame *f, const ir_op *op)
{
    uint64_t bytes = op->type->elem->size;

    for (uint32_t i = 0; i < op->in_count; i++)
        bytes *= in(f, op, i);
    free(f->memory[op->id]);
    f->memory[op->id] = malloc(bytes ? bytes : 1);
    memset(f->memory[op->id], 0xa5, bytes);
    return (uint64_t)(uintptr_t)f->memory[op->id];
}

static uint64_t run_place(const frame *f, const ir_op *op)
{
    if (op->code == IR_table)
        return (uint64_t)(uintptr_t)op->table->data;
    if (op->code == IR_field)
        return in(f, op, 0) + op->in[0]->type->elem->fields[op->index].offset;
    return in(f, op, 0) + in(f, op, 1) * op->type->elem->size;
}

static uint64_t run_update(frame *f, const ir_op *op)
{
    uint64_t old = read_value(op->type, in(f, op, 0)), fresh;

    if (op->code == IR_update) {
        f->values[op->regions[0]->args[0]->id] = old;
        if (run_region(f, op->regions[0]) != YIELD)
            return old;
        fresh = f->result;
    } else if (op->code == IR_cas) {
        fresh = old == in(f, op, 1) ? in(f, op, 2) : old;
    } else if (op->scalar == SCALAR_OP_COUNT) {
        fresh = in(f, op, 1);
    } else {
        fresh = scalar_eval(op->scalar, op->type->scalar, op->type->scalar, old, in(f, op, 1), 0);
    }
    write_value(op->type, in(f, op, 0), fresh);
    return old;
}

static void run_reduce(frame *f, const ir_op *op)
{
    const mod_reduce *r = &f->func->task->task->reduces[op->index];
    uint64_t *cell = &f->in->reduces[op->index % INTERP_REDUCES];

    *cell = scalar_eval(r->op, r->type, r->type, *cell, in(f, op, 0), 0);
}

static uint64_t run_call(frame *f, const ir_op *op)
{
    uint64_t args[32] = { 0 };

    for (uint32_t i = 0; i < op->in_count && i < 32; i++)
        args[i] = in(f, op, i);
    return interp_run(f->in, op->func, args);
}

static void run_log(frame *f, const ir_op *op)
{
    if (op->code == IR_assert && in(f, op, 0))
        return;
    text_add(&f->in->log, "%s", op->text ? op->text : "");
    for (uint32_t i = 0; i < op->in_count; i++)
        text_add(&f->in->log, " %" PRIx64, in(f, op, i));
    text_add(&f->in->log, "\n");
}

/* A break or continue arriving at a level: NEXT where it was meant for this one. */
static outcome arrive(frame *f, outcome way)
{
    if ((way != LEAVE && way != AGAIN) || --f->levels)
        return way;
    return NEXT;
}

static outcome run_loop(frame *f, const ir_op *op)
{
    while (!f->in->failed) {
        outcome way = run_region(f, op->regions[0]);
        bool left = way == LEAVE && f->levels == 1;
        way = arrive(f, way);
        if (left || way != NEXT)
            return way;
        way = run_region(f, op->regions[1]);
        left = way == LEAVE && f->levels == 1;
        way = arrive(f, way);
        if (left || way != NEXT)
            return way;
    }
    return RETURN;
}

static const ir_region *pick_case(const frame *f, const ir_op *op)
{
    for (uint32_t k = 0; k + 1 < op->region_count; k++)
        for (uint32_t i = 0; i < op->cases[k].count; i++)
            if (op->cases[k].values[i] == in(f, op, 0))
                return op->regions[k];
    return op->regions[op->region_count - 1];
}

static void run_axis(frame *f, const ir_op *op, uint32_t axis)
{
    const ir_region *r = op->regions[0];

    if (axis == r->arg_count) {
        run_region(f, r);
        return;
    }
    scalar_type type = r->args[axis]->type->scalar;
    for (uint64_t i = in(f, op, 2 * axis);
         scalar_eval(SCALAR_OP_lt, type, type, i, in(f, op, 2 * axis + 1), 0) && !f->in->failed;
         i = scalar_eval(SCALAR_OP_add, type, type, i, 1, 0)) {
        f->values[r->args[axis]->id] = i;
        run_axis(f, op, axis + 1);
    }
}

static outcome run_structure(frame *f, const ir_op *op)
{
    outcome way = NEXT;

    if (op->code == IR_if)
        way = run_region(f, op->regions[in(f, op, 0) ? 0 : 1]);
    else if (op->code == IR_switch)
        way = run_region(f, pick_case(f, op));
    else if (op->code == IR_loop)
        way = run_loop(f, op);
    else if (op->code == IR_block)
        way = arrive(f, run_region(f, op->regions[0]));
    else if (op->code == IR_task)
        run_axis(f, op, 0);
    else
        way = run_region(f, op->regions[0]);
    if (way != YIELD)
        return way;
    f->values[op->id] = f->result;
    return NEXT;
}

static outcome run_exit(frame *f, const ir_op *op)
{
    f->levels = op->levels;
    f->result = op->in_count ? in(f, op, 0) : 0;
    if (op->code == IR_break)
        return LEAVE;
    if (op->code == IR_continue)
        return AGAIN;
    return op->code == IR_return ? RETURN : YIELD;
}

static outcome run_op(frame *f, const ir_op *op)
{
    uint64_t *value = &f->values[op->id];

    if ((int)op->code < SCALAR_OP_COUNT)
        *value = run_scalar(f, op);
    else if (op->code == IR_const)
        *value = op->bits;
    else if (op->code == IR_var || op->code == IR_scratch)
        *value = run_memory(f, op);
    else if (ir_codes[op->code].flags & IR_PLACE)
        *value = run_place(f, op);
    else if (op->code == IR_load)
        *value = read_value(op->type, in(f, op, 0));
    else if (op->code == IR_store)
        write_value(op->in[1]->type, in(f, op, 0), in(f, op, 1));
    else if (op->code == IR_copy)
        memmove(at(in(f, op, 0)), at(in(f, op, 1)), op->in[0]->type->elem->size);
    else if (op->code == IR_fill)
        memset(at(in(f, op, 0)), (int)in(f, op, 1), op->bytes);
    else if (op->code == IR_update || op->code == IR_atomic || op->code == IR_cas)
        *value = run_update(f, op);
    else if (op->code == IR_reduce)
        run_reduce(f, op);
    else if (op->code == IR_call)
        *value = run_call(f, op);
    else if (op->code == IR_math)
        *value = run_math(f, op);
    else if (op->code == IR_assert || op->code == IR_print)
        run_log(f, op);
    else if (ir_codes[op->code].flags & IR_EXIT)
        return run_exit(f, op);
    else if (op->region_count)
        return run_structure(f, op);
    return NEXT;
}

static outcome run_region(frame *f, const ir_region *r)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (f->in->steps == 0)
            f->in->failed = "too many steps";
        if (f->in->failed)
            return RETURN;
        f->in->steps--;
        outcome way = run_op(f, op);
        if (way != NEXT)
            return way;
    }
    return NEXT;
}

uint64_t interp_run(interp *in_, ir_func *func, const uint64_t *args)
{
    uint32_t ids = ir_number(func);
    frame f = { .in = in_, .func = func, .values = calloc(ids + 1, sizeof *f.values),
                .memory = calloc(ids + 1, sizeof *f.memory) };

    for (uint32_t i = 0; i < func->param_count; i++)
        f.values[func->params[i].op->id] = args[i];
    run_region(&f, func->body);
    for (uint32_t i = 0; i < ids; i++)
        free(f.memory[i]);
    free(f.memory);
    free(f.values);
    return func->result->kind == IR_VOID ? 0 : f.result;
}

void interp_finish(interp *in_)
{
    text_finish(&in_->log);
    *in_ = (interp){ 0 };
}
