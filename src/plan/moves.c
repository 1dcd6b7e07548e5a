/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moves.c - which alias classes move, and how. Looks at one call's shape and the facts, at nothing
 * else.
 *
 * Unknown host memory goes up through a pinned slot: an asynchronous copy is only ever given memory
 * that Slipway pinned itself, because no driver promises that the source of a queued copy from
 * other memory is free on return. Outputs gather in read-back slots and need one wait together;
 * a single output may use a blocking download instead, which is that wait. Where tasks can use a
 * slot as well as memory of the device, or it is small and each element is touched once, they use
 * the slot itself.
 */
#include "plan/plan_parts.h"

uint32_t plan_class_count(const plan_shape *shape)
{
    uint32_t count = 0;

    for (uint32_t p = 0; p < shape->param_count; p++)
        if (shape->classes[p] != MOD_NONE && shape->classes[p] >= count)
            count = shape->classes[p] + 1;
    return count;
}

/* Has an earlier parameter of the same class and range been counted as written? */
static bool range_counted(const mod_entry *entry, const plan_shape *shape, uint32_t p)
{
    for (uint32_t q = 0; q < p; q++)
        if (shape->classes[q] == shape->classes[p] && shape->ranges[q] == shape->ranges[p] &&
            !entry->params[q].is_const && (entry->params[q].access & MOD_WRITE))
            return true;
    return false;
}

static void add_member(plan_class *c, const mod_entry *entry, const plan_shape *shape, uint32_t p,
                       bool access_known)
{
    const mod_param *param = &entry->params[p];
    uint32_t access = access_known ? param->access : MOD_READ | MOD_WRITE;
    bool writes = (access & MOD_WRITE) && !param->is_const;
    bool covered = param->is_out || (access & MOD_COVERS);

    c->all_const &= param->is_const;
    c->all_out &= param->is_out;
    if (access_known && !(access & (MOD_READ | MOD_WRITE)))
        return;
    bool first = !c->reads && !c->writes;
    c->single = first && (access & MOD_SINGLE);
    c->covered = (first || c->covered) && covered;
    c->reads |= (access & MOD_READ) && !param->is_out;
    c->writes |= writes;
    c->updates |= (access & MOD_UPDATE) != 0;
    if (writes && !range_counted(entry, shape, p))
        c->written_ranges++;
}

static bool on_host(const plan_class *c)
{
    return c->home == PLAN_HOME_UNKNOWN || c->home == PLAN_HOME_PINNED;
}

bool plan_cells_mapped(const plan_shape *shape, const plan_facts *facts)
{
    return plan_holds(facts, PLAN_FACT_device_memory_mapped, shape->conservative);
}

bool plan_bounds_wanted(const mod_task *task, const plan_facts *facts)
{
    if (facts->holds[PLAN_FACT_runs_before_return] || task->reduce_count == 0)
        return false;
    for (uint32_t a = 0; a < task->rank; a++)
        if (task->axes[a].lo_cell != MOD_NONE || task->axes[a].hi_cell != MOD_NONE)
            return true;
    return false;
}

static bool uses_slot(const plan_class *c, bool device_mapped, bool mapped)
{
    return device_mapped ||
           (c->home == PLAN_HOME_UNKNOWN && mapped && c->small && c->single && !c->updates);
}

