/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse_body.c - functions read from the text form: parameters, ops and their regions.
 *
 * A value is known from its line on, in the whole function; the verifier says whether it may be
 * used where it is. Must never build an op with other than the number of inputs and regions of
 * its row, so that what reads the module may rely on them.
 */
#include <inttypes.h>
#include <string.h>

#include "ir/form.h"

static uint32_t hash_of(const char *name, uint32_t length)
{
    uint32_t hash = 2166136261u;

    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return hash;
}

/* The place of the name in the function's table of values, or the empty one where it would go. */
static form_value *find_value(form_reader *r, const char *name, uint32_t length)
{
    uint32_t slot = hash_of(name, length);

    for (;; slot++) {
        form_value *v = &r->values[slot & (r->value_slots - 1)];
        if (!v->name || (strlen(v->name) == length && memcmp(v->name, name, length) == 0))
            return v;
    }
}

static void grow_values(form_reader *r)
{
    form_value *old = r->values;
    uint32_t slots = r->value_slots;

    if (2 * (r->value_count + 1) <= slots)
        return;
    r->value_slots = slots ? 2 * slots : 64;
    r->values = arena_new(r->arena, r->value_slots * sizeof *r->values);
    for (uint32_t i = 0; i < slots; i++)
        if (old[i].name)
            *find_value(r, old[i].name, (uint32_t)strlen(old[i].name)) = old[i];
}

static void name_value(form_reader *r, const char *name, ir_op *op)
{
    grow_values(r);
    form_value *v = find_value(r, name, (uint32_t)strlen(name));
    if (v->name) {
        form_fail(r, "%%%s is made twice", name);
        return;
    }
    *v = (form_value){ name, op };
    r->value_count++;
}

static ir_op *read_value(form_reader *r)
{
    ir_op *op = NULL;

    if (r->token.kind != FORM_VALUE)
        form_fail(r, "a value is wanted here");
    else if (r->value_slots)
        op = find_value(r, r->token.start, r->token.length)->op;
    if (!op)
        form_fail(r, "%%%.*s is not made above", (int)r->token.length, r->token.start);
    form_next(r);
    return op;
}

/* "%7 =", where one stands; the name copied. */
static const char *read_made(form_reader *r)
{
    const char *name;

    if (r->token.kind != FORM_VALUE)
        return NULL;
    name = arena_copy(r->arena, r->token.start, r->token.length);
    form_next(r);
    form_want(r, "=");
    return name;
}

static bool read_code(form_reader *r, ir_code *out)
{
    for (int k = 0; k < IR_CODE_COUNT; k++)
        if (k != IR_param && k != IR_arg && form_take(r, ir_codes[k].name)) {
            *out = (ir_code)k;
            return true;
        }
    form_fail(r, "no op is called %.*s", (int)r->token.length, r->token.start);
    return false;
}

static void read_call(form_reader *r, ir_op *op)
{
    form_call *call = arena_new(r->arena, sizeof *call);

    call->op = op;
    call->line = r->line;
    call->name = form_read_name(r);
    call->next = r->calls;
    r->calls = call;
}

static void read_table_name(form_reader *r, ir_op *op)
{
    const char *name = form_read_name(r);

    for (const ir_table *t = r->module->tables; t; t = t->next)
        if (strcmp(t->name, name) == 0)
            op->table = t;
    if (!op->table)
        form_fail(r, "table %s is not defined", name);
}

static void read_atomic(form_reader *r, ir_op *op)
{
    int k = 0;

    while (k < SCALAR_OP_COUNT && !form_is(r, scalar_ops[k].name))
        k++;
    op->scalar = (scalar_op)k;
    if (k == SCALAR_OP_COUNT)
        form_want(r, "exchange");
    else
        form_next(r);
}

static void read_math(form_reader *r, ir_op *op)
{
    for (int k = 0; k < IR_MATH_COUNT; k++)
        if (form_take(r, ir_maths[k].name)) {
            op->math = (ir_math)k;
            return;
        }
    form_fail(r, "no math function is called so");
}

