/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - a table of ways to do one thing, timed in turns and compared with one another.
 */
#ifndef SLIPWAY_BENCH_ROWS_H
#define SLIPWAY_BENCH_ROWS_H

enum { ROWS_MOST = 24 };

typedef struct rows_row {
    const char *name;
    void (*call)(void *state, int k); /* the k-th of a batch */
    int compared[2];                  /* rows that its time is divided by; -1: none */
} rows_row;

/*
 * rows_run - batches of `calls` of each row, in turns; prints a line a row: the median
 * microseconds of a call, the least and the most, then ratios and differences. `finish` waits for
 * all that was queued, within the time.
 */
void rows_run(const char *label, const rows_row *rows, int count, int calls,
              void (*finish)(void *state), void *state);
/* The same of one call at a time on a device that has nothing to do: until the call returns. */
void rows_run_return(const char *label, const rows_row *rows, int count, int calls,
                     void (*finish)(void *state), void *state);

#endif
