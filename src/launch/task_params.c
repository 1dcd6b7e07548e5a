/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task_params.c - builds a shader's parameters around the block, and divides a task into grids.
 *
 * Predicates and device bounds are the shader's to read: the host does not know them.
 */
#include "launch/task_params.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"

_Static_assert(TASK_BLOCK_AT >= MOD_SHADER_HEADER_BYTES + 8 * (MOD_MAX_AXES - 1),
               "the longest header fits before the block");
_Static_assert(MOD_SHADER_HEADER_BYTES % 8 == 0 && TASK_BLOCK_AT % 16 == 0,
               "every header begins at a multiple of 8, and the block where structs may");

static const task_recip *recip(task_params *p, int64_t count)
{
    task_recip *known = &p->recips[(uint64_t)count % TASK_RECIPS];

    if (known->count != (uint64_t)count)
        *known = task_recip_of((uint64_t)count);
    return known;
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

/* Of the fast axes: what divides by their counts. */
static uint8_t *put_recips(task_params *p, const task_launch *launch, bool strided, uint8_t *to)
{
    const axes_place *axes = (const axes_place *)task_params_block(p);

    for (uint32_t k = 1; k < launch->task->rank; k++) {
        uint32_t parts[2] = { 0, 255 };
        if (!strided && launch->total > 0 && launch->total <= INT32_MAX) {
            const task_recip *r = recip(p, axes[launch->task->rank - k].count);
            parts[0] = r->magic;
            parts[1] = r->shift;
        }
        to = put(to, parts, sizeof parts);
    }
    return to;
}

static uint32_t header_bytes(const mod_task *task)
{
    return MOD_SHADER_HEADER_BYTES + 8 * (task->rank > 0 ? task->rank - 1 : 0);
}

slip_status task_params_make(task_params *p, const task_launch *launch, const mod_shader *shader,
                             uint32_t most, task_given *out)
{
    uint64_t first = 0, end = (uint64_t)launch->total;
    uint32_t header = header_bytes(launch->task);
    uint32_t rest = shader->inline_block ? launch->task->block_bytes : sizeof launch->block_address;
    uint8_t *begin = (shader->inline_block ? p->bytes : p->apart) + TASK_BLOCK_AT - header;

    if (header + rest > most)
        return SLIP_FAIL(SLIP_ERR_INTERNAL,
                         "task %s: %" PRIu32 " bytes of parameters do not fit %" PRIu32,
                         launch->task->name, header + rest, most);
    uint8_t *to = put(begin, &first, sizeof first);
    to = put(to, &end, sizeof end);
    to = put(to, &launch->cells, sizeof launch->cells);
    to = put_recips(p, launch, shader->strided, to);
    if (!shader->inline_block)
        put(to, &launch->block_address, sizeof launch->block_address);
    *out = (task_given){ begin, (header + rest + 7) & ~7u };
    return SLIP_OK;
}

void task_params_begin_at(const task_given *given, uint64_t first)
{
    memcpy(given->bytes, &first, sizeof first);
}

uint64_t task_grid(const uint64_t most[3], uint64_t wanted, uint32_t groups[3])
{
    uint64_t left = wanted < TASK_MOST_GROUPS ? wanted : TASK_MOST_GROUPS, whole = 1;

    for (int k = 0; k < 3; k++) {
        uint64_t room = TASK_MOST_GROUPS / whole < most[k] ? TASK_MOST_GROUPS / whole : most[k];
        groups[k] = (uint32_t)(left < room ? left : room);
        left = (left - 1) / groups[k] + 1;
        whole *= groups[k];
    }
    return whole < wanted ? whole : wanted;
}
