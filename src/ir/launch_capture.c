/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_capture.c - what a task takes in from its kernel, each thing once, before its body.
 *
 * A launch value is an argument from its slot; a device value or variable is read from its cell; a
 * place is made again from its inputs, so that the task's arrays stay visible in it.
 */
#include "ir/launch_parts.h"

static ir_op *add_param(launch_body *t, const ir_type *type, const char *name,
                        const ir_pointer_info *pointer)
{
    uint32_t index = t->func->param_count;

    t->pointers =
        arena_grow(t->l->arena, t->pointers, &t->pointer_capacity, index + 1, sizeof *t->pointers);
    t->pointers[index] = pointer ? *pointer : (ir_pointer_info){ 0 };
    return ir_param_add(t->l->m, t->func, name, type)->op;
}

static uint32_t find_arg(const launch_body *t, mod_source source, uint32_t index,
                         const ir_type *type)
{
    uint32_t i = 0;

    while (i < t->arg_count &&
           !(t->args[i].source == source && t->args[i].index == index && t->arg_types[i] == type))
        i++;
    return i;
}

/* What stands for argument i in what `finish` runs. */
static ir_op *part_param(launch_body *t, uint32_t i)
{
    uint32_t count = t->part->param_count;
    const ir_op *arg = t->func->params[t->task->rank + i].op;

    for (uint32_t k = 0; k < count; k++)
        if (t->part_args[k] == i)
            return t->part->params[k].op;
    t->part_args = arena_grow(t->l->arena, t->part_args, &t->part_arg_capacity, count + 1,
                              sizeof *t->part_args);
    t->part_args[count] = i;
    return ir_param_add(t->l->m, t->part, arg->name, arg->type)->op;
}

static ir_op *add_arg(launch_body *t, mod_arg arg, const ir_type *type, const char *name,
                      const ir_pointer_info *pointer)
{
    uint32_t found = find_arg(t, arg.source, arg.index, type);

    if (found < t->arg_count)
        return t->part ? part_param(t, found) : t->func->params[t->task->rank + found].op;
    t->args = arena_grow(t->l->arena, t->args, &t->arg_capacity, t->arg_count + 1, sizeof *t->args);
    t->arg_types = arena_grow(t->l->arena, (void *)t->arg_types, &t->type_capacity,
                              t->arg_count + 1, sizeof *t->arg_types);
    t->args[t->arg_count] = arg;
    t->arg_types[t->arg_count++] = type;
    ir_op *made = add_param(t, type, name, pointer);
    return t->part ? part_param(t, found) : made;
}

ir_op *launch_arg_slot(launch_body *t, uint32_t slot, const ir_type *type, const char *name,
                       const ir_pointer_info *pointer)
{
    return add_arg(t, (mod_arg){ .source = MOD_FROM_SLOT, .index = slot, .bytes = 8 }, type, name,
                   pointer);
}

ir_op *launch_cell_place(launch_body *t, uint32_t cell)
{
    launch *l = t->l;
    uint32_t *array = arena_new(l->arena, sizeof *array);

    *array = l->kernel->param_count + l->scratch_count;
    ir_pointer_info pointer = { .arrays = array, .count = 1, .whole = true };
    ir_op *base = launch_arg_slot(t, l->cells_slot, ir_type_ptr(l->m, IR_GLOBAL, l->cells_type),
                                  "cells", &pointer);
    t->info->cells_param = t->task->rank + find_arg(t, MOD_FROM_SLOT, l->cells_slot,
                                                    ir_type_ptr(l->m, IR_GLOBAL, l->cells_type));
    return ir_field_ref(&t->head, base, cell);
}

static ir_op *capture_param(launch_body *t, const ir_op *value)
{
    const ir_type *type = value->type;
    ir_pointer_info pointer = { 0 };

    if (type->kind == IR_PTR && type->space == IR_PARAM_SPACE)
        return add_arg(t,
                       (mod_arg){ .source = MOD_FROM_STRUCT,
                                  .index = value->index,
                                  .bytes = (uint32_t)type->elem->size },
                       type, value->name, NULL);
    if (type->kind == IR_PTR)
        launch_bases(t->l, (ir_op *)value, &pointer);
    return launch_arg_slot(t, value->index, type, value->name, &pointer);
}

static ir_op *copy_head(launch_body *t, ir_op *value)
{
    ir_op *made = ir_build(&t->head, value->code, value->type, NULL, 0);

    made->bits = value->bits;
    made->table = value->table;
    made->name = value->name;
    return made;
}

static ir_op *capture_place(launch_body *t, ir_op *value)
{
    ir_op *base = launch_capture(t, value->in[0]);

    if (value->code == IR_field)
        return ir_field_ref(&t->head, base, value->index);
    ir_op *index = launch_capture(t, value->in[1]);
    return value->code == IR_index ? ir_index(&t->head, base, index)
                                   : ir_offset(&t->head, base, index);
}

static ir_op *capture_slot(launch_body *t, ir_op *value)
{
    ir_pointer_info pointer = { 0 };

    if (value->type->kind == IR_PTR)
        launch_bases(t->l, value, &pointer);
    return launch_arg_slot(t, launch_slot(t->l, value), value->type, value->name, &pointer);
}

static ir_op *capture_new(launch_body *t, ir_op *value)
{
    const launch_fact *f = launch_fact_of(t->l, value);

    if (value->code == IR_const || value->code == IR_undef || value->code == IR_table)
        return copy_head(t, value);
    if (value->code == IR_param)
        return capture_param(t, value);
    if (value->code == IR_var)
        return f->cell == MOD_NONE ? ir_var(&t->head, value->type->elem, value->name)
                                   : launch_cell_place(t, f->cell);
    if (launch_is_place(value))
        return capture_place(t, value);
    if (f->device)
        return ir_load(&t->head, launch_cell_place(t, launch_cell_of(t->l, value)));
    return capture_slot(t, value);
}

ir_op *launch_capture(launch_body *t, ir_op *value)
{
    ir_op *mapped = ir_clone_map_get(t->map, value);
    ir_place place = t->head.place;

    if (mapped)
        return mapped;
    t->head.place = value->place;
    mapped = capture_new(t, value);
    t->head.place = place;
    ir_clone_map_set(t->map, value, mapped);
    return mapped;
}

/* Does this task only load the variable? */
static bool only_loaded(const launch_body *t, const ir_op *var)
{
    for (const launch_use *u = launch_fact_of(t->l, var)->uses; u; u = u->next)
        if (launch_fact_of(t->l, u->op)->pending == t->index && u->op->code != IR_load)
            return false;
    return true;
}

ir_op *launch_capture_load(launch_body *t, ir_op *load)
{
    ir_op *var = load->in[0];
    ir_pointer_info pointer = { 0 };

    if (var->code != IR_var || launch_fact_of(t->l, var)->pending == t->index)
        return NULL;
    launch_fact *f = launch_fact_of(t->l, var);
    if (f->device) {
        if (!t->pending->task || f->cell == MOD_NONE || !only_loaded(t, var))
            return NULL;
        return ir_load(&t->head, launch_cell_place(t, f->cell));
    }
    if (load->type->kind == IR_PTR)
        launch_bases(t->l, load, &pointer);
    return launch_arg_slot(t, launch_slot(t->l, var), load->type, var->name, &pointer);
}
