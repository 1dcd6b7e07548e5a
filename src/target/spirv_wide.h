/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_wide.h - what tasks and reductions count iterations and bytes with: numbers of 64 bits.
 */
#ifndef SLIPWAY_TARGET_SPIRV_WIDE_H
#define SLIPWAY_TARGET_SPIRV_WIDE_H

#include "target/spirv_emit.h"

static inline spirv_id spirv_add64(spirv_emit *e, spirv_id a, spirv_id b)
{
    return spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U64), a, b);
}

static inline spirv_id spirv_sub64(spirv_emit *e, spirv_id a, spirv_id b)
{
    return spirv_make2(e, SPIRV_ISub, spirv_type(e, SPIRV_U64), a, b);
}

static inline spirv_id spirv_mul64(spirv_emit *e, spirv_id a, spirv_id b)
{
    return spirv_make2(e, SPIRV_IMul, spirv_type(e, SPIRV_U64), a, b);
}

/* A word as a number of 64 bits. */
static inline spirv_id spirv_wide(spirv_emit *e, spirv_id word)
{
    return spirv_make1(e, SPIRV_UConvert, spirv_type(e, SPIRV_U64), word);
}

static inline spirv_id spirv_test(spirv_emit *e, spirv_op compare, spirv_id a, spirv_id b)
{
    return spirv_make2(e, compare, spirv_type(e, SPIRV_BOOL), a, b);
}

/* spirv_task.c: the number of this invocation in the grid, and how many there are. */
spirv_id spirv_invocation(spirv_emit *e);
spirv_id spirv_invocations(spirv_emit *e);
/* spirv_strided.c: main of a shader that walks on. */
void spirv_strided(spirv_emit *e);

#endif
