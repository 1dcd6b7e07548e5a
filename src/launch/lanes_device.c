/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_device.c - an opened device of the stream family: its facts, and the memory and code that
 * are kept because the driver's own way to give them back may wait for the device.
 */
#include <string.h>

#include "launch/device_facts.h"
#include "launch/lanes_parts.h"

const lanes_sizes lanes_sizes_usual = {
    .least_block = 1 << 18, .most_bytes = 1 << 26, .copy_piece = 1 << 22, .most_events = 256
};
const lanes_sizes lanes_sizes_small = {
    .least_block = LANES_ALIGN, .most_bytes = 0, .copy_piece = 256, .most_events = 1
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void find_limits(lanes_device *d, uint32_t compute_units)
{
    const stream_limits *l = &d->limits;

    d->plain_groups =
        (uint32_t)least(TASK_MOST_GROUPS, least(l->max_groups[0], l->max_threads / l->max_local));
    d->strided_groups = device_strided_groups(compute_units, d->plain_groups);
    d->most_params = (uint32_t)least(l->max_param_bytes, MOD_STREAM_PARAM_BYTES);
}

/* The family's row, adjusted by what this device says of itself. */
static slip_status find_facts(lanes_device *d, const char *name)
{
    d->facts = *plan_facts_named(name);
    d->facts.holds[PLAN_FACT_event_rerecord] = d->limits.rerecords;
    return device_facts_take_back(&d->facts, NULL);
}

slip_status lanes_device_open(const stream_driver *driver, const char *facts, uint32_t index,
                              void **out)
{
    lanes_device *made = NULL;
    drv_info info;

    SLIP_TRY(driver->info(index, &info));
    SLIP_TRY(mem_new_aligned(sizeof *made, MEM_LINE, (void **)&made));
    slip_status status = driver->open(index, &made->self);
    if (status != SLIP_OK)
        goto fail;
    made->driver = driver;
#ifdef SLIP_TEST_SMALL
    made->sizes = lanes_sizes_small;
#else
    made->sizes = lanes_sizes_usual;
#endif
    driver->limits(made->self, &made->limits);
    find_limits(made, info.compute_units);
    status = find_facts(made, facts);
    if (status != SLIP_OK)
        goto fail;
    pthread_mutex_init(&made->lock, NULL);
    *out = made;
    return SLIP_OK;

fail:
    if (made->driver)
        driver->close(made->self);
    mem_free_aligned(made);
    return status;
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void free_memory(lanes_device *d, lanes_own *own)
{
    uint64_t from = counters_now();

    d->driver->free(d->self, &own->memory);
    (void)lanes_device_told(d, from, SLIP_OK);
}

static void drop_code(lanes_device *d, const lanes_loaded *loaded)
{
    uint64_t from = counters_now();

    d->driver->code_drop(d->self, loaded->self);
    (void)lanes_device_told(d, from, SLIP_OK);
}

static void drop_spares(lanes_device *d, lanes_own *spares, lanes_loaded *dropped)
{
    while (spares) {
        lanes_own *own = spares;
        spares = own->next;
        if (!d->forked)
            free_memory(d, own);
        mem_free(own);
    }
    while (dropped) {
        lanes_loaded *loaded = dropped;
        dropped = loaded->next;
        if (!d->forked)
            drop_code(d, loaded);
        mem_free(loaded);
    }
}

/* Entered, or in the child of a fork. */
static void give_back(lanes_device *d)
{
    pthread_mutex_lock(&d->lock);
    lanes_own *spares = d->spares;
    lanes_loaded *dropped = d->dropped;
    d->spares = NULL;
    d->dropped = NULL;
    pthread_mutex_unlock(&d->lock);
    drop_spares(d, spares, dropped);
}

/* A spare that is not much larger than what is wanted. */
static lanes_own *take_spare(lanes_device *d, uint64_t bytes, stream_memory_kind kind)
{
    lanes_own *found = NULL;

    pthread_mutex_lock(&d->lock);
    for (lanes_own **at = &d->spares; *at; at = &(*at)->next) {
        const stream_memory *m = &(*at)->memory;
        if ((*at)->kind != kind || m->bytes < bytes || m->bytes - bytes > bytes / 4)
            continue;
        found = *at;
        *at = found->next;
        break;
    }
    pthread_mutex_unlock(&d->lock);
    return found;
}

static slip_status alloc(lanes_device *d, lanes_stream *s, uint64_t bytes, lanes_own *into)
{
    slip_status status = d->driver->alloc(d->self, bytes, into->kind, &into->memory);

    if (!s) /* counted by who asks */
        return lanes_seen(d, status);
    counters_add(&s->counts->allocations, 1);
    return lanes_told(s, status);
}

slip_status lanes_own_new(lanes_device *d, lanes_stream *s, uint64_t bytes, stream_memory_kind kind,
                          lanes_own **out)
{
    lanes_own *made = take_spare(d, bytes, kind);

    if (made) {
        *out = made;
        return SLIP_OK;
    }
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->kind = kind;
    slip_status status = alloc(d, s, bytes, made);
    if (status == SLIP_ERR_MEMORY) {
        fail_clear();
        if (s)
            lanes_blocks_trim(s);
        give_back(d);
        status = alloc(d, s, bytes, made);
    }
    if (status != SLIP_OK)
        mem_free(made);
    else
        *out = made;
    return status;
}

void lanes_own_back(lanes_device *d, lanes_own *own)
{
    if (!own)
        return;
    pthread_mutex_lock(&d->lock);
    own->next = d->spares;
    d->spares = own;
    pthread_mutex_unlock(&d->lock);
}

/* ---- streams, and what is told of them when the device is lost ------------------------------- */

void lanes_stream_link(lanes_stream *s)
{
    lanes_device *d = s->device;

    pthread_mutex_lock(&d->lock);
    s->previous = d->last_stream;
    if (s->previous)
        s->previous->next = s;
    else
        d->streams = s;
    d->last_stream = s;
    pthread_mutex_unlock(&d->lock);
}

void lanes_stream_unlink(lanes_stream *s)
{
    lanes_device *d = s->device;

    pthread_mutex_lock(&d->lock);
    if (s->next)
        s->next->previous = s->previous;
    else
        d->last_stream = s->previous;
    if (s->previous)
        s->previous->next = s->next;
    else
        d->streams = s->next;
    pthread_mutex_unlock(&d->lock);
}

/* Under the device's lock; its threads may be queueing. */
static void list_calls(loss_list *list, const lanes_stream *s)
{
    uint64_t known = lanes_known(s), queued = lanes_queued(s);

    if (queued <= known)
        return;
    uint64_t count = queued - known, named = count < LOSS_CALLS ? count : LOSS_CALLS;
    loss_list_stream(list);
    loss_list_before(list, count - named);
    for (uint64_t k = queued - named + 1; k <= queued; k++)
        loss_list_add(list, loss_name(&s->calls, k));
}

slip_status lanes_lost(lanes_device *d, slip_status status)
{
    loss_list list;

    if (fail_last()->code == SLIP_OK && status == SLIP_ERR_LOST)
        status = loss_tell(&d->loss);
    if (d->forked || fail_last()->code != SLIP_ERR_LOST)
        return status;
    pthread_mutex_lock(&d->lock);
    loss_list_begin(&list);
    for (const lanes_stream *s = d->streams; s; s = s->next)
        list_calls(&list, s);
    loss_note(&d->loss, &list);
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* ---- slots of the launcher ------------------------------------------------------------------- */

/* A device that cannot be entered any more is lost; its closing slots still work. */
static void give_back_entered(lanes_device *d)
{
    slip_error before = *fail_last();
    stream_guard guard;
    bool entered = lanes_enter_to_close(d, &guard);

    give_back(d);
    if (entered)
        lanes_leave(d, &guard);
    fail_restore(&before);
}

void lanes_device_close(void *device)
{
    lanes_device *d = device;

    give_back_entered(d);
    d->driver->close(d->self);
    pthread_mutex_destroy(&d->lock);
    mem_free_aligned(d);
}

/* What another thread was changing is given up, not freed. */
void lanes_device_after_fork(void *device)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lanes_device *d = device;

    d->forked = true;
    atomic_store_explicit(&d->lost, true, memory_order_relaxed);
    if (pthread_mutex_trylock(&d->lock) == 0) {
        pthread_mutex_unlock(&d->lock);
    } else {
        d->spares = NULL;
        d->dropped = NULL;
        d->lock = fresh;
    }
    d->driver->after_fork(d->self);
}

const plan_facts *lanes_device_facts(void *device)
{
    return &((lanes_device *)device)->facts;
}

const counters *lanes_device_counts(void *device)
{
    return &((lanes_device *)device)->own;
}

void lanes_device_describe(void *device,
                           void (*line)(void *user, const char *name, const char *value),
                           void *user)
{
    const lanes_device *d = device;

    d->driver->describe(d->self, line, user);
}

void lanes_device_trim(void *device)
{
    give_back_entered(device);
}

slip_status lanes_memory_new(void *device, uint64_t bytes, launch_memory_kind kind,
                             launch_memory *out)
{
    lanes_device *d = device;
    bool pinned = kind == LAUNCH_MEMORY_PINNED;
    lanes_own *made = NULL;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    slip_status status =
        lanes_own_new(d, NULL, bytes, pinned ? STREAM_MEMORY_PINNED : STREAM_MEMORY_DEVICE, &made);
    lanes_leave(d, &guard);
    SLIP_TRY(status);
    *out =
        (launch_memory){ .address = made->memory.address, .host = made->memory.host, .own = made };
    return SLIP_OK;
}

void lanes_memory_drop(void *device, launch_memory *memory)
{
    lanes_own_back(device, memory->own);
    *memory = (launch_memory){ 0 };
}
