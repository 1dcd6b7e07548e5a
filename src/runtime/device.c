/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.c - opening and closing devices, and telling about them.
 *
 * Opening the same device twice gives two that share nothing. Closing takes down what the program
 * forgot: streams, modules, memory. Must leave nothing behind when opening fails.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/setting.h"
#include "runtime/families.h"
#include "runtime/present.h"
#include "runtime/registry.h"
#include "runtime/trace.h"

static slip_status read_policy(slip_device *device)
{
    static const char *const words[] = { "minimal", "conservative" };
    uint32_t which = 0;

    SLIP_TRY(setting_read("SLIPWAY_SYNC", words, 2, &which));
    device->sync_is_given = which < 2;
    atomic_init(&device->sync, which == 1 ? SLIP_SYNC_CONSERVATIVE : SLIP_SYNC_MINIMAL);
    return SLIP_OK;
}

static void drop_device(slip_device *device)
{
    while (device->modules)
        slip_module_unload(device->modules);
    while (device->streams)
        stream_destroy(device->streams);
    event_forget_device(device);
    present_finish(device);
    embedded_finish(device);
    mem_free(device->free_ids);
    if (device->self)
        device->family->close(device->self);
    device_names_drop(device);
    registry_remove(device);
    pthread_cond_destroy(&device->unpinned);
    pthread_mutex_destroy(&device->points);
    pthread_mutex_destroy(&device->lock);
    mem_free_aligned(device);
}

static slip_status open_family(slip_device *device)
{
    SLIP_TRY(read_policy(device));
    SLIP_TRY(trace_begin());
    SLIP_TRY(device->family->info(device->index, &device->info));
    SLIP_TRY(device->family->open(device->index, &device->self));
    device->facts = device->family->facts(device->self);
    return SLIP_OK;
}

slip_status device_open_with(const launcher *family, uint32_t index, slip_device **out)
{
    slip_device *made = NULL;

    SLIP_TRY(mem_new_aligned(sizeof *made, MEM_LINE, (void **)&made));
    made->family = family;
    made->index = index;
    atomic_init(&made->generation, 1);
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->points, NULL);
    pthread_cond_init(&made->unpinned, NULL);
    slip_status status = open_family(made);
    if (status != SLIP_OK)
        goto fail;
    status = stream_create(made, true, &made->standard);
    if (status != SLIP_OK)
        goto fail;
    status = registry_add(made);
    if (status != SLIP_OK)
        goto fail;
    *out = made;
    return SLIP_OK;

fail:
    fail_note("while opening device %s:%" PRIu32, family->name, index);
    drop_device(made);
    return status;
}

slip_status slip_device_open(const char *which, slip_device **out)
{
    const launcher *family = NULL;
    uint32_t index = 0;

    runtime_enter();
    if (!out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_device_open: the place for the device is NULL");
    SLIP_TRY(families_find(which, &family, &index));
    return device_open_with(family, index, out);
}

void slip_device_close(slip_device *device)
{
    if (device)
        drop_device(device);
}

void slip_device_describe(const slip_device *device, slip_device_info *out)
{
    if (out)
        *out = (slip_device_info){ 0 };
    if (out && device)
        families_describe(device->family, device->index, &device->info, out);
}

/* The device's lock is given back for each wait, so that others may free and allocate; a pinned
 * stream stays in the list. */
slip_status device_sync(slip_device *device)
{
    slip_status first = SLIP_OK;

    pthread_mutex_lock(&device->lock);
    for (slip_stream *stream = device->streams; stream; stream = stream->next) {
        pthread_mutex_lock(&device->points);
        stream_pin(stream);
        pthread_mutex_unlock(&device->points);
        pthread_mutex_unlock(&device->lock);
        slip_status status = stream_sync(stream);
        first = first != SLIP_OK ? first : status;
        pthread_mutex_lock(&device->lock);
        pthread_mutex_lock(&device->points);
        stream_unpin(stream);
        pthread_mutex_unlock(&device->points);
    }
    retire_sweep(device);
    pthread_mutex_unlock(&device->lock);
    return first;
}

typedef struct detail_visit {
    slip_detail_visit visit;
    void *user;
} detail_visit;

static void tell_detail(void *user, const char *name, const char *value)
{
    const detail_visit *v = user;

    v->visit(name, value, v->user);
}

slip_status slip_device_details(slip_device *device, slip_detail_visit visit, void *user)
{
    detail_visit v = { visit, user };

    runtime_enter();
    if (!device || !visit)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_device_details: the %s is NULL",
                         device ? "function to call" : "device");
    device->family->describe(device->self, tell_detail, &v);
    return SLIP_OK;
}

slip_status slip_device_sync(slip_device *device)
{
    runtime_enter();
    if (!device)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_device_sync: the device is NULL");
    uint64_t from = trace_active() ? counters_now() : 0;
    slip_status status = device_sync(device);
    if (from)
        trace_call(NULL, "slip_device_sync", from, counters_now());
    return status;
}

/* A call that sees the new generation looks for its plan again, and sees the policy then. */
slip_status slip_device_set_sync(slip_device *device, slip_sync policy)
{
    runtime_enter();
    if (!device)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_device_set_sync: the device is NULL");
    if (policy != SLIP_SYNC_MINIMAL && policy != SLIP_SYNC_CONSERVATIVE)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_device_set_sync: there is no policy %d; there are %d, minimal, and "
                         "%d, conservative",
                         (int)policy, SLIP_SYNC_MINIMAL, SLIP_SYNC_CONSERVATIVE);
    if (device->sync_is_given || atomic_exchange(&device->sync, policy) == policy)
        return SLIP_OK;
    atomic_fetch_add(&device->generation, 1);
    return SLIP_OK;
}

slip_sync slip_device_get_sync(const slip_device *device)
{
    return device ? atomic_load(&device->sync) : SLIP_SYNC_MINIMAL;
}

/* Streams in the middle of a call keep their memory. */
void device_trim(slip_device *device)
{
    pthread_mutex_lock(&device->lock);
    retire_sweep(device);
    for (slip_stream *stream = device->streams; stream; stream = stream->next)
        if (pthread_mutex_trylock(&stream->lock) == 0) {
            if (stream->family->stream_trim)
                stream->family->stream_trim(stream->self);
            stream_unlock(stream);
        }
    device->family->trim(device->self);
    pthread_mutex_unlock(&device->lock);
}

slip_status slip_device_trim(slip_device *device)
{
    runtime_enter();
    if (!device)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_device_trim: the device is NULL");
    device_trim(device);
    return SLIP_OK;
}

slip_status slip_device_facts(slip_device *device, char *out, size_t out_bytes)
{
    text t = { 0 };
    slip_status status;

    runtime_enter();
    if (!device || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_device_facts: the %s is NULL",
                         device ? "place for the text" : "device");
    plan_facts_print(&t, device->facts);
    text_add(&t, "%-25s %" PRIu32 "    sections of a kernel that may run at the same time%s\n",
             "section lanes", device->facts->max_lanes,
             device->facts->max_lanes > 1 ? "" : ": they run in source order");
    status = t.status;
    if (status == SLIP_OK && t.bytes + 1 > out_bytes)
        status = SLIP_FAIL(SLIP_ERR_ARGUMENT, "the facts take %zu bytes; there is room for %zu",
                           t.bytes + 1, out_bytes);
    if (status == SLIP_OK)
        memcpy(out, text_get(&t), t.bytes + 1);
    text_finish(&t);
    return status;
}
