/* SPDX-License-Identifier: Apache-2.0 */
/*
 * once.c - makes something at the first use, and tells for good what came of it.
 */
#include "driver/once.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"

/* Under the lock. */
static slip_status make_once(drv_once *once, void **out)
{
    const slip_error before = *fail_last();
    void *made = NULL;

    *out = atomic_load(&once->made);
    if (*out)
        return SLIP_OK;
    if (once->kept_status != SLIP_OK)
        return SLIP_FAIL(once->kept_status, "%s", once->kept_reason);
    fail_clear(); /* the reason to keep is this failure's own */
    slip_status status = once->make(once->user, &made);
    if (status == SLIP_OK) {
        once->process = getpid();
        atomic_store(&once->made, made);
        *out = made;
    } else if (status != SLIP_ERR_MEMORY && status != SLIP_ERR_ARGUMENT) {
        once->kept_status = status;
        memcpy(once->kept_reason, fail_last()->message, sizeof once->kept_reason);
    }
    if (status == SLIP_OK || before.code != SLIP_OK)
        fail_restore(&before);
    return status;
}

slip_status drv_once_get(drv_once *once, void **out)
{
    void *found = atomic_load(&once->made);

    if (!found) {
        pthread_mutex_lock(&once->lock);
        slip_status status = make_once(once, &found);
        pthread_mutex_unlock(&once->lock);
        if (status != SLIP_OK)
            return status;
    }
    if (once->process != getpid())
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "process %lld was forked from %lld, which uses %s: its devices stay with "
                         "that one",
                         (long long)getpid(), (long long)once->process, once->what);
    *out = found;
    return SLIP_OK;
}

const char *drv_once_missing(drv_once *once)
{
    static _Thread_local char reason[sizeof((slip_error *)0)->message];
    const slip_error before = *fail_last();
    void *made;

    fail_clear();
    slip_status status = drv_once_get(once, &made);
    memcpy(reason, fail_last()->message, sizeof reason);
    fail_restore(&before);
    return status == SLIP_OK ? NULL : reason;
}

void drv_once_forget(drv_once *once)
{
    pthread_mutex_lock(&once->lock);
    void *made = atomic_exchange(&once->made, NULL);
    once->kept_status = SLIP_OK;
    pthread_mutex_unlock(&once->lock);
    if (made)
        once->drop(made);
}
