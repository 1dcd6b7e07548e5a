/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c - the plan of a call as text, for this device's family or another's facts.
 *
 * Makes the same plan that a call would, from the same shape, and runs nothing.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/text.h"
#include "driver/cpu_mode.h"
#include "launch/device_facts.h"
#include "launch/shader_needs.h"
#include "runtime/bind.h"
#include "runtime/entry.h"

/* A shader that the compiler left out for one GPU is left out for all: code that was made for
 * another family tells of this one's too. */
static slip_status check_left_out(const slip_entry *entry, const plan_facts *facts)
{
    const mod_module *module = entry->module->module;

    for (uint32_t k = 0; k < module->code_count && facts->family != PLAN_FAMILY_CPU; k++) {
        if (!mod_has_shaders(module->codes[k].target))
            continue;
        slip_status status =
            shader_needs_check(&module->codes[k], ~(1u << MOD_NEED_MATH), module, entry->entry);
        if (status != SLIP_OK) {
            fail_note("%s cannot run on %s", entry->entry->name, facts->name);
            return status;
        }
    }
    return SLIP_OK;
}

/* Those of the entry's device are what it was opened with; `kept` is for others. */
static slip_status find_facts(const slip_entry *entry, const char *name, plan_facts *kept,
                              const plan_facts **out)
{
    const slip_device *device = entry->module->device;

    if (!name || strcmp(name, device->family->name) == 0) {
        *out = device->facts;
        SLIP_TRY(bind_check(entry));
        return check_left_out(entry, device->facts);
    }
    const plan_facts *named = plan_facts_named(name);
    if (!named)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND,
                         "no facts about \"%s\"; there are cpu, cuda, hip and vulkan", name);
    SLIP_TRY(check_left_out(entry, named));
    *kept = *named;
    SLIP_TRY(device_facts_take_back(kept, NULL));
    *out = kept;
    return SLIP_OK;
}

static const plan_home homes[] = {
    [SLIP_MEMORY_UNKNOWN] = PLAN_HOME_UNKNOWN,
    [SLIP_MEMORY_PINNED] = PLAN_HOME_PINNED,
    [SLIP_MEMORY_KEPT] = PLAN_HOME_KEPT,
    [SLIP_MEMORY_DEVICE] = PLAN_HOME_RESIDENT,
};

static slip_status home_told(const mod_param *param, slip_memory_kind kind, plan_home *out)
{
    if ((uint32_t)kind > SLIP_MEMORY_DEVICE)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: there is no memory of kind %" PRIu32, param->name,
                         (uint32_t)kind);
    *out = homes[kind];
    return SLIP_OK;
}

/* Without arguments no array overlaps another. */
static slip_status shape_told(binding *b, const slip_memory_kind *memory, plan_shape *out)
{
    const mod_entry *entry = b->entry->entry;
    uint32_t arrays = 0;

    for (uint32_t p = 0; p < entry->param_count; p++) {
        bool is_array = entry->params[p].kind == MOD_ARRAY;
        b->homes[p] = PLAN_HOME_NONE;
        if (is_array)
            SLIP_TRY(home_told(&entry->params[p], memory ? memory[p] : SLIP_MEMORY_UNKNOWN,
                               &b->homes[p]));
        b->classes[p] = b->ranges[p] = is_array ? arrays : MOD_NONE;
        arrays += is_array;
    }
    *out = (plan_shape){ .homes = b->homes,
                         .classes = b->classes,
                         .ranges = b->ranges,
                         .param_count = entry->param_count };
    return SLIP_OK;
}

/* Arrays that overlap are of one kind of memory, as the planner needs them. */
static slip_status check_class(const binding *b, uint32_t array)
{
    const mod_entry *entry = b->entry->entry;
    const bound_array *one = &b->arrays[array];

    for (uint32_t k = 0; k < array; k++) {
        const bound_array *two = &b->arrays[k];
        if (one->class == two->class && b->homes[one->param] != b->homes[two->param])
            return SLIP_FAIL(
                SLIP_ERR_ARGUMENT,
                "arrays `%s` and `%s` of %s overlap, and are said to be in memory of two kinds",
                entry->params[two->param].name, entry->params[one->param].name, entry->name);
    }
    return SLIP_OK;
}

/* Arrays of a call that are said to be elsewhere than they are, where a call would look at them. */
static slip_status move_homes(binding *b, const slip_memory_kind *memory)
{
    for (uint32_t k = 0; k < b->array_count; k++) {
        const bound_array *array = &b->arrays[k];
        plan_home told = PLAN_HOME_UNKNOWN;
        SLIP_TRY(home_told(&b->entry->entry->params[array->param], memory[array->param], &told));
        if (memory[array->param] != SLIP_MEMORY_UNKNOWN && array->bytes > 0)
            b->homes[array->param] = told;
        SLIP_TRY(check_class(b, k));
    }
    return SLIP_OK;
}

