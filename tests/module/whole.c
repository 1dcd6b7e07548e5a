/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole.c - see whole.h. Numbers differ wherever they may, so that two fields exchanged are seen.
 */
#include "module/whole.h"

#include <inttypes.h>
#include <string.h>

#include "module/codec.h"
#include "module/hash.h"
#include "module/write.h"
#include "support/check.h"

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list)[0]))
#define COPY(to, ...) memcpy((to), &(const __typeof__(to)){ __VA_ARGS__ }, sizeof(to))

/* all: slots 0-4 parameters, 5 extent n, 6 p.b, 7 a table's value, 8 moved, 9 condition, 10
 * selected, 11 and 12 constants, 13 and 14 scratch, 15 cells. */
enum { SLOTS = 16, CELLS = 40 };

static void make_signature(whole *w)
{
    COPY(w->params,
         { .name = "n",
           .kind = MOD_SCALAR,
           .scalar = SCALAR_i32,
           .bytes = 4,
           .align = 4,
           .extents = { MOD_NONE, MOD_NONE, MOD_NONE, MOD_NONE },
           .place = { 0, 3, 14 } },
         { .name = "p",
           .kind = MOD_STRUCT,
           .struct_name = "P",
           .bytes = 12,
           .align = 4,
           .extents = { MOD_NONE, MOD_NONE, MOD_NONE, MOD_NONE },
           .place = { 0, 3, 21 } },
         { .name = "x",
           .kind = MOD_ARRAY,
           .scalar = SCALAR_f32,
           .bytes = 4,
           .align = 4,
           .rank = 2,
           .extents = { 5, 11, MOD_NONE, MOD_NONE },
           .extent_text = { "n", "3", NULL, NULL },
           .access = MOD_READ | MOD_WRITE | MOD_UPDATE,
           .place = { 0, 4, 9 } },
         { .name = "q",
           .kind = MOD_ARRAY,
           .struct_name = "P",
           .bytes = 12,
           .align = 4,
           .is_const = true,
           .rank = 1,
           .outer_unknown = true,
           .extents = { MOD_NONE, MOD_NONE, MOD_NONE, MOD_NONE },
           .access = MOD_READ | MOD_SINGLE,
           .place = { 1, 4, 30 } },
         { .name = "y",
           .kind = MOD_ARRAY,
           .scalar = SCALAR_u64,
           .bytes = 8,
           .align = 8,
           .is_out = true,
           .rank = 1,
           .extents = { 5, MOD_NONE, MOD_NONE, MOD_NONE },
           .extent_text = { "n", NULL, NULL, NULL },
           .access = MOD_WRITE | MOD_COVERS,
           .place = { 0, 5, 2 } });
}