static void read_attribute(form_reader *r, ir_op *op)
{
    if (op->code == IR_const && op->type->kind == IR_SCALAR)
        op->bits = form_read_scalar(r, op->type->scalar);
    else if (op->code == IR_const)
        form_fail(r, "a const is a scalar");
    else if (op->code == IR_field || op->code == IR_reduce)
        op->index = (uint32_t)form_read_number(r, UINT32_MAX);
    else if (op->code == IR_break || op->code == IR_continue)
        op->levels = (uint32_t)form_read_number(r, UINT32_MAX);
    else if (op->code == IR_atomic)
        read_atomic(r, op);
    else if (op->code == IR_math)
        read_math(r, op);
    else if (op->code == IR_fill)
        op->bytes = form_read_number(r, UINT64_MAX);
    else if (op->code == IR_load)
        op->relaxed = form_take(r, "relaxed");
    else if (op->code == IR_call)
        read_call(r, op);
    else if (op->code == IR_table)
        read_table_name(r, op);
    else if ((op->code == IR_assert || op->code == IR_print) && r->token.kind == FORM_STRING)
        op->text = form_read_name(r);
}

static void read_inputs(form_reader *r, ir_op *op)
{
    uint32_t capacity = 0, wanted = ir_codes[op->code].inputs;

    while (r->token.kind == FORM_VALUE) {
        op->in = arena_grow(r->arena, op->in, &capacity, op->in_count + 1, sizeof *op->in);
        op->in[op->in_count++] = read_value(r);
        if (!form_take(r, ","))
            break;
        if (r->token.kind != FORM_VALUE)
            form_fail(r, "a value is wanted after the comma");
    }
    if (wanted != IR_ANY && wanted != op->in_count)
        form_fail(r, "%s takes %" PRIu32 " inputs, not %" PRIu32, ir_codes[op->code].name, wanted,
                  op->in_count);
}

static void read_ops(form_reader *r, ir_region *region);

static void read_args(form_reader *r, ir_region *region)
{
    if (!form_take(r, "("))
        return;
    do {
        const char *made = r->token.kind == FORM_VALUE
                               ? arena_copy(r->arena, r->token.start, r->token.length)
                               : NULL;
        if (!made)
            form_fail(r, "a value is wanted here");
        form_next(r);
        const ir_type *type = form_read_type(r);
        ir_op *arg = ir_region_arg(r->module, region, type,
                                   form_take(r, "as") ? form_read_name(r) : NULL);
        arg->place = form_read_place(r);
        if (made)
            name_value(r, made, arg);
    } while (form_take(r, ","));
    form_want(r, ")");
}

static void read_region(form_reader *r, ir_region *region)
{
    if (r->depth >= IR_MAX_DEPTH) {
        form_fail(r, "more than %d levels", IR_MAX_DEPTH);
        return;
    }
    r->depth++;
    read_args(r, region);
    form_want(r, "{");
    form_skip_lines(r);
    read_ops(r, region);
    form_want(r, "}");
    r->depth--;
}

static ir_region *add_region(form_reader *r, ir_op *op, uint32_t *capacity)
{
    op->regions = arena_grow(r->arena, op->regions, capacity, op->region_count + 1,
                             sizeof *op->regions);
    op->regions[op->region_count] = ir_region_new(r->module, op);
    return op->regions[op->region_count++];
}

static void read_case(form_reader *r, ir_case *made, scalar_type type)
{
    uint64_t *values = NULL;
    uint32_t capacity = 0;

    do {
        if (form_is(r, "{"))
            break;
        values = arena_grow(r->arena, values, &capacity, made->count + 1, sizeof *values);
        values[made->count++] = form_read_scalar(r, type);
    } while (form_take(r, ","));
    made->values = values;
}

