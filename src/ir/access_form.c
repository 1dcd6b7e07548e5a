/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_form.c - the address of an access as digits, one per dimension of its array.
 *
 * An index expression is followed through sums, products with uniform factors and widening
 * conversions. What a factor multiplies goes to the dimension whose stride equals the factor; what
 * is left over, to the last one.
 */
#include "ir/access.h"

static const access_product one = { .factor = 1 };

/* ---- values -------------------------------------------------------------------------------- */

bool access_is_index(const access_task *t, const ir_op *op)
{
    return op->code == IR_param && op->index < t->task->rank;
}

bool access_same_value(const ir_op *a, const ir_op *b, int depth)
{
    if (a == b)
        return true;
    if (depth == 0 || a->code != b->code || a->type != b->type || a->in_count != b->in_count)
        return false;
    if (a->code == IR_const)
        return a->bits == b->bits;
    if (!(a->code < (ir_code)SCALAR_OP_COUNT))
        return false;
    for (uint32_t i = 0; i < a->in_count; i++)
        if (!access_same_value(a->in[i], b->in[i], depth - 1))
            return false;
    return true;
}

static bool widens(const ir_op *op)
{
    scalar_type to = op->type->scalar;

    if (op->code != IR_convert || op->in[0]->type->kind != IR_SCALAR)
        return false;
    scalar_type from = op->in[0]->type->scalar;
    return scalar_types[from].is_integer && scalar_types[to].bytes >= scalar_types[from].bytes;
}

/* A value made of launch values alone, as a product; factor 0 if it is none. */
static access_product uniform_product(const access_task *t, const ir_op *op, int depth)
{
    if (op->code == IR_const)
        return (access_product){ .factor = (int64_t)op->bits };
    if (op->code == IR_param && op->type->kind == IR_SCALAR && op->index >= t->task->rank) {
        const mod_arg *arg = &t->task->args[op->index - t->task->rank];
        return access_slot_product(t, arg->index, 8);
    }
    if (depth && op->code == IR_mul)
        return access_times(uniform_product(t, op->in[0], depth - 1),
                            uniform_product(t, op->in[1], depth - 1));
    if (depth && widens(op))
        return uniform_product(t, op->in[0], depth - 1);
    if (access_uniform(t, op, 16))
        return access_symbol((uint64_t)(uintptr_t)op);
    return (access_product){ 0 };
}

access_product access_value_product(const access_task *t, const ir_op *op)
{
    return uniform_product(t, op, 8);
}

/* Not an unsigned narrow sum or product, which may wrap where the wide one does not. */
static bool may_follow(const ir_op *op)
{
    scalar_type type = op->type->scalar;

    return scalar_types[type].is_signed || scalar_types[type].bytes == 8;
}

/* ---- digits -------------------------------------------------------------------------------- */

typedef struct forming {
    const access_task *t;
    access_form *form;
    bool failed;
} forming;

static void add_term(forming *f, uint32_t d, access_product factor, ir_op *atom)
{
    access_digit *digit = &f->form->digits[d];

    if (digit->count == ACCESS_TERMS || !factor.factor)
        f->failed = true;
    else
        digit->terms[digit->count++] = (access_term){ .factor = factor, .atom = atom };
}

/* factor / stride, where it divides; else factor 0. */
static access_product quotient(access_product factor, const access_product *stride)
{
    access_product out = { 0 };
    uint32_t k = 0;

    if (!stride->factor || factor.factor % stride->factor)
        return out;
    for (uint32_t i = 0; i < factor.count; i++)
        if (k < stride->count && factor.symbols[i] == stride->symbols[k])
            k++;
        else
            out.symbols[out.count++] = factor.symbols[i];
    if (k == stride->count)
        out.factor = factor.factor / stride->factor;
    return out;
}

/* Puts atom * factor where it belongs. */
static void place_term(forming *f, access_product factor, ir_op *atom)
{
    for (uint32_t d = 0; d < f->form->rank; d++) {
        access_product q = quotient(factor, &f->form->strides[d]);
        if (q.factor) {
            add_term(f, d, q, atom);
            return;
        }
    }
    f->failed = true;
}

