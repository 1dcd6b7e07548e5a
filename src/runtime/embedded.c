/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embedded.c - modules that generated code carries, loaded on first use per device.
 *
 * A slip_embedded holds a number, never a pointer: it is valid whatever device it meets, after that
 * one was closed and another opened, and for all threads. A device keeps a table by that number.
 */
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/objects.h"

#ifdef SLIP_TEST_SMALL
enum { EMBEDDED_FIRST = 1 };
#else
enum { EMBEDDED_FIRST = 16 };
#endif

static _Atomic uint32_t last_number;

/* The number of the module, given on first sight; from 1. */
static uint32_t number_of(slip_embedded *embedded)
{
    void *have = __atomic_load_n(&embedded->runtime, __ATOMIC_RELAXED);

    if (have)
        return (uint32_t)(uintptr_t)have;
    void *given = (void *)(uintptr_t)(atomic_fetch_add(&last_number, 1) + 1);
    if (__atomic_compare_exchange_n(&embedded->runtime, &have, given, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        return (uint32_t)(uintptr_t)given;
    return (uint32_t)(uintptr_t)have;
}

/* The device's lock is held. Replaced tables stay until the device is closed: a reader may be in
 * one. */
static slip_status make_room(slip_device *device, uint32_t number)
{
    embedded_table *old = atomic_load_explicit(&device->embedded, memory_order_relaxed),
                   *made = NULL;
    uint32_t capacity = old ? old->capacity : EMBEDDED_FIRST;

    if (old && number < old->capacity)
        return SLIP_OK;
    while (capacity <= number)
        capacity *= 2;
    SLIP_TRY(mem_new(sizeof *made + capacity * sizeof made->modules[0], (void **)&made));
    made->capacity = capacity;
    made->older = old;
    for (uint32_t k = 0; old && k < old->capacity; k++)
        atomic_init(&made->modules[k],
                    atomic_load_explicit(&old->modules[k], memory_order_relaxed));
    atomic_store_explicit(&device->embedded, made, memory_order_release);
    return SLIP_OK;
}

/* Two threads may both load it; the second to come gives its own up. */
static slip_status load(slip_device *device, const slip_embedded *embedded, uint32_t number,
                        slip_module **out)
{
    slip_module *made = NULL, *extra = NULL;

    slip_status status = slip_module_load(device, embedded->bytes, embedded->size, &made);
    if (status != SLIP_OK)
        return status;
    pthread_mutex_lock(&device->lock);
    status = make_room(device, number);
    if (status != SLIP_OK) {
        extra = made;
    } else {
        embedded_table *table = atomic_load_explicit(&device->embedded, memory_order_relaxed);
        slip_module *first = atomic_load_explicit(&table->modules[number], memory_order_relaxed);
        if (first)
            extra = made;
        else
            atomic_store_explicit(&table->modules[number], made, memory_order_release);
        *out = first ? first : made;
    }
    pthread_mutex_unlock(&device->lock);
    slip_module_unload(extra);
    return status;
}

slip_status embedded_load(slip_device *device, slip_embedded *embedded, slip_module **out)
{
    return load(device, embedded, number_of(embedded), out);
}

void embedded_finish(slip_device *device)
{
    embedded_table *table = atomic_load_explicit(&device->embedded, memory_order_relaxed);

    while (table) {
        embedded_table *older = table->older;
        mem_free(table);
        table = older;
    }
    atomic_store(&device->embedded, NULL);
}
