/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture.c - streams that are captured into a graph (CUDA driver API, "Stream management"; HIP,
 * "Graph management"). What is not allowed meanwhile breaks the capture, which its end then tells.
 */
#include "fake/stream/capture.h"

fake_graph *capture_graphs;
static __thread int mode_now;

static void *this_thread(void)
{
    static __thread char me;

    return &me;
}

/* ---- what a capture forbids ------------------------------------------------------------------ */

int fake_capture_mode(int *mode)
{
    int status = fake_enter(FAKE_SLOT_capture_mode), before = mode_now;

    if (!status && (*mode < MODE_GLOBAL || *mode > MODE_RELAXED))
        status = FAKE_INVALID_VALUE;
    if (!status) {
        mode_now = *mode;
        *mode = before;
    }
    return fake_leave(status);
}

/* What is no part of a stream's order, so that a graph would lack it. */
static bool is_unsafe(fake_slot slot)
{
    static const bool unsafe[FAKE_SLOT_COUNT] = {
        [FAKE_SLOT_memory_new] = true,      [FAKE_SLOT_memory_free] = true,
        [FAKE_SLOT_memory_managed] = true,  [FAKE_SLOT_host_new] = true,
        [FAKE_SLOT_host_free] = true,       [FAKE_SLOT_host_register] = true,
        [FAKE_SLOT_host_unregister] = true, [FAKE_SLOT_pointer_attributes] = true,
        [FAKE_SLOT_upload] = true,          [FAKE_SLOT_download] = true,
        [FAKE_SLOT_code_load] = true,       [FAKE_SLOT_code_unload] = true,
        [FAKE_SLOT_stream_new] = true,      [FAKE_SLOT_stream_drop] = true,
        [FAKE_SLOT_stream_query] = true,    [FAKE_SLOT_stream_wait] = true,
        [FAKE_SLOT_event_query] = true,     [FAKE_SLOT_event_wait] = true,
    };

    return unsafe[slot];
}

/* cuThreadExchangeStreamCaptureMode */
int capture_forbids(fake_slot slot)
{
    int status = FAKE_OK;

    if (mode_now == MODE_RELAXED || !is_unsafe(slot))
        return FAKE_OK;
    for (fake_graph *g = capture_graphs; g; g = g->next) {
        bool own = g->thread == this_thread();
        if (!g->active || g->mode == MODE_RELAXED)
            continue;
        if (own || (g->mode == MODE_GLOBAL && mode_now == MODE_GLOBAL)) {
            g->broken = true;
            status = FAKE_CAPTURE_UNSUPPORTED;
        }
    }
    return status;
}

/* cuStreamIsCapturing: the legacy stream cannot be used while one that orders with it is captured.
 */
static fake_graph *in_the_way(uint32_t lane)
{
    const fake_context *context = fake.lanes[lane].context;

    for (uint32_t k = 1; lane == context->lane && k < fake.lane_count; k++)
        if (fake.lanes[k].context == context && fake.lanes[k].blocking && fake.lanes[k].graph)
            return fake.lanes[k].graph;
    return NULL;
}

int capture_of_lane(uint32_t lane)
{
    fake_graph *other = in_the_way(lane);

    if (other) {
        other->broken = true;
        return FAKE_CAPTURE_IMPLICIT;
    }
    return fake.lanes[lane].graph && fake.lanes[lane].graph->broken ? FAKE_CAPTURE_INVALIDATED
                                                                    : FAKE_OK;
}

int capture_asks_lane(uint32_t lane)
{
    if (!fake.lanes[lane].graph)
        return FAKE_OK;
    fake.lanes[lane].graph->broken = true;
    return FAKE_CAPTURE_UNSUPPORTED;
}

int capture_asks_event(const fake_event *e)
{
    if (!e->recorded || !e->graph)
        return FAKE_OK;
    e->graph->broken = true;
    return FAKE_CAPTURED_EVENT;
}

/* Only what was captured too may be waited for; a stream that waits for it is captured from then
 * on, until the end, and must be waited for in turn. */
