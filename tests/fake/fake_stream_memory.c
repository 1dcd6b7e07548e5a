/* SPDX-License-Identifier: Apache-2.0 */
/* fake_stream_memory.c - entering the fake, and its memory and code; see fake_stream.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fake/fake_stream_parts.h"

static _Thread_local bool refused; /* the last enter */
static _Thread_local int inside;   /* enters without a leave */

slip_status fs_begin(const char *word, const fs_stream *stream, slip_status failure)
{
    pthread_mutex_lock(&fs.lock);
    if (!inside)
        fs_wrong("%s is called outside of enter and leave", word);
    fs.calls++;
    slip_status status = fs_try(word, failure);
    if (status == SLIP_OK)
        fs_log(word, stream);
    return status;
}

slip_status fs_end(slip_status status)
{
    pthread_mutex_unlock(&fs.lock);
    return status;
}

/* The closing slots work also when the device is lost. */
void fs_close_slot(const char *word, bool waits)
{
    pthread_mutex_lock(&fs.lock);
    if (!inside && !fs.lost && !refused)
        fs_wrong("%s is called outside of enter and leave", word);
    fs.calls++;
    fs.waits += waits;
    fs_log(word, NULL);
}

slip_status fs_enter(void *self, stream_guard *out)
{
    (void)self;
    pthread_mutex_lock(&fs.lock);
    slip_status status = fs_try("enter", SLIP_ERR_DEVICE);
    refused = status != SLIP_OK;
    if (status == SLIP_OK) {
        fs_log("enter", NULL);
        *out = (stream_guard){ &inside, true };
        inside++;
    }
    return fs_end(status);
}

void fs_leave(void *self, const stream_guard *guard)
{
    (void)self;
    pthread_mutex_lock(&fs.lock);
    fs_log("leave", NULL);
    if (inside-- <= 0 || guard->before != &inside)
        fs_wrong("a leave without an enter on this thread");
    pthread_mutex_unlock(&fs.lock);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void add_memory(uint8_t *start, uint64_t bytes, bool host, bool registered,
                       stream_memory *out)
{
    fs_memory *made = calloc(1, sizeof *made);

    if (!made)
        abort();
    *made = (fs_memory){ fs.memories, start, bytes, host, registered };
    fs.memories = made;
    fs.live++;
    *out = (stream_memory){ .address = (uint64_t)(uintptr_t)start,
                            .host = host ? start : NULL,
                            .bytes = bytes };
}

slip_status fs_alloc(void *self, uint64_t bytes, stream_memory_kind kind, stream_memory *out)
{
    (void)self;
    slip_status status = fs_begin("alloc", NULL, SLIP_ERR_MEMORY);
    if (status == SLIP_OK && fs.settings.most_bytes &&
        fs.live_bytes + bytes > fs.settings.most_bytes)
        status = SLIP_FAIL(SLIP_ERR_MEMORY, "the fake device has no %llu bytes more",
                           (unsigned long long)bytes);
    if (status == SLIP_OK) {
        uint8_t *start = aligned_alloc(256, (bytes + 255) / 256 * 256);
        if (!start)
            abort();
        memset(start, FS_POISON, bytes);
        fs.live_bytes += bytes;
        add_memory(start, bytes, kind == STREAM_MEMORY_PINNED, false, out);
    }
    return fs_end(status);
}

void fs_owned(void *self, void *stream, uint64_t address, uint64_t bytes)
{
    const uint8_t *at = (const uint8_t *)(uintptr_t)address;
    bool found = false;

    (void)self;
    pthread_mutex_lock(&fs.lock);
    for (const fs_memory *m = fs.memories; m; m = m->next)
        found = found || (at >= m->start && bytes <= m->bytes &&
                          at - m->start <= (ptrdiff_t)(m->bytes - bytes) && m->host == !stream);
    if (!found)
        fs_wrong("a stream is given memory that was not allocated");
    pthread_mutex_unlock(&fs.lock);
}

static void check_unused(const fs_memory *m, const char *what)
{
    for (const fs_stream *s = fs.lost ? NULL : fs.streams; s; s = s->next)
        for (size_t k = s->head; k < s->count; k++) {
            const fs_op *op = &s->ops[k];
            const uint8_t *to = op->to, *from = op->from;
            if ((to >= m->start && to < m->start + m->bytes) ||
                (from >= m->start && from < m->start + m->bytes))
                fs_wrong("memory was %s that a pending operation uses", what);
        }
}

static void remove_memory(stream_memory *memory, const char *what)
{
    fs_memory **at = &fs.memories;

    while (*at && (uint64_t)(uintptr_t)(*at)->start != memory->address)
        at = &(*at)->next;
    if (!*at) {
        fs_wrong("memory was %s that is not there", what);
        return;
    }
    fs_memory *gone = *at;
    check_unused(gone, what);
    fs_forget_touches(gone->start, gone->start + gone->bytes);
    *at = gone->next;
    if (!gone->registered) {
        fs.live_bytes -= gone->bytes;
        memset(gone->start, 0xdd, gone->bytes);
        free(gone->start);
    }
    free(gone);
    fs.live--;
    *memory = (stream_memory){ 0 };
}

void fs_free_memory(void *self, stream_memory *memory)
{
    (void)self;
    fs_close_slot("free", true);
    remove_memory(memory, "freed");
    pthread_mutex_unlock(&fs.lock);
}

slip_status fs_host_register(void *self, void *host, uint64_t bytes, stream_memory *out)
{
    (void)self;
    slip_status status = fs_begin("register", NULL, SLIP_ERR_DEVICE);
    if (status == SLIP_OK)
        add_memory(host, bytes, true, true, out);
    return fs_end(status);
}

void fs_host_unregister(void *self, stream_memory *memory)
{
    (void)self;
    fs_close_slot("unregister", true);
    remove_memory(memory, "unregistered");
    pthread_mutex_unlock(&fs.lock);
}

/* ---- code ------------------------------------------------------------------------------------ */

/* The bytes are pointers to fake_shaders. */
slip_status fs_on_device(void *self, const void *pointer, bool *out)
{
    (void)self;
    slip_status status = fs_begin("on_device", NULL, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        const fs_memory *m = fs_memory_at(pointer, 1);
        *out = m && !m->host;
    }
    return fs_end(status);
}

slip_status fs_code_load(void *self, const uint8_t *bytes, uint64_t size, void **out)
{
    (void)self;
    (void)size;
    slip_status status = fs_begin("code_load", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (status == SLIP_OK) {
        fs.live++;
        *out = (void *)(uintptr_t)bytes;
    }
    return fs_end(status);
}

void fs_code_drop(void *self, void *code)
{
    (void)self;
    (void)code;
    fs_close_slot("code_drop", true);
    for (const fs_stream *s = fs.lost ? NULL : fs.streams; s; s = s->next)
        for (size_t k = s->head; k < s->count; k++)
            if (s->ops[k].kind == FS_LAUNCH)
                fs_wrong("code was dropped while a task is pending");
    fs.live--;
    pthread_mutex_unlock(&fs.lock);
}

slip_status fs_kernel_get(void *self, void *code, uint32_t index, stream_kernel *out)
{
    const uint8_t *bytes = code;

    (void)self;
    slip_status status = fs_begin("kernel_get", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (status == SLIP_OK)
        memcpy(&out->function, bytes + index * sizeof(void *), sizeof(void *));
    return fs_end(status);
}
