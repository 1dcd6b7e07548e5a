/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.h - the time line that SLIPWAY_TRACE asks for, in the form Perfetto and chrome://tracing
 * open.
 *
 * One file a process. Each entry is written at once and the file is whole JSON between any two of
 * them, so that nothing is lost when the process ends in whatever way.
 */
#ifndef SLIPWAY_RUNTIME_TRACE_H
#define SLIPWAY_RUNTIME_TRACE_H

#include "runtime/objects.h"

extern atomic_bool trace_is_on;

static inline bool trace_active(void)
{
    return atomic_load_explicit(&trace_is_on, memory_order_relaxed);
}

/* When a device is opened: begins the file if SLIPWAY_TRACE is set and none is begun. */
slip_status trace_begin(void) SLIP_MUST_USE;
void trace_after_fork(void); /* the child writes nothing into its parent's file */

/* A public call of this thread. Times are of counters_now(). */
void trace_call(const slip_stream *stream, const char *name, uint64_t from_ns, uint64_t to_ns);
/* A task on a stream; fits launch_watch, `user` is the stream. */
void trace_task(void *user, const mod_task *task, uint64_t from_ns, uint64_t to_ns,
                int64_t iterations);
/* A copy on a stream, or of the device itself where stream is NULL. */
void trace_copy(const slip_stream *stream, const char *what, uint64_t bytes, uint64_t from_ns,
                uint64_t to_ns);

#endif
