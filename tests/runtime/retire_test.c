/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retire_test.c - when retired items go: not before each stream has passed a mark taken since,
 * outside of any call.
 *
 * A busy stream is one whose lock this thread holds: nobody else could have it, as during a call.
 */
#include "runtime/retire.h"

#include "runtime/hand.h"
#include "support/check.h"

static int dropped;

static void drop(slip_device *device, retired *item)
{
    (void)device;
    (void)item;
    dropped++;
}

static void an_item_goes_at_once_where_every_stream_is_idle(void)
{
    hand_device on;
    retired item = { 0 };

    hand_open(&on);
    dropped = 0;
    retire(on.device, &item, drop);
    CHECK_EQ_I64(dropped, 0);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 1);
    CHECK(on.device->retired == NULL);
    hand_close(&on);
}

static void an_item_waits_for_a_busy_stream_to_be_seen_idle(void)
{
    hand_device on;
    slip_stream *other = NULL;
    retired item = { 0 };

    hand_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &other), SLIP_OK);
    dropped = 0;
    stream_lock(other);
    retire(on.device, &item, drop);
    retire_sweep(on.device);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 0);
    stream_unlock(other);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 1);
    hand_close(&on);
}

/* Whoever has the lock notes the mark when giving it back. */
static void a_stream_that_is_always_busy_is_past_when_its_use_has_ended(void)
{
    hand_device on;
    retired item = { 0 };

    hand_open(&on);
    dropped = 0;
    stream_lock(on.stream);
    retire(on.device, &item, drop);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 0);
    stream_unlock(on.stream);
    stream_lock(on.stream);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 1);
    stream_unlock(on.stream);
    hand_close(&on);
}

/* What is retired later, while the same use goes on, must not go with what was retired before. */
static void a_later_item_does_not_go_with_an_earlier_one(void)
{
    hand_device on;
    retired first = { 0 }, second = { 0 };

    hand_open(&on);
    dropped = 0;
    stream_lock(on.stream);
    retire(on.device, &first, drop);
    retire_sweep(on.device);
    stream_unlock(on.stream);
    stream_lock(on.stream);
    stream_unlock(on.stream);
    stream_lock(on.stream);
    retire(on.device, &second, drop);
    retire_sweep(on.device); /* `first` is past, `second` begins to be watched for */
    CHECK_EQ_I64(dropped, 1);
    CHECK(on.device->retired == &second);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 1);
    stream_unlock(on.stream);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 2);
    hand_close(&on);
}

static retired *gone[3];

static void note_drop(slip_device *device, retired *item)
{
    (void)device;
    gone[dropped++] = item;
}

/* The one that stays is looked at, and nothing behind it: a sweep costs what it gives back. */
static void items_go_oldest_first_and_no_further_than_is_passed(void)
{
    hand_device on;
    retired items[3] = { { 0 } }, *behind;

    hand_open(&on);
    dropped = 0;
    stream_lock(on.stream);
    for (int k = 0; k < 3; k++)
        retire(on.device, &items[k], note_drop);
    CHECK(on.device->retired == &items[0]);
    behind = items[0].next;
    items[0].next = NULL; /* would be lost if a sweep that gives nothing back went on from here */
    retire_sweep(on.device);
    CHECK(on.device->retired == &items[0] && on.device->newest_retired == &items[2]);
    items[0].next = behind;
    stream_unlock(on.stream);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 3);
    for (int k = 0; k < 3; k++)
        CHECK(gone[k] == &items[k]);
    retire(on.device, &items[1], note_drop); /* the list begins anew after it was empty */
    dropped = 0;
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 1);
    hand_close(&on);
}

static void a_stream_made_later_is_not_waited_for(void)
{
    hand_device on;
    slip_stream *later = NULL;
    retired item = { 0 };

    hand_open(&on);
    dropped = 0;
    stream_lock(on.stream);
    retire(on.device, &item, drop);
    retire_sweep(on.device);
    CHECK_STATUS(slip_stream_create(on.device, &later), SLIP_OK);
    stream_lock(later);
    stream_unlock(on.stream);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 1);
    stream_unlock(later);
    hand_close(&on);
}

static void closing_takes_what_is_left(void)
{
    hand_device on;
    static retired item;

    hand_open(&on);
    dropped = 0;
    stream_lock(on.stream);
    retire(on.device, &item, drop);
    retire_sweep(on.device);
    CHECK_EQ_I64(dropped, 0);
    stream_unlock(on.stream);
    hand_close(&on);
    CHECK_EQ_I64(dropped, 1);
}

static const check_case cases[] = {
    CASE(an_item_goes_at_once_where_every_stream_is_idle),
    CASE(an_item_waits_for_a_busy_stream_to_be_seen_idle),
    CASE(a_stream_that_is_always_busy_is_past_when_its_use_has_ended),
    CASE(a_later_item_does_not_go_with_an_earlier_one),
    CASE(items_go_oldest_first_and_no_further_than_is_passed),
    CASE(a_stream_made_later_is_not_waited_for),
    CASE(closing_takes_what_is_left),
};

CHECK_MAIN(cases)
