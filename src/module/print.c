/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.c - see print.h. Takes modules that were checked; prints slots as %n and cells as @byte.
 */
#include "module/print.h"

#include <inttypes.h>

const char *mod_target_name(mod_target target)
{
    static const char *const names[MOD_TARGET_COUNT] = {
#define TARGET_NAME_(name, text) text,
        MOD_TARGETS(TARGET_NAME_)
#undef TARGET_NAME_
    };

    return names[target];
}

static const char *type_name(const mod_param *p)
{
    return p->struct_name ? p->struct_name : scalar_types[p->scalar].name;
}

void mod_print_param(text *out, const mod_param *p)
{
    text_add(out, "%s%s%s ", p->is_out ? "slip_out " : "", p->is_const ? "const " : "",
             type_name(p));
    if (p->kind == MOD_ARRAY && p->rank == 0)
        text_add(out, "*");
    text_add(out, "%s", p->name);
    for (uint32_t d = 0; d < p->rank; d++)
        text_add(out, "[%s]", p->extent_text[d] ? p->extent_text[d] : "");
}

static void add_flags(text *out, uint32_t flags)
{
    static const char *const words[] = { "reads", "writes", "updates", "single", "covers" };

    for (uint32_t f = 0; f < 5; f++)
        if (flags >> f & 1)
            text_add(out, " %s", words[f]);
}

static void print_params(text *out, const mod_entry *e)
{
    for (uint32_t p = 0; p < e->param_count; p++) {
        const mod_param *param = &e->params[p];

        text_add(out, "  param %%%u ", p);
        mod_print_param(out, param);
        if (param->kind == MOD_ARRAY) {
            for (uint32_t d = 0; d < param->rank; d++)
                if (param->extents[d] != MOD_NONE)
                    text_add(out, "%s%%%u", d ? " x " : "  extents ", param->extents[d]);
            add_flags(out, param->access);
        }
        text_add(out, "\n");
    }
    if (e->result.kind != MOD_NO_RESULT)
        text_add(out, "  result %s at @%u\n",
                 e->result.struct_name ? e->result.struct_name
                                       : scalar_types[e->result.scalar].name,
                 e->result.cell);
}

static void print_instr(text *out, const mod_instr *i)
{
    text_add(out, "%%%u = ", i->dst);
    if (i->op == MOD_OP_MOVE) {
        text_add(out, "move %%%u", i->a);
    } else if (i->op == MOD_OP_MEMBER) {
        text_add(out, "member %s of %%%u at %u", scalar_types[i->type].name, i->a, i->b);
    } else if (i->op == MOD_OP_DATA) {
        text_add(out, "data %s at %%%u in %u+%u", scalar_types[i->type].name, i->a, i->b, i->c);
    } else {
        const scalar_op_row *row = &scalar_ops[i->op];
        text_add(out, "%s %s", row->name, scalar_types[i->type].name);
        if (i->op == SCALAR_OP_convert || i->op == SCALAR_OP_bitcast)
            text_add(out, " from %s", scalar_types[i->from].name);
        text_add(out, " %%%u", i->a);
        if (row->operands > 1)
            text_add(out, ", %%%u", i->b);
        if (row->operands > 2)
            text_add(out, ", %%%u", i->c);
    }
    if (i->exact)
        text_add(out, "  exact `%s`", i->text);
}

static void print_axis(text *out, uint32_t slot, uint32_t cell)
{
    if (slot != MOD_NONE)
        text_add(out, "%%%u", slot);
    else
        text_add(out, "@%u", cell);
}

static const char *array_name(const mod_entry *e, uint32_t array)
{
    if (array < e->param_count)
        return e->params[array].name;
    return array < e->param_count + e->scratch_count ? e->scratch[array - e->param_count].name
                                                     : "cells";
}

