/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_test.c - which parameters decide, and what a record holds.
 */
#include "launch/record.h"

#include <stdio.h>

#include "base/fail.h"
#include "base/mem.h"
#include "support/check.h"

/* ---- what decides ---------------------------------------------------------------------------- */

enum { PARAMS = 8, SLOTS = 16 };

typedef struct kernel {
    mod_entry entry;
    mod_param params[PARAMS];
    mod_instr instrs[4];
    mod_node nodes[2];
    mod_task tasks[2];
    mod_arg args[4];
} kernel;

/* Scalars, of which only tasks are given what they were called with. */
static void begin(kernel *k)
{
    *k = (kernel){ .entry = { .name = "k",
                              .params = k->params,
                              .param_count = PARAMS,
                              .slot_count = SLOTS,
                              .instrs = k->instrs,
                              .nodes = k->nodes,
                              .tasks = k->tasks } };
    for (int n = 0; n < 2; n++)
        k->nodes[n].cond = MOD_NONE;
    for (int t = 0; t < 2; t++)
        for (int a = 0; a < MOD_MAX_AXES; a++)
            k->tasks[t].axes[a].lo = k->tasks[t].axes[a].hi = MOD_NONE;
}

/* `expected` is a letter a parameter: d where it decides. */
static void check_decides(const kernel *k, const char *expected)
{
    bool decides[PARAMS];
    char got[PARAMS + 1] = "";

    CHECK(record_decides(&k->entry, decides));
    for (int p = 0; p < PARAMS; p++)
        got[p] = decides[p] ? 'd' : '-';
    CHECK_TEXT(got, expected);
}

static void what_only_tasks_are_given_does_not_decide(void)
{
    kernel k;

    begin(&k);
    k.args[0] = (mod_arg){ MOD_FROM_SLOT, 3, 0, 8 };
    k.tasks[0].args = k.args;
    k.tasks[0].arg_count = 1;
    k.entry.task_count = 1;
    check_decides(&k, "--------");
}

static void arrays_and_their_extents_decide(void)
{
    kernel k;

    begin(&k);
    k.params[2] = (mod_param){ .kind = MOD_ARRAY, .rank = 3, .extents = { 0, 9, 5 } };
    k.params[7] = (mod_param){ .kind = MOD_ARRAY, .rank = 1, .extents = { MOD_NONE } };
    check_decides(&k, "d-d--d-d");
}

static void bounds_and_conditions_decide(void)
{
    kernel k;

    begin(&k);
    k.nodes[1].cond = 6;
    k.entry.node_count = 2;
    k.tasks[1].rank = 2;
    k.tasks[1].axes[0].lo = 1;
    k.tasks[1].axes[1].hi = 4;
    k.tasks[1].axes[2].hi = 7; /* no axis of it */
    k.entry.task_count = 2;
    check_decides(&k, "-d--d-d-");
}

/* Of a select all three operands, of a convert one, of a move one; what is written over is not what
 * the caller gave any more. */
static void what_the_launch_program_reads_or_writes_decides(void)
{
    kernel k;

    begin(&k);
    k.instrs[0] = (mod_instr){ .op = SCALAR_OP_select, .dst = 9, .a = 0, .b = 1, .c = 2 };
    k.instrs[1] = (mod_instr){ .op = SCALAR_OP_convert, .dst = 9, .a = 3, .b = 6, .c = 6 };
    k.instrs[2] = (mod_instr){ .op = MOD_OP_MOVE, .dst = 5, .a = 9, .b = 6, .c = 6 };
    k.instrs[3] = (mod_instr){ .op = MOD_OP_DATA, .dst = 9, .a = 7, .b = 6, .c = 6 };
    k.entry.instr_count = 4;
    check_decides(&k, "dddd-d-d");
}

static void what_an_address_leads_to_is_not_compared(void)
{
    bool decides[PARAMS];
    kernel k;

    begin(&k);
    k.instrs[0] = (mod_instr){ .op = MOD_OP_MEMBER, .dst = 9, .a = 0 };
    k.entry.instr_count = 1;
    CHECK(!record_decides(&k.entry, decides));
    begin(&k);
    k.entry.result.kind = MOD_SCALAR_RESULT;
    CHECK(!record_decides(&k.entry, decides));
}

/* ---- what is held ---------------------------------------------------------------------------- */

static const bool decides[PARAMS] = { [0] = true, [3] = true };

static const mod_arg some_args[] = {
    { MOD_FROM_SLOT, 0, 0, 8 },    /* decides: as it was */
    { MOD_FROM_SLOT, 1, 8, 8 },    /* the argument */
    { MOD_FROM_STRUCT, 2, 16, 5 }, /* what its address leads to */
    { MOD_FROM_SLOT, 12, 24, 8 },  /* no parameter */
};
static const mod_task task = { .name = "t", .args = some_args, .arg_count = 4, .block_bytes = 32 };

static void add(launch_record *r, const uint8_t *bytes, uint32_t count, uint32_t block_at)
{
    const record_launch launch = {
        .task = &task, .bytes = count, .groups = { 7, 1, 1 }, .local = 64, .total = 9
    };

    record_add(r, &launch, bytes, block_at);
}

static void begin_record(launch_record *r)
{
    kernel k;

    begin(&k);
    record_begin(r, "k", &k.entry, decides);
}

