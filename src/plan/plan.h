/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - from a launch program, where the arrays live, and a driver's facts, to the steps of a call.
 *
 * Pure: no driver, clock, thread, I/O, or allocation beyond the arena. A plan holds indices, never
 * pointers or handles, so it can be printed, compared, cached, proved and performed by a launcher that
 * decides nothing. It is made once per shape; a repeated call fills in addresses, sizes and scalars.
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

/* ---- the shape of a call ----------------------------------------------------------------------- */

/* Where an array lives. */
typedef enum plan_home {
    PLAN_HOME_UNKNOWN,  /* malloc, the stack, anything the present table does not know */
    PLAN_HOME_PINNED,   /* slip_host_alloc, slip_host_register */
    PLAN_HOME_KEPT,     /* slip_keep: the mirror is used, nothing moves */
    PLAN_HOME_RESIDENT, /* slip_alloc, slip_wrap: device memory */
    PLAN_HOME_NONE      /* the parameter is no array */
} plan_home;

typedef enum plan_stream_kind { PLAN_DEFAULT_STREAM, PLAN_EXPLICIT_STREAM, PLAN_WRAPPED_STREAM } plan_stream_kind;

/* The alias partition: arrays of one class may overlap, arrays of different classes do not; arrays of one class with
 * one range are the same bytes. Numbered by first appearance, so that equal partitions are equal arrays. */
typedef struct plan_shape {
    const plan_home *homes;   /* [param_count] */
    const uint32_t *classes;  /* [param_count]; MOD_NONE for no array */
    const uint32_t *ranges;   /* [param_count]; MOD_NONE for no array */
    uint32_t param_count;
    plan_stream_kind stream;
    bool conservative; /* all elision facts off */
    bool wants_result; /* the caller gave a place for the kernel's result */
} plan_shape;

/* ---- steps ----------------------------------------------------------------------------------------- */

typedef enum plan_kind {
    /* Control: the program's nodes; children are the steps up to `end`. */
    PLAN_EVAL,        /* run the instructions of node `node` */
    PLAN_IF,          /* children up to `other`, else from `other` to `end` */
    PLAN_LOOP,
    PLAN_DEVICE_LOOP, /* host polls the cell after a batch; one host wait per batch */
    PLAN_BREAK,
    PLAN_CONTINUE,    /* go on at step `other` */
    PLAN_RETURN,      /* go on at step `other`: what follows the program (downloads, waits) still runs */

    /* Memory of the launch. */
    PLAN_SCRATCH,     /* take scratch `index` on `lane`, unless this launch has it */
    PLAN_RELEASE,     /* the lane may reuse scratch `index` after the work queued so far */

    /* Work. */
    PLAN_UPLOAD,      /* class `index` to its device copy, by `move` */
    PLAN_TASK,        /* task `index` */
    PLAN_DOWNLOAD,    /* class `index` (MOD_NONE: the result cell) from the device, by `move` */
    PLAN_UNSTAGE,     /* host: read-back slot of class `index` (or result) to the caller's memory; after the last wait */

    /* Order. */
    PLAN_FORK,        /* lane `lane` starts after what is queued on lane `from` (event `event`) */
    PLAN_JOIN,        /* the reverse */
    PLAN_EDGE,        /* one edge between lanes for a conflict */
    PLAN_BARRIER,     /* queue family: earlier commands of the lane before later ones */
    PLAN_SUBMIT,      /* queue family: what was recorded on `lane` starts */
    PLAN_HOST_WAIT    /* the host waits for lane `lane` */
} plan_kind;

/* How an upload or download is done. */
typedef enum plan_move {
    PLAN_MOVE_NONE,
    PLAN_MOVE_IN_PLACE, /* nothing moves: tasks use the host memory itself */
    PLAN_MOVE_BLOCKING, /* the driver's blocking copy; counts as a host wait where the facts say so */
    PLAN_MOVE_STAGED,   /* memcpy through a slot that Slipway pinned, and a queued copy */
    PLAN_MOVE_DIRECT    /* a queued copy of memory that Slipway pinned */
} plan_move;

/* Why a step is there; the text form prints it with the names involved. */
typedef enum plan_reason {
    PLAN_REASON_PROGRAM,     /* the kernel says so */
    PLAN_REASON_READS,       /* a task reads what the host has */
    PLAN_REASON_WRITTEN,     /* the host gets what a task wrote */
    PLAN_REASON_CONFLICT,    /* `from_step` and the next step touch the same memory */
    PLAN_REASON_COMPLETE,    /* host arrays and results are complete on return */
    PLAN_REASON_IN_PLACE,    /* a task may still use the caller's memory */
    PLAN_REASON_POLL,        /* the host must read a device loop's condition */
    PLAN_REASON_SECTIONS,    /* sections begin after, or end before, their neighbours */
    PLAN_REASON_ENTRY,       /* earlier calls on this stream */
    PLAN_REASON_CONSERVATIVE /* all elision facts are off */
} plan_reason;

typedef struct plan_step {
    plan_kind kind;
    plan_move move;
    plan_reason reason;
    uint32_t lane;  /* 0: the call's stream; 1..: section lanes */
    uint32_t from;  /* fork, join, edge: the other lane */
    uint32_t event; /* fork, join, edge */
    uint32_t index; /* task, scratch, or alias class */
    uint32_t node;  /* program node, MOD_NONE if none */
    uint32_t end, other;    /* control: step indices */
    uint32_t because[2];    /* conflict: the two steps (MOD_NONE: none), for the text */
    uint32_t array;         /* conflict: the array (module.h numbering) that both touch */
} plan_step;

/* A wait, copy or edge that is not there, and the fact (or finding) that allows it. */
typedef struct plan_omission {
    uint32_t before_step; /* where it would stand */
    plan_kind kind;
    uint32_t index; /* class or lane */
    plan_fact fact; /* facts.h */
} plan_omission;

typedef struct plan {
    plan_step *steps;
    uint32_t step_count;
    plan_omission *omissions;
    uint32_t omission_count;
    uint32_t lane_count, event_count, class_count;
    uint32_t host_waits; /* steps that may wait for the device, each loop counted once */
    bool in_place;       /* some host array is used in place */
} plan;

/* Makes the plan of a call. SLIP_ERR_UNSUPPORTED where the family cannot (message says what and why). The plan lives in
 * the arena; entry is borrowed for the call only. */
slip_status plan_make(mem_arena *arena, const mod_entry *entry, const plan_shape *shape, const plan_facts *facts,
                      plan **out) SLIP_MUST_USE;

/* The plan with names and reasons, a line a step, indented by nesting; then the omissions. */
void plan_print(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape, const plan_facts *facts);

#endif
