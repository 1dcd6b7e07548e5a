/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_device.c - an opened device of the queue family: its facts, and memory that outlives calls.
 */
#include "launch/device_facts.h"
#include "launch/queue_parts.h"

/* The family's row, adjusted by what this device says of itself. */
static void find_facts(queue_device *device, const char *name)
{
    device->facts = *plan_facts_named(name);
    if (device->limits.device_mapped) {
        device->facts.holds[PLAN_FACT_device_memory_mapped] = true;
        device->facts.source[PLAN_FACT_device_memory_mapped] =
            "VK 11.2: the heap of DEVICE_LOCAL memory has a HOST_VISIBLE and HOST_COHERENT type";
    }
}

slip_status queue_device_open(const queue_driver *driver, const char *facts, uint32_t index,
                              void **out)
{
    queue_device *made = NULL;
    uint32_t without = 0;
    drv_info info;

    SLIP_TRY(driver->info(index, &info));
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = driver->open(index, &made->self);
    if (status != SLIP_OK)
        goto fail;
    made->driver = driver;
    driver->limits(made->self, &made->limits);
    for (int k = 0; k < 3; k++)
        made->most_groups[k] = made->limits.max_groups[k];
    made->strided_groups = device_strided_groups(info.compute_units, made->limits.max_groups[0]);
    find_facts(made, facts);
    status = device_facts_take_back(&made->facts, &without);
    if (status != SLIP_OK)
        goto fail;
    driver->without(made->self, without);
    pthread_mutex_init(&made->lock, NULL);
    *out = made;
    return SLIP_OK;

fail:
    if (made->driver)
        driver->close(made->self);
    mem_free(made);
    return status;
}

void queue_device_close(void *device)
{
    queue_device *d = device;

    if (!d->forked)
        d->driver->cache_save(d->self);
    d->driver->close(d->self);
    pthread_mutex_destroy(&d->lock);
    mem_free(d);
}

void queue_device_after_fork(void *device)
{
    queue_device *d = device;

    d->forked = true;
    pthread_mutex_init(&d->lock, NULL);
    for (queue_stream *s = d->streams; s; s = s->next)
        queue_helper_after_fork(s);
    d->driver->after_fork(d->self);
}

const plan_facts *queue_device_facts(void *device)
{
    return &((queue_device *)device)->facts;
}

void queue_device_describe(void *device,
                           void (*line)(void *user, const char *name, const char *value),
                           void *user)
{
    const queue_device *d = device;

    d->driver->describe(d->self, line, user);
}

/* ---- memory ---------------------------------------------------------------------------------- */

slip_status queue_memory_new(void *device, uint64_t bytes, launch_memory_kind kind,
                             launch_memory *out)
{
    queue_device *d = device;
    queue_memory *made = NULL;
    bool pinned = kind == LAUNCH_MEMORY_PINNED;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status =
        queue_alloc(d, NULL, bytes, pinned ? QUEUE_MEMORY_READBACK : QUEUE_MEMORY_DEVICE, made);
    if (status != SLIP_OK) {
        mem_free(made);
        return queue_told(d, status);
    }
    *out = (launch_memory){ .address = made->address,
                            .host = pinned ? made->host : NULL,
                            .own = made };
    return SLIP_OK;
}

void queue_memory_drop(void *device, launch_memory *memory)
{
    queue_device *d = device;

    if (!memory->own)
        return;
    if (!d->forked)
        d->driver->free(d->self, memory->own);
    mem_free(memory->own);
    *memory = (launch_memory){ 0 };
}

void queue_stream_trim(void *stream)
{
    queue_stream *s = stream;

    if (pthread_mutex_trylock(&s->lock) != 0)
        return; /* it is in use */
    s->call++;
    queue_blocks_trim(s);
    pthread_mutex_unlock(&s->lock);
}

void queue_device_trim(void *device)
{
    queue_device *d = device;

    pthread_mutex_lock(&d->lock);
    for (queue_stream *s = d->streams; s; s = s->next)
        queue_stream_trim(s);
    pthread_mutex_unlock(&d->lock);
    d->driver->trim(d->self);
}
