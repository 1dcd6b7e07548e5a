/* SPDX-License-Identifier: Apache-2.0 */
/* fake_queue.c - the fake's table: devices, kernels, streams and recording; see fake_queue.h. */
#define _GNU_SOURCE
#include "fake/fake_queue_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

/* ---- devices --------------------------------------------------------------------------------- */

static const char *fake_missing(void)
{
    return NULL;
}

static uint32_t fake_device_count(void)
{
    return 1;
}

static slip_status fake_info(uint32_t index, drv_info *out)
{
    (void)index;
    *out = (drv_info){ .name = "fake queue", .compute_units = 4, .memory_bytes = 1 << 30 };
    return SLIP_OK;
}

static slip_status fake_open(uint32_t index, void **out)
{
    (void)index;
    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter("open", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fake.live++;
        *out = &fake;
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void fake_close(void *self)
{
    (void)self;
    fake.live--;
}

static void fake_after_fork(void *self)
{
    (void)self;
}

static void fake_limits(void *self, queue_limits *out)
{
    (void)self;
    *out = (queue_limits){ .max_local = 256,
                           .max_push_bytes = 128,
                           .max_memory = 1 << 30,
                           .device_mapped = fake.settings.device_mapped,
                           .has = fake.settings.has,
                           .queues = 1 };
    for (int k = 0; k < 3; k++)
        out->max_groups[k] = fake.settings.max_groups[k] ? fake.settings.max_groups[k] : 1 << 16;
}

static void fake_without(void *self, uint32_t numerics)
{
    (void)self;
    fake.without = numerics;
}

static void fake_describe(void *self, void (*line)(void *user, const char *name, const char *value),
                          void *user)
{
    (void)self;
    line(user, "driver", "a fake");
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The words are a pointer to a fake_shader. */
static slip_status fake_kernel_new(void *self, const queue_code *code, uint64_t data,
                                   queue_kernel *out)
{
    fake_shader *shader;

    (void)self;
    (void)data;
    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter("kernel_new", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        memcpy(&shader, code->words, sizeof shader);
        *out = (queue_kernel){ shader, code->local_fixed ? code->local : 48 };
        fake.live++;
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void fake_kernel_drop(void *self, queue_kernel *kernel)
{
    (void)self;
    pthread_mutex_lock(&fake.lock);
    for (fake_stream *s = fake.lost ? NULL : fake.streams; s; s = s->next)
        for (size_t k = s->head; k < s->count; k++)
            if (!s->commands[k].done && s->commands[k].shader == kernel->pipeline)
                fake_say_wrong("a kernel was dropped that a pending task uses");
    fake.live--;
    pthread_mutex_unlock(&fake.lock);
    kernel->pipeline = NULL;
}

static void fake_cache_save(void *self)
{
    (void)self;
}

/* ---- streams --------------------------------------------------------------------------------- */

static slip_status fake_stream_open(void *self, void **out)
{
    (void)self;
    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter("stream_open", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fake_stream *made = calloc(1, sizeof *made);
        if (!made)
            abort();
        made->next = fake.streams;
        fake.streams = made;
        fake.live++;
        *out = made;
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void fake_stream_close(void *self, void *stream)
{
    fake_stream *s = stream, **at = &fake.streams;

    (void)self;
    pthread_mutex_lock(&fake.lock);
    if (s->head != s->count && !fake.lost)
        fake_say_wrong("a stream was closed with commands pending");
    if (!fake.lost && fake_is_waited_for(s))
        fake_say_wrong("a stream was closed that a pending submission of another waits for");
    for (fake_stream *other = fake.streams; other; other = other->next)
        for (size_t k = 0; k < other->after_count; k++)
            if (other->afters[k].stream == s)
                other->afters[k].stream = other; /* long since reached */
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    free(s->commands);
    free(s->afters);
    free(s->touches);
    free(s);
    fake.live--;
    pthread_mutex_unlock(&fake.lock);
}

static slip_status record(fake_stream *s, const char *word, const fake_command *command)
{
    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter(word, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fake_log_word(word);
        fake_grow(&s->commands, &s->capacity, s->count + 1, sizeof *s->commands);
        s->commands[s->count++] = *command;
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void check_part(const queue_memory *memory, uint64_t offset, uint64_t bytes)
{
    if (bytes == 0 || offset > memory->bytes || bytes > memory->bytes - offset)
        fake_say_wrong("%llu bytes at %llu of memory of %llu bytes", (unsigned long long)bytes,
                       (unsigned long long)offset, (unsigned long long)memory->bytes);
}

static slip_status fake_copy(void *stream, const queue_memory *to, uint64_t to_offset,
                             const queue_memory *from, uint64_t from_offset, uint64_t bytes)
{
    fake_command c = { .kind = FAKE_COPY,
                       .to = to->buffer,
                       .to_offset = to_offset,
                       .from = from->buffer,
                       .from_offset = from_offset,
                       .bytes = bytes };

    check_part(to, to_offset, bytes);
    check_part(from, from_offset, bytes);
    return record(stream, "copy", &c);
}

static slip_status fake_zero(void *stream, const queue_memory *memory, uint64_t offset,
                             uint64_t bytes)
{
    fake_command c = {
        .kind = FAKE_ZERO, .to = memory->buffer, .to_offset = offset, .bytes = bytes
    };

    check_part(memory, offset, bytes);
    if (offset % 4 || bytes % 4)
        fake_say_wrong("zeroes %llu bytes at %llu: no multiples of 4", (unsigned long long)bytes,
                       (unsigned long long)offset);
    return record(stream, "zero", &c);
}

static slip_status fake_dispatch(void *stream, const queue_kernel *kernel, const void *push,
                                 uint32_t push_bytes, const uint32_t groups[3])
{
    fake_command c = { .kind = FAKE_TASK,
                       .shader = kernel->pipeline,
                       .local = kernel->local,
                       .push_bytes = push_bytes };

    if (push_bytes > sizeof c.push || push_bytes % 4)
        fake_say_wrong("%u bytes of push constants", push_bytes);
    for (int k = 0; k < 3; k++) {
        uint32_t most = fake.settings.max_groups[k] ? fake.settings.max_groups[k] : 1 << 16;
        if (groups[k] == 0 || groups[k] > most)
            fake_say_wrong("%u workgroups on axis %d", groups[k], k);
        c.groups[k] = groups[k];
    }
    memcpy(c.push, push, push_bytes > sizeof c.push ? sizeof c.push : push_bytes);
    return record(stream, "task", &c);
}

static slip_status fake_barrier(void *stream, uint32_t flags)
{
    fake_command c = { .kind = flags == QUEUE_BARRIER_HOST ? FAKE_HOST : FAKE_BARRIER };

    return record(stream, flags == QUEUE_BARRIER_HOST ? "host" : "barrier", &c);
}

static void send(fake_stream *s, const queue_point *after, uint32_t count, uint64_t *out)
{
    fake_pass_on();
    s->submitted++;
    for (size_t k = s->count; k-- > s->head && s->commands[k].value == 0;) {
        s->commands[k].value = s->submitted;
        s->commands[k].known = s->known;
    }
    for (uint32_t k = 0; k < count; k++) {
        fake_stream *other = after[k].stream;
        if (after[k].value > other->submitted)
            fake_say_wrong("waits for a value of another stream that was not submitted");
        fake_grow(&s->afters, &s->after_capacity, s->after_count + 1, sizeof *s->afters);
        s->afters[s->after_count++] = (fake_after){ s->submitted, other, after[k].value };
    }
    *out = s->submitted;
    if (fake.settings.eager && !fake.held)
        fake_run(s, s->submitted);
}

static slip_status fake_submit(void *stream, const queue_point *after, uint32_t count,
                               uint64_t *out)
{
    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter("submit", SLIP_ERR_DEVICE);
    if (status == SLIP_OK && fake.fail_submits > 0) {
        fake.fail_submits--;
        fake.failed = true;
        status = SLIP_FAIL(SLIP_ERR_DEVICE, "the fake was told to fail a submission");
    }
    if (status == SLIP_OK) {
        fake_log_word("submit");
        send(stream, after, count, out);
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void fake_discard(void *stream)
{
    fake_stream *s = stream;

    pthread_mutex_lock(&fake.lock);
    fake_log_word("discard");
    while (s->count > s->head && s->commands[s->count - 1].value == 0)
        s->count--;
    pthread_mutex_unlock(&fake.lock);
}

static slip_status fake_wait(void *stream, uint64_t value, uint64_t spin_ns)
{
    fake_stream *s = stream;

    (void)spin_ns;
    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter("wait", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fake_log_word("wait");
        while (fake.held)
            pthread_cond_wait(&fake.released, &fake.lock);
        if (value > s->submitted)
            fake_say_wrong("waits for a value that was not submitted: for ever");
        else
            fake_run(s, value);
        if (s->known < s->reached)
            s->known = s->reached;
        fake_show_host();
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

/* Now and then something has run in the meantime. */
static slip_status fake_reached(void *stream, uint64_t *out)
{
    fake_stream *s = stream;

    pthread_mutex_lock(&fake.lock);
    slip_status status = fake_enter("reached", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        if (!fake.held && s->reached < s->submitted && fake_pick(4) == 0)
            fake_run(s, s->reached + 1);
        *out = s->reached;
        if (s->known < s->reached)
            s->known = s->reached;
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

const queue_driver fake_queue_table = {
    .name = "fake",
    .missing = fake_missing,
    .device_count = fake_device_count,
    .info = fake_info,
    .open = fake_open,
    .close = fake_close,
    .after_fork = fake_after_fork,
    .limits = fake_limits,
    .without = fake_without,
    .describe = fake_describe,
    .alloc = fake_alloc,
    .free = fake_free,
    .trim = fake_trim,
    .kernel_new = fake_kernel_new,
    .kernel_drop = fake_kernel_drop,
    .cache_save = fake_cache_save,
    .stream_open = fake_stream_open,
    .stream_close = fake_stream_close,
    .copy = fake_copy,
    .zero = fake_zero,
    .dispatch = fake_dispatch,
    .barrier = fake_barrier,
    .submit = fake_submit,
    .discard = fake_discard,
    .wait = fake_wait,
    .reached = fake_reached,
};
