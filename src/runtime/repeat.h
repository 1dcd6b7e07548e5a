/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeat.h - the last calls of an entry on a stream that did nothing but launch tasks, kept so that
 * an equal call needs no look at its arguments but a comparison.
 *
 * The first such call is noted, with the memory that recording it takes, the second one is recorded
 * while it is performed, and from the third on its launches are made again (launch/record.h).
 * Several are kept, for programs that call with arrays by turns.
 *
 * A call kept here holds for another one of its binding exactly while
 *   - the device's generation is the same: neither its present table, nor its policy, nor who uses
 *     the stream has changed since,
 *   - the arguments that decide are the same: every array's pointer, and every scalar that an
 *     extent, a bound or the launch program is made from,
 *   - the bytes given of the arrays are the same, or were given neither time.
 * Then sizes, look-ups, alias partition, plan, code, grids and the blocks of tasks are the same,
 * but for the arguments that record_fill puts in. What else a plan depends on is fixed for a
 * binding: entry, module, device and stream. repeat_find alone decides it.
 */
#ifndef SLIPWAY_RUNTIME_REPEAT_H
#define SLIPWAY_RUNTIME_REPEAT_H

#include "runtime/objects.h"

enum { REPEAT_CALLS = 4 };

typedef struct repeat_call {
    uint64_t generation; /* of the device; 0: no call is kept here */
    bool has_given;
    uint64_t *values; /* [deciding_count] the arguments that decide */
    uint64_t *given;  /* [deciding_count] bytes given of them, if has_given */
    launch_record record;
} repeat_call;

/* Of a binding, under its stream's lock. One block, its arrays behind it. */
typedef struct repeats {
    uint32_t *deciding; /* [deciding_count] the parameters that do */
    uint32_t deciding_count;
    uint32_t oldest; /* of the calls: it goes first */
    repeat_call calls[REPEAT_CALLS];
    bool *decides;          /* [param_count] */
    launch_record counted;  /* a call that is not kept yet */
    launch_record reserved; /* the numbers that all of the calls have room for */
} repeats;

/* *out is NULL where no call of the entry can be recorded on this family. */
slip_status repeat_make(const launcher *family, const mod_entry *entry,
                        repeats **out) SLIP_MUST_USE;
void repeat_drop(repeats *r); /* takes NULL */

static inline bool repeat_same(const repeats *r, const uint64_t *values, const uint64_t *args)
{
    for (uint32_t k = 0; k < r->deciding_count; k++)
        if (args[r->deciding[k]] != values[k])
            return false;
    return true;
}

/* The kept call that holds for these arguments, which are as in bind_args; NULL: none does. */
static inline repeat_call *repeat_find(repeats *r, uint64_t generation, const uint64_t *args,
                                       const uint64_t *given)
{
    for (repeat_call *call = r->calls; call < r->calls + REPEAT_CALLS; call++)
        if (call->generation == generation && call->has_given == (given != NULL) &&
            repeat_same(r, call->values, args) && (!given || repeat_same(r, call->given, given)))
            return call;
    return NULL;
}

/* A call by a plan of tasks alone went well, was counted, and no kept one held for it: it takes the
 * place of the oldest. Allocates only where none before launched as much. */
void repeat_keep(repeats *r, uint64_t generation, const uint64_t *args, const uint64_t *given);

#endif
