/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_flags.c - the accesses of a task as the planner reads them.
 */
#include <string.h>

#include "ir/access.h"

static bool whole_extent(const access_task *t, uint32_t array, uint32_t d, uint32_t *slot)
{
    if (array < t->entry->param_count) {
        const mod_param *p = &t->entry->params[array];
        *slot = d < p->rank ? p->extents[d] : MOD_NONE;
    } else {
        const mod_scratch *s = &t->entry->scratch[array - t->entry->param_count];
        *slot = d < s->rank ? s->extents[d] : MOD_NONE;
    }
    return *slot != MOD_NONE;
}

static bool is_zero(const access_task *t, uint32_t slot)
{
    for (uint32_t i = 0; i < t->entry->const_count; i++)
        if (t->entry->consts[i].slot == slot)
            return t->entry->consts[i].bits == 0;
    return false;
}

/* Is digit d exactly one index of the task, which runs over all of the dimension? */
static bool sweeps(const access_task *t, const access_at *a, uint32_t array, uint32_t d)
{
    const access_digit *digit = &a->form.digits[d];
    uint32_t extent;

    if (!whole_extent(t, array, d, &extent))
        return false;
    access_product wanted = access_slot_product(t, extent, 8);
    if (digit->count == 0 && digit->constant == 0)
        return wanted.factor == 1 && wanted.count == 0;
    if (digit->count != 1 || digit->constant != 0 || digit->terms[0].factor.factor != 1 ||
        digit->terms[0].factor.count || !access_is_index(t, digit->terms[0].atom))
        return false;
    const mod_axis *axis = &t->task->axes[digit->terms[0].atom->index];
    if (axis->lo == MOD_NONE || axis->hi == MOD_NONE || !is_zero(t, axis->lo))
        return false;
    access_product hi = access_slot_product(t, axis->hi, 8);
    return access_same_product(&hi, &wanted);
}

/* Does this store overwrite every byte of the array? */
static bool covers(const access_task *t, const access_at *a, uint32_t array)
{
    uint32_t rank = array < t->entry->param_count ? t->entry->params[array].rank
                    : array + 1 < t->array_count
                        ? t->entry->scratch[array - t->entry->param_count].rank
                        : 0;
    const ir_type *written =
        a->op->code == IR_store || a->op->code == IR_copy ? a->op->in[0]->type->elem : NULL;

    const ir_pointer_info *pointer = a->root ? &t->info->pointers[a->root->index] : NULL;

    if (!pointer || !pointer->whole || pointer->count != 1)
        return false;
    if (a->kind != ACCESS_STORE || a->guarded || a->looped || !a->form.known || !a->keyed ||
        a->form.rank != rank || rank == 0 || written != a->form.unit ||
        a->op->parent != t->func->body)
        return false;
    if (t->task->predicate != MOD_NONE)
        return false;
    uint32_t axes = 0; /* bit set: x[i][i] covers a diagonal only */
    for (uint32_t d = 0; d < rank; d++) {
        const access_digit *digit = &a->form.digits[d];
        uint32_t axis = digit->count ? UINT32_C(1) << digit->terms[0].atom->index : 0;
        if (!sweeps(t, a, array, d) || (axes & axis))
            return false;
        axes |= axis;
    }
    return true;
}

static uint32_t flags_of(const access_task *t, uint32_t array)
{
    uint32_t flags = 0, reads = 0, writes = 0;
    bool single = true, covered = false;

    for (uint32_t i = 0; i < t->count; i++) {
        const access_at *a = &t->at[i];
        if (!access_has(a->arrays, array))
            continue;
        if (a->kind != ACCESS_STORE)
            flags |= MOD_READ;
        if (a->kind != ACCESS_READ)
            flags |= MOD_WRITE;
        if (a->kind == ACCESS_UPDATE)
            flags |= MOD_UPDATE;
        reads += a->kind != ACCESS_STORE;
        writes += a->kind != ACCESS_READ;
        single = single && a->only && !a->looped && a->root;
        covered = covered || covers(t, a, array);
    }
    if (flags && single && reads <= 1 && writes <= 1 && t->task->rank)
        flags |= MOD_SINGLE;
    if (covered && !(flags & MOD_READ))
        flags |= MOD_COVERS;
    return flags;
}

void access_publish(access_task *t)
{
    mod_task *task = (mod_task *)t->task; /* the pass that makes facts may write them */
    mod_access *cells = NULL;
    uint32_t cell_count = access_cells(t, &cells), count = 0;
    mod_access *list = arena_new(t->m->arena, ((size_t)t->array_count + cell_count) * sizeof *list);

    for (uint32_t array = 0; array + 1 < t->array_count; array++) {
        uint32_t flags = flags_of(t, array);
        if (flags)
            list[count++] = (mod_access){ .array = array, .flags = flags };
    }
    for (uint32_t k = 0; k < cell_count; k++)
        list[count++] = cells[k];
    task->accesses = list;
    task->access_count = count;
}

/* Does the program run the task at one place, and around it no loop? */
static bool runs_once(const mod_entry *e, uint32_t task)
{
    uint32_t places = 0, loop_end = 0;

    for (uint32_t n = 0; n < e->node_count; n++) {
        const mod_node *node = &e->nodes[n];
        if ((node->kind == MOD_LOOP || node->kind == MOD_DEVICE_LOOP) && node->end > loop_end)
            loop_end = node->end;
        if (node->kind != MOD_TASK || node->first != task)
            continue;
        if (n < loop_end)
            return false;
        places++;
    }
    return places == 1;
}

/* SINGLE holds for a kernel whose one task has it and runs once, COVERS for one whose first
 * task does, outside control flow. */
static uint32_t param_flags(const mod_entry *e, uint32_t array)
{
    uint32_t flags = 0, tasks = 0;
    bool single = true;

    for (uint32_t k = 0; k < e->task_count; k++)
        for (uint32_t i = 0; i < e->tasks[k].access_count; i++) {
            const mod_access *a = &e->tasks[k].accesses[i];
            if (a->array != array)
                continue;
            flags |= a->flags & (MOD_READ | MOD_WRITE | MOD_UPDATE);
            single = single && (a->flags & MOD_SINGLE) && runs_once(e, k);
            tasks++;
        }
    return flags | (single && tasks == 1 ? MOD_SINGLE : 0);
}

/* Does the program, before anything else touches the array, run a task that covers it? */
static bool covered_first(const mod_entry *e, uint32_t array)
{
    for (uint32_t n = 0; n < e->node_count; n++) {
        const mod_node *node = &e->nodes[n];
        if (node->kind == MOD_EVAL || node->kind == MOD_TAKE)
            continue;
        if (node->kind != MOD_TASK)
            return false;
        const mod_task *task = &e->tasks[node->first];
        for (uint32_t i = 0; i < task->access_count; i++)
            if (task->accesses[i].array == array)
                return (task->accesses[i].flags & MOD_COVERS) != 0;
    }
    return false;
}

void access_publish_params(const mod_module *module)
{
    for (uint32_t e = 0; e < module->entry_count; e++)
        for (uint32_t p = 0; p < module->entries[e].param_count; p++) {
            mod_param *param = (mod_param *)&module->entries[e].params[p];
            if (param->kind != MOD_ARRAY)
                continue;
            param->access = param_flags(&module->entries[e], p);
            if (covered_first(&module->entries[e], p))
                param->access |= MOD_COVERS;
        }
}
