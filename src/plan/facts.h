/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts.h - what a driver promises, one row per fact, one column per driver.
 *
 * Contract facts always hold and cannot be switched off. Elision facts allow a wait, copy or edge to
 * be left out; the conservative policy turns all of them off.
 */
#ifndef SLIPWAY_PLAN_FACTS_H
#define SLIPWAY_PLAN_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef enum plan_family { PLAN_FAMILY_CPU, PLAN_FAMILY_STREAM, PLAN_FAMILY_QUEUE } plan_family;

/* name, C (contract) or E (elision), what it says */
#define PLAN_FACTS(X)                                                                             \
    X(lane_in_order, C, "work on one lane runs in the order it was queued")                       \
    X(runs_before_return, C, "a task has ended when the call that runs it returns")               \
    X(host_is_device, E, "tasks use any host memory in place, at the host's address")             \
    X(host_mapped, E, "memory that Slipway pinned can be used in place by tasks")                 \
    X(blocking_download_drains, E, "a blocking download returns after all earlier work on its lane") \
    X(blocking_upload_frees_source, E, "a blocking upload lets the source be reused on return")   \
    X(blocking_upload_waits, C, "a blocking upload may wait for the lane first")                  \
    X(queued_pinned_copy_returns, E, "a queued copy of pinned memory does not block")             \
    X(wait_covers_earlier, C, "a wait on a lane covers everything queued on it before")           \
    X(copies_join_submission, E, "copies and tasks share one submission")                         \
    X(event_rerecord, C, "an event may be recorded again while pending")                          \
    X(access_known, E, "the access pass says which arrays a task reads and writes")

typedef enum plan_fact {
#define PLAN_FACT_ENUM_(name, kind, text) PLAN_FACT_##name,
    PLAN_FACTS(PLAN_FACT_ENUM_)
#undef PLAN_FACT_ENUM_
        PLAN_FACT_COUNT
} plan_fact;

typedef struct plan_facts {
    const char *name; /* "cpu", "cuda", "hip", "vulkan" */
    plan_family family;
    bool holds[PLAN_FACT_COUNT];
    const char *source[PLAN_FACT_COUNT]; /* the clause each rests on */
    uint32_t max_lanes;
} plan_facts;

typedef struct plan_fact_row {
    const char *name, *meaning;
    bool contract;
} plan_fact_row;

extern const plan_fact_row plan_fact_rows[PLAN_FACT_COUNT];

/* NULL if there is no such driver. */
const plan_facts *plan_facts_named(const char *name);
void plan_facts_print(text *out, const plan_facts *facts);

#endif
