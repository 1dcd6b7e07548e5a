/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_ranges_test.c - the free list of a block against a plain map of its granules.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/vulkan_ranges.h"
#include "support/check.h"

enum { G = VULKAN_GRANULE, GRANULES = 64 };

static void sizes_round_up_and_never_wrap(void)
{
    uint64_t got;

    CHECK(vulkan_granules(0, &got) && got == G);
    CHECK(vulkan_granules(1, &got) && got == G);
    CHECK(vulkan_granules(G, &got) && got == G);
    CHECK(vulkan_granules(G + 1, &got) && got == 2 * G);
    CHECK(!vulkan_granules(UINT64_MAX, &got));
    CHECK(!vulkan_granules(UINT64_MAX - G + 2, &got));
    CHECK(vulkan_granules(UINT64_MAX - G + 1, &got) && got == UINT64_MAX - G + 1);
}

typedef struct part {
    uint64_t offset, bytes;
} part;

static void mark(uint8_t *map, const part *p, uint8_t from, uint8_t to)
{
    for (uint64_t k = p->offset / G; k < (p->offset + (p->bytes ? p->bytes : 1) + G - 1) / G; k++) {
        CHECK(k < GRANULES && map[k] == from);
        map[k] = to;
    }
}

/* The free list says what the map says. */
static void check_list(const vulkan_ranges *r, const uint8_t *map, uint64_t live)
{
    uint8_t seen[GRANULES];

    memset(seen, 1, sizeof seen);
    CHECK_EQ_U64(r->live, live);
    for (size_t k = 0; k < r->count; k++) {
        CHECK(r->free[k].bytes > 0 && r->free[k].bytes % G == 0 && r->free[k].offset % G == 0);
        if (k > 0) /* apart, or they would be one */
            CHECK(r->free[k - 1].offset + r->free[k - 1].bytes < r->free[k].offset);
        memset(seen + r->free[k].offset / G, 0, r->free[k].bytes / G);
    }
    CHECK(memcmp(seen, map, sizeof seen) == 0);
}

/* The longest run of free granules. */
static uint64_t longest(const uint8_t *map)
{
    uint64_t best = 0, run = 0;

    for (int k = 0; k < GRANULES; k++) {
        run = map[k] ? 0 : run + 1;
        best = run > best ? run : best;
    }
    return best * G;
}

static void ranges_agree_with_a_map_whatever_comes_and_goes(void)
{
    vulkan_ranges r;
    uint8_t map[GRANULES] = { 0 };
    part parts[GRANULES];
    uint32_t count = 0, random = 7, refused = 0;

    CHECK_STATUS(vulkan_ranges_init(&r, GRANULES * G), SLIP_OK);
    for (int step = 0; step < 20000; step++) {
        random = random * 1664525u + 1013904223u;
        if (count > 0 && random >> 31) {
            uint32_t which = (random >> 8) % count;
            mark(map, &parts[which], 1, 0);
            vulkan_ranges_give(&r, parts[which].offset, parts[which].bytes);
            parts[which] = parts[--count];
        } else {
            part p = { 0, (random >> 8) % (12 * G) };
            bool found = false;
            CHECK_STATUS(vulkan_ranges_take(&r, p.bytes, &found, &p.offset), SLIP_OK);
            uint64_t size = 0;
            CHECK(vulkan_granules(p.bytes, &size));
            CHECK(found == (longest(map) >= size));
            refused += !found;
            if (found) {
                mark(map, &p, 0, 1);
                parts[count++] = p;
            }
        }
        check_list(&r, map, count);
    }
    CHECK(refused > 100);
    while (count > 0) {
        vulkan_ranges_give(&r, parts[count - 1].offset, parts[count - 1].bytes);
        count--;
    }
    CHECK(r.count == 1 && r.free[0].offset == 0 && r.free[0].bytes == GRANULES * G);
    vulkan_ranges_finish(&r);
    CHECK_EQ_U64(mem_live(), 0);
}

static void the_smallest_range_that_fits_is_taken(void)
{
    vulkan_ranges r;
    uint64_t at[6];
    bool found;

    CHECK_STATUS(vulkan_ranges_init(&r, 20 * G), SLIP_OK);
    for (int k = 0; k < 6; k++)
        CHECK_STATUS(vulkan_ranges_take(&r,
                                        (k == 1   ? 4
                                         : k == 3 ? 2
                                                  : 1) *
                                            G,
                                        &found, &at[k]),
                     SLIP_OK);
    vulkan_ranges_give(&r, at[1], 4 * G);
    vulkan_ranges_give(&r, at[3], 2 * G);
    uint64_t got = 0;
    CHECK_STATUS(vulkan_ranges_take(&r, 2 * G, &found, &got), SLIP_OK);
    CHECK(found && got == at[3]);
    CHECK_STATUS(vulkan_ranges_take(&r, 20 * G, &found, &got), SLIP_OK);
    CHECK(!found);
    vulkan_ranges_finish(&r);
}

static void a_request_that_fails_takes_nothing(void)
{
    vulkan_ranges r;
    uint64_t at = 0, taken = 0;
    bool found = true, failed = false;

    mem_fail_at(1);
    CHECK_STATUS(vulkan_ranges_init(&r, 100 * G), SLIP_ERR_MEMORY);
    CHECK_STATUS(vulkan_ranges_init(&r, 100 * G), SLIP_OK);
    while (!failed && taken < 64) {
        mem_fail_at(1); /* growing fails, when it comes to that */
        fail_clear();
        slip_status status = vulkan_ranges_take(&r, 1, &found, &at);
        mem_fail_at(0);
        failed = status != SLIP_OK;
        CHECK(failed || found);
        taken += !failed;
    }
    CHECK(failed && !found);
    CHECK_EQ_U64(r.live, taken);
    CHECK_EQ_U64(r.free[0].offset, taken * G);
    vulkan_ranges_finish(&r);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(sizes_round_up_and_never_wrap),
    CASE(ranges_agree_with_a_map_whatever_comes_and_goes),
    CASE(the_smallest_range_that_fits_is_taken),
    CASE(a_request_that_fails_takes_nothing),
};

CHECK_MAIN(cases)
