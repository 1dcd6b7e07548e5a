/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.h - what the tests that call a look-alike themselves make with it. Each call must succeed.
 */
#ifndef SLIPWAY_FAKE_STREAM_DIRECT_H
#define SLIPWAY_FAKE_STREAM_DIRECT_H

#include "fake/stream/look.h"

enum { DIRECT_COUNT = 1000, DIRECT_BYTES = DIRECT_COUNT * 4 };

api_address direct_device(size_t bytes); /* memory */
int32_t *direct_pinned(size_t bytes);
api_stream direct_stream(unsigned flags);
/* An event of what the one stream holds, and the other after it. */
void direct_edge(api_stream from, api_stream to);
api_function direct_function(const char *name); /* of the module */
/* first, first + 1 ..., DIRECT_COUNT of them. */
void direct_fill(int32_t *to, int32_t first);

/* module.h: first, end, cells, then the block: axes, then arguments. */
typedef struct direct_add_params {
    int64_t first, end;
    uint64_t cells;
    int64_t lo, count;
    api_address y, x;
} direct_add_params;

/* Queues y += x of so many elements. */
void direct_add(api_stream on, api_address x, api_address y, int64_t count);

#endif
