/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_switch.c - switch. The IR has no fall through: where a group of statements runs into the
 * next one, the switch only finds the ordinal of the label, and each group is guarded by it.
 */
#include "front/lower.h"

typedef struct group {
    uint64_t *values;
    uint32_t value_count, value_capacity;
    bool is_default;
    node **body;
    uint32_t body_count, body_capacity;
} group;

typedef struct groups {
    group *at;
    uint32_t count, capacity;
} groups;

static void add_statement(lower *l, groups *g, node *n)
{
    if (g->count == 0)
        return; /* before the first label: never reached, declarations apart */
    group *last = &g->at[g->count - 1];
    last->body = arena_grow(l->f->arena, last->body, &last->body_capacity, last->body_count + 1,
                            sizeof *last->body);
    last->body[last->body_count++] = n;
}

/* Labels in a row belong to one group. */
static node *add_labels(lower *l, groups *g, node *n, scalar_type type)
{
    bool fresh = true;

    while (n && (n->kind == N_CASE || n->kind == N_DEFAULT)) {
        if (fresh && (g->count == 0 || g->at[g->count - 1].body_count)) {
            g->at = arena_grow(l->f->arena, g->at, &g->capacity, g->count + 1, sizeof *g->at);
            g->at[g->count++] = (group){ 0 };
        }
        fresh = false;
        group *now = &g->at[g->count - 1];
        if (n->kind == N_DEFAULT) {
            now->is_default = true;
            n = n->count ? n->kids[0] : NULL;
            continue;
        }
        uint64_t value;
        now->values = arena_grow(l->f->arena, now->values, &now->value_capacity,
                                 now->value_count + 1, sizeof *now->values);
        if (constant_value(l->f, n->kids[0], type, &value))
            now->values[now->value_count++] = value;
        else
            front_error(l->f, n->place, NULL, "this label is not a constant");
        n = n->count > 1 ? n->kids[1] : NULL;
    }
    return n;
}

static void collect(lower *l, groups *g, node *body, scalar_type type)
{
    uint32_t count = body->kind == N_BLOCK && !body->bare ? body->count : 1;

    for (uint32_t i = 0; i < count; i++) {
        node *n = body->kind == N_BLOCK && !body->bare ? body->kids[i] : body;
        if (n->kind == N_DECL)
            lower_predeclare(l, n->decl);
        if (n->kind == N_CASE || n->kind == N_DEFAULT)
            n = add_labels(l, g, n, type);
        if (n)
            add_statement(l, g, n);
    }
}

/* ---- where a group ends
 * -------------------------------------------------------------------------------- */

/* Does a break in n leave the switch? */
static bool breaks(const node *n)
{
    if (!n)
        return false;
    if (n->kind == N_BREAK)
        return true;
    if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO || n->kind == N_SWITCH ||
        n->kind == N_TASK)
        return false;
    for (uint32_t i = 0; i < n->count; i++) {
        if (breaks(n->kids[i]))
            return true;
    }
    return false;
}

static bool ends(const node *n)
{
    if (n->kind == N_BREAK || n->kind == N_CONTINUE || n->kind == N_RETURN)
        return true;
    if (n->kind == N_BLOCK && n->count)
        return ends(n->kids[n->count - 1]);
    if (n->kind == N_IF && n->count == 3)
        return ends(n->kids[1]) && ends(n->kids[2]);
    return false;
}

static bool falls_through(const groups *g)
{
    for (uint32_t i = 0; i + 1 < g->count; i++) {
        const group *now = &g->at[i];
        if (now->body_count == 0 || !ends(now->body[now->body_count - 1]))
            return true;
    }
    return false;
}

/* Is a break anywhere but at the very end of a group? */
static bool needs_block(const groups *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        for (uint32_t k = 0; k < g->at[i].body_count; k++) {
            const node *n = g->at[i].body[k];
            if (n->kind == N_BREAK && k + 1 == g->at[i].body_count)
                continue;
            if (breaks(n))
                return true;
        }
    }
    return false;
}

/* ---- the two forms
 * --------------------------------------------------------------------------------------- */

/* Group k's labels are cases[k]; the default group, if there is one, goes last. */
static ir_op *build_switch(lower *l, const groups *g, ir_op *value)
{
    ir_case *cases = arena_new(l->f->arena, (g->count + 1) * sizeof *cases);
    uint32_t count = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        if (!g->at[i].is_default)
            cases[count++] = (ir_case){ g->at[i].values, g->at[i].value_count };
    }
    return ir_switch(&l->b, value, cases, count);
}

static uint32_t region_of(const groups *g, uint32_t group_index)
{
    uint32_t before = 0, plain = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        before += i < group_index && !g->at[i].is_default;
        plain += !g->at[i].is_default;
    }
    return g->at[group_index].is_default ? plain : before;
}

static void group_body(lower *l, const group *g)
{
    for (uint32_t i = 0; i < g->body_count; i++)
        lower_stmt(l, g->body[i]);
}

static void plain_form(lower *l, const groups *g, ir_op *value)
{
    ir_op *op = build_switch(l, g, value);
    for (uint32_t i = 0; i < g->count; i++) {
        ir_enter(&l->b, op, region_of(g, i));
        group_body(l, &g->at[i]);
    }
    ir_leave(&l->b, op);
}

/* ordinal = number of the label's group (past the last where no label fits); group k runs while
 * ordinal <= k, and a break leaves the block around them all. */
static void guarded_form(lower *l, const groups *g, ir_op *value)
{
    ir_op *ordinal = ir_var(&l->b, ir_type_scalar(l->f->m, SCALAR_i32), "label");
    ir_op *op = build_switch(l, g, value);
    bool has_default = false;

    for (uint32_t i = 0; i < g->count; i++) {
        has_default = has_default || g->at[i].is_default;
        ir_enter(&l->b, op, region_of(g, i));
        ir_store(&l->b, ordinal, ir_const(&l->b, SCALAR_i32, i));
    }
    if (!has_default) {
        ir_enter(&l->b, op, op->region_count - 1);
        ir_store(&l->b, ordinal, ir_const(&l->b, SCALAR_i32, g->count));
    }
    ir_leave(&l->b, op);
    for (uint32_t i = 0; i < g->count && !ir_region_ended(l->b.region); i++) {
        ir_op *k = ir_const(&l->b, SCALAR_i32, i);
        ir_op *runs = ir_binary(&l->b, SCALAR_OP_le, ir_load(&l->b, ordinal), k);
        ir_op *guard = ir_if(&l->b, runs, ir_type_void(l->f->m));
        ir_enter(&l->b, guard, 0);
        group_body(l, &g->at[i]);
        ir_leave(&l->b, guard);
    }
}

void lower_switch(lower *l, node *n)
{
    groups g = { 0 };
    node *value_node = n->kids[0];
    ir_op *value = lower_value(l, value_node);

    if (value->type->kind != IR_SCALAR || n->count < 2)
        return;
    collect(l, &g, n->kids[1], value->type->scalar);
    if (g.count == 0)
        return;
    l->b.place = n->place;
    bool guarded = falls_through(&g);
    frame here = { .up = l->frames, .kind = FRAME_SWITCH, .level = guarded || needs_block(&g) };
    l->frames = &here;
    ir_op *block = here.level ? ir_block(&l->b) : NULL;
    if (block)
        ir_enter(&l->b, block, 0);
    (guarded ? guarded_form : plain_form)(l, &g, value);
    if (block)
        ir_leave(&l->b, block);
    l->frames = here.up;
}
