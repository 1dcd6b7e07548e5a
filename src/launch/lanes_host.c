/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_host.c - memory that is not ours: the program's, pinned where it is, and addresses that
 * other code has given it.
 */
#include "launch/lanes_parts.h"

slip_status lanes_host_register(void *device, void *host, uint64_t bytes, launch_memory *out)
{
    lanes_device *d = device;
    lanes_own *made = NULL;
    stream_guard guard;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->kind = STREAM_MEMORY_PINNED;
    slip_status status = lanes_enter(d, &guard);
    if (status == SLIP_OK) {
        status =
            lanes_device_told(d, 0, d->driver->host_register(d->self, host, bytes, &made->memory));
        lanes_leave(d, &guard);
    }
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    *out = (launch_memory){ .address = made->memory.address, .host = host, .own = made };
    return SLIP_OK;
}

/* A device that cannot be entered any more is lost; its closing slots still work. */
void lanes_host_unregister(void *device, launch_memory *memory)
{
    lanes_device *d = device;
    lanes_own *own = memory->own;
    slip_error before = *fail_last();
    stream_guard guard;
    bool entered = lanes_enter_to_close(d, &guard);
    uint64_t from = counters_now();

    if (!d->forked) {
        d->driver->host_unregister(d->self, &own->memory);
        (void)lanes_device_told(d, from, SLIP_OK);
    }
    if (entered)
        lanes_leave(d, &guard);
    fail_restore(&before);
    mem_free(own);
    *memory = (launch_memory){ 0 };
}

slip_status lanes_on_device(void *device, const void *pointer, bool *out)
{
    lanes_device *d = device;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    slip_status status = lanes_device_told(d, 0, d->driver->on_device(d->self, pointer, out));
    lanes_leave(d, &guard);
    return status;
}
