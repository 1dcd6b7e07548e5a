/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_run.c - runs the fake's commands: late, and in any order that barriers and waits allow.
 */
#include "fake/fake_queue_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what commands touch --------------------------------------------------------------------- */

/* Host waits order too: `b` was submitted when the host knew that `a` had ended. */
static bool ordered(const fake_touch *a, const fake_touch *b)
{
    return a->command == b->command || a->value <= b->known || b->value <= a->known;
}

static void note(const void *at, uint64_t bytes, bool writes, bool updates)
{
    fake_stream *s = fake.running_on;
    const fake_command *c = fake.running;
    fake_touch t = { .start = at,
                     .end = (const uint8_t *)at + bytes,
                     .writes = writes,
                     .updates = updates,
                     .value = c->value,
                     .known = c->known,
                     .command = fake.number,
                     .name = c->kind == FAKE_TASK   ? c->shader->task->name
                             : c->kind == FAKE_COPY ? "a copy"
                                                    : "zeroing" };

    for (size_t k = 0; k < s->touch_count; k++) {
        const fake_touch *o = &s->touches[k];
        if (o->start < t.end && t.start < o->end && (o->writes || t.writes) &&
            !(o->updates && t.updates) && !ordered(o, &t))
            fake_say_wrong("%s and %s touch the same bytes, and nothing orders them", o->name,
                           t.name);
    }
    fake_grow(&s->touches, &s->touch_capacity, s->touch_count + 1, sizeof *s->touches);
    s->touches[s->touch_count++] = t;
}

/* The memory that the bytes lie in; a device may touch no other. */
static fake_memory *memory_at(const void *at, uint64_t bytes)
{
    for (fake_memory *m = fake.memories; m; m = m->next)
        if ((const uint8_t *)at >= m->device && (const uint8_t *)at + bytes <= m->device + m->bytes)
            return m;
    fake_say_wrong("%s touches %llu bytes that are in no memory of the device",
                   fake.running->kind == FAKE_TASK ? fake.running->shader->task->name : "a copy",
                   (unsigned long long)bytes);
    return NULL;
}

void fake_reads(const void *from, uint64_t bytes)
{
    if (bytes > 0 && memory_at(from, bytes))
        note(from, bytes, false, false);
}

static void written(const void *to, uint64_t bytes, bool updates)
{
    fake_memory *m = bytes > 0 ? memory_at(to, bytes) : NULL;

    if (!m)
        return;
    note(to, bytes, true, updates);
    uint64_t at = (uint64_t)((const uint8_t *)to - m->device);
    fake_grow(&m->dirty.all, &m->dirty.capacity, m->dirty.count + 1, sizeof *m->dirty.all);
    m->dirty.all[m->dirty.count++] = (fake_range){ at, at + bytes };
}

void fake_writes(const void *to, uint64_t bytes)
{
    written(to, bytes, false);
}

void fake_updates(const void *at, uint64_t bytes)
{
    written(at, bytes, true);
}

/* Behind a host barrier: what was written so far. */
static void make_available(void)
{
    for (fake_memory *m = fake.memories; m; m = m->next)
        for (; m->dirty.count > 0; m->dirty.count--) {
            fake_grow(&m->available.all, &m->available.capacity, m->available.count + 1,
                      sizeof *m->available.all);
            m->available.all[m->available.count++] = m->dirty.all[m->dirty.count - 1];
        }
}

/* ---- a task, as module.h says a shader does it -------------------------------------------------
 */

typedef struct reading {
    const fake_command *command;
    const mod_task *task;
    int64_t first, end;
    const uint8_t *cells;
    _Alignas(64) uint8_t block[MOD_MAX_BLOCK_BYTES];
} reading;

static void check_recip(const reading *r, uint32_t magic, uint32_t shift, int64_t count)
{
    int64_t total = r->end;

    for (int k = 0; k < 64 && total > 0; k++) {
        uint32_t x = k < 2 ? (uint32_t)((total - 1) * k) : fake_pick((uint32_t)total);
        uint32_t q = magic ? (uint32_t)((uint64_t)x * magic >> 32) >> shift : x >> shift;
        if (q != x / (uint64_t)count)
            fake_say_wrong("%s: the reciprocal of %lld gives %u for %u", r->task->name,
                           (long long)count, q, x);
    }
}

