/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_program.c - see cpu_program.h. */
#include "launch/cpu_program.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "support/check.h"

const mod_instr cpu_counting[] = {
    { .op = SCALAR_OP_lt, .type = SCALAR_i32, .dst = 3, .a = 2, .b = 0 },  /* 0: c = i < n */
    { .op = SCALAR_OP_add, .type = SCALAR_i32, .dst = 2, .a = 2, .b = 1 }, /* 1: i++ */
    { .op = SCALAR_OP_eq, .type = SCALAR_i32, .dst = 4, .a = 2, .b = 1 },  /* 2: d = i == 1 */
    { .op = SCALAR_OP_lt, .type = SCALAR_i32, .dst = 3, .a = 5, .b = 2 },  /* 3: c = k < i */
    { .op = SCALAR_OP_add, .type = SCALAR_i32, .dst = 5, .a = 5, .b = 1 }, /* 4: k++ */
    { .op = SCALAR_OP_sub, .type = SCALAR_i32, .dst = 5, .a = 1, .b = 1 }, /* 5: k = 0 */
};

char cpu_order[256];

/* The block of a task that takes slot 0 .. 2 behind its axes: which task it is lies in the
 * driver's kernel. */
static slip_status run_log(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    size_t used = strlen(cpu_order);

    (void)self;
    (void)total;
    snprintf(cpu_order + used, sizeof cpu_order - used, "%s%u", used ? " " : "",
             (unsigned)atomic_load(&kernel->cost));
    if (kernel->main)
        kernel->main(block, 0, total);
    return SLIP_OK;
}

void cpu_program_begin(cpu_program *p, const mod_node *nodes, uint32_t node_count,
                       const mod_instr *instrs)
{
    memset(p, 0, sizeof *p);
    p->driver = cpu_driver_table;
    p->driver.run = run_log;
    cpu_stream_init(&p->stream, &p->driver, NULL, &p->counts);
    p->entry = (mod_entry){ .name = "k",
                            .nodes = nodes,
                            .node_count = node_count,
                            .instrs = instrs,
                            .slot_count = CPU_SLOTS,
                            .tasks = p->tasks,
                            .task_count = CPU_TASKS,
                            .cells_bytes = CPU_CELLS,
                            .cells_slot = CPU_SLOTS - 1 };
    for (uint32_t t = 0; t < CPU_TASKS; t++) {
        p->tasks[t] = (mod_task){
            .name = "k:1", .block_bytes = 8, .predicate = MOD_NONE, .partial_offset = MOD_NONE
        };
        atomic_store(&p->kernels[t].cost, t);
    }
    cpu_order[0] = '\0';
}

slip_status cpu_program_perform(cpu_program *p)
{
    plan_shape shape = { .stream = PLAN_DEFAULT_STREAM };
    mem_arena arena = { 0 };
    plan *made = NULL;
    flow_op *ops = NULL;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(plan_make(&arena, &p->entry, &shape, plan_facts_named("cpu"), &made), SLIP_OK);
    CHECK_STATUS(cpu_ops_make(made, &p->entry, &ops), SLIP_OK);
    mem_arena_finish(&arena);
    launch_call call = { .program = {
                             .module = &p->module, .entry = &p->entry, .slots = p->slots } };
    fail_clear();
    slip_status status = cpu_stream_perform(&p->stream, &call, ops, p->kernels);
    mem_free(ops);
    return status;
}

void cpu_program_end(cpu_program *p)
{
    cpu_stream_finish(&p->stream);
    CHECK_EQ_U64(mem_live(), 0);
}

void cpu_program_check(cpu_program *p, const mod_node *nodes, uint32_t node_count,
                       const mod_instr *instrs, uint64_t slot0, const char *expected)
{
    cpu_program_begin(p, nodes, node_count, instrs);
    p->slots[0] = slot0;
    p->slots[1] = 1;
    CHECK_STATUS(cpu_program_perform(p), SLIP_OK);
    CHECK_TEXT(cpu_order, expected);
    cpu_program_end(p);
}