static void place_constant(forming *f, int64_t value, access_product factor)
{
    access_form *form = f->form;
    int64_t left;

    if (value == 0)
        return;
    for (uint32_t d = 0; d < form->rank; d++)
        if (access_same_product(&factor, &form->strides[d]) && d + 1 < form->rank) {
            form->digits[d].constant += value;
            return;
        }
    if (factor.count || __builtin_mul_overflow(value, factor.factor, &left)) {
        access_product q = { 0 };
        for (uint32_t d = 0; d < form->rank && !q.factor; d++) {
            q = quotient(factor, &form->strides[d]);
            if (q.factor && q.count == 0)
                form->digits[d].constant += value * q.factor;
            else if (q.factor)
                f->failed = true;
        }
        f->failed |= !q.factor;
        return;
    }
    for (uint32_t d = 0; d + 1 < form->rank && left > 0; d++) {
        const access_product *s = &form->strides[d];
        if (s->count || !s->factor)
            continue;
        form->digits[d].constant += left / s->factor;
        left %= s->factor;
    }
    form->digits[form->rank - 1].constant += left;
}

static void follow(forming *f, ir_op *op, access_product factor, int depth)
{
    access_product by;

    if (op->code == IR_const) {
        place_constant(f, (int64_t)op->bits, factor);
    } else if (depth && (op->code == IR_add || op->code == IR_sub) && may_follow(op)) {
        access_product other = factor;
        if (op->code == IR_sub)
            other.factor = -other.factor;
        follow(f, op->in[0], factor, depth - 1);
        follow(f, op->in[1], other, depth - 1);
    } else if (depth && op->code == IR_mul && may_follow(op) &&
               (by = uniform_product(f->t, op->in[1], 8)).factor) {
        follow(f, op->in[0], access_times(factor, by), depth - 1);
    } else if (depth && op->code == IR_mul && may_follow(op) &&
               (by = uniform_product(f->t, op->in[0], 8)).factor) {
        follow(f, op->in[1], access_times(factor, by), depth - 1);
    } else if (depth && op->code == IR_shl && may_follow(op) && op->in[1]->code == IR_const &&
               op->in[1]->bits < 31) {
        by = (access_product){ .factor = INT64_C(1) << op->in[1]->bits };
        follow(f, op->in[0], access_times(factor, by), depth - 1);
    } else if (depth && widens(op)) {
        follow(f, op->in[0], factor, depth - 1);
    } else {
        place_term(f, factor, op);
    }
}

/* The strides of an array whose extents are known, in elements. */
static uint32_t set_strides(const access_task *t, const access_at *a, access_form *form)
{
    const ir_pointer_info *info = &t->info->pointers[a->root->index];
    const uint32_t *extents;
    uint32_t rank, array;

    form->strides[0] = one;
    if (!info->whole || info->count != 1)
        return 1;
    array = info->arrays[0];
    if (array + 1 >= t->array_count)
        return 1;
    bool param = array < t->entry->param_count;
    rank = param ? t->entry->params[array].rank
                 : t->entry->scratch[array - t->entry->param_count].rank;
    extents = param ? t->entry->params[array].extents
                    : t->entry->scratch[array - t->entry->param_count].extents;
    if (rank == 0)
        return 1;
    form->strides[rank - 1] = one;
    for (uint32_t d = rank - 1; d > 0; d--)
        form->strides[d - 1] =
            access_times(form->strides[d], access_slot_product(t, extents[d], 8));
    return rank;
}

/* A struct's own indices below the element make the address unknown, unless they are constant. */
static bool add_path(access_form *form, const ir_op *p)
{
    if (p->code == IR_field)
        form->path += p->in[0]->type->elem->fields[p->index].offset;
    else if (p->in[1]->code == IR_const)
        form->path += p->in[1]->bits * p->type->elem->size;
    else
        return false;
    return true;
}

void access_form_of(const access_task *t, ir_op *ptr, access_at *out)
{
    access_form *form = &out->form;
    forming f = { .t = t, .form = form };
    bool inside = true;

    if (!out->root || !t->info->pointers)
        return;
    form->unit = out->root->type->elem;
    form->rank = set_strides(t, out, form);
    for (ir_op *p = ptr; p != out->root; p = p->in[0]) {
        inside = inside && !(p->code == IR_offset && p->type == out->root->type);
        if (inside ? !add_path(form, p) : p->code != IR_offset || p->type != out->root->type)
            return;
        if (!inside)
            follow(&f, p->in[1], one, 24);
    }
    form->known = !f.failed;
}

void access_form_of_value(const access_task *t, ir_op *value, access_form *out)
{
    forming f = { .t = t, .form = out };

    *out = (access_form){ .rank = 1, .strides = { one } };
    follow(&f, value, one, 24);
    out->known = !f.failed;
}