static void read_push(reading *r)
{
    const uint8_t *push = r->command->push;
    const mod_shader *shader = r->command->shader->shader;
    uint32_t at = MOD_SHADER_HEADER_BYTES, recips[4] = { 0 };
    uint64_t address;

    memcpy(&r->first, push, 8);
    memcpy(&r->end, push + 8, 8);
    memcpy(&address, push + 16, 8);
    r->cells = (const uint8_t *)(uintptr_t)address;
    for (uint32_t k = 1; k < r->task->rank; k++, at += 8)
        memcpy(&recips[2 * (k - 1)], push + at, 8);
    if (shader->inline_block) {
        memcpy(r->block, push + at, r->task->block_bytes);
        at = (at + r->task->block_bytes + 7) & ~7u;
    } else {
        memcpy(&address, push + at, 8);
        fake_reads((const void *)(uintptr_t)address, r->task->block_bytes);
        memcpy(r->block, (const void *)(uintptr_t)address, r->task->block_bytes);
        at += 8;
    }
    if (at != r->command->push_bytes)
        fake_say_wrong("%s: %u bytes of push constants, and not %u", r->task->name,
                       r->command->push_bytes, at);
    for (uint32_t k = 1; k < r->task->rank && !shader->strided; k++) {
        int64_t count;
        memcpy(&count, r->block + 16 * (r->task->rank - k) + 8, 8);
        if (recips[2 * k - 1] != 255)
            check_recip(r, recips[2 * k - 2], recips[2 * k - 1], count);
        else if (r->end <= INT32_MAX)
            fake_say_wrong("%s: no reciprocal", r->task->name);
    }
}

static bool is_off(const reading *r)
{
    int32_t on;

    if (r->task->predicate == MOD_NONE)
        return false;
    fake_reads(r->cells + r->task->predicate, sizeof on);
    memcpy(&on, r->cells + r->task->predicate, sizeof on);
    return on == 0;
}

/* Bounds from the cells; the total. */
static int64_t read_bounds(reading *r)
{
    int64_t total = 1;

    for (uint32_t k = 0; k < r->task->rank; k++) {
        const mod_axis *axis = &r->task->axes[k];
        int64_t *lo = (int64_t *)(r->block + 16 * (size_t)k), *count = lo + 1;
        if (axis->lo_cell != MOD_NONE) {
            fake_reads(r->cells + axis->lo_cell, scalar_types[axis->type].bytes);
            fake_reads(r->cells + axis->hi_cell, scalar_types[axis->type].bytes);
            *lo = (int64_t)scalar_load(axis->type, r->cells + axis->lo_cell);
            *count = (int64_t)scalar_load(axis->type, r->cells + axis->hi_cell) - *lo;
        }
        total *= *count > 0 ? *count : 0;
    }
    return total;
}

static void run_groups(reading *r)
{
    const fake_shader *shader = r->command->shader;
    const uint32_t *groups = r->command->groups;
    int64_t count = (int64_t)groups[0] * groups[1] * groups[2];
    int64_t each = r->task->reduce_count > 0 ? MOD_REDUCE_BLOCK : r->command->local;
    int64_t stride = shader->shader->strided ? count * each : INT64_MAX;
    int64_t turned = fake_pick((uint32_t)count); /* workgroups run in any order */

    for (int64_t g = 0; g < count; g++) {
        int64_t at = r->first + (g + turned) % count * each;
        while (at < r->end) {
            shader->body(r->block, at, at + each < r->end ? at + each : r->end);
            if (stride == INT64_MAX)
                break;
            at += stride;
        }
    }
}

