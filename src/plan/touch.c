/* SPDX-License-Identifier: Apache-2.0 */
/*
 * touch.c - which memory a task touches, once aliases are resolved, and where two tasks conflict.
 *
 * The order of tasks is no elision: that two tasks only read what both touch is the program's, and
 * so the same under each policy. access_known is about copies.
 */
#include <string.h>

#include "plan/plan_parts.h"

uint32_t plan_object(const plan_builder *b, uint32_t array)
{
    if (array < b->entry->param_count) {
        uint32_t class = b->shape->classes[array];
        return class == MOD_NONE ? 0 : class;
    }
    return b->class_count + (array - b->entry->param_count);
}

static void set(uint64_t *bits, uint32_t object)
{
    bits[object / 64] |= (uint64_t)1 << (object % 64);
}

void plan_touch_new(plan_builder *b, plan_touch *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = (plan_touch){ arena_new(b->arena, b->words * sizeof(uint64_t)),
                               arena_new(b->arena, b->words * sizeof(uint64_t)) };
}

void plan_touch_clear(const plan_builder *b, plan_touch *touch)
{
    memset(touch->reads, 0, b->words * sizeof(uint64_t));
    memset(touch->writes, 0, b->words * sizeof(uint64_t));
}

void plan_touch_all(const plan_builder *b, plan_touch *touch)
{
    memset(touch->reads, 0xff, b->words * sizeof(uint64_t));
    memset(touch->writes, 0xff, b->words * sizeof(uint64_t));
}

void plan_touch_add(const plan_builder *b, plan_touch *into, const plan_touch *from)
{
    for (uint32_t w = 0; w < b->words; w++) {
        into->reads[w] |= from->reads[w];
        into->writes[w] |= from->writes[w];
    }
}

void plan_touch_task(plan_builder *b, uint32_t task, plan_touch *out)
{
    const mod_task *t = &b->entry->tasks[task];

    plan_touch_new(b, out, 1);
    for (uint32_t i = 0; i < t->access_count; i++) {
        uint32_t object = plan_object(b, t->accesses[i].array);
        if (t->accesses[i].flags & MOD_READ)
            set(out->reads, object);
        if (t->accesses[i].flags & MOD_WRITE)
            set(out->writes, object);
    }
    uint32_t cells = b->object_count - 1;
    if (t->predicate != MOD_NONE)
        set(out->reads, cells);
    for (uint32_t a = 0; a < t->rank; a++)
        if (t->axes[a].lo_cell != MOD_NONE || t->axes[a].hi_cell != MOD_NONE)
            set(out->reads, cells);
    if (t->reduce_count > 0) {
        set(out->reads, cells);
        set(out->writes, cells);
    }
}

/* An array of the task, in its own numbering, that lies in the object. */
static uint32_t array_of(const plan_builder *b, uint32_t object)
{
    if (object >= b->class_count)
        return b->entry->param_count + (object - b->class_count);
    for (uint32_t p = 0; p < b->shape->param_count; p++)
        if (b->shape->classes[p] == object)
            return p;
    return MOD_NONE;
}

uint32_t plan_conflict(const plan_builder *b, const plan_touch *first, const plan_touch *second)
{
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t both = (first->writes[w] & (second->reads[w] | second->writes[w])) |
                        (first->reads[w] & second->writes[w]);
        if (both)
            return array_of(b, w * 64 + (uint32_t)__builtin_ctzll(both));
    }
    return MOD_NONE;
}
