/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_cells.c - which bytes of the cells a task touches: a row for each variable, so that tasks
 * which touch different ones have no order.
 *
 * Counts what the body does, what `finish` runs, the predicate, bounds and reductions. A variable
 * is touched whole, whichever part of it is. Must name too many bytes rather than too few.
 */
#include "ir/access.h"

typedef struct cell_list {
    const access_task *t;
    mod_access *rows;
    uint32_t count, capacity;
    const ir_op *base; /* the parameter that is the cells' address; NULL: none */
} cell_list;

/* Rows are kept in order, one for each span. */
static void add_row(cell_list *l, uint32_t first, uint32_t bytes, uint32_t flags)
{
    uint32_t at = 0;

    while (at < l->count &&
           (l->rows[at].first < first || (l->rows[at].first == first && l->rows[at].bytes < bytes)))
        at++;
    if (at < l->count && l->rows[at].first == first && l->rows[at].bytes == bytes) {
        l->rows[at].flags |= flags;
        return;
    }
    l->rows = arena_grow(l->t->m->arena, l->rows, &l->capacity, l->count + 1, sizeof *l->rows);
    for (uint32_t k = l->count++; k > at; k--)
        l->rows[k] = l->rows[k - 1];
    l->rows[at] = (mod_access){
        .array = l->t->array_count - 1, .flags = flags, .first = first, .bytes = bytes
    };
}

/* The variable that the pointer lies in; all of the cells where that is not seen. */
static void add_pointer(cell_list *l, const ir_op *ptr, uint32_t flags)
{
    const ir_op *field = NULL;

    while (ptr->code == IR_index || ptr->code == IR_offset || ptr->code == IR_field) {
        field = ptr;
        ptr = ptr->in[0];
    }
    if (ptr != l->base || !field || field->code != IR_field) {
        add_row(l, 0, l->t->entry->cells_bytes, flags);
        return;
    }
    const ir_field *f = &ptr->type->elem->fields[field->index];
    add_row(l, (uint32_t)f->offset, (uint32_t)f->type->size, flags);
}

/* What an op does by way of its input k. */
static uint32_t flags_of(const ir_op *op, uint32_t k)
{
    if (op->in[k]->type->kind != IR_PTR || op->in[k]->type->space != IR_GLOBAL)
        return 0;
    switch ((int)op->code) {
    case IR_load:
        return MOD_READ;
    case IR_store:
    case IR_fill:
        return k == 0 ? MOD_WRITE : 0;
    case IR_copy:
        return k == 0 ? MOD_WRITE : MOD_READ;
    case IR_update:
    case IR_atomic:
    case IR_cas:
        return k == 0 ? MOD_READ | MOD_WRITE | MOD_UPDATE : 0;
    case IR_call:
        return MOD_READ | MOD_WRITE;
    default: /* the rest touches no memory */
        return 0;
    }
}

static bool add_op(ir_op *op, void *user)
{
    for (uint32_t k = 0; k < op->in_count; k++) {
        uint32_t flags = flags_of(op, k);
        if (flags)
            add_pointer(user, op->in[k], flags);
    }
    return true;
}

/* Serial statements that `finish` runs touch no memory but the cells. */
static void add_part(cell_list *l, const ir_finish_call *call)
{
    l->base = NULL;
    for (uint32_t k = 0; call->func && k < call->arg_count; k++)
        if (call->args[k] + l->t->task->rank == l->t->info->cells_param)
            l->base = call->func->params[k].op;
    if (call->func)
        ir_walk(call->func->body, add_op, l);
}

static void add_body(cell_list *l)
{
    const access_task *t = l->t;

    l->base = t->info->cells_param == MOD_NONE ? NULL : t->func->params[t->info->cells_param].op;
    for (uint32_t i = 0; i < t->count; i++) {
        static const uint32_t flags[] = { [ACCESS_READ] = MOD_READ,
                                          [ACCESS_STORE] = MOD_WRITE,
                                          [ACCESS_UPDATE] = MOD_READ | MOD_WRITE | MOD_UPDATE };
        if (access_has(t->at[i].arrays, t->array_count - 1))
            add_pointer(l, t->at[i].ptr, flags[t->at[i].kind]);
    }
}

uint32_t access_cells(const access_task *t, mod_access **out)
{
    const mod_task *task = t->task;
    cell_list l = { .t = t };

    add_body(&l);
    for (int k = 0; k < IR_FINISH_CALLS; k++)
        add_part(&l, &t->info->calls[k]);
    if (task->predicate != MOD_NONE)
        add_row(&l, task->predicate, scalar_types[SCALAR_i32].bytes, MOD_READ);
    for (uint32_t a = 0; a < task->rank; a++) {
        const mod_axis *axis = &task->axes[a];
        if (axis->lo_cell != MOD_NONE)
            add_row(&l, axis->lo_cell, scalar_types[axis->type].bytes, MOD_READ);
        if (axis->hi_cell != MOD_NONE)
            add_row(&l, axis->hi_cell, scalar_types[axis->type].bytes, MOD_READ);
    }
    for (uint32_t r = 0; r < task->reduce_count; r++)
        add_row(&l, task->reduces[r].cell, scalar_types[task->reduces[r].type].bytes,
                MOD_READ | MOD_WRITE);
    *out = l.rows;
    return l.count;
}
