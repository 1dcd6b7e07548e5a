/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launcher.h - what the runtime asks of a device family: one table per family, over its driver.
 *
 * The runtime knows objects, arguments and plans; a launcher knows how its family performs them.
 * The contract of each slot stands beside it.
 */
#ifndef SLIPWAY_LAUNCH_LAUNCHER_H
#define SLIPWAY_LAUNCH_LAUNCHER_H

#include "driver/driver.h"
#include "launch/counters.h"
#include "launch/program.h"
#include "launch/record.h"
#include "plan/plan.h"

/* Told of each task that ran, where somebody wants to know; times are of counters_now(). */
typedef void (*launch_watch)(void *user, const mod_task *task, uint64_t from_ns, uint64_t to_ns,
                             int64_t iterations);

/* Memory that a family made. */
typedef struct launch_memory {
    uint64_t address; /* where tasks find it */
    uint8_t *host;    /* where the host may use it; NULL: nowhere */
    void *own;        /* the launcher's; NULL: it neither made nor pinned it */
} launch_memory;

typedef enum launch_memory_kind {
    LAUNCH_MEMORY_DEVICE, /* slip_alloc, mirrors of slip_keep */
    LAUNCH_MEMORY_PINNED  /* slip_host_alloc: host is not NULL */
} launch_memory_kind;

/* An alias class of a call's arrays: the union of those that overlap. */
typedef struct launch_class {
    plan_home home;
    uint64_t start, bytes;       /* the union, in the caller's addresses; 0 bytes: empty arrays */
    const launch_memory *memory; /* what holds it, where the device knows it; else NULL */
    uint64_t memory_offset;      /* of `start` in it */
} launch_class;

/* An array argument. */
typedef struct launch_array {
    uint32_t param, class;
    uint64_t offset, bytes; /* in the class */
    bool written;           /* a task may write it, and it is not const */
} launch_array;

typedef struct launch_ops launch_ops; /* a plan as the launcher performs it */

/*
 * launch_call - one call.
 *
 * The slots of scalars, constants and extents hold their values, those of arrays in memory that
 * the device knows their addresses; those of other arrays are the launcher's to fill (cpu: the
 * caller's pointers, filled too). Everything here is borrowed for the call.
 */
typedef struct launch_call {
    const char *name; /* of the entry; it holds while the device is open */
    program_state program;
    const launch_ops *ops;
    void *code;            /* of the entry's module, as code_load gave it; NULL without tasks */
    uint32_t first_symbol; /* of the entry's tasks in it */
    const launch_class *classes; /* [class_count], numbered as in the plan's shape */
    uint32_t class_count;
    const launch_array *arrays;
    uint32_t array_count;
    void *result;          /* [entry->result.bytes]; NULL: not wanted */
    launch_record *record; /* begun: what the call launches is added. NULL: nobody wants it; the
                            * plan is not of tasks alone, or the family has no perform_again */
    launch_watch watch;    /* NULL: nobody */
    void *watch_user;
    /* Of perform, where it succeeds: what `finish` is to be given once the stream is unlocked. NULL
     * before, and where the call has ended as far as the host is concerned. */
    void *rest;
} launch_call;

/*
 * A status of SLIP_ERR_LOST is latched: each later call on the device gives it; the slots that
 * return nothing still work. All slots are required but where a comment says so.
 *
 * A stream's `counts` are the launcher's for what it does: tasks, copies, waits, submissions,
 * driver calls, and the memory it takes by itself. The runtime counts calls, plans and memory_new.
 */
