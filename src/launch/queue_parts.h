/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_parts.h - what the files of the queue launcher share: devices, streams and their memory.
 *
 * A stream's lock is its own, below the runtime's: its helper thread submits under it. Everything
 * of a stream is used under it, apart from what is marked.
 */
#ifndef SLIPWAY_LAUNCH_QUEUE_PARTS_H
#define SLIPWAY_LAUNCH_QUEUE_PARTS_H

#include <pthread.h>

#include "base/fail.h"
#include "base/mem.h"
#include "launch/launch_queue.h"
#include "launch/loss.h"
#include "launch/rest.h"
#include "launch/task_params.h"

typedef struct queue_stream queue_stream;

enum {
    QUEUE_ALIGN = 64,
    QUEUE_MOST_DEFERRED = 16, /* calls that share a submission */
    QUEUE_MOST_TASKS = 1024,  /* of a submission */
    QUEUE_MOST_AFTER = 8,     /* points of other streams that a submission waits for */
    QUEUE_SPIN_NS = 50000,    /* before a wait blocks */
#ifdef SLIP_TEST_SMALL
    QUEUE_LEAST_BLOCK = QUEUE_ALIGN,
    QUEUE_MOST_WAITING = 0, /* a ring of one slot */
    QUEUE_COPY_PIECE = 256
#else
    QUEUE_LEAST_BLOCK = 1 << 18,
    QUEUE_MOST_WAITING = 1 << 26, /* bytes of slots, before one is waited for rather than made */
    QUEUE_COPY_PIECE = 1 << 22
#endif
};

typedef struct queue_device {
    const queue_driver *driver;
    void *self;
    queue_limits limits;
    plan_facts facts;
    uint64_t most_groups[3]; /* limits.max_groups */
    uint32_t strided_groups; /* of a task whose bounds the host does not know */
    pthread_mutex_t lock;    /* of the list of streams */
    queue_stream *streams;
    loss loss; /* made whole under the lock */
    atomic_bool lost;
    bool forked; /* in the child of a fork: the driver is called no more */
} queue_device;

/* Memory that is cut into places. */
typedef struct queue_block {
    struct queue_block *next;
    queue_memory memory;
    uint64_t used;  /* bytes given out */
    uint64_t value; /* of the last submission that uses it */
    uint64_t call;  /* the last call that took a place in it */
    bool open;      /* what is recorded and not submitted uses it */
} queue_block;

typedef struct queue_place {
    const queue_memory *memory; /* NULL: none */
    uint64_t offset;            /* in it */
    uint64_t address;
    uint8_t *host;
} queue_place;

/* Where a class's arrays are for the tasks of a call, and what its steps use besides. */
typedef struct queue_class {
    queue_place tasks; /* memory NULL: the class lives where the caller says */
    queue_place back;  /* read-back slot */
} queue_class;

struct queue_stream {
    queue_device *device;
    void *self; /* the driver's */
    counters *counts;
    queue_stream *next, *previous; /* under the device's lock */

    pthread_mutex_t lock;
    uint64_t submitted;       /* value of the last submission */
    _Atomic uint64_t known;   /* value that was seen reached; any thread raises it, */
    _Atomic uint64_t waited;  /* and this, that was waited for: the host may read */
    uint64_t call;            /* number of the present call */
    uint32_t recorded, tasks; /* commands of the open list, and tasks among them */
    uint32_t deferred;        /* calls that returned, and are in the open list whole */
    queue_point after[QUEUE_MOST_AFTER];
    uint32_t after_count;
    uint64_t after_value; /* the last submission that waits for other streams */
    slip_error lost;      /* deferred calls that did not run: told once */
    loss_calls calls;     /* by number */
    _Atomic uint64_t noted, values[LOSS_CALLS]; /* how many; what each ends with, at its number */

    queue_block *slots[QUEUE_MEMORY_READBACK + 1]; /* by queue_memory_kind */
    queue_block *lane;    /* scratch, cells, partial results, copies of host arrays */
    queue_block *retired; /* pieces of the lane that were too small */

