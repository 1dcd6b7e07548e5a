/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - device memory, pinned memory and wrapped memory: making it and giving it back.
 *
 * The rules are those of every device, also where device memory is ordinary memory: what the
 * present table does not know is refused where device memory is asked for. Freed memory goes back
 * when nothing can be using it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/ranges.h"

/* Where the host finds new memory, or what stands for it. */
static slip_status give_address(const slip_device *device, present_kind kind, uint64_t bytes,
                                present_memory *made, void **out)
{
    if (kind == PRESENT_PINNED) {
        *out = made->memory.host;
        return SLIP_OK;
    }
    if (device->family->foreign_addresses) {
        SLIP_TRY(reserved_make(device, bytes, &made->reserved));
        *out = made->reserved.start;
        return SLIP_OK;
    }
    *out = (void *)(uintptr_t)made->memory.address;
    return SLIP_OK;
}

static slip_status alloc_as(slip_device *device, uint64_t bytes, present_kind kind, void **out)
{
    present_memory *made = NULL;
    void *address = NULL;

    SLIP_TRY(ranges_check(device, out, "place for the address", bytes, present_kind_text(kind)));
    SLIP_TRY(ranges_new(device, bytes,
                        kind == PRESENT_PINNED ? LAUNCH_MEMORY_PINNED : LAUNCH_MEMORY_DEVICE,
                        &made));
    slip_status status = give_address(device, kind, bytes, made, &address);
    if (status != SLIP_OK) {
        ranges_drop(device, made);
        return status;
    }
    SLIP_TRY(ranges_add(device, kind, (uintptr_t)address, bytes, made));
    *out = address;
    return SLIP_OK;
}

slip_status slip_alloc(slip_device *device, uint64_t bytes, void **out)
{
    runtime_enter();
    return alloc_as(device, bytes, PRESENT_RESIDENT, out);
}

void slip_free(slip_device *device, void *memory)
{
    ranges_remove(device, memory, PRESENT_RESIDENT, "slip_free");
}

slip_status slip_host_alloc(slip_device *device, uint64_t bytes, void **out)
{
    runtime_enter();
    return alloc_as(device, bytes, PRESENT_PINNED, out);
}

void slip_host_free(slip_device *device, void *memory)
{
    ranges_remove(device, memory, PRESENT_PINNED, "slip_host_free");
}

/* Memory that is not Slipway's, at its own address. */
static slip_status foreign(void *memory, present_memory **out)
{
    present_memory *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->wrapped = true;
    made->memory = (launch_memory){ .address = (uint64_t)(uintptr_t)memory, .host = memory };
    *out = made;
    return SLIP_OK;
}

/* Where it cannot be pinned calls copy it as they copy any other memory. */
static slip_status pin(const slip_device *device, void *memory, uint64_t bytes, launch_memory *into)
{
    if (!device->family->host_register)
        return SLIP_OK;
    slip_status status = device->family->host_register(device->self, memory, bytes, into);
    if (status == SLIP_OK || status == SLIP_ERR_LOST)
        return status;
    fail_clear();
    return SLIP_OK;
}

slip_status slip_host_register(slip_device *device, void *memory, uint64_t bytes)
{
    present_memory *made = NULL;

    runtime_enter();
    SLIP_TRY(ranges_check(device, memory, "memory", bytes, "slip_host_register"));
    if (bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_host_register: %" PRIu64 " bytes at %p are no range to pin", bytes,
                         memory);
    SLIP_TRY(ranges_refuse_device(device, memory,
                                  (present_name){ "slip_host_register: the range", NULL }));
    SLIP_TRY(foreign(memory, &made));
    slip_status status = pin(device, memory, bytes, &made->memory);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    return ranges_add(device, PRESENT_REGISTERED, (uintptr_t)memory, bytes, made);
}

slip_status slip_host_unregister(slip_device *device, void *memory)
{
    runtime_enter();
    if (!device || !memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_host_unregister: the %s is NULL",
                         device ? "memory" : "device");
    return ranges_remove(device, memory, PRESENT_REGISTERED, "slip_host_unregister")
               ? SLIP_OK
               : SLIP_ERR_ARGUMENT;
}

slip_status slip_wrap(slip_device *device, void *native, uint64_t bytes, void **out)
{
    present_memory *made = NULL;

    runtime_enter();
    if (!device || !native || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_wrap: the %s is NULL",
                         !device   ? "device"
                         : !native ? "memory"
                                   : "place for the address");
    if (device->family->foreign_addresses)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "slip_wrap: %s names memory by objects of its own, which an address does "
                         "not tell; make it with slip_alloc and give slip_native's address away",
                         device->family->name);
    if (bytes > UINTPTR_MAX - (uintptr_t)native)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_wrap: %" PRIu64 " bytes at %p pass the end of the address space",
                         bytes, native);
    SLIP_TRY(foreign(native, &made));
    SLIP_TRY(ranges_add(device, PRESENT_WRAPPED, (uintptr_t)native, bytes, made));
    *out = native;
    return SLIP_OK;
}

void slip_unwrap(slip_device *device, void *memory)
{
    ranges_remove(device, memory, PRESENT_WRAPPED, "slip_unwrap");
}

slip_status slip_native(slip_device *device, void *memory, void **out)
{
    present_range range = { .kind = PRESENT_NONE };

    runtime_enter();
    if (!device || !memory || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_native: the %s is NULL",
                         !device   ? "device"
                         : !memory ? "memory"
                                   : "place for the address");
    pthread_mutex_lock(&device->lock);
    slip_status status =
        present_find(device, (uintptr_t)memory, 1, (present_name){ "slip_native", NULL }, &range);
    pthread_mutex_unlock(&device->lock);
    SLIP_TRY(status);
    if (range.kind == PRESENT_NONE || range.kind == PRESENT_PINNED ||
        range.kind == PRESENT_REGISTERED)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_native: %p is not memory of slip_alloc, slip_wrap or slip_keep",
                         memory);
    *out = (void *)(uintptr_t)(range.device + ((uintptr_t)memory - range.start));
    return SLIP_OK;
}
