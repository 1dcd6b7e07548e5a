/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_parts.h - what the files of the stream launcher share: devices, streams with their lanes,
 * and the memory of calls.
 *
 * A stream is used under the runtime's lock for it, apart from what is marked. Functions that call
 * the driver are called between its enter and leave, apart from those that say [enters].
 */
#ifndef SLIPWAY_LAUNCH_LANES_PARTS_H
#define SLIPWAY_LAUNCH_LANES_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/fail.h"
#include "base/mem.h"
#include "launch/launch_stream.h"
#include "launch/loss.h"
#include "launch/rest.h"
#include "launch/task_params.h"

enum {
    LANES_ALIGN = 256,
    LANES_MOST_LANES = 8 /* the planner's limit */
};

/* Fixed once a device is open. */
typedef struct lanes_sizes {
    uint64_t least_block; /* bytes taken from the driver at a time, at least */
    uint64_t most_bytes;  /* of slots, before one is waited for rather than made */
    uint64_t copy_piece;  /* bytes */
    uint32_t most_events; /* that may not be recorded again while pending, likewise */
} lanes_sizes;

/* What is usual, and rings of one slot and one event. */
extern const lanes_sizes lanes_sizes_usual, lanes_sizes_small;

/* Memory taken from the driver. What is given back is kept for the next who asks: the driver's own
 * free may wait for the device, so it is left to trim, close and where there is no more. */
typedef struct lanes_own {
    struct lanes_own *next; /* among the device's spares */
    stream_memory memory;
    stream_memory_kind kind;
} lanes_own;

/* The code of a module. */
typedef struct lanes_loaded {
    struct lanes_loaded *next; /* among the device's dropped */
    const mod_code *code;      /* the module's, which outlives the code's use */
    void *self;                /* the driver's */
    stream_kernel kernels[];   /* [shader_count]; function NULL: no kernel of this device */
} lanes_loaded;

typedef struct lanes_device {
    const stream_driver *driver;
    void *self;
    atomic_bool lost;
    bool forked; /* in the child of a fork: the driver is called no more */
    stream_limits limits;
    plan_facts facts;
    lanes_sizes sizes;
    uint32_t strided_groups; /* of a task whose bounds the host does not know */
    uint32_t plain_groups;   /* a grid of so many along one axis is within all limits */
    uint32_t most_params;    /* bytes */
    counters own;            /* what was done for no stream; any thread adds */

    pthread_mutex_t lock; /* of the rest, and of the marks of all streams; held for no wait */
    struct lanes_stream *streams, *last_stream; /* in the order they were opened */
    loss loss;                                  /* made whole under the lock */
    lanes_own *spares;
    lanes_loaded *dropped;
} lanes_device;

/* Pinned memory, or a lane's, that is cut into places. */
typedef struct lanes_block {
    struct lanes_block *next;
    lanes_own *own;
    uint64_t used;  /* bytes given out */
    uint64_t last;  /* number of the last call that took a place in it */
    void *event;    /* slots: NULL: none made yet */
    uint64_t noted; /* the event is behind all that uses the block: how many were before; 0: not */
    uint64_t recorded;       /* number of the call that recorded the event */
    const rest_call *reader; /* arenas: what the driver is to copy out of it for a call's rest, */
    uint64_t read_by;        /* as long as that has this number; NULL: nothing */
} lanes_block;

typedef struct lanes_place {
    uint64_t address; /* 0: none */
    uint8_t *host;
    const lanes_own *own; /* what it was cut from */
} lanes_place;

/* A small copy between slots and the device that is not queued yet: where the next one lies behind
 * it on both sides, one copy moves both. bytes 0: none. */
typedef struct lanes_held {
    lanes_place slot, device;
    uint64_t bytes;
    bool up; /* to the device */
} lanes_held;

/* Slots in pinned memory. */
typedef enum lanes_ring {
    LANES_RING_UP,   /* to be used again once the device is done with them, also by their call */
    LANES_RING_BACK, /* a call's own until it returns, and then until the device is done */
    LANES_RING_COUNT
} lanes_ring;

/* A point of a stream that somebody asked for. Under the device's lock. */
typedef struct lanes_mark {
    struct lanes_mark *next;
    void *event;
    uint64_t number;  /* the stream's calls up to this one have ended when the event has passed */
    uint32_t waiting; /* threads that wait for the event */
} lanes_mark;

typedef struct lanes_event {
    struct lanes_event *next;
    void *event;
    uint64_t last; /* number of the last call that recorded it */
} lanes_event;

typedef struct lanes_lane {
    void *self;         /* the driver's stream */
    bool is_open;       /* only those that were used are */
    lanes_block *arena; /* scratch, cells, partial results, copies of host arrays */
    bool taken;         /* some of it was given out since it was last reset */
    lanes_place partials;
    uint64_t partial_bytes, partials_of; /* and the call that they were taken for */
} lanes_lane;

