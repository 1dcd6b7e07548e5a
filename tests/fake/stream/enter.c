/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enter.c - what every entry point does first and last, and what tests say and ask.
 *
 * From outside: SLIPFAKE_SCHEDULE (eager, lazy, random), SLIPFAKE_SEED, SLIPFAKE_DEVICES,
 * SLIPFAKE_MEMORY (bytes), SLIPFAKE_FAIL (NAME:K:CODE), SLIPFAKE_CODE (a folder, see code.c),
 * SLIPFAKE_LOG, SLIPFAKE_ABORT. Everything found wrong is a line on stderr that begins with
 * "slipfake: ".
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake/stream/core.h"
#include "fake/stream/lock.h"
#include "fake/stream/tell.h"

fake_state fake = { .lane_count = 1 };
__thread bool fake_inside;

static struct {
    int slot; /* -1: any */
    uint64_t at, seen;
    int code;
    const char *name; /* of the entry point that failed */
} failing;
static char last_report[512];
static int settled;

/* ---- draws ---- */

static uint64_t next_random(void)
{
    fake.seed ^= fake.seed << 13;
    fake.seed ^= fake.seed >> 7;
    fake.seed ^= fake.seed << 17;
    return fake.seed * 0x2545f4914f6cdd1du;
}

uint32_t fake_draw(uint32_t n)
{
    switch (fake.schedule) {
    case FAKE_EAGER:
        return 0;
    case FAKE_LAZY:
        return n - 1;
    case FAKE_RANDOM:
        return (uint32_t)((next_random() >> 33) % n);
    }
    return 0;
}

void fake_report(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(last_report, sizeof last_report, format, args);
    va_end(args);
    fake.reports++;
    if (!fake.quiet)
        fprintf(stderr, "slipfake: %s\n", last_report);
    if (getenv("SLIPFAKE_ABORT"))
        abort();
}

/* ---- settings ---- */

static int slot_named(const char *name, size_t length)
{
    for (int k = 0; k < FAKE_SLOT_COUNT; k++)
        if (fake_rows[k].name && strlen(fake_rows[k].name) == length &&
            strncmp(fake_rows[k].name, name, length) == 0)
            return k;
    return -1;
}

static void set_schedule(const char *name)
{
    fake.schedule = name && strcmp(name, "lazy") == 0     ? FAKE_LAZY
                    : name && strcmp(name, "random") == 0 ? FAKE_RANDOM
                                                          : FAKE_EAGER;
}

static void settle(void)
{
    const char *text;

    settled = 1;
    failing.slot = -1;
    fake.process = (int32_t)getpid();
    fake.memory_limit = (uint64_t)2 << 30; /* filling it takes time */
    fake.devices = (text = getenv("SLIPFAKE_DEVICES")) ? atoi(text) : 1;
    if ((text = getenv("SLIPFAKE_MEMORY")) != NULL)
        fake.memory_limit = strtoull(text, NULL, 0);
    fake.seed = (text = getenv("SLIPFAKE_SEED")) ? strtoull(text, NULL, 0) : 0;
    fake.seed = (fake.seed + 1) * 0x9e3779b97f4a7c15u;
    set_schedule(getenv("SLIPFAKE_SCHEDULE"));
    if ((text = getenv("SLIPFAKE_FAIL")) != NULL) {
        const char *colon = strchr(text, ':');
        if (colon && sscanf(colon, ":%lu:%d", &failing.at, &failing.code) == 2)
            failing.slot = slot_named(text, (size_t)(colon - text));
    }
}

/* ---- entry points ---- */

/* What gives something back, or what was current: it does so when earlier work has failed too, and
 * tells of that. */
static bool gives_back(fake_slot slot)
{
    static const bool closing[FAKE_SLOT_COUNT] = {
        [FAKE_SLOT_memory_free] = true,
        [FAKE_SLOT_host_free] = true,
        [FAKE_SLOT_host_unregister] = true,
        [FAKE_SLOT_code_unload] = true,
        [FAKE_SLOT_stream_drop] = true,
        [FAKE_SLOT_event_drop] = true,
#if !defined(FAKE_HIP)
        [FAKE_SLOT_context_release] = true,
        [FAKE_SLOT_context_push] = true,
        [FAKE_SLOT_context_pop] = true,
#endif
    };

    return closing[slot];
}

/* Works after a loss, or nothing could be given back. */
static bool makes_current(fake_slot slot)
{
#if defined(FAKE_HIP)
    return slot == FAKE_SLOT_device_select || slot == FAKE_SLOT_device_current;
#else
    return slot == FAKE_SLOT_context_push || slot == FAKE_SLOT_context_current;
#endif
}

/* One of the codes that the entry point's page lists. */
static int listed(fake_slot slot, uint32_t choice)
{
    uint64_t fatal = FAKE_ASYNC | FAKE_BIT(DEINITIALIZED);
    uint64_t codes = fake_rows[slot].codes & ~fatal;
    uint32_t k = 0;

    if (choice % 4 == 0 || codes == 0)
        codes = fake_rows[slot].codes | FAKE_ASYNC;
    choice = choice * 2654435761u % (uint32_t)__builtin_popcountll(codes);
    while (!(codes >> k & 1) || choice-- > 0)
        k++;
    return error_number(k);
}

/* A call that is to fail does so before it does anything, and as a call that failed for a reason
 * of its own; after a sticky code all do. */
