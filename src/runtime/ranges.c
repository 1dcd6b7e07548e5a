/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.c - makes memory of the device, and puts it into the present table and takes it out.
 *
 * Memory that was made is only ever given back through the list of what is retired, so that no
 * caller has to know whether anything queued still uses it.
 */
#include "runtime/ranges.h"

#include <inttypes.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/reserved.h"

static slip_status try_new(slip_device *device, uint64_t bytes, launch_memory_kind kind,
                           present_memory *made)
{
    return device->family->memory_new(device->self, bytes ? bytes : 1, kind, &made->memory);
}

static bool any_retired(slip_device *device)
{
    pthread_mutex_lock(&device->lock);
    bool any = device->retired != NULL;
    pthread_mutex_unlock(&device->lock);
    return any;
}

slip_status ranges_new(slip_device *device, uint64_t bytes, launch_memory_kind kind,
                       present_memory **out)
{
    present_memory *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = try_new(device, bytes, kind, made);
    if (status == SLIP_ERR_MEMORY) {
        device_trim(device);
        fail_clear();
        status = try_new(device, bytes, kind, made);
    }
    if (status == SLIP_ERR_MEMORY && any_retired(device)) {
        fail_clear();
        status = device_sync(device);
        device_trim(device);
        if (status == SLIP_OK)
            status = try_new(device, bytes, kind, made);
    }
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

void ranges_drop(slip_device *device, present_memory *memory)
{
    pthread_mutex_lock(&device->lock);
    present_retire(device, memory);
    pthread_mutex_unlock(&device->lock);
}

/* The user may unmap the memory once told: it is not left to those who come after the queued work,
 * which uses none of it. */
static void unpin(slip_device *device, launch_memory *pin)
{
    if (pin->own)
        device->family->host_unregister(device->self, pin);
}

slip_status ranges_add(slip_device *device, present_kind kind, uintptr_t start, uint64_t bytes,
                       present_memory *memory)
{
    present_range range = {
        .kind = kind, .start = start, .bytes = bytes, .device = memory->memory.address
    };
    launch_memory pin = { 0 };

    pthread_mutex_lock(&device->lock);
    slip_status status = present_add(device, range, memory);
    if (status != SLIP_OK) {
        pin = present_take_pin(memory);
        present_retire(device, memory);
    } else if (!memory->wrapped) {
        counters_add(&device->own.allocations, 1);
        counters_add(&device->own.driver_calls, 1);
    }
    pthread_mutex_unlock(&device->lock);
    unpin(device, &pin);
    return status;
}

/* `there` is the range that has the address. */
static void refuse_removal(const char *where, present_kind kind, const void *memory,
                           const present_range *there)
{
    if (there->kind == PRESENT_NONE)
        (void)SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: nothing that %s gave begins at %p", where,
                        present_kind_text(kind), memory);
    else if (there->start == (uintptr_t)memory)
        (void)SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: what begins at %p is of %s; %s takes it back",
                        where, memory, present_kind_text(there->kind),
                        present_kind_end(there->kind));
    else
        (void)SLIP_FAIL(SLIP_ERR_ARGUMENT,
                        "%s: %p lies %" PRIu64 " bytes behind the beginning of the %" PRIu64
                        " bytes of %s; %s takes their beginning, %#" PRIxPTR,
                        where, memory, (uint64_t)((uintptr_t)memory - there->start), there->bytes,
                        present_kind_text(there->kind), present_kind_end(there->kind),
                        there->start);
}

bool ranges_remove(slip_device *device, void *memory, present_kind kind, const char *where)
{
    present_range there = { .kind = PRESENT_NONE };
    launch_memory pin = { 0 };

    if (!memory)
        return true;
    if (!device) {
        (void)SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the device is NULL", where);
        return false;
    }
    pthread_mutex_lock(&device->lock);
    bool found = present_remove(device, (uintptr_t)memory, kind, &pin);
    slip_status status = SLIP_OK;
    if (!found) /* one byte is in a range whole, or in none */
        status = present_find(device, (uintptr_t)memory, 1, (present_name){ where, NULL }, &there);
    pthread_mutex_unlock(&device->lock);
    unpin(device, &pin);
    if (!found && status == SLIP_OK)
        refuse_removal(where, kind, memory, &there);
    return found;
}

slip_status ranges_check(const slip_device *device, const void *pointer, const char *what,
                         uint64_t bytes, const char *where)
{
    if (!device || !pointer)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", where, device ? what : "device");
    if (bytes > (uint64_t)PTRDIFF_MAX)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "%s: no device has %" PRIu64 " bytes", where, bytes);
    return SLIP_OK;
}

/* Memory of this device that its table does not have is on its way back. */
static slip_status refuse_reserved(const slip_device *device, const void *memory, present_name name)
{
    const slip_device *of = NULL;
    char text[PRESENT_NAME_BYTES];
    reserved_kind kind = reserved_at(memory, &of);

    if (kind == RESERVED_NOT)
        return SLIP_OK;
    if (kind == RESERVED_BY && of != device)
        return SLIP_FAIL(
            SLIP_ERR_ARGUMENT,
            "%s is at %p, in memory of slip_alloc on another device; %s:%" PRIu32 " has none there",
            present_name_text(name, text), memory, device->family->name, device->index);
    return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s is at %p, %sin memory that slip_free has given back",
                     present_name_text(name, text), memory,
                     kind == RESERVED_BY
                         ? "among the addresses of slip_alloc: in device memory, past its end, or "
                         : "");
}

slip_status ranges_refuse_device(const slip_device *device, const void *memory, present_name name)
{
    char text[PRESENT_NAME_BYTES];
    bool on_device = false;

    SLIP_TRY(refuse_reserved(device, memory, name));
    if (!device->family->on_device)
        return SLIP_OK;
    SLIP_TRY(device->family->on_device(device->self, memory, &on_device));
    if (on_device)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s is at %p, in memory of a device that %s:%" PRIu32
                         " does not know; slip_wrap makes memory of other code known",
                         present_name_text(name, text), memory, device->family->name,
                         device->index);
    return SLIP_OK;
}
