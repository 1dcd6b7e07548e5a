/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_case.h - kernels made by hand, and calls of them on a fake driver: what the runtime would
 * do between the caller and a launcher, without the runtime.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_LAUNCH_CASE_H
#define SLIPWAY_TESTS_LAUNCH_LAUNCH_CASE_H

#include "fake/fake_task.h"
#include "launch/launcher.h"

enum { CASE_MOST = 256, CASE_SLOTS = 512 };

typedef void (*case_body)(const uint8_t *block, int64_t first, int64_t last);

/* ---- kernels --------------------------------------------------------------------------------- */

typedef struct case_kernel {
    mod_module module;
    mod_code code;
    mod_entry entry;
    mod_param params[CASE_MOST];
    mod_scratch scratch[CASE_MOST];
    mod_task tasks[CASE_MOST];
    mod_access accesses[CASE_MOST][CASE_MOST];
    mod_arg args[CASE_MOST][CASE_MOST];
    mod_reduce reduces[CASE_MOST];
    mod_node nodes[CASE_MOST];
    mod_instr instrs[CASE_MOST];
    mod_const consts[CASE_MOST];
    mod_shader shaders[2 * CASE_MOST];
    mod_symbol symbols[CASE_MOST];
    fake_shader fakes[2 * CASE_MOST];
    fake_shader *words[2 * CASE_MOST];
    uint32_t instr_count;
} case_kernel;

void case_begin(case_kernel *k, const char *name, uint32_t cells_bytes);
/* All give a slot. Parameters come first, then scratch, then the rest. */
uint32_t case_scalar(case_kernel *k, const char *name);
uint32_t case_array(case_kernel *k, const char *name, uint32_t access);
uint32_t case_scratch(case_kernel *k, const char *name, uint32_t extent); /* of i32 */
uint32_t case_const(case_kernel *k, uint64_t bits);
uint32_t case_variable(case_kernel *k);

/* A task of `rank` axes 0 .. slot extents[k]; gives its number. It is not run yet. */
uint32_t case_task(case_kernel *k, const char *name, uint32_t rank, const uint32_t *extents,
                   case_body body);
/* A slot as the task's next argument; `array` (module.h numbering) with access flags. */
void case_arg(case_kernel *k, uint32_t task, uint32_t slot);
/* Bytes of the cells. */
void case_touches_cells(case_kernel *k, uint32_t task, uint32_t first, uint32_t bytes,
                        uint32_t flags);
void case_touches(case_kernel *k, uint32_t task, uint32_t array, uint32_t flags);
uint32_t case_cells(const case_kernel *k); /* their array number, once all scratch is there */
/* The task's one reduction into the i64 cell. */
void case_reduces(case_kernel *k, uint32_t task, uint32_t cell, case_body finish);
/* The shader gets its block by address. */
void case_block_by_address(case_kernel *k, uint32_t task);

uint32_t case_node(case_kernel *k, mod_node_kind kind, uint32_t first);
void case_end(case_kernel *k, uint32_t node); /* its children end here */
void case_instr(case_kernel *k, scalar_op op, scalar_type type, uint32_t dst, uint32_t a,
                uint32_t b);

/* What a body finds in its block: argument k. */
static inline void *case_pointer(const uint8_t *block, uint32_t rank, uint32_t k)
{
    void *p;

    __builtin_memcpy(&p, block + 16 * rank + 8 * k, sizeof p);
    return p;
}

static inline int64_t case_number(const uint8_t *block, uint32_t rank, uint32_t k)
{
    int64_t n;

    __builtin_memcpy(&n, block + 16 * rank + 8 * k, sizeof n);
    return n;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* An argument: a scalar, or an array where it lives. */
typedef struct case_given {
    uint64_t scalar;
    void *host; /* NULL for device memory */
    uint64_t bytes;
    const launch_memory *memory; /* pinned, device */
    uint64_t offset;             /* in it */
    bool small;
} case_given;

static inline case_given given_number(int64_t value)
{
    return (case_given){ .scalar = (uint64_t)value };
}

/* n elements of i32 */
static inline case_given given_host(void *memory, int64_t n)
{
    return (case_given){ .host = memory, .bytes = (uint64_t)n * 4 };
}

static inline case_given given_device(const launch_memory *memory, int64_t n)
{
    return (case_given){ .memory = memory, .bytes = (uint64_t)n * 4 };
}

static inline case_given given_pinned(const launch_memory *memory, int64_t n)
{
    return (case_given){ .host = memory->host, .memory = memory, .bytes = (uint64_t)n * 4 };
}

typedef struct case_run case_run;

struct case_run {
    const launcher *family;
    void *device, *stream;
    counters counts;
    bool conservative;
    plan_stream_kind kind;
    uint32_t drop_order;   /* k: the plan's k-th barrier, fork, join or edge is lost. A fault, to be
                            * seen */
    launch_record *record; /* begun: gets what calls launch; NULL: nothing does */
    void (*around)(case_run *run, bool before); /* each call; NULL: nothing */
    void (*between)(case_run *run);             /* each call's perform and finish; NULL: nothing */
    uint64_t noted[4];                          /* by it */
};

/* Opens the family's first device, and its default stream; ends the test case where that fails. */
void case_begin_run(case_run *run, const launcher *family);
/* Closes it and wants that no memory is left. */
void case_end_run(case_run *run);
/* Makes the plan and loads the code of a call, without the call. Plans are kept from call to call,
 * as the runtime does. */
void case_prepare(case_run *run, case_kernel *k, const case_given *given, bool wants_result);
slip_status case_call(case_run *run, case_kernel *k, const case_given *given, void *result);
void case_forget_plans(const case_run *run);
void case_load(case_run *run, case_kernel *k, void **out_code);

#endif
