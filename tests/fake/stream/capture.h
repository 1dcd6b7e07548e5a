/* SPDX-License-Identifier: Apache-2.0 */
/* capture.h - graphs of captured operations. */
#ifndef SLIPWAY_FAKE_STREAM_CAPTURE_H
#define SLIPWAY_FAKE_STREAM_CAPTURE_H

#include "fake/stream/core.h"

enum { MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED };

struct fake_graph {
    fake_graph *next;
    bool active, broken;
    int mode;
    void *thread; /* that began it */
    uint32_t origin;
    fake_op *first, *last;
    uint32_t uses; /* the graph itself, and what was made of it */
};

extern fake_graph *capture_graphs; /* all */

void graph_release(fake_graph *g);

#endif
