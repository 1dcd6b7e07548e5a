/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_run.h - runs a launch program on the host: nodes here, task functions through interp.h.
 *
 * A second reading of module.h, independent of the runtime's: what a kernel did as a whole it must
 * do as tasks and a program.
 */
#ifndef SLIPWAY_TESTS_IR_LAUNCH_RUN_H
#define SLIPWAY_TESTS_IR_LAUNCH_RUN_H

#include "interp.h"

typedef struct launch_run {
    const mod_module *module;
    ir_module *ir;      /* with the task functions */
    uint64_t steps;     /* nodes and iterations still allowed */
    const char *failed; /* why the run stopped; NULL if it went well */
    bool refused;       /* an exact instruction did not fit */
    uint64_t tasks;     /* that ran */
} launch_run;

/* Runs entry `index`; args: canonical bits, addresses of arrays and structs. Gives the result's
 * bits (scalar results) and, where `result` is not NULL, its bytes. */
uint64_t launch_run_entry(launch_run *run, uint32_t index, const uint64_t *args, void *result);

#endif