int capture_after(uint32_t lane, const fake_event *e, bool *out_captured)
{
    fake_lane *l = &fake.lanes[lane], *from = &fake.lanes[e->lane];

    *out_captured = e->graph || l->graph;
    if (!*out_captured)
        return FAKE_OK;
    if (!e->graph || !e->graph->active) {
        if (l->graph)
            l->graph->broken = true;
        return e->graph ? FAKE_CAPTURED_EVENT : FAKE_CAPTURE_ISOLATION;
    }
    if (l->graph && l->graph != e->graph) {
        l->graph->broken = e->graph->broken = true;
        return FAKE_CAPTURE_MERGE;
    }
    if (!l->graph) {
        l->graph = e->graph;
        l->captured = 1;
        l->joined = 0;
    }
    if (from->joined < e->captured)
        from->joined = e->captured;
    return FAKE_OK;
}

bool capture_takes(uint32_t lane, fake_op *op)
{
    fake_lane *l = &fake.lanes[lane];
    fake_graph *g = l->graph;

    if (!g)
        return false;
    if (op->ours)
        fake_report("memory is taken for a stream that is captured");
    if (g->last)
        g->last->next = op;
    else
        g->first = op;
    g->last = op;
    l->captured++;
    return true;
}

/* ---- captures -------------------------------------------------------------------------------- */

int fake_stream_captured(fake_handle stream, int *out)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_captured);
    uint32_t lane = 0;

    if (!status && !out)
        status = FAKE_INVALID_VALUE;
    if (!status && !context_lane(stream, &lane))
        status = FAKE_INVALID_HANDLE;
    if (!status && in_the_way(lane))
        status = FAKE_CAPTURE_IMPLICIT;
    if (!status)
        *out = !fake.lanes[lane].graph ? 0 : fake.lanes[lane].graph->broken ? 2 : 1;
    return fake_leave(status);
}

int fake_capture_begin(fake_handle stream, int mode)
{
    int status = fake_enter_in_context(FAKE_SLOT_capture_begin);
    uint32_t lane = 0;

    if (!status && (mode < MODE_GLOBAL || mode > MODE_RELAXED))
        status = FAKE_INVALID_VALUE;
    if (!status && !context_lane(stream, &lane))
        status = FAKE_INVALID_HANDLE;
    if (!status && (fake.lanes[lane].graph || lane == fake.lanes[lane].context->lane))
        status = FAKE_CAPTURE_UNSUPPORTED;
    if (status)
        return fake_leave(status);
    fake_graph *made = fake_zeroed(sizeof *made);
    *made = (fake_graph){ .next = capture_graphs,
                          .active = true,
                          .mode = mode,
                          .thread = this_thread(),
                          .origin = lane,
                          .uses = 1 };
    capture_graphs = made;
    fake.lanes[lane].graph = made;
    fake.lanes[lane].captured = 0;
    return fake_leave(FAKE_OK);
}

/* Lets the lanes go; whether all had joined the first. */
static bool let_go(fake_graph *g)
{
    bool joined = true;

    for (uint32_t k = 1; k < fake.lane_count; k++) {
        fake_lane *l = &fake.lanes[k];
        if (l->graph != g)
            continue;
        joined = joined && (k == g->origin || l->joined >= l->captured);
        l->graph = NULL;
    }
    g->active = false;
    return joined;
}

int fake_capture_end(fake_handle stream, fake_handle *out)
{
    int status = fake_enter_in_context(FAKE_SLOT_capture_end);
    fake_graph *g = NULL;
    uint32_t lane = 0;

    if (!status && !out)
        status = FAKE_INVALID_VALUE;
    if (!status && !context_lane(stream, &lane))
        status = FAKE_INVALID_HANDLE;
    if (!status && !(g = fake.lanes[lane].graph))
        status = FAKE_INVALID_VALUE;
    if (!status && g->origin != lane)
        status = FAKE_CAPTURE_UNMATCHED;
    if (!status && g->mode != MODE_RELAXED && g->thread != this_thread())
        status = FAKE_CAPTURE_WRONG_THREAD;
    if (status)
        return fake_leave(status);
    bool joined = let_go(g);
    *out = g;
    if (joined && !g->broken)
        return fake_leave(FAKE_OK);
    status = g->broken ? FAKE_CAPTURE_INVALIDATED : FAKE_CAPTURE_UNJOINED;
    *out = NULL;
    graph_release(g);
    return fake_leave(status);
}
