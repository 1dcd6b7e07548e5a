/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_stream.h - a stream_driver without a device, which does what the contract allows at the
 * worst moment.
 *
 * Work runs when somebody waits for it, as it is queued, or in between as a seed says. Queued
 * copies read and write when they run, so a slot that is filled again too early gives wrong
 * results. Fresh memory holds poison. Two operations that touch the same bytes without an order
 * between them are reported, whatever came out. Slots that are called outside of enter and leave,
 * events that may not be recorded again yet, queued copies of memory that is not pinned, and memory
 * that is freed while it is used are too. Any call can be made to fail.
 */
#ifndef SLIPWAY_TESTS_FAKE_STREAM_H
#define SLIPWAY_TESTS_FAKE_STREAM_H

#include "driver/stream_driver.h"
#include "fake/fake_task.h"

extern const stream_driver fake_stream_table;

typedef enum fake_schedule { FAKE_LAZY, FAKE_EAGER, FAKE_SEEDED } fake_schedule;

/* Set before the device is opened. */
typedef struct fake_stream_settings {
    uint64_t seed;
    fake_schedule schedule;
    bool rerecords;
    uint64_t max_groups[3]; /* 0: 1 << 16 */
    uint64_t max_threads;   /* 0: no limit */
    uint32_t max_local;     /* 0: 1024 */
    uint32_t lacks;         /* bits of mod_need */
    uint64_t most_bytes;    /* of live memory, 0: no limit */
} fake_stream_settings;

/* Forgets everything of the test before. */
void fake_stream_reset(fake_stream_settings settings);

/* The k-th call from now that can fail does (0: none); with lost, all after it too. */
void fake_stream_fail_at(uint64_t k, bool lost);
/* The k-th call from now and all after it, until told otherwise: each refused by itself. */
void fake_stream_fail_from(uint64_t k);
bool fake_stream_failed(void); /* it came to that */
/* Copies and tasks that have not run. */
uint64_t fake_stream_pending(void);
/* While held, nothing runs: a wait blocks. */
void fake_stream_hold(bool held);
/* Other code begins to capture the stream into a graph, which is forgotten, or ends it. How many
 * launches it took. */
void fake_stream_capture(void *native, bool captured);
uint64_t fake_stream_captured(void);
/* Objects that live. */
uint64_t fake_stream_live(void);
/* Calls of slots that may wait, from now on; of all slots but enter and leave. */
uint64_t fake_stream_waits(void);
uint64_t fake_stream_calls(void);
/* "" or what was wrong first. */
const char *fake_stream_wrong(void);
void fake_stream_forgive(void);
/* A word a call since the last look: "enter launch leave"; "launch:1" for the second stream that
 * was opened, and so on. */
const char *fake_stream_log(void);
void fake_stream_log_clear(void);

#endif
