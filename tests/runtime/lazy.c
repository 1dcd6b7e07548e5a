/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lazy.c - the family of lazy.h.
 *
 * A stream is two numbers: work queued, and work that has ended. Memory is a block of the heap
 * behind an address that is none.
 */
#include "runtime/lazy.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

typedef struct lazy_stream {
    counters *counts;
    uint64_t queued, ended;
} lazy_stream;

lazy_state lazy;

/* Of the numbers of streams and of what is counted. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static slip_status may_fail(const char *slot)
{
    pthread_mutex_lock(&lock);
    bool lost = lazy.lost, fails = !lost && ++lazy.calls == lazy.fail_at;
    lazy.lost = lost || (fails && lazy.fail_with == SLIP_ERR_LOST);
    pthread_mutex_unlock(&lock);
    if (lost)
        return SLIP_FAIL(SLIP_ERR_LOST, "the lazy device is lost");
    if (fails)
        return SLIP_FAIL(lazy.fail_with, "%s was made to fail", slot);
    return SLIP_OK;
}

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    size_t used = strlen(lazy.log);
    va_list args;

    va_start(args, format);
    vsnprintf(lazy.log + used, sizeof lazy.log - used, format, args);
    va_end(args);
}

/* ---- devices --------------------------------------------------------------------------------- */

static const char *missing(void)
{
    return NULL;
}

static uint32_t device_count(void)
{
    return 1;
}

/* The targets are the CPU's: hand_module has code for those. */
static slip_status info(uint32_t index, drv_info *out)
{
    SLIP_TRY(may_fail("info"));
    SLIP_TRY(launch_cpu.info(index, out));
    out->kind = DRV_DISCRETE;
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    (void)index;
    SLIP_TRY(may_fail("open"));
    *out = &lazy;
    return SLIP_OK;
}

static void close_device(void *device)
{
    CHECK(device == &lazy);
    CHECK_EQ_I64(lazy.streams + lazy.memories + lazy.codes, 0);
}

static void after_fork(void *device)
{
    (void)device;
}

static const plan_facts *facts(void *device)
{
    (void)device;
    return plan_facts_named("vulkan");
}

static void describe(void *device, void (*line)(void *user, const char *name, const char *value),
                     void *user)
{
    (void)device;
    line(user, "made of", "nothing");
}

/* ---- memory and code ------------------------------------------------------------------------- */

static slip_status memory_new(void *device, uint64_t bytes, launch_memory_kind kind,
                              launch_memory *out)
{
    static uint64_t made;
    void *block = NULL;

    (void)device;
    SLIP_TRY(may_fail("memory_new"));
    if (bytes > lazy.room - lazy.used)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "the lazy device is full");
    SLIP_TRY(mem_new((size_t)bytes + sizeof bytes, &block));
    memcpy(block, &bytes, sizeof bytes);
    lazy.used += bytes;
    lazy.memories++;
    *out = (launch_memory){ .address = (LAZY_FIRST_ADDRESS + made++) << 32,
                            .host = kind == LAUNCH_MEMORY_PINNED ? (uint8_t *)block + sizeof bytes
                                                                 : NULL,
                            .own = block };
    return SLIP_OK;
}

static void memory_drop(void *device, launch_memory *memory)
{
    uint64_t bytes = 0;

    (void)device;
    memcpy(&bytes, memory->own, sizeof bytes);
    lazy.used -= bytes;
    lazy.memories--;
    mem_free(memory->own);
}

static void trim(void *device)
{
    (void)device;
}

static slip_status code_load(void *device, const mod_module *module, const mod_code *code,
                             void **out)
{
    (void)device;
    (void)module;
    (void)code;
    SLIP_TRY(may_fail("code_load"));
    SLIP_TRY(mem_new(1, out));
    lazy.codes++;
    return SLIP_OK;
}

static void code_drop(void *device, void *code)
{
    (void)device;
    lazy.codes -= code != NULL;
    mem_free(code);
}

