/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans.c - finds or makes the plan of a shape of call.
 *
 * Takes the entry's lock, so it is for calls whose shape differs from the last one's on their
 * stream. A plan that is dropped from the list lives on while a stream still calls by it.
 */
#include "runtime/plans.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

bool plans_match(const cached_plan *known, const plan_shape *shape)
{
    const plan_shape *have = &known->shape;
    size_t count = shape->param_count;

    return have->stream == shape->stream && have->conservative == shape->conservative &&
           have->wants_result == shape->wants_result &&
           memcmp(have->homes, shape->homes, count * sizeof *shape->homes) == 0 &&
           memcmp(have->classes, shape->classes, count * sizeof *shape->classes) == 0 &&
           memcmp(have->ranges, shape->ranges, count * sizeof *shape->ranges) == 0 &&
           memcmp(have->small, shape->small, count * sizeof *shape->small) == 0;
}

/* A heap copy of the shape, with room for the arrays behind it. */
static slip_status copy_shape(const plan_shape *shape, cached_plan **out)
{
    size_t count = shape->param_count;
    cached_plan *made = NULL;

    SLIP_TRY(
        mem_new(sizeof *made + count * (sizeof(plan_home) + 2 * sizeof(uint32_t) + sizeof(bool)),
                (void **)&made));
    plan_home *homes = (plan_home *)(made + 1);
    uint32_t *classes = (uint32_t *)(homes + count), *ranges = classes + count;
    bool *small = (bool *)(ranges + count);
    if (count > 0) {
        memcpy(homes, shape->homes, count * sizeof *homes);
        memcpy(classes, shape->classes, count * sizeof *classes);
        memcpy(ranges, shape->ranges, count * sizeof *ranges);
        memcpy(small, shape->small, count * sizeof *small);
    }
    made->shape = *shape;
    made->shape.homes = homes;
    made->shape.classes = classes;
    made->shape.ranges = ranges;
    made->shape.small = small;
    *out = made;
    return SLIP_OK;
}

static slip_status make_plan(const slip_entry *entry, const plan_shape *shape, cached_plan **out)
{
    const slip_device *device = entry->module->device;
    mem_arena arena = { 0 };
    cached_plan *made = NULL;
    plan *p = NULL;
    slip_status status = copy_shape(shape, &made);

    if (status != SLIP_OK)
        goto fail;
    status = mem_arena_init(&arena);
    if (status != SLIP_OK)
        goto fail;
    status = plan_make(&arena, entry->entry, shape, device->facts, &p);
    if (status != SLIP_OK)
        goto fail;
    status = device->family->ops_make(p, entry->entry, &made->ops);
    if (status != SLIP_OK)
        goto fail;
    made->family = device->family;
    made->tasks_alone = plan_is_tasks_alone(p);
    mem_arena_finish(&arena);
    atomic_init(&made->uses, 1);
    *out = made;
    return SLIP_OK;

fail:
    fail_note("while planning a call of %s", entry->entry->name);
    mem_arena_finish(&arena);
    mem_free(made);
    return status;
}

void plans_drop(cached_plan *used)
{
    if (!used || atomic_fetch_sub(&used->uses, 1) != 1)
        return;
    used->family->ops_drop(used->ops);
    mem_free(used);
}

static void remember(slip_entry *entry, cached_plan *made)
{
    if (entry->plan_count == ENTRY_MAX_PLANS) {
        plans_drop(entry->plans[0]);
        entry->plan_count--;
        memmove(entry->plans, entry->plans + 1, entry->plan_count * sizeof *entry->plans);
    }
    entry->plans[entry->plan_count++] = made;
}

static slip_status find_or_make(slip_entry *entry, const plan_shape *shape, cached_plan **out,
                                bool *out_made)
{
    cached_plan *made = NULL;

    for (uint32_t k = 0; k < entry->plan_count; k++)
        if (plans_match(entry->plans[k], shape)) {
            *out = entry->plans[k];
            *out_made = false;
            return SLIP_OK;
        }
    SLIP_TRY(make_plan(entry, shape, &made));
    remember(entry, made);
    *out = made;
    *out_made = true;
    return SLIP_OK;
}

slip_status plans_find(slip_entry *entry, const plan_shape *shape, cached_plan **out,
                       bool *out_made)
{
    pthread_mutex_lock(&entry->lock);
    slip_status status = find_or_make(entry, shape, out, out_made);
    if (status == SLIP_OK)
        atomic_fetch_add(&(*out)->uses, 1);
    pthread_mutex_unlock(&entry->lock);
    return status;
}

void plans_finish(slip_entry *entry)
{
    for (uint32_t k = 0; k < entry->plan_count; k++)
        plans_drop(entry->plans[k]);
    entry->plan_count = 0;
}
