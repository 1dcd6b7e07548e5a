/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole_tell.c - a module as the bytes of its file, and every field of it as text, by a walk of its
 * own.
 */
#include "module/whole.h"

#include <inttypes.h>

#include "module/codec.h"
#include "module/hash.h"
#include "module/write.h"
#include "support/check.h"

static const char *shown(const char *value)
{
    return value ? value : "<none>";
}

static void tell_place(text *out, mod_place p)
{
    text_add(out, " at %u:%u:%u\n", p.file, p.line, p.column);
}

static void tell_numbers(text *out, const char *what, const uint32_t *numbers, uint32_t count)
{
    text_add(out, " %s", what);
    for (uint32_t i = 0; i < count; i++)
        text_add(out, " %u", numbers[i]);
}

static void tell_signature(text *out, const mod_entry *e)
{
    text_add(out,
             "entry %s: slots %u cells %u at %u extents %u first symbol %u result %d %d %s %u %u",
             e->name, e->slot_count, e->cells_bytes, e->cells_slot, e->extent_instrs,
             e->first_symbol, (int)e->result.kind, (int)e->result.scalar,
             shown(e->result.struct_name), e->result.bytes, e->result.cell);
    tell_place(out, e->place);
    for (uint32_t i = 0; i < e->param_count; i++) {
        const mod_param *p = &e->params[i];
        text_add(out,
                 "param %s %d %d %s bytes %u align %u const %d out %d rank %u unknown %d access %u",
                 p->name, (int)p->kind, (int)p->scalar, shown(p->struct_name), p->bytes, p->align,
                 p->is_const, p->is_out, p->rank, p->outer_unknown, p->access);
        tell_numbers(out, "extents", p->extents, MOD_MAX_RANK);
        for (uint32_t d = 0; d < MOD_MAX_RANK; d++)
            text_add(out, " `%s`", shown(p->extent_text[d]));
        tell_place(out, p->place);
    }
}

static void tell_program(text *out, const mod_entry *e)
{
    for (uint32_t i = 0; i < e->instr_count; i++) {
        const mod_instr *o = &e->instrs[i];
        text_add(out, "instr %u %d %d exact %d: %u %u %u %u `%s`", o->op, (int)o->type,
                 (int)o->from, o->exact, o->dst, o->a, o->b, o->c, shown(o->text));
        tell_place(out, o->place);
    }
    for (uint32_t i = 0; i < e->node_count; i++) {
        const mod_node *n = &e->nodes[i];
        text_add(out, "node %d: %u %u %u %u %u", (int)n->kind, n->first, n->count, n->cond,
                 n->other, n->end);
        tell_place(out, n->place);
    }
    for (uint32_t i = 0; i < e->const_count; i++)
        text_add(out, "const %u %" PRIx64 "\n", e->consts[i].slot, e->consts[i].bits);
    for (uint32_t i = 0; i < e->scratch_count; i++) {
        const mod_scratch *s = &e->scratch[i];
        text_add(out, "scratch %s %u %u %u %u", s->name, s->slot, s->bytes, s->align, s->rank);
        tell_numbers(out, "extents", s->extents, MOD_MAX_RANK);
        tell_place(out, s->place);
    }
    for (uint32_t i = 0; i < e->variable_count; i++) {
        const mod_variable *v = &e->variables[i];
        text_add(out, "variable %s %s %d %u", v->name, v->type, (int)v->kind, v->at);
        tell_place(out, v->place);
    }
}

static void tell_task(text *out, const mod_task *t)
{
    text_add(out, "task %s rank %u block %u predicate %u partial %u at %u", t->name, t->rank,
             t->block_bytes, t->predicate, t->partial_bytes, t->partial_offset);
    for (uint32_t a = 0; a < t->rank; a++)
        text_add(out, " axis %d %u %u %u %u", (int)t->axes[a].type, t->axes[a].lo, t->axes[a].hi,
                 t->axes[a].lo_cell, t->axes[a].hi_cell);
    for (uint32_t a = 0; a < t->arg_count; a++)
        text_add(out, " arg %d %u %u %u", (int)t->args[a].source, t->args[a].index,
                 t->args[a].offset, t->args[a].bytes);
    for (uint32_t r = 0; r < t->reduce_count; r++)
        text_add(out, " reduce %d %d %u", (int)t->reduces[r].op, (int)t->reduces[r].type,
                 t->reduces[r].cell);
    if (t->finishes_always)
        text_add(out, " finishes");
    tell_place(out, t->head);
    tell_place(out, t->tail);
    for (uint32_t a = 0; a < t->access_count; a++)
        text_add(out, " access %u %u %u %u", t->accesses[a].array, t->accesses[a].flags,
                 t->accesses[a].first, t->accesses[a].bytes);
    for (uint32_t a = 0; a < t->apart_count; a++) {
        text_add(out, " apart %u %u %d", t->aparts[a].a, t->aparts[a].b, t->aparts[a].same_ok);
        tell_place(out, t->aparts[a].place);
    }
    tell_place(out, t->place);
}

static void tell_shader(text *out, const mod_shader *s)
{
    text_add(out, " shader %u+%u %d %d %d local %u needs %u", s->offset, s->bytes, s->inline_block,
             s->strided, s->local_fixed, s->local, s->needs);
    for (uint32_t n = 0; n < MOD_NEED_COUNT; n++)
        if (s->needs >> n & 1)
            tell_place(out, s->need_places[n]);
}

static void tell_code(text *out, const mod_code *c)
{
    text_add(out, "code %d imports at %" PRIu64 ":", (int)c->target, c->imports_offset);
    for (uint32_t i = 0; i < c->import_count; i++)
        text_add(out, " %s", c->imports[i]);
    for (uint32_t i = 0; i < c->symbol_count; i++)
        text_add(out, " (%u %u)", c->symbols[i].main, c->symbols[i].finish);
    for (uint32_t i = 0; i < c->shader_count; i++)
        tell_shader(out, &c->shaders[i]);
    text_add(out, " data %u+%u", c->data_offset, c->data_bytes);
    for (uint64_t i = 0; i < c->size; i++)
        text_add(out, " %02x", c->bytes[i]);
    text_add(out, "\n");
}

void whole_tell(text *out, const mod_module *m)
{
    text_add(out, "module %s, %s, symbols %u, `%s`\n", shown(m->producer), shown(m->options),
             m->symbol_count, shown(m->header_text));
    for (uint32_t i = 0; i < m->file_count; i++)
        text_add(out, "file %s\n", m->files[i]);
    for (uint32_t i = 0; i < m->data_bytes; i++)
        text_add(out, "%02x\n", m->data[i]);
    for (uint32_t i = 0; i < m->entry_count; i++) {
        tell_signature(out, &m->entries[i]);
        tell_program(out, &m->entries[i]);
        for (uint32_t t = 0; t < m->entries[i].task_count; t++)
            tell_task(out, &m->entries[i].tasks[t]);
    }
    for (uint32_t i = 0; i < m->code_count; i++)
        tell_code(out, &m->codes[i]);
}

text whole_bytes(const whole *w)
{
    text out = { 0 };

    CHECK_STATUS(mod_write(&w->m, &out), SLIP_OK);
    return out;
}

void whole_mend(uint8_t *bytes, size_t size)
{
    uint64_t body = size - MOD_HEADER_BYTES, sum = mod_hash(bytes + MOD_HEADER_BYTES, body);

    for (unsigned i = 0; i < 8; i++) {
        bytes[16 + i] = (uint8_t)(body >> (8 * i));
        bytes[24 + i] = (uint8_t)(sum >> (8 * i));
    }
}
