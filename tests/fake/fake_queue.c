/* SPDX-License-Identifier: Apache-2.0 */
/* fake_queue.c - memory, recording and failures of the fake; see fake_queue.h. */
#define _GNU_SOURCE
#include "fake/fake_queue_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

fake_queue fake = { .lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER };

void fake_say_wrong(const char *format, ...)
{
    va_list args;

    if (fake.wrong[0])
        return;
    va_start(args, format);
    vsnprintf(fake.wrong, sizeof fake.wrong, format, args);
    va_end(args);
}

uint32_t fake_pick(uint32_t below)
{
    fake.random ^= fake.random << 13;
    fake.random ^= fake.random >> 7;
    fake.random ^= fake.random << 17;
    return (uint32_t)(fake.random % below);
}

void fake_grow(void *array, size_t *capacity, size_t count, size_t element_bytes)
{
    void **at = array;

    if (count <= *capacity)
        return;
    *capacity = count * 2;
    *at = realloc(*at, *capacity * element_bytes);
    if (!*at)
        abort();
}

static void log_word(const char *word)
{
    size_t length = strlen(word);

    if (fake.log_used + length + 2 > sizeof fake.log)
        return;
    if (fake.log_used)
        fake.log[fake.log_used++] = ' ';
    memcpy(fake.log + fake.log_used, word, length + 1);
    fake.log_used += length;
}

/* Each call that can fail passes here. */
static slip_status enter(const char *word, slip_status failure)
{
    if (fake.lost)
        return SLIP_FAIL(SLIP_ERR_LOST, "the fake device is lost");
    fake.calls++;
    if (fake.fail_at && fake.calls == fake.fail_at) {
        fake.failed = true;
        fake.lost = fake.fail_lost;
        return SLIP_FAIL(fake.lost ? SLIP_ERR_LOST : failure, "the fake was told to fail in %s",
                         word);
    }
    return SLIP_OK;
}

/* ---- settings -------------------------------------------------------------------------------- */

void fake_queue_reset(fake_queue_settings settings)
{
    pthread_mutex_lock(&fake.lock);
    fake.settings = settings;
    fake.random = settings.seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
    fake.live = fake.live_bytes = fake.calls = fake.fail_at = fake.log_used = fake.number = 0;
    fake.fail_submits = 0;
    fake.fail_lost = fake.failed = fake.lost = fake.held = false;
    fake.wrong[0] = fake.log[0] = '\0';
    pthread_mutex_unlock(&fake.lock);
}

void fake_queue_fail_at(uint64_t k, bool lost)
{
    pthread_mutex_lock(&fake.lock);
    fake.fail_at = k ? fake.calls + k : 0;
    fake.fail_lost = lost;
    fake.failed = false;
    pthread_mutex_unlock(&fake.lock);
}

void fake_queue_fail_submits(uint32_t count)
{
    pthread_mutex_lock(&fake.lock);
    fake.fail_submits = count;
    fake.failed = false;
    pthread_mutex_unlock(&fake.lock);
}

bool fake_queue_failed(void)
{
    pthread_mutex_lock(&fake.lock);
    bool failed = fake.failed;
    pthread_mutex_unlock(&fake.lock);
    return failed;
}

void fake_queue_hold(bool held)
{
    pthread_mutex_lock(&fake.lock);
    fake.held = held;
    pthread_cond_broadcast(&fake.released);
    pthread_mutex_unlock(&fake.lock);
}

uint64_t fake_queue_live(void)
{
    return fake.live;
}

const char *fake_queue_wrong(void)
{
    return fake.wrong;
}

void fake_queue_forgive(void)
{
    fake.wrong[0] = '\0';
}

const char *fake_queue_log(void)
{
    return fake.log;
}

void fake_queue_log_clear(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.log_used = 0;
    fake.log[0] = '\0';
    pthread_mutex_unlock(&fake.lock);
}

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
    slip_status status = enter("open", SLIP_ERR_DEVICE);
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

static void fake_describe(void *self, void (*line)(void *user, const char *name, const char *value),
                          void *user)
{
    (void)self;
    line(user, "driver", "a fake");
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint8_t *poisoned(uint64_t bytes)
{
    uint8_t *made = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (!made)
        abort();
    memset(made, FAKE_POISON, bytes);
    return made;
}

static slip_status make_memory(uint64_t bytes, queue_memory_kind kind, queue_memory *out)
{
    SLIP_TRY(enter("alloc", SLIP_ERR_MEMORY));
    if (fake.settings.most_bytes && fake.live_bytes + bytes > fake.settings.most_bytes)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "the fake device has no %llu bytes more",
                         (unsigned long long)bytes);
    fake_memory *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    made->bytes = bytes;
    made->device = poisoned(bytes);
    if (kind != QUEUE_MEMORY_DEVICE || fake.settings.device_mapped) {
        made->host = poisoned(bytes);
        made->before = poisoned(bytes);
    }
    made->next = fake.memories;
    fake.memories = made;
    fake.live++;
    fake.live_bytes += bytes;
    *out = (queue_memory){ .buffer = made,
                           .bytes = bytes,
                           .address = (uint64_t)(uintptr_t)made->device,
                           .host = made->host };
    return SLIP_OK;
}

