/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_program.h - launch programs for the cpu stream whose tasks write down that they ran.
 *
 * The program is planned for the cpu family and performed; the order of tasks is compared as text.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_CPU_PROGRAM_H
#define SLIPWAY_TESTS_LAUNCH_CPU_PROGRAM_H

#include "launch/cpu_stream.h"

enum { CPU_TASKS = 6, CPU_SLOTS = 16, CPU_CELLS = 64 };

typedef struct cpu_program {
    mod_module module;
    mod_entry entry;
    mod_task tasks[CPU_TASKS];
    cpu_kernel kernels[CPU_TASKS];
    uint64_t slots[CPU_SLOTS];
    cpu_driver driver;
    counters counts;
    cpu_stream stream;
} cpu_program;

extern char cpu_order[256]; /* "0 1 1 2": tasks as they ran */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define TASK(k, task) [k] = { .kind = MOD_TASK, .first = task, .end = k + 1 }
#define EVAL(k, instr) [k] = { .kind = MOD_EVAL, .first = instr, .count = 1, .end = k + 1 }

/* slot 0: n, 1: one, 2: i, 3: condition, 4: another, 5: k; see cpu_program.c */
extern const mod_instr cpu_counting[];

void cpu_program_begin(cpu_program *p, const mod_node *nodes, uint32_t node_count,
                       const mod_instr *instrs);
slip_status cpu_program_perform(cpu_program *p) SLIP_MUST_USE;
void cpu_program_end(cpu_program *p); /* nothing is left */

/* The whole of it with slot 0 as given and slot 1 as 1: does it run in the order expected? */
void cpu_program_check(cpu_program *p, const mod_node *nodes, uint32_t node_count,
                       const mod_instr *instrs, uint64_t slot0, const char *expected);

#endif
