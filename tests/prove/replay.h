/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.h - a plan in the canonical client (plan/check.h), run on a look-alike: what the checker
 * says is unordered is seen to be, and happens the wrong way round.
 */
#ifndef SLIPWAY_TESTS_PROVE_REPLAY_H
#define SLIPWAY_TESTS_PROVE_REPLAY_H

#include "plan/expand.h"

typedef struct replay_found {
    uint64_t races, inverted; /* unordered pairs; of those, how many the schedule turned round */
} replay_found;

/* The graph's actions, on the look-alike that the environment names, as late as can be. */
replay_found replay(const expand_graph *g);

#endif
