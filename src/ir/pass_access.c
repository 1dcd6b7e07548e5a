/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_access.c - which task does what with which array: the facts of the planner, and of rules 2,
 * 10, 11.
 *
 *     task heat:12 { ... store next[i] ... load u[l] ... }
 * gets
 *     access u read, next write covers; apart u next
 *
 * needs   launch      keeps   the code      breaks   nothing
 *
 * Warnings are for what cannot be proved right; what is proved wrong is an error.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/fail.h"
#include "ir/access.h"
#include "ir/pass.h"

typedef struct warner {
    access_task *t;
    diag_list *diags;
} warner;

static const char *array_name(const access_task *t, uint32_t array)
{
    if (array < t->entry->param_count)
        return t->entry->params[array].name;
    if (array + 1 < t->array_count)
        return t->entry->scratch[array - t->entry->param_count].name;
    return "a kernel-level variable";
}

static uint32_t first_array(const access_task *t, const access_at *a)
{
    for (uint32_t i = 0; i < t->array_count; i++)
        if (access_has(a->arrays, i))
            return i;
    return t->array_count - 1;
}

static bool in_cells(const access_task *t, const access_at *a)
{
    return access_has(a->arrays, t->array_count - 1);
}

static void say(const warner *w, diag_severity severity, const access_at *a, const char *advice,
                const char *message)
{
    ir_place p = a->op->place;
    const char *file = p.line && p.file < w->t->m->file_count ? w->t->m->files[p.file] : NULL;

    diag_add(w->diags, severity, file, p.line, p.column, advice, "%s", message);
}

/* ---- rule 2: stores that iterations may share ---------------------------------------------- */

static bool index_is_fixed(const access_task *t, const access_at *a)
{
    if (!a->form.known)
        return false;
    for (uint32_t d = 0; d < a->form.rank; d++)
        for (uint32_t i = 0; i < a->form.digits[d].count; i++)
            if (!access_uniform(t, a->form.digits[d].terms[i].atom, 12))
                return false;
    return true;
}

/* A task that has one iteration at most shares nothing. */
static bool one_iteration(const access_task *t)
{
    for (uint32_t k = 0; k < t->task->rank; k++) {
        const mod_axis *axis = &t->task->axes[k];
        if (axis->lo == MOD_NONE || axis->hi == MOD_NONE)
            return false;
        uint64_t lo = 1, hi = 0;
        bool known_lo = false, known_hi = false;
        for (uint32_t i = 0; i < t->entry->const_count; i++) {
            const mod_const *c = &t->entry->consts[i];
            if (c->slot == axis->lo)
                lo = c->bits, known_lo = true;
            if (c->slot == axis->hi)
                hi = c->bits, known_hi = true;
        }
        if (!known_lo || !known_hi || (int64_t)(hi - lo) > 1)
            return false;
    }
    return true;
}

/* Which axes an equality of index and uniform value fixes: all, when its side names the iteration.
 */
static uint32_t fixed_axes(const access_task *t, const ir_op *c)
{
    uint32_t axes = 0, all = (UINT32_C(1) << t->task->rank) - 1;

    for (uint32_t i = 0; i < 2; i++) {
        ir_op *side = c->in[i];
        if (!access_uniform(t, c->in[1 - i], 12))
            continue;
        if (access_names_iteration(t, side))
            return all;
        while (side->code == IR_convert)
            side = side->in[0];
        if (access_is_index(t, side))
            axes |= UINT32_C(1) << side->index;
    }
    return axes;
}

/* Does the op stand under `index == something`, which one iteration passes? */
static bool picks_one(const access_task *t, const ir_op *op)
{
    uint32_t axes = 0;

    for (const ir_op *owner = op->parent->owner; owner; op = owner, owner = owner->parent->owner) {
        const ir_op *c = owner->code == IR_if ? owner->in[0] : NULL;
        if (!c || op->parent != owner->regions[0])
            continue;
        for (int depth = 0; depth < 8 && c; depth++) {
            const ir_op *equal = c->code == IR_and ? c->in[1] : c;
            if (equal->code == IR_eq)
                axes |= fixed_axes(t, equal);
            c = c->code == IR_and ? c->in[0] : NULL;
        }
    }
    return axes == (UINT32_C(1) << t->task->rank) - 1;
}

static const ir_op *stored_value(const access_at *a)
{
    return a->op->code == IR_store || a->op->code == IR_fill ? a->op->in[1] : NULL;
}

static void check_store(const warner *w, const access_at *a)
{
    const access_task *t = w->t;
    const char *name = array_name(t, first_array(t, a));
    const ir_op *value = stored_value(a);
    char message[256];

    if (a->likely || in_cells(t, a) || (value && access_uniform(t, value, 12)) ||
        picks_one(t, a->op))
        return;
    if (index_is_fixed(t, a) && !a->guarded && a->root) {
        snprintf(message, sizeof message,
                 "each iteration stores a different value to the same element of `%s`", name);
        say(w, DIAG_ERROR, a,
            "write an update (`+=`, slip_atomic_max ...), or use an index that depends on the "
            "iteration",
            message);
        return;
    }
    snprintf(
        message, sizeof message,
        "two iterations may store to the same element of `%s`: its index is not provably distinct",
        name);
    say(w, DIAG_WARNING, a,
        "see that the indices differ, as those of a permutation do; else write `+=` or another "
        "update, or use an index made of the slip_for's own (i, i * w + x, ...)",
        message);
}

