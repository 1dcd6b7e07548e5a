/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h - the launches of a call, kept so that an equal call makes them again and decides
 * nothing.
 *
 * For calls by a plan of tasks alone (plan_is_tasks_alone): such a call is a list of launches that
 * follows from its arguments and from where its arrays are. A parameter of the entry *decides*
 * where anything but the parameters of launches depends on it: arrays, and what the launch program
 * reads. The other ones are only handed to tasks, and are put into the record anew for each call.
 *
 * A record may be made again for arguments whose deciding ones are what they were, on the same
 * stream, while the arrays are where they were and the module is loaded. Whoever keeps a record
 * sees to that: runtime/repeat.h.
 */
#ifndef SLIPWAY_LAUNCH_RECORD_H
#define SLIPWAY_LAUNCH_RECORD_H

#include <string.h>

#include <slipway/status.h>

#include "module/module.h"

/* One launch: what its driver is told. */
typedef struct record_launch {
    void *kernel;              /* the family's */
    uint32_t at, bytes;        /* its parameters, in launch_record.bytes */
    uint32_t groups[3], local; /* families with shaders */
    int64_t total;             /* cpu: iterations */
    const mod_task *task;
    uint32_t tasks_before; /* of the call, that are launched whole before this */
} record_launch;

/* An argument in the parameters of a launch. */
typedef struct record_patch {
    uint32_t param;
    uint32_t at, bytes; /* in launch_record.bytes */
    bool by_address;    /* the argument is the address of what is copied: a struct */
} record_patch;

typedef enum record_state {
    RECORD_EMPTY,
    RECORD_COUNTING, /* what a call would take is being added up */
    RECORD_OPEN,     /* a call is being added */
    RECORD_WHOLE     /* all launches of a call */
} record_state;

enum { RECORD_MOST_LAUNCHES = 512, RECORD_MOST_BYTES = 1 << 16 };

/* Plain data; zero is an empty one. */
typedef struct launch_record {
    record_state state;
    bool refused; /* such a call is not to be recorded: it is too long, or takes memory */
    uint32_t launch_count, patch_count, used;
    uint32_t tasks;
    record_launch *launches; /* [launch_count] */
    record_patch *patches;   /* [patch_count] */
    uint8_t *bytes;          /* [used] */
    const char *name;        /* of the entry, as in launch_call */
    size_t launch_capacity, patch_capacity, byte_capacity;
    const bool *decides; /* [param_count] of the entry, borrowed */
    uint32_t param_count;
} launch_record;

/* Which parameters decide. False where no call of the entry can be recorded: its program reads what
 * a struct's address leads to, or it has a result. */
bool record_decides(const mod_entry *entry, bool *decides);

/* Empties it; what a call launches from now on is added. */
void record_begin(launch_record *r, const char *name, const mod_entry *entry, const bool *decides);
/* Empties it; the numbers of what a call launches from now on are added up, and nothing is kept. */
void record_count(launch_record *r, const mod_entry *entry, const bool *decides);
/* Takes the memory for a call that was counted, so that recording it takes none. */
slip_status record_reserve(launch_record *r, const launch_record *counted) SLIP_MUST_USE;
/* A launch that is about to be made: all of `launch` but `at` and `tasks_before`. Its parameters
 * are bytes[launch->bytes], the task's block is at `block_at` of them. */
void record_add(launch_record *r, const record_launch *launch, const uint8_t *bytes,
                uint32_t block_at);
/* The call does what a record cannot hold. */
void record_refuse(launch_record *r);
/* The call is over. */
void record_end(launch_record *r, slip_status status);
void record_finish(launch_record *r);

/* Puts a call's arguments into its parameters. */
static inline void record_fill(launch_record *r, const uint64_t *args)
{
    for (uint32_t k = 0; k < r->patch_count; k++) {
        const record_patch *p = &r->patches[k];
        if (p->by_address)
            memcpy(r->bytes + p->at, (const void *)(uintptr_t)args[p->param], p->bytes);
        else
            memcpy(r->bytes + p->at, &args[p->param], sizeof args[p->param]);
    }
}

#endif
