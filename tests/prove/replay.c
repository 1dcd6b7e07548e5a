/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.c - see replay.h. Each memory of the graph is a page of pinned memory, which both the host
 * and tasks can touch; a device operation is a launch for each memory that it touches, on its lane.
 */
#include "prove/replay.h"

#include <stdlib.h>

#include "fake/stream/look.h"
#include "support/check.h"

enum { LANES = 8, WORDS = 16 };

/* Parameters of kernel `add` (fake/stream/kernels/direct.c): y += x. */
typedef struct add_params {
    int64_t first, end;
    uint64_t cells;
    int64_t lo, count;
    api_address y, x;
} add_params;

typedef struct replayer {
    const expand_graph *g;
    volatile int32_t **memory; /* [memory_count] */
    api_stream lanes[LANES];
    api_address zero, sinks[LANES];
    api_event *ended; /* [count]: of nodes that the host waits for alone; else NULL */
    api_event *edges; /* [edge_count] */
    uint32_t edge_count;
    api_function add;
} replayer;

static api_event new_event(api_stream stream)
{
    api_event made = NULL;

    LOOK(look.api.event_new(&made, 2));
    LOOK(look.api.event_record(made, stream));
    return made;
}

static api_address task_address(volatile int32_t *host)
{
    api_address found = 0;

    LOOK(look.api.host_address(&found, (void *)(uintptr_t)host, 0));
    return found;
}

static void launch(const replayer *r, uint32_t lane, api_address x, api_address y)
{
    add_params p = { 0, WORDS, 0, 0, WORDS, y, x };
    void *params[] = { &p };

    LOOK(look.api.launch(r->add, 1, 1, 1, WORDS, 1, 1, 0, r->lanes[lane], params, NULL));
}

static void queue(const replayer *r, uint32_t node, uint32_t lane)
{
    const expand_node *n = &r->g->nodes[node];

    for (uint32_t m = 0; m < r->g->memory_count; m++)
        if (n->writes[m])
            launch(r, lane, r->zero, task_address(r->memory[m]));
        else if (n->reads[m])
            launch(r, lane, task_address(r->memory[m]), r->sinks[lane]);
    if (r->ended[node])
        r->ended[node] = new_event(r->lanes[lane]);
}

/* Stands for the event of a node that the host waits for, until it is queued. */
static char host_node;

static void touch(const replayer *r, uint32_t node)
{
    const expand_node *n = &r->g->nodes[node];

    for (uint32_t m = 0; m < r->g->memory_count; m++) {
        int32_t value = 0;
        if (n->reads[m])
            value = r->memory[m][0];
        if (n->writes[m])
            r->memory[m][0] = value;
    }
}

static void act(replayer *r, const expand_action *a)
{
    switch (a->act) {
    case EXPAND_ACT_HOST:
        touch(r, a->node);
        break;
    case EXPAND_ACT_QUEUE:
        queue(r, a->node, a->lane);
        break;
    case EXPAND_ACT_AFTER: {
        api_event event = new_event(r->lanes[a->from]);
        LOOK(look.api.stream_after(r->lanes[a->lane], event, 0));
        r->edges[r->edge_count++] = event;
        break;
    }
    case EXPAND_ACT_WAIT:
        LOOK(look.api.stream_wait(r->lanes[a->from]));
        break;
    case EXPAND_ACT_WAIT_NODE:
        if (r->ended[a->node] != &host_node)
            LOOK(look.api.event_wait(r->ended[a->node]));
        break;
    }
}

static void make(replayer *r, const expand_graph *g)
{
    *r = (replayer){ .g = g };
    r->memory = calloc(g->memory_count, sizeof *r->memory);
    r->ended = calloc(g->count + 1, sizeof *r->ended);
    r->edges = calloc(g->action_count + 1, sizeof *r->edges);
    CHECK(r->memory && r->ended && r->edges);
    for (uint32_t m = 0; m < g->memory_count; m++) {
        void *made = NULL;
        LOOK(look.api.host_new(&made, WORDS * 4, control.hip ? 0x40000003 : 3));
        r->memory[m] = made;
    }
    LOOK(look.api.memory_new(&r->zero, WORDS * 4));
    for (uint32_t l = 0; l < LANES; l++) {
        LOOK(look.api.memory_new(&r->sinks[l], WORDS * 4));
        LOOK(look.api.stream_new(&r->lanes[l], 1));
    }
    for (uint32_t k = 0; k < g->action_count; k++)
        if (g->actions[k].act == EXPAND_ACT_WAIT_NODE)
            r->ended[g->actions[k].node] = &host_node;
    LOOK(look.api.code_function(&r->add, look.code, "s0"));
}

static void drop(replayer *r)
{
    for (uint32_t l = 0; l < LANES; l++) {
        LOOK(look.api.stream_wait(r->lanes[l]));
        LOOK(look.api.stream_drop(r->lanes[l]));
    }
    for (uint32_t l = 0; l < LANES; l++)
        LOOK(look.api.memory_free(r->sinks[l]));
    LOOK(look.api.memory_free(r->zero));
    for (uint32_t m = 0; m < r->g->memory_count; m++)
        LOOK(look.api.host_free((void *)(uintptr_t)r->memory[m]));
    for (uint32_t n = 0; n < r->g->count; n++)
        if (r->ended[n] && r->ended[n] != &host_node)
            LOOK(look.api.event_drop(r->ended[n]));
    for (uint32_t e = 0; e < r->edge_count; e++)
        LOOK(look.api.event_drop(r->edges[e]));
    free(r->memory);
    free(r->ended);
    free(r->edges);
}

replay_found replay(const expand_graph *g)
{
    replayer r;

    look_begin("lazy", 0);
    control.quiet(1);
    make(&r, g);
    for (uint32_t k = 0; k < g->action_count; k++)
        act(&r, &g->actions[k]);
    replay_found found = { control.count(LOOK_RACES), control.count(LOOK_INVERTED) };
    drop(&r);
    control.quiet(0);
    return found;
}
