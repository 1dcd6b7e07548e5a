/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_code.c - does a code hold what the module says of it? One symbol per task, inside the code;
 * finish exactly where there are reductions; shaders of words, with the workgroup and the block
 * that the launchers take for granted. What the code does is not looked at.
 */
#include "module/check_parts.h"

enum { SPIRV_MAGIC_WORD = 0x07230203, MOST_LOCAL = 1024 };

static uint32_t word_at(const mod_code *c, uint32_t offset)
{
    return (uint32_t)c->bytes[offset] | (uint32_t)c->bytes[offset + 1] << 8 |
           (uint32_t)c->bytes[offset + 2] << 16 | (uint32_t)c->bytes[offset + 3] << 24;
}

static void check_shader(mod_checker *k, const mod_code *c, uint32_t index)
{
    const mod_shader *s = &c->shaders[index];
    bool left_out = s->needs >> MOD_NEED_MATH & 1;

    mod_must(k, s->needs < 1u << MOD_NEED_COUNT, "a shader needs what is unknown", index);
    mod_must(k, s->local >= 1 && s->local <= MOST_LOCAL, "a shader's workgroup is out of range",
             index);
    if (left_out) {
        mod_must(k, s->bytes == 0 && s->offset == 0, "a shader that was left out has words", index);
        return;
    }
    if (mod_is_stream(c->target)) {
        mod_must(k, s->offset == 0 && s->bytes == c->size, "a shader is not the whole code", index);
        return;
    }
    mod_must(k, s->offset % 4 == 0 && s->bytes % 4 == 0 && s->bytes >= 20,
             "a shader is not made of words", index);
    if (mod_must(k, s->offset <= c->size && s->bytes <= c->size - s->offset,
                 "a shader lies outside its code", index))
        mod_must(k, word_at(c, s->offset) == SPIRV_MAGIC_WORD, "a shader is no SPIR-V", index);
}

/* Is the symbol a shader of the task's kind? */
static void check_shader_symbol(mod_checker *k, const mod_code *c, const mod_task *t,
                                uint32_t shader, bool finish, uint32_t task)
{
    if (!mod_must(k, shader < c->shader_count, "a task names no shader", task))
        return;
    const mod_shader *s = &c->shaders[shader];
    bool reduces = t->reduce_count > 0, is_stream = mod_is_stream(c->target);
    uint32_t most = is_stream ? MOD_STREAM_PARAM_BYTES : MOD_SHADER_PUSH_BYTES;
    uint32_t lanes = is_stream && finish ? MOD_STREAM_FINISH : MOD_REDUCE_LANES;

    mod_must(k, !s->inline_block || mod_shader_header(t->rank) + t->block_bytes <= most,
             "a task's block does not fit into what a shader is passed", task);
    mod_must(k, !s->strided || (!finish && !reduces && t->rank > 0),
             "a shader walks on that must not", task);
    mod_must(k, !reduces || (s->local_fixed && s->local == lanes),
             "a reduction's workgroup is not its lanes", task);
    mod_must(k, t->rank > 0 || (s->local_fixed && s->local == 1),
             "a serial task's workgroup is not one invocation", task);
}

static void check_shaders(mod_checker *k, const mod_code *c, uint32_t index)
{
    mod_must(k, c->import_count == 0 && c->imports_offset == 0, "shaders import nothing", index);
    mod_must(k, c->target != MOD_TARGET_PTX || (c->size > 0 && c->bytes[c->size - 1] == 0),
             "a text does not end", index);
    mod_must(k, !mod_is_stream(c->target) || (c->size <= UINT32_MAX && c->data_bytes == 0),
             "a code that holds its own tables has others", index);
    mod_must(k,
             c->data_offset % 16 == 0 && c->data_offset <= c->size &&
                 c->data_bytes <= c->size - c->data_offset,
             "constant tables lie outside their code", index);
    for (uint32_t s = 0; s < c->shader_count && k->status == SLIP_OK; s++)
        check_shader(k, c, s);
    for (uint32_t e = 0; e < k->m->entry_count && k->status == SLIP_OK; e++)
        for (uint32_t t = 0; t < k->m->entries[e].task_count && k->status == SLIP_OK; t++) {
            const mod_task *task = &k->m->entries[e].tasks[t];
            const mod_symbol *s = &c->symbols[k->m->entries[e].first_symbol + t];
            check_shader_symbol(k, c, task, s->main, false, t);
            if (task->reduce_count > 0)
                check_shader_symbol(k, c, task, s->finish, true, t);
            else
                mod_must(k, s->finish == MOD_NONE, "a task without reductions has a finish", t);
        }
}

void mod_check_code(mod_checker *k, uint32_t index)
{
    const mod_code *c = &k->m->codes[index];

    if (!mod_must(k, c->symbol_count == k->m->symbol_count, "a code's symbols are not one per task",
                  index))
        return;
    if (mod_has_shaders(c->target)) {
        check_shaders(k, c, index);
        return;
    }
    mod_must(k,
             c->imports_offset % 65536 == 0 && c->imports_offset >= c->size &&
                 c->imports_offset <= UINT32_MAX,
             "a code's imports are out of range", index);
    mod_must(k, c->import_count <= 4096, "a code has too many imports", index);
    for (uint32_t i = 0; i < c->import_count; i++)
        mod_must(k, c->imports[i] && c->imports[i][0], "an import has no name", index);
    for (uint32_t e = 0; e < k->m->entry_count && k->status == SLIP_OK; e++)
        for (uint32_t t = 0; t < k->m->entries[e].task_count; t++) {
            const mod_symbol *s = &c->symbols[k->m->entries[e].first_symbol + t];
            bool reduces = k->m->entries[e].tasks[t].reduce_count > 0;
            mod_must(k, s->main < c->size, "a task lies outside its code", t);
            mod_must(k, reduces ? s->finish < c->size : s->finish == MOD_NONE,
                     "a task's finish lies outside its code", t);
        }
}
