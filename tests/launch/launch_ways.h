/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_ways.h - ways to call, for tests in which something fails: what is given, and what comes
 * of it or stays as it was.
 */
#ifndef SLIPWAY_TESTS_LAUNCH_LAUNCH_WAYS_H
#define SLIPWAY_TESTS_LAUNCH_LAUNCH_WAYS_H

#include "launch/case_kernels.h"

enum { WAY_COUNT = 2100, WAY_BYTES = WAY_COUNT * 4 };

typedef struct way {
    const char *name;
    void (*kernel)(case_kernel *k);
    void (*give)(case_given *given); /* and what is to come */
    bool has_result, pinned;
} way;

extern const way ways[];
extern const size_t way_count;

typedef struct way_state {
    int32_t x[WAY_COUNT], y[WAY_COUNT], z[WAY_COUNT], before[WAY_COUNT], want[WAY_COUNT], bounds[2];
    int64_t result, expected;
    launch_memory memory; /* of a way that is pinned: y is a copy of it */
} way_state;

extern way_state ways_now;

/* Makes the kernel, its plan and code; calls it once where `warm`. */
void way_begin(case_run *run, const way *w, bool warm);
void way_end(case_run *run, const way *w);
slip_status way_call(case_run *run, const way *w, int32_t from);
void way_check_values(const way *w);
void way_check_untouched(const way *w, uint64_t k);

#endif
