/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_parts.h - what the files that make a plan share: the builder, and sets of touched memory.
 */
#ifndef SLIPWAY_PLAN_PLAN_PARTS_H
#define SLIPWAY_PLAN_PLAN_PARTS_H

#include "base/fail.h"
#include "plan/cells.h"
#include "plan/plan.h"

/*
 * Objects: the memory that tasks touch, once aliases are resolved. Object c < class_count is alias
 * class c; then the scratch arrays; the pieces of the cells last (cells.h).
 */
typedef struct plan_touch {
    uint64_t *reads, *writes; /* bit sets over objects */
} plan_touch;

enum { PLAN_MAX_LANES = 8 };

typedef struct plan_barrier {
    bool stands;
    bool entry, copy; /* for what an earlier call may still do; for a copy or zeroing */
    uint32_t because; /* for an earlier task, for one of the pass before: MOD_NONE if none */
    uint32_t again;
    uint32_t array; /* that the copy and the task touch, else any (as plan_step.array) */
} plan_barrier;

/* The tasks of the sections that are being emitted, in order. */
typedef struct plan_lane_task {
    uint32_t task, lane, number; /* number: 1 for the first task of its lane */
} plan_lane_task;

typedef struct plan_sections {
    plan_lane_task *tasks;
    uint32_t count, capacity;
} plan_sections;

typedef struct plan_builder {
    mem_arena *arena;
    const mod_entry *entry;
    const plan_shape *shape;
    const plan_facts *facts;
    plan_class *classes;
    uint32_t class_count, object_count, words;
    uint32_t cells;                /* the first object of the cells */
    plan_touch *tasks;             /* [task_count] */
    plan_touch *begins;            /* [task_count]: the same, and what the host must know first */
    struct plan_barrier *barriers; /* [task_count], queue family: what stands before the task */
    bool *polls; /* [node_count], queue family: a barrier stands before the copy of what the host
                  * must know of a loop or task */
    bool *waits; /* [node_count], queue family: the host waits for what it must know there */
    bool last_barrier; /* queue family: one stands between the tasks and the downloads */
    bool all_ended;    /* queue family: at the end the device uses no memory of the host's */
    bool cells_mapped;
    uint32_t *node_step; /* [node_count + 1]: the first step made for a node */
    plan *plan;
    uint32_t step_capacity, omission_capacity;
    uint32_t lane;           /* where steps go now */
    plan_sections *sections; /* NULL outside sections */
    /* Inside sections: done[m] is how many tasks lane m has, knows[l][m] how many of them are
     * ordered before what lane l does next. */
    uint32_t (*knows)[PLAN_MAX_LANES];
    plan_touch
        unseen[PLAN_MAX_LANES]; /* what other lanes did that a lane may not be ordered behind */
    uint32_t done[PLAN_MAX_LANES];
} plan_builder;

/* The result is fetched when the kernel has one and the caller gave a place for it. */
static inline bool plan_result_wanted(const mod_entry *entry, const plan_shape *shape)
{
    return shape->wants_result && entry->result.kind != MOD_NO_RESULT;
}

static inline bool plan_is_queue(const plan_builder *b)
{
    return b->facts->family == PLAN_FAMILY_QUEUE;
}

/* The step on the builder's lane with every index that names nothing set to MOD_NONE. */
plan_step plan_step_of(const plan_builder *b, plan_kind kind, plan_reason reason);
/* Adds a step on the builder's lane and returns its index. Pointers to steps do not survive it. */
uint32_t plan_push(plan_builder *b, plan_step step);
void plan_push_order(plan_builder *b, plan_kind kind, plan_reason reason);
/* A host wait; on a queue what was recorded must first be on its way. */
void plan_push_wait(plan_builder *b, plan_reason reason);
void plan_push_move(plan_builder *b, plan_kind kind, plan_move move, uint32_t index,
                    plan_reason reason);
void plan_omit(plan_builder *b, plan_kind kind, uint32_t index, plan_fact fact, const char *why);

/* Does the host wait between copies and tasks? */
bool plan_waits_between(const plan_builder *b);

/* An array of the object, as plan_step.array numbers them. */
uint32_t plan_array_of(const plan_builder *b, uint32_t object);
void plan_touch_new(plan_builder *b, plan_touch *out, uint32_t count); /* empty */
void plan_touch_clear(const plan_builder *b, plan_touch *touch);
void plan_touch_all(const plan_builder *b, plan_touch *touch);
void plan_touch_add(const plan_builder *b, plan_touch *into, const plan_touch *from);
void plan_touch_task(plan_builder *b, uint32_t task); /* fills b->tasks and b->begins of it */
/* Is some byte of the cells in the set? Puts all in, takes all out. */
bool plan_cells_in(const plan_builder *b, const uint64_t *objects, plan_span bytes);
void plan_cells_add(const plan_builder *b, uint64_t *objects, plan_span bytes);
void plan_cells_drop(const plan_builder *b, uint64_t *objects);
/* An object from `from` on that both touch and one writes; MOD_NONE if none. */
uint32_t plan_conflict_from(const plan_builder *b, const plan_touch *first,
                            const plan_touch *second, uint32_t from);
uint32_t plan_conflict(const plan_builder *b, const plan_touch *first, const plan_touch *second);

/* barriers.c, queue family: decides where barriers stand. */
void plan_place_barriers(plan_builder *b);
/* Does something run on the queue before the first task? */
bool plan_copies_first(const plan_builder *b);
/* tasks.c: emits the steps of the launch program, with the edges between sections. */
void plan_emit_program(plan_builder *b);
void plan_emit_range(plan_builder *b, uint32_t first, uint32_t end); /* of its nodes */
/* tail.c: emits what comes after the program. */
void plan_emit_tail(plan_builder *b);
/* sections.c: emits what a node MOD_SECTIONS holds, and what comes before a task in it: the edges
 * that the task needs before it runs on the builder's lane. */
void plan_emit_sections(plan_builder *b, uint32_t sections);
void plan_host_waited(plan_builder *b); /* for the builder's lane: later work on any is behind it */
void plan_order_task(plan_builder *b, const plan_sections *s, uint32_t task);

#endif
