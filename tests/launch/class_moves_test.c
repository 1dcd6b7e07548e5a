/* SPDX-License-Identifier: Apache-2.0 */
/*
 * class_moves_test.c - which parts of a class go back: against a byte map of what is written.
 */
#include <string.h>

#include "launch/class_moves.h"
#include "support/check.h"

enum { ARRAYS = 5, ROOM = 64 };

static uint32_t random_state = 1;

static uint32_t pick(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* Runs cover exactly the bytes written, in order, and no two of them touch. */
static void check_runs(const launch_call *call, const bool *written)
{
    bool seen[ROOM] = { false };
    uint64_t before = 0;
    bool first = true;

    for (uint64_t start = 0, end = 0; class_next_written(call, 0, end, &start, &end);) {
        CHECK(start < end && end <= ROOM);
        CHECK(first || start > before);
        for (uint64_t b = start; b < end; b++)
            seen[b] = true;
        before = end;
        first = false;
    }
    CHECK(memcmp(seen, written, sizeof seen) == 0);
}

static void runs_are_the_bytes_that_are_written(void)
{
    for (int round = 0; round < 5000; round++) {
        launch_array arrays[ARRAYS];
        launch_call call = { .arrays = arrays, .array_count = ARRAYS };
        bool written[ROOM] = { false };
        for (uint32_t k = 0; k < ARRAYS; k++) {
            uint64_t at = pick(ROOM), bytes = pick((uint32_t)(ROOM - at)) + 1;
            arrays[k] = (launch_array){
                .param = k, .class = pick(4) == 0, .offset = at, .bytes = bytes, .written = pick(2)
            };
            for (uint64_t b = at; b < at + bytes; b++)
                written[b] |= arrays[k].class == 0 && arrays[k].written;
        }
        check_runs(&call, written);
    }
}

static void copies_are_read_off_the_steps(void)
{
    plan_step steps[] = {
        { .kind = PLAN_UPLOAD, .index = 1, .move = PLAN_MOVE_STAGED },
        { .kind = PLAN_UPLOAD, .index = 2, .move = PLAN_MOVE_MAPPED },
        { .kind = PLAN_TASK, .index = 0 },
        { .kind = PLAN_DOWNLOAD, .index = 3, .move = PLAN_MOVE_DIRECT },
        { .kind = PLAN_DOWNLOAD, .index = MOD_NONE, .move = PLAN_MOVE_STAGED },
        { .kind = PLAN_UNSTAGE, .index = 2, .move = PLAN_MOVE_MAPPED },
    };
    plan p = { .steps = steps, .step_count = 6, .class_count = 4 };
    mod_entry entry = { .scratch_count = 1 };
    plan_move moves[4];
    class_moves found = class_moves_find(&p, &entry, moves);

    CHECK(moves[0] == PLAN_MOVE_IN_PLACE && moves[1] == PLAN_MOVE_STAGED);
    CHECK(moves[2] == PLAN_MOVE_MAPPED && moves[3] == PLAN_MOVE_STAGED);
    CHECK(found.any && found.copies_to_host && !found.cells_mapped);
    p.step_count = 0;
    found = class_moves_find(&p, &entry, moves);
    CHECK(!found.any && !found.copies_to_host && moves[3] == PLAN_MOVE_IN_PLACE);
}

static const check_case cases[] = {
    CASE(runs_are_the_bytes_that_are_written),
    CASE(copies_are_read_off_the_steps),
};
CHECK_MAIN(cases)
