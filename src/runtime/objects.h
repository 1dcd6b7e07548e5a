/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - the structures behind the public handles, and who may touch what.
 *
 * Locks, in the order they are taken: the list of devices (device.c), a device's, a stream's, an
 * entry's. A repeated call takes its stream's alone. What a stream has beside its lock is used
 * under it; what a device has is used under the device's, apart from what is fixed and what is
 * marked atomic.
 */
#ifndef SLIPWAY_RUNTIME_OBJECTS_H
#define SLIPWAY_RUNTIME_OBJECTS_H

#include <pthread.h>

#include <slipway/slipway.h>

#include "driver/driver.h"
#include "launch/launch_cpu.h"
#include "module/module.h"
#include "plan/plan.h"

typedef struct binding binding;             /* bind.h */
typedef struct cached_plan cached_plan;     /* plans.h */
typedef struct present_table present_table; /* present.h */
typedef struct retired retired;             /* retire.h */

/* Modules of generated code that a device has loaded, by the number of the slip_embedded. */
typedef struct embedded_table {
    struct embedded_table *older; /* replaced by this one; readers may still look at it */
    uint32_t capacity;
    _Atomic(slip_module *) modules[];
} embedded_table;

struct slip_device {
    /* Fixed. */
    uint64_t id; /* never used again in this process */
    const cpu_driver *driver;
    void *self; /* the driver's */
    const plan_facts *facts;
    uint32_t index;
    drv_info info;
    bool conservative; /* SLIPWAY_SYNC=conservative */
    slip_stream *standard;

    pthread_mutex_t lock;
    slip_device *next, *previous; /* under the lock of the list of devices */
    slip_stream *streams;
    slip_module *modules;
    counters own;    /* what belongs to no living stream */
    slip_stats zero; /* the sums at the last reset */

    _Atomic(present_table *) present;
    _Atomic uint64_t generation; /* of the present table; starts at 1 */
    retired *retired;
    uint64_t era;

    _Atomic(embedded_table *) embedded;
    uint32_t entry_ids; /* ids given out so far */
    uint32_t *free_ids; /* ids of unloaded entries, to be given out again */
    size_t free_id_count, free_id_capacity;
};

struct slip_stream {
    _Alignas(64) pthread_mutex_t lock;
    slip_device *device;
    bool is_default;
    _Atomic uint64_t uses; /* times the lock was given back */
    counters counts;
    lane memory;
    binding **bindings; /* [binding_capacity] by entry id; NULL: not called on this stream yet */
    size_t binding_capacity;
    void *allocation; /* what holds this structure */
    _Alignas(64) uint8_t block[MOD_MAX_BLOCK_BYTES];

    slip_stream *next, *previous; /* under the device's lock, as are the next three: retire.h */
    uint64_t seen_era, noted_era, noted_uses;
};

struct slip_event {
    slip_device *device;
    _Atomic uint64_t when_ns; /* 0: never recorded */
};

enum { ENTRY_MAX_PLANS = 16 };

struct slip_entry {
    slip_module *module;
    const mod_entry *entry;
    cpu_kernel *kernels; /* [entry->task_count] */
    uint32_t id;         /* small, unique among the device's loaded entries */
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
    void *code;                   /* the driver's; NULL without tasks */
    cpu_kernel *kernels;          /* [symbol_count] */
    slip_entry *entries;          /* [entry_count] */
    slip_module *next, *previous; /* under the device's lock */
};

/* Every public function that can fail begins with this: a new call, a clean record. */
void runtime_enter(void);

/* device.c */
slip_status device_open_with(const cpu_driver *driver, uint32_t index,
                             slip_device **out) SLIP_MUST_USE;
/* stream.c; create and destroy take the device's lock. */
slip_status stream_create(slip_device *device, bool is_default, slip_stream **out) SLIP_MUST_USE;
void stream_destroy(slip_stream *stream);
void stream_lock(slip_stream *stream);
void stream_unlock(slip_stream *stream);
/* module.c: `module` is borrowed until the unload. */
slip_status module_adopt(slip_device *device, const mod_module *module,
                         slip_module **out) SLIP_MUST_USE;
/* embedded.c */
slip_status embedded_find(slip_device *device, slip_embedded *embedded,
                          slip_module **out) SLIP_MUST_USE;
void embedded_finish(slip_device *device);

#endif
