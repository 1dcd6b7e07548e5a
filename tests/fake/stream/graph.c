/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.c - launches graphs (CUDA driver API and HIP, "Graph management"): their operations are
 * queued one after another, in one of the orders that its edges allow.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/stream/capture.h"

void graph_release(fake_graph *g)
{
    fake_graph **at = &capture_graphs;

    if (--g->uses > 0)
        return;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    while (g->first) {
        fake_op *op = g->first;
        g->first = op->next;
        op_free(op);
    }
    free(g);
}

static fake_graph *graph_of(fake_handle handle)
{
    for (fake_graph *g = capture_graphs; g; g = g->next)
        if (g == handle && !g->active)
            return g;
    return NULL;
}

/* An executable graph is the graph, held once more: nothing changes it. */
int fake_graph_make(fake_handle *out, fake_handle graph, unsigned long long flags)
{
    int status = fake_enter(FAKE_SLOT_graph_make);
    fake_graph *g = graph_of(graph);

    if (!status && (!out || !g || flags))
        status = FAKE_INVALID_VALUE;
    if (!status) {
        g->uses++;
        *out = g;
    }
    return fake_leave(status);
}

static fake_op *again(const fake_op *op)
{
    fake_op *made = op_new(op->kind, op->name);

    made->to = op->to;
    made->from = op->from;
    made->bytes = op->bytes;
    made->value = op->value;
    made->function = op->function;
    made->groups = op->groups;
    made->local = op->local;
    if (op->own) {
        made->own = fake_zeroed(op->bytes);
        memcpy(made->own, op->own, op->bytes);
    }
    if (op->params) {
        made->params = fake_zeroed(op->param_bytes);
        memcpy(made->params, op->params, op->param_bytes);
        made->param_bytes = op->param_bytes;
    }
    for (uint32_t k = 0; k < op->access_count; k++)
        op_access_part(made, op->accesses[k].at, op->accesses[k].end, op->accesses[k].flags);
    return made;
}

int fake_graph_launch(fake_handle exec, fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_graph_launch);
    fake_graph *g = graph_of(exec);
    uint32_t lane = 0;

    if (!status && !g)
        status = FAKE_INVALID_VALUE;
    if (!status)
        status = context_stream(stream, &lane);
    for (const fake_op *op = status ? NULL : g->first; op; op = op->next)
        queue_add(lane, again(op), NULL);
    return fake_leave(status);
}

static int give_back(fake_slot slot, fake_handle handle)
{
    int status = fake_enter(slot);
    fake_graph *g = graph_of(handle);

    if (!status && !g)
        status = FAKE_INVALID_VALUE;
    if (!status)
        graph_release(g);
    return fake_leave(status);
}

int fake_graph_drop(fake_handle exec)
{
    return give_back(FAKE_SLOT_graph_drop, exec);
}

int fake_graph_free(fake_handle graph)
{
    return give_back(FAKE_SLOT_graph_free, graph);
}