static void make_program(whole *w)
{
    COPY(w->instrs,
         { .op = SCALAR_OP_convert,
           .type = SCALAR_i64,
           .from = SCALAR_i32,
           .exact = true,
           .dst = 5,
           .a = 0,
           .text = "n",
           .place = { 0, 4, 11 } },
         { .op = MOD_OP_MEMBER,
           .type = SCALAR_u16,
           .dst = 6,
           .a = 1,
           .b = 10,
           .place = { 0, 6, 7 } },
         { .op = MOD_OP_DATA,
           .type = SCALAR_f32,
           .dst = 7,
           .a = 6,
           .b = 4,
           .c = 8,
           .place = { 0, 7, 8 } },
         { .op = MOD_OP_MOVE, .type = SCALAR_f32, .dst = 8, .a = 7, .place = { 0, 8, 9 } },
         { .op = SCALAR_OP_lt,
           .type = SCALAR_i64,
           .from = SCALAR_i64,
           .dst = 9,
           .a = 5,
           .b = 11,
           .place = { 1, 9, 10 } },
         { .op = SCALAR_OP_select,
           .type = SCALAR_i64,
           .dst = 10,
           .a = 9,
           .b = 5,
           .c = 12,
           .place = { 0, 10, 1 } });
    COPY(w->consts, { 11, 3 }, { 12, UINT64_C(0x8877665544332211) });
    COPY(w->nodes, [0] = { .kind = MOD_TAKE, .first = 1, .end = 1, .place = { 0, 11, 1 } },
         [1] = { .kind = MOD_EVAL, .first = 1, .count = 4, .end = 2, .place = { 0, 12, 2 } },
         [2] = { .kind = MOD_IF, .cond = 9, .other = 4, .end = 6, .place = { 0, 13, 3 } },
         [3] = { .kind = MOD_TASK, .first = 0, .end = 4, .place = { 0, 14, 4 } },
         [4] = { .kind = MOD_TASK, .first = 1, .end = 5, .place = { 0, 15, 5 } },
         [5] = { .kind = MOD_RETURN, .cond = MOD_NONE, .end = 6, .place = { 0, 16, 6 } },
         [6] = { .kind = MOD_LOOP, .end = 13, .place = { 0, 17, 7 } },
         [7] = { .kind = MOD_EVAL, .first = 4, .count = 2, .end = 8 },
         [8] = { .kind = MOD_BREAK, .cond = 9, .end = 9 },
         [9] = { .kind = MOD_IF, .cond = 10, .other = 11, .end = 12 },
         [10] = { .kind = MOD_CONTINUE, .cond = MOD_NONE, .other = 12, .end = 11 },
         [11] = { .kind = MOD_BREAK, .cond = MOD_NONE, .end = 12 },
         [12] = { .kind = MOD_TASK, .first = 0, .end = 13 },
         [13] = { .kind = MOD_DEVICE_LOOP, .first = 8, .end = 15, .place = { 0, 18, 8 } },
         [14] = { .kind = MOD_TASK, .first = 2, .end = 15 },
         [15] = { .kind = MOD_SECTIONS, .end = 21 }, [16] = { .kind = MOD_SECTION, .end = 18 },
         [17] = { .kind = MOD_TASK, .first = 0, .end = 18 },
         [18] = { .kind = MOD_SECTION, .end = 21 },
         [19] = { .kind = MOD_TAKE, .first = 0, .end = 20 },
         [20] = { .kind = MOD_TASK, .first = 1, .end = 21, .place = { 0, 19, 9 } });
    COPY(w->scratch,
         { .name = "t",
           .slot = 13,
           .bytes = 4,
           .align = 4,
           .rank = 1,
           .extents = { 5, 0, 0, 0 },
           .place = { 0, 20, 10 } },
         { .name = "cube",
           .slot = 14,
           .bytes = 24,
           .align = 8,
           .rank = 4,
           .extents = { 5, 11, 12, 10 },
           .place = { 0, 21, 11 } });
    COPY(w->variables, { .name = "steps", .type = "i32", .at = 9, .place = { 0, 24, 14 } },
         { .name = "p.mean",
           .type = "f64",
           .kind = MOD_DEVICE_VARIABLE,
           .at = 16,
           .place = { 0, 25, 15 } },
         { .name = "to", .type = "f32 *", .at = MOD_NONE, .place = { 1, 26, 16 } });
}

