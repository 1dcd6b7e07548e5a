/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interp.h - runs IR functions on the host, one op after the other: the meaning that passes keep.
 *
 * Pointers are addresses of real memory, so that the sanitizers see an access outside an array.
 * Tasks run their iterations in rising order, sections one after the other.
 */
#ifndef SLIPWAY_TESTS_IR_INTERP_H
#define SLIPWAY_TESTS_IR_INTERP_H

#include "ir/launch.h"

enum { INTERP_REDUCES = 8 };

typedef struct interp {
    uint64_t steps;       /* ops still allowed; at 0 the run fails */
    const char *failed;   /* why the run stopped; NULL if it went well */
    text log;             /* what print and failing asserts say */
    uint64_t reduces[INTERP_REDUCES]; /* folded in the order of iterations, from what stood here */
} interp;

/* Runs f; gives its value's bits, 0 if it gives none. Arguments: canonical bits, addresses. */
uint64_t interp_run(interp *in, ir_func *f, const uint64_t *args);
void interp_finish(interp *in);

#endif
