/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_official.h - the numbers of src/driver/stream_numbers.h beside the official ones.
 */
#ifndef SLIPWAY_TESTS_DRIVER_STREAM_OFFICIAL_H
#define SLIPWAY_TESTS_DRIVER_STREAM_OFFICIAL_H

#include <stddef.h>
#include <stdint.h>

typedef struct stream_official_row {
    const char *name; /* official */
    int64_t ours, official;
} stream_official_row;

/* NULL where there is no official header that knows all; *out_why then says so. */
const stream_official_row *stream_official_cuda(size_t *out_count, const char **out_why);
const stream_official_row *stream_official_hip(size_t *out_count, const char **out_why);

#endif
