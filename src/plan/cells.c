/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c - see cells.h. */
#include "plan/cells.h"

plan_span plan_cells_all(const mod_entry *entry)
{
    return (plan_span){ 0, entry->cells_bytes };
}

static plan_span span_of(uint32_t first, uint32_t bytes)
{
    return (plan_span){ first, first + bytes };
}

plan_span plan_cells_result(const mod_entry *entry)
{
    return span_of(entry->result.cell, entry->result.bytes);
}

/* A condition is looked at alone; for bounds the launchers copy all cells, and read some. */
plan_span plan_cells_known(const mod_entry *entry, const mod_node *node)
{
    return node->kind == MOD_DEVICE_LOOP ? span_of(node->first, scalar_types[SCALAR_i32].bytes)
                                         : plan_cells_all(entry);
}

/* Where there are many cells, pieces are larger, and some order is kept that need not be. */
static uint32_t piece_bytes(const mod_entry *entry)
{
    uint32_t words = (entry->cells_bytes + MOD_CELL_WORD - 1) / MOD_CELL_WORD;

    return MOD_CELL_WORD * ((words + PLAN_CELLS_MOST - 1) / PLAN_CELLS_MOST);
}

uint32_t plan_cells_pieces(const mod_entry *entry)
{
    return entry->cells_bytes ? (entry->cells_bytes - 1) / piece_bytes(entry) + 1 : 1;
}

plan_span plan_cells_pieces_of(const mod_entry *entry, plan_span bytes)
{
    uint32_t piece = piece_bytes(entry);

    if (bytes.first >= bytes.end)
        return (plan_span){ 0, 0 };
    return (plan_span){ bytes.first / piece, (bytes.end - 1) / piece + 1 };
}

const char *plan_cells_name(const mod_entry *entry, uint32_t piece)
{
    for (uint32_t k = 0; k < entry->variable_count; k++) {
        const mod_variable *v = &entry->variables[k];
        if (v->kind == MOD_DEVICE_VARIABLE && v->at != MOD_NONE &&
            v->at / piece_bytes(entry) == piece)
            return v->name;
    }
    return NULL;
}

void plan_cells_of_task(const mod_entry *entry, const mod_task *task, plan_cells_visit *visit,
                        void *user)
{
    uint32_t cells = entry->param_count + entry->scratch_count;

    for (uint32_t i = 0; i < task->access_count; i++) {
        const mod_access *a = &task->accesses[i];
        if (a->array == cells)
            visit(user, a->bytes ? span_of(a->first, a->bytes) : plan_cells_all(entry), a->flags);
    }
    if (task->predicate != MOD_NONE)
        visit(user, span_of(task->predicate, scalar_types[SCALAR_i32].bytes), MOD_READ);
    for (uint32_t k = 0; k < task->rank; k++) {
        uint32_t bytes = scalar_types[task->axes[k].type].bytes;
        if (task->axes[k].lo_cell != MOD_NONE)
            visit(user, span_of(task->axes[k].lo_cell, bytes), MOD_READ);
        if (task->axes[k].hi_cell != MOD_NONE)
            visit(user, span_of(task->axes[k].hi_cell, bytes), MOD_READ);
    }
    for (uint32_t r = 0; r < task->reduce_count; r++)
        visit(user, span_of(task->reduces[r].cell, scalar_types[task->reduces[r].type].bytes),
              MOD_READ | MOD_WRITE);
}
