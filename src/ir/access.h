/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access.h - what a task does with each array, element by element; for access_*.c, pass_access.c
 * and pass_atomics.c.
 *
 * An address is a base plus *digits*: one per dimension of the array, slow first, in elements. A
 * digit is a sum of terms, each a uniform factor times an atom (an index of the task, or any other
 * value). A store is *keyed* when digits that depend on the indices alone determine the iteration:
 * then no two iterations meet there. Facts are proved for signed index arithmetic that does not
 * wrap and for inner subscripts inside their dimension, which C demands; between different arrays
 * they hold under the assumption that the arrays do not overlap (mod_apart).
 */
#ifndef SLIPWAY_IR_ACCESS_H
#define SLIPWAY_IR_ACCESS_H

#include "ir/launch.h"

enum { ACCESS_SYMBOLS = 6, ACCESS_TERMS = 8, ACCESS_DIGITS = IR_MAX_RANK };

/* A product: coefficient times launch values. */
typedef struct access_product {
    int64_t factor;                   /* 0: nothing is known */
    uint64_t symbols[ACCESS_SYMBOLS]; /* sorted: a slot, or an op's address */
    uint32_t count;
} access_product;

typedef struct access_term {
    access_product factor;
    ir_op *atom;
} access_term;

typedef struct access_digit {
    int64_t constant;
    access_term terms[ACCESS_TERMS];
    uint32_t count;
} access_digit;

typedef struct access_form {
    bool known;
    uint32_t rank;
    access_product strides[ACCESS_DIGITS]; /* in units of the innermost element */
    access_digit digits[ACCESS_DIGITS];
    const ir_type *unit; /* type of the innermost element */
    uint64_t path;       /* byte inside the element */
} access_form;

typedef enum access_kind { ACCESS_READ, ACCESS_STORE, ACCESS_UPDATE } access_kind;

typedef struct access_at {
    access_kind kind;
    ir_op *op;
    ir_op *ptr;
    ir_op *root;      /* the parameter that the pointer comes from; NULL: several, or unknown */
    uint64_t *arrays; /* bit set of the arrays that it may be in */
    access_form form;
    bool guarded; /* stands under an if or switch, or after something that may end the iteration */
    bool looped;  /* stands in a loop */
    bool keyed;
    bool likely; /* keyed if no uniform factor is 0: x[i * stride] */
    bool only;   /* keyed, and so is every other access to its arrays, at the same key */
} access_at;

typedef struct access_task {
    ir_module *m;
    ir_func *func;
    const ir_task_info *info;
    const mod_entry *entry;
    const mod_task *task;
    uint32_t array_count; /* parameters, scratch, cells */
    uint32_t words;       /* of a bit set */
    access_at *at;
    uint32_t count, capacity;
} access_task;

static inline bool access_has(const uint64_t *set, uint32_t array)
{
    return set[array / 64] >> (array % 64) & 1;
}

/* Is there an array that both may be accesses to? */
static inline bool access_overlap(const access_task *t, const access_at *a, const access_at *b)
{
    for (uint32_t w = 0; w < t->words; w++)
        if (a->arrays[w] & b->arrays[w])
            return true;
    return false;
}

/* All accesses of a task to arrays, in program order. */
void access_collect(ir_module *m, ir_func *func, access_task *out);
/* keyed and only of each. */
void access_prove(access_task *t);
/* Does a value differ between any two iterations? */
bool access_names_iteration(const access_task *t, ir_op *value);
bool access_same_form(const access_form *a, const access_form *b);
/* Is `a` where another iteration's `b` is, a fixed number of iterations away: x[i - 1] and x[i]? */
bool access_next_to(const access_task *t, const access_at *a, const access_at *b);
/* A value that is the same in all iterations: made of launch values, by-value structs and tables
 * alone. */
bool access_uniform(const access_task *t, const ir_op *op, int depth);

/* access_form.c */
void access_form_of(const access_task *t, ir_op *ptr, access_at *out);
void access_form_of_value(const access_task *t, ir_op *value, access_form *out); /* one digit */
bool access_same_value(const ir_op *a, const ir_op *b, int depth);
bool access_is_index(const access_task *t, const ir_op *op);
/* A value made of launch values alone; factor 0 if it is none. */
access_product access_value_product(const access_task *t, const ir_op *op);

/* access_product.c */
access_product access_slot_product(const access_task *t, uint32_t slot, int depth);
access_product access_symbol(uint64_t name); /* of one slot or value, by its number */
bool access_same_product(const access_product *a, const access_product *b);
access_product access_times(access_product a, access_product b);

/* access_loops.c: exclusive bound of a counting loop's variable, which starts at 0 or above; factor
 * 0: none */
access_product access_loop_bound(const access_task *t, const ir_op *load);

/* access_cells.c: the rows of the cells, in order of their bytes; how many. */
uint32_t access_cells(const access_task *t, mod_access **out);

/* The flags of every task, and of every parameter, from the accesses of all tasks. */
void access_publish(access_task *t);
void access_publish_params(const mod_module *module);
/* access_apart.c: the pairs of arrays that the task assumes apart (rule 10), into its row. */
void access_find_aparts(access_task *t);
/* Warns of arrays that one slip_section writes and another touches; needs what access_publish put
 * into the tasks. */
void access_check_sections(const ir_module *m, diag_list *diags, const mod_module *launch);

#endif
