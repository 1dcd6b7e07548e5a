/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.c - vector clocks: what has happened before, lane by lane.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake/stream/core.h"

void *fake_zeroed(size_t bytes)
{
    void *made = calloc(1, bytes ? bytes : 1);

    if (!made) {
        fprintf(stderr, "slipfake: the test ran out of memory\n");
        abort();
    }
    return made;
}

void *fake_grown(void *old, uint32_t *room, uint32_t count, size_t element)
{
    if (count <= *room)
        return old;
    *room = count * 2;
    void *made = realloc(old, *room * element);
    if (!made)
        abort();
    return made;
}

fake_clock *clock_new(void)
{
    uint32_t lanes = fake.lane_count + 1;
    fake_clock *made = fake_zeroed(sizeof *made + lanes * sizeof made->at[0]);

    made->lanes = lanes;
    return made;
}

uint64_t clock_at(const fake_clock *c, uint32_t lane)
{
    return c && lane < c->lanes ? c->at[lane] : 0;
}

void clock_join(fake_clock **into, const fake_clock *add)
{
    if (!add)
        return;
    if (!*into || (*into)->lanes < add->lanes) {
        fake_clock *made = clock_new();
        for (uint32_t k = 0; k < made->lanes; k++)
            made->at[k] = clock_at(*into, k);
        free(*into);
        *into = made;
    }
    for (uint32_t k = 0; k < add->lanes; k++)
        if (add->at[k] > (*into)->at[k])
            (*into)->at[k] = add->at[k];
}