static slip_status fake_alloc(void *self, uint64_t bytes, queue_memory_kind kind, queue_memory *out)
{
    (void)self;
    pthread_mutex_lock(&fake.lock);
    slip_status status = make_memory(bytes, kind, out);
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void check_unused(const fake_memory *memory)
{
    for (fake_stream *s = fake.lost ? NULL : fake.streams; s; s = s->next)
        for (size_t k = s->head; k < s->count; k++)
            if (!s->commands[k].done &&
                (s->commands[k].to == memory || s->commands[k].from == memory))
                fake_say_wrong("memory was freed that a pending copy uses");
}

static void fake_free(void *self, queue_memory *memory)
{
    fake_memory *gone = memory->buffer, **at = &fake.memories;

    (void)self;
    if (!gone)
        return;
    pthread_mutex_lock(&fake.lock);
    check_unused(gone);
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    fake.live--;
    fake.live_bytes -= gone->bytes;
    memset(gone->device, 0xdd, gone->bytes);
    free(gone->device);
    free(gone->host);
    free(gone->before);
    free(gone->dirty.all);
    free(gone->available.all);
    free(gone);
    memset(memory, 0, sizeof *memory);
    pthread_mutex_unlock(&fake.lock);
}

static void fake_trim(void *self)
{
    (void)self;
}

/* A device sees memory without asking the host's threads: TSan is not to look, and must not be led
 * to by a function that it knows. */
__attribute__((no_sanitize("thread"))) static void pass_on(fake_memory *m)
{
    typedef uint64_t __attribute__((may_alias)) word;
    uint64_t whole = m->bytes / sizeof(word);

    for (uint64_t k = 0; k < whole; k++)
        if (((const word *)m->host)[k] != ((const word *)m->before)[k])
            for (uint64_t b = 8 * k; b < 8 * k + 8; b++)
                if (m->host[b] != m->before[b])
                    m->device[b] = m->before[b] = m->host[b];
    for (uint64_t b = 8 * whole; b < m->bytes; b++)
        if (m->host[b] != m->before[b])
            m->device[b] = m->before[b] = m->host[b];
}

void fake_pass_on(void)
{
    for (fake_memory *m = fake.memories; m; m = m->next)
        if (m->host)
            pass_on(m);
}

void fake_show_host(void)
{
    for (fake_memory *m = fake.memories; m; m = m->next) {
        for (size_t k = 0; k < m->available.count && m->host; k++) {
            fake_range r = m->available.all[k];
            memcpy(m->host + r.start, m->device + r.start, r.end - r.start);
            memcpy(m->before + r.start, m->device + r.start, r.end - r.start);
        }
        m->available.count = 0;
    }
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
    slip_status status = enter("kernel_new", SLIP_ERR_DEVICE);
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
    slip_status status = enter("stream_open", SLIP_ERR_DEVICE);
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
    slip_status status = enter(word, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        log_word(word);
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
    slip_status status = enter("submit", SLIP_ERR_DEVICE);
    if (status == SLIP_OK && fake.fail_submits > 0) {
        fake.fail_submits--;
        fake.failed = true;
        status = SLIP_FAIL(SLIP_ERR_DEVICE, "the fake was told to fail a submission");
    }
    if (status == SLIP_OK) {
        log_word("submit");
        send(stream, after, count, out);
    }
    pthread_mutex_unlock(&fake.lock);
    return status;
}

static void fake_discard(void *stream)
{
    fake_stream *s = stream;

    pthread_mutex_lock(&fake.lock);
    log_word("discard");
    while (s->count > s->head && s->commands[s->count - 1].value == 0)
        s->count--;
    pthread_mutex_unlock(&fake.lock);
}

static slip_status fake_wait(void *stream, uint64_t value, uint64_t spin_ns)
{
    fake_stream *s = stream;

    (void)spin_ns;
    pthread_mutex_lock(&fake.lock);
    slip_status status = enter("wait", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        log_word("wait");
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
    slip_status status = enter("reached", SLIP_ERR_DEVICE);
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
