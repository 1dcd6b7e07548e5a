/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core.h - what the files of a look-alike share. One lock is held in every entry point, and
 * guards all of it. No thread of its own: work that was queued runs inside later calls, when the
 * schedule says.
 */
#ifndef SLIPWAY_FAKE_STREAM_CORE_H
#define SLIPWAY_FAKE_STREAM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake/stream/blob.h"
#include "fake/stream/rows.h"

/* ---- order ---------------------------------------------------------------------------------- */

/* A lane is an order of work: the host (0), each context's legacy stream, each stream. The host is
 * one lane, whatever its threads: what orders them cannot be seen from here. */
enum { FAKE_HOST = 0, FAKE_MAX_LANES = 1024 };

/* What has happened before: of each lane, how many of its operations. */
typedef struct fake_clock {
    uint32_t lanes; /* later ones are 0 */
    uint64_t at[];
} fake_clock;

fake_clock *clock_new(void);                               /* all 0, room for all lanes so far */
void clock_join(fake_clock **into, const fake_clock *add); /* grows `into` where needed */
uint64_t clock_at(const fake_clock *c, uint32_t lane);

/* ---- memory --------------------------------------------------------------------------------- */

typedef enum fake_kind {
    FAKE_DEVICE,    /* pages that nobody may touch but an operation that is to */
    FAKE_PINNED,    /* of the host, made here */
    FAKE_REGISTERED /* the caller's, pinned */
} fake_kind;

/* A part that the launcher cut off for a lane (slipfake_own). */
typedef struct fake_piece {
    uint64_t at, end;
    void *owner;
} fake_piece;

typedef struct fake_range {
    struct fake_range *next; /* in order of addresses */
    fake_kind kind;
    bool managed;         /* the pages are pinned, and no more is known of where they are */
    uint64_t at, bytes;   /* as the host, or the caller, knows it */
    uint64_t device;      /* where tasks find it */
    uint8_t *pages;       /* mapped here; NULL: registered */
    uint8_t *view;        /* pinned: the same pages once more, where operations reach them */
    uint8_t *page_rights; /* pinned: what the host may do now, page by page (guard.c) */
    size_t page_bytes;    /* with guards */
    int rights;           /* now, of the pages between the guards */
    fake_piece *pieces;
    uint32_t piece_count, piece_room;
    uint64_t *starts; /* addresses that operations began at, sorted: where one array ends */
    uint32_t start_count, start_room;
} fake_range;

/* The range that holds the byte, by the host's or the device's address; NULL if none. */
fake_range *memory_find(uint64_t address);
bool memory_holds(const fake_range *r, uint64_t address, uint64_t bytes);
fake_range *memory_make(fake_kind kind, uint64_t bytes); /* NULL: the system gave none */
fake_range *memory_enlist(void *host, uint64_t bytes);   /* NULL: overlaps another */
void memory_drop(fake_range *r);
void memory_rights(fake_range *r, int rights);
/* Where an operation finds the byte that has this address. */
uint8_t *memory_seen(uint64_t address);
size_t memory_page(void);
/* Bytes become a lane's own, or nobody's (owner NULL). */
void memory_own(void *owner, uint64_t at, uint64_t bytes);
void memory_note_start(fake_range *r, uint64_t address);
/* The end of what an operation may reach that is given `address` alone. */
uint64_t memory_reach(const fake_range *r, uint64_t address);
uint32_t memory_live(fake_kind kind);
/* What lies there, for messages. */
const char *memory_describe(uint64_t address, char room[160]);

/* ---- work ----------------------------------------------------------------------------------- */

enum { FAKE_READS = 1, FAKE_WRITES = 2 };

/* Bytes at..end, or from `at` as far as it may reach (`end` 0). */
typedef struct fake_access {
    uint64_t at, end;
    uint32_t flags;
    fake_range *range; /* NULL: pageable memory of the host */
} fake_access;

typedef enum fake_op_kind { FAKE_COPY, FAKE_FILL, FAKE_TASK, FAKE_MARK } fake_op_kind;

typedef struct fake_function fake_function;

