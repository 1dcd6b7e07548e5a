/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix_sum_main.c - running sums of numbers that overflow 32 bits, for sizes around the block
 * size and a large one. Checked against the plain loop, number by number.
 */
#include <inttypes.h>
#include <stdio.h>

#include <slipway/slipway.h>

#include "prefix_sum.slip.h"

enum { N = 1000003 };

static int32_t x[N];
static int64_t sum[N];

/* How many of the first n running sums are wrong. */
static int count_wrong(int n)
{
    int wrong = 0;
    int64_t s = 0;
    for (int i = 0; i < n; ++i) {
        s += x[i];
        wrong += sum[i] != s;
    }
    return wrong;
}

int main(void)
{
    static const int sizes[] = { 0, 1, 255, 256, 257, 65536, N };
    slip_device *device;
    slip_device_info info;
    int wrong = 0;
    for (int i = 0; i < N; ++i)
        x[i] = INT32_MAX - i % 7 * 1000000;
    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        for (int i = 0; i < N; ++i)
            sum[i] = -1;
        if (prefix_sum(slip_default(device), sizes[k], x, sum) != SLIP_OK)
            return slip_report(stderr);
        wrong += count_wrong(sizes[k]);
    }
    slip_device_close(device);
    printf("prefix_sum: up to %d elements on %s, last sum %" PRId64 ", %d wrong\n", N, info.name,
           sum[N - 1], wrong);
    return wrong != 0;
}
