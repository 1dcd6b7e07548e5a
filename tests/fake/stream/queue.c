/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.c - what is queued, in which order it must run, and when it does. An operation may run when
 * all that its clock names has run; each lane runs in order (CUDA driver API, "Stream
 * synchronization behavior"; HIP, "Asynchronous concurrent execution").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/stream/core.h"

uint32_t lane_new(fake_context *context, fake_stream *stream, bool blocking)
{
    uint32_t k = 1;

    while (k < FAKE_MAX_LANES && fake.lanes[k].taken)
        k++;
    if (k == FAKE_MAX_LANES) {
        fprintf(stderr, "slipfake: more than %d streams\n", FAKE_MAX_LANES);
        abort();
    }
    fake_lane *l = &fake.lanes[k]; /* numbers of operations go on where another stream ended */
    l->context = context;
    l->stream = stream;
    l->blocking = blocking;
    l->taken = true;
    if (k >= fake.lane_count)
        fake.lane_count = k + 1;
    return k;
}

/* Its work runs on; the lane is taken again when that has ended. */
void lane_free(uint32_t lane)
{
    fake_lane *l = &fake.lanes[lane];

    l->stream = NULL;
    if (!l->first)
        l->taken = false;
}

/* ---- operations ---- */

/* Appended; by no function of the C library, which a sanitizer would see. */
void op_name(fake_op *op, const char *name)
{
    size_t used = 0;

    while (op->name[used])
        used++;
    while (*name && used + 1 < sizeof op->name)
        op->name[used++] = *name++;
}

fake_op *op_new(fake_op_kind kind, const char *name)
{
    fake_op *op = fake_zeroed(sizeof *op);

    op->kind = kind;
    op_name(op, name);
    return op;
}

void op_access(fake_op *op, uint64_t at, uint64_t end, uint32_t flags)
{
    fake_range *r = memory_find(at);

    if (end == at)
        return;
    if (r)
        memory_note_start(r, at);
    op_access_part(op, at, end, flags);
}

void op_access_part(fake_op *op, uint64_t at, uint64_t end, uint32_t flags)
{
    fake_range *r = memory_find(at);
    fake_access *grown = realloc(op->accesses, (op->access_count + 1) * sizeof *op->accesses);
    if (!grown)
        abort();
    op->accesses = grown;
    op->accesses[op->access_count++] =
        (fake_access){ .at = at, .end = end, .flags = flags, .range = r };
}

void op_free(fake_op *op)
{
    free(op->clock);
    free(op->accesses);
    free(op->own);
    free(op->params);
    free(op);
}

/* ---- order ---- */

/* What an operation queued now on the lane comes after, by the rules of its stream. */
static fake_clock *before(uint32_t lane)
{
    const fake_lane *l = &fake.lanes[lane];
    fake_clock *made = clock_new();
    uint32_t legacy = l->context->lane;

    clock_join(&made, fake.host);
    clock_join(&made, l->clock);
    if (lane != legacy && l->blocking)
        clock_join(&made, fake.lanes[legacy].clock);
    for (uint32_t k = 1; lane == legacy && k < fake.lane_count; k++)
        if (fake.lanes[k].context == l->context && fake.lanes[k].blocking)
            clock_join(&made, fake.lanes[k].clock);
    return made;
}

static void show(const fake_op *op)
{
    static int on = -1;

    if (on < 0)
        on = getenv("SLIPFAKE_LOG") != NULL;
    if (!on)
        return;
    fprintf(stderr, "slipfake log: lane %u: %s #%llu", op->lane, op->name,
            (unsigned long long)op->number);
    for (uint32_t k = 0; k < op->access_count; k++)
        fprintf(stderr, " %s%s 0x%llx..0x%llx", op->accesses[k].flags & FAKE_READS ? "r" : "",
                op->accesses[k].flags & FAKE_WRITES ? "w" : "",
                (unsigned long long)op->accesses[k].at, (unsigned long long)op->accesses[k].end);
    fprintf(stderr, "\n");
}

void queue_add(uint32_t lane, fake_op *op, const fake_clock *after)
{
    fake_lane *l = &fake.lanes[lane];

    op->lane = lane;
    if (capture_takes(lane, op))
        return;
    op->clock = before(lane);
    clock_join(&op->clock, after);
    op->number = ++l->queued;
    l->asked = op->ours ? l->asked : op->number;
    op->clock->at[lane] = op->number;
    clock_join(&l->clock, op->clock);
    if (l->last)
        l->last->next = op;
    else
        l->first = op;
    l->last = op;
    show(op);
    uint32_t other = 0;
    uint64_t number = 0, own = op->number;
    bool races = race_queue(op, &other, &number);
    /* The lazy schedule runs what nothing orders the wrong way round. */
    if (fake.schedule == FAKE_EAGER || (races && fake.schedule == FAKE_LAZY))
        queue_run(lane, own);
    fake.counts[FAKE_COUNT_INVERTED] +=
        races && fake.lanes[other].done < number && fake.lanes[lane].done >= own;
}

/* ---- running ---- */

/* A lane that the lane's first operation waits for; FAKE_MAX_LANES: none. */
static uint32_t held_by(const fake_lane *l)
{
    const fake_op *op = l->first;

    for (uint32_t k = 1; k < op->clock->lanes; k++)
        if (k != op->lane && fake.lanes[k].done < op->clock->at[k])
            return k;
    return FAKE_MAX_LANES;
}

static void run_first(fake_lane *l)
{
    fake_op *op = l->first;

    l->first = op->next;
    if (!l->first)
        l->last = NULL;
    op_run(op);
    l->done = op->number;
    if (!l->first && !l->stream && l->context && l != &fake.lanes[l->context->lane])
        l->taken = false; /* of a stream that was destroyed */
    op_free(op);
}

void queue_run(uint32_t lane, uint64_t number)
{
    uint32_t room = 64, depth = 0, *path = fake_zeroed(room * sizeof *path);

    path[depth++] = lane;
    while (depth > 0) {
        fake_lane *l = &fake.lanes[path[depth - 1]];
        uint64_t wanted = number;
        if (depth > 1)
            wanted = clock_at(fake.lanes[path[depth - 2]].first->clock, path[depth - 1]);
        if (l->done >= wanted) {
            depth--;
            continue;
        }
        uint32_t other = held_by(l);
        if (other == FAKE_MAX_LANES) {
            run_first(l);
            continue;
        }
        path = fake_grown(path, &room, depth + 1, sizeof *path);
        path[depth++] = other;
    }
    free(path);
}

void queue_run_all(const fake_context *context)
{
    for (uint32_t k = 1; k < fake.lane_count; k++)
        if (!context || fake.lanes[k].context == context)
            queue_run(k, fake.lanes[k].queued);
}

void queue_abandon(void)
{
    for (uint32_t k = 1; k < fake.lane_count; k++) {
        fake_lane *l = &fake.lanes[k];
        while (l->first) {
            fake_op *op = l->first;
            l->first = op->next;
            op_free(op);
        }
        l->last = NULL;
        l->done = l->queued;
        clock_join(&fake.host, l->clock);
    }
    fake.guards_stale = true;
}

void queue_wait(uint32_t lane, uint64_t number, const fake_clock *clock)
{
    while (fake.schedule == FAKE_RANDOM && fake_draw(3) == 0)
        queue_step();
    queue_run(lane, number);
    clock_join(&fake.host, clock);
    fake.guards_stale = true;
    fake.counts[FAKE_COUNT_WAITS]++;
}

void queue_step(void)
{
    if (fake.schedule != FAKE_RANDOM || fake.lane_count < 2)
        return;
    for (uint32_t steps = fake_draw(4); steps > 0; steps--) {
        fake_lane *l = &fake.lanes[1 + fake_draw(fake.lane_count - 1)];
        if (l->first && held_by(l) == FAKE_MAX_LANES)
            run_first(l);
    }
}
