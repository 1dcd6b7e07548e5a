/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.c - finds which parameters decide, and writes launches down.
 *
 * A call is never the worse for being recorded: where there is no room the record is given up, and
 * nobody is told.
 */
#include "launch/record.h"

#include "base/fail.h"
#include "base/mem.h"

enum { RECORD_ALIGN = 16 }; /* of each launch's block: structs in it need no more */

/* ---- what decides ---------------------------------------------------------------------------- */

static void mark(const mod_entry *entry, bool *decides, uint32_t slot)
{
    if (slot < entry->param_count) /* MOD_NONE is larger */
        decides[slot] = true;
}

static bool mark_instr(const mod_entry *entry, bool *decides, const mod_instr *in)
{
    uint8_t operands = in->op < SCALAR_OP_COUNT ? scalar_ops[in->op].operands : 1;

    if (in->op == MOD_OP_MEMBER)
        return false;
    mark(entry, decides, in->dst); /* tasks are not given the argument, but what it has become */
    mark(entry, decides, in->a);
    if (operands > 1)
        mark(entry, decides, in->b);
    if (operands > 2)
        mark(entry, decides, in->c);
    return true;
}

bool record_decides(const mod_entry *entry, bool *decides)
{
    bool possible = entry->result.kind == MOD_NO_RESULT;

    for (uint32_t p = 0; p < entry->param_count; p++)
        decides[p] = entry->params[p].kind == MOD_ARRAY;
    for (uint32_t p = 0; p < entry->param_count; p++)
        for (uint32_t d = 0; d < entry->params[p].rank; d++)
            mark(entry, decides, entry->params[p].extents[d]);
    for (uint32_t k = 0; k < entry->instr_count; k++)
        possible = mark_instr(entry, decides, &entry->instrs[k]) && possible;
    for (uint32_t k = 0; k < entry->node_count; k++)
        mark(entry, decides, entry->nodes[k].cond);
    for (uint32_t t = 0; t < entry->task_count; t++)
        for (uint32_t k = 0; k < entry->tasks[t].rank; k++) {
            mark(entry, decides, entry->tasks[t].axes[k].lo);
            mark(entry, decides, entry->tasks[t].axes[k].hi);
        }
    return possible;
}

/* ---- writing down ---------------------------------------------------------------------------- */

static void empty(launch_record *r, record_state state, const mod_entry *entry, const bool *decides)
{
    r->state = state;
    r->launch_count = r->patch_count = r->used = r->tasks = 0;
    r->decides = decides;
    r->param_count = entry->param_count;
}

void record_begin(launch_record *r, const char *name, const mod_entry *entry, const bool *decides)
{
    empty(r, RECORD_OPEN, entry, decides);
    r->name = name;
}

void record_count(launch_record *r, const mod_entry *entry, const bool *decides)
{
    empty(r, RECORD_COUNTING, entry, decides);
    r->refused = false;
}

void record_refuse(launch_record *r)
{
    r->state = RECORD_EMPTY;
    r->refused = true;
}

static slip_status make_room(launch_record *r, size_t launches, size_t patches, size_t bytes)
{
    SLIP_TRY(mem_grow((void **)&r->launches, &r->launch_capacity, launches, sizeof *r->launches));
    SLIP_TRY(mem_grow((void **)&r->patches, &r->patch_capacity, patches, sizeof *r->patches));
    return mem_grow((void **)&r->bytes, &r->byte_capacity, bytes, 1);
}

slip_status record_reserve(launch_record *r, const launch_record *counted)
{
    return make_room(r, counted->launch_count, counted->patch_count, counted->used);
}

/* Is it the argument as it came? */
static bool is_given(const launch_record *r, const mod_arg *arg)
{
    return arg->index < r->param_count && !r->decides[arg->index];
}

static uint32_t patches_of(const launch_record *r, const mod_task *task)
{
    uint32_t patches = 0;

    for (uint32_t k = 0; k < task->arg_count; k++)
        patches += is_given(r, &task->args[k]);
    return patches;
}

static void add_patches(launch_record *r, const mod_task *task, uint32_t block)
{
    for (uint32_t k = 0; k < task->arg_count; k++) {
        const mod_arg *arg = &task->args[k];
        if (is_given(r, arg))
            r->patches[r->patch_count++] =
                (record_patch){ .param = arg->index,
                                .at = block + arg->offset,
                                .bytes = arg->bytes,
                                .by_address = arg->source == MOD_FROM_STRUCT };
    }
}

static void write_down(launch_record *r, const record_launch *launch, uint32_t at)
{
    record_launch *made = &r->launches[r->launch_count];

    *made = *launch;
    made->at = at;
    made->tasks_before = r->tasks;
}

void record_add(launch_record *r, const record_launch *launch, const uint8_t *bytes,
                uint32_t block_at)
{
    uint32_t lead = (RECORD_ALIGN - block_at % RECORD_ALIGN) % RECORD_ALIGN;
    uint32_t room = (lead + launch->bytes + RECORD_ALIGN - 1) / RECORD_ALIGN * RECORD_ALIGN;

    if (r->state != RECORD_OPEN && r->state != RECORD_COUNTING)
        return;
    if (r->launch_count == RECORD_MOST_LAUNCHES || room > RECORD_MOST_BYTES - r->used) {
        record_refuse(r);
        return;
    }
    uint32_t patches = patches_of(r, launch->task), at = r->used + lead;
    if (r->state == RECORD_COUNTING) {
        r->patch_count += patches;
    } else if (make_room(r, (size_t)r->launch_count + 1, (size_t)r->patch_count + patches,
                         (size_t)r->used + room) != SLIP_OK) {
        fail_clear();
        r->state = RECORD_EMPTY;
        return;
    } else {
        write_down(r, launch, at);
        memcpy(r->bytes + at, bytes, launch->bytes);
        add_patches(r, launch->task, at + block_at);
    }
    r->launch_count++;
    r->used += room;
}

void record_end(launch_record *r, slip_status status)
{
    if (r->state == RECORD_OPEN)
        r->state = status == SLIP_OK ? RECORD_WHOLE : RECORD_EMPTY;
}

void record_finish(launch_record *r)
{
    mem_free(r->launches);
    mem_free(r->patches);
    mem_free(r->bytes);
    *r = (launch_record){ 0 };
}
