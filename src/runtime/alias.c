/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alias.c - looks each array up in the present table, sorts them by address, and names the classes
 * of arrays that overlap.
 *
 * Ranges are those of the caller's addresses: two arrays that overlap there overlap on the device
 * too. An empty array overlaps nothing and is never looked up.
 */
#include "runtime/alias.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/fail.h"
#include "runtime/ranges.h"

static const mod_param *param_of(const binding *b, const bound_array *array)
{
    return &b->entry->entry->params[array->param];
}

static plan_home home_of(const slip_device *device, const present_range *range)
{
    switch (range->kind) {
    case PRESENT_NONE:
        return PLAN_HOME_UNKNOWN;
    case PRESENT_PINNED:
        return PLAN_HOME_PINNED;
    case PRESENT_REGISTERED:
        return device->facts->holds[PLAN_FACT_host_is_device] || range->memory->own
                   ? PLAN_HOME_PINNED
                   : PLAN_HOME_UNKNOWN;
    case PRESENT_KEPT:
        return PLAN_HOME_KEPT;
    case PRESENT_RESIDENT:
    case PRESENT_WRAPPED:
        return PLAN_HOME_RESIDENT;
    }
    return PLAN_HOME_UNKNOWN;
}

/* "[n][3]": what the signature should say after the name; its inner extents are known. */
static void missing_extents(const mod_param *param, char *out, size_t room)
{
    size_t used = (size_t)snprintf(out, room, "[n]");

    for (uint32_t d = 1; d < param->rank && used < room; d++)
        used += (size_t)snprintf(out + used, room - used, "[%s]",
                                 param->extent_text[d] ? param->extent_text[d] : "");
}

static slip_status refuse_unknown(const binding *b, const bound_array *array)
{
    const mod_param *param = param_of(b, array);
    char place[PROGRAM_PLACE_BYTES], extents[160];

    missing_extents(param, extents, sizeof extents);
    return SLIP_FAIL(
        SLIP_ERR_ARGUMENT,
        "the size of array `%s` of %s is not known: its signature has no %sextent "
        "and no slip_alloc, slip_keep, slip_host_alloc, slip_host_register or slip_wrap "
        "made it known; write "
        "%s%s (%s)",
        param->name, b->entry->entry->name, param->rank > 0 ? "outer " : "", param->name, extents,
        program_place(&b->call.program, param->place, place));
}

static slip_status refuse_small(const binding *b, const bound_array *array)
{
    const mod_param *param = param_of(b, array);
    char place[PROGRAM_PLACE_BYTES];

    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "array `%s` of %s has %" PRIu64 " bytes; its extents need %" PRIu64 " (%s)",
                     param->name, b->entry->entry->name, array->given, array->wanted,
                     program_place(&b->call.program, param->place, place));
}

static slip_status refuse_unaligned(const binding *b, const bound_array *array)
{
    const mod_param *param = param_of(b, array);
    char place[PROGRAM_PLACE_BYTES];

    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "array `%s` of %s begins at %#" PRIx64
                     "; its elements need a multiple of %" PRIu32 " (%s)",
                     param->name, b->entry->entry->name, array->pointer, param->align,
                     program_place(&b->call.program, param->place, place));
}

/* An array whose extent the signature does not know reaches to the end of the range it begins
 * in. */
static slip_status look_up_unsized(const binding *b, bound_array *array, slip_device *device,
                                   present_name name, present_range *out)
{
    SLIP_TRY(present_find(device, (uintptr_t)array->pointer, 1, name, out));
    if (out->kind == PRESENT_NONE)
        return refuse_unknown(b, array);
    array->bytes = out->bytes - ((uintptr_t)array->pointer - out->start);
    return SLIP_OK;
}