typedef struct fake_op {
    struct fake_op *next; /* of its lane */
    fake_op_kind kind;
    char name[64];
    uint32_t lane;
    uint64_t number;   /* of its lane, from 1 */
    fake_clock *clock; /* what happens before it, itself included */
    fake_access *accesses;
    uint32_t access_count;
    uint8_t *to; /* COPY, FILL */
    const uint8_t *from;
    uint64_t bytes;
    uint8_t value, *own; /* FILL; a copy of the source, if it has one */
    bool ours;           /* nobody asked for it: poison */
    const fake_function *function;
    uint8_t *params;
    uint32_t param_bytes;
    uint64_t groups;
    uint32_t local;
} fake_op;

typedef struct fake_context {
    struct fake_context *next;
    int device;
    uint32_t lane; /* of the legacy stream */
    uint32_t retained;
    bool foreign; /* not a device's primary context */
} fake_context;

typedef struct fake_stream {
    struct fake_stream *next;
    fake_context *context;
    uint32_t lane;
    bool blocking; /* orders with the legacy stream */
    uint32_t asked;
    void *thread; /* of a per-thread default stream */
} fake_stream;

typedef struct fake_graph fake_graph;

typedef struct fake_event {
    struct fake_event *next;
    fake_context *context;
    bool recorded;
    fake_graph *graph; /* that it was last recorded in; NULL: in none */
    uint64_t captured; /* of the lane, before it */
    uint32_t lane;
    uint64_t number;
    fake_clock *clock;
    uint32_t asked;
} fake_event;

typedef struct fake_lane {
    fake_op *first, *last;
    uint64_t queued, done;
    uint64_t asked;    /* the last operation that was asked for */
    fake_clock *clock; /* of the last operation */
    fake_context *context;
    fake_stream *stream; /* NULL: legacy */
    bool blocking, taken;
    const char *name;
    fake_graph *graph;         /* that its work goes into; NULL: it is not captured */
    uint64_t captured, joined; /* operations in it; of those, how many another lane is behind */
} fake_lane;

/* A function of loaded code. */
struct fake_function {
    const struct fake_code *code;
    const blob_shader *shader;
    uint32_t index;
};

typedef struct fake_code {
    struct fake_code *next;
    fake_context *context;
    uint8_t *blob;  /* copied */
    uint8_t *image; /* mapped, and its imports */
    size_t image_bytes;
    fake_function *functions;
} fake_code;

/* ---- settings ------------------------------------------------------------------------------- */

typedef enum fake_schedule {
    FAKE_EAGER, /* as soon as it is queued */
    FAKE_LAZY,  /* when a wait needs it, and no sooner */
    FAKE_RANDOM /* by the seed */
} fake_schedule;

/* What the two vendors' documents promise differently. */
typedef struct fake_vendor {
    const char *name;
    bool rerecords;            /* an event may be recorded again while it is pending */
    bool drops_pending;        /* streams and events may be destroyed while work is pending */
    bool staged_upload;        /* a blocking upload of pageable memory may return before the DMA */
    bool pageable_is_queued;   /* a queued copy of pageable memory may be queued, or not */
    bool free_may_not_wait;    /* freeing device memory may wait for the device; else it does */
    bool host_is_device;       /* pinned memory has one address for host and device */
    bool has_contexts;         /* a stack of contexts for each thread; else a device */
    uint64_t max_grid_threads; /* groups * local along an axis are fewer; 0: no limit */
    const char *device_name;
} fake_vendor;

extern const fake_vendor fake_vendor_row;

typedef struct fake_state {
    bool ready; /* init was called */
    int32_t process;
    fake_schedule schedule;
    uint64_t seed;
    int devices;
    uint32_t reports;
    bool quiet; /* they are counted, not told */
    int sticky; /* 0, or what every call gives from now on */
    fake_context *contexts;
    fake_stream *streams;
    fake_event *events;
    fake_code *codes;
    fake_range *ranges;
    fake_lane lanes[FAKE_MAX_LANES];
    uint32_t lane_count;
    fake_clock *host; /* what the host knows to have ended */
    uint64_t counts[8];
    uint64_t memory_limit, memory_used;
    bool guards_stale; /* the host has waited, or something was queued, since guard_update */
} fake_state;

enum {
    FAKE_COUNT_CALLS,
    FAKE_COUNT_WAITS,
    FAKE_COUNT_RACES,
    FAKE_COUNT_TASKS,
    FAKE_COUNT_COPIES,
    FAKE_COUNT_INVERTED /* races whose later party did come first */
};

extern fake_state fake;

/* 0 .. n - 1: what of n documented behaviours happens, the soonest one first. */
uint32_t fake_draw(uint32_t n);
/* Says what was found wrong, and counts it. */
void fake_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- queues (queue.c), races (race.c), running (run.c, task.c) ------------------------------ */