typedef struct launcher {
    const char *name; /* "cpu", "vulkan" */
    /* Device memory has no address that the host could use: the runtime reserves one. */
    bool foreign_addresses;
    /* Why it shares no streams with other code, and what a program does instead. NULL: it does. */
    const char *no_native_streams;

    /* ARGUMENT where a variable of the environment that is the family's has a value that it does
     * not take; asked before the family is. Any thread. Absent: it has none, or info looks at them.
     */
    slip_status (*check)(void);
    /* Any thread. */
    const char *(*missing)(void); /* why there is no device of this family; NULL where there is */
    uint32_t (*device_count)(void);
    slip_status (*info)(uint32_t index, drv_info *out);
    slip_status (*open)(uint32_t index, void **out);
    void (*close)(void *device);      /* its streams are closed, its memory and code dropped */
    void (*after_fork)(void *device); /* in the child; allocates nothing */
    const plan_facts *(*facts)(void *device); /* holds while the device is open */
    /* What it did for no stream, in counters that hold while it is open. NULL: nothing that counts.
     */
    const counters *(*counts)(void *device);
    /* A line for each thing a person may want to know of the device. */
    void (*describe)(void *device, void (*line)(void *user, const char *name, const char *value),
                     void *user);

    /* Any thread. On failure *out is untouched. */
    slip_status (*memory_new)(void *device, uint64_t bytes, launch_memory_kind kind,
                              launch_memory *out);
    void (*memory_drop)(void *device, launch_memory *memory); /* nothing queued uses it */
    void (*trim)(void *device);
    /* Pins the host's memory where it is, which stays mapped until host_unregister; that may wait,
     * and nothing queued uses the memory. On failure *out is untouched. Absent: it cannot. */
    slip_status (*host_register)(void *device, void *host, uint64_t bytes, launch_memory *out);
    void (*host_unregister)(void *device, launch_memory *memory);
    /* Is it memory of a device, which the host must not touch, whoever made it? Absent: there is
     * none that the host could be given. */
    slip_status (*on_device)(void *device, const void *pointer, bool *out);

    /* Any thread. Code is kept for all tasks of a module; a task that needs what the device lacks
     * is refused with UNSUPPORTED when it is called, naming the line that needs it. */
    slip_status (*code_load)(void *device, const mod_module *module, const mod_code *code,
                             void **out);
    void (*code_drop)(void *device, void *code); /* takes NULL; nothing queued uses it */
    /* UNSUPPORTED, naming the line, where one of the entry's tasks cannot run here. Any thread. */
    slip_status (*code_check)(void *device, void *code, const mod_module *module,
                              const mod_entry *entry);

    /* Any thread. `counts` outlives the stream. */
    slip_status (*stream_open)(void *device, bool is_default, counters *counts, void **out);
    /* A stream over `native`, which other code made, queues on, and keeps until stream_close; NULL:
     * the default one. ARGUMENT, UNSUPPORTED: as the driver's. Absent: no_native_streams. */
    slip_status (*stream_wrap)(void *device, void *native, counters *counts, void **out);
    void (*stream_close)(void *stream); /* waits for what is queued here; a native stream stays */
    /* In the child of a fork, where another thread had the stream's lock: what it was changing is
     * given up, not freed. Allocates nothing. NULL: there is nothing to do. */
    void (*stream_after_fork)(void *stream);

    /* The rest: under the stream's lock, apart from what says otherwise. */
    void (*stream_trim)(void *stream); /* memory kept for calls goes back, but for what is in use;
                                        * does not wait. NULL: nothing is kept */
    /* All that was queued has ended, once `finish` has returned where a rest is left: see perform.
     * `out_rest` is a place that holds NULL; NULL itself: none is left. */
    slip_status (*stream_sync)(void *stream, void **out_rest);
    /* What other code calls the stream: it may queue there from now on. Absent: as stream_wrap. */
    void *(*stream_native)(void *stream);
    /* A number for all that has been queued so far, by other code too where it may queue on the
     * stream; numbers of a stream only grow. Sends off what was held back. */
    slip_status (*mark)(void *stream, uint64_t *out);
    /* Without waiting; true where the device is lost: nothing of it runs any more. Any thread. */
    bool (*passed)(void *stream, uint64_t mark);
    slip_status (*mark_wait)(void *stream, uint64_t mark); /* the host waits. Any thread, no lock */
    /* What is queued on `stream` from now on starts after the mark of `other`, which need not be
     * locked. */
    slip_status (*stream_after)(void *stream, void *other, uint64_t mark);

    /* In order with the stream's calls; complete on return for the host's side. */
    slip_status (*copy_up)(void *stream, const launch_memory *to, uint64_t to_offset,
                           const void *from, uint64_t bytes);
    slip_status (*copy_down)(void *stream, void *to, const launch_memory *from,
                             uint64_t from_offset, uint64_t bytes, void **out_rest);

    /* Any thread. */
    slip_status (*ops_make)(const plan *p, const mod_entry *entry, launch_ops **out);
    void (*ops_drop)(launch_ops *ops); /* takes NULL */

    /*
     * Performs a plan. Arrays of unknown and pinned host memory and the result are complete on
     * return. On failure all that this call queued has ended, the result and what would have been
     * copied to host arrays are untouched; arrays used in place hold what tasks have written, and
     * so may pinned arrays that are copied directly, where it is the wait that fails.
     *
     * Where a rest is left, that holds once `finish` has returned. Called in the default
     * floating-point mode (driver/cpu_mode.h).
     */
    slip_status (*perform)(void *stream, launch_call *call);
    /* Makes the launches of a whole record of this stream's, filled with the call's arguments: what
     * perform would do for a call that the record holds for. Called in the caller's floating-point
     * mode: a family that computes on this thread leaves it and comes back to it. NULL: the family
     * records nothing. */
    slip_status (*perform_again)(void *stream, const launch_record *record);
    /* The last wait of a call, of a copy or of stream_sync, and what is copied after it. On the
     * thread of perform, no lock; it takes none. Nothing but the rest is used of the call. NULL
     * where perform leaves none. */
    slip_status (*finish)(void *stream, void *rest);
} launcher;

extern const launcher launch_cpu, launch_queue_vulkan, launch_stream_cuda, launch_stream_hip;

#endif
