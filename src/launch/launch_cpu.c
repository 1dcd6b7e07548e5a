/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cpu.c - the cpu family as a launcher: nothing is ever queued, so nothing is waited for.
 *
 * Every slot is over the driver that the device was opened with. A call has ended when perform
 * returns; a mark has passed when it is taken.
 */
#include "launch/launch_cpu.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "launch/cpu_stream.h"
#include "launch/device_facts.h"

typedef struct cpu_family_device {
    const cpu_driver *driver;
    void *self; /* the driver's */
    drv_info info;
} cpu_family_device;

/* A module's code. */
typedef struct cpu_code {
    void *loaded;         /* the driver's; NULL without tasks */
    cpu_kernel kernels[]; /* [module->symbol_count] */
} cpu_code;

/* ---- devices --------------------------------------------------------------------------------- */

static const char *missing(void)
{
    return NULL;
}

static uint32_t device_count(void)
{
    return cpu_driver_table.device_count();
}

static slip_status info(uint32_t index, drv_info *out)
{
    return cpu_driver_table.info(index, out);
}

slip_status launch_cpu_open(const cpu_driver *driver, uint32_t index, void **out)
{
    plan_facts kept = *plan_facts_named("cpu"); /* a name that is none is refused here too */
    cpu_family_device *made = NULL;

    SLIP_TRY(device_facts_take_back(&kept, NULL));
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->driver = driver;
    slip_status status = driver->info(index, &made->info);
    if (status == SLIP_OK)
        status = driver->open(index, &made->self);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    return launch_cpu_open(&cpu_driver_table, index, out);
}

static void close_device(void *device)
{
    cpu_family_device *d = device;

    d->driver->close(d->self);
    mem_free(d);
}

static void after_fork(void *device)
{
    cpu_family_device *d = device;

    d->driver->after_fork(d->self);
}

static const plan_facts *facts(void *device)
{
    (void)device;
    return plan_facts_named("cpu");
}

