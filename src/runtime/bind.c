/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bind.c - from arguments to slots: extents, look-up, and whether the last call's findings still
 * hold.
 *
 * A call with the same arrays as the last one on its stream, while nothing changed in the present
 * table, compares and goes on: no look-up, no lock, no allocation. Must refuse what is wrong before
 * anything has run.
 */
#include "runtime/bind.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/alias.h"

slip_status bind_make(slip_stream *stream, slip_entry *entry, binding **out)
{
    const mod_entry *e = entry->entry;
    size_t params = e->param_count, arrays = entry->array_count;
    binding *made = NULL;

    /* Eight-byte members first, so that each array is aligned. */
    SLIP_TRY(mem_new(sizeof *made + e->slot_count * sizeof(uint64_t) +
                         arrays * (sizeof(bound_array) + sizeof(launch_class) +
                                   sizeof(launch_array) + sizeof(uint32_t)) +
                         params * (sizeof(plan_home) + 2 * sizeof(uint32_t) + sizeof(bool)),
                     (void **)&made));
    uint64_t *slots = (uint64_t *)(made + 1);
    made->arrays = (bound_array *)(slots + e->slot_count);
    made->unions = (launch_class *)(made->arrays + arrays);
    made->members = (launch_array *)(made->unions + arrays);
    made->homes = (plan_home *)(made->members + arrays);
    made->classes = (uint32_t *)(made->homes + params);
    made->ranges = made->classes + params;
    made->order = made->ranges + params;
    made->small = (bool *)(made->order + arrays);
    made->entry = entry;
    made->call = (launch_call){
        .name = entry->name,
        .program = { .module = entry->module->module, .entry = e, .slots = slots },
        .code = entry->module->code,
        .first_symbol = e->first_symbol,
        .classes = made->unions,
        .arrays = made->members,
        .array_count = entry->array_count,
        .watch_user = stream,
    };
    for (uint32_t p = 0; p < e->param_count; p++)
        if (e->params[p].kind == MOD_ARRAY)
            made->arrays[made->array_count++].param = p;
    slip_status status = repeat_make(stream->family, e, &made->repeats);
    if (status != SLIP_OK)
        mem_free(made);
    else
        *out = made;
    return status;
}

/* Refused before anything is looked up, and again by each call. */
slip_status bind_check(const slip_entry *entry)
{
    const slip_module *module = entry->module;
    const slip_device *device = module->device;

    if (!module->code)
        return SLIP_OK;
    slip_status status =
        device->family->code_check(device->self, module->code, module->module, entry->entry);
    if (status != SLIP_OK)
        fail_note("%s cannot run on %s:%" PRIu32, entry->entry->name, device->family->name,
                  device->index);
    return status;
}

slip_status bind_get(slip_stream *stream, slip_entry *entry, binding **out)
{
    binding *made = bind_known(stream, entry);

    if (made) {
        *out = made;
        return SLIP_OK;
    }
    if (entry->module->inspected)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "its module was loaded by slip_module_inspect, without code; "
                         "slip_module_load loads one to be called");
    SLIP_TRY(bind_check(entry));
    SLIP_TRY(mem_grow((void **)&stream->bindings, &stream->binding_capacity, (size_t)entry->id + 1,
                      sizeof *stream->bindings));
    SLIP_TRY(bind_make(stream, entry, &made));
    stream->bindings[entry->id] = made;
    *out = made;
    return SLIP_OK;
}

void bind_drop(binding *b)
{
    if (!b)
        return;
    plans_drop(b->plan);
    repeat_drop(b->repeats);
    mem_free(b);
}

/* Bytes the extents ask for; BIND_UNKNOWN where the signature does not know the outermost. */
static slip_status wanted_bytes(const binding *b, const mod_param *param, uint64_t *out)
{
    *out = BIND_UNKNOWN;
    if (param->rank == 0 || param->outer_unknown)
        return SLIP_OK;
    /* What most arrays are, without a call; program_bytes says what is wrong with the rest. */
    if (param->rank == 1) {
        int64_t extent = (int64_t)b->call.program.slots[param->extents[0]], bytes;
        if (extent >= 0 && !__builtin_mul_overflow(extent, (int64_t)param->bytes, &bytes)) {
            *out = (uint64_t)bytes;
            return SLIP_OK;
        }
    }
    return program_bytes(&b->call.program, param->name, param->place, param->extents,
                         param->extent_text, param->rank, param->bytes, out);
}

static slip_status refuse_null(const binding *b, const mod_param *param, uint64_t bytes)
{
    char place[PROGRAM_PLACE_BYTES];

    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "array `%s` of %s is NULL; its extents need %" PRIu64 " bytes (%s)",
                     param->name, b->entry->entry->name, bytes,
                     program_place(&b->call.program, param->place, place));
}

