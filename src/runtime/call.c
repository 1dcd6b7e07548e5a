/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.c - calls: from a generated function, and by a list of arguments.
 *
 * A repeated call takes the stream's lock, compares its arguments with the last calls', and makes
 * their launches again or performs the plan: no allocation, no look-up, no other lock. The lock is
 * given back before the last wait. A call by a plan must put back the caller's floating-point mode
 * on every way out; a repeated one leaves that to families whose tasks run on this thread.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/cpu_mode.h"
#include "runtime/bind.h"
#include "runtime/entry.h"
#include "runtime/trace.h"

/* What is told of the launches of a call: those of the second equal one are kept. */
static launch_record *begin_record(binding *b, repeat_call *same)
{
    if (!b->repeats || !b->plan->tasks_alone || (same && same->record.refused))
        return NULL;
    launch_record *record = same ? &same->record : &b->repeats->counted;
    if (same)
        record_begin(record, b->call.name, b->entry->entry, b->repeats->decides);
    else
        record_count(record, b->entry->entry, b->repeats->decides);
    return record;
}

/* By a plan; `same` is a kept call that holds for the arguments, or NULL. */
static slip_status call_planned(slip_stream *stream, slip_entry *entry, repeat_call *same,
                                const uint64_t *args, const uint64_t *given, void *result,
                                void **out_rest)
{
    binding *b = NULL;

    *out_rest = NULL;
    SLIP_TRY(bind_get(stream, entry, &b));
    SLIP_TRY(bind_args(b, stream, args, given, result));
    counters_add(&stream->counts.calls, 1);
    b->call.watch = trace_active() ? trace_task : NULL;
    b->call.record = begin_record(b, same);
    slip_status status = stream->family->perform(stream->self, &b->call);
    if (b->call.rest) { /* the binding is the next call's once the stream is unlocked */
        *out_rest = b->call.rest;
        b->call.rest = NULL;
    }
    if (same)
        record_end(&same->record, status);
    else if (b->call.record && status == SLIP_OK)
        repeat_keep(b->repeats, b->generation, args, given);
    return status;
}

/* The stream's lock is held, and given back. */
static __attribute__((noinline)) slip_status call_anew(slip_stream *stream, slip_entry *entry,
                                                       repeat_call *same, const uint64_t *args,
                                                       const uint64_t *given, void *result)
{
    uint64_t mode = cpu_mode_enter();
    void *rest;

    slip_status status = call_planned(stream, entry, same, args, given, result, &rest);
    stream_unlock(stream);
    if (rest)
        status = stream->family->finish(stream->self, rest);
    cpu_mode_leave(mode);
    return status;
}

static inline repeat_call *find_same(slip_stream *stream, const slip_entry *entry,
                                     const uint64_t *args, const uint64_t *given)
{
    const binding *b = bind_known(stream, entry);

    if (!b || !b->repeats)
        return NULL;
    return repeat_find(b->repeats,
                       atomic_load_explicit(&stream->device->generation, memory_order_acquire),
                       args, given);
}

/* Every task is told of, so that none is launched as it was. */
static __attribute__((cold, noinline)) slip_status call_traced(slip_stream *stream,
                                                               slip_entry *entry,
                                                               const uint64_t *args,
                                                               const uint64_t *given, void *result)
{
    uint64_t from = counters_now();

    stream_lock(stream);
    slip_status status =
        call_anew(stream, entry, find_same(stream, entry, args, given), args, given, result);
    trace_call(stream, entry->entry->name, from, counters_now());
    return status;
}

static inline slip_status call_untraced(slip_stream *stream, slip_entry *entry,
                                        const uint64_t *args, const uint64_t *given, void *result)
{
    stream_lock(stream);
    repeat_call *same = find_same(stream, entry, args, given);
    if (!same || same->record.state != RECORD_WHOLE)
        return call_anew(stream, entry, same, args, given, result);
    counters_add(&stream->counts.calls, 1);
    record_fill(&same->record, args);
    slip_status status = stream->family->perform_again(stream->self, &same->record);
    stream_unlock(stream);
    return status;
}

static __attribute__((hot)) slip_status call_entry(slip_stream *stream, slip_entry *entry,
                                                   const uint64_t *args, const uint64_t *given,
                                                   void *result)
{
    slip_status status = trace_active() ? call_traced(stream, entry, args, given, result)
                                        : call_untraced(stream, entry, args, given, result);
    if (status != SLIP_OK)
        fail_note("while calling %s", entry->entry->name);
    return status;
}