static slip_status code_check(void *device, void *code, const mod_module *module,
                              const mod_entry *entry)
{
    (void)device;
    CHECK(code != NULL);
    CHECK(module == hand_module());
    SLIP_TRY(may_fail("code_check"));
    if (lazy.refused && strcmp(entry->name, lazy.refused) == 0)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "hand.c:%u needs what a lazy device lacks",
                         entry->tasks[0].place.line);
    return SLIP_OK;
}

/* ---- streams --------------------------------------------------------------------------------- */

static slip_status stream_open(void *device, bool is_default, counters *counts, void **out)
{
    lazy_stream *made = NULL;

    (void)device;
    (void)is_default;
    SLIP_TRY(may_fail("stream_open"));
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->counts = counts;
    lazy.streams++;
    *out = made;
    return SLIP_OK;
}

static void stream_close(void *stream)
{
    pthread_mutex_lock(&lock);
    lazy.streams--;
    pthread_mutex_unlock(&lock);
    mem_free(stream);
}

/* True where the work had not ended yet. */
static bool end_until(lazy_stream *s, uint64_t mark)
{
    pthread_mutex_lock(&lock);
    uint64_t until = mark < s->queued ? mark : s->queued;
    bool waits = until > s->ended;
    if (waits)
        s->ended = until;
    pthread_mutex_unlock(&lock);
    return waits;
}

static void wait_until(lazy_stream *s, uint64_t mark)
{
    bool waits = end_until(s, mark);

    pthread_mutex_lock(&lock);
    lazy.waits += waits;
    pthread_mutex_unlock(&lock);
}

static void queue(lazy_stream *s)
{
    pthread_mutex_lock(&lock);
    uint64_t queued = ++s->queued;
    pthread_mutex_unlock(&lock);
    if (!lazy.held)
        end_until(s, queued);
}

static slip_status mark_wait(void *stream, uint64_t mark)
{
    lazy_stream *s = stream;

    SLIP_TRY(may_fail("mark_wait"));
    if (lazy.in_wait)
        lazy.in_wait();
    note("wait %" PRIu64 "\n", mark);
    wait_until(s, mark);
    return SLIP_OK;
}

static slip_status sync_stream(void *stream, void **out_rest)
{
    lazy_stream *s = stream;

    (void)out_rest;
    SLIP_TRY(may_fail("stream_sync"));
    wait_until(s, LAZY_ALL);
    return SLIP_OK;
}

static slip_status mark(void *stream, uint64_t *out)
{
    lazy_stream *s = stream;

    SLIP_TRY(may_fail("mark"));
    *out = s->queued;
    return SLIP_OK;
}

static bool passed(void *stream, uint64_t mark)
{
    lazy_stream *s = stream;

    pthread_mutex_lock(&lock);
    bool has = lazy.lost || s->ended >= mark;
    pthread_mutex_unlock(&lock);
    return has;
}

static slip_status stream_after(void *stream, void *other, uint64_t mark)
{
    (void)stream;
    (void)other;
    SLIP_TRY(may_fail("stream_after"));
    note("after %" PRIu64 "\n", mark);
    return SLIP_OK;
}

static uint8_t *bytes_of(const launch_memory *memory, uint64_t offset, uint64_t bytes)
{
    uint64_t there = 0;

    memcpy(&there, memory->own, sizeof there);
    CHECK(offset <= there && bytes <= there - offset);
    return (uint8_t *)memory->own + sizeof there + offset;
}

static slip_status copy_up(void *stream, const launch_memory *to, uint64_t to_offset,
                           const void *from, uint64_t bytes)
{
    lazy_stream *s = stream;

    SLIP_TRY(may_fail("copy_up"));
    memcpy(bytes_of(to, to_offset, bytes), from, bytes);
    counters_add(&s->counts->uploads, 1);
    queue(s);
    return SLIP_OK;
}

