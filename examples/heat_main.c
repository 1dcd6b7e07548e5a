/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat_main.c - one hot spot on a rod. Checked against the same steps in plain C, and against
 * the law that a closed rod loses no heat.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <slipway/slipway.h>

#include "heat.slip.h"

enum { N = 1000, STEPS = 100 };

static void heat_on_host(int n, int steps, float k, float *u)
{
    float old[N];
    for (int s = 0; s < steps; ++s) {
        memcpy(old, u, sizeof old);
        for (int i = 0; i < n; ++i)
            u[i] = old[i] + k * (old[i > 0 ? i - 1 : 0] - 2 * old[i] + old[i < n - 1 ? i + 1 : i]);
    }
}

int main(void)
{
    static float u[N] = { [N / 2] = 1.0f };
    static float expected[N] = { [N / 2] = 1.0f };
    slip_device *device;
    slip_device_info info;
    double worst = 0;
    double total = 0;

    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    if (heat(slip_default(device), N, STEPS, 0.25f, u) != SLIP_OK)
        return slip_report(stderr);
    slip_device_close(device);

    heat_on_host(N, STEPS, 0.25f, expected);
    for (int i = 0; i < N; ++i) {
        worst = fmax(worst, fabs((double)u[i] - (double)expected[i]));
        total += (double)u[i];
    }
    int good = worst <= 1e-7 && fabs(total - 1) <= 1e-5;
    printf("heat: %d cells, %d steps on %s, peak %g, total %.7f, largest difference %.1e: %s\n", N,
           STEPS, info.name, (double)u[N / 2], total, worst, good ? "ok" : "WRONG");
    return !good;
}
