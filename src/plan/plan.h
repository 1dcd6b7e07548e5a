/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - from a launch program, where the arrays live, and a driver's facts, to the steps of a
 * call.
 *
 * Pure: no driver, clock, thread, I/O, or allocation beyond the arena. A plan holds indices, never
 * pointers or handles, so it can be printed, compared, cached, proved and performed by a launcher
 * that decides nothing. It is made once per shape; a repeated call fills in addresses, sizes and
 * scalars.
 *
 * Extents, trip counts and emptiness are not in the shape: control steps carry the program's nodes
 * that decide them.
 */
#ifndef SLIPWAY_PLAN_PLAN_H
#define SLIPWAY_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "module/module.h"
#include "plan/facts.h"

/* ---- the shape of a call -----------------------------------------------------------------------
 */

/* Where an array lives. All arrays of one alias class live in the same kind of place. */
typedef enum plan_home {
    PLAN_HOME_UNKNOWN,  /* malloc, the stack, anything the present table does not know */
    PLAN_HOME_PINNED,   /* slip_host_alloc, slip_host_register */
    PLAN_HOME_KEPT,     /* slip_keep: the mirror is used, nothing moves */
    PLAN_HOME_RESIDENT, /* slip_alloc, slip_wrap: device memory */
    PLAN_HOME_NONE      /* the parameter is no array */
} plan_home;

typedef enum plan_stream_kind {
    PLAN_DEFAULT_STREAM,
    PLAN_EXPLICIT_STREAM,
    PLAN_WRAPPED_STREAM
} plan_stream_kind;

/*
 * The alias partition: arrays of one class may overlap, arrays of different classes do not; arrays
 * of one class with one range are the same bytes. Classes and ranges are numbered from 0 by first
 * appearance, so that equal partitions are equal arrays.
 */
typedef struct plan_shape {
    const plan_home *homes;  /* [param_count] */
    const uint32_t *classes; /* [param_count]; MOD_NONE for no array */
    const uint32_t *ranges;  /* [param_count]; MOD_NONE for no array */
    const bool *small;       /* [param_count]; all arrays of the class together are so small that
                              * copies cost more than use over the bus. NULL: none is */
    uint32_t param_count;
    plan_stream_kind stream;
    bool conservative; /* all elision facts off */
    bool wants_result; /* the caller gave a place for the kernel's result */
} plan_shape;

/* ---- steps ----------------------------------------------------------------------------------- */

/* name, the word in the text form */
#define PLAN_KINDS(X)                                                                              \
    /* Control: the program's nodes; children are the steps up to `end`. */                        \
    X(EVAL, "eval") /* run the instructions of node `node` */                                      \
    X(IF, "if")     /* children up to `other`, else from `other` to `end` */                       \
    X(LOOP, "loop")                                                                                \
    X(DEVICE_LOOP, "device-loop") /* the host reads the node's cell after some passes: its steps   \
                                   * for reason POLL then */                                       \
    X(BREAK, "break")                                                                              \
    X(CONTINUE, "continue") /* go on at step `other` */                                            \
    X(RETURN, "return")     /* go on at step `other`: downloads and waits still run */             \
    /* Memory of the launch; index entry->scratch_count is the cells, which start zeroed. */       \
    X(SCRATCH, "scratch") /* take `index` on `lane`, unless this launch has it; MAPPED:            \
                           * the host zeroes it */                                                 \
    X(RELEASE, "release") /* the lane may hand `index` on after what is queued so far */           \
    /* Work. */                                                                                    \
    X(UPLOAD, "upload")     /* class `index` to its device copy, by `move` */                      \
    X(TASK, "task")         /* task `index` */                                                     \
    X(DOWNLOAD, "download") /* class `index`, or the result, or what the host must know at `node`: \
                             * a loop's condition, a task's bounds; by `move` */                   \
    X(UNSTAGE, "unstage")   /* host: read-back or MAPPED slot to the caller's memory */            \
    /* Order. */                                                                                   \
    X(FORK, "fork")           /* `lane` starts after what is queued on `from` */                   \
    X(JOIN, "join")           /* `lane` goes on after what is queued on `from` */                  \
    X(EDGE, "edge")           /* the same, for one conflict between sections */                    \
    X(BARRIER, "barrier")     /* queue family: earlier commands before later ones */               \
    X(SUBMIT, "submit")       /* queue family: what was recorded starts */                         \
    X(HOST_WAIT, "host-wait") /* the host waits for `lane` */

typedef enum plan_kind {
#define PLAN_KIND_ENUM_(name, word) PLAN_##name,
    PLAN_KINDS(PLAN_KIND_ENUM_)
#undef PLAN_KIND_ENUM_
        PLAN_KIND_COUNT
} plan_kind;

/* How an upload or download is done. */
typedef enum plan_move {
    PLAN_MOVE_NONE,
    PLAN_MOVE_IN_PLACE, /* nothing moves: tasks use the host memory itself */
    PLAN_MOVE_BLOCKING, /* the driver's blocking copy; a host wait */
    PLAN_MOVE_STAGED,   /* memcpy through a slot that Slipway pinned, and a queued copy */
    PLAN_MOVE_DIRECT,   /* a queued copy of memory that Slipway pinned */
    PLAN_MOVE_MAPPED    /* memcpy, and tasks use the slot itself: nothing is queued */
} plan_move;

