/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts.h - what a driver promises: one row per fact, one column per driver.
 *
 * Contract facts always hold and cannot be switched off. Elision facts allow a wait, copy or edge
 * to be left out; the conservative policy turns all of them off. facts.c holds the table and, for
 * every entry, the clause of the public documentation that it rests on.
 */
#ifndef SLIPWAY_PLAN_FACTS_H
#define SLIPWAY_PLAN_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef enum plan_family { PLAN_FAMILY_CPU, PLAN_FAMILY_STREAM, PLAN_FAMILY_QUEUE } plan_family;

enum { PLAN_CONTRACT = 1, PLAN_ELISION = 0 };

/* name, contract or elision, what it says */
#define PLAN_FACTS(X)                                                                              \
    X(lane_in_order, PLAN_CONTRACT, "work on one lane runs in the order it was queued")            \
    X(runs_before_return, PLAN_CONTRACT, "a task has ended when the call that runs it returns")    \
    X(host_is_device, PLAN_CONTRACT, "tasks use any host memory at the host's own address")        \
    X(wait_covers_earlier, PLAN_CONTRACT, "a wait on a lane covers everything queued on it")       \
    X(blocking_upload_waits, PLAN_CONTRACT, "a blocking upload may wait for the lane")             \
    X(event_rerecord, PLAN_CONTRACT, "an event may be recorded again while pending")               \
    X(access_known, PLAN_ELISION, "the compiler found which arrays the kernel reads and writes")   \
    X(host_mapped, PLAN_ELISION, "tasks can use memory that was pinned, in place")                 \
    X(device_memory_mapped, PLAN_ELISION,                                                          \
      "the host uses the memory that is fastest for tasks, at its own addresses")                  \
    X(blocking_download_drains, PLAN_ELISION,                                                      \
      "a blocking download on the default stream returns "                                         \
      "after all earlier work on it")                                                              \
    X(copies_join_submission, PLAN_ELISION, "copies and tasks share one submission")

typedef enum plan_fact {
#define PLAN_FACT_ENUM_(name, contract, text) PLAN_FACT_##name,
    PLAN_FACTS(PLAN_FACT_ENUM_)
#undef PLAN_FACT_ENUM_
        PLAN_FACT_COUNT
} plan_fact;

typedef struct plan_facts {
    const char *name; /* "cpu", "cuda", "hip", "vulkan" */
    plan_family family;
    uint32_t max_lanes; /* lanes a call may use for its sections */
    bool holds[PLAN_FACT_COUNT];
    const char *source[PLAN_FACT_COUNT]; /* the clause each rests on */
} plan_facts;

typedef struct plan_fact_row {
    const char *name, *meaning;
    bool contract;
} plan_fact_row;

extern const plan_fact_row plan_fact_rows[PLAN_FACT_COUNT];

/* Borrowed, static. NULL if there is no such driver. */
const plan_facts *plan_facts_named(const char *name);

/* Does the fact hold, given the policy? */
bool plan_holds(const plan_facts *facts, plan_fact fact, bool conservative);

/* A line a fact: name, yes or no, kind, meaning, source. */
void plan_facts_print(text *out, const plan_facts *facts);

#endif
