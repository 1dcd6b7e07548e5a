/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_api_test.c - our numbers of CUDA and of HIP are the official ones; so are the types of
 * entry points, or the test would not compile.
 */
#include <string.h>

#include "driver/stream_official.h"
#include "driver/stream_vendor.h"
#include "support/check.h"

static void compare(const stream_official_row *rows, size_t count)
{
    CHECK(count > 40);
    for (size_t k = 0; k < count; k++)
        if (rows[k].ours != rows[k].official)
            CHECK_FAIL("%s: %lld here, %lld in the official header", rows[k].name,
                       (long long)rows[k].ours, (long long)rows[k].official);
}

static void numbers_of_cuda_are_the_official_ones(void)
{
    const char *why = NULL;
    size_t count = 0;
    const stream_official_row *rows = stream_official_cuda(&count, &why);

    if (!rows)
        check_skip("cuda-headers", why);
    compare(rows, count);
}

static void numbers_of_hip_are_the_official_ones(void)
{
    const char *why = NULL;
    size_t count = 0;
    const stream_official_row *rows = stream_official_hip(&count, &why);

    if (!rows)
        check_skip("hip-headers", why);
    compare(rows, count);
}

/* LAUNCH: NULL is the legacy default stream, so no name is of the per-thread kind. */
static void no_entry_point_is_of_the_per_thread_default_stream(void)
{
    const stream_vendor *const vendors[] = { &cuda_vendor, &hip_vendor };

    for (int v = 0; v < 2; v++)
        for (int slot = 0; slot < STREAM_SLOT_COUNT; slot++) {
            const char *name = vendors[v]->symbols[slot].name;
            if (name && (strstr(name, "_pt") || strstr(name, "_spt")))
                CHECK_FAIL("%s", name);
        }
}

static const check_case cases[] = {
    CASE(numbers_of_cuda_are_the_official_ones),
    CASE(numbers_of_hip_are_the_official_ones),
    CASE(no_entry_point_is_of_the_per_thread_default_stream),
};

CHECK_MAIN(cases)
