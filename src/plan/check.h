/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - proves a plan: every conflict is ordered, and every wait is needed for one.
 *
 * The plan is expanded, in the canonical client, into host actions and device operations.
 * Happens-before is the closure of: host program order; a host call before the operation it queues;
 * the lane rule of the family; record before wait; a waited operation before the host goes on. Two
 * nodes conflict when they touch the same memory and one may write. A plan is right when every
 * conflicting pair is ordered; a wait is needed when without it some pair is not.
 *
 * The canonical client: the host writes every host array it passes; an earlier call on the same
 * stream touches every device array and all scratch of the plan; the call; the host reads what was
 * promised complete, overwrites every host array it passed, and refills every staging slot once
 * that slot is free; a later call like the earlier one. Loops run twice; branches are taken both
 * ways.
 */
#ifndef SLIPWAY_PLAN_CHECK_H
#define SLIPWAY_PLAN_CHECK_H

#include "plan/expand.h"
#include "plan/plan.h"

typedef struct plan_proof {
    bool right;            /* no conflicting pair is unordered, and nothing that must move stays */
    bool minimal;          /* each wait below is needed, once the conservative ones are gone */
    uint32_t nodes, pairs; /* of the largest expansion: nodes, and conflicting pairs */
    uint32_t waits;  /* forks, joins, edges, barriers, host waits, blocking copies; not conservative
                        ones */
    uint32_t needed; /* of those, how many cannot be removed */
    uint32_t conservative;           /* waits tagged conservative */
    bool right_without_conservative; /* the plan minus all of those is still right */
} plan_proof;

/* Checks the plan that plan_make gave for the same inputs. What is found is told in `out` (may be
 * NULL), a line each: unordered pairs, and for every wait the pair that it orders. */
void plan_check(mem_arena *arena, const plan *p, const mod_entry *entry, const plan_shape *shape,
                const plan_facts *facts, plan_proof *proof, text *out);

/* Removes step `index` (a wait or edge) before checking: is the rest right? For tests that a fault
 * is seen. */
bool plan_right_without(mem_arena *arena, const plan *p, const mod_entry *entry,
                        const plan_shape *shape, const plan_facts *facts, uint32_t index);

/* A way through the program on which two nodes are unordered when the waits with `off` are gone;
 * false: there is none. *out is the graph of that way, or of any. */
bool plan_find_race(mem_arena *arena, const plan *p, const mod_entry *entry,
                    const plan_shape *shape, const plan_facts *facts, const bool *off,
                    expand_graph *out);

/* Is the step a wait: a fork, join, edge, barrier, host wait or blocking copy? */
bool plan_is_wait(const plan_step *s);

#endif
