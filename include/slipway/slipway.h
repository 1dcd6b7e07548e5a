/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slipway.h - the host API: devices, streams, memory, modules, calls.
 *
 * A kernel compiled by slipc is a C function declared in NAME.slip.h:
 *
 *     slip_status heat(slip_stream *slip_on, int32_t n, int32_t steps, float k, float *u);
 *
 * Calling it moves what must be moved, runs the kernel's tasks, and waits for the device only where
 * the meaning of the program demands it. Host arrays named in a call are complete when it returns.
 *
 * Every fallible function returns slip_status; slip_last_error() has the details of the first failure
 * on this thread since its last public call. Destroy functions take NULL and cannot fail.
 * Handles belong to their device: destroy them before it is closed.
 */
#ifndef SLIPWAY_SLIPWAY_H
#define SLIPWAY_SLIPWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <slipway/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_VERSION "0.1.0"

typedef struct slip_device slip_device;
typedef struct slip_stream slip_stream;
typedef struct slip_event slip_event;
typedef struct slip_module slip_module;
typedef struct slip_entry slip_entry;

/* ---- errors ------------------------------------------------------------------------------------ */

/* The record of the first failure on this thread since its last public call; code SLIP_OK if none. */
SLIP_API const slip_error *slip_last_error(void);
/* Prints "SLIP_ERR_MEMORY: message" and a newline; returns 1, so that main may return it. */
SLIP_API int slip_report(FILE *to);
SLIP_API const char *slip_status_name(slip_status status);
SLIP_API const char *slip_version(void);

/* ---- devices ------------------------------------------------------------------------------------- */

typedef struct slip_device_info {
    char name[128];      /* "AMD EPYC" */
    char family[16];     /* "cpu", later "cuda", "hip", "vulkan" */
    uint32_t index;      /* within the family */
    uint32_t compute_units; /* cpu: threads used */
    uint64_t memory_bytes;
    char target[32];     /* the code it takes: "cpu-x86-64-v3" */
} slip_device_info;

/*
 * slip_device_open - open a device by family, index or name.
 *
 *   which   "auto" (or SLIPWAY_DEVICE from the environment when set), "cpu", "cpu:0",
 *           or a part of a device's name                                              copied
 *
 * Opening the same device twice gives two independent handles.
 *
 * Errors   NOT_FOUND    no such device here; the message lists what there is
 *          MEMORY
 * Threads  any            Blocks  may load a driver
 */
SLIP_API SLIP_MUST_USE slip_status slip_device_open(const char *which, slip_device **out);
SLIP_API void slip_device_close(slip_device *device);
SLIP_API void slip_device_describe(const slip_device *device, slip_device_info *out);
/* Waits for all work of the device's own streams. */
SLIP_API SLIP_MUST_USE slip_status slip_device_sync(slip_device *device);
/* Gives unused memory back to the system. */
SLIP_API SLIP_MUST_USE slip_status slip_device_trim(slip_device *device);

/* Calls visit for each device present, best first, then for each family that is missing with `info` NULL and
 * the reason in `why`. */
typedef void (*slip_device_visit)(const slip_device_info *info, const char *family, const char *why, void *user);
SLIP_API SLIP_MUST_USE slip_status slip_devices(slip_device_visit visit, void *user);
/* The planner's facts of the device, a line each: "host_is_device  yes  source". */
SLIP_API SLIP_MUST_USE slip_status slip_device_facts(slip_device *device, char *out, size_t out_bytes);

/* ---- streams and events ----------------------------------------------------------------------------- */

/* The device's default stream. Borrowed; any thread may call kernels on it. */
SLIP_API slip_stream *slip_default(slip_device *device);
/* An explicit stream: orders with nothing but itself, and events. */
SLIP_API SLIP_MUST_USE slip_status slip_stream_create(slip_device *device, slip_stream **out);
SLIP_API void slip_stream_destroy(slip_stream *stream);
SLIP_API SLIP_MUST_USE slip_status slip_stream_sync(slip_stream *stream);
SLIP_API slip_device *slip_stream_device(slip_stream *stream);

SLIP_API SLIP_MUST_USE slip_status slip_event_create(slip_device *device, slip_event **out);
SLIP_API void slip_event_destroy(slip_event *event);
/* The event now stands for all work queued on the stream so far. */
SLIP_API SLIP_MUST_USE slip_status slip_event_record(slip_event *event, slip_stream *stream);
/* Work queued on the stream from now on starts after the event. An event never recorded is complete. */
SLIP_API SLIP_MUST_USE slip_status slip_stream_wait(slip_stream *stream, slip_event *event);
/* The host waits for the event. */
SLIP_API SLIP_MUST_USE slip_status slip_event_sync(slip_event *event);
SLIP_API SLIP_MUST_USE slip_status slip_event_query(slip_event *event, bool *out_done);
SLIP_API SLIP_MUST_USE slip_status slip_event_elapsed(slip_event *from, slip_event *to, double *out_seconds);

