/* SPDX-License-Identifier: Apache-2.0 */
/*
 * present.c - the present table: look-up by range, and replacing the table.
 *
 * A reader needs no lock because a table is never changed once published, except that a range's
 * kind may become PRESENT_NONE; old tables and freed memory are retired, not freed (retire.h).
 */
#include "runtime/present.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

/* By kind: what gave the memory, and what takes it back. */
static const struct {
    const char *gave, *takes;
} kinds[] = {
    [PRESENT_NONE] = { "unknown", "nothing" },
    [PRESENT_PINNED] = { "slip_host_alloc", "slip_host_free" },
    [PRESENT_REGISTERED] = { "slip_host_register", "slip_host_unregister" },
    [PRESENT_KEPT] = { "slip_keep", "slip_unkeep" },
    [PRESENT_RESIDENT] = { "slip_alloc", "slip_free" },
    [PRESENT_WRAPPED] = { "slip_wrap", "slip_unwrap" },
};

const char *present_kind_text(present_kind kind)
{
    return kinds[kind].gave;
}

const char *present_kind_end(present_kind kind)
{
    return kinds[kind].takes;
}

static present_kind kind_of(const present_entry *entry)
{
    return (present_kind)atomic_load_explicit(&entry->kind, memory_order_relaxed);
}

/* A range of zero bytes still has its address to itself. */
static uint64_t extent_of(uint64_t bytes)
{
    return bytes ? bytes : 1;
}

/* The number of ranges that begin at or below `address`. */
static uint32_t count_below(const present_table *table, uintptr_t address)
{
    uint32_t low = 0, high = table ? table->count : 0;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->entries[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A living range that shares a byte with [start, start + bytes), or NULL. */
static const present_entry *touching(const present_table *table, uintptr_t start, uint64_t bytes)
{
    uint32_t below = count_below(table, start);

    for (uint32_t k = below; k-- > 0;) {
        const present_entry *entry = &table->entries[k];
        if (kind_of(entry) == PRESENT_NONE)
            continue;
        if (start - entry->start < extent_of(entry->bytes))
            return entry;
        break;
    }
    for (uint32_t k = below; table && k < table->count; k++) {
        const present_entry *entry = &table->entries[k];
        if (kind_of(entry) == PRESENT_NONE)
            continue;
        return entry->start - start < bytes ? entry : NULL;
    }
    return NULL;
}

const char *present_name_text(present_name name, char out[PRESENT_NAME_BYTES])
{
    if (name.kernel)
        snprintf(out, PRESENT_NAME_BYTES, "array `%s` of %s", name.name, name.kernel);
    else
        snprintf(out, PRESENT_NAME_BYTES, "%s", name.name);
    return out;
}

static slip_status refuse_part(present_name name, uintptr_t start, uint64_t bytes,
                               const present_entry *entry)
{
    char text[PRESENT_NAME_BYTES];

    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "%s, %" PRIu64 " bytes at %#" PRIxPTR ", lies only partly in the %" PRIu64
                     " bytes at %#" PRIxPTR " of %s",
                     present_name_text(name, text), bytes, start, entry->bytes, entry->start,
                     present_kind_text(kind_of(entry)));
}

slip_status present_find(slip_device *device, uintptr_t start, uint64_t bytes, present_name name,
                         present_range *out)
{
    const present_table *table = atomic_load_explicit(&device->present, memory_order_acquire);
    const present_entry *entry = touching(table, start, bytes);

    if (!entry) {
        *out = (present_range){
            .kind = PRESENT_NONE, .start = start, .bytes = bytes, .device = start
        };
        return SLIP_OK;
    }
    if (start < entry->start || bytes > entry->bytes - (start - entry->start))
        return refuse_part(name, start, bytes, entry);
    *out = (present_range){ kind_of(entry), entry->start, entry->bytes, entry->device,
                            entry->memory ? &entry->memory->memory : NULL };
    return SLIP_OK;
}

present_kind present_kind_at(slip_device *device, uintptr_t start, uint64_t bytes)
{
    const present_table *table = atomic_load_explicit(&device->present, memory_order_acquire);
    const present_entry *entry = touching(table, start, bytes);

    return entry ? kind_of(entry) : PRESENT_NONE;
}

static void drop_table(slip_device *device, retired *item)
{
    (void)device;
    mem_free((char *)item - offsetof(present_table, retired));
}

launch_memory present_take_pin(present_memory *memory)
{
    launch_memory pin = { 0 };

    if (memory->wrapped) {
        pin = memory->memory;
        memory->memory.own = NULL;
    }
    return pin;
}

static void drop_memory(slip_device *device, retired *item)
{
    present_memory *memory = (present_memory *)((char *)item - offsetof(present_memory, retired));

    if (!memory->wrapped)
        device->family->memory_drop(device->self, &memory->memory);
    else if (memory->memory.own) /* the device is closed */
        device->family->host_unregister(device->self, &memory->memory);
    reserved_drop(&memory->reserved);
    mem_free(memory);
}

void present_retire(slip_device *device, present_memory *memory)
{
    retire(device, &memory->retired, drop_memory);
    retire_sweep(device);
}

/* The new table can be seen before the generation says that there is one. */
static void publish(slip_device *device, present_table *table)
{
    present_table *old = atomic_load_explicit(&device->present, memory_order_relaxed);

    if (table)
        atomic_store(&device->present, table);
    atomic_fetch_add(&device->generation, 1);
    if (table && old)
        retire(device, &old->retired, drop_table);
}

/* A table with room for the living ranges and `more`. */
static slip_status copy_table(const present_table *from, uint32_t more, present_table **out)
{
    uint32_t count = from ? from->count : 0;
    present_table *made = NULL;

    SLIP_TRY(
        mem_new(sizeof *made + ((size_t)count + more) * sizeof *made->entries, (void **)&made));
    for (uint32_t k = 0; k < count; k++)
        if (kind_of(&from->entries[k]) != PRESENT_NONE)
            made->entries[made->count++] = (present_entry){ .start = from->entries[k].start,
                                                            .bytes = from->entries[k].bytes,
                                                            .device = from->entries[k].device,
                                                            .memory = from->entries[k].memory,
                                                            .kind = kind_of(&from->entries[k]) };
    *out = made;
    return SLIP_OK;
}

slip_status present_add(slip_device *device, present_range range, present_memory *memory)
{
    present_table *old = atomic_load_explicit(&device->present, memory_order_relaxed), *made = NULL;
    const present_entry *other = touching(old, range.start, extent_of(range.bytes));

    if (other)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%" PRIu64 " bytes at %#" PRIxPTR " for %s touch the %" PRIu64
                         " bytes at %#" PRIxPTR " of %s",
                         range.bytes, range.start, present_kind_text(range.kind), other->bytes,
                         other->start, present_kind_text(kind_of(other)));
    SLIP_TRY(copy_table(old, 1, &made));
    uint32_t at = count_below(made, range.start);
    memmove(&made->entries[at + 1], &made->entries[at], (made->count - at) * sizeof *made->entries);
    made->entries[at] = (present_entry){ .start = range.start,
                                         .bytes = range.bytes,
                                         .device = range.device,
                                         .memory = memory,
                                         .kind = range.kind };
    made->count++;
    publish(device, made);
    retire_sweep(device);
    return SLIP_OK;
}

