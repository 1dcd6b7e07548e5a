/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_switch.c - switch. The IR has no fall through: groups of statements that run into each
 * other form one region, in which a second switch says where to start. Work grows with the number
 * of labels and statements: each group is lowered once.
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

/* ---- where a group ends -------------------------------------------------------------------- */

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

/* Does group k of several end by going on with the next one? */
static bool falls_through(const groups *g, uint32_t k)
{
    const group *now = &g->at[k];

    return k + 1 < g->count && (now->body_count == 0 || !ends(now->body[now->body_count - 1]));
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

/* ---- runs: groups that fall into each other ------------------------------------------------ */

/* Groups [first, last]. Values of groups from `from` on, which may have fallen through to them,
 * start at the first. */
typedef struct run {
    const groups *g;
    uint32_t from, first, last;
} run;

static bool has_default(const run *r)
{
    for (uint32_t k = r->first; k <= r->last; k++)
        if (r->g->at[k].is_default)
            return true;
    return false;
}

static ir_case labels_of(lower *l, const run *r)
{
    uint64_t *values = NULL;
    uint32_t count = 0, capacity = 0;

    for (uint32_t k = r->from; k <= r->last; k++)
        for (uint32_t i = 0; i < r->g->at[k].value_count; i++) {
            values = arena_grow(l->f->arena, values, &capacity, count + 1, sizeof *values);
            values[count++] = r->g->at[k].values[i];
        }
    return (ir_case){ values, count };
}

/* A switch with a region for each run. `other` is the run of all values without a label of their
 * own, count where nothing runs for them. */
typedef struct choice {
    ir_op *op;
    uint32_t other;
} choice;

static choice choose(lower *l, const run *runs, uint32_t count, uint32_t other, ir_op *value)
{
    ir_case *cases = arena_new(l->f->arena, (count + 1) * sizeof *cases);
    uint32_t case_count = 0;

    for (uint32_t i = 0; i < count; i++)
        if (i != other)
            cases[case_count++] = labels_of(l, &runs[i]);
    return (choice){ ir_switch(&l->b, value, cases, case_count), other };
}

static void enter_choice(lower *l, const choice *c, uint32_t i)
{
    uint32_t region = i == c->other ? c->op->region_count - 1 : i - (i > c->other);

    ir_enter(&l->b, c->op, region);
}

/* Cuts a run into parts of `step` groups. Without a default label among them, the first takes all
 * values without a label: what comes here is of the run or fell through to it. */
static uint32_t cut(lower *l, const run *r, uint32_t step, run **parts, uint32_t *other)
{
    uint32_t count = (r->last - r->first) / step + 1;

    *parts = arena_new(l->f->arena, count * sizeof **parts);
    *other = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = r->first + i * step;
        uint32_t last = i + 1 < count ? first + step - 1 : r->last;
        (*parts)[i] = (run){ r->g, i ? first : r->from, first, last };
        if (has_default(&(*parts)[i]))
            *other = i;
    }
    return count;
}

static void group_body(lower *l, const group *g)
{
    for (uint32_t i = 0; i < g->body_count; i++)
        lower_stmt(l, g->body[i]);
}

/* At kernel level, where a group may hold tasks: group k of the run goes on where ordinal <= k. */
static void guarded_form(lower *l, const run *r, ir_op *value)
{
    ir_op *ordinal = ir_var(&l->b, ir_type_scalar(l->f->m, SCALAR_i32), ".label");
    run *parts;
    uint32_t other, count = cut(l, r, 1, &parts, &other);
    choice start = choose(l, parts, count, other, value);

    for (uint32_t k = 0; k < count; k++) {
        enter_choice(l, &start, k);
        ir_store(&l->b, ordinal, ir_const(&l->b, SCALAR_i32, k));
    }
    ir_leave(&l->b, start.op);
    for (uint32_t k = 0; k < count; k++) {
        ir_op *most = ir_const(&l->b, SCALAR_i32, k);
        ir_op *runs = ir_binary(&l->b, SCALAR_OP_le, ir_load(&l->b, ordinal), most);
        ir_op *guard = ir_if(&l->b, runs, ir_type_void(l->f->m));
        ir_enter(&l->b, guard, 0);
        group_body(l, &r->g->at[parts[k].first]);
        ir_leave(&l->b, guard);
    }
}

/* ---- in a task: blocks in each other ------------------------------------------------------- */

enum { MOST_NESTED = 16 }; /* of the IR_MAX_DEPTH regions that may lie in each other */

typedef struct nest {
    uint32_t count;
    ir_op *blocks[MOST_NESTED]; /* block 0 is the innermost */
    frame frames[MOST_NESTED];
} nest;

static void open_nest(lower *l, nest *n, uint32_t count)
{
    n->count = count;
    for (uint32_t k = count; k-- > 0;) {
        n->blocks[k] = ir_block(&l->b);
        ir_enter(&l->b, n->blocks[k], 0);
        n->frames[k] = (frame){ .up = l->frames, .kind = FRAME_BLOCK, .level = true };
        l->frames = &n->frames[k];
    }
}

/* Part k stands behind block k: leaving that block starts it, and its end starts the next part. A
 * part of several groups finds its start in the same way; the depth is the length's logarithm. */
static void nested_form(lower *l, const run *r, ir_op *value)
{
    nest n;
    run *parts;
    uint32_t other, step = 1;

    while ((r->last - r->first) / step + 1 > MOST_NESTED)
        step *= MOST_NESTED;
    open_nest(l, &n, cut(l, r, step, &parts, &other));
    choice start = choose(l, parts, n.count, other, value);
    for (uint32_t k = 0; k < n.count; k++) {
        enter_choice(l, &start, k);
        ir_break(&l->b, k + 1);
    }
    ir_leave(&l->b, start.op);
    for (uint32_t k = 0; k < n.count; k++) {
        ir_leave(&l->b, n.blocks[k]);
        l->frames = n.frames[k].up;
        if (parts[k].first == parts[k].last)
            group_body(l, &r->g->at[parts[k].first]);
        else
            nested_form(l, &parts[k], value);
    }
}

/* ---- the switch ---------------------------------------------------------------------------- */

static void run_body(lower *l, const run *r, ir_op *value)
{
    const fdecl *in = l->inst->decl;

    if (r->first == r->last)
        group_body(l, &r->g->at[r->first]);
    else if (!l->task && (in->is_kernel || in->has_task))
        guarded_form(l, r, value);
    else
        nested_form(l, r, value);
}

static void all_runs(lower *l, const groups *g, ir_op *value)
{
    run *runs = arena_new(l->f->arena, g->count * sizeof *runs);
    uint32_t count = 0, other = g->count;

    for (uint32_t k = 0; k < g->count; k++) {
        uint32_t first = k;
        while (falls_through(g, k))
            k++;
        runs[count] = (run){ g, first, first, k };
        if (has_default(&runs[count]))
            other = count;
        count++;
    }
    choice c = choose(l, runs, count, other, value);
    for (uint32_t i = 0; i < count; i++) {
        enter_choice(l, &c, i);
        run_body(l, &runs[i], value);
    }
    ir_leave(&l->b, c.op);
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
    frame here = { .up = l->frames, .kind = FRAME_SWITCH, .level = needs_block(&g) };
    l->frames = &here;
    ir_op *block = here.level ? ir_block(&l->b) : NULL;
    if (block)
        ir_enter(&l->b, block, 0);
    all_runs(l, &g, value);
    if (block)
        ir_leave(&l->b, block);
    l->frames = here.up;
}
