/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.c - holds tasks to what their module says of the cells. Pages are too coarse for that: the
 * bytes that a task is not to touch are inverted while it runs, so that a task which reads one
 * gives another result, and one which writes one is found out.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake/stream/task.h"

/* The operation that runs: one at a time (core.h). */
static struct {
    uint8_t *at;     /* NULL: nothing is hidden */
    uint8_t *kept;   /* [bytes] as they were */
    uint8_t *hidden; /* [bytes] 0xff: none of the task's */
    uint32_t bytes;
} now;

const blob_cell *task_cells(const fake_op *op, uint32_t *out_count)
{
    const uint8_t *bytes = op->function->code->blob;
    const blob *b = (const blob *)bytes;

    *out_count = op->function->shader->cell_count;
    return (const blob_cell *)(bytes + b->cells) + op->function->shader->first_cell;
}

static void find_hidden(const fake_op *op)
{
    uint32_t count = 0;
    const blob_cell *cells = task_cells(op, &count);

    memset(now.hidden, 0xff, now.bytes);
    for (uint32_t k = 0; k < count; k++)
        memset(now.hidden + cells[k].first, 0, cells[k].bytes);
}

void cells_hide(const fake_op *op)
{
    const blob_shader *s = op->function->shader;
    uint64_t at = task_params_of(s, op->params).cells;
    fake_range *r = s->cells_bytes ? memory_find(at) : NULL;

    now.at = NULL;
    if (!r || r->kind != FAKE_DEVICE)
        return;
    now.at = (uint8_t *)(uintptr_t)at;
    now.bytes = s->cells_bytes;
    now.kept = fake_zeroed(now.bytes);
    now.hidden = fake_zeroed(now.bytes);
    find_hidden(op);
    memory_rights(r, PROT_READ | PROT_WRITE);
    memcpy(now.kept, now.at, now.bytes);
    for (uint32_t k = 0; k < now.bytes; k++)
        now.at[k] ^= now.hidden[k];
    memory_rights(r, op_rights(op, r));
}

void cells_show(const fake_op *op)
{
    fake_range *r = now.at ? memory_find((uint64_t)(uintptr_t)now.at) : NULL;
    bool told = false;

    if (!r)
        return;
    memory_rights(r, PROT_READ | PROT_WRITE);
    for (uint32_t k = 0; k < now.bytes; k++) {
        bool written = now.hidden[k] && now.at[k] != (now.kept[k] ^ now.hidden[k]);
        if (written && !told)
            fake_report("%s wrote byte %u of the cells, which is none of its own", op->name, k);
        told = told || written;
        if (now.hidden[k])
            now.at[k] = now.kept[k];
    }
    memory_rights(r, op_rights(op, r));
    free(now.kept);
    free(now.hidden);
    now.at = NULL;
}
