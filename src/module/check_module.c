/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_module.c - do the numbers of a module fit together? The planner, the launchers and the
 * CPU's loader trust what passes here, so each of their assumptions has its line:
 *
 *   slots    every slot named is below slot_count, which is bounded; parameters have their slots
 *   cells    everything that lies in the cells lies below cells_bytes
 *   tasks    arguments lie in the block; each bound is one slot or one cell; accesses name arrays
 *
 * The launch program is check_program.c's, the code check_code.c's.
 */
#include <string.h>

#include "module/check_parts.h"
#include "module/read.h"

/* Bounds that keep a launch's tables small; far above what a kernel has. */
enum { MOST_SLOTS = 1 << 20, MOST_CELLS = 1 << 20, MOST_ELEMENT = 1 << 20 };

bool mod_must(mod_checker *k, bool claim, const char *what, uint32_t index)
{
    if (!claim && k->status == SLIP_OK)
        k->status = SLIP_FAIL(SLIP_ERR_FORMAT, "module: kernel %s: %s (item %u)",
                              k->e && k->e->name ? k->e->name : "?", what, index);
    return k->status == SLIP_OK;
}

static bool power_of_two(uint32_t value, uint32_t most)
{
    return value != 0 && (value & (value - 1)) == 0 && value <= most;
}

/* Only flags there are; an update both reads and writes. */
static bool flags_ok(uint32_t flags)
{
    uint32_t all = MOD_READ | MOD_WRITE | MOD_UPDATE | MOD_SINGLE | MOD_COVERS,
             both = MOD_READ | MOD_WRITE;

    return (flags & ~all) == 0 && (!(flags & MOD_UPDATE) || (flags & both) == both);
}

static uint32_t array_count(const mod_checker *k)
{
    return k->e->param_count + k->e->scratch_count + 1;
}

static bool array_ok(const mod_checker *k, uint32_t array)
{
    return array < array_count(k) &&
           (array >= k->e->param_count || k->e->params[array].kind == MOD_ARRAY);
}

/* ---- signature -------------------------------------------------------------------------- */

static void check_param(mod_checker *k, uint32_t index)
{
    const mod_param *p = &k->e->params[index];
    bool is_struct = p->kind == MOD_STRUCT || (p->kind == MOD_ARRAY && p->struct_name);

    mod_must(k, p->name && p->name[0], "a parameter has no name", index);
    mod_must(k, p->bytes > 0 && p->bytes <= MOST_ELEMENT, "a parameter's size is out of range",
             index);
    mod_must(k, power_of_two(p->align, 64), "a parameter's alignment is no power of two up to 64",
             index);
    mod_must(k, p->kind != MOD_STRUCT || p->struct_name, "a struct parameter has no type", index);
    mod_must(k, is_struct || p->bytes == scalar_types[p->scalar].bytes,
             "a parameter's size is not its type's", index);
    mod_must(k, p->kind == MOD_ARRAY || p->rank == 0, "a parameter that is no array has extents",
             index);
    mod_must(k, flags_ok(p->access), "an access is of an unknown kind", index);
    for (uint32_t d = 0; d < p->rank; d++) {
        bool unknown = p->extents[d] == MOD_NONE;
        mod_must(k, unknown ? d == 0 && p->outer_unknown : mod_slot_ok(k, p->extents[d]),
                 "an extent's slot is out of range", index);
    }
}

static void check_result(mod_checker *k)
{
    const mod_result *r = &k->e->result;

    if (r->kind == MOD_NO_RESULT)
        return;
    mod_must(k, r->bytes > 0 && r->bytes <= MOD_MAX_RESULT_BYTES,
             "the result's size is out of range", 0);
    mod_must(k, mod_cell_ok(k, r->cell, r->bytes), "the result lies outside the cells", 0);
    mod_must(k, r->kind == MOD_STRUCT_RESULT || r->bytes == scalar_types[r->scalar].bytes,
             "the result's size is not its type's", 0);
    mod_must(k, r->kind != MOD_STRUCT_RESULT || r->struct_name, "the result's struct has no type",
             0);
}

