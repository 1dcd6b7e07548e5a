/* SPDX-License-Identifier: Apache-2.0 */
/*
 * look_control.h - what tests say to a look-alike and ask of it (tell.h), found by the file name of
 * its library, which the program may have loaded already.
 */
#ifndef SLIPWAY_FAKE_STREAM_LOOK_CONTROL_H
#define SLIPWAY_FAKE_STREAM_LOOK_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* As fake_count in core.h. */
enum { LOOK_CALLS, LOOK_WAITS, LOOK_RACES, LOOK_TASKS, LOOK_COPIES, LOOK_INVERTED };

typedef struct look_control {
    void *library;
    bool hip;
    void (*reset)(const char *schedule, uint64_t seed);
    int (*fail)(const char *name, uint64_t k, int code);
    const char *(*failed)(void);
    void (*hold)(uint64_t launches);
    uint32_t (*reports)(char *out, uint32_t room);
    void (*quiet)(int quiet);
    uint64_t (*count)(int which);
    uint32_t (*live)(void);
    uint32_t (*codes)(uint32_t slot, const char **out_name, int *codes, uint32_t room);
    void (*own)(void *lane, uint64_t at, uint64_t bytes);
    void (*forked)(void);
    void *(*context)(void);
} look_control;

extern look_control control;

/* Opens what SLIPWAY_CUDA_LIBRARY or SLIPWAY_HIP_LIBRARY names, and begins: nothing is queued,
 * nothing was reported. Ends the test case where it cannot. */
void control_begin(const char *schedule, uint64_t seed);

#endif
