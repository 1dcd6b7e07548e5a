/* SPDX-License-Identifier: Apache-2.0 */
/*
 * look.h - a look-alike driver, opened by its file name, for tests that call it themselves. Names
 * and types of entry points are the driver's own (driver/stream_api.h), so that each is written
 * down twice.
 */
#ifndef SLIPWAY_FAKE_STREAM_LOOK_H
#define SLIPWAY_FAKE_STREAM_LOOK_H

#include <stdbool.h>

#include "driver/stream_api.h"

/* As fake_count in core.h. */
enum { LOOK_CALLS, LOOK_WAITS, LOOK_RACES, LOOK_TASKS, LOOK_COPIES };

typedef struct look_alike {
    stream_api api;
    bool hip;
    api_code code;      /* of the module that the tests were given */
    const char *module; /* its path */
    /* tell.h */
    void (*reset)(const char *schedule, uint64_t seed);
    int (*fail)(const char *name, uint64_t k, int code);
    uint32_t (*reports)(char *out, uint32_t room);
    uint64_t (*count)(int which);
    uint32_t (*live)(void);
    uint32_t (*codes)(uint32_t slot, const char **out_name, int *codes, uint32_t room);
    void (*own)(void *lane, uint64_t at, uint64_t bytes);
    void *(*context)(void);
} look_alike;

extern look_alike look;

/* Opens SLIPFAKE_LIBRARY, makes its first device current, and loads SLIPFAKE_MODULE's blob. Ends
 * the test case where it cannot. */
void look_open(void);
/* Begins a case: nothing is queued, and nothing was reported. */
void look_begin(const char *schedule, uint64_t seed);
/* Ends the case unless so many things were reported, the last one with that text in it. */
void look_reported(uint32_t count, const char *part);

/* A call that must give 0. */
#define LOOK(call) CHECK_EQ_I64((call), 0)

#endif