static int injected(fake_slot slot)
{
    if (failing.at == 0 || (failing.slot >= 0 && failing.slot != (int)slot))
        return FAKE_OK;
    if (++failing.seen != failing.at)
        return FAKE_OK;
    int code = failing.code >= 0 ? failing.code : listed(slot, (uint32_t)-failing.code);
    if (error_is_sticky(code)) {
        fake.sticky = code;
        queue_abandon();
    }
    failing.at = 0;
    failing.name = fake_rows[slot].name;
    return code;
}

static __thread fake_slot slot_now;

/* Each call and what it gave, where SLIPFAKE_LOG asks for it. */
static void log_call(int code)
{
    static int on = -1;

    if (on < 0)
        on = getenv("SLIPFAKE_LOG") != NULL;
    if (on)
        fprintf(stderr, "slipfake log: call %llu %s gives %d\n",
                (unsigned long long)fake.counts[FAKE_COUNT_CALLS], fake_rows[slot_now].name, code);
}

int fake_enter(fake_slot slot)
{
    fake_lock();
    fake_inside = true;
    slot_now = slot;
    if (!settled)
        settle();
    if (fake.process != (int32_t)getpid()) {
        /* CUDA C++ Programming Guide, "Initialization": not usable in a child of fork. */
        fake_report("%s is called in a child of a fork", fake_rows[slot].name);
        return FAKE_NOT_INITIALIZED;
    }
    fault_listen();
    hold_enter(slot);
    fake.counts[FAKE_COUNT_CALLS]++;
    bool failed_before = fake.sticky != 0;
    int code = injected(slot);
    if (fake.sticky && gives_back(slot))
        return FAKE_OK;
    if (failed_before && makes_current(slot))
        return FAKE_OK;
    if (fake.sticky || code)
        return fake.sticky ? fake.sticky : code;
    if (fake.ready || slot == FAKE_SLOT_init || slot == FAKE_SLOT_version)
        return capture_forbids(slot);
    return fake_vendor_row.has_contexts ? FAKE_NOT_INITIALIZED : FAKE_OK; /* HIP begins by itself */
}

int fake_enter_in_context(fake_slot slot)
{
    int code = fake_enter(slot);

    return code ? code : context_now() ? FAKE_OK : FAKE_INVALID_CONTEXT;
}

/* No page says that what a failed call was to write is as it was. */
int fake_spoil(int code, void *out)
{
    static const uint64_t poison = 0xdbdbdbdbdbdbdbdb;

    if (code && out)
        memcpy(out, &poison, sizeof poison);
    return code;
}

int fake_leave(int code)
{
    queue_step();
    guard_update();
    if (code == FAKE_OK && !makes_current(slot_now))
        code = fake.sticky;
    log_call(code);
    fake_inside = false;
    fake_unlock();
    return code;
}

/* ---- what tests say and ask ---- */

void slipfake_reset(const char *schedule, uint64_t seed)
{
    fake_lock();
    if (!settled)
        settle();
    queue_run_all(NULL);
    for (uint32_t k = 1; k < fake.lane_count; k++)
        clock_join(&fake.host, fake.lanes[k].clock);
    fake.guards_stale = true;
    guard_update();
    set_schedule(schedule);
    fake.seed = (seed + 1) * 0x9e3779b97f4a7c15u;
    fake.sticky = 0;
    fake.reports = 0;
    failing.at = 0;
    failing.name = NULL;
    last_report[0] = 0;
    memset(fake.counts, 0, sizeof fake.counts);
    fake_unlock();
}

int slipfake_fail(const char *name, uint64_t k, int code)
{
    fake_lock();
    if (!settled)
        settle();
    failing.slot = name ? slot_named(name, strlen(name)) : -1;
    failing.at = k;
    failing.seen = 0;
    failing.code = code;
    failing.name = NULL;
    int known = !name || failing.slot >= 0;
    fake_unlock();
    return known;
}

const char *slipfake_failed(void)
{
    fake_lock();
    const char *name = failing.name;
    fake_unlock();
    return name;
}

uint32_t slipfake_reports(char *out, uint32_t room)
{
    fake_lock();
    uint32_t count = fake.reports;
    if (room > 0)
        snprintf(out, room, "%s", last_report);
    fake_unlock();
    return count;
}

void slipfake_quiet(int quiet)
{
    fake_lock();
    fake.quiet = quiet;
    fake_unlock();
}

uint64_t slipfake_count(int which)
{
    fake_lock();
    uint64_t count = fake.counts[which];
    fake_unlock();
    return count;
}

void slipfake_forked(void)
{
    fake.process = (int32_t)getpid();
}

uint32_t slipfake_live(void)
{
    uint32_t count = 0;

    fake_lock();
    for (const fake_range *r = fake.ranges; r; r = r->next)
        count++;
    for (const fake_stream *s = fake.streams; s; s = s->next)
        count += !s->thread;
    for (const fake_event *e = fake.events; e; e = e->next)
        count++;
    for (const fake_code *c = fake.codes; c; c = c->next)
        count++;
    for (const fake_context *c = fake.contexts; c; c = c->next)
        count += c->retained;
    fake_unlock();
    return count;
}

uint32_t slipfake_codes(uint32_t slot, const char **out_name, int *codes, uint32_t room)
{
    uint32_t count = 0;

    *out_name = slot < FAKE_SLOT_COUNT ? fake_rows[slot].name : "";
    for (uint32_t k = 0; slot < FAKE_SLOT_COUNT && k < FAKE_ERROR_COUNT && count < room; k++)
        if ((fake_rows[slot].codes | FAKE_ASYNC) >> k & 1)
            codes[count++] = error_number(k);
    return count;
}

void slipfake_own(void *lane, uint64_t at, uint64_t bytes)
{
    fake_lock();
    memory_own(lane, at, bytes);
    fake_unlock();
}
