/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_task.c - a task as dispatches: its push constants, its grid, and what a reduction needs.
 *
 * Module.h says what a shader is told, and where. Predicates and device bounds are the shader's to
 * read: the host does not know them.
 */
#include <inttypes.h>
#include <string.h>

#include "launch/axes.h"
#include "launch/queue_parts.h"

/* A dispatch has fewer workgroups than this, so that their number fits 32 bits. */
enum { MOST_GROUPS = 1 << 30 };

typedef struct pushing {
    queue_call *c;
    const mod_task *task;
    int64_t total;
    queue_place block; /* memory NULL: not placed yet */
} pushing;

typedef struct push {
    _Alignas(8) uint8_t bytes[MOD_SHADER_PUSH_BYTES];
    uint32_t used;
} push;

static void put(push *p, const void *from, uint32_t bytes)
{
    memcpy(p->bytes + p->used, from, bytes);
    p->used += bytes;
}

static const queue_recip *recip(queue_stream *s, int64_t count)
{
    queue_recip *known = &s->recips[(uint64_t)count % QUEUE_RECIPS];

    if (known->count != (uint64_t)count)
        *known = queue_recip_of((uint64_t)count);
    return known;
}

/* Of the fast axes: what divides by their counts. */
static void put_recips(const pushing *g, push *p, bool strided)
{
    const axes_place *axes = (const axes_place *)g->c->stream->block;

    for (uint32_t k = 1; k < g->task->rank; k++) {
        uint32_t parts[2] = { 0, 255 };
        if (!strided && g->total <= INT32_MAX) {
            const queue_recip *r = recip(g->c->stream, axes[g->task->rank - k].count);
            parts[0] = r->magic;
            parts[1] = r->shift;
        }
        put(p, parts, sizeof parts);
    }
}

static slip_status put_block(pushing *g, push *p, bool inline_block)
{
    queue_stream *s = g->c->stream;

    if (inline_block) {
        put(p, s->block, g->task->block_bytes);
        p->used = (p->used + 3) & ~3u;
        return SLIP_OK;
    }
    if (!g->block.memory) {
        SLIP_TRY(queue_slot(s, QUEUE_MEMORY_UPLOAD, g->task->block_bytes, 0, &g->block));
        memcpy(g->block.host, s->block, g->task->block_bytes);
    }
    put(p, &g->block.address, sizeof g->block.address);
    return SLIP_OK;
}

/* Everything but where the dispatch begins. */
static slip_status fill_push(pushing *g, const mod_shader *shader, push *p)
{
    uint64_t first = 0, end = (uint64_t)g->total, cells = g->c->cells.address;
    uint32_t fixed = MOD_SHADER_HEADER_BYTES + 8 * (g->task->rank > 0 ? g->task->rank - 1 : 0);

    if (shader->inline_block && g->task->block_bytes > MOD_SHADER_PUSH_BYTES - fixed)
        return SLIP_FAIL(SLIP_ERR_INTERNAL, "task %s: %" PRIu32 " bytes of arguments do not fit",
                         g->task->name, g->task->block_bytes);
    p->used = 0;
    put(p, &first, sizeof first);
    put(p, &end, sizeof end);
    put(p, &cells, sizeof cells);
    put_recips(g, p, shader->strided);
    return put_block(g, p, shader->inline_block);
}

static slip_status dispatch(queue_stream *s, const queue_kernel *kernel, push *p, uint64_t first,
                            const uint32_t groups[3])
{
    memcpy(p->bytes, &first, sizeof first);
    return queue_recorded(s,
                          s->device->driver->dispatch(s->self, kernel, p->bytes, p->used, groups));
}

/* A grid of at least `wanted` workgroups if the device can, else as many as it can; *out_count is
 * how many of them are wanted. */
static void grid_of(const queue_limits *limits, uint64_t wanted, uint32_t groups[3],
                    uint64_t *out_count)
{
    uint64_t left = wanted < MOST_GROUPS ? wanted : MOST_GROUPS, whole = 1;

    for (int k = 0; k < 3; k++) {
        uint64_t most = limits->max_groups[k];
        if (whole * most > MOST_GROUPS)
            most = MOST_GROUPS / whole;
        groups[k] = (uint32_t)(left < most ? left : most);
        left = (left - 1) / groups[k] + 1;
        whole *= groups[k];
    }
    *out_count = whole < wanted ? whole : wanted;
}

