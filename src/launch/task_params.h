/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task_params.h - what a task's code on a GPU is told, and the grid that it runs in, as module.h
 * lays them down at mod_shader: the same for every family that has shaders.
 */
#ifndef SLIPWAY_LAUNCH_TASK_PARAMS_H
#define SLIPWAY_LAUNCH_TASK_PARAMS_H

#include "launch/axes.h"

enum {
    TASK_BLOCK_AT = 48, /* in task_params.bytes: the longest header ends before it */
    TASK_RECIPS = 16,
    TASK_MOST_GROUPS = 1 << 30 /* of a grid: the number of a group fits 32 bits */
};

/* x / count for x < 2^31, as module.h says. */
typedef struct task_recip {
    uint64_t count;
    uint32_t magic, shift;
} task_recip;

/* 1 <= count < 2^31 */
task_recip task_recip_of(uint64_t count);

/* Where parameters are built. The block stands still; a header is written so that it ends where the
 * block begins, and nothing is moved. */
typedef struct task_params {
    _Alignas(16) uint8_t bytes[TASK_BLOCK_AT + MOD_MAX_BLOCK_BYTES];
    _Alignas(16) uint8_t apart[TASK_BLOCK_AT + sizeof(uint64_t)]; /* a header and an address */
    task_recip recips[TASK_RECIPS];
} task_params;

/* Filled by axes_find and axes_args. */
static inline uint8_t *task_params_block(task_params *p)
{
    return p->bytes + TASK_BLOCK_AT;
}

/* A task that is launched. */
typedef struct task_launch {
    const mod_task *task;
    int64_t total;          /* iterations */
    uint64_t cells;         /* address; 0: the entry has none */
    uint64_t block_address; /* of a copy of the block, for shaders that take it so */
} task_launch;

/* What is handed over: `count` bytes, a multiple of 8, in the task_params that made it. */
typedef struct task_given {
    uint8_t *bytes;
    uint32_t count;
} task_given;

/* The parameters of one of the task's shaders, to begin at iteration 0. INTERNAL where they are
 * more than `most` bytes. */
slip_status task_params_make(task_params *p, const task_launch *launch, const mod_shader *shader,
                             uint32_t most, task_given *out) SLIP_MUST_USE;
/* The flat iteration that the grid begins at. */
void task_params_begin_at(const task_given *given, uint64_t first);

/* A grid for `wanted` groups, at least 1, or for as many as `most` of each axis let it have; gives
 * how many those are. The grid may hold more. */
uint64_t task_grid(const uint64_t most[3], uint64_t wanted, uint32_t groups[3]);

#endif
