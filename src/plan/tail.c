/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tail.c - what a plan has after the program: what comes down, the last wait, and what the host
 * does once it has waited.
 */
#include "plan/plan_parts.h"

typedef struct outputs {
    uint32_t copies;   /* queued downloads */
    uint32_t blocking; /* blocking downloads */
    uint32_t mapped;   /* slots that tasks write and the host empties */
    bool slots;        /* the device may still read what the host put into slots */
    bool in_place;     /* the device may still use the caller's memory */
    bool result_in_place;
} outputs;

static plan_move result_move(const plan_builder *b)
{
    uint32_t others = 0;

    if (b->facts->holds[PLAN_FACT_host_is_device])
        return PLAN_MOVE_IN_PLACE;
    if (b->cells_mapped)
        return PLAN_MOVE_MAPPED;
    for (uint32_t c = 0; c < b->class_count; c++)
        others += b->classes[c].down != PLAN_MOVE_NONE;
    bool block = others == 0 && b->facts->family == PLAN_FAMILY_STREAM &&
                 b->shape->stream == PLAN_DEFAULT_STREAM &&
                 plan_holds(b->facts, PLAN_FACT_blocking_download_drains, b->shape->conservative);
    return block ? PLAN_MOVE_BLOCKING : PLAN_MOVE_STAGED;
}

static outputs find_outputs(const plan_builder *b)
{
    outputs o = { 0 };

    for (uint32_t c = 0; c < b->class_count; c++) {
        const plan_class *class = &b->classes[c];
        o.in_place |= class->up == PLAN_MOVE_IN_PLACE || class->down == PLAN_MOVE_IN_PLACE ||
                      class->up == PLAN_MOVE_DIRECT;
        o.copies += class->down == PLAN_MOVE_STAGED || class->down == PLAN_MOVE_DIRECT;
        o.blocking += class->down == PLAN_MOVE_BLOCKING;
        o.slots |= class->up == PLAN_MOVE_STAGED || class->up == PLAN_MOVE_MAPPED;
        o.mapped += class->down == PLAN_MOVE_MAPPED;
    }
    if (plan_result_wanted(b->entry, b->shape)) {
        plan_move move = result_move(b);
        o.result_in_place = move == PLAN_MOVE_IN_PLACE;
        o.copies += move == PLAN_MOVE_STAGED;
        o.blocking += move == PLAN_MOVE_BLOCKING;
        o.mapped += move == PLAN_MOVE_MAPPED;
    }
    return o;
}

static plan_fact slot_fact(const plan_builder *b)
{
    return plan_holds(b->facts, PLAN_FACT_device_memory_mapped, b->shape->conservative)
               ? PLAN_FACT_device_memory_mapped
               : PLAN_FACT_host_mapped;
}

static void emit_downloads(plan_builder *b)
{
    for (uint32_t c = 0; c < b->class_count; c++) {
        const plan_class *class = &b->classes[c];
        bool host = class->home == PLAN_HOME_UNKNOWN || class->home == PLAN_HOME_PINNED;

        if (class->down == PLAN_MOVE_IN_PLACE)
            plan_omit(b, PLAN_DOWNLOAD, c,
                      b->facts->holds[PLAN_FACT_host_is_device] ? PLAN_FACT_host_is_device
                                                                : PLAN_FACT_host_mapped,
                      "tasks wrote it in place");
        else if (class->down == PLAN_MOVE_MAPPED)
            plan_omit(b, PLAN_DOWNLOAD, c, slot_fact(b), "tasks wrote the slot");
        else if (class->down != PLAN_MOVE_NONE)
            plan_push_move(b, PLAN_DOWNLOAD, class->down, c, PLAN_REASON_WRITTEN);
        else if (host && class->reads && class->all_const)
            plan_omit(b, PLAN_DOWNLOAD, c, PLAN_FACT_COUNT, "it is const");
        else if (host && class->reads)
            plan_omit(b, PLAN_DOWNLOAD, c, PLAN_FACT_access_known, "no task writes it");
        else if (!host && class->writes)
            plan_omit(b, PLAN_DOWNLOAD, c, PLAN_FACT_COUNT, "it lives on the device");
    }
    if (plan_result_wanted(b->entry, b->shape) && result_move(b) != PLAN_MOVE_IN_PLACE &&
        result_move(b) != PLAN_MOVE_MAPPED)
        plan_push_move(b, PLAN_DOWNLOAD, result_move(b), MOD_NONE, PLAN_REASON_WRITTEN);
}