bool present_remove(slip_device *device, uintptr_t start, present_kind kind, launch_memory *out_pin)
{
    present_table *old = atomic_load_explicit(&device->present, memory_order_relaxed), *made = NULL;
    uint32_t below = count_below(old, start);
    slip_error before = *fail_last();

    while (below > 0 && kind_of(&old->entries[below - 1]) == PRESENT_NONE)
        below--;
    if (below == 0)
        return false;
    present_entry *entry = &old->entries[below - 1];
    if (entry->start != start || kind_of(entry) != kind)
        return false;
    present_memory *memory = entry->memory;
    atomic_store_explicit(&entry->kind, PRESENT_NONE, memory_order_relaxed);
    if (copy_table(old, 0, &made) != SLIP_OK && before.code == SLIP_OK)
        fail_clear(); /* the mark in the old table will do */
    publish(device, made);
    if (memory) {
        *out_pin = present_take_pin(memory);
        retire(device, &memory->retired, drop_memory);
    }
    retire_sweep(device);
    return true;
}

void present_finish(slip_device *device)
{
    present_table *table = atomic_load_explicit(&device->present, memory_order_relaxed);

    retire_all(device);
    if (!table)
        return;
    for (uint32_t k = 0; k < table->count; k++)
        if (table->entries[k].memory && kind_of(&table->entries[k]) != PRESENT_NONE)
            drop_memory(device, &table->entries[k].memory->retired);
    atomic_store(&device->present, NULL);
    mem_free(table);
}
