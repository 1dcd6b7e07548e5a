/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_apart.c - the pairs of arrays that a task assumes apart (LANGUAGE rule 10): both are
 * accessed, one is written, and not all of it are updates.
 */
#include "ir/access.h"

typedef struct pair_use {
    bool written, relies, same; /* one is stored to; not all are updates; all at one form */
    bool one_root;              /* all through one pointer, which is in one array at a time */
    const access_at *first;
} pair_use;

static void look_at(pair_use *u, const access_at *a)
{
    u->written |= a->kind != ACCESS_READ;
    u->relies |= a->kind != ACCESS_UPDATE || a->only;
    u->one_root = u->one_root && a->root && (!u->first || u->first->root == a->root);
    if (!u->first)
        u->first = a;
    else
        u->same = u->same && access_same_form(&u->first->form, &a->form) &&
                  u->first->ptr->type->elem == a->ptr->type->elem;
}

static pair_use look_at_pair(const access_task *t, uint32_t a, uint32_t b)
{
    pair_use u = { .same = true, .one_root = true };
    bool has_a = false, has_b = false;

    for (uint32_t i = 0; i < t->count; i++) {
        bool in_a = access_has(t->at[i].arrays, a), in_b = access_has(t->at[i].arrays, b);
        has_a |= in_a;
        has_b |= in_b;
        if (in_a || in_b)
            look_at(&u, &t->at[i]);
    }
    u.relies = u.relies && has_a && has_b && !u.one_root;
    u.same = u.same && u.first && u.first->form.known && u.first->keyed;
    return u;
}

void access_find_aparts(access_task *t)
{
    uint32_t params = t->entry->param_count, count = 0;
    mod_task *task = (mod_task *)t->task;
    mod_apart *list = arena_new(t->m->arena, ((size_t)params * params / 2 + 1) * sizeof *list);

    for (uint32_t a = 0; a < params && task->rank; a++)
        for (uint32_t b = a + 1; b < params; b++) {
            if (t->entry->params[a].kind != MOD_ARRAY || t->entry->params[b].kind != MOD_ARRAY)
                continue;
            pair_use u = look_at_pair(t, a, b);
            if (u.written && u.relies)
                list[count++] =
                    (mod_apart){ .a = a,
                                 .b = b,
                                 .same_ok = u.same,
                                 .place = { u.first->op->place.file, u.first->op->place.line,
                                            u.first->op->place.column } };
        }
    task->aparts = list;
    task->apart_count = count;
}