static slip_status copy_down(void *stream, void *to, const launch_memory *from,
                             uint64_t from_offset, uint64_t bytes, void **out_rest)
{
    lazy_stream *s = stream;

    (void)out_rest;
    SLIP_TRY(may_fail("copy_down"));
    end_until(s, LAZY_ALL);
    memcpy(to, bytes_of(from, from_offset, bytes), bytes);
    counters_add(&s->counts->downloads, 1);
    return SLIP_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static slip_status ops_make(const plan *p, const mod_entry *entry, launch_ops **out)
{
    void *made = NULL;

    (void)p;
    (void)entry;
    SLIP_TRY(may_fail("ops_make"));
    SLIP_TRY(mem_new(1, &made));
    lazy.plans++;
    *out = made;
    return SLIP_OK;
}

static void ops_drop(launch_ops *ops)
{
    lazy.plans -= ops != NULL;
    mem_free(ops);
}

static slip_status perform(void *stream, launch_call *call)
{
    static const char *const homes[] = { "unknown", "pinned", "kept", "resident" };

    SLIP_TRY(may_fail("perform"));
    note("%s\n", call->program.entry->name);
    for (uint32_t k = 0; k < call->class_count; k++) {
        const launch_class *c = &call->classes[k];
        note("  class %u: %s, %" PRIu64 " bytes", k, homes[c->home], c->bytes);
        if (c->memory)
            note(" at %" PRIu64, c->memory_offset);
        note("\n");
    }
    for (uint32_t k = 0; k < call->array_count; k++) {
        const launch_array *a = &call->arrays[k];
        uint64_t slot = call->program.slots[a->param];
        const launch_class *c = &call->classes[a->class];
        note("  %s: class %u, %" PRIu64 " bytes at %" PRIu64 "%s\n",
             call->program.entry->params[a->param].name, a->class, a->bytes, a->offset,
             a->written ? ", written" : "");
        CHECK_EQ_U64(slot,
                     (c->memory ? c->memory->address + c->memory_offset : c->start) + a->offset);
    }
    queue(stream);
    return SLIP_OK;
}

const launcher *lazy_family(void)
{
    static const launcher table = { .name = "lazy",
                                    .foreign_addresses = true,
                                    .no_native_streams = "nobody else has a queue",
                                    .missing = missing,
                                    .device_count = device_count,
                                    .info = info,
                                    .open = open_device,
                                    .close = close_device,
                                    .after_fork = after_fork,
                                    .facts = facts,
                                    .describe = describe,
                                    .memory_new = memory_new,
                                    .memory_drop = memory_drop,
                                    .trim = trim,
                                    .code_load = code_load,
                                    .code_drop = code_drop,
                                    .code_check = code_check,
                                    .stream_open = stream_open,
                                    .stream_close = stream_close,
                                    .stream_sync = sync_stream,
                                    .mark = mark,
                                    .passed = passed,
                                    .mark_wait = mark_wait,
                                    .stream_after = stream_after,
                                    .copy_up = copy_up,
                                    .copy_down = copy_down,
                                    .ops_make = ops_make,
                                    .ops_drop = ops_drop,
                                    .perform = perform };

    return &table;
}

void lazy_open(hand_device *out)
{
    lazy = (lazy_state){ .fail_with = SLIP_ERR_DEVICE, .room = UINT32_MAX };
    CHECK_RESULT(device_open_with(lazy_family(), 0, &out->device), SLIP_OK);
    out->stream = slip_default(out->device);
    CHECK_RESULT(module_adopt(out->device, hand_module(), &out->module), SLIP_OK);
}

void lazy_close(hand_device *on)
{
    hand_close(on);
    CHECK_EQ_I64(lazy.streams + lazy.memories + lazy.codes + lazy.plans, 0);
}

void lazy_run(slip_stream *stream, uint64_t mark)
{
    end_until(stream->self, mark);
}

int lazy_streams(void)
{
    pthread_mutex_lock(&lock);
    int streams = lazy.streams;
    pthread_mutex_unlock(&lock);
    return streams;
}
