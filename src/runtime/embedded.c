/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embedded.c - modules that generated code carries, loaded on first use per device.
 *
 * A slip_embedded holds a number, never a pointer: it is valid whatever device it meets, after that
 * one was closed and another opened, and for all threads. A device keeps a table by that number.
 */
#include <inttypes.h>
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

static void copy_row(embedded_row *to, const embedded_row *from)
{
    to->count = from->count;
    atomic_init(&to->entries, atomic_load_explicit(&from->entries, memory_order_relaxed));
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
    SLIP_TRY(mem_new(sizeof *made + capacity * sizeof made->rows[0], (void **)&made));
    made->capacity = capacity;
    made->older = old;
    for (uint32_t k = 0; old && k < old->capacity; k++)
        copy_row(&made->rows[k], &old->rows[k]);
    atomic_store_explicit(&device->embedded, made, memory_order_release);
    return SLIP_OK;
}

/* The device's lock is held. False: another thread was first. */
static bool publish(slip_device *device, uint32_t number, const slip_module *made)
{
    embedded_table *table = atomic_load_explicit(&device->embedded, memory_order_relaxed);
    embedded_row *row = &table->rows[number];

    if (atomic_load_explicit(&row->entries, memory_order_relaxed))
        return false;
    row->count = made->module->entry_count;
    atomic_store_explicit(&row->entries, made->entries, memory_order_release);
    return true;
}

/* Two threads may both load it; the second to come gives its own up. */
static slip_status load(slip_device *device, const slip_embedded *embedded, uint32_t number)
{
    slip_module *made = NULL;
    bool kept = false;

    SLIP_TRY(slip_module_load(device, embedded->bytes, embedded->size, &made));
    pthread_mutex_lock(&device->lock);
    slip_status status = make_room(device, number);
    if (status == SLIP_OK)
        kept = publish(device, number, made);
    pthread_mutex_unlock(&device->lock);
    if (!kept)
        slip_module_unload(made);
    return status;
}

slip_status embedded_load(slip_device *device, slip_embedded *embedded, uint32_t index,
                          slip_entry **out)
{
    uint32_t number = number_of(embedded), count = 0;
    slip_entry *entries = embedded_entries(device, embedded, &count);

    if (!entries) {
        SLIP_TRY(load(device, embedded, number));
        entries = embedded_entries(device, embedded, &count);
    }
    if (index >= count)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "the module has %" PRIu32 " kernels; number %" PRIu32 " was called", count,
                         index);
    *out = &entries[index];
    return SLIP_OK;
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
