/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_device.c - an opened device of the queue family: its facts, and memory that outlives calls.
 */
#include <stdlib.h>
#include <string.h>

#include "launch/queue_parts.h"

enum { LEAST_STRIDED = 16, MOST_STRIDED = 1024, STRIDED_PER_UNIT = 8 };

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

static plan_fact fact_named(const char *name, size_t length)
{
    for (uint32_t f = 0; f < PLAN_FACT_COUNT; f++)
        if (!plan_fact_rows[f].contract && strlen(plan_fact_rows[f].name) == length &&
            strncmp(plan_fact_rows[f].name, name, length) == 0)
            return (plan_fact)f;
    return PLAN_FACT_COUNT;
}

/* Takes back elision facts that SLIPWAY_WITHOUT names, with commas between: to measure what each is
 * worth, and to test what is done where it does not hold. */
static slip_status take_back(plan_facts *facts)
{
    const char *names = getenv("SLIPWAY_WITHOUT");

    while (names && *names) {
        size_t length = strcspn(names, ",");
        plan_fact fact = fact_named(names, length);
        if (fact == PLAN_FACT_COUNT)
            return SLIP_FAIL(
                SLIP_ERR_ARGUMENT,
                "SLIPWAY_WITHOUT names \"%.*s\", which is no fact that can be left out",
                (int)length, names);
        facts->holds[fact] = false;
        facts->source[fact] = "SLIPWAY_WITHOUT names it";
        names += length + (names[length] == ',');
    }
    return SLIP_OK;
}

static uint32_t strided_groups(const queue_limits *limits, const drv_info *info)
{
    uint32_t groups = info->compute_units * STRIDED_PER_UNIT;

    groups = groups < LEAST_STRIDED ? LEAST_STRIDED : groups;
    groups = groups > MOST_STRIDED ? MOST_STRIDED : groups;
    return groups > limits->max_groups[0] ? limits->max_groups[0] : groups;
}

slip_status queue_device_open(const queue_driver *driver, const char *facts, uint32_t index,
                              void **out)
{
    queue_device *made = NULL;
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
    made->strided_groups = strided_groups(&made->limits, &info);
    find_facts(made, facts);
    status = take_back(&made->facts);
    if (status != SLIP_OK)
        goto fail;
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
        return status;
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