/* Dispatches until `count` workgroups of `each` iterations have been asked for. */
static slip_status dispatch_all(queue_stream *s, const queue_kernel *kernel, push *p,
                                uint64_t count, uint64_t each)
{
    for (uint64_t done = 0, now = 0; done < count; done += now) {
        uint32_t groups[3];
        grid_of(&s->device->limits, count - done, groups, &now);
        SLIP_TRY(dispatch(s, kernel, p, done * each, groups));
    }
    return SLIP_OK;
}

/* ---- reductions ------------------------------------------------------------------------------ */

static slip_status place_partials(pushing *g)
{
    queue_call *c = g->c;
    uint64_t bytes = 0;

    SLIP_TRY(axes_partials(g->task, g->total, &bytes));
    if (!c->partials.memory || bytes > c->partial_bytes) {
        SLIP_TRY(queue_call_take(c, bytes, &c->partials));
        c->partial_bytes = bytes;
    }
    memcpy(c->stream->block + g->task->partial_offset, &c->partials.address, sizeof(uint64_t));
    return SLIP_OK;
}

static slip_status get_kernel(const pushing *g, uint32_t shader, const queue_kernel **out)
{
    return queue_kernel_get(g->c->stream->device, g->c->call->code, shader, out);
}

static slip_status run_finish(pushing *g, uint32_t shader)
{
    const queue_loaded *loaded = g->c->call->code;
    const uint32_t one[3] = { 1, 1, 1 };
    const queue_kernel *kernel = NULL;
    push p;

    SLIP_TRY(get_kernel(g, shader, &kernel));
    SLIP_TRY(fill_push(g, &loaded->code->shaders[shader], &p));
    SLIP_TRY(queue_barrier(g->c->stream));
    return dispatch(g->c->stream, kernel, &p, 0, one);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static slip_status run_main(pushing *g, const mod_symbol *symbol)
{
    queue_stream *s = g->c->stream;
    const queue_loaded *loaded = g->c->call->code;
    const mod_shader *shader = &loaded->code->shaders[symbol->main];
    const queue_kernel *kernel = NULL;
    push p;

    SLIP_TRY(get_kernel(g, symbol->main, &kernel));
    SLIP_TRY(fill_push(g, shader, &p));
    if (shader->strided) {
        uint32_t groups[3] = { s->device->strided_groups, 1, 1 };
        return dispatch(s, kernel, &p, 0, groups);
    }
    uint64_t each = symbol->finish != MOD_NONE ? MOD_REDUCE_BLOCK : kernel->local;
    if (g->task->rank == 0)
        each = 1;
    return dispatch_all(s, kernel, &p, ((uint64_t)g->total - 1) / each + 1, each);
}

static slip_status run_parts(pushing *g, uint32_t task)
{
    const launch_call *call = g->c->call;
    const queue_loaded *loaded = call->code;
    const mod_symbol *symbol = &loaded->code->symbols[call->first_symbol + task];

    if (symbol->finish != MOD_NONE)
        SLIP_TRY(place_partials(g));
    SLIP_TRY(run_main(g, symbol));
    return symbol->finish != MOD_NONE ? run_finish(g, symbol->finish) : SLIP_OK;
}

slip_status queue_task(queue_call *c, uint32_t index)
{
    queue_stream *s = c->stream;
    launch_call *call = c->call;
    pushing g = { .c = c, .task = &call->program.entry->tasks[index] };
    uint64_t from = 0;

    const uint8_t *cells = g.task->reduce_count > 0 ? c->known_cells : NULL;
    SLIP_TRY(axes_find(&call->program, g.task, cells, s->block, &g.total));
    if (g.total == 0)
        return SLIP_OK;
    if (s->tasks >= QUEUE_MOST_TASKS)
        SLIP_TRY(queue_submit(s));
    if (call->watch)
        from = counters_now();
    axes_args(&call->program, g.task, s->block);
    slip_status status = run_parts(&g, index);
    if (status != SLIP_OK) {
        fail_note("while queueing task %s", g.task->name);
        return status;
    }
    s->tasks++;
    counters_add(&s->counts->tasks, 1);
    if (call->watch)
        call->watch(call->watch_user, g.task, from, counters_now(), g.total);
    return SLIP_OK;
}
