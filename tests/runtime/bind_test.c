/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bind_test.c - what a binding finds out about arguments, without a call.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/bind.h"
#include "runtime/hand.h"
#include "support/check.h"

/* The shape of hand kernel `both` for two ranges of one buffer, as text: classes, then ranges,
 * of the two arrays. */
static void check_shape(const hand_device *on, uint64_t x, uint64_t y, uint64_t n,
                        const char *expected)
{
    static float buffer[64];
    uint64_t args[] = { n, (uint64_t)(uintptr_t)(buffer + x), (uint64_t)(uintptr_t)(buffer + y) };
    binding *b = NULL;
    plan_shape shape;
    char got[64];

    CHECK_STATUS(bind_make(on->stream, hand_entry(on, HAND_BOTH), &b), SLIP_OK);
    CHECK_STATUS(bind_shape(b, on->stream, args, NULL, false, &shape), SLIP_OK);
    snprintf(got, sizeof got, "%u %u, %u %u", shape.classes[1], shape.classes[2], shape.ranges[1],
             shape.ranges[2]);
    CHECK_TEXT(got, expected);
    CHECK_EQ_U64(shape.classes[0], MOD_NONE);
    bind_drop(b);
}

static void classes_and_ranges_are_numbered_by_first_appearance(void)
{
    hand_device on;

    hand_open(&on);
    check_shape(&on, 0, 8, 8, "0 1, 0 1");
    check_shape(&on, 8, 0, 8, "0 1, 0 1");
    check_shape(&on, 4, 4, 8, "0 0, 0 0");
    check_shape(&on, 0, 4, 8, "0 0, 0 1");
    check_shape(&on, 4, 0, 8, "0 0, 0 1");
    check_shape(&on, 4, 4, 0, "0 1, 0 1");
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(classes_and_ranges_are_numbered_by_first_appearance),
};

CHECK_MAIN(cases)