    rest_calls rests; /* numbered as `call` */

    queue_class *classes; /* [class_capacity] of the present call, as is the rest */
    flow_loop *loops;
    bool *taken;
    size_t class_capacity, loop_capacity, taken_capacity;
    task_params params;

    /* queue_helper.c, under the lock */
    pthread_t helper;
    pthread_cond_t work;
    bool has_helper, closing;
};

/* The code of a module. */
typedef struct queue_code_kernel {
    atomic_bool ready;
    queue_kernel kernel;
} queue_code_kernel;

typedef struct queue_loaded {
    const mod_code *code;       /* the module's, which outlives this */
    queue_memory data;          /* its constant tables */
    pthread_mutex_t lock;       /* while a kernel is made */
    queue_code_kernel *kernels; /* [shader_count] */
} queue_loaded;

/* What a plan's steps become beside flow.h's kinds. */
enum queue_op_kind {
    QUEUE_OP_UPLOAD = FLOW_KIND_COUNT, /* class a by move b */
    QUEUE_OP_DOWNLOAD,                 /* class a by move b; MOD_NONE: the result */
    QUEUE_OP_UNSTAGE,                  /* class a by move b; MOD_NONE: the result */
    QUEUE_OP_TASK,                     /* task a */
    QUEUE_OP_SCRATCH,                  /* scratch a, or the cells, unless this launch has it */
    QUEUE_OP_BOUNDS,                   /* the host reads the cells for task a, which comes next */
    QUEUE_OP_BARRIER,
    QUEUE_OP_SUBMIT,
    QUEUE_OP_WAIT, /* what was submitted; the host reads after; b: by the conservative policy alone
                    */
    QUEUE_OP_LAST_WAIT /* the same where nothing follows but QUEUE_OP_UNSTAGE: without the lock */
};

/* Every status of a driver's passes here: a lost device is latched. */
static inline slip_status queue_seen(queue_device *device, slip_status status)
{
    if (status == SLIP_ERR_LOST)
        atomic_store_explicit(&device->lost, true, memory_order_relaxed);
    return status;
}

/* ---- queue_stream.c: submissions, all under the stream's lock -------------------------------- */

/* Counts a call into the driver, and the command that it records. */
slip_status queue_recorded(queue_stream *s, slip_status status) SLIP_MUST_USE;
slip_status queue_copy(queue_stream *s, const queue_place *to, uint64_t to_offset,
                       const queue_place *from, uint64_t from_offset, uint64_t bytes) SLIP_MUST_USE;
/* Left out where nothing is recorded or pending. */
slip_status queue_barrier(queue_stream *s) SLIP_MUST_USE;
/* Sends the open list, where it holds something or there are points to wait for. On failure it is
 * thrown away. */
slip_status queue_submit(queue_stream *s) SLIP_MUST_USE;
/* The call is recorded: submits it, or leaves that to a later call or the helper. */
slip_status queue_submit_later(queue_stream *s) SLIP_MUST_USE;
void queue_discard(queue_stream *s);
/* A lost device; or what the helper failed to submit, told once. */
slip_status queue_tell_lost(queue_stream *s) SLIP_MUST_USE;
/* Everything submitted has ended. */
slip_status queue_drain(queue_stream *s) SLIP_MUST_USE;
/* The same after a failure, which stays the one that is told. */
void queue_end(queue_stream *s);
/* The host waits for a value. Any thread, locked or not; `counts` NULL: not counted. */
slip_status queue_wait(queue_stream *s, uint64_t value, counters *counts) SLIP_MUST_USE;
/* Has the value been reached? Asks the driver where that is not known. Any thread. */
bool queue_reached(queue_stream *s, uint64_t value);

/* ---- queue_loss.c ---------------------------------------------------------------------------- */

