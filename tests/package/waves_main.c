/* SPDX-License-Identifier: Apache-2.0 */
/* waves_main.c - the reference of an installed package has the device's math functions. */
#include <slipway/slipway.h>
#include <stdio.h>
#include <string.h>

#include "waves.reference.h"
#include "waves.slip.h"

int main(void)
{
    static float x[1000], y[1000], z[1000];
    slip_device *device;

    for (int i = 0; i < 1000; i++)
        x[i] = (float)i * 0.01f;
    if (slip_device_open("cpu", &device) != SLIP_OK)
        return slip_report(stderr);
    if (waves(slip_default(device), 1000, x, y) != SLIP_OK)
        return slip_report(stderr);
    waves_reference(1000, x, z);
    slip_device_close(device);
    puts(memcmp(y, z, sizeof y) == 0 ? "the same bits" : "other bits");
    return 0;
}