/* The shape is of the entry's device, but for what the facts decide. */
static slip_status shape_given(binding *b, slip_device *device, const uint64_t *packed,
                               uint32_t arg_count, bool wants_result, plan_shape *out)
{
    uint64_t mode = cpu_mode_enter();

    pthread_mutex_lock(&device->lock);
    slip_status status =
        bind_shape(b, device->standard, packed, packed + arg_count, wants_result, out);
    pthread_mutex_unlock(&device->lock);
    cpu_mode_leave(mode);
    return status;
}

static slip_status check_sync(slip_sync sync)
{
    if (sync != 0 && sync != SLIP_SYNC_MINIMAL && sync != SLIP_SYNC_CONSERVATIVE)
        return SLIP_FAIL(
            SLIP_ERR_ARGUMENT,
            "slip_explain: there is no policy %d; 0 is the device's, %d minimal, %d conservative",
            (int)sync, SLIP_SYNC_MINIMAL, SLIP_SYNC_CONSERVATIVE);
    return SLIP_OK;
}

static slip_status find_stream(const plan_facts *facts, slip_explain_stream stream,
                               plan_stream_kind *out)
{
    static const plan_stream_kind kinds[] = {
        [SLIP_EXPLAIN_DEFAULT] = PLAN_DEFAULT_STREAM,
        [SLIP_EXPLAIN_EXPLICIT] = PLAN_EXPLICIT_STREAM,
        [SLIP_EXPLAIN_WRAPPED] = PLAN_WRAPPED_STREAM,
    };

    if ((uint32_t)stream >= sizeof kinds / sizeof *kinds)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_explain: there is no stream of kind %d; 0 is the default one, %d "
                         "explicit, %d wrapped",
                         (int)stream, SLIP_EXPLAIN_EXPLICIT, SLIP_EXPLAIN_WRAPPED);
    if (stream == SLIP_EXPLAIN_WRAPPED && facts->family != PLAN_FAMILY_STREAM)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "slip_explain: streams of other code can be wrapped on cuda and hip, not "
                         "on %s",
                         facts->name);
    *out = kinds[stream];
    return SLIP_OK;
}

static slip_status find_shape(const slip_entry *entry, const slip_explain_options *o,
                              const plan_facts *facts, binding *b, uint64_t **packed,
                              plan_shape *out)
{
    plan_stream_kind stream = PLAN_DEFAULT_STREAM;
    bool wants_result = entry->entry->result.kind != MOD_NO_RESULT;

    SLIP_TRY(check_sync(o->sync));
    SLIP_TRY(find_stream(facts, o->stream, &stream));
    if (o->args) {
        SLIP_TRY(entry_pack(entry, o->args, o->arg_count, packed));
        SLIP_TRY(shape_given(b, entry->module->device, *packed, o->arg_count, wants_result, out));
        for (uint32_t k = 0; k < b->array_count; k++)
            b->small[b->arrays[k].param] = bind_small(facts, &b->unions[b->arrays[k].class]);
        if (o->memory)
            SLIP_TRY(move_homes(b, o->memory));
    } else {
        SLIP_TRY(shape_told(b, o->memory, out));
        out->wants_result = wants_result;
    }
    slip_sync sync = o->sync ? o->sync : slip_device_get_sync(entry->module->device);
    out->conservative = sync == SLIP_SYNC_CONSERVATIVE;
    out->stream = stream;
    return SLIP_OK;
}

static slip_status print_plan(const slip_entry *entry, const plan_facts *facts,
                              const plan_shape *shape, slip_explain_format format, text *out)
{
    mem_arena arena = { 0 };
    plan *made = NULL;

    SLIP_TRY(mem_arena_init(&arena));
    slip_status status = plan_make(&arena, entry->entry, shape, facts, &made);
    if (status == SLIP_OK) {
        (format == SLIP_EXPLAIN_SVG ? plan_draw : plan_print)(out, made, entry->entry, shape,
                                                              facts);
        status = out->status;
    }
    mem_arena_finish(&arena);
    return status;
}

slip_status slip_explain(const slip_entry *entry, const slip_explain_options *options,
                         char **out_text)
{
    static const slip_explain_options standard;
    const slip_explain_options *o = options ? options : &standard;
    const plan_facts *facts = NULL;
    binding *b = NULL;
    uint64_t *packed = NULL;
    plan_facts kept;
    plan_shape shape;
    text made = { 0 };

    runtime_enter();
    if (!entry || !out_text)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_explain: the %s is NULL",
                         entry ? "place for the text" : "entry");
    slip_status status = find_facts(entry, o->facts, &kept, &facts);
    if (status == SLIP_OK)
        status = bind_make(entry->module->device->standard,
                           &entry->module->entries[entry - entry->module->entries], &b);
    if (status == SLIP_OK)
        status = find_shape(entry, o, facts, b, &packed, &shape);
    if (status == SLIP_OK)
        status = print_plan(entry, facts, &shape, o->format, &made);
    if (status == SLIP_OK) {
        *out_text = made.data;
        made = (text){ 0 };
    }
    text_finish(&made);
    mem_free(packed);
    bind_drop(b);
    return status;
}

void slip_text_free(char *value)
{
    mem_free(value);
}
