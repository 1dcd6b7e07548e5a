/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.c - makes a plan: what goes up, the program, what comes down, and the waits between.
 *
 * Reads the facts, never a family's name where a fact says it. It must never look at an address, a
 * size or a clock: those belong to the call, and the plan to its shape.
 */
#include "plan/plan.h"

#include "plan/plan_parts.h"

uint32_t plan_push(plan_builder *b, plan_step step)
{
    plan *p = b->plan;

    p->steps =
        arena_grow(b->arena, p->steps, &b->step_capacity, p->step_count + 1, sizeof *p->steps);
    p->steps[p->step_count] = step;
    return p->step_count++;
}

void plan_omit(plan_builder *b, plan_kind kind, uint32_t index, plan_fact fact, const char *why)
{
    plan *p = b->plan;

    p->omissions = arena_grow(b->arena, p->omissions, &b->omission_capacity, p->omission_count + 1,
                              sizeof *p->omissions);
    p->omissions[p->omission_count++] = (plan_omission){
        .before_step = p->step_count, .kind = kind, .index = index, .fact = fact, .text = why
    };
}

plan_step plan_step_of(const plan_builder *b, plan_kind kind, plan_reason reason)
{
    return (plan_step){ .kind = kind,
                        .reason = reason,
                        .lane = b->lane,
                        .from = MOD_NONE,
                        .event = MOD_NONE,
                        .index = MOD_NONE,
                        .node = MOD_NONE,
                        .because = { MOD_NONE, MOD_NONE },
                        .again = MOD_NONE,
                        .array = MOD_NONE };
}

static void push_order(plan_builder *b, plan_kind kind, plan_reason reason)
{
    plan_push(b, plan_step_of(b, kind, reason));
}

/* A host wait; on a queue what was recorded must first be on its way. */
static void push_wait(plan_builder *b, plan_reason reason)
{
    if (b->facts->family == PLAN_FAMILY_QUEUE)
        push_order(b, PLAN_SUBMIT, reason);
    push_order(b, PLAN_HOST_WAIT, reason);
}

static void push_move(plan_builder *b, plan_kind kind, plan_move move, uint32_t index,
                      plan_reason reason)
{
    plan_step step = plan_step_of(b, kind, reason);
    step.move = move;
    step.index = index;
    plan_push(b, step);
}

static bool is_queue(const plan_builder *b)
{
    return b->facts->family == PLAN_FAMILY_QUEUE;
}

/* ---- before the program ------------------------------------------------------------------------
 */

static void emit_uploads(plan_builder *b, uint32_t *out_count)
{
    for (uint32_t c = 0; c < b->class_count; c++) {
        const plan_class *class = &b->classes[c];

        switch (class->up) {
        case PLAN_MOVE_NONE:
            if (class->home == PLAN_HOME_KEPT || class->home == PLAN_HOME_RESIDENT)
                plan_omit(b, PLAN_UPLOAD, c, PLAN_FACT_COUNT, "it lives on the device");
            else if (class->home != PLAN_HOME_NONE && class->all_out && class->writes)
                plan_omit(b, PLAN_UPLOAD, c, PLAN_FACT_COUNT, "it is slip_out");
            else if (class->home != PLAN_HOME_NONE && class->covered && class->writes)
                plan_omit(b, PLAN_UPLOAD, c, PLAN_FACT_access_known,
                          "every element is written first");
            else if (class->home != PLAN_HOME_NONE)
                plan_omit(b, PLAN_UPLOAD, c, PLAN_FACT_access_known, "no task touches it");
            break;
        case PLAN_MOVE_IN_PLACE:
            plan_omit(b, PLAN_UPLOAD, c,
                      b->facts->holds[PLAN_FACT_host_is_device] ? PLAN_FACT_host_is_device
                                                                : PLAN_FACT_host_mapped,
                      "tasks use it in place");
            break;
        case PLAN_MOVE_MAPPED:
        case PLAN_MOVE_BLOCKING:
        case PLAN_MOVE_STAGED:
        case PLAN_MOVE_DIRECT:
            push_move(b, PLAN_UPLOAD, class->up, c,
                      class->reads ? PLAN_REASON_READS : PLAN_REASON_PARTLY);
            *out_count += class->up != PLAN_MOVE_MAPPED;
            break;
        }
    }
}

/* Does the host wait between copies and tasks? */
static bool waits_between(const plan_builder *b)
{
    return b->shape->conservative ||
           (is_queue(b) && !b->facts->holds[PLAN_FACT_copies_join_submission]);
}

/* Orders the uploads before the tasks. */
static void emit_after_uploads(plan_builder *b, uint32_t uploads)
{
    if (uploads == 0)
        return;
    if (waits_between(b))
        push_wait(b, PLAN_REASON_CONSERVATIVE);
    else if (!is_queue(b))
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_lane_in_order,
                  "between uploads and tasks");
    else
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_copies_join_submission,
                  "between uploads and tasks");
}

static void emit_cells(plan_builder *b)
{
    if (b->entry->cells_bytes == 0)
        return;
    plan_step step = plan_step_of(b, PLAN_SCRATCH, PLAN_REASON_PROGRAM);
    step.index = b->entry->scratch_count;
    step.move = b->cells_mapped ? PLAN_MOVE_MAPPED : PLAN_MOVE_NONE;
    plan_push(b, step);
}