static void check_scratch(mod_checker *k, uint32_t index)
{
    const mod_scratch *s = &k->e->scratch[index];

    mod_must(k, s->name != NULL, "a scratch array has no name", index);
    mod_must(k, mod_slot_free(k, s->slot), "a scratch array's slot is no free slot", index);
    mod_must(k, s->bytes > 0 && s->bytes <= MOST_ELEMENT,
             "a scratch element's size is out of range", index);
    mod_must(k, power_of_two(s->align, 64), "a scratch alignment is no power of two up to 64",
             index);
    for (uint32_t d = 0; d < s->rank; d++)
        mod_must(k, mod_slot_ok(k, s->extents[d]), "a scratch extent's slot is out of range",
                 index);
}

/* ---- tasks ------------------------------------------------------------------------------ */

static void check_axis(mod_checker *k, const mod_axis *a, uint32_t task)
{
    uint32_t bytes = scalar_types[a->type].bytes;

    mod_must(k, scalar_types[a->type].is_integer, "an index is no integer", task);
    mod_must(k,
             (a->lo == MOD_NONE) != (a->lo_cell == MOD_NONE) &&
                 (a->hi == MOD_NONE) != (a->hi_cell == MOD_NONE),
             "a bound is not one of slot and cell", task);
    mod_must(k,
             (a->lo == MOD_NONE || mod_slot_ok(k, a->lo)) &&
                 (a->hi == MOD_NONE || mod_slot_ok(k, a->hi)),
             "a bound's slot is out of range", task);
    mod_must(k,
             (a->lo_cell == MOD_NONE || mod_cell_ok(k, a->lo_cell, bytes)) &&
                 (a->hi_cell == MOD_NONE || mod_cell_ok(k, a->hi_cell, bytes)),
             "a bound lies outside the cells", task);
}

static void check_arg(mod_checker *k, const mod_task *t, const mod_arg *a, uint32_t task)
{
    mod_must(k,
             a->offset >= t->rank * 16 && a->offset <= t->block_bytes &&
                 a->bytes <= t->block_bytes - a->offset,
             "an argument lies outside the block", task);
    if (a->source == MOD_FROM_SLOT) {
        mod_must(k, mod_slot_ok(k, a->index) && a->bytes == 8 && a->offset % 8 == 0,
                 "an argument from a slot is not one", task);
    } else if (mod_must(k,
                        a->index < k->e->param_count && k->e->params[a->index].kind == MOD_STRUCT,
                        "an argument from what is no struct", task)) {
        mod_must(k, a->bytes == k->e->params[a->index].bytes,
                 "a struct argument's size is not its type's", task);
    }
}

static void check_reductions(mod_checker *k, const mod_task *t, uint32_t task)
{
    for (uint32_t r = 0; r < t->reduce_count; r++) {
        mod_must(k, scalar_allowed(t->reduces[r].op, t->reduces[r].type, t->reduces[r].type),
                 "a reduction is not defined for its type", task);
        mod_must(k, mod_cell_ok(k, t->reduces[r].cell, scalar_types[t->reduces[r].type].bytes),
                 "a reduction lies outside the cells", task);
    }
    if (t->reduce_count == 0) {
        mod_must(k, t->partial_offset == MOD_NONE, "a task without reductions has partial results",
                 task);
        mod_must(k, !t->finishes_always, "a task without reductions has nothing to finish", task);
        return;
    }
    mod_must(k, t->partial_bytes == 8 * (uint64_t)t->reduce_count,
             "partial results are not 8 bytes each", task);
    mod_must(k,
             t->partial_offset >= t->rank * 16 && t->partial_offset % 8 == 0 &&
                 t->partial_offset <= t->block_bytes && t->block_bytes - t->partial_offset >= 8,
             "partial results lie outside the block", task);
}

/* A part is of the cells: the last array. */
static bool part_ok(const mod_checker *k, const mod_access *a)
{
    if (a->bytes == 0)
        return a->first == 0;
    return a->array + 1 == array_count(k) && mod_cell_ok(k, a->first, a->bytes);
}

