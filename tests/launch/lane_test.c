/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane_test.c - the memory of launches: aligned, apart, and kept from call to call.
 */
#include "launch/lane.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "support/check.h"

/* A lane over the real driver's memory, which needs no open device. */
static void begin(lane *l)
{
    lane_init(l, &cpu_driver_table, NULL);
}

static void pieces_are_aligned_and_do_not_overlap(void)
{
    lane l;
    uint8_t *taken[50];

    begin(&l);
    for (int round = 0; round < 3; round++) {
        lane_reset(&l);
        for (int k = 0; k < 50; k++) {
            uint64_t bytes = (uint64_t)(k * k * 37);
            void *out = NULL;
            CHECK_STATUS(lane_take(&l, bytes, &out), SLIP_OK);
            CHECK_EQ_U64((uintptr_t)out % 64, 0);
            taken[k] = out;
            memset(out, k, bytes);
        }
        for (int k = 0; k < 50; k++)
            for (int i = 0; i < k * k * 37; i++)
                if (taken[k][i] != k)
                    CHECK_FAIL("piece %d was written over at byte %d", k, i);
    }
    lane_finish(&l);
    CHECK_EQ_U64(mem_live(), 0);
}

static void a_launch_like_the_last_takes_nothing_from_the_driver(void)
{
    lane l;
    void *out = NULL;
    uint64_t before = 0;

    begin(&l);
    for (int round = 0; round < 5; round++) {
        lane_reset(&l);
        if (round == 2) {
            before = l.allocations;
            mem_fail_at(1);
        }
        CHECK_STATUS(lane_take(&l, 100000, &out), SLIP_OK);
        CHECK_STATUS(lane_take(&l, 300000, &out), SLIP_OK);
        CHECK_STATUS(lane_take(&l, 0, &out), SLIP_OK);
    }
    mem_fail_at(0);
    CHECK_EQ_U64(l.allocations, before);
    lane_finish(&l);
}

/* What a loop takes and gives back in each round must not add up. */
static void memory_given_back_is_taken_again(void)
{
    lane l;
    void *first = NULL, *out = NULL;

    begin(&l);
    CHECK_STATUS(lane_take(&l, 1000, &first), SLIP_OK);
    memset(first, 7, 1000);
    for (int round = 0; round < 100; round++) {
        lane_mark mark = lane_note(&l);
        CHECK_STATUS(lane_take(&l, 1 << 20, &out), SLIP_OK);
        memset(out, round, 1 << 20);
        lane_back(&l, mark);
    }
    CHECK(l.allocations <= 2);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ_U64(((uint8_t *)first)[i], 7);
    lane_mark none = { NULL, 0 };
    lane_trim(&l);
    lane_back(&l, none);
    CHECK_STATUS(lane_take(&l, 10, &out), SLIP_OK);
    lane_finish(&l);
}

static void memory_that_cannot_be_had_is_refused(void)
{
    lane l;
    void *out = NULL;

    begin(&l);
    CHECK_STATUS(lane_take(&l, UINT64_MAX, &out), SLIP_ERR_MEMORY);
    CHECK_STATUS(lane_take(&l, UINT64_MAX - 64, &out), SLIP_ERR_MEMORY);
    mem_fail_at(1);
    CHECK_STATUS(lane_take(&l, 10, &out), SLIP_ERR_MEMORY);
    mem_fail_at(0);
    CHECK(out == NULL);
    CHECK_STATUS(lane_take(&l, 10, &out), SLIP_OK);
    lane_finish(&l);
    CHECK_EQ_U64(mem_live(), 0);
}

/* Gathering several pieces into one may fail; the launch then takes what it needs piece by
 * piece. */
static void a_reset_without_memory_leaves_a_lane_that_works(void)
{
    lane l;
    void *out = NULL;

    begin(&l);
    CHECK_STATUS(lane_take(&l, 100000, &out), SLIP_OK);
    CHECK_STATUS(lane_take(&l, 300000, &out), SLIP_OK);
    fail_clear();
    mem_fail_at(1);
    lane_reset(&l);
    mem_fail_at(0);
    CHECK_EQ_U64(fail_last()->code, SLIP_OK);
    CHECK_STATUS(lane_take(&l, 100000, &out), SLIP_OK);
    memset(out, 1, 100000);
    lane_finish(&l);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(pieces_are_aligned_and_do_not_overlap),
    CASE(a_launch_like_the_last_takes_nothing_from_the_driver),
    CASE(memory_given_back_is_taken_again),
    CASE(memory_that_cannot_be_had_is_refused),
    CASE(a_reset_without_memory_leaves_a_lane_that_works),
};

CHECK_MAIN(cases)
