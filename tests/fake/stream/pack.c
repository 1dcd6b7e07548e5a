/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.c - see pack.h. Where an argument may point: followed through the launch program's moves and
 * arithmetic, since pointers of a kernel are slots like others.
 */
#include "fake/stream/pack.h"

#include <string.h>

#include "base/fail.h"
#include "fake/stream/blob.h"

/* Levels that every machine of this kind runs, and those that a test machine may lack, best last.
 */
static const mod_target levels[] = {
#if defined(__x86_64__)
    MOD_TARGET_CPU_X86_64_V2,
    MOD_TARGET_CPU_X86_64_V3, /* where a module was compiled with --fma, which v2 lacks */
#else
    MOD_TARGET_CPU_AARCH64,
#endif
};

static const mod_code *host_code(const mod_module *m)
{
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        for (uint32_t c = 0; c < m->code_count; c++)
            if (m->codes[c].target == levels[k])
                return &m->codes[c];
    return NULL;
}

/* ---- where slots point ---- */

/* A row of `words` words of bits for each slot: the arrays (numbered as module.h says) whose
 * addresses it may be made of. */
typedef struct reach {
    uint64_t *bits;
    uint32_t words;
} reach;

static bool merge(const reach *r, uint32_t into, uint32_t from)
{
    bool changed = false;

    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t *to = &r->bits[into * r->words + w], add = r->bits[from * r->words + w];
        changed = changed || (add & ~*to);
        *to |= add;
    }
    return changed;
}

static void mark(const reach *r, uint32_t slot, uint32_t array)
{
    r->bits[slot * r->words + array / 64] |= (uint64_t)1 << array % 64;
}

static bool carries_addresses(const mod_instr *i)
{
    return i->op == MOD_OP_MOVE || i->op == SCALAR_OP_add || i->op == SCALAR_OP_sub ||
           i->op == SCALAR_OP_select || i->op == SCALAR_OP_convert;
}

static bool flow(const reach *r, const mod_instr *i)
{
    bool changed = false;

    if (!carries_addresses(i))
        return false;
    changed = merge(r, i->dst, i->a);
    if (i->op != MOD_OP_MOVE && i->op != SCALAR_OP_convert)
        changed = merge(r, i->dst, i->b) || changed;
    if (i->op == SCALAR_OP_select)
        changed = merge(r, i->dst, i->c) || changed;
    return changed;
}

static slip_status find_reach(const mod_entry *e, mem_arena *arena, reach *out)
{
    uint32_t arrays = e->param_count + e->scratch_count + 1;
    reach r = { .words = (arrays + 63) / 64 };
    bool changed = true;

    r.bits = arena_new(arena, ((size_t)e->slot_count + 1) * r.words * sizeof *r.bits);
    if (!r.bits)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for where slots point");
    for (uint32_t p = 0; p < e->param_count; p++)
        if (e->params[p].kind == MOD_ARRAY)
            mark(&r, p, p);
    for (uint32_t s = 0; s < e->scratch_count; s++)
        mark(&r, e->scratch[s].slot, e->param_count + s);
    while (changed) {
        changed = false;
        for (uint32_t k = 0; k < e->instr_count; k++)
            changed = flow(&r, &e->instrs[k]) || changed;
    }
    *out = r;
    return SLIP_OK;
}

static uint32_t flags_of(uint32_t access)
{
    return (access & MOD_READ ? BLOB_READS : 0) | (access & MOD_WRITE ? BLOB_WRITES : 0) |
           (access & MOD_UPDATE ? BLOB_UPDATES : 0);
}

/* What the task does with the arrays that the slot may point into. */
static uint32_t slot_flags(const reach *r, const mod_task *task, uint32_t slot)
{
    uint32_t flags = 0;

    for (uint32_t k = 0; k < task->access_count; k++) {
        uint32_t array = task->accesses[k].array;
        if (r->bits[slot * r->words + array / 64] >> array % 64 & 1)
            flags |= flags_of(task->accesses[k].flags);
    }
    return flags;
}

static bool points(const reach *r, uint32_t slot)
{
    uint64_t any = 0;

    for (uint32_t w = 0; w < r->words; w++)
        any |= r->bits[slot * r->words + w];
    return any != 0;
}

/* ---- tables ---- */

typedef struct packing {
    const mod_module *module;
    const mod_code *gpu, *host;
    blob_shader *shaders;
    blob_arg *args;
    uint32_t arg_count;
    blob_cell *cells;
    uint32_t cell_count;
} packing;

static size_t most_cells(const mod_task *task)
{
    return (size_t)task->access_count + 1 + 2 * (size_t)task->rank + task->reduce_count;
}

