/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_device.h - an open device of the stream family, and the slots of its table, which CUDA
 * and HIP share.
 */
#ifndef SLIPWAY_DRIVER_STREAM_DEVICE_H
#define SLIPWAY_DRIVER_STREAM_DEVICE_H

#include <stdatomic.h>

#include "driver/stream_library.h"
#include "driver/stream_result.h"

typedef struct stream_device {
    const stream_library *library;
    const stream_vendor *vendor;
    const stream_api *api;
    const stream_physical *physical;
    uint32_t index;
    api_context context; /* CUDA: the device's primary one */
    /* 0: alive; else the code that told of the loss, or STREAM_FORKED: no call may reach the
     * device any more */
    atomic_int gone;
    stream_limits limits;
} stream_device;

enum { STREAM_FORKED = -1 };

/* LOST, or UNSUPPORTED in a forked child. */
slip_status stream_device_gone(const stream_device *device) __attribute__((cold));

static inline slip_status stream_alive(stream_device *device)
{
    return atomic_load_explicit(&device->gone, memory_order_relaxed) == 0
               ? SLIP_OK
               : stream_device_gone(device);
}

/* Records what a call gave that is not 0, and latches a loss. */
slip_status stream_device_fail(stream_device *device, int code, stream_slot slot,
                               const stream_result_more *more, const char *file, int line)
    __attribute__((cold));

static inline slip_status stream_checked(stream_device *device, int code, stream_slot slot,
                                         bool foreign, const char *file, int line)
{
    if (code == 0)
        return SLIP_OK;
    const stream_result_more more = { .foreign = foreign };
    return stream_device_fail(device, code, slot, &more, file, line);
}

/* Makes a call of the device's library; its status. */
#define STREAM_CALL(device, slot, ...)                                                             \
    stream_checked((device), (device)->api->slot(__VA_ARGS__), STREAM_SLOT_##slot, false,          \
                   __FILE__, __LINE__)

/*
 * What may synchronise, or allocates, is refused to a thread while another one captures a stream in
 * the global mode, and ends that capture; so is what this thread does while it captures itself.
 * Between these two nothing is refused but what the capture itself forbids:
 * cuThreadExchangeStreamCaptureMode. `begin` fails where the device is gone too.
 */
slip_status stream_begin(stream_device *device, api_capture_mode *out) SLIP_MUST_USE;
void stream_end(stream_device *device, api_capture_mode mode);

/* The same for what gives something back and cannot fail. False in a forked child: nothing may be
 * called. Where the device is lost it is made current too, for then enter fails. */
typedef struct stream_closing {
    stream_guard guard;
    api_capture_mode mode;
} stream_closing;

bool stream_closing_begin(stream_device *device, stream_closing *out);
/* `code` is what the call gave: a loss is latched, nothing recorded. */
void stream_closing_end(stream_device *device, const stream_closing *closing, int code);

slip_status stream_device_open(const stream_library *library, uint32_t index,
                               stream_device **out) SLIP_MUST_USE;

/* A stream as the table hands it out. */
typedef struct stream_stream {
    api_stream handle; /* NULL: the default one */
    bool owned;        /* made here */
    bool foreign;      /* made by other code: it may be capturing */
} stream_stream;

/* ---- slots: stream_driver.h has their contracts -----------------------------------------------
 */

void stream_device_close(void *self);
void stream_device_after_fork(void *self);
void stream_device_limits(void *self, stream_limits *out);
void stream_device_describe(void *self,
                            void (*line)(void *user, const char *name, const char *value),
                            void *user);
slip_status stream_device_enter(void *self, stream_guard *out);
void stream_device_leave(void *self, const stream_guard *guard);

slip_status stream_memory_alloc(void *self, uint64_t bytes, stream_memory_kind kind,
                                stream_memory *out);
void stream_memory_free(void *self, stream_memory *memory);
void stream_memory_owned(void *self, void *stream, uint64_t address, uint64_t bytes);
slip_status stream_memory_register(void *self, void *host, uint64_t bytes, stream_memory *out);
void stream_memory_unregister(void *self, stream_memory *memory);
slip_status stream_memory_on_device(void *self, const void *pointer, bool *out);

slip_status stream_code_load(void *self, const uint8_t *bytes, uint64_t size, void **out);
void stream_code_drop(void *self, void *code);
slip_status stream_code_kernel(void *self, void *code, uint32_t index, stream_kernel *out);

slip_status stream_stream_open(void *self, bool is_default, void **out);
slip_status stream_stream_wrap(void *self, void *foreign, void **out);
void *stream_stream_native(void *stream);
void stream_stream_close(void *self, void *stream);
slip_status stream_stream_captured(void *self, void *stream, bool *out);
slip_status stream_stream_launch(void *self, void *stream, const stream_kernel *kernel,
                                 const void *params, uint32_t param_bytes, const uint32_t groups[3],
                                 uint32_t local);
slip_status stream_stream_upload(void *self, void *stream, uint64_t to, const void *from,
                                 uint64_t bytes);
slip_status stream_stream_download(void *self, void *stream, void *to, uint64_t from,
                                   uint64_t bytes);
slip_status stream_stream_zero(void *self, void *stream, uint64_t address, uint64_t bytes);
slip_status stream_copy_up(void *self, uint64_t to, const void *from, uint64_t bytes);
slip_status stream_copy_down(void *self, void *to, uint64_t from, uint64_t bytes);

slip_status stream_event_new(void *self, void **out);
void stream_event_drop(void *self, void *event);
slip_status stream_event_record(void *self, void *stream, void *event);
slip_status stream_event_after(void *self, void *stream, void *event);
slip_status stream_event_passed(void *self, void *event, bool *out);
slip_status stream_event_wait(void *self, void *event);
slip_status stream_wait_passed(void *self, void *stream, bool *out);
slip_status stream_wait_stream(void *self, void *stream);

/* Tests only: forget both libraries. No device is open. */
void stream_table_forget(void);

#define STREAM_DRIVER_SLOTS                                                                        \
    .close = stream_device_close, .after_fork = stream_device_after_fork,                          \
    .limits = stream_device_limits, .describe = stream_device_describe,                            \
    .enter = stream_device_enter, .leave = stream_device_leave, .alloc = stream_memory_alloc,      \
    .free = stream_memory_free, .owned = stream_memory_owned,                                      \
    .host_register = stream_memory_register, .host_unregister = stream_memory_unregister,          \
    .on_device = stream_memory_on_device, .code_load = stream_code_load,                           \
    .code_drop = stream_code_drop, .kernel_get = stream_code_kernel,                               \
    .stream_open = stream_stream_open, .stream_wrap = stream_stream_wrap,                          \
    .stream_native = stream_stream_native, .stream_close = stream_stream_close,                    \
    .stream_captured = stream_stream_captured, .launch = stream_stream_launch,                     \
    .upload = stream_stream_upload, .download = stream_stream_download,                            \
    .zero = stream_stream_zero, .upload_blocking = stream_copy_up,                                 \
    .download_blocking = stream_copy_down, .event_new = stream_event_new,                          \
    .event_drop = stream_event_drop, .record = stream_event_record,                                \
    .stream_after = stream_event_after, .event_passed = stream_event_passed,                       \
    .event_wait = stream_event_wait, .stream_passed = stream_wait_passed,                          \
    .stream_wait = stream_wait_stream

#endif
