/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_sections.c - arrays that one slip_section writes and another touches.
 *
 * Sections run at the same time, as iterations do. Whether the parts of an array that they touch
 * are apart is known to the caller alone, so this warns and never refuses. Two sections that both
 * update an array are let through: updates do not conflict.
 */
#include "ir/access.h"

typedef struct touches {
    const mod_entry *entry;
    uint32_t *flags;          /* [arrays] of one section: mod_access_flags */
    const mod_task **writers; /* [arrays] the first task that writes it */
} touches;

static void add_task(touches *t, const mod_task *task)
{
    for (uint32_t a = 0; a < task->access_count; a++) {
        const mod_access *access = &task->accesses[a];
        t->flags[access->array] |= access->flags & (MOD_READ | MOD_WRITE | MOD_UPDATE);
        if (access->flags & MOD_WRITE && !t->writers[access->array])
            t->writers[access->array] = task;
    }
}

static touches collect(mem_arena *arena, const mod_entry *e, uint32_t section)
{
    size_t arrays = (size_t)e->param_count + e->scratch_count + 1;
    touches made = { .entry = e,
                     .flags = arena_new(arena, arrays * sizeof(uint32_t)),
                     .writers = arena_new(arena, arrays * sizeof(mod_task *)) };

    for (uint32_t n = section + 1; n < e->nodes[section].end; n++)
        if (e->nodes[n].kind == MOD_TASK)
            add_task(&made, &e->tasks[e->nodes[n].first]);
    return made;
}

static void warn(const ir_module *m, diag_list *diags, const mod_task *writer, const char *name)
{
    mod_place p = writer->place;
    const char *file = p.line && p.file < m->file_count ? m->files[p.file] : NULL;

    diag_add(diags, DIAG_WARNING, file, p.line, p.column,
             "see that the sections use different parts of it, or let one follow the other",
             "`%s` is written in one slip_section and used in another, which runs at the same time",
             name);
}

/* The cells, last of the arrays, hold scalars: those are refused elsewhere. */
static void compare(const ir_module *m, diag_list *diags, const touches *a, const touches *b)
{
    const mod_entry *e = a->entry;

    for (uint32_t k = 0; k < e->param_count + e->scratch_count; k++) {
        const mod_task *writer = a->writers[k] ? a->writers[k] : b->writers[k];
        if (!writer || !a->flags[k] || !b->flags[k] || (a->flags[k] & b->flags[k] & MOD_UPDATE))
            continue;
        warn(m, diags, writer,
             k < e->param_count ? e->params[k].name : e->scratch[k - e->param_count].name);
    }
}

static void check_siblings(const ir_module *m, diag_list *diags, const mod_entry *e, uint32_t all)
{
    for (uint32_t a = all + 1; a < e->nodes[all].end; a = e->nodes[a].end) {
        touches first = collect(m->arena, e, a);
        for (uint32_t b = e->nodes[a].end; b < e->nodes[all].end; b = e->nodes[b].end) {
            touches second = collect(m->arena, e, b);
            compare(m, diags, &first, &second);
        }
    }
}

void access_check_sections(const ir_module *m, diag_list *diags, const mod_module *launch)
{
    for (uint32_t k = 0; k < launch->entry_count; k++) {
        const mod_entry *e = &launch->entries[k];
        for (uint32_t n = 0; n < e->node_count; n++)
            if (e->nodes[n].kind == MOD_SECTIONS)
                check_siblings(m, diags, e, n);
    }
}
