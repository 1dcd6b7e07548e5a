/* SPDX-License-Identifier: Apache-2.0 */
/*
 * look_control.c - see look_control.h.
 */
#define _GNU_SOURCE
#include "fake/stream/look_control.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

look_control control;

static void find(const char *name, void *out)
{
    void *found = dlsym(control.library, name);

    if (!found)
        CHECK_FAIL("no %s in the look-alike", name);
    memcpy(out, &found, sizeof found);
}

static void open_library(void)
{
    const char *cuda = getenv("SLIPWAY_CUDA_LIBRARY"), *hip = getenv("SLIPWAY_HIP_LIBRARY");
    const char *path = hip ? hip : cuda;

    control.library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!control.library)
        CHECK_FAIL("no look-alike: %s", path ? dlerror() : "no variable names its library");
    control.hip = hip != NULL;
    find("slipfake_reset", &control.reset);
    find("slipfake_fail", &control.fail);
    find("slipfake_failed", &control.failed);
    find("slipfake_hold", &control.hold);
    find("slipfake_reports", &control.reports);
    find("slipfake_quiet", &control.quiet);
    find("slipfake_count", &control.count);
    find("slipfake_live", &control.live);
    find("slipfake_codes", &control.codes);
    find("slipfake_own", &control.own);
    find("slipfake_forked", &control.forked);
    find("slipfake_context", &control.context);
}

void control_begin(const char *schedule, uint64_t seed)
{
    if (!control.library)
        open_library();
    control.reset(schedule, seed);
}
