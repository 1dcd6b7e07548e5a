/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_launch.c - launching: what a kernel is given is read here, when it is queued, as the drivers
 * do; what its block points to when it runs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake/stream/task.h"

/* CU_LAUNCH_PARAM_..., HIP_LAUNCH_PARAM_... */
enum { PARAM_END = 0, PARAM_POINTER = 1, PARAM_SIZE = 2, HIP_PARAM_END = 3 };

/* The parameter's bytes; NULL: they are not the kernel's. */
static const uint8_t *param_bytes(const blob_shader *s, void **params, void **extra)
{
    size_t bytes = 0;
    const uint8_t *found = NULL;

    if (!extra)
        return params ? params[0] : NULL;
    for (; (uintptr_t)extra[0] != PARAM_END && (uintptr_t)extra[0] != HIP_PARAM_END; extra += 2) {
        if ((uintptr_t)extra[0] == PARAM_POINTER)
            found = extra[1];
        if ((uintptr_t)extra[0] == PARAM_SIZE)
            memcpy(&bytes, extra[1], sizeof bytes);
    }
    if (bytes != task_param_bytes(s))
        fake_report("%s is given %zu bytes, and declares %u", s->name, bytes, task_param_bytes(s));
    return found;
}

static bool grid_fits(const uint32_t groups[3], const uint32_t local[3])
{
    static const uint32_t most[3] = { 0x7fffffff, 65535, 65535 };

    for (int k = 0; k < 3; k++) {
        if (groups[k] == 0 || groups[k] > most[k] || local[k] == 0 || local[k] > 1024)
            return false;
        if (fake_vendor_row.max_grid_threads &&
            (uint64_t)groups[k] * local[k] >= fake_vendor_row.max_grid_threads)
            return false;
    }
    return local[0] * local[1] * local[2] <= 1024;
}

/* What the block will hold when the kernel runs: its own bytes, or what the last upload queued
 * before it brings there. */
static const uint8_t *see_block(const fake_op *op, const task_params *p, uint32_t bytes)
{
    const fake_op *best = NULL;

    if (p->block)
        return p->block;
    for (uint32_t k = 1; k < fake.lane_count; k++)
        for (const fake_op *o = fake.lanes[k].first; o; o = o->next)
            if (o->kind == FAKE_COPY && (uint64_t)(uintptr_t)o->to <= p->block_address &&
                p->block_address + bytes <= (uint64_t)(uintptr_t)o->to + o->bytes)
                best = o;
    (void)op;
    if (best)
        return (best->own ? best->own : best->from) +
               (p->block_address - (uint64_t)(uintptr_t)best->to);
    return memory_seen(p->block_address);
}

static uint32_t ours_of(uint32_t flags)
{
    return (flags & (BLOB_READS | BLOB_UPDATES) ? FAKE_READS : 0) |
           (flags & (BLOB_WRITES | BLOB_UPDATES) ? FAKE_WRITES : 0);
}

static void add_access(fake_op *op, uint64_t at, uint32_t flags)
{
    if (ours_of(flags) && memory_find(at))
        op_access(op, at, 0, ours_of(flags));
}

static void add_cells(fake_op *op, uint64_t cells)
{
    uint32_t count = 0;
    const blob_cell *of = task_cells(op, &count);

    if (count == 0 || !memory_find(cells))
        return;
    memory_note_start(memory_find(cells), cells);
    for (uint32_t k = 0; k < count; k++)
        op_access_part(op, cells + of[k].first, cells + of[k].first + of[k].bytes,
                       ours_of(of[k].flags));
}

/* The memory that the kernel may touch, from its parameter and from what the module says of it. */
static void add_accesses(fake_op *op, const blob_shader *s)
{
    task_params p = task_params_of(s, op->params);
    const blob *b = (const blob *)op->function->code->blob;
    const blob_arg *args = (const blob_arg *)(op->function->code->blob + b->args) + s->first_arg;
    fake_range *held = p.block ? NULL : memory_find(p.block_address);
    uint64_t at;

    add_cells(op, p.cells);
    if (!p.block)
        op_access(op, p.block_address, p.block_address + s->block_bytes, FAKE_READS);
    if (held && held->kind == FAKE_DEVICE)
        memory_rights(held, PROT_READ);
    const uint8_t *block = see_block(op, &p, s->block_bytes);
    for (uint32_t k = 0; k < s->arg_count; k++) {
        if (s->is_finish)
            break; /* it folds partials into the cells */
        memcpy(&at, block + args[k].offset, sizeof at);
        add_access(op, at, args[k].flags);
    }
    if (s->partial_offset != BLOB_NONE) {
        memcpy(&at, block + s->partial_offset, sizeof at);
        add_access(op, at, BLOB_READS | BLOB_WRITES); /* a finish folds them where they lie */
    }
    if (held && held->kind == FAKE_DEVICE)
        memory_rights(held, PROT_NONE);
}

static fake_op *task_op(const fake_function *f, const uint8_t *bytes, uint64_t groups,
                        uint32_t local)
{
    fake_op *op = op_new(FAKE_TASK, f->shader->name);

    if (f->shader->is_finish)
        op_name(op, " finish");
    op->function = f;
    op->param_bytes = task_param_bytes(f->shader) + 16u;
    op->params = fake_zeroed(op->param_bytes);
    memcpy(op->params, bytes, task_param_bytes(f->shader));
    op->groups = groups;
    op->local = local;
    add_accesses(op, f->shader);
    return op;
}

static void check_local(const blob_shader *s, uint32_t local, uint64_t groups)
{
    if (s->local_fixed ? local != s->local : local > s->local)
        fake_report("%s is launched with %u threads a group, and has %s%u", s->name, local,
                    s->local_fixed ? "" : "at most ", s->local);
    if ((s->is_finish || s->rank == 0) && groups != 1)
        fake_report("%s is launched with %llu groups, and has one", s->name,
                    (unsigned long long)groups);
}

int fake_launch(fake_handle function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                unsigned local_x, unsigned local_y, unsigned local_z, unsigned shared_bytes,
                fake_handle stream, void **params, void **extra)
{
    const uint32_t groups[3] = { groups_x, groups_y, groups_z };
    const uint32_t local[3] = { local_x, local_y, local_z };
    int status = fake_enter_in_context(FAKE_SLOT_launch);
    const fake_function *f = code_function(function);
    uint32_t lane = 0;

    if (!status && (!f || (fake_vendor_row.has_contexts && f->code->context != context_now())))
        status = FAKE_INVALID_HANDLE;
    if (!status)
        status = context_stream(stream, &lane);
    if (!status && (!grid_fits(groups, local) || shared_bytes || local_y != 1 || local_z != 1))
        status = FAKE_INVALID_VALUE;
    const uint8_t *bytes = status ? NULL : param_bytes(f->shader, params, extra);
    if (!status && !bytes)
        status = FAKE_INVALID_VALUE;
    if (status)
        return fake_leave(status);
    uint64_t count = (uint64_t)groups_x * groups_y * groups_z;
    check_local(f->shader, local_x, count);
    fake.counts[FAKE_COUNT_TASKS]++;
    queue_add(lane, task_op(f, bytes, count, local_x), NULL);
    return fake_leave(FAKE_OK);
}
