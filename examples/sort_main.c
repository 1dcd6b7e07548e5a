/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort_main.c - sorts scattered keys, for several sizes. Checked against qsort, key by key.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "sort.slip.h"

enum { N = 100003 };

static int32_t keys[N];
static int32_t expected[N];

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static const int sizes[] = { 0, 1, 2, 3, 1000, 65536, N };
    slip_device *device;
    slip_device_info info;
    int wrong = 0;
    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        int n = sizes[k];
        uint32_t state = 1;
        for (int i = 0; i < N; ++i) {
            state = state * 1664525u + 1013904223u;
            keys[i] = (int32_t)(state >> 4) - (1 << 27);
        }
        memcpy(expected, keys, sizeof keys);
        qsort(expected, (size_t)n, sizeof expected[0], compare);
        if (sort(slip_default(device), n, keys) != SLIP_OK)
            return slip_report(stderr);
        for (int i = 0; i < N; ++i)
            wrong += keys[i] != expected[i];
    }
    slip_device_close(device);
    printf("sort: up to %d keys on %s, from %d to %d, %d wrong\n", N, info.name, keys[0],
           keys[N - 1], wrong);
    return wrong != 0;
}
