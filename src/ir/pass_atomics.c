/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_atomics.c - atomics only where iterations may meet.
 *
 *     %old = update %p { ^(o) %n = add o, v; yield %n }
 * becomes, where one iteration alone touches the element (or the task is serial),
 *     %old = load %p; %n = add %old, v; store %p, %n
 * and elsewhere, for one native integer operation,
 *     %old = atomic add %p, v
 *
 * needs   access      keeps   values      breaks   access flags (made anew here)
 *
 * What stays an update is a compare-and-swap loop where the target has nothing better.
 */
#include "ir/access.h"
#include "ir/pass.h"
#include "ir/plain.h"

static bool is_private(const ir_op *op)
{
    const ir_op *p = op->in[0];

    return p->type->space == IR_LOCAL;
}

static bool is_native(const ir_op *op)
{
    scalar_type type = op->type->scalar;
    bool wide = op->type->kind == IR_SCALAR && scalar_types[type].is_integer &&
                scalar_types[type].bytes >= 4;

    return wide &&
           (op->code == IR_add || op->code == IR_sub || op->code == IR_and || op->code == IR_or ||
            op->code == IR_xor || op->code == IR_min || op->code == IR_max);
}

/* The value when the update is old op value, or value op old where that is the same. */
static ir_op *native_value(const ir_op *update)
{
    const ir_region *r = update->regions[0];
    const ir_op *old = r->args[0];
    ir_op *y = r->last->in[0];

    if (y->parent != r || !is_native(y) || r->last->prev != y || y->prev)
        return NULL;
    if (y->in[0] == old && y->in[1] != old)
        return y->in[1];
    return y->in[1] == old && y->in[0] != old && y->code != IR_sub ? y->in[0] : NULL;
}

static void make_native(ir_module *m, ir_func *f, ir_op *update, ir_op *value)
{
    ir_builder b = {
        .module = m, .func = f, .region = update->parent, .before = update, .place = update->place
    };
    ir_op *in[2] = { update->in[0], value };
    ir_op *made = ir_build(&b, IR_atomic, update->type, in, 2);

    made->scalar = (scalar_op)update->regions[0]->last->in[0]->code;
    ir_replace_uses(f, update, made);
    ir_remove(update);
}

/* One addition, minimum or maximum of floats: devices have it, and where one has not the loop is
 * short. */
static bool is_common(const ir_op *update)
{
    const ir_region *r = update->regions[0];
    const ir_op *y = r->last->in[0];

    return y->parent == r && !y->prev && (y->in[0] == r->args[0] || y->in[1] == r->args[0]) &&
           (y->code == IR_add || y->code == IR_sub || y->code == IR_min || y->code == IR_max) &&
           scalar_types[y->type->scalar].bytes >= 4;
}

/* Constants of an update's region move out, so that what is left is the operation. */
static void hoist(ir_op *update)
{
    for (ir_op *op = update->regions[0]->first, *next; op; op = next) {
        next = op->next;
        if (op->code == IR_const)
            ir_move_before(op, update->parent, update);
    }
}

typedef struct note {
    const access_task *t;
    diag_list *diags;
} note;

static void change(const note *n, ir_op *update, bool exclusive)
{
    const access_task *t = n->t;

    if (exclusive) {
        ir_plain_update(t->m, t->func, update);
        return;
    }
    hoist(update);
    ir_op *value = native_value(update);
    if (value) {
        make_native(t->m, t->func, update, value);
        return;
    }
    if (is_common(update))
        return;
    ir_place p = update->place;
    const char *file = p.line && p.file < t->m->file_count ? t->m->files[p.file] : NULL;
    diag_add(n->diags, DIAG_NOTE, file, p.line, p.column, NULL,
             "this update needs a loop: no device has one instruction for it");
}

typedef struct finding {
    ir_op **ops;
    uint32_t count, capacity;
    mem_arena *arena;
} finding;

static bool find_private(ir_op *op, void *user)
{
    finding *f = user;

    if (op->code == IR_update && is_private(op)) {
        f->ops = arena_grow(f->arena, f->ops, &f->capacity, f->count + 1, sizeof(ir_op *));
        f->ops[f->count++] = op;
    }
    return true;
}

static void one_task(const note *n)
{
    const access_task *t = n->t;
    finding private = { .arena = t->m->arena };

    for (uint32_t i = 0; i < t->count; i++) {
        const access_at *a = &t->at[i];
        bool exclusive = t->task->rank == 0 || (a->only && a->root);
        if (a->op->code == IR_update)
            change(n, a->op, exclusive);
        else if (a->op->code == IR_atomic && exclusive)
            ir_plain_atomic(t->m, t->func, a->op);
    }
    ir_walk(t->func->body, find_private, &private);
    for (uint32_t i = 0; i < private.count; i++)
        ir_plain_update(t->m, t->func, private.ops[i]);
}

slip_status pass_atomics(ir_module *m, diag_list *diags, mod_module **launch)
{
    for (ir_func *f = m->funcs; f; f = f->next) {
        access_task before, after;
        if (f->kind != IR_TASK)
            continue;
        access_collect(m, f, &before);
        access_prove(&before);
        one_task(&(note){ &before, diags });
        access_collect(m, f, &after);
        access_prove(&after);
        access_publish(&after);
    }
    access_publish_params(*launch);
    return SLIP_OK;
}