static plan_move unstaged(plan_move down)
{
    return down == PLAN_MOVE_MAPPED ? PLAN_MOVE_MAPPED : PLAN_MOVE_NONE;
}

/* After the last wait: what lies in slots goes to the caller. A blocking download and a direct copy
 * end there. */
static void emit_unstage(plan_builder *b)
{
    for (uint32_t c = 0; c < b->class_count; c++)
        if (b->classes[c].down == PLAN_MOVE_STAGED || b->classes[c].down == PLAN_MOVE_MAPPED)
            plan_push_move(b, PLAN_UNSTAGE, unstaged(b->classes[c].down), c, PLAN_REASON_COMPLETE);
    if (plan_result_wanted(b->entry, b->shape) && result_move(b) != PLAN_MOVE_BLOCKING)
        plan_push_move(b, PLAN_UNSTAGE, unstaged(result_move(b)), MOD_NONE, PLAN_REASON_COMPLETE);
}

/* The last wait, where something the host may see or reuse depends on the device. */
static void emit_last_wait(plan_builder *b, const outputs *o)
{
    if (b->facts->holds[PLAN_FACT_runs_before_return]) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_runs_before_return, "at the end");
    } else if (o->copies > 0 || (o->mapped > 0 && !b->all_ended)) {
        plan_push_wait(b, PLAN_REASON_COMPLETE);
    } else if (o->blocking > 0) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_blocking_download_drains,
                  "at the end: the download is the wait");
    } else if (o->in_place && !b->all_ended) {
        plan_push_wait(b, PLAN_REASON_IN_PLACE);
    } else if (b->shape->conservative && b->entry->task_count > 0) {
        plan_push_wait(b, PLAN_REASON_CONSERVATIVE);
    } else {
        if (plan_is_queue(b))
            plan_push_order(b, PLAN_SUBMIT, PLAN_REASON_PROGRAM);
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_COUNT,
                  o->slots ? "at the end: the host sees nothing of what is in flight, and a slot "
                             "is filled again only once the device is known to be done with it"
                           : "at the end: nothing that the host can see or reuse is in flight");
    }
}

static void emit_phase_wait(plan_builder *b, uint32_t moves)
{
    if (moves == 0)
        return;
    if (plan_waits_between(b))
        plan_push_wait(b, PLAN_REASON_CONSERVATIVE);
    else if (plan_is_queue(b))
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_copies_join_submission,
                  "between tasks and downloads");
    else
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_lane_in_order,
                  "between tasks and downloads");
}

static plan_reason release_reason(const plan_builder *b, uint32_t index)
{
    if (b->facts->holds[PLAN_FACT_runs_before_return])
        return PLAN_REASON_PROGRAM;
    return index == b->entry->scratch_count && b->cells_mapped ? PLAN_REASON_SLOT
                                                               : PLAN_REASON_BEHIND;
}

void plan_emit_tail(plan_builder *b)
{
    outputs o = find_outputs(b);
    uint32_t moves = o.copies + o.blocking;

    emit_phase_wait(b, moves);
    if (b->last_barrier)
        plan_push_order(b, PLAN_BARRIER, PLAN_REASON_MOVED);
    emit_downloads(b);
    emit_last_wait(b, &o);
    emit_unstage(b);
    for (uint32_t s = 0; s < b->entry->scratch_count + (b->entry->cells_bytes > 0); s++) {
        plan_step step = plan_step_of(b, PLAN_RELEASE, release_reason(b, s));
        step.index = s;
        plan_push(b, step);
    }
}