static void pack_cell(packing *p, uint32_t first, uint32_t bytes, uint32_t flags)
{
    if (first != MOD_NONE && bytes > 0)
        p->cells[p->cell_count++] = (blob_cell){ first, bytes, flags };
}

static void pack_cells(packing *p, const mod_entry *e, const mod_task *task, blob_shader *to)
{
    to->first_cell = p->cell_count;
    for (uint32_t k = 0; k < task->access_count; k++) {
        const mod_access *a = &task->accesses[k];
        if (a->array == e->param_count + e->scratch_count)
            pack_cell(p, a->first, a->bytes ? a->bytes : e->cells_bytes, flags_of(a->flags));
    }
    pack_cell(p, task->predicate, 4, BLOB_READS);
    for (uint32_t k = 0; k < task->rank; k++) {
        pack_cell(p, task->axes[k].lo_cell, scalar_types[task->axes[k].type].bytes, BLOB_READS);
        pack_cell(p, task->axes[k].hi_cell, scalar_types[task->axes[k].type].bytes, BLOB_READS);
    }
    for (uint32_t k = 0; k < task->reduce_count; k++)
        pack_cell(p, task->reduces[k].cell, scalar_types[task->reduces[k].type].bytes,
                  BLOB_READS | BLOB_WRITES);
    to->cell_count = p->cell_count - to->first_cell;
}

static void pack_args(packing *p, const reach *r, const mod_task *task, blob_shader *to)
{
    to->first_arg = p->arg_count;
    for (uint32_t k = 0; k < task->arg_count; k++) {
        const mod_arg *arg = &task->args[k];
        if (arg->source != MOD_FROM_SLOT || !points(r, arg->index))
            continue;
        p->args[p->arg_count++] =
            (blob_arg){ .offset = arg->offset, .flags = slot_flags(r, task, arg->index) };
    }
    to->arg_count = p->arg_count - to->first_arg;
}

static void pack_shader(packing *p, const mod_entry *e, const mod_task *task, const reach *r,
                        uint32_t index, uint32_t entry, bool finish)
{
    const mod_shader *s = &p->gpu->shaders[index];
    blob_shader *to = &p->shaders[index];

    *to = (blob_shader){ .entry = entry,
                         .is_finish = finish,
                         .rank = task->rank,
                         .strided = s->strided,
                         .inline_block = s->inline_block,
                         .local = s->local,
                         .local_fixed = s->local_fixed,
                         .block_bytes = task->block_bytes,
                         .predicate = task->predicate,
                         .partial_offset = task->partial_offset,
                         .reduce_count = task->reduce_count,
                         .cells_bytes = e->cells_bytes,
                         .left_out = s->bytes == 0 };
    for (size_t k = 0; k + 1 < BLOB_NAME_BYTES && task->name[k]; k++)
        to->name[k] = task->name[k];
    for (uint32_t k = 0; k < task->rank; k++)
        to->axes[k] = (blob_axis){
            .type = task->axes[k].type,
            .lo_cell = task->axes[k].lo == MOD_NONE ? task->axes[k].lo_cell : BLOB_NONE,
            .hi_cell = task->axes[k].hi == MOD_NONE ? task->axes[k].hi_cell : BLOB_NONE
        };
    pack_args(p, r, task, to);
    pack_cells(p, e, task, to);
}

static slip_status pack_entry(packing *p, const mod_entry *e, mem_arena *arena)
{
    reach r = { 0 };

    SLIP_TRY(find_reach(e, arena, &r));
    for (uint32_t t = 0; t < e->task_count; t++) {
        const mod_symbol *gpu = &p->gpu->symbols[e->first_symbol + t];
        const mod_symbol *host = &p->host->symbols[e->first_symbol + t];
        pack_shader(p, e, &e->tasks[t], &r, gpu->main, host->main, false);
        if (gpu->finish != MOD_NONE)
            pack_shader(p, e, &e->tasks[t], &r, gpu->finish, host->finish, true);
    }
    return SLIP_OK;
}

/* ---- bytes ---- */

static uint64_t round_up(uint64_t n)
{
    return (n + 15) / 16 * 16;
}

static void put(text *out, size_t start, const void *bytes, size_t size)
{
    static const char zeros[16];

    text_bytes(out, bytes, size);
    text_bytes(out, zeros, (size_t)(round_up(out->bytes - start) - (out->bytes - start)));
}

