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
#include "runtime/bind.h"
#include "runtime/entry.h"

static slip_status find_facts(const slip_entry *entry, const char *name, const plan_facts **out)
{
    const slip_device *device = entry->module->device;
    bool own = !name || strcmp(name, device->family->name) == 0;
    const plan_facts *facts = own ? device->facts : plan_facts_named(name);

    if (!facts)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND,
                         "no facts about \"%s\"; there are cpu, cuda, hip and vulkan", name);
    *out = facts;
    return own ? bind_check(entry) : SLIP_OK;
}

/* Without arguments every array is unknown host memory and none overlaps another. */
static void shape_unknown(binding *b, bool wants_result, plan_shape *out)
{
    const mod_entry *entry = b->entry->entry;
    uint32_t arrays = 0;

    for (uint32_t p = 0; p < entry->param_count; p++) {
        bool is_array = entry->params[p].kind == MOD_ARRAY;
        b->homes[p] = is_array ? PLAN_HOME_UNKNOWN : PLAN_HOME_NONE;
        b->classes[p] = b->ranges[p] = is_array ? arrays : MOD_NONE;
        arrays += is_array;
    }
    *out = (plan_shape){ .homes = b->homes,
                         .classes = b->classes,
                         .ranges = b->ranges,
                         .param_count = entry->param_count,
                         .stream = PLAN_DEFAULT_STREAM,
                         .conservative = b->entry->module->device->conservative,
                         .wants_result = wants_result };
}

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

static slip_status print_plan(const slip_entry *entry, const plan_facts *facts,
                              const plan_shape *shape, text *out)
{
    mem_arena arena = { 0 };
    plan *made = NULL;

    SLIP_TRY(mem_arena_init(&arena));
    slip_status status = plan_make(&arena, entry->entry, shape, facts, &made);
    if (status == SLIP_OK) {
        plan_print(out, made, entry->entry, shape, facts);
        status = out->status;
    }
    mem_arena_finish(&arena);
    return status;
}

slip_status slip_explain(const slip_entry *entry, const char *facts, const slip_arg *args,
                         uint32_t arg_count, char **out_text)
{
    const plan_facts *found = NULL;
    binding *b = NULL;
    uint64_t *packed = NULL;
    plan_shape shape;
    text made = { 0 };

    runtime_enter();
    if (!entry || !out_text)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_explain: the %s is NULL",
                         entry ? "place for the text" : "entry");
    bool wants_result = entry->entry->result.kind != MOD_NO_RESULT;
    slip_device *device = entry->module->device;
    slip_status status = find_facts(entry, facts, &found);
    if (status != SLIP_OK)
        goto done;
    status =
        bind_make(device->standard, &entry->module->entries[entry - entry->module->entries], &b);
    if (status != SLIP_OK)
        goto done;
    if (args) {
        status = entry_pack(entry, args, arg_count, &packed);
        if (status == SLIP_OK)
            status = shape_given(b, device, packed, arg_count, wants_result, &shape);
    } else {
        shape_unknown(b, wants_result, &shape);
    }
    if (status != SLIP_OK)
        goto done;
    status = print_plan(entry, found, &shape, &made);
    if (status != SLIP_OK)
        goto done;
    *out_text = made.data;
    made = (text){ 0 };

done:
    text_finish(&made);
    mem_free(packed);
    bind_drop(b);
    return status;
}

void slip_text_free(char *value)
{
    mem_free(value);
}
