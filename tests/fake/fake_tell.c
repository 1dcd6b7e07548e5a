/* SPDX-License-Identifier: Apache-2.0 */
/* fake_tell.c - what a test tells the fake, and what the fake tells of itself; see fake_queue.h. */
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

void fake_log_word(const char *word)
{
    size_t length = strlen(word);

    if (fake.log_used + length + 2 > sizeof fake.log)
        return;
    if (fake.log_used)
        fake.log[fake.log_used++] = ' ';
    memcpy(fake.log + fake.log_used, word, length + 1);
    fake.log_used += length;
}

slip_status fake_enter(const char *word, slip_status failure)
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

void fake_queue_run_one(void)
{
    pthread_mutex_lock(&fake.lock);
    for (fake_stream *s = fake.streams; s; s = s->next)
        if (s->reached < s->submitted)
            fake_run(s, s->reached + 1);
    pthread_mutex_unlock(&fake.lock);
}

uint32_t fake_queue_without(void)
{
    return fake.without;
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
