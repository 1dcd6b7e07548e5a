/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.c - see rows.h.
 */
#define _POSIX_C_SOURCE 200809L
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

enum { REPEATS = 15, MOST_CALLS = 4096 };

typedef struct run {
    const rows_row *row;
    int calls;
    void (*finish)(void *state);
    void *state;
} run;

/* Microseconds of a call. */
static double time_batch(const run *r)
{
    double from = timing_now();

    for (int k = 0; k < r->calls; k++)
        r->row->call(r->state, k);
    r->finish(r->state);
    return 1e6 * (timing_now() - from) / r->calls;
}

static double time_return(const run *r)
{
    static double times[MOST_CALLS];
    int calls = r->calls < MOST_CALLS ? r->calls : MOST_CALLS;

    for (int k = 0; k < calls; k++) {
        r->finish(r->state);
        double from = timing_now();
        r->row->call(r->state, k);
        times[k] = 1e6 * (timing_now() - from);
    }
    r->finish(r->state);
    return timing_median(times, calls);
}

static void print_row(const char *label, const rows_row *rows, const double *medians, int r,
                      const double *times)
{
    printf("%s  %-40s %9.3f us (%.3f .. %.3f)", label, rows[r].name, medians[r], times[0],
           times[REPEATS - 1]);
    for (int c = 0; c < 2; c++)
        if (rows[r].compared[c] >= 0)
            printf("  %.3f x, %+.3f: %s", medians[r] / medians[rows[r].compared[c]],
                   medians[r] - medians[rows[r].compared[c]], rows[rows[r].compared[c]].name);
    printf("\n");
}

static void run_all(const char *label, const rows_row *rows, int count, run *r,
                    double (*time)(const run *r))
{
    static double times[ROWS_MOST][REPEATS];
    double medians[ROWS_MOST];

    for (int repeat = -1; repeat < REPEATS; repeat++)
        for (int k = 0; k < count; k++) {
            r->row = &rows[k];
            double t = time(r);
            if (repeat >= 0)
                times[k][repeat] = t;
        }
    for (int k = 0; k < count; k++)
        medians[k] = timing_median(times[k], REPEATS);
    for (int k = 0; k < count; k++)
        print_row(label, rows, medians, k, times[k]);
    fflush(stdout);
}

void rows_run(const char *label, const rows_row *rows, int count, int calls,
              void (*finish)(void *state), void *state)
{
    run_all(label, rows, count, &(run){ .calls = calls, .finish = finish, .state = state },
            time_batch);
}

void rows_run_return(const char *label, const rows_row *rows, int count, int calls,
                     void (*finish)(void *state), void *state)
{
    run_all(label, rows, count, &(run){ .calls = calls, .finish = finish, .state = state },
            time_return);
}
