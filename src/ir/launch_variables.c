/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_variables.c - the kernel's variables as the module tells of them: what they are called, of
 * which kind they are (LANGUAGE rule 5), and where they live.
 *
 * For people alone. A variable whose values went into what uses them is still here, without a
 * place: pass_dce keeps it. Must never change the kernel.
 */
#include "ir/launch_parts.h"

static const char *type_text(launch *l, const ir_type *type)
{
    text t = { 0 };
    bool is_pointer = type->kind == IR_PTR;

    ir_print_type(&t, is_pointer ? type->elem : type);
    text_add(&t, is_pointer ? " *" : "");
    const char *kept = arena_copy(l->arena, text_get(&t), t.bytes);
    text_finish(&t);
    return kept;
}

static void add(launch *l, mod_entry *e, uint32_t *capacity, const ir_op *var)
{
    const launch_fact *f = launch_fact_of(l, var);
    mod_variable *all = arena_grow(l->arena, (mod_variable *)(uintptr_t)e->variables, capacity,
                                   e->variable_count + 1, sizeof *all);

    all[e->variable_count++] =
        (mod_variable){ .name = var->name,
                        .type = type_text(l, var->type->elem),
                        .kind = f->device ? MOD_DEVICE_VARIABLE : MOD_LAUNCH_VARIABLE,
                        .at = f->device ? launch_cell_byte(l, f->cell) : f->slot,
                        .place = launch_place_of(var->place) };
    e->variables = all;
}

static void add_region(launch *l, mod_entry *e, uint32_t *capacity, const ir_region *r)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_var && op->name && op->name[0] != '.')
            add(l, e, capacity, op);
        for (uint32_t i = 0; op->code != IR_task && i < op->region_count; i++)
            add_region(l, e, capacity, op->regions[i]);
    }
}

void launch_list_variables(launch *l, mod_entry *e)
{
    uint32_t capacity = 0;

    add_region(l, e, &capacity, l->kernel->body);
}