/* ---- after the program --------------------------------------------------------------------------
 */

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
            push_move(b, PLAN_DOWNLOAD, class->down, c, PLAN_REASON_WRITTEN);
        else if (host && class->reads && class->all_const)
            plan_omit(b, PLAN_DOWNLOAD, c, PLAN_FACT_COUNT, "it is const");
        else if (host && class->reads)
            plan_omit(b, PLAN_DOWNLOAD, c, PLAN_FACT_access_known, "no task writes it");
        else if (!host && class->writes)
            plan_omit(b, PLAN_DOWNLOAD, c, PLAN_FACT_COUNT, "it lives on the device");
    }
    if (plan_result_wanted(b->entry, b->shape) && result_move(b) != PLAN_MOVE_IN_PLACE &&
        result_move(b) != PLAN_MOVE_MAPPED)
        push_move(b, PLAN_DOWNLOAD, result_move(b), MOD_NONE, PLAN_REASON_WRITTEN);
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
            push_move(b, PLAN_UNSTAGE, unstaged(b->classes[c].down), c, PLAN_REASON_COMPLETE);
    if (plan_result_wanted(b->entry, b->shape) && result_move(b) != PLAN_MOVE_BLOCKING)
        push_move(b, PLAN_UNSTAGE, unstaged(result_move(b)), MOD_NONE, PLAN_REASON_COMPLETE);
}

/* The last wait, where something the host may see or reuse depends on the device. */
static void emit_last_wait(plan_builder *b, const outputs *o)
{
    if (b->facts->holds[PLAN_FACT_runs_before_return]) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_runs_before_return, "at the end");
    } else if (o->copies > 0 || (o->mapped > 0 && !b->all_ended)) {
        push_wait(b, PLAN_REASON_COMPLETE);
    } else if (o->blocking > 0) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_blocking_download_drains,
                  "at the end: the download is the wait");
    } else if (o->in_place && !b->all_ended) {
        push_wait(b, PLAN_REASON_IN_PLACE);
    } else if (b->shape->conservative && b->entry->task_count > 0) {
        push_wait(b, PLAN_REASON_CONSERVATIVE);
    } else {
        if (is_queue(b))
            push_order(b, PLAN_SUBMIT, PLAN_REASON_PROGRAM);
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
    if (waits_between(b))
        push_wait(b, PLAN_REASON_CONSERVATIVE);
    else if (is_queue(b))
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

static void emit_tail(plan_builder *b)
{
    outputs o = find_outputs(b);
    uint32_t moves = o.copies + o.blocking;

    emit_phase_wait(b, moves);
    if (b->last_barrier)
        push_order(b, PLAN_BARRIER, PLAN_REASON_MOVED);
    emit_downloads(b);
    emit_last_wait(b, &o);
    emit_unstage(b);
    for (uint32_t s = 0; s < b->entry->scratch_count + (b->entry->cells_bytes > 0); s++) {
        plan_step step = plan_step_of(b, PLAN_RELEASE, release_reason(b, s));
        step.index = s;
        plan_push(b, step);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void count_waits(plan *p)
{
    for (uint32_t i = 0; i < p->step_count; i++) {
        const plan_step *s = &p->steps[i];
        p->host_waits += s->kind == PLAN_HOST_WAIT || s->move == PLAN_MOVE_BLOCKING;
        if (s->lane >= p->lane_count)
            p->lane_count = s->lane + 1;
    }
}

static void emit_all(plan_builder *b)
{
    uint32_t uploads = 0;

    if (is_queue(b) && plan_copies_first(b))
        push_order(b, PLAN_BARRIER, PLAN_REASON_ENTRY);
    emit_uploads(b, &uploads);
    emit_after_uploads(b, uploads);
    emit_cells(b);
    plan_emit_program(b);
    uint32_t program_end = b->plan->step_count;
    if (b->entry->task_count > 0)
        emit_tail(b);
    for (uint32_t i = 0; i < program_end; i++)
        if (b->plan->steps[i].kind == PLAN_RETURN)
            b->plan->steps[i].other = program_end;
    count_waits(b->plan);
}

slip_status plan_make(mem_arena *arena, const mod_entry *entry, const plan_shape *shape,
                      const plan_facts *facts, plan **out)
{
    uint32_t class_count = plan_class_count(shape);
    plan_builder b = {
        .arena = arena,
        .entry = entry,
        .shape = shape,
        .facts = facts,
        .classes = arena_new(arena, (class_count + 1) * sizeof *b.classes),
        .class_count = class_count,
        .cells = class_count + entry->scratch_count,
        .object_count = class_count + entry->scratch_count + plan_cells_pieces(entry),
        .tasks = arena_new(arena, (entry->task_count + 1) * sizeof *b.tasks),
        .begins = arena_new(arena, (entry->task_count + 1) * sizeof *b.begins),
        .barriers = arena_new(arena, (entry->task_count + 1) * sizeof *b.barriers),
        .waits = arena_new(arena, (entry->node_count + 1) * sizeof *b.waits),
        .polls = arena_new(arena, (entry->node_count + 1) * sizeof *b.polls),
        .cells_mapped = plan_cells_mapped(shape, facts),
        .node_step = arena_new(arena, (entry->node_count + 1) * sizeof *b.node_step),
        .knows = arena_new(arena, PLAN_MAX_LANES * sizeof *b.knows),
        .plan = arena_new(arena, sizeof *b.plan),
    };

    b.words = b.object_count / 64 + 1;
    b.plan->class_count = class_count;
    SLIP_TRY(plan_classes(entry, shape, facts, b.classes, class_count));
    for (uint32_t t = 0; t < entry->task_count; t++)
        plan_touch_task(&b, t);
    if (is_queue(&b))
        plan_place_barriers(&b);
    emit_all(&b);
    *out = b.plan;
    return SLIP_OK;
}