/* Where a class's arrays are for the tasks of a call, and the slot that they come back through. */
typedef struct lanes_class {
    lanes_place tasks, back;
} lanes_class;

/* Of a rest. */
typedef struct lanes_rest {
    void *event;   /* NULL: none made yet */
    bool recorded; /* behind the call's last step */
    bool queued;   /* something of the call: it is waited for also where the wait fails */
    stream_guard guard;
} lanes_rest;

typedef struct lanes_stream {
    lanes_device *device;
    struct lanes_stream *next, *previous; /* under the device's lock */
    counters *counts;
    bool shared;  /* other code may queue on the first lane: of what it holds nobody knows */
    bool foreign; /* and what it queues there counts as the stream's own: marks are behind it */
    bool wrapped; /* the first lane is other code's, and stays */
    _Atomic uint64_t queued; /* number of the last call that queued something; any thread reads */
    _Atomic uint64_t known;  /* all calls up to this one have ended; any thread raises it */
    lanes_lane lanes[LANES_MOST_LANES]; /* the first is the stream itself; others join it before
                                         * their call ends */
    loss_calls calls;                   /* by number */

    lanes_block *rings[LANES_RING_COUNT];
    uint64_t notes; /* events recorded for blocks so far */
    /* For order between lanes: a queue, the one that was recorded longest ago first. */
    lanes_event *events, *last_event;
    uint32_t event_count;

    rest_calls rests;
    lanes_rest rests_more[REST_CALLS];
    bool crowded; /* a call began while another had a rest */

    void *copied[2]; /* events of a copy's pieces, by turns; NULL: none made yet */

    lanes_mark *marks, *free_marks; /* by number, the oldest first; under the device's lock */

    lanes_class *classes; /* [class_capacity] of the present call, as is the rest */
    flow_loop *loops;
    bool *taken;
    size_t class_capacity, loop_capacity, taken_capacity;
    task_params params;
} lanes_stream;

/* What a plan's steps become beside flow.h's kinds. */
enum lanes_op_kind {
    LANES_OP_UPLOAD = FLOW_KIND_COUNT, /* class a by move b */
    LANES_OP_DOWNLOAD,                 /* class a by move b; MOD_NONE: the result */
    LANES_OP_UNSTAGE,                  /* class a by move b; MOD_NONE: the result */
    LANES_OP_TASK,                     /* task a */
    LANES_OP_SCRATCH,                  /* scratch a, or the cells, unless this launch has it */
    LANES_OP_BOUNDS,                   /* the host reads the cells for task a, which comes next */
    LANES_OP_AFTER,                    /* what comes on the lane is behind what is on lane a */
    LANES_OP_AFTER_SAME, /* the same, nothing having been queued on lane a since the op before */
    LANES_OP_WAIT,       /* for the lane; b: by the conservative policy alone */
    /* The same ones where nothing follows but LANES_OP_UNSTAGE: the host waits without the lock. */
    LANES_OP_LAST_WAIT,
    LANES_OP_LAST_DOWNLOAD /* of those that wait */
};

/* A call being performed. */
typedef struct lanes_call {
    lanes_stream *stream;
    launch_call *call;
    const launch_ops *ops;
    uint64_t number;
    uint32_t pending; /* a bit per lane: it holds work of this call that no wait has covered */
    /* A bit per lane: all of its work, or some, is before what comes next on this one. */
    uint32_t covers[LANES_MOST_LANES], behind[LANES_MOST_LANES];
    bool crossed;    /* some lane is behind another */
    bool queued;     /* something of this call */
    bool settled;    /* all of this call and of earlier ones has ended */
    bool captured;   /* what is queued goes into a graph of other code's, and is not done now */
    void *event;     /* that was recorded last */
    lanes_held held; /* while more of its kind come next */
    rest_call *rest; /* NULL: what the host waits for it waits for under the lock */
    lanes_place cells;
    lanes_place result;         /* read-back slot */
    lanes_place looked;         /* read-back slot for what the host must know of the cells */
    const uint8_t *known_cells; /* for a task whose bounds the host must know */
} lanes_call;

/* Every status of a driver's passes here: a lost device is latched. */
static inline slip_status lanes_seen(lanes_device *device, slip_status status)
{
    if (status == SLIP_ERR_LOST)
        atomic_store_explicit(&device->lost, true, memory_order_relaxed);
    return status;
}

/* lanes_device.c: the first LOST that leaves the launcher lists the calls that are queued, and
 * stays what every later call tells. Gives `status`; LOST with no record yet is told. Not under the
 * device's lock. */
slip_status lanes_lost(lanes_device *d, slip_status status) __attribute__((cold));