/* ---- memory -------------------------------------------------------------------------------------------- */

/* An address that stands for device memory: kernels take it, arithmetic works, the host must not touch it.
 * Contents are undefined until written. Zero bytes give an address that only zero-size arrays may have. */
SLIP_API SLIP_MUST_USE slip_status slip_alloc(slip_device *device, uint64_t bytes, void **out);
/* Takes NULL. Does not block: the memory goes back when queued work that may use it has ended. */
SLIP_API void slip_free(slip_device *device, void *memory);

/* Pinned host memory: the host and kernels both use it. */
SLIP_API SLIP_MUST_USE slip_status slip_host_alloc(slip_device *device, uint64_t bytes, void **out);
SLIP_API void slip_host_free(slip_device *device, void *memory);

/* The range stays yours and gets a mirror on the device; calls use the mirror and copy nothing. Its contents go
 * up now. It must stay mapped until slip_unkeep. */
SLIP_API SLIP_MUST_USE slip_status slip_keep(slip_device *device, void *memory, uint64_t bytes);
/* Drops the mirror without copying it back. */
SLIP_API SLIP_MUST_USE slip_status slip_unkeep(slip_device *device, void *memory);
/* Host to mirror, and mirror to host: the whole kept range that `memory` lies in, ordered on the stream. */
SLIP_API SLIP_MUST_USE slip_status slip_push(slip_stream *stream, const void *memory);
SLIP_API SLIP_MUST_USE slip_status slip_fetch(slip_stream *stream, void *memory);

/* Memory of another library, by its native device address (on the CPU: its address). */
SLIP_API SLIP_MUST_USE slip_status slip_wrap(slip_device *device, void *native, uint64_t bytes, void **out);
SLIP_API void slip_unwrap(slip_device *device, void *memory);
/* The native device address of device memory (slip_alloc, slip_wrap) or of a kept range's mirror. */
SLIP_API SLIP_MUST_USE slip_status slip_native(slip_device *device, void *memory, void **out);

/* Copies between the host and device memory (slip_alloc, slip_wrap), ordered on the stream; both are complete
 * on return as far as the host can see. */
SLIP_API SLIP_MUST_USE slip_status slip_upload(slip_stream *stream, void *to, const void *from, uint64_t bytes);
SLIP_API SLIP_MUST_USE slip_status slip_download(slip_stream *stream, void *to, const void *from, uint64_t bytes);

/* ---- modules and calls ---------------------------------------------------------------------------------- */

/* `bytes` are a module file's; copied. FORMAT where they are damaged, UNSUPPORTED where they hold no code for this
 * device (the message lists what they hold and what it takes). */
SLIP_API SLIP_MUST_USE slip_status slip_module_load(slip_device *device, const void *bytes, uint64_t size,
                                                    slip_module **out);
SLIP_API SLIP_MUST_USE slip_status slip_module_load_file(slip_device *device, const char *path,
                                                         slip_module **out);
SLIP_API void slip_module_unload(slip_module *module);
SLIP_API uint32_t slip_module_entry_count(const slip_module *module);
SLIP_API slip_entry *slip_module_entry(slip_module *module, uint32_t index); /* borrowed */
/* NOT_FOUND lists the kernels there are. */
SLIP_API SLIP_MUST_USE slip_status slip_module_find(slip_module *module, const char *name, slip_entry **out);

typedef enum slip_param_kind { SLIP_PARAM_SCALAR, SLIP_PARAM_STRUCT, SLIP_PARAM_ARRAY } slip_param_kind;
enum { SLIP_MAX_RANK = 4 };

typedef struct slip_param_info {
    const char *name;
    slip_param_kind kind;
    const char *type; /* "i32", or a struct's name; arrays: of one element */
    uint32_t bytes;   /* of the value, or of one element */
    uint32_t rank;    /* arrays: extents in the signature */
    const char *extents[SLIP_MAX_RANK]; /* source text, slow first; NULL where unknown */
    bool is_const, is_out;
    bool is_read, is_written; /* by the kernel, as the compiler found */
} slip_param_info;

typedef struct slip_entry_info {
    const char *name;
    uint32_t param_count;
    const char *result; /* "f32", a struct's name, or NULL */
    uint32_t result_bytes;
    uint32_t task_count;
} slip_entry_info;

SLIP_API void slip_entry_describe(const slip_entry *entry, slip_entry_info *out);
SLIP_API void slip_entry_param(const slip_entry *entry, uint32_t index, slip_param_info *out);