static void run_task(const fake_command *c)
{
    static reading r; /* large; the fake's lock is held */

    r.command = c;
    r.task = c->shader->task;
    read_push(&r);
    if (is_off(&r))
        return;
    if (c->shader->shader->strided)
        r.end = read_bounds(&r);
    if (c->shader->is_finish)
        c->shader->body(r.block, 0, r.end);
    else if (r.task->rank == 0)
        c->shader->body(r.block, 0, 1);
    else
        run_groups(&r);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void run_command(fake_stream *s, fake_command *c)
{
    fake_pass_on();
    fake.running = c;
    fake.running_on = s;
    fake.number++;
    c->done = true;
    if (c->kind == FAKE_TASK) {
        run_task(c);
    } else if (c->kind == FAKE_COPY) {
        fake_reads(c->from->device + c->from_offset, c->bytes);
        fake_writes(c->to->device + c->to_offset, c->bytes);
        memcpy(c->to->device + c->to_offset, c->from->device + c->from_offset, c->bytes);
    } else if (c->kind == FAKE_ZERO) {
        fake_writes(c->to->device + c->to_offset, c->bytes);
        memset(c->to->device + c->to_offset, 0, c->bytes);
    }
}

/* Is a stream that is closed waited for by a submission that is pending? */
bool fake_is_waited_for(const fake_stream *gone)
{
    for (const fake_stream *s = fake.streams; s; s = s->next)
        for (size_t k = 0; k < s->after_count; k++)
            if (s->afters[k].stream == gone && s->afters[k].value > s->reached)
                return true;
    return false;
}

/* Other streams' values that the submission waits for. */
static void satisfy(fake_stream *s, uint64_t value)
{
    for (size_t k = 0; k < s->after_count; k++)
        if (s->afters[k].value <= value && s->afters[k].stream != s &&
            s->afters[k].stream->reached < s->afters[k].other)
            fake_run(s->afters[k].stream, s->afters[k].other);
}

static bool waits_for_others(const fake_stream *s, uint64_t value)
{
    for (size_t k = 0; k < s->after_count; k++)
        if (s->afters[k].value <= value && s->afters[k].stream != s &&
            s->afters[k].stream->reached < s->afters[k].other)
            return true;
    return false;
}

/* The commands from the head that no barrier parts, up to *out_end. Those of later submissions than
 * `value` may be among them. */
static size_t find_epoch(const fake_stream *s)
{
    size_t end = s->head;

    while (end < s->count && s->commands[end].value > 0 && s->commands[end].kind != FAKE_BARRIER)
        end++;
    return end;
}

/* Runs those of submissions up to `value`, and some of later ones, in any order. */
static void run_epoch(fake_stream *s, size_t end, uint64_t value)
{
    size_t count = end - s->head;
    size_t *order = malloc((count + 1) * sizeof *order);

    if (!order)
        abort();
    for (size_t k = 0; k < count; k++) {
        size_t other = fake.settings.eager ? k : fake_pick((uint32_t)k + 1);
        order[k] = order[other];
        order[other] = s->head + k;
    }
    for (size_t k = 0; k < count; k++) {
        fake_command *c = &s->commands[order[k]];
        if (c->kind == FAKE_HOST) /* orders no command; passed when all before it is done */
            continue;
        bool now = c->value <= value || (!waits_for_others(s, c->value) && fake_pick(2) == 0);
        if (!c->done && now)
            run_command(s, c);
    }
    free(order);
}

static bool all_done(const fake_stream *s, uint64_t value)
{
    for (size_t k = s->head; k < s->count; k++)
        if (s->commands[k].value > 0 && s->commands[k].value <= value && !s->commands[k].done)
            return false;
    return true;
}

/* A barrier at the head is passed when all before it is done. */
static void pass_barriers(fake_stream *s, uint64_t value)
{
    while (s->head < s->count && s->commands[s->head].value > 0 &&
           (s->commands[s->head].done ||
            (s->commands[s->head].kind >= FAKE_BARRIER && s->commands[s->head].value <= value))) {
        fake_command *c = &s->commands[s->head++];
        if (c->kind == FAKE_BARRIER)
            s->touch_count = 0;
        if (c->kind == FAKE_HOST)
            make_available();
    }
    if (s->head == s->count)
        s->head = s->count = 0;
}

void fake_run(fake_stream *s, uint64_t value)
{
    satisfy(s, value);
    pass_barriers(s, value);
    while (!all_done(s, value)) {
        run_epoch(s, find_epoch(s), value);
        pass_barriers(s, value);
    }
    pass_barriers(s, value);
    if (s->reached < value)
        s->reached = value;
}
