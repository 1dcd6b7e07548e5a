/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bind.h - an entry's arguments on a stream: what the last call found out, and what of it still
 * holds.
 */
#ifndef SLIPWAY_RUNTIME_BIND_H
#define SLIPWAY_RUNTIME_BIND_H

#include "runtime/plans.h"
#include "runtime/present.h"
#include "runtime/repeat.h"

/* An array argument; 64 bytes, most of which a repeated call reads. */
typedef struct bound_array {
    /* Of the last call: equal ones mean the rest still holds. */
    uint64_t pointer;
    uint64_t wanted; /* bytes by its extents, or BIND_UNKNOWN */
    uint64_t given;  /* bytes that the caller named, or BIND_UNKNOWN */
    /* What was found. */
    uint64_t address; /* where tasks find it; of no use where only the launcher can tell */
    uint32_t param;
    plan_home home;
    uint64_t bytes;
    const launch_memory *memory; /* what holds it; NULL: memory that the device does not know */
    uint32_t class, range;
} bound_array;

#define BIND_UNKNOWN UINT64_MAX

/* Of one entry on one stream, used under the stream's lock. One block, its arrays behind it. */
struct binding {
    slip_entry *entry;
    uint64_t generation; /* of the present table when `arrays` was found; 0: nothing found yet */
    bool wants_result;
    cached_plan *plan;
    repeats *repeats; /* NULL: none of its calls can be recorded */
    launch_call call; /* all but the arguments */
    uint32_t array_count;
    bound_array *arrays;   /* [array_count] */
    launch_class *unions;  /* [array_count] what the call's classes are */
    launch_array *members; /* [array_count] what the call's arrays are */
    uint32_t *order;       /* [array_count] by address, while classes are found */
    plan_home *homes;      /* [param_count] the shape of the call, as are the next three */
    uint32_t *classes;
    uint32_t *ranges;
    bool *small;
};

/* One that belongs to no stream yet; `stream` says where its calls would run. */
slip_status bind_make(slip_stream *stream, slip_entry *entry, binding **out) SLIP_MUST_USE;
/* UNSUPPORTED where the entry needs what its device lacks. */
slip_status bind_check(const slip_entry *entry) SLIP_MUST_USE;
/* The entry's binding on the stream, whose lock is held; NULL before the first call. */
static inline binding *bind_known(const slip_stream *stream, const slip_entry *entry)
{
    return entry->id < stream->binding_capacity ? stream->bindings[entry->id] : NULL;
}
/* The same, made for the first call. UNSUPPORTED as bind_check. */
slip_status bind_get(slip_stream *stream, slip_entry *entry, binding **out) SLIP_MUST_USE;
/* Fills slots from `args` ([param_count], as in slip_call) and makes ready binding.call. `given`
 * ([param_count] bytes, BIND_UNKNOWN where not known) may be NULL. Allocates only where the
 * shape was never seen. */
slip_status bind_args(binding *b, slip_stream *stream, const uint64_t *args, const uint64_t *given,
                      void *result) SLIP_MUST_USE;
/* The shape that these arguments have, without a call; it points into the binding. Under the
 * device's lock. */
slip_status bind_shape(binding *b, slip_stream *stream, const uint64_t *args, const uint64_t *given,
                       bool wants_result, plan_shape *out) SLIP_MUST_USE;
/* Is a class of these bytes small where those facts hold? The shape's arrays are told. */
bool bind_small(const plan_facts *facts, const launch_class *class);
void bind_drop(binding *b); /* takes NULL */

#endif