static inline slip_status lanes_enter(lanes_device *device, stream_guard *out)
{
    if (atomic_load_explicit(&device->lost, memory_order_relaxed)) {
        if (device->forked)
            return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "the device was opened before this process was "
                                                   "forked: it stays with the parent");
        return lanes_lost(device, SLIP_ERR_LOST);
    }
    slip_status status = lanes_seen(device, device->driver->enter(device->self, out));
    return status == SLIP_OK ? SLIP_OK : lanes_lost(device, status);
}

static inline void lanes_leave(lanes_device *device, const stream_guard *guard)
{
    if (atomic_load_explicit(&device->lost, memory_order_relaxed))
        (void)lanes_lost(device, SLIP_OK);
    if (guard->changed)
        device->driver->leave(device->self, guard);
}

/* Counts a call into the driver for no stream, and whether it may have waited since `from`, a time.
 */
static inline slip_status lanes_device_told(lanes_device *d, uint64_t from, slip_status status)
{
    counters_add_shared(&d->own.driver_calls, 1);
    if (from > 0) {
        counters_add_shared(&d->own.host_waits, 1);
        counters_add_shared(&d->own.host_blocked_ns, counters_now() - from);
    }
    return lanes_seen(d, status);
}

/* Counts a call into the driver. */
static inline slip_status lanes_told(lanes_stream *s, slip_status status)
{
    counters_add(&s->counts->driver_calls, 1);
    return lanes_seen(s->device, status);
}

/* The same for one that starts work on the lane. */
static inline slip_status lanes_started(lanes_call *c, uint32_t lane, slip_status status)
{
    counters_add(&c->stream->counts->submissions, 1);
    if (status == SLIP_OK) { /* what is refused queues nothing */
        c->pending |= 1u << lane;
        c->queued = true;
    }
    c->settled = false;
    for (uint32_t l = 0; c->crossed && l < LANES_MOST_LANES; l++)
        c->covers[l] &= ~(1u << lane);
    return lanes_told(c->stream, status);
}

static inline uint64_t lanes_queued(const lanes_stream *s)
{
    return atomic_load_explicit(&s->queued, memory_order_relaxed);
}

/* A call begins. */
static inline void lanes_look_around(lanes_stream *s)
{
    if (rest_any(&s->rests))
        s->crowded = true;
}

static inline uint64_t lanes_known(const lanes_stream *s)
{
    return atomic_load_explicit(&s->known, memory_order_acquire);
}

/* Of what closes: a call that is refused works the next time, and where the device is lost its
 * closing slots work without. The record is the caller's to restore. */
static inline bool lanes_enter_to_close(lanes_device *d, stream_guard *out)
{
    for (int tries = 0; tries < 2 && !d->forked; tries++) {
        slip_status status = d->driver->enter(d->self, out);
        if (status == SLIP_OK || status == SLIP_ERR_LOST)
            return status == SLIP_OK;
    }
    return false;
}

/* ---- lanes_device.c ------------------------------------------------------------------------- */

/* Among the device's streams, or no more. */
void lanes_stream_link(lanes_stream *s);
void lanes_stream_unlink(lanes_stream *s);
/* Memory of the device or pinned; where there is no more, after giving back what is in no use, that
 * of `s` (NULL: no stream's) among it. */
slip_status lanes_own_new(lanes_device *d, lanes_stream *s, uint64_t bytes, stream_memory_kind kind,
                          lanes_own **out) SLIP_MUST_USE;
/* Takes NULL; nothing queued uses it. Any thread, entered or not. */
void lanes_own_back(lanes_device *d, lanes_own *own);

/* ---- lanes_wait.c: order between lanes, and waits ------------------------------------------- */

/* Every call begins and ends with these. `name` holds while the device is open. */
void lanes_begin(lanes_call *c, const char *name);
void lanes_end(lanes_call *c);

/* The host waits for a lane, which covers what has joined it. */
slip_status lanes_wait(lanes_call *c, uint32_t lane) SLIP_MUST_USE;
/* A driver call on the lane has waited for what it held. */
void lanes_covered(lanes_call *c, uint32_t lane);
/* The host waits for all that this call has queued, unless a graph holds it, after a failure, which
 * stays the one that is told. Where it cannot wait the device is given up. */
void lanes_drain(lanes_call *c);
/* What comes on `lane` is behind what is on `from`. `same`: see LANES_OP_AFTER_SAME. */
slip_status lanes_order(lanes_call *c, uint32_t lane, uint32_t from, bool same) SLIP_MUST_USE;
/* Makes the lane's stream, the first time. */
slip_status lanes_need(lanes_stream *s, uint32_t lane) SLIP_MUST_USE;
/* All calls up to `number` have ended. Any thread. */
void lanes_ended(lanes_stream *s, uint64_t number);
/* Calls a slot that waits: the counters tell it. */
slip_status lanes_waited(lanes_stream *s, slip_status (*wait)(void *self, void *what),
                         void *what) SLIP_MUST_USE;

