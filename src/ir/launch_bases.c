/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_bases.c - which arrays a kernel-level pointer may lie in, whatever the order of
 * assignments.
 */
#include "ir/launch_parts.h"

enum { MOST_VARIABLES = 64 };

typedef struct base_set {
    launch *l;
    uint32_t *arrays;
    uint32_t count;
    const ir_op *seen[MOST_VARIABLES];
    uint32_t seen_count;
} base_set;

static void add_array(base_set *s, uint32_t array)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->arrays[i] == array)
            return;
    s->arrays[s->count++] = array;
}

/* Nothing is known: every array of the signature and every scratch. */
static void add_all(base_set *s)
{
    const ir_func *k = s->l->kernel;

    for (uint32_t i = 0; i < k->param_count; i++)
        if (k->params[i].is_array || k->params[i].op->type->kind == IR_PTR)
            if (k->params[i].op->type->space == IR_GLOBAL)
                add_array(s, i);
    for (uint32_t i = 0; i < s->l->scratch_count; i++)
        add_array(s, k->param_count + i);
}

static void add_bases(base_set *s, ir_op *p);

static void add_variable(base_set *s, ir_op *var)
{
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == var)
            return;
    if (s->seen_count == MOST_VARIABLES) {
        add_all(s);
        return;
    }
    s->seen[s->seen_count++] = var;
    for (const launch_use *u = launch_fact_of(s->l, var)->uses; u; u = u->next)
        if (u->op->code == IR_store)
            add_bases(s, u->op->in[1]);
        else if (u->op->code != IR_load)
            add_all(s);
}

static void add_bases(base_set *s, ir_op *p)
{
    p = launch_root(p);
    if (p->code == IR_param) {
        add_array(s, p->index);
    } else if (p->code == IR_scratch) {
        add_array(s, s->l->kernel->param_count + launch_fact_of(s->l, p)->scratch);
    } else if (p->code == IR_select) {
        add_bases(s, p->in[1]);
        add_bases(s, p->in[2]);
    } else if (p->code == IR_if && p->type->kind != IR_VOID) {
        add_bases(s, p->regions[0]->last->in[0]);
        add_bases(s, p->regions[1]->last->in[0]);
    } else if (p->code == IR_load && launch_root(p->in[0])->code == IR_var) {
        add_variable(s, launch_root(p->in[0]));
    } else if (p->code != IR_undef && p->code != IR_const) {
        add_all(s);
    }
}

void launch_bases(launch *l, ir_op *pointer, ir_pointer_info *out)
{
    uint32_t most = l->kernel->param_count + l->scratch_count + 1;
    base_set s = { .l = l, .arrays = arena_new(l->arena, most * sizeof(uint32_t)) };

    add_bases(&s, pointer);
    if (s.count == 0)
        add_all(&s);
    *out = (ir_pointer_info){ .arrays = s.arrays,
                              .count = s.count,
                              .whole = pointer->code == IR_param || pointer->code == IR_scratch };
}