static slip_status look_up(const binding *b, bound_array *array, slip_device *device)
{
    present_name name = { param_of(b, array)->name, b->entry->entry->name };
    present_range range = { .kind = PRESENT_NONE };
    char text[PRESENT_NAME_BYTES];

    array->home = PLAN_HOME_UNKNOWN;
    array->address = array->pointer;
    array->memory = NULL;
    array->bytes = array->wanted != BIND_UNKNOWN ? array->wanted : array->given;
    if (array->wanted != BIND_UNKNOWN && array->given != BIND_UNKNOWN &&
        array->given < array->wanted)
        return refuse_small(b, array);
    if (array->pointer == 0)
        array->bytes = 0; /* of unknown extent, or this would have been refused before */
    if (array->bytes == 0)
        return SLIP_OK;
    if (param_of(b, array)->align > 1 && array->pointer % param_of(b, array)->align != 0)
        return refuse_unaligned(b, array);
    if (array->bytes == BIND_UNKNOWN)
        SLIP_TRY(look_up_unsized(b, array, device, name, &range));
    else if (array->bytes > UINTPTR_MAX - array->pointer)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s: %" PRIu64 " bytes at %#" PRIx64 " pass the end of the address space",
                         present_name_text(name, text), array->bytes, array->pointer);
    else
        SLIP_TRY(present_find(device, (uintptr_t)array->pointer, array->bytes, name, &range));
    array->home = home_of(device, &range);
    if (range.kind == PRESENT_NONE)
        return ranges_refuse_device(device, (void *)(uintptr_t)array->pointer, name);
    if (array->home == PLAN_HOME_UNKNOWN)
        return SLIP_OK;
    array->memory = range.memory;
    array->address = range.device + ((uintptr_t)array->pointer - range.start);
    return SLIP_OK;
}

/* ---- classes --------------------------------------------------------------------------------- */

static bool goes_before(const bound_array *a, const bound_array *b)
{
    if (a->pointer != b->pointer)
        return a->pointer < b->pointer;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes;
    return a->param < b->param;
}

/* Shell's sort: in place, no recursion, and quick for the few arrays of a call. */
static void sort_order(binding *b)
{
    for (uint32_t gap = b->array_count / 2; gap > 0; gap /= 2)
        for (uint32_t k = gap; k < b->array_count; k++) {
            uint32_t moved = b->order[k], at = k;
            for (; at >= gap && goes_before(&b->arrays[moved], &b->arrays[b->order[at - gap]]);
                 at -= gap)
                b->order[at] = b->order[at - gap];
            b->order[at] = moved;
        }
}

/* Gives each array the first array of its class and of its range, in the order of addresses. */
static void group(binding *b)
{
    const bound_array *before = NULL; /* the last one with bytes */
    uint64_t end = 0;

    for (uint32_t k = 0; k < b->array_count; k++) {
        uint32_t at = b->order[k];
        bound_array *array = &b->arrays[at];
        array->class = array->range = at;
        if (array->bytes == 0)
            continue;
        if (before && array->pointer < end)
            array->class = before->class;
        if (before && before->pointer == array->pointer && before->bytes == array->bytes)
            array->range = before->range;
        if (array->pointer + array->bytes > end)
            end = array->pointer + array->bytes;
        before = array;
    }
}

/* Numbers from 0 by first appearance; `order` is free to hold the numbers given. */
static void renumber(binding *b)
{
    for (int pass = 0; pass < 2; pass++) {
        uint32_t next = 0;
        for (uint32_t k = 0; k < b->array_count; k++)
            b->order[k] = MOD_NONE;
        for (uint32_t k = 0; k < b->array_count; k++) {
            uint32_t *number = pass == 0 ? &b->arrays[k].class : &b->arrays[k].range;
            if (b->order[*number] == MOD_NONE)
                b->order[*number] = next++;
            *number = b->order[*number];
        }
    }
}

/* ---- what the launcher is told --------------------------------------------------------------- */

static uint64_t offset_of(const bound_array *array)
{
    return array->memory ? array->address - array->memory->address : 0;
}

