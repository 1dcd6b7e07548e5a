/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_stream_run.c - runs the fake's operations, each stream's in order, and finds those that
 * touch the same bytes with nothing to order them.
 *
 * What comes before an operation is known when it is queued: what its stream holds, what the events
 * that the stream waits for stand for, and what the host had seen to end.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/fake_stream_parts.h"

/* ---- what operations touch ------------------------------------------------------------------- */

static bool ordered(const fs_touch *a, const fs_touch *b)
{
    return b->clock.of[a->stream] >= a->number || a->clock.of[b->stream] >= b->number;
}

static const char *name_of(const fs_op *op)
{
    return op->kind == FS_LAUNCH ? op->grid.shader->task->name
           : op->kind == FS_ZERO ? "zeroing"
                                 : "a copy";
}

fs_memory *fs_memory_at(const void *at, uint64_t bytes)
{
    const uint8_t *start = at;

    for (fs_memory *m = fs.memories; m; m = m->next)
        if (start >= m->start && bytes <= m->bytes &&
            (uint64_t)(start - m->start) <= m->bytes - bytes)
            return m;
    return NULL;
}

static void touch(const void *at, uint64_t bytes, bool writes, bool updates)
{
    const fs_op *op = fs.running;
    fs_touch t = { .start = at,
                   .end = (const uint8_t *)at + bytes,
                   .writes = writes,
                   .updates = updates,
                   .stream = fs.running_on->id,
                   .number = op->number,
                   .clock = op->clock,
                   .name = name_of(op) };

    if (bytes == 0)
        return;
    if (!fs_memory_at(at, bytes))
        fs_wrong("%s touches %llu bytes that are in no memory of the device", t.name,
                 (unsigned long long)bytes);
    for (size_t k = 0; k < fs.touch_count; k++) {
        const fs_touch *o = &fs.touches[k];
        if (o->start < t.end && t.start < o->end && (o->writes || t.writes) &&
            !(o->updates && t.updates) && !ordered(o, &t))
            fs_wrong("%s and %s touch the same bytes, and nothing orders them", o->name, t.name);
    }
    fs_grow(&fs.touches, &fs.touch_capacity, fs.touch_count + 1, sizeof *fs.touches);
    fs.touches[fs.touch_count++] = t;
}

static const fake_runner runner = { touch, fs_pick, fs_wrong };

void fs_forget_touches(const uint8_t *start, const uint8_t *end)
{
    size_t kept = 0;

    for (size_t k = 0; k < fs.touch_count; k++)
        if (fs.touches[k].start >= end || fs.touches[k].end <= start)
            fs.touches[kept++] = fs.touches[k];
    fs.touch_count = kept;
}

/* All that was ever queued has ended and the host knows: what comes is behind it. */
static void forget_old(void)
{
    for (const fs_stream *s = fs.streams; s; s = s->next)
        if (fs.host.of[s->id] < s->queued)
            return;
    fs.touch_count = 0;
}

void fs_learn(const fs_clock *clock)
{
    fs_join(&fs.host, clock);
    forget_old();
}

/* ---- order ----------------------------------------------------------------------------------- */

static void run_op(fs_stream *s, fs_op *op)
{
    fs.running = op;
    fs.running_on = s;
    fake_runs_for(&runner);
    if (op->kind == FS_LAUNCH) {
        fake_task_run(&op->grid);
    } else if (op->kind == FS_UPLOAD || op->kind == FS_DOWNLOAD) {
        if (fs_memory_at(op->from, op->bytes))
            touch(op->from, op->bytes, false, false);
        if (fs_memory_at(op->to, op->bytes))
            touch(op->to, op->bytes, true, false);
        memcpy(op->to, op->from, op->bytes);
    } else if (op->kind == FS_ZERO) {
        touch(op->to, op->bytes, true, false);
        memset(op->to, 0, op->bytes);
    }
    free(op->own);
}

void fs_run(fs_stream *s, uint64_t number)
{
    while (s->head < s->count && s->run < number) {
        fs_op op = s->ops[s->head];
        if (op.kind == FS_AFTER && op.other->run < op.point)
            fs_run(op.other, op.point); /* queued before: never back to this one */
        s->head++;
        run_op(s, &op);
        s->run = op.number;
    }
    if (s->head == s->count)
        s->head = s->count = 0;
}

void fs_queue(fs_stream *s, fs_op op)
{
    op.number = ++s->queued;
    fs_join(&s->clock, &fs.host);
    s->clock.of[s->id] = op.number;
    op.clock = s->clock;
    fs_grow(&s->ops, &s->capacity, s->count + 1, sizeof *s->ops);
    s->ops[s->count++] = op;
    if (fs.settings.schedule == FAKE_EAGER && !fs.held)
        fs_run(s, op.number);
}

void fs_drift(void)
{
    if (fs.settings.schedule != FAKE_SEEDED || fs.held)
        return;
    for (fs_stream *s = fs.streams; s; s = s->next)
        if (s->run < s->queued && fs_pick(4) == 0)
            fs_run(s, s->run + 1 + fs_pick(3));
}

bool fs_passed(const fs_event *event)
{
    return event->captured || !event->stream || event->stream->run >= event->number;
}