static void print_task(text *out, const mod_entry *e, uint32_t index)
{
    const mod_task *t = &e->tasks[index];

    text_add(out, "  task %u %s  block %u bytes", index, t->name, t->block_bytes);
    for (uint32_t a = 0; a < t->rank; a++) {
        text_add(out, "  %s ", scalar_types[t->axes[a].type].name);
        print_axis(out, t->axes[a].lo, t->axes[a].lo_cell);
        text_add(out, " .. ");
        print_axis(out, t->axes[a].hi, t->axes[a].hi_cell);
    }
    if (t->predicate != MOD_NONE)
        text_add(out, "  if @%u", t->predicate);
    text_add(out, "\n");
    for (uint32_t a = 0; a < t->arg_count; a++)
        text_add(out, "    arg +%u %s %%%u\n", t->args[a].offset,
                 t->args[a].source == MOD_FROM_SLOT ? "slot" : "struct", t->args[a].index);
    for (uint32_t r = 0; r < t->reduce_count; r++)
        text_add(out, "    reduce %s %s into @%u\n", scalar_ops[t->reduces[r].op].name,
                 scalar_types[t->reduces[r].type].name, t->reduces[r].cell);
    if (t->head.line)
        text_add(out, "    finish begins with line %u\n", t->head.line);
    if (t->tail.line)
        text_add(out, "    finish ends with line %u\n", t->tail.line);
    for (uint32_t a = 0; a < t->access_count; a++) {
        text_add(out, "    access %s", array_name(e, t->accesses[a].array));
        if (t->accesses[a].bytes)
            text_add(out, " @%u+%u", t->accesses[a].first, t->accesses[a].bytes);
        add_flags(out, t->accesses[a].flags);
        text_add(out, "\n");
    }
    for (uint32_t a = 0; a < t->apart_count; a++)
        text_add(out, "    apart %s, %s%s  line %u\n", array_name(e, t->aparts[a].a),
                 array_name(e, t->aparts[a].b), t->aparts[a].same_ok ? " (or the same)" : "",
                 t->aparts[a].place.line);
}

static void print_nodes(text *out, const mod_entry *e, uint32_t first, uint32_t end, int depth);

static void print_leaf(text *out, const mod_entry *e, const mod_node *n)
{
    if (n->kind == MOD_TASK)
        text_add(out, "task %u %s", n->first, e->tasks[n->first].name);
    else if (n->kind == MOD_TAKE)
        text_add(out, "take %s", e->scratch[n->first].name);
    else if (n->kind == MOD_BREAK && n->cond != MOD_NONE)
        text_add(out, "break unless %%%u", n->cond);
    else if (n->kind == MOD_CONTINUE)
        text_add(out, "continue at node %u", n->other);
    else
        text_add(out, "%s", n->kind == MOD_BREAK ? "break" : "return");
}

static void print_node(text *out, const mod_entry *e, uint32_t index, int depth)
{
    const mod_node *n = &e->nodes[index];

    text_add(out, "  %4u %*s", index, depth * 2, "");
    switch (n->kind) {
    case MOD_EVAL:
        for (uint32_t i = 0; i < n->count; i++) {
            if (i > 0)
                text_add(out, "\n       %*s", depth * 2, "");
            print_instr(out, &e->instrs[n->first + i]);
        }
        break;
    case MOD_TASK:
    case MOD_TAKE:
    case MOD_BREAK:
    case MOD_CONTINUE:
    case MOD_RETURN:
        print_leaf(out, e, n);
        break;
    case MOD_IF:
        text_add(out, "if %%%u\n", n->cond);
        print_nodes(out, e, index + 1, n->other, depth + 1);
        if (n->other < n->end) {
            text_add(out, "       %*selse\n", depth * 2, "");
            print_nodes(out, e, n->other, n->end, depth + 1);
        }
        return;
    case MOD_LOOP:
    case MOD_SECTIONS:
    case MOD_SECTION:
        text_add(out, "%s\n",
                 n->kind == MOD_LOOP       ? "loop"
                 : n->kind == MOD_SECTIONS ? "sections"
                                           : "section");
        print_nodes(out, e, index + 1, n->end, depth + 1);
        return;
    case MOD_DEVICE_LOOP:
        text_add(out, "device loop while @%u\n", n->first);
        print_nodes(out, e, index + 1, n->end, depth + 1);
        return;
    }
    text_add(out, "\n");
}

static void print_nodes(text *out, const mod_entry *e, uint32_t first, uint32_t end, int depth)
{
    for (uint32_t n = first; n < end; n = e->nodes[n].end)
        print_node(out, e, n, depth);
}

static void print_variable(text *out, const mod_variable *v)
{
    bool is_launch = v->kind == MOD_LAUNCH_VARIABLE;

    text_add(out, "  %s variable ", is_launch ? "launch" : "device");
    if (v->at != MOD_NONE)
        text_add(out, "%c%u ", is_launch ? '%' : '@', v->at);
    text_add(out, "%s %s  line %u\n", v->type, v->name, v->place.line);
}

