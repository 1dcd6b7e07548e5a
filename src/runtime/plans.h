/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans.h - the plans an entry has been called with, by shape; at most ENTRY_MAX_PLANS, the oldest
 * goes.
 */
#ifndef SLIPWAY_RUNTIME_PLANS_H
#define SLIPWAY_RUNTIME_PLANS_H

#include "runtime/objects.h"

/* Counted: the entry's list holds one use, each binding that calls by it another. */
struct cached_plan {
    atomic_uint uses;
    plan_shape shape;       /* its arrays follow this structure */
    const launcher *family; /* whose the ops are */
    launch_ops *ops;
    bool tasks_alone; /* plan_is_tasks_alone */
};

bool plans_match(const cached_plan *known, const plan_shape *shape);
/* The plan of the shape, made if there is none yet; *out_made says so. Give it back with
 * plans_drop. */
slip_status plans_find(slip_entry *entry, const plan_shape *shape, cached_plan **out,
                       bool *out_made) SLIP_MUST_USE;
void plans_drop(cached_plan *used); /* takes NULL */
void plans_finish(slip_entry *entry);

#endif
