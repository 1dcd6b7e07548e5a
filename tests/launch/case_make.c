/* SPDX-License-Identifier: Apache-2.0 */
/* case_make.c - kernels made by hand, a part at a time; see launch_case.h. */
#include "launch/launch_case.h"

#include <string.h>

#include "support/check.h"

void case_begin(case_kernel *k, const char *name, uint32_t cells_bytes)
{
    memset(k, 0, sizeof *k);
    k->entry = (mod_entry){ .name = name,
                            .params = k->params,
                            .nodes = k->nodes,
                            .instrs = k->instrs,
                            .consts = k->consts,
                            .scratch = k->scratch,
                            .tasks = k->tasks,
                            .cells_bytes = cells_bytes,
                            .cells_slot = CASE_SLOTS - 1 };
    k->code = (mod_code){ .bytes = (const uint8_t *)k->words,
                          .symbols = k->symbols,
                          .shaders = k->shaders };
}

static uint32_t next_slot(case_kernel *k)
{
    CHECK(k->entry.slot_count + 1 < CASE_SLOTS);
    return k->entry.slot_count++;
}

static mod_param *add_param(case_kernel *k, const char *name)
{
    CHECK_EQ_U64(k->entry.slot_count, k->entry.param_count);
    next_slot(k);
    mod_param *p = &k->params[k->entry.param_count++];
    p->name = name;
    return p;
}

uint32_t case_scalar(case_kernel *k, const char *name)
{
    mod_param *p = add_param(k, name);

    p->kind = MOD_SCALAR;
    p->scalar = SCALAR_i64;
    p->bytes = 8;
    return k->entry.param_count - 1;
}

uint32_t case_array(case_kernel *k, const char *name, uint32_t access)
{
    mod_param *p = add_param(k, name);

    p->kind = MOD_ARRAY;
    p->scalar = SCALAR_i32;
    p->bytes = p->align = 4;
    p->access = access;
    p->is_const = !(access & MOD_WRITE);
    return k->entry.param_count - 1;
}

uint32_t case_scratch(case_kernel *k, const char *name, uint32_t extent)
{
    mod_scratch *s = &k->scratch[k->entry.scratch_count++];

    *s = (mod_scratch){
        .name = name, .slot = next_slot(k), .bytes = 4, .align = 4, .rank = 1, .extents = { extent }
    };
    return s->slot;
}

uint32_t case_const(case_kernel *k, uint64_t bits)
{
    uint32_t slot = next_slot(k);

    CHECK(k->entry.const_count < CASE_MOST);
    k->consts[k->entry.const_count++] = (mod_const){ slot, bits };
    return slot;
}

uint32_t case_variable(case_kernel *k)
{
    return next_slot(k);
}

static void add_shader(case_kernel *k, uint32_t task, case_body body, bool is_finish)
{
    uint32_t at = k->code.shader_count++;
    bool reduces = is_finish;

    k->shaders[at] = (mod_shader){ .offset = (uint32_t)(at * sizeof(k->words[0])),
                                   .bytes = sizeof(k->words[0]),
                                   .inline_block = true,
                                   .local = reduces ? MOD_REDUCE_LANES : MOD_SHADER_LOCAL,
                                   .local_fixed = reduces };
    k->fakes[at] = (fake_shader){ &k->tasks[task], &k->shaders[at], is_finish, body };
    k->words[at] = &k->fakes[at];
}

uint32_t case_task(case_kernel *k, const char *name, uint32_t rank, const uint32_t *extents,
                   case_body body)
{
    uint32_t at = k->entry.task_count++;
    CHECK(at < CASE_MOST);
    uint32_t zero = rank > 0 ? case_const(k, 0) : 0;

    k->tasks[at] = (mod_task){ .name = name,
                               .rank = rank,
                               .args = k->args[at],
                               .block_bytes = 16 * rank,
                               .predicate = MOD_NONE,
                               .partial_offset = MOD_NONE,
                               .accesses = k->accesses[at] };
    for (uint32_t a = 0; a < rank; a++)
        k->tasks[at].axes[a] = (mod_axis){ SCALAR_i64, zero, extents[a], MOD_NONE, MOD_NONE };
    k->symbols[at] = (mod_symbol){ k->code.shader_count, MOD_NONE };
    k->code.symbol_count++;
    add_shader(k, at, body, false);
    return at;
}

void case_arg(case_kernel *k, uint32_t task, uint32_t slot)
{
    mod_task *t = &k->tasks[task];

    k->args[task][t->arg_count++] = (mod_arg){ MOD_FROM_SLOT, slot, t->block_bytes, 8 };
    t->block_bytes += 8;
}

uint32_t case_cells(const case_kernel *k)
{
    return k->entry.param_count + k->entry.scratch_count;
}

void case_touches(case_kernel *k, uint32_t task, uint32_t array, uint32_t flags)
{
    k->accesses[task][k->tasks[task].access_count++] =
        (mod_access){ .array = array, .flags = flags };
}

void case_touches_cells(case_kernel *k, uint32_t task, uint32_t first, uint32_t bytes,
                        uint32_t flags)
{
    k->accesses[task][k->tasks[task].access_count++] =
        (mod_access){ case_cells(k), flags, first, bytes };
}

void case_reduces(case_kernel *k, uint32_t task, uint32_t cell, case_body finish)
{
    mod_task *t = &k->tasks[task];

    case_arg(k, task, k->entry.cells_slot);
    k->reduces[task] = (mod_reduce){ SCALAR_OP_add, SCALAR_i64, cell };
    t->reduces = &k->reduces[task];
    t->reduce_count = 1;
    t->partial_bytes = 8;
    t->partial_offset = t->block_bytes;
    t->block_bytes += 8;
    k->shaders[k->symbols[task].main].local = MOD_REDUCE_LANES;
    k->shaders[k->symbols[task].main].local_fixed = true;
    k->symbols[task].finish = k->code.shader_count;
    add_shader(k, task, finish, true);
}

void case_block_by_address(case_kernel *k, uint32_t task)
{
    k->shaders[k->symbols[task].main].inline_block = false;
    if (k->symbols[task].finish != MOD_NONE)
        k->shaders[k->symbols[task].finish].inline_block = false;
}

uint32_t case_node(case_kernel *k, mod_node_kind kind, uint32_t first)
{
    uint32_t at = k->entry.node_count++;

    CHECK(at < CASE_MOST);
    k->nodes[at] = (mod_node){
        .kind = kind, .first = first, .count = 1, .cond = MOD_NONE, .other = at + 1, .end = at + 1
    };
    return at;
}

void case_end(case_kernel *k, uint32_t node)
{
    k->nodes[node].end = k->entry.node_count;
}

void case_instr(case_kernel *k, scalar_op op, scalar_type type, uint32_t dst, uint32_t a,
                uint32_t b)
{
    k->instrs[k->instr_count++] =
        (mod_instr){ .op = (uint8_t)op, .type = type, .from = type, .dst = dst, .a = a, .b = b };
    k->entry.instr_count = k->instr_count;
}