static void only_what_does_not_decide_is_put_in_anew(void)
{
    launch_record r = { 0 };
    uint8_t bytes[56], want[56];
    uint64_t args[PARAMS] = { 0x1111, 0x2222222222222222, (uint64_t)(uintptr_t) "abcdef" };

    memset(bytes, 0xee, sizeof bytes);
    begin_record(&r);
    for (int k = 0; k < 3; k++) {
        bytes[0] = (uint8_t)k;
        add(&r, bytes, sizeof bytes, 24);
        r.tasks++;
    }
    record_end(&r, SLIP_OK);
    CHECK_EQ_U64(r.state, RECORD_WHOLE);
    CHECK_EQ_U64(r.launch_count, 3);
    record_fill(&r, args);
    memset(want, 0xee, sizeof want);
    memset(want + 24 + 8, 0x22, 8);
    memcpy(want + 24 + 16, "abcde", 5);
    for (int k = 0; k < 3; k++) {
        want[0] = (uint8_t)k;
        CHECK_EQ_U64(r.launches[k].bytes, sizeof bytes);
        CHECK_EQ_U64(r.launches[k].tasks_before, k);
        CHECK_EQ_U64((r.launches[k].at + 24) % 16, 0);
        CHECK(memcmp(r.bytes + r.launches[k].at, want, sizeof want) == 0);
    }
    record_finish(&r);
    CHECK_EQ_U64(mem_live(), 0);
}

static void a_call_that_fails_leaves_no_record(void)
{
    launch_record r = { 0 };
    uint8_t bytes[40] = { 0 };

    begin_record(&r);
    add(&r, bytes, sizeof bytes, 8);
    record_end(&r, SLIP_ERR_DEVICE);
    CHECK_EQ_U64(r.state, RECORD_EMPTY);
    CHECK(!r.refused);
    record_finish(&r);
}

static void what_is_too_long_is_refused(void)
{
    static uint8_t bytes[4096];
    launch_record r = { 0 };

    begin_record(&r);
    for (int k = 0; k <= RECORD_MOST_LAUNCHES; k++) {
        CHECK_EQ_U64(r.state, RECORD_OPEN);
        add(&r, bytes, 48, 16);
    }
    record_end(&r, SLIP_OK);
    CHECK_EQ_U64(r.state, RECORD_EMPTY);
    CHECK(r.refused);
    r.refused = false;
    begin_record(&r);
    for (int k = 0; k <= RECORD_MOST_BYTES / (int)sizeof bytes; k++)
        add(&r, bytes, sizeof bytes, 0);
    CHECK(r.refused);
    add(&r, bytes, 48, 0); /* and stays so */
    record_end(&r, SLIP_OK);
    CHECK_EQ_U64(r.state, RECORD_EMPTY);
    record_finish(&r);
}

static void a_record_that_finds_no_memory_is_given_up_in_silence(void)
{
    uint8_t bytes[40] = { 0 };

    for (uint64_t k = 1;; k++) {
        launch_record r = { 0 };
        begin_record(&r);
        mem_fail_at(k);
        add(&r, bytes, sizeof bytes, 8);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, SLIP_OK);
        record_end(&r, SLIP_OK);
        bool whole = r.state == RECORD_WHOLE;
        CHECK(!r.refused); /* the next call may find some */
        record_finish(&r);
        CHECK_EQ_U64(mem_live(), 0);
        if (whole) {
            CHECK_EQ_U64(k, 4);
            break;
        }
    }
}

/* What was counted is enough, so that recording takes no memory. */
static void a_call_is_counted_before_it_is_recorded(void)
{
    launch_record counted = { 0 }, r = { 0 };
    uint8_t bytes[56] = { 0 };
    kernel k;

    begin(&k);
    record_count(&counted, &k.entry, decides);
    for (int n = 0; n < 5; n++)
        add(&counted, bytes, sizeof bytes, 24);
    CHECK_EQ_U64(counted.launch_count, 5);
    CHECK_EQ_U64(counted.patch_count, 10);
    CHECK_EQ_U64(mem_live(), 0);
    CHECK_STATUS(record_reserve(&r, &counted), SLIP_OK);
    begin_record(&r);
    mem_fail_at(1);
    for (int n = 0; n < 5; n++)
        add(&r, bytes, sizeof bytes, 24);
    mem_fail_at(0);
    record_end(&r, SLIP_OK);
    CHECK_EQ_U64(r.state, RECORD_WHOLE);
    CHECK_EQ_U64(r.patch_count, counted.patch_count);
    CHECK_EQ_U64(r.used, counted.used);
    record_count(&counted, &k.entry, decides);
    for (int n = 0; n <= RECORD_MOST_LAUNCHES; n++)
        add(&counted, bytes, sizeof bytes, 24);
    CHECK(counted.refused);
    record_finish(&r);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(what_only_tasks_are_given_does_not_decide),
    CASE(arrays_and_their_extents_decide),
    CASE(bounds_and_conditions_decide),
    CASE(what_the_launch_program_reads_or_writes_decides),
    CASE(what_an_address_leads_to_is_not_compared),
    CASE(only_what_does_not_decide_is_put_in_anew),
    CASE(a_call_that_fails_leaves_no_record),
    CASE(what_is_too_long_is_refused),
    CASE(a_call_is_counted_before_it_is_recorded),
    CASE(a_record_that_finds_no_memory_is_given_up_in_silence),
};

CHECK_MAIN(cases)
