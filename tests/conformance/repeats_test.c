/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeats_test.c - calls that repeat earlier ones, but for one thing: what was kept of those must
 * not show.
 *
 * Each call is made several times on memory of the device, so that its launches are kept, and then
 * something of it changes, and changes back. The reference does the same on memory of its own.
 */
#include "conform.h"

#include <string.h>

#include "repeats.slip.h"

#include "repeats.reference.h"

enum { TIMES = 4, MOST = 5000 };

typedef struct place {
    conform_pair pair;
    i32 *resident;
    size_t bytes;
} place;

static place place_of(conform *c, size_t count)
{
    place p = { .pair = PAIR(i32, PLAIN, count), .bytes = count * sizeof(i32) };

    p.resident = conform_resident(c, p.pair.side[0], p.bytes);
    return p;
}

/* The array, `at` elements in, for the side that is being called. */
static i32 *of(const conform *c, const place *p, size_t at)
{
    return (c->side == 0 ? p->resident : (i32 *)p->pair.side[1]) + at;
}
#define X(p) of(c, &(p), 0)

#define SAME_PLACE(p)                                                                             \
    do {                                                                                          \
        conform_fetch(c, (p).pair.side[0], (p).resident, (p).bytes);                              \
        SAME((p).pair);                                                                           \
    } while (0)

#define REPEATED(kernel, ...)                                                                     \
    for (int again = 0; again < TIMES; again++)                                                   \
        BOTH(kernel, __VA_ARGS__)

CONFORM(arguments_that_only_tasks_are_given)
{
    SIZES (n) {
        place x = place_of(c, n), y = place_of(c, n);
        for (i32 a = -3; a < 4; a++) {
            REPEATED(add_scaled, n, a, X(x), X(y));
            BOTH(add_scaled, n, 11 * a, X(x), X(y));
        }
        SAME_PLACE(x);
        SAME_PLACE(y);
    }
}

CONFORM(arguments_that_decide_what_is_launched)
{
    static const i32 steps[] = { 3, 1, 3, 0, 2, 7, 3 };

    SIZES (n) {
        place x = place_of(c, n), y = place_of(c, n);
        for (int k = 0; k < 7; k++) {
            REPEATED(count_steps, n, steps[k], again + k, X(x));
            BOTH(count_steps, n / (k + 1), steps[k], 1, X(x));
            REPEATED(halve, n, 5 * steps[k], X(y));
            REPEATED(part, n, n / 3, n / (1 + again % 2), k % 3, k, X(x));
            REPEATED(part, n, n / 4, n / 2, k % 2, again, X(y));
        }
        SAME_PLACE(x);
        SAME_PLACE(y);
    }
}

/* Structs come by an address on the caller's stack, the same one each time. */
CONFORM(structs_whose_members_change)
{
    SIZES (n) {
        place x = place_of(c, n), y = place_of(c, n);
        for (i32 k = 0; k < 5; k++) {
            REPEATED(add_struct, n, ((struct step){ again * k, again }), X(x));
            REPEATED(add_times, n, ((struct step){ again, again + k }), X(y));
        }
        SAME_PLACE(x);
        SAME_PLACE(y);
    }
}

CONFORM(arrays_by_turns)
{
    enum { TURNS = 7 };

    SIZES (n) {
        place x[TURNS];
        for (int k = 0; k < TURNS; k++)
            x[k] = place_of(c, n);
        for (int turns = 2; turns <= TURNS; turns++)
            for (int k = 0; k < TIMES * turns; k++)
                BOTH(add_scaled, n, k, X(x[k % turns]), X(x[(k + 1) % turns]));
        for (int k = 0; k < TURNS; k++)
            SAME_PLACE(x[k]);
    }
}

/* The same bytes twice, and two parts of one array. */
CONFORM(arrays_that_overlap_now_and_then)
{
    SIZES (n) {
        place x = place_of(c, 3 * (size_t)n + 1), y = place_of(c, n);
        for (int k = 0; k < 3; k++) {
            REPEATED(add_scaled, n, k, X(x), X(y));
            REPEATED(add_scaled, n, k, X(x), X(x));
            REPEATED(add_scaled, n, k, of(c, &x, n), of(c, &x, 2 * n));
            REPEATED(add_scaled, n, k, of(c, &x, 2 * n), of(c, &x, n));
        }
        SAME_PLACE(x);
        SAME_PLACE(y);
    }
}

/* What is given back may be given out again at the same address, with other bytes at its end. */
CONFORM(memory_that_is_freed_and_made_again)
{
    EACH (n, 64, 1000, 5000) {
        place x = place_of(c, n);
        for (int k = 0; k < 6; k++) {
            conform_pair y = PAIR(i32, PLAIN, n);
            size_t bytes = (size_t)(n + k % 2) * sizeof(i32);
            void *memory = NULL;
            conform_status(c, slip_alloc(c->device, bytes, &memory), "slip_alloc");
            conform_status(c, slip_upload(c->on, memory, y.side[0], y.count * 4), "slip_upload");
            REPEATED(add_scaled, (i32)n, again, X(x), c->side == 0 ? memory : y.side[1]);
            conform_fetch(c, y.side[0], memory, y.count * 4);
            SAME(y);
            slip_free(c->device, memory);
        }
    }
}

