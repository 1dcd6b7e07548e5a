/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_look.h - the look-alike drivers (tests/fake), put in the driver's way: they run what is
 * queued when their schedule says, and report what is used wrongly.
 */
#ifndef SLIPWAY_TESTS_DRIVER_STREAM_LOOK_H
#define SLIPWAY_TESTS_DRIVER_STREAM_LOOK_H

#include "driver/stream_case.h"

typedef struct stream_look {
    const char *text; /* code with s0, as stream_case_code gives it to others */
    uint64_t text_bytes;
    /* tests/fake/stream/tell.h */
    void (*reset)(const char *schedule, uint64_t seed);
    int (*fail)(const char *name, uint64_t k, int code);
    uint32_t (*reports)(char *out, uint32_t room);
    uint32_t (*live)(void);
    uint32_t (*codes)(uint32_t slot, const char **out_name, int *codes, uint32_t room);
} stream_look;

/* Skips the case where the build has none: it has no compiler. */
const stream_look *stream_look_begin(stream_family family, const char *schedule, uint64_t seed);
/* Nothing was reported; the driver uses the real library again. */
void stream_look_end(const stream_look *look);

#endif
