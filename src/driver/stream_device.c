/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_device.c - opens and closes a device, makes it current, and latches its loss.
 *
 * The flags of a primary context are the whole process's, and are left as they are.
 */
#include "driver/stream_device.h"

#include "base/fail.h"
#include "base/mem.h"

/* ---- the end of a device --------------------------------------------------------------------- */

slip_status stream_device_gone(const stream_device *device)
{
    int code = atomic_load(&device->gone);
    const char *name = NULL, *text = NULL;

    if (code == STREAM_FORKED)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "%.64s was opened before this process was forked: it stays with the "
                         "parent",
                         device->physical->info.name);
    device->vendor->explain(device->api, code, &name, &text);
    return SLIP_FAIL(SLIP_ERR_LOST, "%.64s is lost: an earlier call gave %s (%d)",
                     device->physical->info.name, name, code);
}

/* The first loss is kept. */
static void latch(stream_device *device, int code)
{
    int alive = 0;

    if (stream_result_status(device->vendor, code) == SLIP_ERR_LOST)
        (void)atomic_compare_exchange_strong(&device->gone, &alive, code);
}

slip_status stream_device_fail(stream_device *device, int code, stream_slot slot,
                               const stream_result_more *more, const char *file, int line)
{
    latch(device, code);
    return stream_result_fail(device->library, code, slot, more, file, line);
}

void stream_device_after_fork(void *self)
{
    stream_device *device = self;

    atomic_store(&device->gone, STREAM_FORKED);
}

/* ---- what is current ------------------------------------------------------------------------- */

__attribute__((hot)) slip_status stream_device_enter(void *self, stream_guard *out)
{
    stream_device *device = self;

    SLIP_TRY(stream_alive(device));
    return device->vendor->enter(device, out);
}

void stream_device_leave(void *self, const stream_guard *guard)
{
    stream_device *device = self;

    if (guard->changed && atomic_load(&device->gone) != STREAM_FORKED)
        device->vendor->leave(device, guard);
}

slip_status stream_begin(stream_device *device, api_capture_mode *out)
{
    SLIP_TRY(stream_alive(device));
    *out = (api_capture_mode)device->vendor->flags[STREAM_FLAG_CAPTURE_RELAXED];
    return STREAM_CALL(device, capture_mode, out);
}

void stream_end(stream_device *device, api_capture_mode mode)
{
    latch(device, device->api->capture_mode(&mode));
}

bool stream_closing_begin(stream_device *device, stream_closing *out)
{
    const slip_error before = *fail_last();
    int gone = atomic_load(&device->gone);

    *out = (stream_closing){
        .mode = (api_capture_mode)device->vendor->flags[STREAM_FLAG_CAPTURE_RELAXED],
    };
    if (gone == STREAM_FORKED)
        return false;
    if (gone != 0 && device->vendor->enter(device, &out->guard) != SLIP_OK) {
        out->guard = (stream_guard){ 0 };
        fail_restore(&before);
    }
    latch(device, device->api->capture_mode(&out->mode));
    return true;
}

void stream_closing_end(stream_device *device, const stream_closing *closing, int code)
{
    latch(device, code);
    stream_end(device, closing->mode);
    if (closing->guard.changed)
        device->vendor->leave(device, &closing->guard);
}

/* ---- opening --------------------------------------------------------------------------------- */

static void fill_limits(stream_device *made)
{
    const int *attributes = made->physical->attributes;
    uint32_t local = (uint32_t)attributes[STREAM_ATTRIBUTE_MAX_LOCAL],
             local_x = (uint32_t)attributes[STREAM_ATTRIBUTE_MAX_LOCAL_X];

    made->limits = (stream_limits){
        .max_groups = { (uint32_t)attributes[STREAM_ATTRIBUTE_MAX_GROUPS_X],
                        (uint32_t)attributes[STREAM_ATTRIBUTE_MAX_GROUPS_Y],
                        (uint32_t)attributes[STREAM_ATTRIBUTE_MAX_GROUPS_Z] },
        .max_threads = made->vendor->max_threads,
        .max_local = local < local_x ? local : local_x,
        .max_param_bytes = made->physical->param_bytes,
        .compute_units = made->physical->info.compute_units,
        .has = (1u << DRV_NEED_COUNT) - 1 - (1u << DRV_NEED_MATH),
        .rerecords = made->vendor->rerecords,
    };
}

static slip_status retain(stream_device *made)
{
    api_capture_mode mode;

    SLIP_TRY(stream_begin(made, &mode));
    slip_status status = made->vendor->retain(made);
    stream_end(made, mode);
    return status;
}

slip_status stream_device_open(const stream_library *library, uint32_t index, stream_device **out)
{
    const stream_physical *physical = NULL;
    stream_device *made = NULL;
    slip_status status = stream_library_device(library, index, &physical);

    if (status == SLIP_OK)
        status = mem_new_aligned(sizeof *made, MEM_LINE, (void **)&made);
    if (status != SLIP_OK)
        return status;
    made->library = library;
    made->vendor = library->vendor;
    made->api = &library->api;
    made->physical = physical;
    made->index = index;
    fill_limits(made);
    status = retain(made);
    if (status != SLIP_OK) {
        fail_note("while opening %.64s", made->physical->info.name);
        mem_free_aligned(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

void stream_device_close(void *self)
{
    stream_device *device = self;
    stream_closing closing;

    if (!device)
        return;
    if (stream_closing_begin(device, &closing)) {
        device->vendor->release(device);
        stream_closing_end(device, &closing, 0);
    }
    mem_free_aligned(device);
}

void stream_device_limits(void *self, stream_limits *out)
{
    *out = ((const stream_device *)self)->limits;
}