/* The same host array, of which the device knows nothing, then a mirror, then nothing. */
CONFORM(an_array_that_is_kept_and_unkept)
{
    EACH (n, 7, 1000, 5000) {
        conform_pair y = PAIR(i32, PLAIN, n);
        place x = place_of(c, n);
        for (int k = 0; k < 3; k++) {
            REPEATED(add_scaled, (i32)n, k, X(x), S(y));
            SAME(y);
            conform_status(c, slip_keep(c->device, y.side[0], y.count * 4), "slip_keep");
            conform_status(c, slip_push(c->on, y.side[0]), "slip_push");
            REPEATED(add_scaled, (i32)n, again, X(x), S(y));
            conform_status(c, slip_fetch(c->on, y.side[0]), "slip_fetch");
            SAME(y);
            conform_status(c, slip_unkeep(c->device, y.side[0]), "slip_unkeep");
        }
    }
}

CONFORM(the_same_arguments_on_two_streams)
{
    EACH (n, 1, 1000, 5000) {
        place x = place_of(c, n), y = place_of(c, n);
        slip_stream *first = c->on, *second = NULL;
        conform_status(c, slip_stream_create(c->device, &second), "slip_stream_create");
        for (int k = 0; k < 6 && second; k++) {
            conform_status(c, slip_stream_sync(c->on), "slip_stream_sync");
            c->on = k % 2 ? second : first;
            REPEATED(add_scaled, (i32)n, k, X(x), X(y));
            REPEATED(count_steps, (i32)n, 3, k, X(x));
        }
        conform_status(c, slip_stream_sync(c->on), "slip_stream_sync");
        c->on = first;
        SAME_PLACE(x);
        SAME_PLACE(y);
        slip_stream_destroy(second);
    }
}

/* By the conservative policy a call on memory of the device waits for its tasks. */
CONFORM(a_policy_that_changes)
{
    slip_device_info info;

    slip_device_describe(c->device, &info);
    EACH (n, 7, 1000, 5000) {
        place x = place_of(c, n), y = place_of(c, n);
        for (int k = 0; k < 5; k++) {
            slip_sync policy = k % 2 ? SLIP_SYNC_CONSERVATIVE : SLIP_SYNC_MINIMAL;
            slip_stats before, after;
            conform_status(c, slip_device_set_sync(c->device, policy), "slip_device_set_sync");
            slip_device_stats(c->device, &before);
            REPEATED(add_scaled, (i32)n, k, X(x), X(y));
            slip_device_stats(c->device, &after);
            bool waits = slip_device_get_sync(c->device) == SLIP_SYNC_CONSERVATIVE &&
                         strcmp(info.family, "cpu") != 0;
            EXPECT_I64(after.conservative_waits - before.conservative_waits, waits ? TIMES : 0);
        }
        conform_status(c, slip_device_set_sync(c->device, SLIP_SYNC_MINIMAL),
                       "slip_device_set_sync");
        SAME_PLACE(x);
        SAME_PLACE(y);
    }
}

CONFORM(calls_of_more_launches_than_are_kept)
{
    EACH (n, 1, 100) {
        conform_pair x = PAIR(i64, PLAIN, n);
        i64 *memory = conform_resident(c, x.side[0], x.count * sizeof(i64));
        i64 *other = x.side[1];
        for (i32 steps = 700; steps > 3; steps /= 3)
            REPEATED(many, (i32)n, steps, 1, 2, 3, 4, 5, 6, again, 8,
                     c->side == 0 ? memory : other);
        conform_fetch(c, x.side[0], memory, x.count * sizeof(i64));
        SAME(x);
    }
}

/* A refusal between two of the same; what was kept is none the worse. */
CONFORM(a_call_that_is_refused_changes_nothing)
{
    SIZES (n) {
        place x = place_of(c, (size_t)n + 1), y = place_of(c, (size_t)n + 1);
        for (int k = 0; k < 3; k++) {
            REPEATED(add_scaled, n, k, X(x), X(y));
            REFUSED(SLIP_ERR_ARGUMENT, "is negative", add_scaled, -1, k, x.resident, y.resident);
            REFUSED(SLIP_ERR_ARGUMENT, "lies only partly", add_scaled, n + 2, k, x.resident,
                    y.resident);
        }
        SAME_PLACE(x);
        SAME_PLACE(y);
    }
}

static const check_case cases[] = {
    CASE(arguments_that_only_tasks_are_given),
    CASE(arguments_that_decide_what_is_launched),
    CASE(structs_whose_members_change),
    CASE(arrays_by_turns),
    CASE(arrays_that_overlap_now_and_then),
    CASE(memory_that_is_freed_and_made_again),
    CASE(an_array_that_is_kept_and_unkept),
    CASE(the_same_arguments_on_two_streams),
    CASE(a_policy_that_changes),
    CASE(calls_of_more_launches_than_are_kept),
    CASE(a_call_that_is_refused_changes_nothing),
};
CHECK_MAIN(cases)
