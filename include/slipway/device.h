/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - devices, streams, events and counters. Included by slipway.h.
 */
#ifndef SLIPWAY_DEVICE_H
#define SLIPWAY_DEVICE_H

#include <slipway/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct slip_device_info {
    char name[128];         /* "AMD EPYC" */
    char family[16];        /* "cpu", "cuda", "hip", "vulkan" */
    char kind[16];          /* "discrete", "cpu", "integrated", "virtual", "software" */
    uint32_t index;         /* within the family */
    uint32_t compute_units; /* cpu: threads used; 0: not known */
    uint64_t memory_bytes;
    char target[32]; /* the code it takes: "cpu-x86-64-v3" */
} slip_device_info;

/*
 * slip_device_open - open a device by family, index or name.
 *
 *   which   "auto" or NULL (then SLIPWAY_DEVICE from the environment where it is set), "cpu",
 *           "cpu:0", "vulkan:discrete" (the family's first device of that kind), or a part of a
 *           device's name, in upper or lower case                                       copied
 *
 * "auto" takes the first device that slip_devices lists: a discrete GPU before the CPU, the CPU
 * before GPUs that share its memory. One that is software never is taken.
 *
 * Opening the same device twice gives two handles that share nothing. The environment is read here:
 * SLIPWAY_CPU_THREADS (1 to 1024), SLIPWAY_CPU_TARGET ("cpu-x86-64-v2": no code above that level),
 * SLIPWAY_SYNC ("minimal" or "conservative": see slip_device_set_sync) and SLIPWAY_TRACE (a file
 * that gets a time line of calls, tasks and copies); docs/guide/calling.md has all.
 *
 * Errors   NOT_FOUND   no such device here; the message lists what there is
 *          ARGUMENT    a variable of the environment has a value that it does not take; the message
 *                      says which it takes. Those of families that are not looked at do not count
 *          MEMORY      nothing was opened
 * Threads  any            Blocks  may load a driver            Allocates  from the heap
 * See      runtime/device.c, runtime/families.c, tests/runtime/device_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_open(const char *which, slip_device **out);

/*
 * slip_device_close - end a device, and all that was made on it.
 *
 * No call on it may be running or come. Takes NULL. A process may also end with devices open:
 * nothing runs at exit.
 */
SLIP_API void slip_device_close(slip_device *device);

/* What the device is; all zero for NULL. */
SLIP_API void slip_device_describe(const slip_device *device, slip_device_info *out);

typedef void (*slip_detail_visit)(const char *name, const char *value, void *user);

/*
 * slip_device_details - what else a person may want to know of a device.
 *
 *   visit    called with texts that hold for that call: limits, versions, how numbers behave. Which
 *            there are depends on the family
 *
 * Errors   ARGUMENT   device or visit is NULL
 * Threads  any            Blocks  no
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_details(slip_device *device, slip_detail_visit visit,
                                                       void *user);

/*
 * slip_device_sync - wait for all work of the device's own streams.
 *
 * One stream after another; work of other libraries is not waited for, but for what lies before
 * ours on a stream that is shared with them.
 *
 * Errors   ARGUMENT   device is NULL
 *          DEVICE     the driver refused to wait for one of them; the others were waited for
 *          LOST       the device is lost
 * Threads  any            Blocks  until work queued before the call has ended
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_sync(slip_device *device);

typedef enum slip_sync {
    SLIP_SYNC_MINIMAL = 1,     /* a wait only where something could go wrong without it */
    SLIP_SYNC_CONSERVATIVE = 2 /* all waits: after the uploads, after the tasks and after the
                                * downloads of each call */
} slip_sync;

/*
 * slip_device_set_sync - say which waits the calls on a device have.
 *
 *   policy   SLIP_SYNC_MINIMAL, which a device begins with, or SLIP_SYNC_CONSERVATIVE
 *
 * Holds for calls that begin after it, on all streams of the device; results are the same. Where
 * SLIPWAY_SYNC is set in the environment when the device is opened, that policy stays, whatever the
 * program asks for: so that a person can find out whether a wait is missing.
 *
 * Errors   ARGUMENT   device is NULL, or there is no such policy
 * Threads  any, also while others call            Blocks  no
 * See      docs/launch.md, runtime/device.c, tests/runtime/sync_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_set_sync(slip_device *device, slip_sync policy);

/* The policy that calls on the device have now; for NULL the one that a device begins with. */
SLIP_API slip_sync slip_device_get_sync(const slip_device *device);