/* A class grows by each of its arrays; all of them lie in one range, or in none. */
static void widen(launch_class *c, const bound_array *array)
{
    uint64_t start = array->pointer < c->start ? array->pointer : c->start;
    uint64_t end = array->pointer + array->bytes;

    if (c->start + c->bytes > end)
        end = c->start + c->bytes;
    if (array->pointer < c->start)
        c->memory_offset = offset_of(array);
    c->start = start;
    c->bytes = end - start;
}

static void fill_call(binding *b)
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < b->array_count; k++) {
        const bound_array *array = &b->arrays[k];
        launch_class *c = &b->unions[array->class];
        if (array->class < count) {
            widen(c, array);
            continue;
        }
        count++;
        *c = (launch_class){ .home = array->home,
                             .start = array->pointer,
                             .bytes = array->bytes,
                             .memory = array->memory,
                             .memory_offset = offset_of(array) };
    }
    for (uint32_t k = 0; k < b->array_count; k++) {
        const bound_array *array = &b->arrays[k];
        const mod_param *param = param_of(b, array);
        b->members[k] =
            (launch_array){ .param = array->param,
                            .class = array->class,
                            .offset = array->pointer - b->unions[array->class].start,
                            .bytes = array->bytes,
                            .written = !param->is_const && (param->access & MOD_WRITE) != 0 };
    }
    b->call.class_count = count;
}

/* ---- what tasks need apart ------------------------------------------------------------------- */

static const bound_array *array_of(const binding *b, uint32_t param)
{
    for (uint32_t k = 0; k < b->array_count; k++)
        if (b->arrays[k].param == param)
            return &b->arrays[k];
    return NULL;
}

static bool overlap(const bound_array *a, const bound_array *b)
{
    return a->bytes > 0 && b->bytes > 0 && a->pointer < b->pointer + b->bytes &&
           b->pointer < a->pointer + a->bytes;
}

static slip_status refuse_overlap(const binding *b, const mod_apart *apart, const bound_array *one,
                                  const bound_array *two)
{
    const mod_param *params = b->entry->entry->params;
    char place[PROGRAM_PLACE_BYTES];

    program_place(&b->call.program, apart->place, place);
    if (apart->same_ok)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "arrays `%s` and `%s` of %s overlap in part (%" PRIu64
                         " bytes at %#" PRIx64 ", %" PRIu64 " at %#" PRIx64
                         "); %s needs them apart or equal",
                         params[apart->a].name, params[apart->b].name, b->entry->entry->name,
                         one->bytes, one->pointer, two->bytes, two->pointer, place);
    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "arrays `%s` and `%s` of %s overlap (%" PRIu64 " bytes at %#" PRIx64
                     ", %" PRIu64 " at %#" PRIx64 "); %s needs them apart",
                     params[apart->a].name, params[apart->b].name, b->entry->entry->name,
                     one->bytes, one->pointer, two->bytes, two->pointer, place);
}

static slip_status check_apart(const binding *b)
{
    const mod_entry *entry = b->entry->entry;

    for (uint32_t t = 0; t < entry->task_count; t++)
        for (uint32_t k = 0; k < entry->tasks[t].apart_count; k++) {
            const mod_apart *apart = &entry->tasks[t].aparts[k];
            const bound_array *one = array_of(b, apart->a), *two = array_of(b, apart->b);
            if (!one || !two || !overlap(one, two))
                continue;
            if (!apart->same_ok || one->pointer != two->pointer || one->bytes != two->bytes)
                return refuse_overlap(b, apart, one, two);
        }
    return SLIP_OK;
}

slip_status alias_find(binding *b, slip_device *device)
{
    for (uint32_t k = 0; k < b->array_count; k++) {
        SLIP_TRY(look_up(b, &b->arrays[k], device));
        b->order[k] = k;
    }
    sort_order(b);
    group(b);
    bool shared = false;
    for (uint32_t k = 0; k < b->array_count; k++)
        shared |= b->arrays[k].class != k;
    renumber(b);
    fill_call(b);
    return shared ? check_apart(b) : SLIP_OK;
}