/* Notes each array's pointer and size; *out_same is false if any differs from the last call's. */
static slip_status note_arrays(binding *b, const uint64_t *args, const uint64_t *given,
                               bool *out_same)
{
    const mod_param *params = b->entry->entry->params;
    bool same = true;

    for (uint32_t k = 0; k < b->array_count; k++) {
        bound_array *array = &b->arrays[k];
        const mod_param *param = &params[array->param];
        uint64_t pointer = args[array->param], named = given ? given[array->param] : BIND_UNKNOWN;
        uint64_t wanted = 0;
        SLIP_TRY(wanted_bytes(b, param, &wanted));
        if (pointer == 0 && wanted != 0 && wanted != BIND_UNKNOWN)
            return refuse_null(b, param, wanted);
        same =
            same && pointer == array->pointer && wanted == array->wanted && named == array->given;
        array->pointer = pointer;
        array->wanted = wanted;
        array->given = named;
    }
    *out_same = same;
    return SLIP_OK;
}

static slip_status begin(binding *b, const uint64_t *args, const uint64_t *given, bool *out_same)
{
    const mod_entry *entry = b->entry->entry;

    b->call.program.args = args;
    program_begin(&b->call.program);
    SLIP_TRY(program_eval(&b->call.program, 0, entry->extent_instrs));
    return note_arrays(b, args, given, out_same);
}

/* A class of this many bytes at most is small: its slot is used over the bus, where the device's
 * memory is not the host's (see moves.c of the planner). */
enum { SMALL_BYTES = 1 << 16 };

bool bind_small(const plan_facts *facts, const launch_class *class)
{
    return class->bytes <= SMALL_BYTES && facts->holds[PLAN_FACT_host_mapped] &&
           !facts->holds[PLAN_FACT_device_memory_mapped];
}

static void shape_of(const binding *b, const slip_stream *stream, bool wants_result,
                     plan_shape *out)
{
    for (uint32_t p = 0; p < b->entry->entry->param_count; p++) {
        b->homes[p] = PLAN_HOME_NONE;
        b->classes[p] = b->ranges[p] = MOD_NONE;
        b->small[p] = false;
    }
    for (uint32_t k = 0; k < b->array_count; k++) {
        b->homes[b->arrays[k].param] = b->arrays[k].home;
        b->classes[b->arrays[k].param] = b->arrays[k].class;
        b->ranges[b->arrays[k].param] = b->arrays[k].range;
        b->small[b->arrays[k].param] = bind_small(stream->device->facts, &b->unions[b->arrays[k].class]);
    }
    *out = (plan_shape){
        .homes = b->homes,
        .classes = b->classes,
        .ranges = b->ranges,
        .small = b->small,
        .param_count = b->entry->entry->param_count,
        .stream = stream->is_default ? PLAN_DEFAULT_STREAM
                  : stream->shared   ? PLAN_WRAPPED_STREAM
                                     : PLAN_EXPLICIT_STREAM,
        .conservative = slip_device_get_sync(stream->device) == SLIP_SYNC_CONSERVATIVE,
        .wants_result = wants_result,
    };
}

static slip_status find_again(binding *b, slip_stream *stream, uint64_t generation,
                              bool wants_result)
{
    plan_shape shape;
    cached_plan *found = NULL;
    bool made = false;

    SLIP_TRY(alias_find(b, stream->device));
    shape_of(b, stream, wants_result, &shape);
    if (!b->plan || !plans_match(b->plan, &shape)) {
        SLIP_TRY(plans_find(b->entry, &shape, &found, &made));
        plans_drop(b->plan);
        b->plan = found;
        b->call.ops = found->ops;
        if (made)
            counters_add(&stream->counts.plans, 1);
    }
    b->wants_result = wants_result;
    b->generation = generation;
    return SLIP_OK;
}

slip_status bind_args(binding *b, slip_stream *stream, const uint64_t *args, const uint64_t *given,
                      void *result)
{
    const mod_entry *entry = b->entry->entry;
    uint64_t generation = atomic_load_explicit(&stream->device->generation, memory_order_acquire);
    uint64_t found_in = b->generation;
    bool same = false, wants_result = result && entry->result.kind != MOD_NO_RESULT;

    b->generation = 0; /* until all went well */
    SLIP_TRY(begin(b, args, given, &same));
    if (same && found_in == generation && wants_result == b->wants_result)
        b->generation = generation;
    else
        SLIP_TRY(find_again(b, stream, generation, wants_result));
    for (uint32_t k = 0; k < b->array_count; k++)
        b->call.program.slots[b->arrays[k].param] = b->arrays[k].address;
    b->call.result = result;
    return SLIP_OK;
}

slip_status bind_shape(binding *b, slip_stream *stream, const uint64_t *args, const uint64_t *given,
                       bool wants_result, plan_shape *out)
{
    bool same = false;

    b->generation = 0;
    SLIP_TRY(begin(b, args, given, &same));
    SLIP_TRY(alias_find(b, stream->device));
    shape_of(b, stream, wants_result, out);
    return SLIP_OK;
}