/*
 * slip_device_trim - give unused memory back to the system.
 *
 * Memory that streams keep for their launches, and freed memory that no call uses any more. Streams
 * in the middle of a call keep theirs.
 *
 * Errors   ARGUMENT   device is NULL
 * Threads  any            Blocks  no
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_trim(slip_device *device);

typedef void (*slip_device_visit)(const slip_device_info *info, const char *family, const char *why,
                                  void *user);

/*
 * slip_devices - list the devices here.
 *
 *   visit    called for each device, best first, then for each family that is missing with info
 *            NULL and the reason in `why` (NULL for devices)
 *   user     given to visit
 *
 * Errors   ARGUMENT   visit is NULL
 *          any        what a driver said when it was asked
 * Threads  any            Blocks  may load drivers
 */
SLIP_API SLIP_MUST_USE slip_status slip_devices(slip_device_visit visit, void *user);

/*
 * slip_device_facts - what the planner relies on, as text.
 *
 *   out   [out_bytes] a line a fact: name, whether it holds, contract or elision, what it says
 *
 * Errors   ARGUMENT   out_bytes is too few; the message says how many it takes
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_facts(slip_device *device, char *out,
                                                     size_t out_bytes);

/* ---- streams --------------------------------------------------------------------------------- */

/*
 * slip_default - the device's default stream.
 *
 * Borrowed; it lives as long as the device. Any thread may call kernels on it. NULL for NULL.
 */
SLIP_API slip_stream *slip_default(slip_device *device);

/*
 * slip_stream_create - make an explicit stream.
 *
 * Calls on one stream run in the order they were made. Streams order with each other by events
 * alone, the default stream included.
 *
 * Errors   ARGUMENT   device or out is NULL
 *          MEMORY     nothing was made
 * Threads  any            Blocks  no
 */
SLIP_API SLIP_MUST_USE slip_status slip_stream_create(slip_device *device, slip_stream **out);

/*
 * slip_stream_wrap - make a stream over one that other code of the process owns.
 *
 *   native   a CUstream (cudaStream_t) or hipStream_t of the device, of its primary context, which
 *            the CUDA runtime and PyTorch use; NULL: the default (legacy) stream  borrowed until
 *            slip_stream_destroy, which leaves it alive
 *
 * Calls are in order with what other code queues there: they start after what was queued before
 * them, and what is queued once they have returned starts after them. Nothing is waited for that
 * the same call on a stream of ours would not wait for. Whatever the stream holds is taken as work
 * still to be done, whoever queued it: slip_stream_sync, slip_event_record and slip_free on or
 * after it count other code's work as the stream's own. Sections run on streams of our own, which
 * fork from it and join it.
 *
 * While the native stream is being captured into a graph, a call goes into the graph if its arrays
 * are in device memory and it takes no memory of its own: no result, no scratch arrays, no
 * reductions, no loops that the device decides. All else on the stream is refused with UNSUPPORTED,
 * before anything is queued and without harm to the capture; the message says what the call would
 * need. The graph uses the arrays and the code where they were: keep the arrays, and the modules
 * loaded, for as long as it is launched. The stream is not to be destroyed while it is captured.
 *
 * Keep it for as long as the native stream is used: each wrap has memory for calls of its own. Two
 * of one native stream are two streams that happen to be in order.
 *
 * Errors   ARGUMENT      device or out is NULL, or the stream is another device's or another
 *                        context's
 *          UNSUPPORTED   cpu, vulkan: they share no streams with other code; the message says what
 *                        to do instead. CUDA's and HIP's per-thread default stream (handle 2)
 *          MEMORY        nothing was made
 *          LOST          the device is lost
 * Threads  any            Blocks  no            Allocates  from the heap
 * See      runtime/stream.c, tests/native/native_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_stream_wrap(slip_device *device, void *native,
                                                    slip_stream **out);

/*
 * slip_stream_native - the CUstream or hipStream_t of a stream, for other code to queue on.
 *
 *   out   good until the stream is destroyed, or its device closed; of the default stream: NULL,
 *         the legacy one. Other code must not destroy it
 *
 * From now on the stream is taken as one that other code queues on, as slip_stream_wrap has it.
 *
 * Errors   ARGUMENT      stream or out is NULL
 *          UNSUPPORTED   as slip_stream_wrap
 * Threads  any            Blocks  until a call that another thread makes on the stream is queued
 * See      runtime/stream.c, tests/native/native_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_stream_native(slip_stream *stream, void **out);

/* Waits for the stream's work, and ends it; events that were recorded on it are complete. No call
 * on it may be running or come. Leaves default streams alone: they end with the device. Of a
 * wrapped stream it waits for what was called here, and leaves the native stream as it is. */
SLIP_API void slip_stream_destroy(slip_stream *stream);

