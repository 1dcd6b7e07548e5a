/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_mutate.c - libFuzzer's mutator for module files: changes a number of the module's
 * structures and writes the file again, so that most inputs get past the codec. Sometimes bytes are
 * changed as they come instead.
 */
#include <string.h>

#include "base/mem.h"
#include "module/codec.h"
#include "module/write.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t state;

static uint32_t pick(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return below ? state % below : 0;
}

/* Changes of a u32: what an index, a count, an offset might be by malice. */
static uint32_t changed(uint32_t value)
{
    switch (pick(8)) {
    case 0:
        return value + 1;
    case 1:
        return value - 1;
    case 2:
        return UINT32_MAX;
    case 3:
        return value ^ 1u << pick(32);
    case 4:
        return pick(64) * 4;
    default:
        return pick(24);
    }
}

/* A u32 (an enum's too) at one of these offsets of an item. */
static void change_at(void *item, const size_t *offsets, size_t count)
{
    uint32_t value;
    uint8_t *at = (uint8_t *)item + offsets[pick((uint32_t)count)];

    memcpy(&value, at, sizeof value);
    value = changed(value);
    memcpy(at, &value, sizeof value);
}

#define AT(type, ...)                                                                              \
    change_at((void *)(uintptr_t)items, (const size_t[]){ __VA_ARGS__ },                           \
              sizeof((const size_t[]){ __VA_ARGS__ }) / sizeof(size_t))

static void change_param(const mod_param *items)
{
    if (pick(4) == 0)
        ((mod_param *)(uintptr_t)items)->outer_unknown ^= true;
    else
        AT(mod_param, offsetof(mod_param, kind), offsetof(mod_param, scalar),
           offsetof(mod_param, bytes), offsetof(mod_param, align), offsetof(mod_param, rank),
           offsetof(mod_param, extents), offsetof(mod_param, extents) + 4,
           offsetof(mod_param, access));
}

static void change_instr(const mod_instr *items)
{
    mod_instr *i = (mod_instr *)(uintptr_t)items;

    if (pick(3) == 0)
        i->op = (uint8_t)pick(MOD_OP_DATA + 1);
    if (pick(3) == 0)
        i->type = (scalar_type)pick(SCALAR_TYPE_COUNT);
    AT(mod_instr, offsetof(mod_instr, type), offsetof(mod_instr, from), offsetof(mod_instr, dst),
       offsetof(mod_instr, a), offsetof(mod_instr, b), offsetof(mod_instr, c));
}

static void change_node(const mod_node *items)
{
    AT(mod_node, offsetof(mod_node, kind), offsetof(mod_node, first), offsetof(mod_node, count),
       offsetof(mod_node, cond), offsetof(mod_node, other), offsetof(mod_node, end));
}

static void change_scratch(const mod_scratch *items)
{
    AT(mod_scratch, offsetof(mod_scratch, slot), offsetof(mod_scratch, bytes),
       offsetof(mod_scratch, align), offsetof(mod_scratch, rank), offsetof(mod_scratch, extents));
}

static void change_variable(const mod_variable *items)
{
    AT(mod_variable, offsetof(mod_variable, kind), offsetof(mod_variable, at));
}

static void change_task(const mod_task *items)
{
    mod_task *t = (mod_task *)(uintptr_t)items;

    switch (pick(6)) {
    case 0:
        if (t->arg_count) {
            const mod_arg *item = &t->args[pick(t->arg_count)];
            change_at((void *)(uintptr_t)item, (const size_t[]){ 0, 4, 8, 12 }, 4);
        }
        break;
    case 1:
        if (t->access_count) {
            const mod_access *item = &t->accesses[pick(t->access_count)];
            change_at((void *)(uintptr_t)item, (const size_t[]){ 0, 4, 8, 12 }, 4);
        }
        break;
    case 2:
        if (t->reduce_count) {
            const mod_reduce *item = &t->reduces[pick(t->reduce_count)];
            change_at((void *)(uintptr_t)item, (const size_t[]){ 0, 4, 8 }, 3);
        }
        break;
    case 3:
        change_at(&t->axes[pick(MOD_MAX_AXES)], (const size_t[]){ 0, 4, 8, 12, 16 }, 5);
        break;
    case 4:
        t->access_count = pick(t->access_count + 1);
        break;
    default:
        AT(mod_task, offsetof(mod_task, rank), offsetof(mod_task, block_bytes),
           offsetof(mod_task, predicate), offsetof(mod_task, partial_bytes),
           offsetof(mod_task, partial_offset));
    }
}

