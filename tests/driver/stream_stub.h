/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_stub.h - a library with the entry points of CUDA and of HIP that runs one kernel by hand:
 * it counts calls and live objects, fails the call it is told to, and answers as a test asks.
 *
 * SLIPWAY_CUDA_LIBRARY and SLIPWAY_HIP_LIBRARY name it, so the driver under test is the one that
 * ships. What is queued is done at once; only queries say that it is not. For one thread.
 */
#ifndef SLIPWAY_TESTS_DRIVER_STREAM_STUB_H
#define SLIPWAY_TESTS_DRIVER_STREAM_STUB_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/stream_api.h"

enum { STREAM_STUB_DEVICES = 2 };

typedef struct stream_stub {
    uint64_t fail_at; /* the number of the call to fail, from 1; 0: none */
    int only;         /* count calls of this stream_slot alone; STREAM_SLOT_COUNT: every call */
    int code;         /* what a call that is failed returns */
    bool scribbles;   /* and fills what it was to give */
    bool is_hip;      /* what is current is HIP's device, not CUDA's context */
    int device_count;
    int version, major;         /* of the driver; of the compute capability */
    bool integrated, describes; /* `describes`: knows the attributes that only describe */
    const char *level;          /* "gfx90a:xnack-" */
    int busy;                   /* queries that are answered "not ready" before one succeeds */
    unsigned memory_type;       /* of all pointers; 0: the library knows none */
    bool refuses_unknown;       /* pointers that it does not know; else they have no type */
    bool managed;
    bool capturing;     /* another thread captures in the global mode: what is unsafe is refused */
    int capture_status; /* of each stream but the default one */
    bool legacy_taken;  /* a blocking stream is captured: so is what uses the default stream */

    uint64_t calls; /* counted so far */
    int failed;     /* the stream_slot that was failed; STREAM_SLOT_COUNT: none */
    int64_t live;   /* objects made and not given back */
    int64_t pinned; /* of them, made by host_new */
    uint64_t queries, waits, loads, attributes_of_functions, pushes, selects;
    unsigned host_flags, register_flags, stream_flags, event_flags;
    uint64_t registered_bytes; /* of the last host_register */
    unsigned groups[3], local, shared_bytes;
    api_stream stream; /* of the last call that queued something */

    int stack[8], depth; /* contexts by number; the last is current */
    int device;          /* HIP's current one */
    int mode;            /* of capturing, that the thread is in */
} stream_stub;

/* Every test of a table runs for both. */
typedef enum stream_family { STREAM_CUDA, STREAM_HIP, STREAM_FAMILIES } stream_family;

/* The stub's state, as new, with the family told to use it: `which` is "whole"; "old", without what
 * is optional; or "broken", without cuEventQuery and hipEventQuery. */
stream_stub *stream_stub_begin(stream_family family, const char *which);
/* The driver uses the real library again, and nothing of the stub's is left. */
void stream_stub_end(stream_stub *stub);

/* What is current: a context's or a device's number, -1: none. Setting makes it the only one. */
int stream_stub_current(const stream_stub *stub);
void stream_stub_make_current(stream_stub *stub, int device);

#endif
