/* SPDX-License-Identifier: Apache-2.0 */
/*
 * look.h - a look-alike driver, opened by its file name, for tests that call it themselves. Names
 * and types of entry points are the driver's own (driver/stream_api.h), so that each is written
 * down twice.
 */
#ifndef SLIPWAY_FAKE_STREAM_LOOK_H
#define SLIPWAY_FAKE_STREAM_LOOK_H

#include "driver/stream_api.h"
#include "fake/stream/look_control.h"

typedef struct look_alike {
    stream_api api;
    api_code code;      /* of the module that the tests were given */
    const char *module; /* its path */
} look_alike;

extern look_alike look;

/* Begins a case: nothing is queued, and nothing was reported. The first time: opens the look-alike,
 * makes its first device current, and loads SLIPFAKE_MODULE's blob. */
void look_begin(const char *schedule, uint64_t seed);
/* Ends the case unless so many things were reported, the last one with that text in it. */
void look_reported(uint32_t count, const char *part);

/* A call that must give 0. */
#define LOOK(call) CHECK_EQ_I64((call), 0)

#endif
