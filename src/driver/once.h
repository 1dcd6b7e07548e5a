/* SPDX-License-Identifier: Apache-2.0 */
/*
 * once.h - what a driver makes at its first use and keeps for as long as the process lives: its
 * library with the list of devices.
 *
 * A failure is kept too, and told again by the next call; all but MEMORY, and ARGUMENT: what the
 * environment has may be mended.
 */
#ifndef SLIPWAY_DRIVER_ONCE_H
#define SLIPWAY_DRIVER_ONCE_H

#include <pthread.h>
#include <stdint.h>

#include <slipway/status.h>

typedef struct drv_once {
    const char *what;                                  /* "Vulkan" */
    slip_status (*make)(const void *user, void **out); /* on failure *out is untouched */
    void (*drop)(void *made);
    const void *user;

    pthread_mutex_t lock;
    _Atomic(void *) made;
    int64_t process;         /* that made it */
    slip_status kept_status; /* under the lock, as the reason */
    char kept_reason[sizeof((slip_error *)0)->message];
} drv_once;

#define DRV_ONCE_INIT(name, make_it, drop_it, for_user)                                            \
    {                                                                                              \
        .what = (name), .make = (make_it), .drop = (drop_it), .user = (for_user),                  \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* Any thread. UNSUPPORTED where the process that made it is one that this was forked from. */
slip_status drv_once_get(drv_once *once, void **out) SLIP_MUST_USE;
/* The reason for which drv_once_get fails, NULL where it does not; valid on this thread until it is
 * asked again. Any thread; leaves the record as it is. */
const char *drv_once_missing(drv_once *once);
/* Tests only: forget what was made, or why it was not. Nobody uses it. */
void drv_once_forget(drv_once *once);

#endif
