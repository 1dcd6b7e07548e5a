/* SPDX-License-Identifier: Apache-2.0 */
/*
 * touch.c - which memory a task touches, once aliases are resolved, and where two tasks conflict.
 *
 * The order of tasks is no elision: that two tasks only read what both touch is the program's, and
 * so the same under each policy. access_known is about copies.
 */
#include <string.h>

#include "plan/plan_parts.h"

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

/* ---- the cells ------------------------------------------------------------------------------- */

bool plan_cells_in(const plan_builder *b, const uint64_t *objects, plan_span bytes)
{
    plan_span pieces = plan_cells_pieces_of(b->entry, bytes);

    for (uint32_t o = b->cells + pieces.first; o < b->cells + pieces.end; o++)
        if (objects[o / 64] >> (o % 64) & 1)
            return true;
    return false;
}

void plan_cells_add(const plan_builder *b, uint64_t *objects, plan_span bytes)
{
    plan_span pieces = plan_cells_pieces_of(b->entry, bytes);

    for (uint32_t o = b->cells + pieces.first; o < b->cells + pieces.end; o++)
        set(objects, o);
}

void plan_cells_drop(const plan_builder *b, uint64_t *objects)
{
    for (uint32_t o = b->cells; o < b->object_count; o++)
        objects[o / 64] &= ~((uint64_t)1 << (o % 64));
}

/* ---- tasks ----------------------------------------------------------------------------------- */

typedef struct touching {
    const plan_builder *b;
    plan_touch *touch;
} touching;

static void touch_cells(void *user, plan_span bytes, uint32_t flags)
{
    const touching *t = user;

    if (flags & MOD_READ)
        plan_cells_add(t->b, t->touch->reads, bytes);
    if (flags & MOD_WRITE)
        plan_cells_add(t->b, t->touch->writes, bytes);
}

/* The object of an array that is not the cells. */
static uint32_t object_of(const plan_builder *b, uint32_t array)
{
    if (array >= b->entry->param_count)
        return b->class_count + (array - b->entry->param_count);
    uint32_t class = b->shape->classes[array];
    return class == MOD_NONE ? 0 : class;
}

void plan_touch_task(plan_builder *b, uint32_t task)
{
    const mod_task *t = &b->entry->tasks[task];
    plan_touch *made = &b->tasks[task], *begins = &b->begins[task];

    plan_touch_new(b, made, 1);
    plan_touch_new(b, begins, 1);
    for (uint32_t i = 0; i < t->access_count; i++) {
        if (t->accesses[i].array == b->entry->param_count + b->entry->scratch_count)
            continue;
        uint32_t object = object_of(b, t->accesses[i].array);
        if (t->accesses[i].flags & MOD_READ)
            set(made->reads, object);
        if (t->accesses[i].flags & MOD_WRITE)
            set(made->writes, object);
    }
    plan_cells_of_task(b->entry, t, touch_cells, &(touching){ b, made });
    plan_touch_add(b, begins, made);
    if (plan_bounds_wanted(t, b->facts))
        plan_cells_add(b, begins->reads, plan_cells_all(b->entry));
}

uint32_t plan_array_of(const plan_builder *b, uint32_t object)
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
    return plan_conflict_from(b, first, second, 0);
}

uint32_t plan_conflict_from(const plan_builder *b, const plan_touch *first,
                            const plan_touch *second, uint32_t from)
{
    for (uint32_t w = from / 64; w < b->words; w++) {
        uint64_t both = (first->writes[w] & (second->reads[w] | second->writes[w])) |
                        (first->reads[w] & second->writes[w]);
        if (w == from / 64)
            both &= ~(uint64_t)0 << (from % 64);
        if (both)
            return w * 64 + (uint32_t)__builtin_ctzll(both);
    }
    return MOD_NONE;
}
