/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h - one program on the same inputs by two makers of code, compared bit for bit (NaN as a
 * class).
 */
#ifndef SLIPWAY_GENERATOR_RUN_H
#define SLIPWAY_GENERATOR_RUN_H

#include <stdio.h>

#include "generator/build.h"

typedef enum verdict { AGREES, DIFFERS, UNDEFINED, FAILS } verdict;

/* How often each call of the device is made anew; 1 unless a fault comes and goes. */
extern uint64_t run_repeats;

/* Runs all rounds of inputs. UNDEFINED: the generator's fault, a check of UBSan's fired or two of
 * gcc's builds differ. DIFFERS: the language's. What was found is told to `out` (may be NULL). */
verdict run_program(const gen_program *program, const built *b, slip_device *device, FILE *out);

#endif
