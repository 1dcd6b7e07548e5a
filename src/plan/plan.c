/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.c - makes a plan: what goes up, the program (tasks.c), what comes down (tail.c), and the
 * waits between.
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

void plan_push_order(plan_builder *b, plan_kind kind, plan_reason reason)
{
    plan_push(b, plan_step_of(b, kind, reason));
}

void plan_push_wait(plan_builder *b, plan_reason reason)
{
    if (plan_is_queue(b))
        plan_push_order(b, PLAN_SUBMIT, reason);
    plan_push_order(b, PLAN_HOST_WAIT, reason);
}

void plan_push_move(plan_builder *b, plan_kind kind, plan_move move, uint32_t index,
                    plan_reason reason)
{
    plan_step step = plan_step_of(b, kind, reason);
    step.move = move;
    step.index = index;
    plan_push(b, step);
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
            plan_push_move(b, PLAN_UPLOAD, class->up, c,
                           class->reads ? PLAN_REASON_READS : PLAN_REASON_PARTLY);
            *out_count += class->up != PLAN_MOVE_MAPPED;
            break;
        }
    }
}

bool plan_waits_between(const plan_builder *b)
{
    return b->shape->conservative ||
           (plan_is_queue(b) && !b->facts->holds[PLAN_FACT_copies_join_submission]);
}

/* Orders the uploads before the tasks. */
static void emit_after_uploads(plan_builder *b, uint32_t uploads)
{
    if (uploads == 0)
        return;
    if (plan_waits_between(b))
        plan_push_wait(b, PLAN_REASON_CONSERVATIVE);
    else if (!plan_is_queue(b))
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

    if (plan_is_queue(b) && plan_copies_first(b))
        plan_push_order(b, PLAN_BARRIER, PLAN_REASON_ENTRY);
    emit_uploads(b, &uploads);
    emit_after_uploads(b, uploads);
    emit_cells(b);
    plan_emit_program(b);
    uint32_t program_end = b->plan->step_count;
    if (b->entry->task_count > 0)
        plan_emit_tail(b);
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
    if (plan_is_queue(&b))
        plan_place_barriers(&b);
    emit_all(&b);
    *out = b.plan;
    return SLIP_OK;
}
