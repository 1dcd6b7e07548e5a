/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_shared.c - what two tasks must be ordered for, by name: what the second reads of the first's
 * writing comes first.
 *
 * Told from the entry and the shape, so that a step needs to hold the two tasks alone.
 */
#include "plan/cells.h"
#include "plan/plan_words.h"

typedef struct shared {
    text *out;
    const mod_entry *entry;
    const plan_shape *shape;
    const mod_task *first, *second;
    uint8_t cells[2][PLAN_CELLS_MOST]; /* what each does with each piece of the cells */
    uint32_t count;                    /* of names so far */
} shared;

typedef struct piece_flags {
    const mod_entry *entry;
    uint8_t *flags;
} piece_flags;

static void add_piece(void *user, plan_span bytes, uint32_t flags)
{
    const piece_flags *to = user;
    plan_span pieces = plan_cells_pieces_of(to->entry, bytes);

    for (uint32_t p = pieces.first; p < pieces.end; p++)
        to->flags[p] |= (uint8_t)(flags & (MOD_READ | MOD_WRITE));
}

/* Are both the same memory, as far as the plan looks? */
static bool is_same(const shared *s, uint32_t one, uint32_t two)
{
    uint32_t params = s->entry->param_count;

    return one == two || (one < params && two < params && s->shape->classes[one] != MOD_NONE &&
                          s->shape->classes[one] == s->shape->classes[two]);
}

static uint32_t flags_of(const shared *s, const mod_task *task, uint32_t array)
{
    uint32_t flags = 0;

    for (uint32_t i = 0; i < task->access_count; i++)
        if (is_same(s, task->accesses[i].array, array))
            flags |= task->accesses[i].flags;
    return flags;
}

/* Is it a conflict, of the kind at hand? */
static bool wanted(uint32_t first, uint32_t second, bool passed_on)
{
    bool passes = (first & MOD_WRITE) && (second & MOD_READ);
    bool other = (second & MOD_WRITE) && (first & (MOD_READ | MOD_WRITE));

    return passed_on ? passes : other && !passes;
}

static void add_name(shared *s, const char *name)
{
    text_add(s->out, "%s%s", s->count++ > 0 ? ", " : "", name);
}

static void add_arrays(shared *s, bool passed_on)
{
    uint32_t params = s->entry->param_count;

    for (uint32_t a = 0; a < params + s->entry->scratch_count; a++) {
        bool seen = false;
        for (uint32_t k = 0; k < a; k++)
            seen |= is_same(s, k, a);
        if (!seen && wanted(flags_of(s, s->first, a), flags_of(s, s->second, a), passed_on))
            add_name(s, a < params ? s->entry->params[a].name : s->entry->scratch[a - params].name);
    }
}

static void add_variables(shared *s, bool passed_on)
{
    for (uint32_t p = 0; p < plan_cells_pieces(s->entry); p++) {
        const char *name = plan_cells_name(s->entry, p);
        if (name && wanted(s->cells[0][p], s->cells[1][p], passed_on))
            add_name(s, name);
    }
}

bool plan_shared_words(text *out, uint32_t first, uint32_t second, const mod_entry *entry,
                       const plan_shape *shape)
{
    shared s = { .out = out,
                 .entry = entry,
                 .shape = shape,
                 .first = &entry->tasks[first],
                 .second = &entry->tasks[second] };

    plan_cells_of_task(entry, s.first, add_piece, &(piece_flags){ entry, s.cells[0] });
    plan_cells_of_task(entry, s.second, add_piece, &(piece_flags){ entry, s.cells[1] });
    for (int passed_on = 1; passed_on >= 0; passed_on--) {
        add_arrays(&s, passed_on);
        add_variables(&s, passed_on);
    }
    return s.count > 0;
}
