/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry.c - lists open devices, so that the child of a fork can make them usable again.
 *
 * In the child no thread but the caller of fork exists: every lock is made new, pools forget their
 * threads, and the trace is left to the parent. What another thread was changing when the fork came
 * may be half changed: it is given up, not repaired and not freed. Must allocate nothing in the
 * child, and no handler runs at exit.
 */
#include "runtime/registry.h"

#include "base/fail.h"
#include "runtime/reserved.h"
#include "runtime/trace.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static slip_device *list;
static uint64_t last_id;
static bool handlers_installed;

/* Nobody waits while holding a device's points, so that they can be had here: in the child every
 * event is whole. */
static void before_fork(void)
{
    pthread_mutex_lock(&list_lock);
    for (slip_device *device = list; device; device = device->next)
        pthread_mutex_lock(&device->points);
    reserved_before_fork();
}

static void after_fork_in_parent(void)
{
    reserved_after_fork();
    for (slip_device *device = list; device; device = device->next)
        pthread_mutex_unlock(&device->points);
    pthread_mutex_unlock(&list_lock);
}

/* Makes the lock new; false where another thread had it, and what it guards may be half changed. */
static bool make_new(pthread_mutex_t *lock)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    bool was_free = pthread_mutex_trylock(lock) == 0;

    *lock = fresh;
    return was_free;
}

static void renew_stream(slip_stream *stream)
{
    stream->pins = 0;
    if (make_new(&stream->lock))
        return;
    if (stream->family->stream_after_fork)
        stream->family->stream_after_fork(stream->self);
    stream->bindings = NULL;
    stream->binding_capacity = 0;
}

static void renew_module(slip_module *module)
{
    for (uint32_t k = 0; k < module->module->entry_count; k++)
        if (!make_new(&module->entries[k].lock))
            module->entries[k].plan_count = 0;
}

static void renew_device(slip_device *device)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;

    pthread_mutex_unlock(&device->points);
    device->unpinned = fresh;
    if (!make_new(&device->lock)) {
        device->free_ids = NULL;
        device->free_id_count = device->free_id_capacity = 0;
        device->retired = NULL;
    }
    for (slip_stream *stream = device->streams; stream; stream = stream->next)
        renew_stream(stream);
    for (slip_module *module = device->modules; module; module = module->next)
        renew_module(module);
    device->family->after_fork(device->self);
}

static void after_fork_in_child(void)
{
    reserved_after_fork();
    for (slip_device *device = list; device; device = device->next)
        renew_device(device);
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
