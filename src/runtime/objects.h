/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - the structures behind the public handles, and who may touch what.
 *
 * Locks, in the order they are taken: the list of devices (registry.c), a device's, a stream's, an
 * entry's, a device's `points`. A repeated call takes its stream's alone, and nobody waits for
 * anything while holding `points`. What a stream has beside its lock is used under it; what a
 * device has is used under the device's, apart from what is fixed and what is marked atomic.
 */
#ifndef SLIPWAY_RUNTIME_OBJECTS_H
#define SLIPWAY_RUNTIME_OBJECTS_H

#include <pthread.h>

#include <slipway/slipway.h>

#include "base/fail.h"
#include "driver/driver.h"
#include "launch/launcher.h"
#include "module/module.h"
#include "plan/plan.h"

typedef struct binding binding;             /* bind.h */
typedef struct cached_plan cached_plan;     /* plans.h */
typedef struct present_table present_table; /* present.h */

/* Embedded in what is retired, so that retiring cannot fail: retire.h. */
typedef struct retired {
    struct retired *next;
    uint64_t era;
    void (*drop)(slip_device *device, struct retired *item);
} retired;

/* A module of generated code that a device has loaded: its entries, for as long as the device is
 * open. Fixed before `entries` is seen. */
typedef struct embedded_row {
    _Atomic(slip_entry *) entries; /* [count]; NULL: not loaded yet */
    uint32_t count;
} embedded_row;

/* By the number of the slip_embedded. */
typedef struct embedded_table {
    struct embedded_table *older; /* replaced by this one; readers may still look at it */
    uint32_t capacity;
    embedded_row rows[];
} embedded_table;

struct slip_device {
    /* What a repeated call looks at. */
    slip_stream *standard; /* fixed */
    _Atomic(embedded_table *) embedded;
    _Atomic uint64_t generation; /* of the present table and of `sync`; starts at 1 */

    /* Fixed. */
    uint64_t id; /* never used again in this process */
    const launcher *family;
    void *self; /* the family's */
    const plan_facts *facts;
    uint32_t index;
    drv_info info;
    bool sync_is_given; /* by SLIPWAY_SYNC: it stays */

    pthread_mutex_t lock;
    slip_device *next, *previous; /* under the lock of the list of devices */
    slip_stream *streams;
    slip_module *modules;
    counters own;    /* what belongs to no living stream */
    slip_stats zero; /* the sums at the last reset */

    _Atomic(present_table *) present;
    _Atomic(slip_sync) sync;
    retired *retired;        /* the oldest first */
    retired *newest_retired; /* the last of them, where there is one */
    uint64_t era;

    pthread_mutex_t points;  /* of events and of streams' pins */
    pthread_cond_t unpinned; /* a stream's pins are gone */
    slip_event *events;

    struct device_name *names; /* names.c */
    uint32_t entry_ids;        /* ids given out so far */
    uint32_t *free_ids;        /* ids of unloaded entries, to be given out again */
    size_t free_id_count, free_id_capacity;
};

struct slip_stream {
    _Alignas(MEM_LINE) pthread_mutex_t lock;
    slip_device *device;
    const launcher *family;
    void *self;                  /* the family's */
    _Atomic uint64_t wanted_era; /* 0, or what whoever has the lock is to note: retire.h */
    bool is_default;
    bool shared;        /* other code queues on it too: wrapped, or its handle was given away */
    binding **bindings; /* [binding_capacity] by entry id; NULL: not called on this stream yet */
    size_t binding_capacity;
    counters counts;

    slip_stream *next, *previous; /* under the device's lock, as is the next */
    uint64_t seen_era;
    _Atomic uint64_t noted_era, noted_mark; /* retire.h */
    uint32_t pins; /* under `points`: who waits for a mark of the stream; it is not closed then */
};

/* All but `device` under its `points`. */
struct slip_event {
    slip_device *device; /* NULL once that is closed */
    slip_event *next, *previous;
    slip_stream *stream; /* of the point that is stood for; NULL: none, or it has been reached */
    uint64_t mark;
    uint64_t when_ns; /* when it was seen to be reached; 0: not yet, or never recorded */
    bool recorded;
};

