/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cells.c - device memory of one launch for what the host does not know.
 *
 * A device variable gets a cell unless one serial task alone uses it; a device value gets one when
 * another task, or a bound, takes it in. All cells together are one struct.
 */
#include "ir/launch_parts.h"

uint32_t launch_cell_new(launch *l, const ir_type *type, const char *name)
{
    l->cells =
        arena_grow(l->arena, l->cells, &l->cell_capacity, l->cell_count + 1, sizeof *l->cells);
    l->cells[l->cell_count] = (launch_cell){ .type = type, .name = name };
    return l->cell_count++;
}

uint32_t launch_cell_of(launch *l, ir_op *op)
{
    launch_fact *f = launch_fact_of(l, op);
    bool is_var = op->code == IR_var;

    if (f->cell == MOD_NONE)
        f->cell = launch_cell_new(l, is_var ? op->type->elem : op->type, op->name);
    return f->cell;
}

typedef struct cell_walk {
    launch *l;
    uint32_t index; /* of the pending task */
} cell_walk;

static void find_for(launch *l, uint32_t index, ir_op *value)
{
    launch_fact *f = launch_fact_of(l, value);

    if (value->code == IR_var) {
        if (f->pending != MOD_NONE || !f->device)
            return;
        bool alone = !l->pending[index].task && l->pending[index].home == value->parent &&
                     (f->user == 0 || f->user == index + 1);
        f->user = alone ? index + 1 : MOD_NONE;
    } else if (launch_is_place(value) && f->pending != index) {
        for (uint32_t i = 0; i < value->in_count; i++)
            find_for(l, index, value->in[i]);
    } else if (f->device && f->pending != index && !launch_captured_place(value)) {
        launch_cell_of(l, value);
    }
}

static bool find_inputs(ir_op *op, void *user)
{
    cell_walk *w = user;

    for (uint32_t i = 0; i < op->in_count; i++)
        find_for(w->l, w->index, op->in[i]);
    return true;
}

static void find_in(launch *l, uint32_t index)
{
    const launch_pending *p = &l->pending[index];
    cell_walk w = { l, index };

    if (p->task)
        ir_walk(p->task->regions[0], find_inputs, &w);
    for (uint32_t i = 0; i < p->item_count; i++) {
        ir_op *op = p->items[i].op;
        if (!op)
            continue;
        find_inputs(op, &w);
        for (uint32_t k = 0; p->items[i].kind == LAUNCH_OP && k < op->region_count; k++)
            ir_walk(op->regions[k], find_inputs, &w);
    }
}

static void settle(launch *l, const ir_region *r)
{
    for (ir_op *op = r->first; op; op = op->next) {
        launch_fact *f = launch_fact_of(l, op);
        if (op->code == IR_var && f->user == MOD_NONE)
            launch_cell_of(l, op);
        if (op->code == IR_var && f->user != 0 && f->cell == MOD_NONE)
            f->local = true;
        for (uint32_t i = 0; op->code != IR_task && i < op->region_count; i++)
            settle(l, op->regions[i]);
    }
}

void launch_find_cells(launch *l)
{
    for (uint32_t i = 0; i < l->pending_count; i++)
        find_in(l, i);
    settle(l, l->kernel->body);
}

/* Each begins a MOD_CELL_WORD: tasks that touch different ones have no order (plan/cells.h). */
void launch_place_cells(launch *l)
{
    uint64_t bytes = 0, align = 8;

    if (l->cell_count == 0)
        return;
    ir_field *fields = arena_new(l->arena, l->cell_count * sizeof *fields);
    for (uint32_t i = 0; i < l->cell_count; i++) {
        launch_cell *c = &l->cells[i];
        uint64_t begin = c->type->align < MOD_CELL_WORD ? MOD_CELL_WORD : c->type->align;
        bytes = (bytes + begin - 1) / begin * begin;
        c->offset = bytes;
        bytes += c->type->size;
        if (align < c->type->align)
            align = c->type->align;
        fields[i] = (ir_field){ .name = c->name, .type = c->type, .offset = c->offset };
    }
    bytes = (bytes + align - 1) / align * align;
    l->cells_type = ir_type_struct(l->m, arena_text(l->arena, "%s.cells", l->kernel->name), fields,
                                   l->cell_count, bytes, align);
    l->cells_slot = launch_slot_new(l);
}

uint32_t launch_cell_byte(const launch *l, uint32_t cell)
{
    return cell == MOD_NONE ? MOD_NONE : (uint32_t)l->cells[cell].offset;
}
