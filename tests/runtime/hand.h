/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.h - modules made by hand, and a driver whose code is functions of the test.
 *
 * The driver is the real one but for its code: an "image" is an array of C functions, and a
 * symbol's byte offset is an index into it. It can fail the k-th call that may fail.
 */
#ifndef SLIPWAY_TESTS_HAND_H
#define SLIPWAY_TESTS_HAND_H

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/objects.h"

/* Counts calls that may fail; the one numbered hand_fail_at (from 1) does. */
static uint32_t hand_fail_at, hand_calls;

static slip_status hand_may_fail(const char *what)
{
    if (++hand_calls == hand_fail_at)
        return SLIP_FAIL(SLIP_ERR_DEVICE, "%s was made to fail", what);
    return SLIP_OK;
}

static slip_status hand_open(uint32_t index, void **out)
{
    SLIP_TRY(hand_may_fail("open"));
    return cpu_driver_table.open(index, out);
}

static slip_status hand_alloc(void *self, uint64_t bytes, void **out)
{
    SLIP_TRY(hand_may_fail("alloc"));
    SLIP_TRY(cpu_driver_table.alloc(self, bytes, out));
    if (bytes < 1 << 24)
        memset(*out, 0xa5, bytes); /* contents are undefined */
    return SLIP_OK;
}

static slip_status hand_code_load(void *self, const drv_code *code, void **out)
{
    (void)self;
    SLIP_TRY(hand_may_fail("code_load"));
    memcpy(out, &code->bytes, sizeof *out);
    return SLIP_OK;
}

static void hand_code_drop(void *self, void *loaded)
{
    (void)self;
    (void)loaded;
}

static slip_status hand_kernel_get(void *self, void *loaded, uint32_t main, uint32_t finish, cpu_kernel *out)
{
    const cpu_task *functions = loaded;

    (void)self;
    SLIP_TRY(hand_may_fail("kernel_get"));
    out->main = functions[main];
    out->finish = finish == DRV_NO_SYMBOL ? NULL : functions[finish];
    return SLIP_OK;
}

static slip_status hand_run(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    SLIP_TRY(hand_may_fail("run"));
    return cpu_driver_table.run(self, kernel, block, total);
}

/* A copy of the real table with the slots above. */
static const cpu_driver *hand_driver(void)
{
    static cpu_driver made;

    made = cpu_driver_table;
    made.open = hand_open;
    made.alloc = hand_alloc;
    made.code_load = hand_code_load;
    made.code_drop = hand_code_drop;
    made.kernel_get = hand_kernel_get;
    made.run = hand_run;
    return &made;
}

/* A module of one entry, whose tasks' code is functions[symbol]. */
typedef struct hand_module {
    mod_module module;
    mod_code code;
    mod_symbol symbols[16];
} hand_module;

static const char *const hand_files[] = { "hand.c" };

static const mod_module *hand_make(hand_module *m, const mod_entry *entries, uint32_t entry_count,
                                   const cpu_task *functions, const mod_symbol *symbols,
                                   uint32_t symbol_count)
{
    drv_info info;

    if (cpu_driver_table.info(0, &info) != SLIP_OK)
        return NULL;
    memcpy(m->symbols, symbols, symbol_count * sizeof *symbols);
    m->code = (mod_code){ .bytes = (const uint8_t *)functions, .symbols = m->symbols,
                          .symbol_count = symbol_count };
#if defined(__x86_64__)
    m->code.target = MOD_TARGET_CPU_X86_64_V2;
#else
    m->code.target = MOD_TARGET_CPU_AARCH64;
#endif
    m->module = (mod_module){ .producer = "hand", .options = "", .files = hand_files, .file_count = 1,
                              .entries = entries, .entry_count = entry_count, .codes = &m->code,
                              .code_count = 1, .symbol_count = symbol_count, .header_text = "" };
    return &m->module;
}

#endif
