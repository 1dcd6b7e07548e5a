/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_code.c - see spirv_code.h. The shaders stand one after another, the large constant tables
 * behind them. Must give the same bytes for the same module, every time.
 */
#include "target/spirv_code.h"

#include <string.h>

#include "base/fail.h"
#include "target/spirv_emit.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word in a module is little-endian");

typedef struct making {
    const ir_module *m;
    mem_arena *arena;
    spirv_words words;
    mod_shader *shaders;
    uint32_t shader_count, shader_capacity;
    mod_symbol *symbols;
} making;

/* A shader is made in memory that is given back: what it leaves is words and a few facts. */
static slip_status add_shader(making *w, mem_arena *scratch, const ir_func *task, bool finish,
                              uint32_t *out)
{
    mod_shader shader = { .offset = (uint32_t)(4 * w->words.count) };
    uint32_t offset = shader.offset;

    SLIP_TRY(spirv_shader(w->m, scratch, task, finish, &w->words, &shader));
    shader.offset = shader.bytes ? offset : 0;
    mem_arena_rewind(scratch, 0);
    w->shaders = arena_grow(w->arena, w->shaders, &w->shader_capacity, w->shader_count + 1,
                            sizeof *w->shaders);
    *out = w->shader_count;
    w->shaders[w->shader_count++] = shader;
    return SLIP_OK;
}

static slip_status add_task(making *w, mem_arena *scratch, const ir_func *task)
{
    mod_symbol *symbol = &w->symbols[task->task->index];

    SLIP_TRY(add_shader(w, scratch, task, false, &symbol->main));
    if (task->task->task->reduce_count)
        SLIP_TRY(add_shader(w, scratch, task, true, &symbol->finish));
    return SLIP_OK;
}

static slip_status add_tasks(making *w, uint32_t symbols)
{
    mem_arena scratch = { 0 };
    slip_status status;

    SLIP_TRY(mem_arena_init(&scratch));
    status = SLIP_OK;
    for (const ir_func *f = w->m->funcs; f && status == SLIP_OK; f = f->next)
        if (f->kind == IR_TASK && f->task->index < symbols)
            status = add_task(w, &scratch, f);
    mem_arena_finish(&scratch);
    return status;
}

static void copy_tables(const ir_module *m, uint8_t *to)
{
    for (const ir_table *t = m->tables; t; t = t->next)
        if (t->type->size > SPIRV_SMALL_TABLE)
            memcpy(to + spirv_data_offset(m, t), t->data, t->type->size);
}

slip_status spirv_compile(const ir_module *m, uint32_t symbols, mem_arena *arena, mod_code *out)
{
    making w = { .m = m, .arena = arena };
    uint32_t data_bytes = spirv_data_offset(m, NULL), at;
    slip_status status;

    w.symbols = arena_new(arena, (symbols + 1) * sizeof *w.symbols);
    for (uint32_t k = 0; k < symbols; k++)
        w.symbols[k] = (mod_symbol){ MOD_NONE, MOD_NONE };
    status = add_tasks(&w, symbols);
    if (status == SLIP_OK) {
        at = (uint32_t)((4 * w.words.count + 15) / 16 * 16);
        uint8_t *bytes = arena_new(arena, (size_t)at + data_bytes + 1);
        if (w.words.count > 0)
            memcpy(bytes, w.words.at, 4 * w.words.count);
        copy_tables(m, bytes + at);
        *out = (mod_code){ .target = MOD_TARGET_SPIRV,
                           .bytes = bytes,
                           .size = (uint64_t)at + data_bytes,
                           .symbols = w.symbols,
                           .symbol_count = symbols,
                           .shaders = w.shaders,
                           .shader_count = w.shader_count,
                           .data_offset = at,
                           .data_bytes = data_bytes };
    }
    spirv_words_finish(&w.words);
    return status;
}
