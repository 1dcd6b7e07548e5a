/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_classify.c - which values the host computes, which control flow it follows: a fixed point.
 *
 * Everything starts as the host's; facts only ever move to the device, until nothing moves:
 *   a value    is the device's when it reads an array, calls, or uses such a value
 *   a variable is the device's when a task assigns it, a device value is stored to it, or a store
 *              stands under control flow that the device decides and that the variable outlives
 *   structures (if, loop, block) are the host's, the device's (predicate cells), or wholly in one
 *              serial task: those without tasks whose work is the device's
 * Must never move a fact back.
 */
#include "ir/launch_parts.h"

/* Does a region below which `op` stands, inside `home`, run only when the device says so? */
static bool device_between(const launch *l, const ir_op *op, const ir_region *home)
{
    const ir_region *r = op->parent;

    for (; r && r != home && r->owner; r = r->owner->parent) {
        const launch_fact *f = launch_fact_of(l, r->owner);
        if (r->owner->code == IR_task ||
            (launch_is_structure(r->owner) && f->decided != LAUNCH_BY_HOST))
            return true;
        if (f->breaks || (f->cut && r == r->owner->regions[0] && op->id > f->cut_at))
            return true;
    }
    return false;
}

static bool any_input_device(const launch *l, const ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        if (launch_fact_of(l, op->in[i])->device)
            return true;
    return false;
}

static bool load_is_device(const launch *l, const ir_op *op)
{
    ir_op *root = launch_root(op->in[0]);
    uint64_t at;

    if (root->code == IR_var)
        return root != op->in[0] || launch_fact_of(l, root)->device;
    if (op->in[0]->type->space == IR_PARAM_SPACE)
        return !launch_constant_path(op->in[0], root, &at);
    return op->in[0]->type->space != IR_TABLE_SPACE || launch_fact_of(l, op->in[0])->device;
}

static bool value_is_device(const launch *l, const ir_op *op)
{
    if (op->code < (ir_code)SCALAR_OP_COUNT || launch_is_place(op))
        return any_input_device(l, op);
    if (op->code == IR_load)
        return load_is_device(l, op);
    if (op->code == IR_if && op->type->kind != IR_VOID) {
        const launch_fact *f = launch_fact_of(l, op);
        return f->decided != LAUNCH_BY_HOST || f->effects ||
               launch_fact_of(l, op->regions[0]->last->in[0])->device ||
               launch_fact_of(l, op->regions[1]->last->in[0])->device;
    }
    return op->code == IR_call || op->code == IR_math || op->code == IR_update ||
           op->code == IR_atomic || op->code == IR_cas;
}

static bool scalar_variable(const ir_op *var)
{
    return var->type->elem->kind == IR_SCALAR || var->type->elem->kind == IR_PTR;
}

static bool variable_is_device(const launch *l, const ir_op *var)
{
    if (!scalar_variable(var))
        return true;
    for (const launch_use *u = launch_fact_of(l, var)->uses; u; u = u->next) {
        if (u->op->code == IR_load)
            continue;
        if (u->op->code != IR_store || u->op->in[0] != var)
            return true;
        if (launch_fact_of(l, u->op->in[1])->device || device_between(l, u->op, var->parent))
            return true;
    }
    return false;
}

/* Would keeping this structure in one serial task take a variable from the host that is read
 * elsewhere? */
static bool feeds_the_host(const launch *l, const ir_op *structure, const ir_region *r)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_store && op->in[0]->code == IR_var) {
            const launch_fact *f = launch_fact_of(l, op->in[0]);
            bool outside = !f->device && op->in[0]->type->elem->kind == IR_PTR;
            for (const launch_use *u = f->uses; u && !f->device; u = u->next)
                outside |=
                    u->op->code == IR_load && !launch_within(u->op, structure->regions[0]) &&
                    !(structure->region_count > 1 && launch_within(u->op, structure->regions[1]));
            if (outside && op->in[0]->parent != r && !launch_within(op->in[0], r))
                return true;
        }
        for (uint32_t i = 0; i < op->region_count; i++)
            if (feeds_the_host(l, structure, op->regions[i]))
                return true;
    }
    return false;
}

static bool feeds(const launch *l, const ir_op *op)
{
    for (uint32_t i = 0; i < op->region_count; i++)
        if (feeds_the_host(l, op, op->regions[i]))
            return true;
    return false;
}

