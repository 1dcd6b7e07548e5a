/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry.c - lists open devices, so that the child of a fork can make them usable again.
 *
 * In the child no thread but the caller of fork exists: every lock is made new, pools forget their
 * threads, and the trace is left to the parent. What another thread was calling when the fork came
 * is not continued. Must allocate nothing in the child, and no handler runs at exit.
 */
#include "runtime/registry.h"

#include "base/fail.h"
#include "runtime/trace.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static slip_device *list;
static uint64_t last_id;
static bool handlers_installed;

static void before_fork(void)
{
    pthread_mutex_lock(&list_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&list_lock);
}

static void make_new(pthread_mutex_t *lock)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    *lock = fresh;
}

static void after_fork_in_child(void)
{
    for (slip_device *device = list; device; device = device->next) {
        make_new(&device->lock);
        for (slip_stream *stream = device->streams; stream; stream = stream->next)
            make_new(&stream->lock);
        for (slip_module *module = device->modules; module; module = module->next)
            for (uint32_t k = 0; k < module->module->entry_count; k++)
                make_new(&module->entries[k].lock);
        device->driver->after_fork(device->self);
    }
    trace_after_fork();
    pthread_mutex_unlock(&list_lock);
}

slip_status registry_add(slip_device *device)
{
    slip_status status = SLIP_OK;

    pthread_mutex_lock(&list_lock);
    if (!handlers_installed &&
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0) {
        status = SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for the handlers of fork");
    } else {
        handlers_installed = true;
        device->id = ++last_id;
        device->next = list;
        if (list)
            list->previous = device;
        list = device;
    }
    pthread_mutex_unlock(&list_lock);
    return status;
}

void registry_remove(slip_device *device)
{
    if (device->id == 0)
        return;
    pthread_mutex_lock(&list_lock);
    if (device->previous)
        device->previous->next = device->next;
    else
        list = device->next;
    if (device->next)
        device->next->previous = device->previous;
    pthread_mutex_unlock(&list_lock);
}