void mod_print_entry(text *out, const mod_entry *e)
{
    text_add(out, "kernel %s  %u slots  %u bytes of cells", e->name, e->slot_count, e->cells_bytes);
    if (e->cells_slot != MOD_NONE)
        text_add(out, " at %%%u", e->cells_slot);
    text_add(out, "\n");
    print_params(out, e);
    for (uint32_t i = 0; i < e->const_count; i++)
        text_add(out, "  const %%%u = 0x%" PRIx64 "\n", e->consts[i].slot, e->consts[i].bits);
    for (uint32_t s = 0; s < e->scratch_count; s++) {
        text_add(out, "  scratch %%%u %s, elements of %u bytes", e->scratch[s].slot,
                 e->scratch[s].name, e->scratch[s].bytes);
        for (uint32_t d = 0; d < e->scratch[s].rank; d++)
            text_add(out, "%s%%%u", d ? " x " : "  extents ", e->scratch[s].extents[d]);
        text_add(out, "\n");
    }
    for (uint32_t v = 0; v < e->variable_count; v++)
        print_variable(out, &e->variables[v]);
    text_add(out, "  extents\n");
    for (uint32_t i = 0; i < e->extent_instrs; i++) {
        text_add(out, "       ");
        print_instr(out, &e->instrs[i]);
        text_add(out, "\n");
    }
    text_add(out, "  program\n");
    print_nodes(out, e, 0, e->node_count, 0);
    for (uint32_t t = 0; t < e->task_count; t++)
        print_task(out, e, t);
}

static const char *need_text(uint32_t need)
{
    static const char *const names[MOD_NEED_COUNT] = {
#define NEED_TEXT_(name, text) text,
        MOD_NEEDS(NEED_TEXT_)
#undef NEED_TEXT_
    };

    return names[need];
}

void mod_print_shader(text *out, mod_target target, const mod_shader *s, uint32_t index)
{
    text_add(out, "  shader %u  ", index);
    if (s->bytes == 0)
        text_add(out, "left out");
    else if (mod_is_stream(target))
        text_add(out, "entry s%u", index);
    else
        text_add(out, "%u words at %u", s->bytes / 4, s->offset);
    text_add(out, "  %s%u a workgroup%s%s\n", s->local_fixed ? "always " : "", s->local,
             s->inline_block ? "  block in line" : "", s->strided ? "  strided" : "");
    for (uint32_t n = 0; n < MOD_NEED_COUNT; n++)
        if (s->needs >> n & 1)
            text_add(out, "    needs %s  line %u\n", need_text(n), s->need_places[n].line);
}

static void print_shaders(text *out, const mod_code *c)
{
    for (uint32_t k = 0; k < c->symbol_count; k++) {
        text_add(out, "  task %u  main %u", k, c->symbols[k].main);
        if (c->symbols[k].finish != MOD_NONE)
            text_add(out, "  finish %u", c->symbols[k].finish);
        text_add(out, "\n");
    }
    for (uint32_t s = 0; s < c->shader_count; s++)
        mod_print_shader(out, c->target, &c->shaders[s], s);
    if (c->data_bytes)
        text_add(out, "  data  %u bytes at %u\n", c->data_bytes, c->data_offset);
}

void mod_print(text *out, const mod_module *m)
{
    text_add(out, "module by %s", m->producer ? m->producer : "?");
    if (m->options && m->options[0])
        text_add(out, " with %s", m->options);
    text_add(out, "\n");
    for (uint32_t i = 0; i < m->file_count; i++)
        text_add(out, "file %u %s\n", i, m->files[i]);
    for (uint32_t i = 0; i < m->entry_count; i++)
        mod_print_entry(out, &m->entries[i]);
    for (uint32_t i = 0; i < m->code_count; i++) {
        const mod_code *c = &m->codes[i];
        text_add(out, "code %s  %" PRIu64 " bytes, %u tasks", mod_target_name(c->target), c->size,
                 c->symbol_count);
        for (uint32_t k = 0; k < c->import_count; k++)
            text_add(out, "%s%s", k ? ", " : "  imports ", c->imports[k]);
        text_add(out, "\n");
        if (mod_has_shaders(c->target))
            print_shaders(out, c);
    }
}