__attribute__((hot)) slip_status slip_call(slip_stream *stream, slip_site *site,
                                           const uint64_t *args, void *result)
{
    slip_entry *entry;
    uint32_t count = 0;

    runtime_enter();
    if (!stream)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "the stream of a call is NULL; slip_default(device) gives one");
    if (!site || !site->module)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_call: the %s is NULL",
                         site ? "module of the site" : "site");
    slip_entry *entries = embedded_entries(stream->device, site->module, &count);
    if (entries && site->entry < count)
        entry = &entries[site->entry];
    else
        SLIP_TRY(embedded_load(stream->device, site->module, site->entry, &entry));
    if (!args && entry->entry->param_count > 0)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_call: the list of arguments of %s is NULL",
                         entry->entry->name);
    return call_entry(stream, entry, args, NULL, result);
}

/* ---- by a list of arguments ------------------------------------------------------------------ */

static slip_status check_count(const slip_entry *entry, uint32_t arg_count)
{
    const mod_entry *e = entry->entry;

    if (arg_count != e->param_count)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s takes %" PRIu32 " arguments, %" PRIu32 " were given", e->name,
                         e->param_count, arg_count);
    return SLIP_OK;
}

static slip_status pack_arg(const slip_entry *entry, uint32_t index, const slip_arg *arg,
                            uint64_t *out, uint64_t *out_given)
{
    const mod_param *param = &entry->entry->params[index];
    const char *type =
        param->kind == MOD_STRUCT ? param->struct_name : scalar_types[param->scalar].name;

    *out_given = BIND_UNKNOWN;
    if (param->kind == MOD_ARRAY) {
        *out = (uint64_t)(uintptr_t)arg->data;
        *out_given = arg->data ? arg->bytes : BIND_UNKNOWN;
        return SLIP_OK;
    }
    if (arg->bytes != param->bytes || !arg->data)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "argument %" PRIu32 ", `%s` of %s, is %s of %" PRIu32 " bytes; %" PRIu64
                         " were given%s",
                         index, param->name, entry->entry->name, type, param->bytes, arg->bytes,
                         arg->data ? "" : " at NULL");
    *out = param->kind == MOD_STRUCT ? (uint64_t)(uintptr_t)arg->data
                                     : scalar_load(param->scalar, arg->data);
    return SLIP_OK;
}

/* Arguments as slip_call takes them, and the bytes given of each array. */
static slip_status pack_args(const slip_entry *entry, const slip_arg *args, uint32_t arg_count,
                             uint64_t *packed)
{
    if (!args && arg_count > 0)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "the list of the %" PRIu32 " arguments of %s is NULL",
                         arg_count, entry->entry->name);
    for (uint32_t k = 0; k < arg_count; k++)
        SLIP_TRY(pack_arg(entry, k, &args[k], &packed[k], &packed[arg_count + k]));
    return SLIP_OK;
}

enum { FEW_ARGS = 32 };

slip_status entry_pack(const slip_entry *entry, const slip_arg *args, uint32_t arg_count,
                       uint64_t **out)
{
    uint64_t *packed = NULL;

    SLIP_TRY(check_count(entry, arg_count));
    SLIP_TRY(mem_new((2 * (size_t)arg_count + 1) * sizeof *packed, (void **)&packed));
    slip_status status = pack_args(entry, args, arg_count, packed);
    if (status != SLIP_OK)
        mem_free(packed);
    else
        *out = packed;
    return status;
}

static slip_status check_launch(const slip_stream *stream, const slip_entry *entry,
                                uint32_t arg_count, const void *result, uint64_t result_bytes)
{
    const mod_result *r;

    if (!stream || !entry)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_launch: the %s is NULL",
                         stream ? "entry" : "stream");
    if (entry->module->device != stream->device)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s was loaded on another device than the stream's",
                         entry->entry->name);
    SLIP_TRY(check_count(entry, arg_count));
    r = &entry->entry->result;
    if (result && r->kind == MOD_NO_RESULT)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s has no result; a place for one was given",
                         entry->entry->name);
    if (result && result_bytes != r->bytes)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "the result of %s has %" PRIu32 " bytes, the place for it %" PRIu64,
                         entry->entry->name, r->bytes, result_bytes);
    return SLIP_OK;
}

slip_status slip_launch(slip_stream *stream, slip_entry *entry, const slip_arg *args,
                        uint32_t arg_count, void *result, uint64_t result_bytes)
{
    uint64_t few[2 * FEW_ARGS], *packed = few;
    slip_status status;

    runtime_enter();
    SLIP_TRY(check_launch(stream, entry, arg_count, result, result_bytes));
    if (arg_count > FEW_ARGS)
        status = entry_pack(entry, args, arg_count, &packed);
    else
        status = pack_args(entry, args, arg_count, packed);
    if (status == SLIP_OK)
        status = call_entry(stream, entry, packed, packed + arg_count, result);
    if (packed != few)
        mem_free(packed);
    return status;
}