/* Why a step is there; the text form adds the names involved. */
typedef enum plan_reason {
    PLAN_REASON_PROGRAM,      /* the kernel says so */
    PLAN_REASON_READS,        /* a task may read what the host has */
    PLAN_REASON_PARTLY,       /* a task may write part of it: the rest must be there */
    PLAN_REASON_WRITTEN,      /* a task may have written it */
    PLAN_REASON_CONFLICT,     /* `because` names two tasks that touch `array` */
    PLAN_REASON_MOVED,        /* a task touches what was copied, or a copy what a task touched */
    PLAN_REASON_COMPLETE,     /* host arrays and results are complete on return */
    PLAN_REASON_IN_PLACE,     /* the device may still use the caller's memory */
    PLAN_REASON_POLL,         /* the host must read a device loop's condition */
    PLAN_REASON_BOUNDS,       /* the host must know how far `because[1]` goes */
    PLAN_REASON_SECTIONS,     /* sections begin after, and end before, their neighbours */
    PLAN_REASON_ENTRY,        /* earlier calls on this stream */
    PLAN_REASON_CONSERVATIVE, /* elision facts are off: all, or copies_join_submission */
    PLAN_REASON_BEHIND,       /* memory that is used again behind what is queued */
    PLAN_REASON_SLOT          /* a slot that is used again once the device is done with it */
} plan_reason;

typedef struct plan_step {
    plan_kind kind;
    plan_move move;
    plan_reason reason;
    uint32_t lane;       /* 0: the call's stream; from 1: lanes of sections */
    uint32_t from;       /* fork, join, edge: the other lane */
    uint32_t event;      /* fork, join, edge */
    uint32_t index;      /* task, scratch, or alias class (MOD_NONE: the result) */
    uint32_t node;       /* program node, MOD_NONE if none */
    uint32_t end, other; /* control: step indices */
    uint32_t because[2]; /* conflict: two tasks of the entry, earlier first */
    uint32_t again;      /* barrier in a loop: a task of the pass before that because[1] follows */
    uint32_t array;      /* conflict: what both touch, numbered as module.h does; from the cells'
                          * number on their pieces (cells.h) */
} plan_step;

/* A wait, copy or edge that is not there, and what allows that. */
typedef struct plan_omission {
    uint32_t before_step; /* where it would stand */
    plan_kind kind;
    uint32_t index; /* alias class of a copy, else MOD_NONE */
    plan_fact fact; /* PLAN_FACT_COUNT: `text` alone says why */
    const char *text;
} plan_omission;

typedef struct plan {
    plan_step *steps;
    uint32_t step_count;
    plan_omission *omissions;
    uint32_t omission_count;
    uint32_t lane_count, event_count, class_count;
    uint32_t host_waits; /* steps that may wait for the device, each loop's counted once */
} plan;

/*
 * plan_make - the plan of a call.
 *
 *   arena    holds the plan                                                          borrowed
 *   entry    from a module that was read or compiled              borrowed for the call only
 *
 * Equal inputs give equal plans.
 *
 * Errors   UNSUPPORTED  the shape mixes homes in one alias class; the message names both arrays
 * See      plan/check.c (the proof), tests/plan/table_test.c (every row of the launch contract)
 */
slip_status plan_make(mem_arena *arena, const mod_entry *entry, const plan_shape *shape,
                      const plan_facts *facts, plan **out) SLIP_MUST_USE;

/* Nothing but tasks, and control that the host decides: no copy, wait, memory or order. */
bool plan_is_tasks_alone(const plan *p);

/* A step that a graph of the driver's cannot hold, which runs later and more than once: a copy,
 * memory of the launch, a wait of the host. NULL: there is none. */
const plan_step *plan_uncapturable(const plan *p);

/* The plan with names and reasons, a line a step, indented by nesting; then what was left out. */
void plan_print(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
                const plan_facts *facts);

/* The same as a picture, in SVG: time runs down, the host and each lane have a column. */
void plan_draw(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
               const plan_facts *facts);

/* Is the class moved by the plan in place? Class properties that launchers and the checker share.
 */
typedef struct plan_class {
    plan_home home;
    bool reads, writes; /* some member may be read, written */
    bool updates;       /* by atomic updates */
    bool single;        /* at most one read and one write per element in the whole call */
    bool covered;       /* overwritten whole, or promised to be (slip_out): nothing need go up */
    bool all_const, all_out; /* by the signature, whatever the compiler found */
    bool small;              /* as the shape says */
    uint32_t written_ranges; /* distinct ranges that may be written */
    plan_move up, down;
} plan_class;

/* Fills classes[class_count]; class_count is one more than the highest class. */
slip_status plan_classes(const mod_entry *entry, const plan_shape *shape, const plan_facts *facts,
                         plan_class *classes, uint32_t class_count) SLIP_MUST_USE;
uint32_t plan_class_count(const plan_shape *shape);
/* Must the host know a task's bounds, which are device values, before it can queue the task?
 * Partial results need memory by the number of iterations. */
bool plan_bounds_wanted(const mod_task *task, const plan_facts *facts);
/* The cells lie in a slot that the host zeroes and reads. */
bool plan_cells_mapped(const plan_shape *shape, const plan_facts *facts);

#endif