static void change_entry(const mod_entry *items)
{
    mod_entry *e = (mod_entry *)(uintptr_t)items;

    switch (pick(10)) {
    case 0:
        if (e->param_count)
            change_param(&e->params[pick(e->param_count)]);
        break;
    case 1:
        if (e->instr_count)
            change_instr(&e->instrs[pick(e->instr_count)]);
        break;
    case 2:
    case 3:
        if (e->node_count)
            change_node(&e->nodes[pick(e->node_count)]);
        break;
    case 4:
        if (e->scratch_count)
            change_scratch(&e->scratch[pick(e->scratch_count)]);
        break;
    case 6:
        if (e->variable_count)
            change_variable(&e->variables[pick(e->variable_count)]);
        break;
    case 5:
        if (e->const_count)
            ((mod_const *)(uintptr_t)e->consts)[pick(e->const_count)].bits =
                (uint64_t)changed(0) << 32 | changed(pick(100));
        break;
    case 7:
        AT(mod_entry, offsetof(mod_entry, extent_instrs), offsetof(mod_entry, slot_count),
           offsetof(mod_entry, cells_bytes), offsetof(mod_entry, cells_slot),
           offsetof(mod_entry, result.kind), offsetof(mod_entry, result.scalar),
           offsetof(mod_entry, result.bytes), offsetof(mod_entry, result.cell));
        break;
    default:
        if (e->task_count)
            change_task(&e->tasks[pick(e->task_count)]);
    }
}

static void change_shader(const mod_shader *items)
{
    mod_shader *s = (mod_shader *)(uintptr_t)items;

    switch (pick(6)) {
    case 0:
        s->inline_block ^= true;
        break;
    case 1:
        s->strided ^= true;
        break;
    case 2:
        s->local_fixed ^= true;
        break;
    case 3:
        s->needs ^= 1u << pick(MOD_NEED_COUNT + 1);
        break;
    default:
        AT(mod_shader, offsetof(mod_shader, offset), offsetof(mod_shader, bytes),
           offsetof(mod_shader, local), offsetof(mod_shader, needs),
           offsetof(mod_shader, need_places[0].file), offsetof(mod_shader, need_places[0].line));
    }
}

static void change_code(const mod_code *items)
{
    mod_code *c = (mod_code *)(uintptr_t)items;

    switch (pick(6)) {
    case 0:
        c->target = (mod_target)pick(MOD_TARGET_COUNT);
        break;
    case 1:
        if (c->symbol_count) {
            const mod_symbol *item = &c->symbols[pick(c->symbol_count)];
            change_at((void *)(uintptr_t)item, (const size_t[]){ 0, 4 }, 2);
        }
        break;
    case 2:
        AT(mod_code, offsetof(mod_code, imports_offset), offsetof(mod_code, data_offset),
           offsetof(mod_code, data_bytes));
        break;
    case 3:
        if (c->shader_count)
            c->shader_count = pick(c->shader_count);
        break;
    default:
        if (c->shader_count)
            change_shader(&c->shaders[pick(c->shader_count)]);
    }
}

/* False where the bytes are no module, or the new file does not fit. */
static bool change_module(uint8_t *data, size_t *size, size_t max_size)
{
    mem_arena arena = { 0 };
    mod_module m = { 0 };
    text out = { 0 };
    bool fits = false;

    if (mem_arena_init(&arena) != SLIP_OK)
        return false;
    codec c = {
        .start = data, .at = data + MOD_HEADER_BYTES, .end = data + *size, .arena = &arena
    };
    codec_module(&c, &m);
    if (c.status == SLIP_OK && m.entry_count > 0) {
        for (uint32_t n = 1 + pick(4); n > 0; n--)
            if (m.code_count && pick(3) == 0)
                change_code(&m.codes[pick(m.code_count)]);
            else
                change_entry(&m.entries[pick(m.entry_count)]);
        fits = mod_write(&m, &out) == SLIP_OK && out.bytes <= max_size;
        if (fits) {
            *size = out.bytes;
            memcpy(data, text_get(&out), out.bytes);
        }
    }
    text_finish(&out);
    mem_arena_finish(&arena);
    return fits;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    state = seed * 2654435761u | 1;
    if (size > MOD_HEADER_BYTES && pick(5) != 0 && change_module(data, &size, max_size))
        return size;
    return LLVMFuzzerMutate(data, size, max_size);
}
