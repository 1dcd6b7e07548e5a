/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole.c - see whole.h. Numbers differ wherever they may, so that two fields exchanged are seen.
 */
#include "module/whole.h"

#include <string.h>

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
    COPY(w->accesses, { 2, MOD_READ | MOD_WRITE | MOD_UPDATE, 0, 0 }, { 5, MOD_READ, 0, 0 },
         { 7, MOD_READ | MOD_WRITE, 12, 9 });
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