static void make_tasks(whole *w)
{
    COPY(w->args, { MOD_FROM_SLOT, 2, 32, 8 }, { MOD_FROM_STRUCT, 1, 40, 12 },
         { MOD_FROM_SLOT, 15, 56, 8 }, { MOD_FROM_SLOT, 13, 16, 8 }, { MOD_FROM_SLOT, 4, 0, 8 });
    COPY(w->reduces, { SCALAR_OP_add, SCALAR_f64, 16 }, { SCALAR_OP_max, SCALAR_u8, 24 });
    COPY(w->accesses, { 2, MOD_READ | MOD_WRITE | MOD_UPDATE }, { 5, MOD_READ },
         { 7, MOD_READ | MOD_WRITE });
    COPY(w->aparts, { 2, 3, true, { 0, 22, 12 } }, { 2, 4, false, { 1, 23, 13 } });
    COPY(w->tasks,
         { .name = "all:14",
           .rank = 2,
           .axes = { { SCALAR_i64, 11, 5, MOD_NONE, MOD_NONE },
                     { SCALAR_u32, 12, MOD_NONE, MOD_NONE, 28 } },
           .args = w->args,
           .arg_count = 3,
           .block_bytes = 64,
           .predicate = 32,
           .partial_offset = MOD_NONE,
           .accesses = w->accesses,
           .access_count = 3,
           .aparts = w->aparts,
           .apart_count = 2,
           .place = { 0, 14, 4 } },
         { .name = "all:15",
           .rank = 1,
           .axes = { { SCALAR_i16, MOD_NONE, 11, 26, MOD_NONE } },
           .args = w->args + 3,
           .arg_count = 1,
           .block_bytes = 32,
           .predicate = MOD_NONE,
           .reduces = w->reduces,
           .reduce_count = 2,
           .partial_bytes = 16,
           .partial_offset = 24,
           .finishes_always = true,
           .head = { 0, 16, 5 },
           .tail = { 1, 18, 7 },
           .accesses = w->accesses + 1,
           .access_count = 2,
           .place = { 0, 15, 5 } },
         { .name = "all:19",
           .args = w->args + 4,
           .arg_count = 1,
           .block_bytes = 8,
           .predicate = 8,
           .partial_offset = MOD_NONE,
           .accesses = w->accesses + 2,
           .access_count = 1,
           .place = { 0, 19, 6 } });
}

static void make_code(whole *w)
{
    COPY(w->imports, "sinf", "pow");
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < WHOLE_CODE_BYTES; i++)
            w->code[c][i] = (uint8_t)(i * 7 + c);
        COPY(w->symbols[c], { 0, MOD_NONE }, { 8, 16 + c }, { 24, MOD_NONE }, { 39, MOD_NONE });
        w->codes[c] = (mod_code){ .target = c ? MOD_TARGET_CPU_AARCH64 : MOD_TARGET_CPU_X86_64_V2,
                                  .bytes = w->code[c],
                                  .size = WHOLE_CODE_BYTES,
                                  .symbols = w->symbols[c],
                                  .symbol_count = 4,
                                  .imports_offset = 65536u * (c + 1),
                                  .imports = c ? w->imports : NULL,
                                  .import_count = c ? 2 : 0 };
    }
}

/* Four headers of SPIR-V without instructions, and a table of 16 bytes. */
static void make_shaders(whole *w)
{
    static const uint8_t magic[4] = { 0x03, 0x02, 0x23, 0x07 };

    for (uint32_t i = 0; i < WHOLE_SHADER_BYTES; i++)
        w->words[i] = i < 80 && i % 20 < 4 ? magic[i % 20] : (uint8_t)i;
    COPY(w->symbols[2], { 0, MOD_NONE }, { 1, 2 }, { 3, MOD_NONE }, { 4, MOD_NONE });
    COPY(w->shaders,
         { .bytes = 20,
           .inline_block = true,
           .strided = true,
           .local = 256,
           .needs = 1 << MOD_NEED_F64 | 1 << MOD_NEED_ATOMIC64,
           .need_places = { [MOD_NEED_F64] = { 0, 14, 8 }, [MOD_NEED_ATOMIC64] = { 1, 15, 9 } } },
         { .offset = 20, .bytes = 20, .local_fixed = true, .local = 64 },
         { .offset = 40, .bytes = 20, .inline_block = true, .local_fixed = true, .local = 64 },
         { .offset = 60, .bytes = 20, .inline_block = true, .local_fixed = true, .local = 1 },
         { .local_fixed = true,
           .local = 1,
           .needs = 1 << MOD_NEED_MATH,
           .need_places = { [MOD_NEED_MATH] = { 0, 29, 3 } } });
    w->codes[2] = (mod_code){ .target = MOD_TARGET_SPIRV,
                              .bytes = w->words,
                              .size = WHOLE_SHADER_BYTES,
                              .symbols = w->symbols[2],
                              .symbol_count = 4,
                              .shaders = w->shaders,
                              .shader_count = 5,
                              .data_offset = 80,
                              .data_bytes = 16 };
}

