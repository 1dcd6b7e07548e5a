/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_driver.h - what a driver is asked to do that queues each piece of work on a stream.
 */
#ifndef SLIPWAY_DRIVER_STREAM_DRIVER_H
#define SLIPWAY_DRIVER_STREAM_DRIVER_H

#include "driver/driver.h"

typedef struct stream_limits {
    uint64_t max_groups[3];
    uint64_t max_threads;     /* of a grid, along one axis: groups times threads of a group */
    uint32_t max_local;       /* threads a group */
    uint32_t max_param_bytes; /* of a kernel's one parameter, passed by value */
    uint32_t compute_units;
    uint32_t has;   /* a bit per mod_need (module.h), numbered alike */
    bool rerecords; /* an event may be recorded again while it is pending */
} stream_limits;

typedef enum stream_memory_kind {
    STREAM_MEMORY_DEVICE, /* fastest for tasks; the host does not use it */
    STREAM_MEMORY_PINNED  /* the host's, coherent; tasks and queued copies use it */
} stream_memory_kind;

typedef struct stream_memory {
    uint64_t address; /* where tasks find it; a multiple of 256 */
    uint8_t *host;    /* NULL: device memory */
    uint64_t bytes;
} stream_memory;

typedef struct stream_kernel {
    void *function;
} stream_kernel;

/* What was current on this thread before `enter`: given back by `leave`, which may be left out
 * where nothing was changed. */
typedef struct stream_guard {
    void *before;
    bool changed;
} stream_guard;

/*
 * All slots are required. Every status is one of three kinds: the call was refused (nothing was
 * done, the next one works), earlier work of the process failed or the device is gone
 * (SLIP_ERR_LOST, latched: each later call gives it, and the closing ones still work), or
 * SLIP_ERR_MEMORY.
 *
 * But for those marked [any], slots are called between enter and leave on the calling thread; what
 * gives back the things of a lost device, for which enter fails, is called without. Any thread may
 * call them, several at once. No slot waits for the device but those marked [waits], which may.
 *
 * Where other code of the process captures a stream, slots are not hindered by it, and do not end
 * the capture, but for those that queue on the default stream or wait for it while a stream that
 * orders with it is captured: SLIP_ERR_UNSUPPORTED.
 */
typedef struct stream_driver {
    const char *name; /* "cuda", "hip" */

    /* [any] The first call may load the driver's library. */
    const char *(*missing)(void); /* why there is no device; NULL where there is one */
    uint32_t (*device_count)(void);
    slip_status (*info)(uint32_t index, drv_info *out);

    /* [any] On failure *out is untouched. Changes nothing that is current on the thread. */
    slip_status (*open)(uint32_t index, void **out);
    void (*close)(void *self);      /* [waits] nothing is pending */
    void (*after_fork)(void *self); /* in the child: no call but close will come, and must not reach
                                     * the device */
    void (*limits)(void *self, stream_limits *out); /* [any] */
    void (*describe)(void *self, void (*line)(void *user, const char *name, const char *value),
                     void *user); /* [any] */

    /* [any] Makes the device current on this thread, unless it is, and puts back what was. */
    slip_status (*enter)(void *self, stream_guard *out);
    void (*leave)(void *self, const stream_guard *guard);

    /* On failure *out is untouched; SLIP_ERR_MEMORY where the device or the host has no more. */
    slip_status (*alloc)(void *self, uint64_t bytes, stream_memory_kind kind, stream_memory *out);
    void (*free)(void *self, stream_memory *memory); /* [waits] nothing queued uses it */
    /* The bytes, of device memory, are work's on that stream from now on, and hold nothing.
     * `stream` NULL: bytes of pinned memory are one slot from now on, and no stream's. For
     * libraries that stand in a driver's place and look for misuse: others are not told. */
    void (*owned)(void *self, void *stream, uint64_t address, uint64_t bytes);
    /* Pins memory that the caller keeps mapped until host_unregister. */
    slip_status (*host_register)(void *self, void *host, uint64_t bytes, stream_memory *out);
    void (*host_unregister)(void *self, stream_memory *memory); /* [waits] nothing queued uses it */

    /* Is it memory of a device, which the host must not touch, whoever made it? Not so are managed
     * memory, host memory that anybody has pinned, and what the driver does not know. */
    slip_status (*on_device)(void *self, const void *pointer, bool *out);

    /* [waits] `bytes` are a module's code for one of info's targets. */
    slip_status (*code_load)(void *self, const uint8_t *bytes, uint64_t size, void **out);
    void (*code_drop)(void *self, void *code); /* [waits] nothing queued uses it */
    /* [waits] Entry point `s<index>`, loaded so that its first launch does not load it. */
    slip_status (*kernel_get)(void *self, void *code, uint32_t index, stream_kernel *out);

    /* The default stream is the one that other code in the process shares; others never order with
     * it. `foreign` is a stream that other code made, and keeps until stream_close; NULL and 1 are
     * the default one. SLIP_ERR_ARGUMENT where it is another device's, or another context's, and
     * the driver can tell; SLIP_ERR_UNSUPPORTED for 2, which is another stream on each thread. */
    slip_status (*stream_open)(void *self, bool is_default, void **out);
    slip_status (*stream_wrap)(void *self, void *foreign, void **out);
    void *(*stream_native)(
        void *stream); /* [any] what other code calls it; NULL: the default one */
    void (*stream_close)(void *self, void *stream); /* [waits] nothing is pending */
    /* Is other code capturing the stream into a graph? What is queued on it is then not done now,
     * and no event of it may be waited for; a wait for it, or for an event of before on it, ends
     * the capture. */
    slip_status (*stream_captured)(void *self, void *stream, bool *out);

    /* Queued on a stream, in order with what else is queued there. Host memory is pinned, and stays
     * as it is until the copy has ended. */
    slip_status (*launch)(void *self, void *stream, const stream_kernel *kernel, const void *params,
                          uint32_t param_bytes, const uint32_t groups[3], uint32_t local);
    slip_status (*upload)(void *self, void *stream, uint64_t to, const void *from, uint64_t bytes);
    slip_status (*download)(void *self, void *stream, void *to, uint64_t from, uint64_t bytes);
    slip_status (*zero)(void *self, void *stream, uint64_t address, uint64_t bytes);

    /* [waits] On the default stream, in order with it; any host memory. The source of an upload is
     * free on return; a download is complete on return, after all that the stream held. */
    slip_status (*upload_blocking)(void *self, uint64_t to, const void *from, uint64_t bytes);
    slip_status (*download_blocking)(void *self, void *to, uint64_t from, uint64_t bytes);

    /* Events. `record` notes all that the stream holds so far; a stream goes on after that. An
     * event is recorded again only where limits.rerecords, or when it has passed. */
    slip_status (*event_new)(void *self, void **out);
    void (*event_drop)(void *self, void *event); /* it has passed, or was never recorded */
    slip_status (*record)(void *self, void *stream, void *event);
    slip_status (*stream_after)(void *self, void *stream, void *event);
    slip_status (*event_passed)(void *self, void *event, bool *out);
    slip_status (*event_wait)(void *self, void *event);                /* [waits] */
    slip_status (*stream_passed)(void *self, void *stream, bool *out); /* nothing is pending */
    slip_status (*stream_wait)(void *self, void *stream); /* [waits] spins, then blocks */
} stream_driver;

extern const stream_driver cuda_driver_table, hip_driver_table;

#endif
