/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_queue.h - performs plans on a queue_driver: the slots of a launcher table that do not
 * name the driver. A family's table adds missing, device_count, info and open.
 */
#ifndef SLIPWAY_LAUNCH_LAUNCH_QUEUE_H
#define SLIPWAY_LAUNCH_LAUNCH_QUEUE_H

#include "driver/queue_driver.h"
#include "launch/launch_ops.h"

/* `facts` names a row of plan/facts.c. */
slip_status queue_device_open(const queue_driver *driver, const char *facts, uint32_t index,
                              void **out) SLIP_MUST_USE;
void queue_device_close(void *device);
void queue_device_after_fork(void *device);
const plan_facts *queue_device_facts(void *device);
void queue_device_describe(void *device,
                           void (*line)(void *user, const char *name, const char *value),
                           void *user);
slip_status queue_memory_new(void *device, uint64_t bytes, launch_memory_kind kind,
                             launch_memory *out) SLIP_MUST_USE;
void queue_memory_drop(void *device, launch_memory *memory);
void queue_device_trim(void *device);

slip_status queue_code_load(void *device, const mod_module *module, const mod_code *code,
                            void **out) SLIP_MUST_USE;
void queue_code_drop(void *device, void *code);
slip_status queue_code_check(void *device, void *code, const mod_module *module,
                             const mod_entry *entry) SLIP_MUST_USE;

slip_status queue_stream_open(void *device, bool is_default, counters *counts,
                              void **out) SLIP_MUST_USE;
void queue_stream_close(void *stream);
void queue_stream_trim(void *stream);
slip_status queue_stream_sync(void *stream, void **out_rest) SLIP_MUST_USE;
slip_status queue_stream_mark(void *stream, uint64_t *out) SLIP_MUST_USE;
bool queue_stream_passed(void *stream, uint64_t mark);
slip_status queue_mark_wait(void *stream, uint64_t mark) SLIP_MUST_USE;
slip_status queue_stream_after(void *stream, void *other, uint64_t mark) SLIP_MUST_USE;
slip_status queue_copy_up(void *stream, const launch_memory *to, uint64_t to_offset,
                          const void *from, uint64_t bytes) SLIP_MUST_USE;
slip_status queue_copy_down(void *stream, void *to, const launch_memory *from, uint64_t from_offset,
                            uint64_t bytes, void **out_rest) SLIP_MUST_USE;

slip_status queue_ops_make(const plan *p, const mod_entry *entry, launch_ops **out) SLIP_MUST_USE;
slip_status queue_perform(void *stream, launch_call *call) SLIP_MUST_USE;
slip_status queue_finish(void *stream, void *rest) SLIP_MUST_USE;

#define LAUNCH_QUEUE_SLOTS                                                                         \
    .foreign_addresses = true,                                                                     \
    .no_native_streams = "it submits to a queue of its own; let slip_stream_sync end before "      \
                         "other code goes on, and let the other code's work end before a call",    \
    .close = queue_device_close, .after_fork = queue_device_after_fork,                            \
    .facts = queue_device_facts, .describe = queue_device_describe,                                \
    .memory_new = queue_memory_new, .memory_drop = queue_memory_drop, .trim = queue_device_trim,   \
    .code_load = queue_code_load, .code_drop = queue_code_drop, .code_check = queue_code_check,    \
    .stream_open = queue_stream_open, .stream_close = queue_stream_close,                          \
    .stream_trim = queue_stream_trim, .stream_sync = queue_stream_sync, .mark = queue_stream_mark, \
    .passed = queue_stream_passed, .mark_wait = queue_mark_wait,                                   \
    .stream_after = queue_stream_after, .copy_up = queue_copy_up, .copy_down = queue_copy_down,    \
    .ops_make = queue_ops_make, .ops_drop = launch_ops_drop, .perform = queue_perform,             \
    .finish = queue_finish

#endif