static void choose_moves(plan_class *classes, uint32_t count, const mod_entry *entry,
                         const plan_shape *shape, const plan_facts *facts)
{
    uint32_t outputs = plan_result_wanted(entry, shape) ? 1 : 0;
    bool may_block = facts->family == PLAN_FAMILY_STREAM && shape->stream == PLAN_DEFAULT_STREAM &&
                     plan_holds(facts, PLAN_FACT_blocking_download_drains, shape->conservative);
    bool mapped = plan_holds(facts, PLAN_FACT_host_mapped, shape->conservative);
    bool device_mapped = plan_holds(facts, PLAN_FACT_device_memory_mapped, shape->conservative);

    for (uint32_t i = 0; i < count; i++)
        if (on_host(&classes[i]) && classes[i].writes)
            outputs++;

    for (uint32_t i = 0; i < count; i++) {
        plan_class *c = &classes[i];
        bool pinned = c->home == PLAN_HOME_PINNED;
        bool up = !c->covered && (c->reads || c->writes);

        if (!on_host(c) || !(c->reads || c->writes))
            continue;
        if (facts->holds[PLAN_FACT_host_is_device] ||
            (pinned && mapped && outputs > 0 && (device_mapped || (c->single && !c->updates)))) {
            c->up = up ? PLAN_MOVE_IN_PLACE : PLAN_MOVE_NONE;
            c->down = c->writes ? PLAN_MOVE_IN_PLACE : PLAN_MOVE_NONE;
            continue;
        }
        if (uses_slot(c, device_mapped, mapped)) {
            c->up = up ? PLAN_MOVE_MAPPED : PLAN_MOVE_NONE;
            c->down = c->writes ? PLAN_MOVE_MAPPED : PLAN_MOVE_NONE;
            continue;
        }
        /* A queued copy from the caller's own pinned memory must end before the call returns: free
         * where a wait stands anyway, else a memcpy to a slot is cheaper than a wait. */
        if (up)
            c->up = pinned && outputs > 0 ? PLAN_MOVE_DIRECT : PLAN_MOVE_STAGED;
        if (c->writes)
            c->down = may_block && outputs == 1 && c->written_ranges == 1 ? PLAN_MOVE_BLOCKING
                      : pinned                                            ? PLAN_MOVE_DIRECT
                                                                          : PLAN_MOVE_STAGED;
    }
}

slip_status plan_classes(const mod_entry *entry, const plan_shape *shape, const plan_facts *facts,
                         plan_class *classes, uint32_t class_count)
{
    bool access_known = plan_holds(facts, PLAN_FACT_access_known, shape->conservative);

    for (uint32_t i = 0; i < class_count; i++)
        classes[i] = (plan_class){ .home = PLAN_HOME_NONE, .all_const = true, .all_out = true };
    for (uint32_t p = 0; p < shape->param_count; p++) {
        if (shape->classes[p] == MOD_NONE)
            continue;
        plan_class *c = &classes[shape->classes[p]];
        if (c->home != PLAN_HOME_NONE && c->home != shape->homes[p])
            return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                             "`%s` of %s overlaps an array that lives in another kind of memory",
                             entry->params[p].name, entry->name);
        c->home = shape->homes[p];
        c->small = shape->small && shape->small[p];
        add_member(c, entry, shape, p, access_known);
    }
    choose_moves(classes, class_count, entry, shape, facts);
    return SLIP_OK;
}

bool plan_is_tasks_alone(const plan *p)
{
    static const bool alone[PLAN_KIND_COUNT] = {
        [PLAN_EVAL] = true,  [PLAN_IF] = true,       [PLAN_LOOP] = true,   [PLAN_TASK] = true,
        [PLAN_BREAK] = true, [PLAN_CONTINUE] = true, [PLAN_RETURN] = true,
    };

    for (uint32_t i = 0; i < p->step_count; i++)
        if (!alone[p->steps[i].kind])
            return false;
    return true;
}

/* A copy says most to whoever reads of it, memory more than a wait. */
const plan_step *plan_uncapturable(const plan *p)
{
    static const uint8_t says[PLAN_KIND_COUNT] = {
        [PLAN_UPLOAD] = 3,  [PLAN_DOWNLOAD] = 3,    [PLAN_UNSTAGE] = 3,
        [PLAN_SCRATCH] = 2, [PLAN_DEVICE_LOOP] = 2, [PLAN_HOST_WAIT] = 1,
    };
    const plan_step *found = NULL;

    for (uint32_t i = 0; i < p->step_count; i++)
        if (says[p->steps[i].kind] > (found ? says[found->kind] : 0))
            found = &p->steps[i];
    return found;
}
