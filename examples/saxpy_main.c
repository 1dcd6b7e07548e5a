/* SPDX-License-Identifier: Apache-2.0 */
/*
 * saxpy_main.c - y = a x + y on numbers whose sums are exact, so that any wrong bit shows.
 */
#include <stdio.h>

#include <slipway/slipway.h>

#include "saxpy.slip.h"

enum { N = 1000000 };

static float x[N];
static float y[N];

int main(void)
{
    slip_device *device;
    slip_device_info info;
    int wrong = 0;
    for (int i = 0; i < N; ++i) {
        x[i] = (float)(i % 1000);
        y[i] = (float)i;
    }
    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    if (saxpy(slip_default(device), N, 2.0f, x, y) != SLIP_OK)
        return slip_report(stderr);
    for (int i = 0; i < N; ++i)
        wrong += y[i] != (float)(2 * (i % 1000) + i);
    slip_device_close(device);
    printf("saxpy: %d elements on %s, %d wrong\n", N, info.name, wrong);
    return wrong != 0;
}
