/* SPDX-License-Identifier: Apache-2.0 */
/* launch_ways.c - see launch_ways.h. */
#include "launch/launch_ways.h"

#include <string.h>

#include "support/check.h"

way_state ways_now;

static case_kernel kernel;

static void fill(int32_t from)
{
    way_state *w = &ways_now;

    for (int32_t i = 0; i < WAY_COUNT; i++) {
        w->x[i] = from + i * 3;
        w->y[i] = from * 5 - i;
        w->z[i] = -1;
    }
    memcpy(w->before, w->y, sizeof w->y);
    memcpy(w->want, w->y, sizeof w->y);
}

static void give_saxpy(case_given *given)
{
    given[0] = given_number(WAY_COUNT);
    given[1] = given_number(3);
    given[2] = given_host(ways_now.x, WAY_COUNT);
    given[3] = given_host(ways_now.y, WAY_COUNT);
    plain_saxpy(WAY_COUNT, 3, ways_now.x, ways_now.want);
}

static void give_pinned_saxpy(case_given *given)
{
    give_saxpy(given);
    given[3] = given_pinned(&ways_now.memory, WAY_COUNT);
}

static void give_heat(case_given *given)
{
    given[0] = given_number(WAY_COUNT);
    given[1] = given_number(4);
    given[2] = given_host(ways_now.y, WAY_COUNT);
    plain_heat(WAY_COUNT, 4, ways_now.want);
}

static void give_sum(case_given *given)
{
    given[0] = given_number(WAY_COUNT);
    given[1] = given_host(ways_now.x, WAY_COUNT);
    ways_now.expected = plain_sum(WAY_COUNT, ways_now.x);
}

static void give_count(case_given *given)
{
    given[0] = given_number(WAY_COUNT);
    given[1] = given_number(5);
    given[2] = given_host(ways_now.y, WAY_COUNT);
    for (int i = 0; i < WAY_COUNT; i++)
        ways_now.want[i] += 5;
    ways_now.expected = 5;
}

/* y += 2 is looked at; x += 1 and z = x + y go with it. */
static void give_sections(case_given *given)
{
    given[0] = given_number(WAY_COUNT);
    given[1] = given_host(ways_now.x, WAY_COUNT);
    given[2] = given_host(ways_now.y, WAY_COUNT);
    given[3] = given_host(ways_now.z, WAY_COUNT);
    for (int i = 0; i < WAY_COUNT; i++)
        ways_now.want[i] += 2;
}

static void give_part_sum(case_given *given)
{
    ways_now.bounds[0] = 100;
    ways_now.bounds[1] = 1700;
    given[0] = given_number(WAY_COUNT);
    given[1] = given_host(ways_now.bounds, 2);
    given[2] = given_host(ways_now.x, WAY_COUNT);
    ways_now.expected = plain_sum(1600, ways_now.x + 100);
}

const way ways[] = {
    { "host arrays", kernel_saxpy, give_saxpy, false, false },
    { "a pinned array", kernel_saxpy, give_pinned_saxpy, false, true },
    { "a loop", kernel_heat, give_heat, false, false },
    { "a result", kernel_sum, give_sum, true, false },
    { "a loop of the device", kernel_count, give_count, true, false },
    { "sections", kernel_sections, give_sections, false, false },
    { "bounds of the device", kernel_part_sum, give_part_sum, true, false },
};
const size_t way_count = sizeof ways / sizeof ways[0];

static int32_t *output(const way *w)
{
    return w->pinned ? (int32_t *)ways_now.memory.host : ways_now.y;
}

slip_status way_call(case_run *run, const way *w, int32_t from)
{
    case_given given[4] = { { 0 } };

    fill(from);
    ways_now.result = -1;
    w->give(given);
    if (w->pinned)
        memcpy(ways_now.memory.host, ways_now.y, WAY_BYTES);
    return case_call(run, &kernel, given, w->has_result ? &ways_now.result : NULL);
}

void way_check_values(const way *w)
{
    if (memcmp(output(w), ways_now.want, WAY_BYTES) != 0)
        CHECK_FAIL("%s: wrong values", w->name);
    if (w->has_result)
        CHECK_EQ_I64(ways_now.result, ways_now.expected);
}

void way_check_untouched(const way *w, uint64_t k)
{
    if (memcmp(output(w), ways_now.before, WAY_BYTES) != 0 || ways_now.z[0] != -1)
        CHECK_FAIL("%s: an output was touched though call %llu failed", w->name,
                   (unsigned long long)k);
    CHECK_EQ_I64(ways_now.result, -1);
}

void way_begin(case_run *run, const way *w, bool warm)
{
    case_given given[4] = { { 0 } };

    w->kernel(&kernel);
    if (w->pinned)
        CHECK_STATUS(
            run->family->memory_new(run->device, WAY_BYTES, LAUNCH_MEMORY_PINNED, &ways_now.memory),
            SLIP_OK);
    fill(0);
    w->give(given);
    case_prepare(run, &kernel, given, w->has_result);
    if (warm)
        CHECK_STATUS(way_call(run, w, 1), SLIP_OK);
}

void way_end(case_run *run, const way *w)
{
    if (w->pinned)
        run->family->memory_drop(run->device, &ways_now.memory);
}
