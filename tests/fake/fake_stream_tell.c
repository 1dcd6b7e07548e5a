/* SPDX-License-Identifier: Apache-2.0 */
/* fake_stream_tell.c - what a test tells the fake, and what it tells of itself; see fake_stream.h.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fake/fake_stream_parts.h"

fs_state fs = { .lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER };

void fs_wrong(const char *format, ...)
{
    va_list args;

    if (fs.wrong[0])
        return;
    va_start(args, format);
    vsnprintf(fs.wrong, sizeof fs.wrong, format, args);
    va_end(args);
}

uint32_t fs_pick(uint32_t below)
{
    fs.random ^= fs.random << 13;
    fs.random ^= fs.random >> 7;
    fs.random ^= fs.random << 17;
    return (uint32_t)(fs.random % below);
}

void fs_grow(void *array, size_t *capacity, size_t count, size_t element_bytes)
{
    void **at = array;

    if (count <= *capacity)
        return;
    *capacity = count * 2;
    *at = realloc(*at, *capacity * element_bytes);
    if (!*at)
        abort();
}

void fs_log(const char *word, const fs_stream *stream)
{
    char text[64];

    if (stream && stream->id > 0)
        snprintf(text, sizeof text, "%s:%u", word, stream->id);
    else
        snprintf(text, sizeof text, "%s", word);
    size_t length = strlen(text);
    if (fs.log_used + length + 2 > sizeof fs.log)
        return;
    if (fs.log_used)
        fs.log[fs.log_used++] = ' ';
    memcpy(fs.log + fs.log_used, text, length + 1);
    fs.log_used += length;
}

slip_status fs_try(const char *word, slip_status failure)
{
    if (fs.lost)
        return SLIP_FAIL(SLIP_ERR_LOST, "the fake device is lost");
    fs.tries++;
    if (fs.fail_at && (fs.fail_on ? fs.tries >= fs.fail_at : fs.tries == fs.fail_at)) {
        fs.failed = true;
        fs.lost = fs.fail_lost;
        return SLIP_FAIL(fs.lost ? SLIP_ERR_LOST : failure, "the fake was told to fail in %s",
                         word);
    }
    fs_drift();
    return SLIP_OK;
}

void fs_join(fs_clock *into, const fs_clock *from)
{
    for (int k = 0; k < FS_STREAMS; k++)
        if (into->of[k] < from->of[k])
            into->of[k] = from->of[k];
}

/* ---- settings -------------------------------------------------------------------------------- */

void fake_stream_reset(fake_stream_settings settings)
{
    pthread_mutex_lock(&fs.lock);
    fs.settings = settings;
    fs.random = settings.seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
    fs.captured_launches = 0;
    fs.live = fs.live_bytes = fs.calls = fs.waits = fs.tries = fs.fail_at = fs.log_used = 0;
    fs.fail_lost = fs.fail_on = fs.failed = fs.lost = fs.held = false;
    fs.next_id = 0;
    fs.touch_count = 0;
    fs.host = (fs_clock){ { 0 } };
    fs.wrong[0] = fs.log[0] = '\0';
    pthread_mutex_unlock(&fs.lock);
}

void fake_stream_fail_at(uint64_t k, bool lost)
{
    pthread_mutex_lock(&fs.lock);
    fs.fail_at = k ? fs.tries + k : 0;
    fs.fail_lost = lost;
    fs.failed = fs.fail_on = false;
    pthread_mutex_unlock(&fs.lock);
}

void fake_stream_fail_from(uint64_t k)
{
    fake_stream_fail_at(k, false);
    fs.fail_on = true;
}

uint64_t fake_stream_pending(void)
{
    uint64_t pending = 0;

    pthread_mutex_lock(&fs.lock);
    for (const fs_stream *s = fs.streams; s; s = s->next)
        for (size_t k = s->head; k < s->count; k++)
            pending += s->ops[k].kind != FS_RECORD && s->ops[k].kind != FS_AFTER;
    pthread_mutex_unlock(&fs.lock);
    return pending;
}

bool fake_stream_failed(void)
{
    pthread_mutex_lock(&fs.lock);
    bool failed = fs.failed;
    pthread_mutex_unlock(&fs.lock);
    return failed;
}

void fake_stream_hold(bool held)
{
    pthread_mutex_lock(&fs.lock);
    fs.held = held;
    pthread_cond_broadcast(&fs.released);
    pthread_mutex_unlock(&fs.lock);
}

uint64_t fake_stream_live(void)
{
    return fs.live;
}

uint64_t fake_stream_waits(void)
{
    return fs.waits;
}

uint64_t fake_stream_calls(void)
{
    return fs.calls;
}

const char *fake_stream_wrong(void)
{
    return fs.wrong;
}

void fake_stream_forgive(void)
{
    fs.wrong[0] = '\0';
}

const char *fake_stream_log(void)
{
    return fs.log;
}

void fake_stream_log_clear(void)
{
    pthread_mutex_lock(&fs.lock);
    fs.log_used = 0;
    fs.log[0] = '\0';
    pthread_mutex_unlock(&fs.lock);
}