enum { ENTRY_MAX_PLANS = 16 };

struct slip_entry {
    slip_module *module;
    const mod_entry *entry;
    const char *name; /* the device's: it outlives the module */
    uint32_t id;      /* small, unique among the device's loaded entries */
    uint32_t array_count;
    pthread_mutex_t lock;                /* of the plans */
    cached_plan *plans[ENTRY_MAX_PLANS]; /* the oldest first */
    uint32_t plan_count;
};

struct slip_module {
    slip_device *device;
    const mod_module *module;
    mem_arena
        arena; /* holds *module, where it was read from bytes; else zero, and *module is borrowed */
    void *code;                   /* the family's; NULL without tasks, and where inspected */
    bool inspected;               /* by slip_module_inspect: its kernels are not called */
    slip_entry *entries;          /* [entry_count] */
    retired retired;              /* the code, once the module is unloaded */
    slip_module *next, *previous; /* under the device's lock */
};

/* Every public function that can fail begins with this: a new call, a clean record. */
static inline void runtime_enter(void)
{
    fail_clear();
}

/* device.c */
slip_status device_open_with(const launcher *family, uint32_t index,
                             slip_device **out) SLIP_MUST_USE;
/* Waits for each of the device's streams. */
slip_status device_sync(slip_device *device) SLIP_MUST_USE;
void device_trim(slip_device *device);
/* names.c; under the device's lock */
slip_status device_name_keep(slip_device *device, const char *name, const char **out) SLIP_MUST_USE;
void device_names_drop(slip_device *device);
/* stream.c; create and destroy take the device's lock. */
slip_status stream_create(slip_device *device, bool is_default, slip_stream **out) SLIP_MUST_USE;
void stream_destroy(slip_stream *stream);
/* where another thread has it */
void stream_lock_taken(slip_stream *stream) __attribute__((cold));
/* where a sweep wants a mark: retire.h */
void stream_unlock_wanted(slip_stream *stream) __attribute__((cold));
/* A stream that nobody uses costs one attempt. */
static inline void stream_lock(slip_stream *stream)
{
    if (pthread_mutex_trylock(&stream->lock) != 0)
        stream_lock_taken(stream);
}
static inline void stream_unlock(slip_stream *stream)
{
    if (atomic_load_explicit(&stream->wanted_era, memory_order_relaxed) != 0)
        stream_unlock_wanted(stream);
    else
        pthread_mutex_unlock(&stream->lock);
}
slip_status stream_sync(slip_stream *stream) SLIP_MUST_USE;
/* A pinned stream is not closed, so that marks of it may be waited for without its lock. Under
 * `points`. */
void stream_pin(slip_stream *stream);
void stream_unpin(slip_stream *stream);
/* event.c: events that stand for a point of the stream count as complete from now on. Under
 * `points`. */
void event_forget_stream(slip_stream *stream);
/* The device is being closed; its events stay with whoever made them. */
void event_forget_device(slip_device *device);
/* module.c: `module` is borrowed until the unload. */
slip_status module_adopt(slip_device *device, const mod_module *module,
                         slip_module **out) SLIP_MUST_USE;
/* embedded.c: entry `index` of a module that the device may have loaded already. ARGUMENT where it
 * has fewer. */
slip_status embedded_load(slip_device *device, slip_embedded *embedded, uint32_t index,
                          slip_entry **out) SLIP_MUST_USE __attribute__((cold));
/* The entries of a module; NULL where the device has not loaded it yet: number 0 is nobody's. */
static inline slip_entry *embedded_entries(slip_device *device, const slip_embedded *embedded,
                                           uint32_t *out_count)
{
    uintptr_t number = (uintptr_t)__atomic_load_n(&embedded->runtime, __ATOMIC_RELAXED);
    embedded_table *table = atomic_load_explicit(&device->embedded, memory_order_acquire);

    if (!table || number >= table->capacity)
        return NULL;
    slip_entry *entries = atomic_load_explicit(&table->rows[number].entries, memory_order_acquire);
    if (entries)
        *out_count = table->rows[number].count;
    return entries;
}
void embedded_finish(slip_device *device);

#endif