/* A text that holds no kernel: what it says is not looked at. */
static void make_kernels(whole *w)
{
    memcpy(w->ptx, "// none", sizeof w->ptx);
    for (uint32_t s = 0; s < COUNT(w->shaders); s++) {
        w->kernels[s] = w->shaders[s];
        w->kernels[s].offset = 0;
        w->kernels[s].bytes = w->shaders[s].bytes ? WHOLE_TEXT_BYTES : 0;
    }
    w->kernels[2].local = MOD_STREAM_FINISH;
    w->codes[3] = (mod_code){ .target = MOD_TARGET_PTX,
                              .bytes = w->ptx,
                              .size = WHOLE_TEXT_BYTES,
                              .symbols = w->symbols[2],
                              .symbol_count = 4,
                              .shaders = w->kernels,
                              .shader_count = 5 };
}

void whole_make(whole *w)
{
    *w = (whole){ 0 };
    make_signature(w);
    make_program(w);
    make_tasks(w);
    make_code(w);
    make_shaders(w);
    make_kernels(w);
    w->entries[0] = (mod_entry){
        .name = "all",
        .params = w->params,
        .param_count = COUNT(w->params),
        .result = { .kind = MOD_SCALAR_RESULT, .scalar = SCALAR_f64, .bytes = 8, .cell = 16 },
        .instrs = w->instrs,
        .instr_count = COUNT(w->instrs),
        .extent_instrs = 1,
        .nodes = w->nodes,
        .node_count = COUNT(w->nodes),
        .consts = w->consts,
        .const_count = COUNT(w->consts),
        .slot_count = SLOTS,
        .scratch = w->scratch,
        .scratch_count = COUNT(w->scratch),
        .variables = w->variables,
        .variable_count = COUNT(w->variables),
        .cells_bytes = CELLS,
        .cells_slot = 15,
        .tasks = w->tasks,
        .task_count = COUNT(w->tasks),
        .place = { 0, 3, 1 }
    };
    w->small_nodes[0] = (mod_node){ .kind = MOD_TASK, .end = 1, .place = { 1, 30, 5 } };
    w->small_tasks[0] =
        (mod_task){ .name = "small:30", .predicate = MOD_NONE, .partial_offset = MOD_NONE };
    w->entries[1] = (mod_entry){
        .name = "small",
        .result = { .kind = MOD_STRUCT_RESULT, .struct_name = "P", .bytes = 12, .cell = 4 },
        .nodes = w->small_nodes,
        .node_count = 1,
        .slot_count = 1,
        .cells_bytes = 16,
        .cells_slot = 0,
        .tasks = w->small_tasks,
        .task_count = 1,
        .first_symbol = 3,
        .place = { 1, 29, 1 }
    };
    COPY(w->files, "all.c", "more.h");
    for (uint32_t i = 0; i < WHOLE_DATA_BYTES; i++)
        w->data[i] = (uint8_t)(0xf0 + i);
    w->m = (mod_module){ .producer = "by hand",
                         .options = "--fma",
                         .files = w->files,
                         .file_count = 2,
                         .entries = w->entries,
                         .entry_count = 2,
                         .data = w->data,
                         .data_bytes = WHOLE_DATA_BYTES,
                         .codes = w->codes,
                         .code_count = 4,
                         .symbol_count = 4,
                         .header_text = "typedef struct P { float a, b; int c; } P;\n" };
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

/* ---- telling ---------------------------------------------------------------------------- */

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
        text_add(out, " access %u %u", t->accesses[a].array, t->accesses[a].flags);
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
