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

static void touch(const void *start, uint64_t bytes, bool writes, bool updates)
{
    fake_memory *m = bytes > 0 ? memory_at(start, bytes) : NULL;

    if (!m)
        return;
    note(start, bytes, writes, updates);
    if (!writes)
        return;
    uint64_t at = (uint64_t)((const uint8_t *)start - m->device);
    fake_grow(&m->dirty.all, &m->dirty.capacity, m->dirty.count + 1, sizeof *m->dirty.all);
    m->dirty.all[m->dirty.count++] = (fake_range){ at, at + bytes };
}

static const fake_runner runner = { touch, fake_pick, fake_say_wrong };

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

/* ---- order ----------------------------------------------------------------------------------- */

static void run_command(fake_stream *s, fake_command *c)
{
    fake_pass_on();
    fake.running = c;
    fake.running_on = s;
    fake.number++;
    c->done = true;
    fake_runs_for(&runner);
    if (c->kind == FAKE_TASK) {
        fake_task_run(&(fake_grid){ .shader = c->shader,
                                    .params = c->push,
                                    .param_bytes = c->push_bytes,
                                    .groups = { c->groups[0], c->groups[1], c->groups[2] },
                                    .local = c->local });
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