/* A call begins; `name` holds while the device is open. */
void queue_call_noted(queue_stream *s, const char *name);
/* It ends, having submitted what is later than that value, or nothing. */
void queue_call_ended(queue_stream *s, uint64_t submitted_before, slip_status status);
void queue_calls_dropped(queue_stream *s); /* those in the open list */
/* The first LOST that leaves the launcher lists the calls that are queued, and stays what every
 * later call tells. Under no lock. */
slip_status queue_lost(queue_device *d) __attribute__((cold));

static inline slip_status queue_told(queue_device *d, slip_status status)
{
    return status == SLIP_ERR_LOST ? queue_lost(d) : status;
}

/* ---- queue_slots.c: memory of calls ---------------------------------------------------------- */

/* A place of the present call's own until what it submits has ended. `skew`: see class_skew. */
slip_status queue_slot(queue_stream *s, queue_memory_kind kind, uint64_t bytes, uint64_t skew,
                       queue_place *out) SLIP_MUST_USE;
/* Memory of the device, until the next call on the stream: what uses it is behind that call's
 * barrier. */
slip_status queue_lane_take(queue_stream *s, uint64_t bytes, uint64_t skew,
                            queue_place *out) SLIP_MUST_USE;
void queue_lane_reset(queue_stream *s);
/* What the open list used, or the present call uses, is used until `value`. */
void queue_blocks_submitted(queue_stream *s, uint64_t value);
/* The present call ends with commands in the open list, and may have submitted others: what it
 * took is used by the list. */
void queue_blocks_reopen(queue_stream *s);
void queue_blocks_discarded(queue_stream *s);
/* Gives back what is in no use; all of it where nothing is pending. */
void queue_blocks_trim(queue_stream *s);
void queue_blocks_finish(queue_stream *s); /* nothing is pending */
/* Takes memory from the driver; where there is none, after giving back what is in no use. */
slip_status queue_alloc(queue_device *device, queue_stream *s, uint64_t bytes,
                        queue_memory_kind kind, queue_memory *out) SLIP_MUST_USE;
/* Slots that tasks use as well as the host. */
queue_memory_kind queue_mapped_kind(const queue_device *device);

/* ---- queue_code.c ---------------------------------------------------------------------------- */

/* Makes the pipeline the first time. Any thread. */
slip_status queue_kernel_get(queue_device *device, queue_loaded *loaded, uint32_t shader,
                             const queue_kernel **out) SLIP_MUST_USE;

/* ---- queue_task.c ---------------------------------------------------------------------------- */

/* A call being performed. */
typedef struct queue_call {
    queue_stream *stream;
    launch_call *call;
    const launch_ops *ops;
    queue_place cells;       /* memory NULL: none yet */
    queue_place partials[2]; /* used by turns: the largest so far of each */
    uint64_t partial_bytes[2];
    uint32_t partial_turn;
    queue_place result;         /* read-back slot */
    rest_call *rest;            /* NULL: what the host waits for it waits for under the lock */
    const uint8_t *known_cells; /* for a task whose bounds the host must know */
    uint64_t submitted_before;  /* the stream's last submission before this call */
} queue_call;

/* Memory of this call that tasks alone use, like its cells: see class_moves.cells_mapped. */
slip_status queue_call_take(queue_call *c, uint64_t bytes, queue_place *out) SLIP_MUST_USE;
slip_status queue_task(queue_call *c, uint32_t task) SLIP_MUST_USE;

/* ---- queue_rest.c ---------------------------------------------------------------------------- */

/* Something was submitted: the wait for it is the call's rest. */
slip_status queue_last_wait(queue_call *c) SLIP_MUST_USE;
/* The call has been submitted, or has failed: its rest is left to queue_finish, or is not needed.
 */
void queue_keep_rest(queue_call *c, slip_status status, void **out_rest);

/* ---- queue_helper.c -------------------------------------------------------------------------- */

/* Something was deferred: a thread will submit it once what was submitted before has ended. False
 * where there can be none. Under the stream's lock. */
bool queue_helper_wake(queue_stream *s);
void queue_helper_stop(queue_stream *s); /* not under the lock */
void queue_helper_after_fork(queue_stream *s);

#endif
