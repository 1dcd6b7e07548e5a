/* SPDX-License-Identifier: Apache-2.0 */
/*
 * need.h - what a benchmark cannot go on without.
 */
#ifndef SLIPWAY_BENCH_NEED_H
#define SLIPWAY_BENCH_NEED_H

#include <stdio.h>
#include <stdlib.h>

#include <slipway/slipway.h>

/* Ends the program with the failure's message. */
static inline void need(slip_status status)
{
    if (status != SLIP_OK)
        exit(slip_report(stderr));
}

#endif
