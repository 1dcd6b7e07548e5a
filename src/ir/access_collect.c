/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_collect.c - finds the accesses of a task function, and the arrays each may be in.
 *
 * Private memory, by-value parameters and constant tables are no arrays. Must name too many arrays
 * rather than too few.
 */
#include "ir/access.h"

enum { MOST_POINTERS = 64 };

typedef struct collecting {
    access_task *t;
    uint32_t loops, guards;
    bool returned;     /* something before may have ended the iteration */
    const ir_op *left; /* or left this loop or block, which has not ended yet */
} collecting;

typedef struct sources {
    access_task *t;
    uint64_t *arrays;
    ir_op *root;
    bool several;
    const ir_op *seen[MOST_POINTERS];
    uint32_t seen_count;
} sources;

static ir_op *root_of(ir_op *p)
{
    while (p->code == IR_index || p->code == IR_offset || p->code == IR_field)
        p = p->in[0];
    return p;
}

static void add_all(sources *s)
{
    for (uint32_t i = 0; i < s->t->array_count; i++)
        s->arrays[i / 64] |= UINT64_C(1) << (i % 64);
    s->several = true;
}

static void add_root(sources *s, ir_op *param)
{
    const ir_pointer_info *info = s->t->info->pointers ? &s->t->info->pointers[param->index] : NULL;

    if (!info || info->count == 0) {
        add_all(s);
        return;
    }
    for (uint32_t i = 0; i < info->count; i++)
        s->arrays[info->arrays[i] / 64] |= UINT64_C(1) << (info->arrays[i] % 64);
    s->several |= s->root && s->root != param;
    s->root = param;
}

static void add_sources(sources *s, ir_op *p);

typedef struct store_search {
    sources *s;
    const ir_op *var;
} store_search;

static bool add_stored(ir_op *op, void *user)
{
    store_search *f = user;

    if (op->code == IR_store && op->in[0] == f->var)
        add_sources(f->s, op->in[1]);
    return true;
}

static void add_variable(sources *s, const ir_op *var)
{
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == var)
            return;
    if (s->seen_count == MOST_POINTERS) {
        add_all(s);
        return;
    }
    s->seen[s->seen_count++] = var;
    s->several = true;
    ir_walk(s->t->func->body, add_stored, &(store_search){ s, var });
}

static void add_sources(sources *s, ir_op *p)
{
    p = root_of(p);
    if (p->code == IR_param) {
        add_root(s, p);
    } else if (p->code == IR_select) {
        s->several = true;
        add_sources(s, p->in[1]);
        add_sources(s, p->in[2]);
    } else if (p->code == IR_if && p->type->kind != IR_VOID) {
        s->several = true;
        add_sources(s, p->regions[0]->last->in[0]);
        add_sources(s, p->regions[1]->last->in[0]);
    } else if (p->code == IR_load && p->in[0]->code == IR_var) {
        add_variable(s, p->in[0]);
    } else if (p->code != IR_const && p->code != IR_undef) {
        add_all(s);
    }
}

static void add_access(collecting *c, access_kind kind, ir_op *op, ir_op *ptr)
{
    access_task *t = c->t;
    sources s = { .t = t };

    if (ptr->type->space != IR_GLOBAL)
        return;
    s.arrays = arena_new(t->m->arena, t->words * sizeof *s.arrays);
    add_sources(&s, ptr);
    t->at = arena_grow(t->m->arena, t->at, &t->capacity, t->count + 1, sizeof *t->at);
    access_at *a = &t->at[t->count++];
    *a = (access_at){ .kind = kind,
                      .op = op,
                      .ptr = ptr,
                      .root = s.several ? NULL : s.root,
                      .arrays = s.arrays,
                      .guarded = c->guards > 0 || c->returned || c->left,
                      .looped = c->loops > 0 };
    bool one = op->code != IR_call && (op->code != IR_fill || op->bytes == ptr->type->elem->size);
    if (one) /* else it touches more than what it points to */
        access_form_of(t, ptr, a);
}

static bool stands_in(const ir_op *op, const ir_op *outer)
{
    while (op && op != outer)
        op = op->parent->owner;
    return op != NULL;
}

static void note_exit(collecting *c, const ir_op *op)
{
    const ir_op *target = op->parent->owner;
    uint32_t levels = op->levels;

    if (op->code == IR_return) {
        c->returned = true;
        return;
    }
    for (; target; target = target->parent->owner)
        if ((target->code == IR_loop || target->code == IR_block) && --levels == 0)
            break;
    if (!c->left || stands_in(c->left, target))
        c->left = target;
}

static void collect_op(collecting *c, ir_op *op)
{
    if (op->code == IR_load)
        add_access(c, ACCESS_READ, op, op->in[0]);
    if (op->code == IR_copy)
        add_access(c, ACCESS_READ, op, op->in[1]);
    if (op->code == IR_store || op->code == IR_copy || op->code == IR_fill)
        add_access(c, ACCESS_STORE, op, op->in[0]);
    if (op->code == IR_update || op->code == IR_atomic || op->code == IR_cas)
        add_access(c, ACCESS_UPDATE, op, op->in[0]);
    for (uint32_t i = 0; op->code == IR_call && i < op->in_count; i++)
        if (op->in[i]->type->kind == IR_PTR) {
            add_access(c, ACCESS_READ, op, op->in[i]);
            add_access(c, ACCESS_STORE, op, op->in[i]);
        }
    if (op->code == IR_return || op->code == IR_break || op->code == IR_continue)
        note_exit(c, op);
}

static void collect_region(collecting *c, const ir_region *r)
{
    for (ir_op *op = r->first; op; op = op->next) {
        bool guards = op->code == IR_if || op->code == IR_switch;
        bool loops = op->code == IR_loop;
        collect_op(c, op);
        c->guards += guards;
        c->loops += loops;
        for (uint32_t i = 0; i < op->region_count; i++)
            collect_region(c, op->regions[i]);
        c->guards -= guards;
        c->loops -= loops;
        if (c->left == op)
            c->left = NULL;
    }
}

void access_collect(ir_module *m, ir_func *func, access_task *out)
{
    const ir_task_info *info = func->task;
    uint32_t arrays = info->entry->param_count + info->entry->scratch_count + 1;

    *out = (access_task){ .m = m,
                          .func = func,
                          .info = info,
                          .entry = info->entry,
                          .task = info->task,
                          .array_count = arrays,
                          .words = (arrays + 63) / 64 };
    collecting c = { .t = out };
    collect_region(&c, func->body);
}