static void describe(void *device, void (*line)(void *user, const char *name, const char *value),
                     void *user)
{
    const cpu_family_device *d = device;
    char code[DRV_MAX_TARGETS * 32] = "";

    for (uint32_t k = 0; k < d->info.target_count; k++) {
        size_t used = strlen(code);
        snprintf(code + used, sizeof code - used, "%s%s", k ? ", " : "", d->info.targets[k]);
    }
    line(user, "code, best first", code);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static slip_status memory_new(void *device, uint64_t bytes, launch_memory_kind kind,
                              launch_memory *out)
{
    const cpu_family_device *d = device;
    void *memory = NULL;

    (void)kind;
    SLIP_TRY(d->driver->alloc(d->self, bytes, &memory));
    *out = (launch_memory){ .address = (uint64_t)(uintptr_t)memory, .host = memory };
    return SLIP_OK;
}

static void memory_drop(void *device, launch_memory *memory)
{
    const cpu_family_device *d = device;

    d->driver->free(d->self, memory->host);
    *memory = (launch_memory){ 0 };
}

/* What the driver was given back has gone back. */
static void trim(void *device)
{
    (void)device;
}

/* ---- code ------------------------------------------------------------------------------------ */

static void code_drop(void *device, void *code)
{
    const cpu_family_device *d = device;
    cpu_code *c = code;

    if (!c)
        return;
    d->driver->code_drop(d->self, c->loaded);
    mem_free(c);
}

static slip_status code_load(void *device, const mod_module *module, const mod_code *code,
                             void **out)
{
    const cpu_family_device *d = device;
    drv_code neutral = { .bytes = code->bytes,
                         .size = code->size,
                         .imports_offset = code->imports_offset,
                         .imports = code->imports,
                         .import_count = code->import_count };
    cpu_code *made = NULL;

    SLIP_TRY(
        mem_new(sizeof *made + module->symbol_count * sizeof made->kernels[0], (void **)&made));
    slip_status status = d->driver->code_load(d->self, &neutral, &made->loaded);
    for (uint32_t k = 0; status == SLIP_OK && k < module->symbol_count; k++)
        status = d->driver->kernel_get(d->self, made->loaded, code->symbols[k].main,
                                       code->symbols[k].finish, &made->kernels[k]);
    if (status != SLIP_OK) {
        code_drop(device, made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

/* A CPU lacks nothing that the language has. */
static slip_status code_check(void *device, void *code, const mod_module *module,
                              const mod_entry *entry)
{
    (void)device;
    (void)code;
    (void)module;
    (void)entry;
    return SLIP_OK;
}

/* ---- streams --------------------------------------------------------------------------------- */

static slip_status stream_open(void *device, bool is_default, counters *counts, void **out)
{
    const cpu_family_device *d = device;
    cpu_stream *made = NULL;

    (void)is_default;
    SLIP_TRY(mem_new_aligned(sizeof *made, _Alignof(cpu_stream), (void **)&made));
    cpu_stream_init(made, d->driver, d->self, counts);
    *out = made;
    return SLIP_OK;
}

static void stream_close(void *stream)
{
    cpu_stream_finish(stream);
    mem_free_aligned(stream);
}

static void stream_trim(void *stream)
{
    lane_trim(&((cpu_stream *)stream)->memory);
}

/* What the interrupted call was changing is given up. */
static void stream_after_fork(void *stream)
{
    cpu_stream *s = stream;

    cpu_stream_init(s, s->driver, s->device, s->counts);
}

static slip_status stream_sync(void *stream, void **out_rest)
{
    (void)stream;
    (void)out_rest;
    return SLIP_OK;
}

static slip_status mark(void *stream, uint64_t *out)
{
    (void)stream;
    *out = 0;
    return SLIP_OK;
}

static bool passed(void *stream, uint64_t mark)
{
    (void)stream;
    (void)mark;
    return true;
}

static slip_status mark_wait(void *stream, uint64_t mark)
{
    (void)stream;
    (void)mark;
    return SLIP_OK;
}

static slip_status stream_after(void *stream, void *other, uint64_t mark)
{
    (void)stream;
    (void)other;
    (void)mark;
    return SLIP_OK;
}

/* Both sides are memory of this process, and may overlap. */
static slip_status copy_up(void *stream, const launch_memory *to, uint64_t to_offset,
                           const void *from, uint64_t bytes)
{
    cpu_stream *s = stream;

    memmove(to->host + to_offset, from, bytes);
    counters_add_copy(s->counts, true, bytes);
    return SLIP_OK;
}

static slip_status copy_down(void *stream, void *to, const launch_memory *from,
                             uint64_t from_offset, uint64_t bytes, void **out_rest)
{
    cpu_stream *s = stream;

    (void)out_rest;
    memmove(to, from->host + from_offset, bytes);
    counters_add_copy(s->counts, false, bytes);
    return SLIP_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static slip_status ops_make(const plan *p, const mod_entry *entry, launch_ops **out)
{
    flow_op *made = NULL;

    SLIP_TRY(cpu_ops_make(p, entry, &made));
    *out = (launch_ops *)made;
    return SLIP_OK;
}

static void ops_drop(launch_ops *ops)
{
    mem_free(ops);
}

static slip_status perform(void *stream, launch_call *call)
{
    cpu_code *code = call->code;

    return cpu_stream_perform(stream, call, (const flow_op *)call->ops,
                              code ? code->kernels + call->first_symbol : NULL);
}

static slip_status perform_again(void *stream, const launch_record *record)
{
    return cpu_stream_perform_again(stream, record);
}

const launcher launch_cpu = {
    .name = "cpu",
    .no_native_streams = "its calls have ended when they return, so that there is no stream that "
                         "could order them with other code; slip_stream_create makes one of ours",
    .missing = missing,
    .device_count = device_count,
    .info = info,
    .open = open_device,
    .close = close_device,
    .after_fork = after_fork,
    .facts = facts,
    .describe = describe,
    .memory_new = memory_new,
    .memory_drop = memory_drop,
    .trim = trim,
    .code_load = code_load,
    .code_drop = code_drop,
    .code_check = code_check,
    .stream_open = stream_open,
    .stream_close = stream_close,
    .stream_trim = stream_trim,
    .stream_after_fork = stream_after_fork,
    .stream_sync = stream_sync,
    .mark = mark,
    .passed = passed,
    .mark_wait = mark_wait,
    .stream_after = stream_after,
    .copy_up = copy_up,
    .copy_down = copy_down,
    .ops_make = ops_make,
    .ops_drop = ops_drop,
    .perform = perform,
    .perform_again = perform_again,
};
