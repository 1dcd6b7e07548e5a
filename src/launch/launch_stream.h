/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_stream.h - performs plans on a stream_driver: the slots of a launcher table that do not
 * name the driver. A family's table adds missing, device_count, info and open.
 */
#ifndef SLIPWAY_LAUNCH_LAUNCH_STREAM_H
#define SLIPWAY_LAUNCH_LAUNCH_STREAM_H

#include "driver/stream_driver.h"
#include "launch/launch_ops.h"

/* `facts` names a row of plan/facts.c. */
slip_status lanes_device_open(const stream_driver *driver, const char *facts, uint32_t index,
                              void **out) SLIP_MUST_USE;
void lanes_device_close(void *device);
void lanes_device_after_fork(void *device);
const plan_facts *lanes_device_facts(void *device);
const counters *lanes_device_counts(void *device);
void lanes_device_describe(void *device,
                           void (*line)(void *user, const char *name, const char *value),
                           void *user);
slip_status lanes_memory_new(void *device, uint64_t bytes, launch_memory_kind kind,
                             launch_memory *out) SLIP_MUST_USE;
void lanes_memory_drop(void *device, launch_memory *memory);
void lanes_device_trim(void *device);
slip_status lanes_host_register(void *device, void *host, uint64_t bytes,
                                launch_memory *out) SLIP_MUST_USE;
void lanes_host_unregister(void *device, launch_memory *memory);
slip_status lanes_on_device(void *device, const void *pointer, bool *out) SLIP_MUST_USE;

slip_status lanes_code_load(void *device, const mod_module *module, const mod_code *code,
                            void **out) SLIP_MUST_USE;
void lanes_code_drop(void *device, void *code);
slip_status lanes_code_check(void *device, void *code, const mod_module *module,
                             const mod_entry *entry) SLIP_MUST_USE;

slip_status lanes_stream_open(void *device, bool is_default, counters *counts,
                              void **out) SLIP_MUST_USE;
slip_status lanes_stream_wrap(void *device, void *native, counters *counts,
                              void **out) SLIP_MUST_USE;
void *lanes_stream_native(void *stream);
void lanes_stream_close(void *stream);
void lanes_stream_trim(void *stream);
slip_status lanes_stream_sync(void *stream, void **out_rest) SLIP_MUST_USE;
slip_status lanes_mark_new(void *stream, uint64_t *out) SLIP_MUST_USE;
bool lanes_mark_passed(void *stream, uint64_t mark);
slip_status lanes_mark_wait(void *stream, uint64_t mark) SLIP_MUST_USE;
slip_status lanes_mark_after(void *stream, void *other, uint64_t mark) SLIP_MUST_USE;
slip_status lanes_copy_up(void *stream, const launch_memory *to, uint64_t to_offset,
                          const void *from, uint64_t bytes) SLIP_MUST_USE;
slip_status lanes_copy_down(void *stream, void *to, const launch_memory *from, uint64_t from_offset,
                            uint64_t bytes, void **out_rest) SLIP_MUST_USE;

slip_status lanes_ops_make(const plan *p, const mod_entry *entry, launch_ops **out) SLIP_MUST_USE;
slip_status lanes_perform(void *stream, launch_call *call) SLIP_MUST_USE;
slip_status lanes_perform_again(void *stream, const launch_record *record) SLIP_MUST_USE;
slip_status lanes_finish(void *stream, void *rest) SLIP_MUST_USE;

#define LAUNCH_STREAM_SLOTS                                                                        \
    .close = lanes_device_close, .after_fork = lanes_device_after_fork,                            \
    .facts = lanes_device_facts, .counts = lanes_device_counts, .describe = lanes_device_describe, \
    .memory_new = lanes_memory_new, .memory_drop = lanes_memory_drop, .trim = lanes_device_trim,   \
    .host_register = lanes_host_register, .host_unregister = lanes_host_unregister,                \
    .on_device = lanes_on_device, .code_load = lanes_code_load, .code_drop = lanes_code_drop,      \
    .code_check = lanes_code_check, .stream_open = lanes_stream_open,                              \
    .stream_wrap = lanes_stream_wrap, .stream_native = lanes_stream_native,                        \
    .stream_close = lanes_stream_close, .stream_trim = lanes_stream_trim,                          \
    .stream_sync = lanes_stream_sync, .mark = lanes_mark_new, .passed = lanes_mark_passed,         \
    .mark_wait = lanes_mark_wait, .stream_after = lanes_mark_after, .copy_up = lanes_copy_up,      \
    .copy_down = lanes_copy_down, .ops_make = lanes_ops_make, .ops_drop = launch_ops_drop,         \
    .perform = lanes_perform, .perform_again = lanes_perform_again, .finish = lanes_finish

#endif
