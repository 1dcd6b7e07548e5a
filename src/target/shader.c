/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shader.c - see shader.h.
 */
#include "target/shader.h"

static bool bound_in_cell(const mod_task *task)
{
    for (uint32_t k = 0; k < task->rank; k++)
        if (task->axes[k].lo_cell != MOD_NONE || task->axes[k].hi_cell != MOD_NONE)
            return true;
    return false;
}

mod_shader shader_facts(const mod_task *task, uint32_t most_bytes)
{
    bool reduces = task->reduce_count > 0;

    return (mod_shader){
        .inline_block = mod_shader_header(task->rank) + task->block_bytes <= most_bytes,
        .strided = !reduces && bound_in_cell(task),
        .local_fixed = reduces || task->rank == 0,
        .local = reduces           ? MOD_REDUCE_LANES
                 : task->rank == 0 ? 1
                                   : MOD_SHADER_LOCAL,
    };
}
