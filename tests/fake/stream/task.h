/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task.h - the parameter that a kernel is launched with (module.h, mod_shader).
 */
#ifndef SLIPWAY_FAKE_STREAM_TASK_H
#define SLIPWAY_FAKE_STREAM_TASK_H

#include "fake/stream/core.h"

typedef struct task_params {
    int64_t first, end;
    uint64_t cells;
    const uint8_t *recips;
    const uint8_t *block;   /* NULL: it lies at */
    uint64_t block_address; /* in memory of the device, or pinned */
} task_params;

uint32_t task_param_bytes(const blob_shader *s);
const blob_cell *task_cells(const fake_op *op, uint32_t *out_count); /* of its task */
task_params task_params_of(const blob_shader *s, const uint8_t *bytes);

#endif
