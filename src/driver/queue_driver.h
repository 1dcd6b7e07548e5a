/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_driver.h - what a driver is asked to do that records command lists and submits them.
 */
#ifndef SLIPWAY_DRIVER_QUEUE_DRIVER_H
#define SLIPWAY_DRIVER_QUEUE_DRIVER_H

#include "base/numerics.h"
#include "driver/driver.h"

/* What a device's numbers are like (base/numerics.h): a bit that is not set means that SPIR-V takes
 * the corrected sequence. Bit k is SpecId QUEUE_SPEC_NUMERIC + k. */
#define QUEUE_NUMERICS NUMERICS

typedef enum queue_numeric {
#define QUEUE_NUMERIC_ENUM_(name, text) QUEUE_NUMERIC_##name,
    QUEUE_NUMERICS(QUEUE_NUMERIC_ENUM_)
#undef QUEUE_NUMERIC_ENUM_
        QUEUE_NUMERIC_COUNT
} queue_numeric;

enum {
    QUEUE_SPEC_LOCAL = SPEC_LOCAL,
    QUEUE_SPEC_DATA_LOW = SPEC_DATA_LOW,
    QUEUE_SPEC_DATA_HIGH = SPEC_DATA_HIGH,
    QUEUE_SPEC_NUMERIC = SPEC_NUMERIC
};
enum { QUEUE_NEED_COUNT_MAX = 8 };

typedef struct queue_limits {
    uint32_t max_groups[3];
    uint32_t max_local;      /* invocations a workgroup */
    uint32_t max_push_bytes; /* at least 128 */
    uint64_t max_memory;     /* bytes of one allocation */
    bool device_mapped;      /* QUEUE_MEMORY_DEVICE is mapped, at no cost to tasks */
    uint32_t has;            /* a bit per mod_need (module.h), numbered alike */
    uint32_t numerics;       /* a bit per queue_numeric */
    uint32_t queues;         /* streams on different queues may run at the same time; else 1 */
} queue_limits;

typedef enum queue_memory_kind {
    QUEUE_MEMORY_DEVICE,  /* fastest for tasks */
    QUEUE_MEMORY_UPLOAD,  /* mapped: the host writes, copies and tasks read */
    QUEUE_MEMORY_READBACK /* mapped, host-cached where there is such: copies and tasks write, the
                           * host reads; also good for both */
} queue_memory_kind;

typedef struct queue_memory {
    void *buffer;    /* the driver's */
    uint64_t offset; /* of this memory in it */
    uint64_t bytes;
    uint64_t address; /* the device's; a multiple of 64 */
    uint8_t *host;    /* NULL: not mapped. Coherent */
    void *owner;      /* the driver's */
} queue_memory;

/* A shader as a module holds it. */
typedef struct queue_code {
    const uint8_t *words;
    uint64_t bytes;
    uint32_t push_bytes;
    uint32_t local; /* what the module says */
    bool local_fixed;
} queue_code;

typedef struct queue_kernel {
    void *pipeline;
    uint32_t local; /* invocations a workgroup that it was made for */
} queue_kernel;

/* A value of a stream's timeline, for another stream to wait for. */
typedef struct queue_point {
    void *stream;
    uint64_t value;
} queue_point;

enum queue_barrier_flags {
    QUEUE_BARRIER_TASKS = 1, /* all earlier commands before all later ones, copies included */
    QUEUE_BARRIER_HOST = 2   /* all earlier writes before the host's reads after a wait */
};

/*
 * All slots are required. A status of SLIP_ERR_LOST is latched: each later call gives it,
 * and the closing ones still work.
 *
 * A stream is an order of command lists on one queue with one timeline. Recording begins a list
 * where none is open. One thread at a time records and submits on a stream; wait and reached may
 * come from any thread meanwhile. Streams are independent of one another, also those that share a
 * queue. A stream's values only grow; what its first one is, is the driver's.
 */
typedef struct queue_driver {
    const char *name; /* "vulkan" */

    /* ARGUMENT where a variable of the environment that is the family's has a value that it does
     * not take. Any thread. */
    slip_status (*check)(void);
    /* Any thread. The first call may load the driver's library. */
    const char *(*missing)(void); /* why there is no device; NULL where there is one */
    uint32_t (*device_count)(void);
    slip_status (*info)(uint32_t index, drv_info *out);

    /* Any thread. Runs the self-test. On failure *out is untouched. */
    slip_status (*open)(uint32_t index, void **out);
    void (*close)(void *self);      /* nothing is pending */
    void (*after_fork)(void *self); /* in the child: no call but close will come, and must not
                                     * reach the device */
    void (*limits)(void *self, queue_limits *out); /* any thread */
    /* Takes back bits of `numerics`; before the first kernel_new. */
    void (*without)(void *self, uint32_t numerics);
    /* A line of text a fact: memory types chosen, queues, versions. Any thread. */
    void (*describe)(void *self, void (*line)(void *user, const char *name, const char *value),
                     void *user);

    /* Any thread. Sub-allocates. On failure *out is untouched; SLIP_ERR_MEMORY where the device
     * has no more. */
    slip_status (*alloc)(void *self, uint64_t bytes, queue_memory_kind kind, queue_memory *out);
    void (*free)(void *self, queue_memory *memory); /* no pending command uses it; zeroes it */
    void (*trim)(void *self); /* gives back what sub-allocation holds and nobody uses */

    /* Any thread. `data` is the device address of the module's constant tables, 0 for none. Drops
     * from the words what the device lacks of float controls. On failure *out is untouched. */
    slip_status (*kernel_new)(void *self, const queue_code *code, uint64_t data, queue_kernel *out);
    void (*kernel_drop)(void *self, queue_kernel *kernel); /* no pending command uses it */
    /* Writes the pipeline cache to disk, where it has changed. Any thread. */
    void (*cache_save)(void *self);

    slip_status (*stream_open)(void *self, void **out);
    void (*stream_close)(void *self, void *stream); /* nothing is pending */

    /* Recording. */
    slip_status (*copy)(void *stream, const queue_memory *to, uint64_t to_offset,
                        const queue_memory *from, uint64_t from_offset, uint64_t bytes);
    /* offset and bytes are multiples of 4 */
    slip_status (*zero)(void *stream, const queue_memory *memory, uint64_t offset, uint64_t bytes);
    slip_status (*dispatch)(void *stream, const queue_kernel *kernel, const void *push,
                            uint32_t push_bytes, const uint32_t groups[3]);
    slip_status (*barrier)(void *stream, uint32_t flags);

    /* Sends what was recorded (possibly nothing) after the points of other streams, each of which
     * a submit has given; *out is the timeline's value when it and all before it on this stream has
     * ended. On failure what was recorded is thrown away. */
    slip_status (*submit)(void *stream, const queue_point *after, uint32_t count, uint64_t *out);
    /* Throws away what was recorded since the last submit. Also when the device is lost. */
    void (*discard)(void *stream);
    /* Spins for spin_ns, then blocks. */
    slip_status (*wait)(void *stream, uint64_t value, uint64_t spin_ns);
    /* The timeline's present value. */
    slip_status (*reached)(void *stream, uint64_t *out);
} queue_driver;

extern const queue_driver vulkan_driver_table;

#endif
