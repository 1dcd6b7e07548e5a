/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_shared.c - kernel-level variables that iterations or sections share (LANGUAGE rules 2, 7,
 * 23).
 *
 * Inside a task such a variable is only read, only reduced with one operator, or only assigned one
 * value. Everything else has no defined result and is refused, with what to write instead. Must
 * never change the kernel.
 */
#include "ir/launch_parts.h"

/* ---- what a task does with one variable ---------------------------------------------------- */

typedef struct value_search {
    const ir_op *value;
} value_search;

static bool is_not_used(ir_op *op, void *user)
{
    const value_search *s = user;

    for (uint32_t i = 0; i < op->in_count; i++)
        if (op->in[i] == s->value)
            return false;
    return true;
}

static bool is_used(const ir_op *task, const ir_op *value)
{
    return !ir_walk(task->regions[0], is_not_used, &(value_search){ value });
}

typedef struct tally {
    const ir_op *load, *store, *update, *other; /* the first of each in the program */
    uint32_t stores, updates;
} tally;

static tally count_uses(const launch *l, const ir_op *var, const ir_op *task)
{
    tally t = { 0 };

    for (const launch_use *u = launch_fact_of(l, var)->uses; u; u = u->next) {
        const ir_op *op = u->op;
        if (launch_fact_of(l, op)->task != task)
            continue;
        bool to = op->in_count && launch_root(op->in[0]) == var;
        if (op->code == IR_load || (op->code == IR_copy && !to))
            t.load = op;
        else if ((op->code == IR_store || op->code == IR_copy || op->code == IR_fill) && to)
            t.store = op, t.stores++;
        else if (launch_is_update(op) && to)
            t.update = op, t.updates++;
        else
            t.other = op;
    }
    return t;
}

/* The same in every iteration, as far as can be proved without looking at arrays. */
static bool is_invariant(const launch *l, const ir_op *op, const ir_op *task, int depth)
{
    if (op->code == IR_arg)
        return false;
    if (!op->parent || launch_fact_of(l, op)->task != task)
        return true;
    if (depth == 0 ||
        !(op->code < (ir_code)SCALAR_OP_COUNT || op->code == IR_const || op->code == IR_math ||
          op->code == IR_load || launch_is_place(op) || op->code == IR_table))
        return false;
    if (op->code == IR_load) {
        ir_op *root = launch_root(op->in[0]);
        bool fixed =
            op->in[0]->type->space == IR_PARAM_SPACE || op->in[0]->type->space == IR_TABLE_SPACE;
        if (root->code == IR_var && launch_fact_of(l, root)->task != task)
            fixed = count_uses(l, root, task).stores == 0 && count_uses(l, root, task).updates == 0;
        if (!fixed)
            return false;
    }
    for (uint32_t i = 0; i < op->in_count; i++)
        if (!is_invariant(l, op->in[i], task, depth - 1))
            return false;
    return true;
}

static const char *name_of(const ir_op *var)
{
    return var->name ? var->name : "a variable";
}

static bool reads_variable(const ir_op *op, const ir_op *var, int depth)
{
    if (op->code == IR_load && launch_root(op->in[0]) == var)
        return true;
    for (uint32_t i = 0; depth && op->parent && i < op->in_count; i++)
        if (reads_variable(op->in[i], var, depth - 1))
            return true;
    return false;
}

static bool under_a_condition(const ir_op *op)
{
    return op->parent->owner && op->parent->owner->code == IR_if;
}

static const char *advice_for(launch *l, const ir_op *var, const ir_op *store)
{
    const ir_op *value = store->code == IR_store ? store->in[1] : NULL;
    const char *name = name_of(var);

    while (value && value->code == IR_convert)
        value = value->in[0];
    if (value && value->in_count && reads_variable(value, var, 8)) {
        if (value->code == IR_max || value->code == IR_min)
            return arena_text(l->arena, "write slip_atomic_%s(&%s, ...)",
                              value->code == IR_max ? "max" : "min", name);
        if (value->code == IR_add || value->code == IR_sub || value->code == IR_mul)
            return arena_text(l->arena, "write `%s %s= ...`", name,
                              value->code == IR_add   ? "+"
                              : value->code == IR_sub ? "-"
                                                      : "*");
    }
    if (value && under_a_condition(store))
        return arena_text(l->arena,
                          "declare `%s` inside the slip_for; where the smallest or largest is meant, write "
                          "slip_atomic_min(&%s, ...) or slip_atomic_max(&%s, ...)",
                          name, name, name);
    return arena_text(l->arena, "declare `%s` inside the slip_for", name);
}

static void check_stores(launch *l, const ir_op *var, const ir_op *task, const tally *t)
{
    const ir_op *first = t->store;
    const char *name = name_of(var);

    if (t->load || t->updates) {
        launch_error(l, first->place, advice_for(l, var, first),
                     "`%s` is assigned and %s by iterations that run at the same time", name,
                     t->load ? "read" : "updated");
        return;
    }
    for (const launch_use *u = launch_fact_of(l, var)->uses; u; u = u->next) {
        if (launch_fact_of(l, u->op)->task != task)
            continue;
        const ir_op *value = u->op->code == IR_store ? u->op->in[1] : NULL;
        if (!value || !is_invariant(l, value, task, 32)) {
            launch_error(l, u->op->place, advice_for(l, var, u->op),
                         "`%s` is assigned a different value by each iteration", name);
            return;
        }
        if (value->code == IR_const && first->in[1]->code == IR_const &&
            value->bits != first->in[1]->bits) {
            launch_error(l, u->op->place, advice_for(l, var, u->op),
                         "`%s` is assigned different values by one task", name);
            return;
        }
    }
}

