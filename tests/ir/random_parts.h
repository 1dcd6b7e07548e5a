/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_parts.h - what the files that make random modules share: what is in scope, and the
 * statements that are no control flow.
 */
#ifndef SLIPWAY_TESTS_IR_RANDOM_PARTS_H
#define SLIPWAY_TESTS_IR_RANDOM_PARTS_H

#include "random_ir.h"

enum { RANDOM_MOST_VALUES = 64, RANDOM_MOST_VARS = 16, RANDOM_KINDS = 4 };

typedef struct random_pool { /* what is in scope; copied on the way into a region */
    ir_op *values[RANDOM_KINDS][RANDOM_MOST_VALUES];
    uint32_t counts[RANDOM_KINDS];
    ir_op *vars[RANDOM_MOST_VARS]; /* pointers to scalars, structs and arrays in local memory */
    uint32_t var_count;
} random_pool;

typedef struct random_maker {
    ir_builder b;
    uint64_t state;
    random_pool in;
    ir_func *helpers[4];
    uint32_t helper_count;
    ir_op *ints, *floats; /* the arrays, NULL in a helper without */
    const ir_type *pair;
    const ir_table *table;
    uint32_t depth, levels, budget; /* levels: loops and blocks around, within the task */
    uint32_t loop_levels;           /* bit k: level k from outside is a loop */
    bool in_task;
} random_maker;

extern const scalar_type random_kinds[RANDOM_KINDS];

uint32_t random_pick(random_maker *m, uint32_t below);
void random_offer(random_maker *m, ir_op *value); /* it is in scope from here */
ir_op *random_any(random_maker *m, scalar_type type);

/* One statement each, or none where there is nothing to make it of. */
void random_scalar(random_maker *m);
void random_convert(random_maker *m);
void random_wide(random_maker *m);
void random_var(random_maker *m);
void random_access(random_maker *m);
void random_copy(random_maker *m);
void random_update(random_maker *m);
void random_call(random_maker *m);

#endif
