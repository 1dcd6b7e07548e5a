/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane.h - the memory of a stream's launches: scratch arrays, cells, partial results.
 */
#ifndef SLIPWAY_LAUNCH_LANE_H
#define SLIPWAY_LAUNCH_LANE_H

#include "driver/cpu_driver.h"

typedef struct lane_piece lane_piece;

/* Grown only, until lane_trim. Belongs to one stream and is used under its lock. */
typedef struct lane {
    const cpu_driver *driver;
    void *device;
    lane_piece *first;    /* all pieces, the latest first */
    lane_piece *current;  /* takes are cut from this one */
    uint64_t used;        /* bytes of it */
    uint64_t allocations; /* pieces ever taken from the driver */
} lane;

void lane_init(lane *l, const cpu_driver *driver, void *device);
void lane_finish(lane *l);
/* A new launch: all memory is free again. Gathers several pieces into one for the next. */
void lane_reset(lane *l);
/* Memory of this launch, aligned to 64, contents undefined; never zero bytes long. */
slip_status lane_take(lane *l, uint64_t bytes, void **out) SLIP_MUST_USE;
/* What was taken since lane_note may be taken again. */
typedef struct lane_mark {
    const lane_piece *piece;
    uint64_t used;
} lane_mark;

lane_mark lane_note(const lane *l);
void lane_back(lane *l, lane_mark mark);
/* Between launches: gives all memory back. */
void lane_trim(lane *l);

#endif
