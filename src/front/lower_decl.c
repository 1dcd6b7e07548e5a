/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_decl.c - local variables. At kernel level an array is scratch in device memory; in a task,
 * or in a function without tasks, every variable belongs to the invocation.
 */
#include "front/lower.h"

enum { LOCAL_WARN_BYTES = 1024, LOCAL_MOST_BYTES = 16 * 1024 };

static spot scratch(lower *l, fdecl *d, const ftype *t)
{
    ir_op *extents[16];
    uint32_t rank = 0;

    for (const ftype *at = t; at->kind == FT_ARRAY && rank < 16; at = at->elem)
        extents[rank++] = at->extent ? at->extent : ir_const_i64(&l->b, (int64_t)at->count);
    const ir_type *type = ir_type_ptr(l->f->m, IR_GLOBAL, ftype_inner(t)->ir);
    ir_op *op = ir_build(&l->b, IR_scratch, type, extents, rank);
    op->name = d->name;
    return (spot){ .type = t, .base = op, .into = d };
}

static void count_bytes(lower *l, const fdecl *d, uint64_t bytes)
{
    uint64_t before = l->local_bytes;
    const char *advice =
        "keep it in an array parameter, or declare it outside the slip_for as scratch";

    l->local_bytes += bytes;
    if (l->local_bytes > LOCAL_MOST_BYTES && before <= LOCAL_MOST_BYTES)
        front_error(l->f, d->place, advice,
                    "local arrays take %llu bytes an iteration with `%s`; at most %d are possible",
                    (unsigned long long)l->local_bytes, d->name, LOCAL_MOST_BYTES);
    else if (l->local_bytes > LOCAL_WARN_BYTES && before <= LOCAL_WARN_BYTES)
        front_warn(l->f, d->place, advice, "local arrays take %llu bytes an iteration with `%s`",
                   (unsigned long long)l->local_bytes, d->name);
}

static void array(lower *l, fdecl *d)
{
    binding *b = &d->bind;

    if (l->kernel_level && !l->task) {
        if (d->type->runtime && d->init) {
            front_error(l->f, d->place, "assign the elements in a slip_for",
                        "`%s` has run-time extents and an initialiser", d->name);
            d->init = NULL;
        }
        b->type = lower_runtime_type(l, d->type, d->dims, d->dim_count);
        l->b.place = d->place;
        b->base = scratch(l, d, b->type).base;
        return;
    }
    if (d->type->runtime) {
        front_error(
            l->f, d->place,
            l->task ? "declare it outside the slip_for, with one row for each iteration"
                    : "give it a constant extent, or let the caller pass it",
            "the extent of `%s` is found at run time; inside %s only constant extents are possible",
            d->name, l->task ? "a slip_for" : "a function called from one");
        b->base = ir_var(&l->b, ftype_inner(d->type)->ir, d->name);
        b->type = ftype_inner(d->type);
        return;
    }
    const ir_type *storage = front_storage(l->f, d->type);
    count_bytes(l, d, storage->size);
    b->base = ir_var(&l->b, storage, d->name);
    b->in_array = true;
}

static void declare(lower *l, fdecl *d)
{
    d->bind = (binding){ .stamp = l->f->stamp, .task = l->task, .type = d->type };
    l->b.place = d->place;
    if (d->type->kind == FT_POINTER) {
        d->bind.type = lower_runtime_type(l, d->type, d->dims, d->dim_count);
        lower_declare_pointer(l, d);
    } else if (d->type->kind == FT_ARRAY) {
        array(l, d);
    } else if (d->type->kind == FT_SCALAR || d->type->kind == FT_STRUCT) {
        d->bind.base = ir_var(&l->b, d->type->ir, d->name);
    }
}

/* Variables of a switch are declared before it: one label's part may use another's. */
void lower_predeclare(lower *l, fdecl *d)
{
    if (d->is_static || d->is_const || d->type->kind == FT_BAD || d->type->kind == FT_POINTER)
        return;
    declare(l, d);
    d->bind.predeclared = true;
}

void lower_decl(lower *l, node *n)
{
    fdecl *d = n->decl;

    if (d->type->kind == FT_BAD || d->type->kind == FT_FUNC)
        return;
    if (d->is_const && !d->is_static && !d->written)
        d->as_table = d->as_table || constant_initialiser(l->f, d);
    if (d->is_const && (d->is_static || d->as_table)) {
        constant_table(l->f, d);
        return;
    }
    if (!(d->bind.stamp == l->f->stamp && d->bind.predeclared))
        declare(l, d);
    if (!d->init)
        return;
    l->b.place = d->place;
    if (d->type->kind == FT_POINTER) {
        spot to = lower_pointer(l, d->init);
        lower_point(l, d, to, d->place);
        return;
    }
    spot to = {
        .type = d->bind.type, .base = d->bind.base, .in_array = d->bind.in_array, .into = d
    };
    if (to.base)
        lower_init(l, to, d->init);
}
