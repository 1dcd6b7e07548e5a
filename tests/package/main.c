/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - a program of another project that calls a kernel through the installed package.
 */
#include <stdio.h>

#include <slipway/slipway.h>

#include "axpy.slip.h"

int main(void)
{
    float x[4] = { 1, 2, 3, 4 }, y[4] = { 10, 10, 10, 10 }, sum;
    slip_device *device;

    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    if (axpy(slip_default(device), 4, 2.0f, x, y, &sum) != SLIP_OK)
        return slip_report(stderr);
    slip_device_close(device);
    printf("%g %g %g %g, sum %g\n", y[0], y[1], y[2], y[3], sum);
    return 0;
}