/*
 * slip_stream_sync - wait for what is queued on the stream.
 *
 * Errors   ARGUMENT   stream is NULL
 *          DEVICE     the driver refused to wait
 *          LOST       the device is lost
 * Threads  any            Blocks  until work queued before the call has ended
 */
SLIP_API SLIP_MUST_USE slip_status slip_stream_sync(slip_stream *stream);

/* The device that the stream was made on; NULL for NULL. */
SLIP_API slip_device *slip_stream_device(slip_stream *stream);

/* ---- events ---------------------------------------------------------------------------------- */

/*
 * slip_event_create - make an event.
 *
 * An event never recorded counts as complete.
 *
 * Errors   ARGUMENT   device or out is NULL
 *          MEMORY     nothing was made
 */
SLIP_API SLIP_MUST_USE slip_status slip_event_create(slip_device *device, slip_event **out);
SLIP_API void slip_event_destroy(slip_event *event);

/*
 * slip_event_record - let the event stand for all work queued on the stream so far.
 *
 * Other code's among it, on a stream of slip_stream_wrap or slip_stream_native. It may be recorded
 * again, also while it is waited for: it then stands for the later point.
 *
 * Errors   ARGUMENT   NULL, or event and stream are of different devices
 *          DEVICE     the driver refused; the event stands for what it did
 *          LOST       the device is lost
 * Threads  any            Blocks  until what another thread calls on the stream has been queued
 */
SLIP_API SLIP_MUST_USE slip_status slip_event_record(slip_event *event, slip_stream *stream);

/*
 * slip_stream_wait - order a stream after an event.
 *
 * Work queued on the stream from now on starts after what the event stands for now.
 *
 * Errors   as slip_event_record
 * Threads  any            Blocks  as slip_event_record, and never for the device
 */
SLIP_API SLIP_MUST_USE slip_status slip_stream_wait(slip_stream *stream, slip_event *event);

/* The host waits for what the event stands for now. ARGUMENT for NULL, DEVICE and LOST as
 * slip_stream_sync. */
SLIP_API SLIP_MUST_USE slip_status slip_event_sync(slip_event *event);

/* Has what the event stands for ended? Does not wait. ARGUMENT for NULL. */
SLIP_API SLIP_MUST_USE slip_status slip_event_query(slip_event *event, bool *out_done);

/*
 * slip_event_elapsed - the time between two events.
 *
 *   out_seconds   from the first to the second; negative where the second was recorded earlier
 *
 * Waits for both. The times are the host's, of when it saw them complete: by the record, where
 * nothing was queued (cpu: always), by slip_event_sync, which goes through the earlier events of
 * its stream, or by slip_event_query. So record, call, record and slip_event_sync measures the
 * call; two events that had passed before anybody looked are no time apart.
 *
 * Errors   ARGUMENT   NULL, or one of them was never recorded
 *          DEVICE     the driver refused to wait
 *          LOST       the device is lost
 */
SLIP_API SLIP_MUST_USE slip_status slip_event_elapsed(slip_event *from, slip_event *to,
                                                      double *out_seconds);

/* ---- counters -------------------------------------------------------------------------------- */

/* name, what is counted; all 64-bit, since the device was opened or reset */
#define SLIP_STATS_ROWS(X)                                                                         \
    X(calls, "kernel calls that began")                                                            \
    X(tasks, "tasks run or queued")                                                                \
    X(host_waits, "driver calls that may wait for the device")                                     \
    X(conservative_waits, "those of them that SLIP_SYNC_MINIMAL does without")                     \
    X(submissions, "driver calls that start device work")                                          \
    X(uploads, "copies to the device")                                                             \
    X(upload_bytes, "bytes of them")                                                               \
    X(downloads, "copies from the device")                                                         \
    X(download_bytes, "bytes of them")                                                             \
    X(driver_calls, "calls into a driver")                                                         \
    X(plans, "plans made")                                                                         \
    X(allocations, "memory taken from the system for the device")                                  \
    X(host_blocked_ns, "time the host spent waiting")

typedef struct slip_stats {
#define SLIP_STATS_FIELD_(name, text) uint64_t name;
    SLIP_STATS_ROWS(SLIP_STATS_FIELD_)
#undef SLIP_STATS_FIELD_
} slip_stats;

/*
 * slip_device_stats - the counters of a device: the sum over its streams, living and destroyed.
 *
 * Calls that are running are counted as far as they are. A call that was refused is not counted.
 * All zero for NULL.
 *
 * Threads  any, also while others call            Blocks  no
 */
SLIP_API void slip_device_stats(slip_device *device, slip_stats *out);
SLIP_API void slip_device_stats_reset(slip_device *device);

#ifdef __cplusplus
}
#endif
#endif
