/* SPDX-License-Identifier: Apache-2.0 */
/*
 * large_test.c - byte offsets above 4 GiB.
 */
#define _GNU_SOURCE
#include "conform.h"

#include <string.h>
#include <sys/mman.h>

#include "large.slip.h"

/* A device with memory of its own may have too little, or give too little of it at once; it says so
 * before anything has changed. */
static bool is_small(const slip_device *device)
{
    slip_device_info info;

    slip_device_describe(device, &info);
    return strcmp(info.family, "cpu") != 0;
}

/* Field case 10. Only the pages at the ends are touched where the array is used in place. */
CONFORM(an_array_of_nearly_five_gigabytes)
{
    const i64 n = 1200000000;
    const size_t bytes = (size_t)n * sizeof(f32);
    f32 *x = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    EXPECT(x != MAP_FAILED);
    if (x == MAP_FAILED)
        return;
    slip_status status = ends_of_a_large_array(c->on, n, x);
    if (status == SLIP_ERR_MEMORY && is_small(c->device)) {
        EXPECT(x[0] == 0 && x[n - 1] == 0);
        munmap(x, bytes);
        return;
    }
    conform_status(c, status, "ends_of_a_large_array");
    for (int k = 0; k < 3; k++) {
        EXPECT_I64(x[k], k);
        EXPECT_I64(x[n - 1 - k], k + 1);
    }
    EXPECT(x[n / 2] == 7 && x[3] == 0 && x[n - 4] == 0);
    munmap(x, bytes);
}

static const check_case cases[] = {
    CASE(an_array_of_nearly_five_gigabytes),
};
CHECK_MAIN(cases)