static void check_task(mod_checker *k, uint32_t index)
{
    const mod_task *t = &k->e->tasks[index];

    mod_must(k, t->name != NULL, "a task has no name", index);
    mod_must(k, t->block_bytes >= t->rank * 16 && t->block_bytes <= MOD_MAX_BLOCK_BYTES,
             "a task's block is out of range", index);
    for (uint32_t a = 0; a < t->rank; a++)
        check_axis(k, &t->axes[a], index);
    for (uint32_t a = 0; a < t->arg_count && k->status == SLIP_OK; a++)
        check_arg(k, t, &t->args[a], index);
    mod_must(k, t->predicate == MOD_NONE || mod_cell_ok(k, t->predicate, 4),
             "a predicate lies outside the cells", index);
    check_reductions(k, t, index);
    for (uint32_t a = 0; a < t->access_count; a++) {
        mod_must(k, array_ok(k, t->accesses[a].array), "an access names no array", index);
        mod_must(k, flags_ok(t->accesses[a].flags), "an access is of an unknown kind", index);
        mod_must(k, part_ok(k, &t->accesses[a]), "an access lies outside the cells", index);
    }
    for (uint32_t a = 0; a < t->apart_count; a++)
        mod_must(k, array_ok(k, t->aparts[a].a) && array_ok(k, t->aparts[a].b),
                 "a pair names no array", index);
}

static void check_variable(mod_checker *k, uint32_t index)
{
    const mod_variable *v = &k->e->variables[index];
    bool is_launch = v->kind == MOD_LAUNCH_VARIABLE;

    mod_must(k, v->name && v->type, "a variable has no name or type", index);
    mod_must(k, v->at == MOD_NONE || (is_launch ? mod_slot_ok(k, v->at) : mod_cell_ok(k, v->at, 1)),
             "a variable lies outside the slots or cells", index);
}

static void check_entry(mod_checker *k)
{
    const mod_entry *e = k->e;

    mod_must(k, e->name && e->name[0], "a kernel has no name", 0);
    mod_must(k, e->slot_count <= MOST_SLOTS && e->slot_count >= e->param_count,
             "slots are out of range", 0);
    mod_must(k, e->cells_bytes <= MOST_CELLS, "the cells are too large", 0);
    mod_must(k, e->cells_bytes == 0 ? e->cells_slot == MOD_NONE : mod_slot_free(k, e->cells_slot),
             "the cells' slot is no free slot", 0);
    mod_must(k, e->extent_instrs <= e->instr_count, "extents are out of range", 0);
    for (uint32_t i = 0; i < e->param_count; i++)
        check_param(k, i);
    check_result(k);
    mod_check_program(k);
    for (uint32_t i = 0; i < e->scratch_count; i++)
        check_scratch(k, i);
    for (uint32_t i = 0; i < e->variable_count; i++)
        check_variable(k, i);
    for (uint32_t i = 0; i < e->task_count && k->status == SLIP_OK; i++)
        check_task(k, i);
    mod_must(k,
             e->first_symbol <= k->m->symbol_count &&
                 e->task_count <= k->m->symbol_count - e->first_symbol,
             "symbols are out of range", 0);
}

slip_status mod_check(const mod_module *module)
{
    mod_checker k = { .m = module };

    for (uint32_t i = 0; i < module->file_count; i++)
        mod_must(&k, module->files[i] != NULL, "a file has no name", i);
    for (uint32_t i = 0; i < module->entry_count && k.status == SLIP_OK; i++) {
        k.e = &module->entries[i];
        check_entry(&k);
        for (uint32_t j = 0; j < i && k.status == SLIP_OK; j++)
            mod_must(&k, strcmp(module->entries[j].name, k.e->name) != 0,
                     "two kernels have one name", i);
    }
    k.e = NULL;
    for (uint32_t i = 0; i < module->code_count && k.status == SLIP_OK; i++)
        mod_check_code(&k, i);
    return k.status;
}