/* Reads of what the same task updates are relaxed, and said. */
static void check_read(const warner *w, access_at *a)
{
    const access_task *t = w->t;
    char message[256];

    for (uint32_t k = 0; k < t->count; k++) {
        const access_at *b = &t->at[k];
        if (b->kind != ACCESS_UPDATE || b->only || !access_overlap(t, a, b) || in_cells(t, a))
            continue;
        if (a->op->code == IR_load)
            a->op->relaxed = true;
        snprintf(message, sizeof message,
                 "`%s` is updated and read in one task; a read may see any of the updates",
                 array_name(t, first_array(t, a)));
        say(w, DIAG_WARNING, a,
            "use the value that the update gives, or read it in a later slip_for", message);
        return;
    }
}

/* Reads of what another iteration stores, where every iteration stores. */
static void check_neighbour(const warner *w, const access_at *a)
{
    const access_task *t = w->t;
    char message[256];

    for (uint32_t k = 0; k < t->count; k++) {
        const access_at *b = &t->at[k];
        if (b->kind != ACCESS_STORE || b->guarded || in_cells(t, a) || !access_next_to(t, a, b) ||
            picks_one(t, a->op))
            continue;
        snprintf(message, sizeof message,
                 "`%s` is read at an element that another iteration stores at the same time",
                 array_name(t, first_array(t, a)));
        say(w, DIAG_WARNING, a,
            "store to another array, and copy it back in a later slip_for or swap the two", message);
        return;
    }
}

static void check_task(const warner *w)
{
    if (w->t->task->rank == 0 || one_iteration(w->t))
        return;
    for (uint32_t i = 0; i < w->t->count; i++) {
        access_at *a = &w->t->at[i];
        if (a->kind == ACCESS_STORE)
            check_store(w, a);
        else if (a->kind == ACCESS_READ)
            check_read(w, a);
        if (a->kind == ACCESS_READ)
            check_neighbour(w, a);
    }
}

/* ---- rule 11: slip_out --------------------------------------------------------------------- */

/* The one task that writes the parameter, when there is just one. */
static const mod_task *only_writer(const mod_entry *e, uint32_t param, uint32_t *flags)
{
    const mod_task *found = NULL;

    for (uint32_t k = 0; k < e->task_count; k++)
        for (uint32_t i = 0; i < e->tasks[k].access_count; i++) {
            const mod_access *a = &e->tasks[k].accesses[i];
            if (a->array != param || !(a->flags & MOD_WRITE))
                continue;
            if (found)
                return NULL;
            found = &e->tasks[k];
            *flags = a->flags;
        }
    return found;
}

/* The one write to the parameter, at a plain index of the task; NULL if there is more to it. */
static const access_at *plain_sweep(const access_task *t, uint32_t param)
{
    const access_at *one = NULL;

    for (uint32_t i = 0; i < t->count; i++) {
        if (!access_has(t->at[i].arrays, param) || t->at[i].kind == ACCESS_READ)
            continue;
        if (one || t->at[i].looped || !t->at[i].form.known)
            return NULL;
        one = &t->at[i];
    }
    if (!one || one->form.rank != t->entry->params[param].rank)
        return NULL;
    for (uint32_t d = 0; d < one->form.rank; d++)
        if (one->form.digits[d].count != 1 ||
            !access_is_index(t, one->form.digits[d].terms[0].atom))
            return NULL;
    return one;
}

static void check_out(const warner *w)
{
    const access_task *t = w->t;

    for (uint32_t p = 0; p < t->entry->param_count; p++) {
        uint32_t flags = 0;
        const access_at *write;
        char message[256];
        if (!t->entry->params[p].is_out || only_writer(t->entry, p, &flags) != t->task ||
            (flags & MOD_COVERS) || t->task->predicate != MOD_NONE || !(write = plain_sweep(t, p)))
            continue;
        if (write->kind == ACCESS_UPDATE) {
            snprintf(message, sizeof message,
                     "`%s` is slip_out, and this updates an element that was never written",
                     t->entry->params[p].name);
            say(w, DIAG_WARNING, write, "store with `=`, or leave slip_out away", message);
            continue;
        }
        snprintf(message, sizeof message,
                 "`%s` is slip_out, and this slip_for may not write all of its elements",
                 t->entry->params[p].name);
        ir_place at = t->func->place;
        diag_add(w->diags, DIAG_WARNING,
                 at.line && at.file < t->m->file_count ? t->m->files[at.file] : NULL, at.line,
                 at.column,
                 write->guarded ? "write it in every iteration, or leave slip_out away: elements "
                                  "not written come back as anything"
                                : "run over the whole extent, or leave slip_out away: elements "
                                  "not written come back as anything",
                 "%s", message);
    }
}

/* ---- the pass ------------------------------------------------------------------------------ */

slip_status pass_access(ir_module *m, diag_list *diags, mod_module **launch)
{
    uint32_t count = (*launch)->symbol_count, n = 0;
    access_task *tasks = arena_new(m->arena, (count + 1) * sizeof *tasks);

    for (ir_func *f = m->funcs; f; f = f->next) {
        if (f->kind != IR_TASK)
            continue;
        warner w = { &tasks[n++], diags };
        access_collect(m, f, w.t);
        access_prove(w.t);
        access_publish(w.t);
        access_find_aparts(w.t);
        check_task(&w);
    }
    for (uint32_t i = 0; i < n; i++)
        check_out(&(warner){ &tasks[i], diags });
    access_publish_params(*launch);
    access_check_sections(m, diags, *launch);
    if (diags->errors)
        return SLIP_FAIL(SLIP_ERR_COMPILE, "%" PRIu32 " errors", diags->errors);
    return SLIP_OK;
}