/* The device refused a wait: nobody knows what it still writes. Notes it on the record. */
void lanes_give_up(lanes_device *d);

/* ---- lanes_rest.c: the last wait of a call -------------------------------------------------- */

/* The wait for the first lane is the call's rest, unless c->rest is NULL afterwards. */
slip_status lanes_take_rest(lanes_call *c) SLIP_MUST_USE;
/* The same, or the wait itself. */
slip_status lanes_last_wait(lanes_call *c) SLIP_MUST_USE;
slip_status lanes_last_download(lanes_call *c, uint32_t class) SLIP_MUST_USE;
/* The call has been queued: its rest keeps the guard, and is left to lanes_finish. False: there is
 * none, or none is needed after a failure. */
bool lanes_keep_rest(lanes_call *c, slip_status status, const stream_guard *guard);

/* ---- lanes_capture.c: streams that other code captures into a graph ---------------------------
 */

/* UNSUPPORTED where the call's stream is captured and the call is more than tasks in order. */
slip_status lanes_check_call(lanes_call *c) SLIP_MUST_USE;
/* UNSUPPORTED where the stream is captured; `what` is not to be had then: "a wait for it". */
slip_status lanes_check_free(lanes_stream *s, const char *what) SLIP_MUST_USE;
/* Is what is queued on the stream not done now? Where nobody can tell: no. With the stream's lock
 * or without. */
bool lanes_is_captured(lanes_stream *s);

/* ---- lanes_slots.c: pinned memory of calls -------------------------------------------------- */

slip_status lanes_slot(lanes_call *c, lanes_ring ring, uint64_t bytes, uint64_t skew,
                       lanes_place *out) SLIP_MUST_USE;
/* Memory of the device for this call on the lane, which uses it behind all that used it before. */
slip_status lanes_cut(lanes_call *c, uint32_t lane, uint64_t bytes, uint64_t skew,
                      lanes_place *out) SLIP_MUST_USE;
void lanes_arenas_reset(lanes_stream *s);
/* The slots of the present call that the device alone uses may be used again. */
void lanes_slots_settled(lanes_call *c);
/* Gives back what is in no use; all of it where nothing is pending. */
void lanes_blocks_trim(lanes_stream *s);
void lanes_blocks_finish(lanes_stream *s); /* nothing is pending */

/* ---- lanes_moves.c -------------------------------------------------------------------------- */

slip_status lanes_place_arrays(lanes_call *c) SLIP_MUST_USE;
/* `more`: another of the same kind comes next, and nothing between. */
slip_status lanes_upload(lanes_call *c, uint32_t class, plan_move move, bool more) SLIP_MUST_USE;
slip_status lanes_download(lanes_call *c, uint32_t class, plan_move move, bool more) SLIP_MUST_USE;
slip_status lanes_download_result(lanes_call *c, plan_move move) SLIP_MUST_USE;
/* A download by the driver's blocking copy, put into the rest. */
slip_status lanes_list_download(lanes_call *c, uint32_t class) SLIP_MUST_USE;
slip_status lanes_unstage(lanes_call *c, uint32_t class, plan_move move) SLIP_MUST_USE;
slip_status lanes_unstage_result(lanes_call *c) SLIP_MUST_USE;
/* Scratch, or the cells, for the lane, unless this call has it. */
slip_status lanes_take(lanes_call *c, uint32_t index, uint32_t lane) SLIP_MUST_USE;
/* The host waits for the lane, and sees bytes of the cells; *out holds until it looks again. */
slip_status lanes_look(lanes_call *c, uint32_t lane, uint32_t at, uint32_t bytes,
                       const uint8_t **out) SLIP_MUST_USE;
/* Queues what is held: before its slot may be taken again, and before anything behind it. */
slip_status lanes_held_queue(lanes_call *c) SLIP_MUST_USE;
/* Queued copies on the first lane and on any; through slots. */
slip_status lanes_send(lanes_call *c, uint64_t to, const void *from, uint64_t bytes) SLIP_MUST_USE;
slip_status lanes_fetch(lanes_call *c, uint32_t lane, void *to, uint64_t from,
                        uint64_t bytes) SLIP_MUST_USE;
slip_status lanes_send_staged(lanes_call *c, uint64_t to, const uint8_t *from,
                              uint64_t bytes) SLIP_MUST_USE;

/* ---- lanes_task.c --------------------------------------------------------------------------- */

slip_status lanes_task(lanes_call *c, uint32_t task, uint32_t lane) SLIP_MUST_USE;

#endif