static void put_all(const packing *p, text *out)
{
    size_t start = out->bytes;
    text names = { 0 };
    blob b = { .shader_count = p->gpu->shader_count,
               .arg_count = p->arg_count,
               .cell_count = p->cell_count,
               .import_count = p->host->import_count,
               .image_bytes = p->host->size,
               .imports_offset = p->host->imports_offset };

    for (uint32_t k = 0; k < p->host->import_count; k++)
        text_bytes(&names, p->host->imports[k], strlen(p->host->imports[k]) + 1);
    memcpy(b.magic, BLOB_MAGIC, sizeof b.magic);
    b.shaders = (uint32_t)round_up(sizeof b);
    b.args = (uint32_t)(b.shaders + round_up(b.shader_count * sizeof *p->shaders));
    b.cells = (uint32_t)(b.args + round_up(b.arg_count * sizeof *p->args));
    b.imports = (uint32_t)(b.cells + round_up(b.cell_count * sizeof *p->cells));
    b.image = b.imports + round_up(names.bytes);
    b.bytes = b.image + round_up(b.image_bytes);
    put(out, start, &b, sizeof b);
    put(out, start, p->shaders, b.shader_count * sizeof *p->shaders);
    put(out, start, p->args, b.arg_count * sizeof *p->args);
    put(out, start, p->cells, b.cell_count * sizeof *p->cells);
    put(out, start, names.data, names.bytes);
    put(out, start, p->host->bytes, p->host->size);
    if (names.status != SLIP_OK)
        out->status = names.status;
    text_finish(&names);
}

slip_status pack_blob(const mod_module *module, const mod_code *gpu, mem_arena *arena, text *out)
{
    packing p = { .module = module, .gpu = gpu, .host = host_code(module) };
    size_t args = 0, cells = 0;

    if (!p.host)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "the module has no code for %s that a look-alike runs",
                         "this processor");
    for (uint32_t e = 0; e < module->entry_count; e++)
        for (uint32_t t = 0; t < module->entries[e].task_count; t++) {
            args += 2 * (size_t)module->entries[e].tasks[t].arg_count;
            cells += 2 * most_cells(&module->entries[e].tasks[t]);
        }
    p.shaders = arena_new(arena, (gpu->shader_count + 1) * sizeof *p.shaders);
    p.args = arena_new(arena, (args + 1) * sizeof *p.args);
    p.cells = arena_new(arena, (cells + 1) * sizeof *p.cells);
    if (!p.shaders || !p.args || !p.cells)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a blob");
    for (uint32_t e = 0; e < module->entry_count; e++)
        SLIP_TRY(pack_entry(&p, &module->entries[e], arena));
    put_all(&p, out);
    return out->status;
}

/* ---- shaders of no compiler ---- */

static mod_shader shader_of(const mod_task *task, bool finish)
{
    uint32_t header = mod_shader_header(task->rank);
    bool reduces = task->reduce_count > 0, in_cells = false;

    for (uint32_t k = 0; k < task->rank; k++)
        in_cells = in_cells || task->axes[k].lo == MOD_NONE || task->axes[k].hi == MOD_NONE;
    return (mod_shader){ .bytes = 1,
                         .inline_block = header + task->block_bytes <= MOD_STREAM_PARAM_BYTES,
                         .strided = in_cells && !reduces,
                         .local_fixed = reduces || task->rank == 0,
                         .local = finish           ? MOD_STREAM_FINISH
                                  : reduces        ? MOD_REDUCE_LANES
                                  : task->rank > 0 ? MOD_SHADER_LOCAL
                                                   : 1 };
}

slip_status pack_shaders(const mod_module *module, mod_target target, mem_arena *arena,
                         mod_code *out)
{
    mod_symbol *symbols = arena_new(arena, (module->symbol_count + 1) * sizeof *symbols);
    mod_shader *shaders = arena_new(arena, (2 * module->symbol_count + 1) * sizeof *shaders);
    uint32_t count = 0;

    if (!symbols || !shaders)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a table of shaders");
    for (uint32_t e = 0; e < module->entry_count; e++)
        for (uint32_t t = 0; t < module->entries[e].task_count; t++) {
            const mod_task *task = &module->entries[e].tasks[t];
            mod_symbol *symbol = &symbols[module->entries[e].first_symbol + t];
            *symbol = (mod_symbol){ .main = count, .finish = MOD_NONE };
            shaders[count++] = shader_of(task, false);
            if (task->reduce_count == 0)
                continue;
            symbol->finish = count;
            shaders[count++] = shader_of(task, true);
        }
    *out = (mod_code){ .target = target,
                       .symbols = symbols,
                       .symbol_count = module->symbol_count,
                       .shaders = shaders,
                       .shader_count = count };
    return SLIP_OK;
}
