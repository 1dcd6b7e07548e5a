/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_stream.h - a stream of the cpu family: what its calls run in, and performing one.
 */
#ifndef SLIPWAY_LAUNCH_CPU_STREAM_H
#define SLIPWAY_LAUNCH_CPU_STREAM_H

#include "driver/cpu_driver.h"
#include "launch/cpu_ops.h"
#include "launch/lane.h"
#include "launch/launcher.h"

/* Used under the stream's lock. */
typedef struct cpu_stream {
    const cpu_driver *driver;
    void *device; /* the driver's */
    counters *counts;
    lane memory;
    bool *taken; /* [taken_capacity], by scratch, the cells last: what this call has */
    size_t taken_capacity;
    /* Of the call being performed. */
    launch_call *call;
    cpu_kernel *kernels; /* [entry->task_count] */
    uint8_t *cells;      /* NULL until taken */
    _Alignas(64) uint8_t block[MOD_MAX_BLOCK_BYTES];
} cpu_stream;

void cpu_stream_init(cpu_stream *s, const cpu_driver *driver, void *device, counters *counts);
void cpu_stream_finish(cpu_stream *s);

/* Performs `ops` with call->program's slots; call->ops and call->code are not looked at. All has
 * ended on return. On failure the result is untouched; arrays hold what the tasks that ran have
 * written. */
slip_status cpu_stream_perform(cpu_stream *s, launch_call *call, const flow_op *ops,
                               cpu_kernel *kernels) SLIP_MUST_USE;
/* launcher.perform_again */
slip_status cpu_stream_perform_again(cpu_stream *s, const launch_record *record) SLIP_MUST_USE;

#endif
