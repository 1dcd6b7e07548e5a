/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeat.h - the last calls of an entry on a stream that did nothing but launch tasks, kept so that
 * an equal call needs no look at its arguments but a comparison.
 *
 * The first such call is noted, the second one is recorded while it is performed, and from the
 * third on its launches are made again (launch/record.h). Several are kept, for programs that call
 * with arrays by turns.
 *
 * A call kept here holds for another one of its binding exactly while
 *   - neither the present table nor the device's policy has changed since: the generation is the
 *     same,
 *   - the arguments that decide are the same: every array's pointer, and every scalar that an
 *     extent, a bound or the launch program is made from,
 *   - the bytes given of the arrays are the same, or were given neither time.
 * Then sizes, look-ups, alias partition, plan, code, grids and the blocks of tasks are the same,
 * but for the arguments that record_fill puts in. What else a plan depends on is fixed for a
 * binding: entry, module, device, stream and its kind. repeat_find alone decides it.
 */
#ifndef SLIPWAY_RUNTIME_REPEAT_H
#define SLIPWAY_RUNTIME_REPEAT_H

#include "runtime/objects.h"

enum { REPEAT_CALLS = 4 };

typedef struct repeat_call {
    uint64_t generation; /* of the device; 0: no call is kept here */
    bool has_given;
    uint64_t *args;  /* [param_count], as they came */
    uint64_t *given; /* [param_count], if has_given */
    launch_record record;
} repeat_call;

/* Of a binding, under its stream's lock. One block, its arrays behind it. */
typedef struct repeats {
    const mod_entry *entry;
    bool *decides;      /* [param_count] */
    uint32_t *deciding; /* [deciding_count] the parameters that do */
    uint32_t deciding_count;
    uint32_t oldest; /* of the calls: it goes first */
    repeat_call calls[REPEAT_CALLS];
} repeats;

/* *out is NULL where no call of the entry can be recorded on this family. */
slip_status repeat_make(const launcher *family, const mod_entry *entry,
                        repeats **out) SLIP_MUST_USE;
void repeat_drop(repeats *r); /* takes NULL */

/* The kept call that holds for these arguments, which are as in bind_args; NULL: none does. */
static inline repeat_call *repeat_find(repeats *r, uint64_t generation, const uint64_t *args,
                                       const uint64_t *given)
{
    for (uint32_t c = 0; c < REPEAT_CALLS; c++) {
        repeat_call *call = &r->calls[c];
        bool same = call->generation == generation && call->has_given == (given != NULL);
        for (uint32_t k = 0; same && k < r->deciding_count; k++) {
            uint32_t p = r->deciding[k];
            same = args[p] == call->args[p] && (!given || given[p] == call->given[p]);
        }
        if (same)
            return call;
    }
    return NULL;
}

/* A call by a plan of tasks alone went well, and no kept one held for it: it takes the place of the
 * oldest. */
void repeat_keep(repeats *r, uint64_t generation, const uint64_t *args, const uint64_t *given);

#endif