uint32_t lane_new(fake_context *context, fake_stream *stream, bool blocking);
void lane_free(uint32_t lane);

fake_op *op_new(fake_op_kind kind, const char *name);
void op_name(fake_op *op, const char *more);
void op_access(fake_op *op, uint64_t at, uint64_t end, uint32_t flags);
/* The same in the midst of what a kernel was given: no memory of its own begins there. */
void op_access_part(fake_op *op, uint64_t at, uint64_t end, uint32_t flags);
void op_free(fake_op *op);
/* Takes the operation: orders it, looks for races, and lets the schedule go on. */
void queue_add(uint32_t lane, fake_op *op, const fake_clock *after);
/* Runs what must have run so that `number` of the lane has. */
void queue_run(uint32_t lane, uint64_t number);
void queue_run_all(const fake_context *context); /* NULL: of all */
/* Work has failed for good: what is queued never runs, and touches nothing any more. */
void queue_abandon(void);
/* The host has waited for it. */
void queue_wait(uint32_t lane, uint64_t number, const fake_clock *clock);
/* Lets work go on, as devices do meanwhile. */
void queue_step(void);

/* Reports each operation that the host has not waited for and that touches what `access` does. */
bool race_host(const char *what, const fake_access *access);
/* True where it races with an operation that has not run: *out_lane, *out_number. */
bool race_queue(const fake_op *op, uint32_t *out_lane, uint64_t *out_number);
void race_forget(const fake_range *range);

/* The least of what the host may do to each page of pinned memory, by what it has not waited for:
 * 0 nothing, 1 read, 3 all. `rights` begin as 3. */
void race_rights(const fake_range *range, uint8_t *rights, size_t pages);

/* Before the lock is given back: the host's view of pinned memory is closed to what would race. */
void guard_update(void);
/* The host touched the byte: is that a race? Opens its page all the same. False: not pinned. */
bool guard_touched(uint64_t address, bool writes);
void guard_open(fake_range *r); /* for a task, which uses the host's addresses */

void op_run(const fake_op *op);
int op_rights(const fake_op *op, const fake_range *r); /* PROT_ ones, of the operation to it */
/* cells.c: while a task runs, cells that are none of its own hold other values; what it wrote there
 * is told. */
void cells_hide(const fake_op *op);
void cells_show(const fake_op *op);
void task_run(const fake_op *op);
void fault_listen(void);

/* hold.c */
void hold_enter(fake_slot slot);
bool hold_on(void);

/* Captures (capture.c). What the call gives because of one, or 0. */
int capture_forbids(fake_slot slot);  /* of a call that may be unsafe in this thread's mode */
int capture_of_lane(uint32_t lane);   /* of one that queues on the lane */
int capture_asks_lane(uint32_t lane); /* of one that waits for it or asks it */
int capture_asks_event(const fake_event *e);
int capture_after(uint32_t lane, const fake_event *e, bool *out_captured);
/* Takes an operation that is queued on a lane which is captured. */
bool capture_takes(uint32_t lane, fake_op *op);

/* Which contexts are current: on this thread (context.c). */
fake_context *context_now(void);
/* The stream of a handle, on this thread; false: it is none. */
bool context_lane(fake_handle stream, uint32_t *out_lane);
/* The same for a call that queues on it: what that gives, or 0. */
int context_stream(fake_handle stream, uint32_t *out_lane);
fake_context *context_of_device(int device);

/* The blob for an image of either interface, copied; NULL: none (code.c). */
uint8_t *code_blob(const void *image);
const fake_function *code_function(fake_handle handle); /* NULL: it is none */

/* ---- entry points (enter.c) ----------------------------------------------------------------- */

/* Is this thread in an entry point? */
extern __thread bool fake_inside;

/* Takes the lock. What the call gives at once, or 0: it goes on. */
int fake_enter(fake_slot slot);
int fake_enter_in_context(fake_slot slot); /* one must be current */
int fake_spoil(int code, void *out);       /* `code`; of a failure, after writing to `out` */
int fake_leave(int code);                  /* gives it back, after the schedule went on */

int error_number(uint32_t bit); /* of FAKE_BIT_... */
bool error_is_sticky(int code);

void *fake_zeroed(size_t bytes); /* never NULL */
void *fake_grown(void *old, uint32_t *room, uint32_t count, size_t element);

#endif
