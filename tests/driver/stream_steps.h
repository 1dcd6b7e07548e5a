/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_steps.h - a session with a stream driver, step by step: each slot of the table once, with
 * a result that is known. For tests in which calls fail.
 */
#ifndef SLIPWAY_TESTS_DRIVER_STREAM_STEPS_H
#define SLIPWAY_TESTS_DRIVER_STREAM_STEPS_H

#include "driver/stream_case.h"

typedef struct stream_session {
    const stream_driver *table;
    stream_family family;
    uint32_t index;   /* of the device */
    const char *text; /* the code with s0 */
    uint64_t text_bytes;
    void *foreign; /* a stream that is wrapped */
    void *own;     /* memory that is registered */

    void *self, *stream, *legacy, *wrapped, *code, *event;
    stream_guard guard;
    bool inside;
    stream_memory x, pinned, kept;
    stream_kernel kernel;
    bool passed;
} stream_session;

/* With the stub: its second device. */
stream_session stream_steps_begin(stream_family family);
/* Gives back whatever there is, and forgets the libraries. */
void stream_steps_end(stream_session *s);

/* What came of a session. */
typedef struct stream_outcome {
    int failures;       /* steps that failed, before the device was lost */
    const char *step;   /* the last that failed; NULL: none */
    slip_status status; /* of it */
    slip_error record;  /* likewise */
    bool lost;          /* the device is: steps were left out */
} stream_outcome;

/* Each step until it succeeds, then what was computed is checked. A step that fails publishes
 * nothing, its record says what its status says, and it succeeds the second time; or it loses the
 * device, and every other step that can be taken then gives LOST. */
stream_outcome stream_steps_run(stream_session *s);
/* The official name of a slot's entry point. */
const char *stream_steps_call(stream_family family, int slot);
/* A call that may fail with nobody told: it puts back what the thread had before, or gives
 * something back. */
bool stream_steps_silent(int slot);
/* A code that is no failure but an answer: the pointer is none of the driver's. */
bool stream_steps_answer(int slot, int code);

#endif