/* One argument of slip_launch. */
typedef struct slip_arg {
    const void *data; /* scalar or struct: its bytes; array: the array */
    uint64_t bytes;   /* size of what data points to; arrays: of the whole array, checked against the extents */
} slip_arg;

/*
 * slip_launch - call a kernel found by name.
 *
 *   entry        loaded on the stream's device                                       borrowed
 *   args         [arg_count] in the order the kernel declares them                   copied
 *   result       gets the kernel's result, result_bytes of it; NULL: not fetched
 *
 * Does what the generated function does, after checking count and sizes.
 *
 * Errors   ARGUMENT     count, size, extent or overlap; nothing was queued
 *          UNSUPPORTED  the device cannot run it; nothing was queued
 *          MEMORY       nothing was queued
 *          DEVICE       the driver refused; host outputs are untouched, except arrays used in place
 * Threads  any; calls on one stream may come from any thread
 * Blocks   only for what the plan shows (slipway explain)
 */
SLIP_API SLIP_MUST_USE slip_status slip_launch(slip_stream *stream, slip_entry *entry, const slip_arg *args,
                                               uint32_t arg_count, void *result, uint64_t result_bytes);

/* The extents (elements, slow first) of array parameter `index` for these arguments, whose array data may be NULL;
 * UINT64_MAX where the signature does not know. */
SLIP_API SLIP_MUST_USE slip_status slip_entry_extents(const slip_entry *entry, const slip_arg *args,
                                                      uint32_t arg_count, uint32_t index,
                                                      uint64_t out[SLIP_MAX_RANK]);

/* ---- what generated code uses ------------------------------------------------------------------------------ */

/* A module embedded in a program: one per generated file, loaded on first use per device. */
typedef struct slip_embedded {
    const void *bytes;
    uint64_t size;
    void *runtime; /* the runtime's own; starts NULL */
} slip_embedded;

/* One kernel of it. `runtime` caches what the last call found. */
typedef struct slip_site {
    slip_embedded *module;
    uint32_t entry; /* index in the module */
    void *runtime;
} slip_site;

/*
 * slip_call - what each generated function does.
 *
 *   args     [param_count] 64 bits each: a scalar's bits (integers sign- or zero-extended, f32 in the low
 *            half), an array's address, a struct's address                             copied
 *   result   NULL: not fetched
 */
SLIP_API SLIP_MUST_USE slip_status slip_call(slip_stream *stream, slip_site *site, const uint64_t *args,
                                             void *result);

/* ---- counters ---------------------------------------------------------------------------------------------- */

/* name, what is counted; all 64-bit, since the device was opened or reset */
#define SLIP_STATS_ROWS(X)                                                                        \
    X(calls, "kernel calls that began")                                                           \
    X(tasks, "tasks run or queued")                                                               \
    X(host_waits, "driver calls that may wait for the device")                                    \
    X(submissions, "driver calls that start device work")                                         \
    X(uploads, "copies to the device")                                                            \
    X(upload_bytes, "bytes of them")                                                              \
    X(downloads, "copies from the device")                                                        \
    X(download_bytes, "bytes of them")                                                            \
    X(driver_calls, "calls into a driver")                                                        \
    X(plans, "plans made")                                                                        \
    X(allocations, "memory taken from the system for the device")                                 \
    X(host_blocked_ns, "time the host spent waiting")

typedef struct slip_stats {
#define SLIP_STATS_FIELD_(name, text) uint64_t name;
    SLIP_STATS_ROWS(SLIP_STATS_FIELD_)
#undef SLIP_STATS_FIELD_
} slip_stats;

/* The sum over the device's streams, living and destroyed. */
SLIP_API void slip_device_stats(slip_device *device, slip_stats *out);
SLIP_API void slip_device_stats_reset(slip_device *device);

/* The plan of a call as text, with the reason of each wait and, for each one left out, the fact that allows it.
 * Arrays are classed as in a call with unknown host memory unless `args` (may be NULL) name known memory. `facts`
 * names a family's facts ("cpu", "cuda", "hip", "vulkan"), also one that is not here; NULL: the entry's device. */
SLIP_API SLIP_MUST_USE slip_status slip_explain(const slip_entry *entry, const char *facts, const slip_arg *args,
                                                uint32_t arg_count, char **out_text);
/* What is in a module, from its bytes alone: no device is needed. As text, and as one JSON object. FORMAT where they
 * are damaged. */
SLIP_API SLIP_MUST_USE slip_status slip_dump(const void *bytes, uint64_t size, char **out_text);
SLIP_API SLIP_MUST_USE slip_status slip_dump_json(const void *bytes, uint64_t size, char **out_text);
SLIP_API void slip_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
