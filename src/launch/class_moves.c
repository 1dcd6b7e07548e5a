/* SPDX-License-Identifier: Apache-2.0 */
/*
 * class_moves.c - reads a plan's copies off its steps, and a call's written parts off its arrays.
 */
#include "launch/class_moves.h"

class_moves class_moves_find(const plan *p, const mod_entry *entry, plan_move *moves)
{
    class_moves found = { 0 };

    for (uint32_t c = 0; c < p->class_count; c++)
        moves[c] = PLAN_MOVE_IN_PLACE;
    for (uint32_t i = 0; i < p->step_count; i++) {
        const plan_step *s = &p->steps[i];
        bool moves_class =
            (s->kind == PLAN_UPLOAD || s->kind == PLAN_DOWNLOAD || s->kind == PLAN_UNSTAGE) &&
            s->index != MOD_NONE;
        if (moves_class && moves[s->index] == PLAN_MOVE_IN_PLACE)
            moves[s->index] = s->move == PLAN_MOVE_MAPPED ? PLAN_MOVE_MAPPED : PLAN_MOVE_STAGED;
        found.any |= moves_class;
        found.copies_to_host |= s->kind == PLAN_DOWNLOAD && s->move == PLAN_MOVE_DIRECT;
        found.cells_mapped |= s->kind == PLAN_SCRATCH && s->index == entry->scratch_count &&
                              s->move == PLAN_MOVE_MAPPED;
    }
    return found;
}

bool class_next_written(const launch_call *call, uint32_t class, uint64_t at, uint64_t *out_start,
                        uint64_t *out_end)
{
    uint64_t start = UINT64_MAX, end;
    bool grown = true;

    for (uint32_t k = 0; k < call->array_count; k++) {
        const launch_array *a = &call->arrays[k];
        if (a->class == class && a->written && a->offset + a->bytes > at && a->offset < start)
            start = a->offset;
    }
    if (start == UINT64_MAX)
        return false;
    for (end = start; grown;) {
        grown = false;
        for (uint32_t k = 0; k < call->array_count; k++) {
            const launch_array *a = &call->arrays[k];
            if (a->class == class && a->written && a->offset <= end && a->offset + a->bytes > end) {
                end = a->offset + a->bytes;
                grown = true;
            }
        }
    }
    *out_start = start;
    *out_end = end;
    return true;
}

slip_status class_unstage(const launch_call *call, uint32_t class, const uint8_t *slot,
                          bool tasks_wrote, counters *counts, rest_call *rest)
{
    const launch_class *k = &call->classes[class];
    uint8_t *to = (uint8_t *)(uintptr_t)k->start;

    if (k->bytes == 0)
        return SLIP_OK;
    for (uint64_t start = 0, end = 0; class_next_written(call, class, end, &start, &end);) {
        SLIP_TRY(rest_or_copy(rest, to + start, slot + start, end - start));
        if (tasks_wrote)
            counters_add_copy(counts, false, end - start);
    }
    return SLIP_OK;
}
