/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_queue.h - a queue_driver without a device, which does what the contract allows at the worst
 * moment.
 *
 * Commands run when somebody waits for them, and those that no barrier parts run in any order; a
 * later submission may begin before an earlier one ends. Fresh memory holds poison. What the host
 * writes is seen at the latest possible moment, so a slot that is filled again too early gives
 * wrong results; what the device writes reaches the host through a host barrier and a wait, and not
 * else. Two commands that touch the same bytes without an order are reported, whatever came out.
 * Any call can be made to fail.
 */
#ifndef SLIPWAY_TESTS_FAKE_QUEUE_H
#define SLIPWAY_TESTS_FAKE_QUEUE_H

#include "driver/queue_driver.h"
#include "fake/fake_task.h"

extern const queue_driver fake_queue_table;

/* Set before the device is opened. */
typedef struct fake_queue_settings {
    uint64_t seed;
    bool device_mapped;
    bool eager; /* commands run as they are submitted, in order: for tests that must see races by
                   name */
    uint32_t max_groups[3]; /* 0: 1 << 16 */
    uint32_t has;           /* bits of mod_need */
    uint64_t most_bytes;    /* of live memory, 0: no limit */
} fake_queue_settings;

/* Forgets everything of the test before. */
void fake_queue_reset(fake_queue_settings settings);

/* The k-th call from now that can fail does (0: none); with lost, all after it too. */
void fake_queue_fail_at(uint64_t k, bool lost);
/* The next `count` submissions fail. */
void fake_queue_fail_submits(uint32_t count);
bool fake_queue_failed(void); /* it came to that */
/* While held, no command runs: a wait blocks. */
void fake_queue_hold(bool held);
/* The oldest submission of each stream runs, held or not. Who waits is not told yet. */
void fake_queue_run_one(void);
uint32_t fake_queue_without(void); /* numerics that were taken back */
/* Objects that live. */
uint64_t fake_queue_live(void);
/* "" or what was wrong first. */
const char *fake_queue_wrong(void);
void fake_queue_forgive(void);
/* A word a call since the last look: copy zero task barrier host submit wait discard. */
const char *fake_queue_log(void);
void fake_queue_log_clear(void);

#endif
