/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_launch.c - split kernels into task functions and launch programs.
 *
 *     kernel heat(n, u) { loop around task { ... } }
 * becomes
 *     task functions heat:8, heat:13, and an entry whose nodes loop on the host and queue them
 *
 * needs   kernels inlined as far as they hold tasks, verified
 * keeps   the value of every expression (base/scalar.h on the host, the task's own code elsewhere)
 * breaks  the kernels: they are gone; their facts (access, aparts) are still empty
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "ir/launch_parts.h"

static void report(launch *l, diag_severity severity, ir_place place, const char *advice,
                   const char *format, va_list args)
{
    char message[512];
    const char *file = place.file < l->m->file_count && place.line ? l->m->files[place.file] : NULL;

    vsnprintf(message, sizeof message, format, args);
    diag_add(l->diags, severity, file, place.line, place.column, advice, "%s", message);
}

void launch_error(launch *l, ir_place place, const char *advice, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(l, DIAG_ERROR, place, advice, format, args);
    va_end(args);
}

void launch_warn(launch *l, ir_place place, const char *advice, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(l, DIAG_WARNING, place, advice, format, args);
    va_end(args);
}

mod_place launch_place_of(ir_place place)
{
    return (mod_place){ place.file, place.line, place.column };
}

/* A struct as C spells it: `struct body`, or `body` where only a typedef names it. */
static const char *c_name(const ir_module *m, const ir_type *type)
{
    for (uint32_t i = 0; i < m->header_item_count; i++) {
        const char *name = m->header_items[i].name;
        if (strncmp(name, "struct ", 7) == 0 && strcmp(name + 7, type->name) == 0)
            return name;
    }
    return type->name;
}

/* ---- the signature ------------------------------------------------------------------------- */

static void describe_type(const ir_module *m, const ir_type *type, mod_param *out)
{
    out->bytes = (uint32_t)type->size;
    out->align = (uint32_t)type->align;
    if (type->kind == IR_SCALAR)
        out->scalar = type->scalar;
    else if (type->kind == IR_STRUCT)
        out->struct_name = c_name(m, type);
}

static mod_param describe_param(launch *l, const ir_param *p)
{
    const ir_type *type = p->op->type;
    mod_param out = { .name = p->name,
                      .is_const = p->is_const,
                      .is_out = p->is_out,
                      .rank = p->rank,
                      .outer_unknown = p->outer_unknown,
                      .place = launch_place_of(p->op->place) };

    for (uint32_t d = 0; d < MOD_MAX_RANK; d++)
        out.extents[d] = MOD_NONE;
    if (type->kind == IR_SCALAR) {
        out.kind = MOD_SCALAR;
        describe_type(l->m, type, &out);
        return out;
    }
    out.kind = type->space == IR_GLOBAL ? MOD_ARRAY : MOD_STRUCT;
    describe_type(l->m, type->elem, &out);
    if (out.kind == MOD_STRUCT && out.bytes > MOD_MAX_BLOCK_BYTES)
        launch_error(l, p->op->place,
                     arena_text(l->arena, "pass it as `const %s %s[1]`", out.struct_name, p->name),
                     "parameter `%s` has %" PRIu32 " bytes by value; at most %d are possible",
                     p->name, out.bytes, MOD_MAX_BLOCK_BYTES);
    return out;
}

static mod_result describe_result(launch *l)
{
    const ir_type *type = l->kernel->result;
    mod_result out = { .kind = MOD_NO_RESULT };

    if (type->kind == IR_VOID)
        return out;
    out.bytes = (uint32_t)type->size;
    if (type->kind == IR_SCALAR) {
        out.kind = MOD_SCALAR_RESULT;
        out.scalar = type->scalar;
    } else {
        out.kind = MOD_STRUCT_RESULT;
        out.struct_name = c_name(l->m, type);
    }
    if (type->size > MOD_MAX_RESULT_BYTES)
        launch_error(l, l->kernel->place, "write it to an array parameter of one element",
                     "the result of `%s` has %" PRIu64 " bytes; at most %d are possible",
                     l->kernel->name, type->size, MOD_MAX_RESULT_BYTES);
    l->result_cell = launch_cell_new(l, type, "result");
    return out;
}

/* ---- one kernel ---------------------------------------------------------------------------- */

static void number(launch *l)
{
    l->fact_count = ir_number(l->kernel);
    l->facts = arena_new(l->arena, (l->fact_count + 1) * sizeof *l->facts);
    for (uint32_t i = 0; i < l->fact_count; i++) {
        l->facts[i].slot = l->facts[i].cell = l->facts[i].pending = MOD_NONE;
        l->facts[i].scratch = MOD_NONE;
    }
}

static void place_device_loops(launch *l)
{
    for (uint32_t i = 0; i < l->node_count; i++)
        if (l->nodes[i].kind == MOD_DEVICE_LOOP)
            l->nodes[i].first = launch_cell_byte(l, l->nodes[i].first);
}

static void fill_entry(launch *l, mod_entry *e)
{
    e->instrs = l->instrs;
    e->instr_count = l->instr_count;
    e->nodes = l->nodes;
    e->node_count = l->node_count;
    e->consts = l->consts;
    e->const_count = l->const_count;
    e->slot_count = l->slot_count;
    e->scratch = l->scratch;
    e->scratch_count = l->scratch_count;
    e->cells_bytes = l->cells_type ? (uint32_t)l->cells_type->size : 0;
    e->cells_slot = l->cells_slot;
    e->tasks = l->tasks;
    e->task_count = l->task_count;
    e->first_symbol = l->symbol_count;
    if (e->result.kind != MOD_NO_RESULT)
        e->result.cell = launch_cell_byte(l, l->result_cell);
}

static void split(launch *l, mod_entry *e)
{
    mod_param *params = arena_new(l->arena, (l->kernel->param_count + 1) * sizeof *params);

    launch_prepare(l->m, l->kernel);
    number(l);
    l->slot_count = l->kernel->param_count;
    l->cells_slot = MOD_NONE;
    *e = (mod_entry){ .name = l->kernel->name,
                      .params = params,
                      .param_count = l->kernel->param_count,
                      .place = launch_place_of(l->kernel->place) };
    for (uint32_t i = 0; i < e->param_count; i++)
        params[i] = describe_param(l, &l->kernel->params[i]);
    e->result = describe_result(l);
    launch_classify(l);
    launch_check_shared(l);
    launch_need(l);
    launch_eval_extents(l, params);
    e->extent_instrs = l->instr_count;
    launch_nodes(l);
    launch_find_cells(l);
    launch_place_cells(l);
    if (l->diags->errors)
        return;
    launch_tasks(l);
    place_device_loops(l);
    fill_entry(l, e);
    launch_list_variables(l, e);
}

/* ---- the module ---------------------------------------------------------------------------- */

static const char *header_text(const ir_module *m)
{
    text t = { 0 };

    for (uint32_t i = 0; i < m->header_item_count; i++) {
        bool told = false; /* one include may bring several structs */
        for (uint32_t k = 0; k < i; k++)
            told |= strcmp(m->header_items[k].text, m->header_items[i].text) == 0;
        if (!told)
            text_add(&t, "%s\n", m->header_items[i].text);
    }
    const char *made = arena_copy(m->arena, text_get(&t), t.bytes);
    text_finish(&t);
    return made;
}

static uint32_t count_kernels(const ir_module *m)
{
    uint32_t count = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        count += f->kind == IR_KERNEL;
    return count;
}

static void publish(const launch *l, mod_module *made, mod_entry *entries, uint32_t count)
{
    made->files = l->m->files;
    made->file_count = l->m->file_count;
    made->entries = entries;
    made->entry_count = count;
    made->data = (const uint8_t *)arena_copy(l->arena, text_get(l->data), l->data->bytes);
    made->data_bytes = (uint32_t)l->data->bytes;
    made->symbol_count = l->symbol_count;
    made->header_text = header_text(l->m);
    made->options = l->m->fma ? "--fma" : "";
    for (ir_func *f = l->m->funcs; f; f = f->next)
        for (uint32_t i = 0; f->kind == IR_TASK && i < count; i++)
            if (f->task->task >= entries[i].tasks &&
                f->task->task < entries[i].tasks + entries[i].task_count)
                f->task->entry = &entries[i];
}

slip_status pass_launch(ir_module *m, diag_list *diags, mod_module **out)
{
    mod_module *made = arena_new(m->arena, sizeof *made);
    uint32_t count = count_kernels(m), k = 0;
    mod_entry *entries = arena_new(m->arena, (count + 1) * sizeof *entries);
    text data = { 0 };
    launch shared = { .m = m, .arena = m->arena, .diags = diags, .data = &data };

    for (ir_func *f = m->funcs, *next; f; f = next) {
        next = f->next;
        if (f->kind != IR_KERNEL)
            continue;
        launch l = { .m = m,
                     .arena = m->arena,
                     .diags = diags,
                     .kernel = f,
                     .entry_index = k,
                     .symbol_count = shared.symbol_count,
                     .data = &data,
                     .data_tables = shared.data_tables,
                     .data_offsets = shared.data_offsets,
                     .data_table_count = shared.data_table_count,
                     .data_table_capacity = shared.data_table_capacity,
                     .data_offset_capacity = shared.data_offset_capacity };
        split(&l, &entries[k++]);
        l.symbol_count += l.task_count;
        shared = l;
        ir_func_remove(m, f);
    }
    if (diags->errors == 0 && data.status == SLIP_OK)
        publish(&shared, made, entries, count);
    slip_status status = data.status;
    text_finish(&data);
    SLIP_TRY(status);
    if (diags->errors)
        return SLIP_FAIL(SLIP_ERR_COMPILE, "%" PRIu32 " errors", diags->errors);
    *out = made;
    return SLIP_OK;
}
