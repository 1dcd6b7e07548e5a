/* SPDX-License-Identifier: Apache-2.0 */
/* fake_memory.c - memory of the fake: the device's, and what of it the host sees. */
#define _GNU_SOURCE
#include "fake/fake_queue_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

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
    SLIP_TRY(fake_enter("alloc", SLIP_ERR_MEMORY));
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

slip_status fake_alloc(void *self, uint64_t bytes, queue_memory_kind kind, queue_memory *out)
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

void fake_free(void *self, queue_memory *memory)
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

void fake_trim(void *self)
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