/* Does a store to a device variable stand in it? */
static bool stores_device(const launch *l, const ir_region *r)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_store && op->in[0]->code == IR_var &&
            launch_fact_of(l, op->in[0])->device)
            return true;
        if (op->type->kind != IR_VOID && op->code != IR_var && launch_fact_of(l, op)->device)
            return true;
        for (uint32_t i = 0; i < op->region_count; i++)
            if (stores_device(l, op->regions[i]))
                return true;
    }
    return false;
}

static bool works(const launch *l, const ir_op *op)
{
    bool any = launch_fact_of(l, op)->effects;

    for (uint32_t i = 0; i < op->region_count; i++)
        any = any || stores_device(l, op->regions[i]);
    return any;
}

/* A structure without tasks. */
static launch_decision decide_plain(const launch *l, const ir_op *op)
{
    const launch_fact *f = launch_fact_of(l, op);

    if (op->code == IR_switch || (op->code == IR_if && launch_fact_of(l, op->in[0])->device))
        return LAUNCH_SERIAL;
    if (f->breaks || (op->type->kind != IR_VOID && f->device))
        return LAUNCH_SERIAL;
    if (f->escapes || !works(l, op) || feeds(l, op))
        return LAUNCH_BY_HOST;
    return LAUNCH_SERIAL;
}

static launch_decision decide(const launch *l, const ir_op *op)
{
    const launch_fact *f = launch_fact_of(l, op);

    if (f->decided == LAUNCH_SERIAL)
        return LAUNCH_SERIAL;
    if (!f->has_task)
        return decide_plain(l, op);
    if (op->code == IR_if)
        return launch_fact_of(l, op->in[0])->device ? LAUNCH_BY_DEVICE : LAUNCH_BY_HOST;
    return LAUNCH_BY_HOST; /* `breaks` says the rest */
}

bool launch_exit_by_device(const launch *l, const ir_op *op)
{
    const ir_op *target = launch_target(op);

    for (const ir_op *owner = op->parent->owner; owner; owner = owner->parent->owner) {
        const launch_fact *f = launch_fact_of(l, owner);
        if (launch_is_structure(owner) && owner != target && f->decided != LAUNCH_BY_HOST)
            return true;
        if (f->breaks)
            return true;
        if (f->cut && op->id > f->cut_at && launch_within(op, owner->regions[0]) &&
            !(owner == target && op->code == IR_continue))
            return true; /* this pass may have ended on the device before */
        if (owner == target)
            break;
    }
    return op->code == IR_return && l->returns_early;
}

/* Marks what an exit that the device decides leaves. */
static bool spread_exit(launch *l, const ir_op *op)
{
    const ir_op *target = launch_target(op);
    bool moved = false;

    for (const ir_op *owner = op->parent->owner; owner; owner = owner->parent->owner) {
        launch_fact *f = launch_fact_of(l, owner);
        bool here = owner == target;
        if (owner->code == IR_loop || owner->code == IR_block) {
            bool cuts = here && op->code == IR_continue;
            bool *mark = cuts ? &f->cut : &f->breaks;
            moved |= !*mark || (cuts && op->id < f->cut_at);
            *mark = true;
            if (cuts && (f->cut_at == 0 || op->id < f->cut_at))
                f->cut_at = op->id;
        }
        if (here)
            break;
    }
    if (op->code == IR_return) {
        moved |= !l->returns_early;
        l->returns_early = true;
    }
    return moved;
}

/* The last return of the body at top level decides nothing. */
static bool is_final(const launch *l, const ir_op *op)
{
    return op->parent == l->kernel->body;
}

static bool move_op(launch *l, ir_op *op)
{
    launch_fact *f = launch_fact_of(l, op);
    bool moved = false;

    if (launch_is_structure(op)) {
        launch_decision now = decide(l, op);
        moved = now != f->decided;
        f->decided = now;
    }
    if (!f->device && (op->code == IR_var ? variable_is_device(l, op) : value_is_device(l, op)))
        moved = f->device = true;
    if (launch_is_exit(op) && !is_final(l, op) && launch_exit_by_device(l, op))
        moved |= spread_exit(l, op);
    return moved;
}

static bool move_region(launch *l, const ir_region *r)
{
    bool moved = false;

    for (ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_task)
            continue;
        for (uint32_t i = 0; i < op->region_count; i++)
            moved |= move_region(l, op->regions[i]);
        moved |= move_op(l, op);
    }
    return moved;
}

void launch_classify(launch *l)
{
    launch_find_uses(l);
    while (move_region(l, l->kernel->body))
        continue;
}