static void read_switch(form_reader *r, ir_op *op)
{
    bool typed = r->status == SLIP_OK && op->in[0]->type->kind == IR_SCALAR;
    ir_case *cases = NULL;
    uint32_t capacity = 0, room = 0;

    while (form_take(r, "case")) {
        cases = arena_grow(r->arena, cases, &capacity, op->region_count + 1, sizeof *cases);
        cases[op->region_count] = (ir_case){ 0 };
        read_case(r, &cases[op->region_count], typed ? op->in[0]->type->scalar : SCALAR_u64);
        read_region(r, add_region(r, op, &room));
    }
    op->cases = cases;
    form_want(r, "default");
    read_region(r, add_region(r, op, &room));
}

static void read_regions(form_reader *r, ir_op *op)
{
    uint32_t wanted = ir_codes[op->code].regions, capacity = 0;

    if (op->code == IR_switch)
        read_switch(r, op);
    for (uint32_t i = 0; wanted != IR_ANY && i < wanted; i++) {
        ir_region *region = add_region(r, op, &capacity);
        if (i == 0 || form_take(r, op->code == IR_if ? "else" : "next"))
            read_region(r, region);
    }
}

static void read_op(form_reader *r, ir_region *region)
{
    const char *made = read_made(r);
    ir_builder b = { .module = r->module, .region = region };
    ir_code code;

    if (!read_code(r, &code))
        return;
    ir_op *op = ir_build(&b, code, made ? form_read_type(r) : ir_type_void(r->module), NULL, 0);
    if (made && op->type->kind == IR_VOID)
        form_fail(r, "%%%s has no type", made);
    op->in = NULL;
    read_attribute(r, op);
    read_inputs(r, op);
    if (form_take(r, "as"))
        op->name = form_read_name(r);
    op->place = form_read_place(r);
    read_regions(r, op);
    if (made && r->status == SLIP_OK)
        name_value(r, made, op);
    form_line_end(r);
}

static void read_ops(form_reader *r, ir_region *region)
{
    while (r->token.kind != FORM_END && !form_is(r, "}"))
        read_op(r, region);
}

static void read_extents(form_reader *r, ir_param *p)
{
    while (form_take(r, "extent")) {
        if (p->rank == IR_MAX_RANK) {
            form_fail(r, "an array has at most %d extents", IR_MAX_RANK);
            return;
        }
        if (r->token.kind == FORM_STRING)
            p->extent_text[p->rank] = form_read_name(r);
        if (form_is(r, "{")) {
            p->extents[p->rank] = ir_region_new(r->module, NULL);
            read_region(r, p->extents[p->rank]);
        }
        p->rank++;
    }
}

/* The line of a parameter, from after `= param`. */
static void read_param(form_reader *r, ir_func *f, const char *made)
{
    const ir_type *type = form_read_type(r);
    bool is_array = form_take(r, "array"), is_const = form_take(r, "const");
    bool is_out = form_take(r, "out"), outer_unknown = form_take(r, "outer_unknown");
    const char *name = form_take(r, "as") ? form_read_name(r) : NULL;
    ir_param *p = ir_param_add(r->module, f, name, type);

    p->is_array = is_array;
    p->is_const = is_const;
    p->is_out = is_out;
    p->outer_unknown = outer_unknown;
    p->op->place = form_read_place(r);
    name_value(r, made, p->op);
    read_extents(r, p);
    form_line_end(r);
}

void form_read_body(form_reader *r, ir_func *f)
{
    r->values = NULL;
    r->value_slots = r->value_count = 0;
    form_want(r, "{");
    form_skip_lines(r);
    if (form_take(r, "info")) {
        f->task = form_read_task_info(r);
        form_skip_lines(r);
    }
    while (r->token.kind == FORM_VALUE) {
        form_reader here = *r;
        const char *made = read_made(r);
        if (!form_take(r, "param")) {
            if (r->status == SLIP_OK)
                *r = here;
            break;
        }
        read_param(r, f, made);
    }
    read_ops(r, f->body);
    form_want(r, "}");
}