static const char *verb(scalar_op op)
{
    return op == SCALAR_OP_add ? "summed" : op == SCALAR_OP_mul ? "multiplied" : "reduced";
}

static bool same_reduction(const ir_op *a, const ir_op *b)
{
    launch_reduction x, y;

    return launch_reduction_of(a, &x) && launch_reduction_of(b, &y) && x.op == y.op;
}

static void check_update(launch *l, const ir_op *var, const ir_op *task, const ir_op *update,
                         const tally *t)
{
    const char *name = name_of(var);
    launch_reduction r;

    if (!launch_reduction_of(update, &r))
        launch_error(l, update->place,
                     r.advice ? r.advice : "use + * & | ^ min or max, or an array of one element",
                     "`%s` cannot be reduced this way: %s", name,
                     r.why ? r.why : "the operator has no fixed order of evaluation");
    else if (t->load)
        launch_error(l, t->load->place, "read it after the slip_for",
                     "`%s` is being %s here and has no value until the task ends", name,
                     verb(r.op));
    else if (is_used(task, update))
        launch_error(
            l, update->place,
            arena_text(l->arena,
                       "count in an array of one element, which gives each update's value"),
            "`%s` is being %s here and has no value until the task ends", name, verb(r.op));
    else if (!same_reduction(update, t->update))
        launch_error(l, update->place, "use one variable for each operator",
                     "`%s` is reduced with two operators in one task", name);
}

static void check_in_task(launch *l, ir_op *var, const ir_op *task)
{
    tally t = count_uses(l, var, task);

    if (t.other && (t.other->code != IR_call || var->type->elem->kind == IR_SCALAR)) {
        launch_error(l, t.other->place, "copy it to a variable inside the slip_for",
                     "`%s` stands outside the slip_for, and its address is used in it",
                     name_of(var));
        return;
    }
    if (t.stores && var->type->elem->kind == IR_PTR) {
        launch_error(l, t.store->place, "declare it inside the slip_for",
                     "pointer `%s` stands outside the slip_for and is assigned in it",
                     name_of(var));
        return;
    }
    if (t.stores) {
        check_stores(l, var, task, &t);
        return;
    }
    for (const launch_use *u = launch_fact_of(l, var)->uses; u; u = u->next)
        if (launch_is_update(u->op) && launch_fact_of(l, u->op)->task == task)
            check_update(l, var, task, u->op, &t);
}

/* ---- sections ------------------------------------------------------------------------------ */

static const ir_op *section_around(const ir_op *op)
{
    for (const ir_op *owner = op->parent->owner; owner; owner = owner->parent->owner)
        if (owner->code == IR_section)
            return owner;
    return NULL;
}

static bool writes(const ir_op *op, const ir_op *var)
{
    return op->code != IR_load && !(op->code == IR_copy && launch_root(op->in[0]) != var);
}

static void check_sections(launch *l, ir_op *var)
{
    const launch_use *uses = launch_fact_of(l, var)->uses;

    for (const launch_use *u = uses; u; u = u->next)
        for (const launch_use *w = uses; w; w = w->next) {
            const ir_op *a = section_around(u->op), *b = section_around(w->op);
            if (!writes(w->op, var) || !a || !b || a == b || a->parent != b->parent ||
                launch_within(var, a->parent))
                continue;
            launch_error(
                l, w->op->place, "use one variable for each section",
                "`%s` is assigned in one slip_section and used in another, which runs at the "
                "same time",
                name_of(var));
            return;
        }
}

/* ---- the walk ------------------------------------------------------------------------------ */

static void check_variable(launch *l, ir_op *var)
{
    const launch_fact *f = launch_fact_of(l, var);

    for (const launch_use *u = f->uses; u; u = u->next) {
        const ir_op *task = launch_fact_of(l, u->op)->task;
        bool seen = false; /* each task once: at its latest use */
        for (const launch_use *v = f->uses; v != u; v = v->next)
            seen |= launch_fact_of(l, v->op)->task == task;
        if (task && !seen)
            check_in_task(l, var, task);
    }
    check_sections(l, var);
    if (var->type->elem->kind == IR_PTR && f->device)
        for (const launch_use *u = f->uses; u; u = u->next)
            if (u->op->code == IR_store && !launch_fact_of(l, u->op)->task) {
                launch_error(l, u->op->place,
                             "choose with an index or a condition that depends on arguments alone",
                             "pointer `%s` would depend on a value computed on the device",
                             name_of(var));
                return;
            }
}

static void check_region(launch *l, const ir_region *r)
{
    for (ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_var)
            check_variable(l, op);
        if (op->code == IR_task ||
            (launch_is_structure(op) && launch_fact_of(l, op)->decided == LAUNCH_SERIAL))
            continue;
        for (uint32_t i = 0; i < op->region_count; i++)
            check_region(l, op->regions[i]);
    }
}

void launch_check_shared(launch *l)
{
    check_region(l, l->kernel->body);
}
