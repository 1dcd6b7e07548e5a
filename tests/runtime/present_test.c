/* SPDX-License-Identifier: Apache-2.0 */
/*
 * present_test.c - the present table beside a list that is searched from end to end.
 *
 * Ranges of one buffer are added, removed and looked up at random; the list says what is right.
 */
#include "runtime/present.h"

#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

enum { BYTES = 400, MOST = 64 };

static uint8_t buffer[BYTES];

typedef struct known {
    uint64_t start, bytes; /* in the buffer */
    present_kind kind;
} known;

static known list[MOST];
static uint32_t list_count;

static uint64_t random_state;

static uint64_t below(uint64_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

/* Zero bytes still have their address to themselves. */
static uint64_t extent(uint64_t bytes)
{
    return bytes ? bytes : 1;
}

static const known *touched(uint64_t start, uint64_t bytes)
{
    for (uint32_t k = 0; k < list_count; k++)
        if (start < list[k].start + extent(list[k].bytes) && list[k].start < start + bytes)
            return &list[k];
    return NULL;
}

static bool holds(const known *range, uint64_t start, uint64_t bytes)
{
    return start >= range->start && start + bytes <= range->start + range->bytes;
}

static void add_one(slip_device *device)
{
    known fresh = { below(BYTES - 40), below(30), (present_kind)(1 + below(4)) };
    present_range range = { fresh.kind, (uintptr_t)buffer + fresh.start, fresh.bytes,
                            (uintptr_t)1 << 20 | fresh.start, NULL };
    bool wanted = !touched(fresh.start, extent(fresh.bytes)) && list_count < MOST;

    if (list_count == MOST)
        return;
    CHECK_STATUS(present_add(device, range, NULL), wanted ? SLIP_OK : SLIP_ERR_ARGUMENT);
    if (wanted)
        list[list_count++] = fresh;
}

static void remove_one(slip_device *device)
{
    launch_memory pin = { 0 };

    if (list_count == 0)
        return;
    known *gone = &list[below(list_count)];
    present_kind other = gone->kind == PRESENT_KEPT ? PRESENT_PINNED : PRESENT_KEPT;

    CHECK(!present_remove(device, (uintptr_t)buffer + gone->start, other, &pin));
    if (gone->bytes > 1) /* an address inside it */
        CHECK(!present_remove(device, (uintptr_t)buffer + gone->start + 1, gone->kind, &pin));
    if (below(4) == 0)
        mem_fail_at(1); /* removing needs no memory */
    CHECK(present_remove(device, (uintptr_t)buffer + gone->start, gone->kind, &pin));
    mem_fail_at(0);
    *gone = list[--list_count];
}

static void look_one_up(slip_device *device)
{
    uint64_t start = below(BYTES - 40), bytes = 1 + below(30);
    const known *range = touched(start, bytes);
    present_range found = { .kind = PRESENT_WRAPPED };

    fail_clear();
    slip_status status = present_find(device, (uintptr_t)buffer + start, bytes,
                                      (present_name){ "it", NULL }, &found);
    if (!range) {
        CHECK_EQ_U64(status, SLIP_OK);
        CHECK_EQ_U64(found.kind, PRESENT_NONE);
    } else if (holds(range, start, bytes)) {
        CHECK_EQ_U64(status, SLIP_OK);
        CHECK_EQ_U64(found.kind, range->kind);
        CHECK_EQ_U64(found.start, (uintptr_t)buffer + range->start);
        CHECK_EQ_U64(found.bytes, range->bytes);
        CHECK_EQ_U64(found.device, (uintptr_t)1 << 20 | range->start);
    } else {
        CHECK_EQ_U64(status, SLIP_ERR_ARGUMENT);
    }
}

static void look_ups_agree_with_a_list_searched_from_end_to_end(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hand_device on;
        random_state = seed;
        list_count = 0;
        hand_open(&on);
        for (int step = 0; step < 2000; step++) {
            uint64_t what = below(10);
            pthread_mutex_lock(&on.device->lock);
            if (what < 3)
                add_one(on.device);
            else if (what < 5)
                remove_one(on.device);
            else
                look_one_up(on.device);
            pthread_mutex_unlock(&on.device->lock);
        }
        hand_close(&on);
    }
}

static void each_change_raises_the_generation_and_a_refusal_does_not(void)
{
    hand_device on;
    present_range range = { PRESENT_KEPT, (uintptr_t)buffer, 8, (uintptr_t)buffer, NULL };
    launch_memory pin = { 0 };

    hand_open(&on);
    uint64_t before = on.device->generation;
    CHECK_STATUS(present_add(on.device, range, NULL), SLIP_OK);
    CHECK(on.device->generation > before);
    before = on.device->generation;
    CHECK_STATUS(present_add(on.device, range, NULL), SLIP_ERR_ARGUMENT);
    CHECK(!present_remove(on.device, (uintptr_t)buffer, PRESENT_PINNED, &pin));
    CHECK_EQ_U64(on.device->generation, before);
    CHECK(present_remove(on.device, (uintptr_t)buffer, PRESENT_KEPT, &pin));
    CHECK(on.device->generation > before);
    hand_close(&on);
}

static void ranges_at_the_ends_of_the_address_space_are_found(void)
{
    hand_device on;
    present_range low = { PRESENT_WRAPPED, 16, 16, 16, NULL };
    present_range high = { PRESENT_WRAPPED, UINTPTR_MAX - 31, 31, UINTPTR_MAX - 31, NULL };
    present_range found;

    hand_open(&on);
    CHECK_STATUS(present_add(on.device, low, NULL), SLIP_OK);
    CHECK_STATUS(present_add(on.device, high, NULL), SLIP_OK);
    CHECK_STATUS(present_find(on.device, 31, 1, (present_name){ "it", NULL }, &found), SLIP_OK);
    CHECK_EQ_U64(found.start, 16);
    CHECK_STATUS(present_find(on.device, 32, 1, (present_name){ "it", NULL }, &found), SLIP_OK);
    CHECK_EQ_U64(found.kind, PRESENT_NONE);
    CHECK_STATUS(present_find(on.device, UINTPTR_MAX - 1, 1, (present_name){ "it", NULL }, &found),
                 SLIP_OK);
    CHECK_EQ_U64(found.start, UINTPTR_MAX - 31);
    CHECK_STATUS(
        present_find(on.device, 15, UINTPTR_MAX - 15, (present_name){ "it", NULL }, &found),
        SLIP_ERR_ARGUMENT);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(look_ups_agree_with_a_list_searched_from_end_to_end),
    CASE(each_change_raises_the_generation_and_a_refusal_does_not),
    CASE(ranges_at_the_ends_of_the_address_space_are_found),
};

CHECK_MAIN(cases)
