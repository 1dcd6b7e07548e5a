/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump.c - what is in a module, as text and as JSON, from its bytes alone.
 *
 * Needs no device: a module whose code runs nowhere here can still be looked at.
 */
#include "base/fail.h"
#include "base/mem.h"
#include "base/text.h"
#include "module/print.h"
#include "module/read.h"
#include "runtime/objects.h"

/* ---- JSON: objects and arrays on one line each, commas by the caller ------------------------ */

static void add_text(text *out, const char *key, const char *value)
{
    text_add(out, "\"%s\": ", key);
    if (value)
        text_json(out, value);
    else
        text_add(out, "null");
}

static void add_access(text *out, uint32_t flags)
{
    static const char *const words[] = { "reads", "writes", "updates", "single", "covers" };
    const char *between = "";

    text_add(out, "\"access\": [");
    for (uint32_t f = 0; f < 5; f++) {
        if (!(flags >> f & 1))
            continue;
        text_add(out, "%s\"%s\"", between, words[f]);
        between = ", ";
    }
    text_add(out, "]");
}

static void add_param(text *out, const mod_param *p)
{
    static const char *const kinds[] = {
        [MOD_SCALAR] = "scalar", [MOD_STRUCT] = "struct", [MOD_ARRAY] = "array"
    };
    text signature = { 0 };

    mod_print_param(&signature, p);
    text_add(out, "{");
    add_text(out, "name", p->name);
    text_add(out, ", ");
    add_text(out, "kind", kinds[p->kind]);
    text_add(out, ", ");
    add_text(out, "type", p->struct_name ? p->struct_name : scalar_types[p->scalar].name);
    text_add(out, ", \"bytes\": %u, ", p->bytes);
    add_text(out, "signature", text_get(&signature));
    if (p->kind == MOD_ARRAY) {
        text_add(out, ", \"extents\": [");
        for (uint32_t d = 0; d < p->rank; d++) {
            text_add(out, d ? ", " : "");
            if (p->extent_text[d])
                text_json(out, p->extent_text[d]);
            else
                text_add(out, "null");
        }
        text_add(out, "], ");
        add_access(out, p->access);
    }
    text_add(out, "}");
    if (out->status == SLIP_OK)
        out->status = signature.status;
    text_finish(&signature);
}

static const char *array_name(const mod_entry *e, uint32_t array)
{
    if (array < e->param_count)
        return e->params[array].name;
    return array < e->param_count + e->scratch_count ? e->scratch[array - e->param_count].name
                                                     : "cells";
}

static void add_task(text *out, const mod_entry *e, const mod_task *t)
{
    text_add(out, "{");
    add_text(out, "name", t->name);
    text_add(out, ", \"line\": %u, \"axes\": %u, \"reductions\": %u, ", t->place.line, t->rank,
             t->reduce_count);
    text_add(out, "\"finish_begins_line\": %u, \"finish_ends_line\": %u, \"arrays\": [",
             t->head.line, t->tail.line);
    for (uint32_t a = 0; a < t->access_count; a++) {
        text_add(out, "%s{", a ? ", " : "");
        add_text(out, "name", array_name(e, t->accesses[a].array));
        if (t->accesses[a].bytes)
            text_add(out, ", \"cell\": %u, \"cell_bytes\": %u", t->accesses[a].first,
                     t->accesses[a].bytes);
        text_add(out, ", ");
        add_access(out, t->accesses[a].flags);
        text_add(out, "}");
    }
    text_add(out, "]}");
}

static void add_variable(text *out, const mod_variable *v)
{
    bool is_launch = v->kind == MOD_LAUNCH_VARIABLE;

    text_add(out, "{");
    add_text(out, "name", v->name);
    text_add(out, ", ");
    add_text(out, "type", v->type);
    text_add(out, ", ");
    add_text(out, "kind", is_launch ? "launch" : "device");
    text_add(out, ", \"line\": %u, \"%s\": ", v->place.line, is_launch ? "slot" : "cell");
    if (v->at == MOD_NONE)
        text_add(out, "null}");
    else
        text_add(out, "%u}", v->at);
}

static void add_entry(text *out, const mod_entry *e)
{
    bool is_struct = e->result.kind == MOD_STRUCT_RESULT;

    text_add(out, "    {");
    add_text(out, "name", e->name);
    text_add(out, ", ");
    add_text(out, "result",
             e->result.kind == MOD_NO_RESULT ? NULL
             : is_struct                     ? e->result.struct_name
                                             : scalar_types[e->result.scalar].name);
    text_add(out, ",\n     \"params\": [");
    for (uint32_t p = 0; p < e->param_count; p++) {
        text_add(out, "%s\n      ", p ? "," : "");
        add_param(out, &e->params[p]);
    }
    text_add(out, "],\n     \"scratch\": [");
    for (uint32_t s = 0; s < e->scratch_count; s++) {
        text_add(out, s ? ", " : "");
        text_json(out, e->scratch[s].name);
    }
    text_add(out, "],\n     \"variables\": [");
    for (uint32_t v = 0; v < e->variable_count; v++) {
        text_add(out, "%s\n      ", v ? "," : "");
        add_variable(out, &e->variables[v]);
    }
    text_add(out, "],\n     \"tasks\": [");
    for (uint32_t t = 0; t < e->task_count; t++) {
        text_add(out, "%s\n      ", t ? "," : "");
        add_task(out, e, &e->tasks[t]);
    }
    text_add(out, "]}");
}

static void print_json(text *out, const mod_module *m)
{
    text_add(out, "{\n  ");
    add_text(out, "producer", m->producer);
    text_add(out, ",\n  ");
    add_text(out, "options", m->options);
    text_add(out, ",\n  \"files\": [");
    for (uint32_t f = 0; f < m->file_count; f++) {
        text_add(out, f ? ", " : "");
        text_json(out, m->files[f]);
    }
    text_add(out, "],\n  \"kernels\": [\n");
    for (uint32_t e = 0; e < m->entry_count; e++) {
        text_add(out, e ? ",\n" : "");
        add_entry(out, &m->entries[e]);
    }
    text_add(out, "\n  ],\n  \"code\": [");
    for (uint32_t c = 0; c < m->code_count; c++) {
        text_add(out, "%s\n    {", c ? "," : "");
        add_text(out, "target", mod_target_name(m->codes[c].target));
        text_add(out, ", \"bytes\": %llu}", (unsigned long long)m->codes[c].size);
    }
    text_add(out, "\n  ]\n}\n");
}

/* ---- the public functions ------------------------------------------------------------------- */

static slip_status dump(const char *where, const void *bytes, uint64_t size,
                        void (*print)(text *, const mod_module *), char **out_text)
{
    mem_arena arena = { 0 };
    const mod_module *module = NULL;
    text made = { 0 };

    runtime_enter();
    if (!bytes || !out_text)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", where,
                         bytes ? "place for the text" : "module");
    SLIP_TRY(mem_arena_init(&arena));
    slip_status status = mod_read(&arena, bytes, size, &module);
    if (status == SLIP_OK) {
        print(&made, module);
        status = made.status;
    }
    mem_arena_finish(&arena);
    if (status != SLIP_OK)
        text_finish(&made);
    else
        *out_text = made.data;
    return status;
}

slip_status slip_dump(const void *bytes, uint64_t size, char **out_text)
{
    return dump("slip_dump", bytes, size, mod_print, out_text);
}

slip_status slip_dump_json(const void *bytes, uint64_t size, char **out_text)
{
    return dump("slip_dump_json", bytes, size, print_json, out_text);
}
