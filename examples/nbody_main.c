/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nbody_main.c - a cloud of bodies at rest begins to fall together. Checked against the same
 * steps in plain C, and against the law that the total momentum stays zero.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <slipway/slipway.h>

#include "nbody.slip.h"

enum { N = 1024, STEPS = 10 };

static float mass[N];
static float pos[N][3];
static float vel[N][3];
static float host_pos[N][3];
static float host_vel[N][3];

/* Numbers of [0, 1) from a fixed start. */
static float next_random(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f;
}

static void nbody_on_host(int steps, float dt, float soft)
{
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < N; ++i) {
            float a[3] = { 0, 0, 0 };
            for (int j = 0; j < N; ++j) {
                float d[3];
                float square = 0;
                for (int c = 0; c < 3; ++c) {
                    d[c] = host_pos[j][c] - host_pos[i][c];
                    square += d[c] * d[c];
                }
                square += soft * soft;
                for (int c = 0; c < 3; ++c)
                    a[c] += mass[j] / (square * sqrtf(square)) * d[c];
            }
            for (int c = 0; c < 3; ++c)
                host_vel[i][c] += dt * a[c];
        }
        for (int i = 0; i < N; ++i)
            for (int c = 0; c < 3; ++c)
                host_pos[i][c] += dt * host_vel[i][c];
    }
}

int main(void)
{
    slip_device *device;
    slip_device_info info;
    double worst = 0;
    double speed = 0;
    double momentum[3] = { 0, 0, 0 };

    for (int i = 0; i < N; ++i) {
        mass[i] = (0.5f + next_random()) / N;
        for (int c = 0; c < 3; ++c)
            pos[i][c] = next_random() - 0.5f;
    }
    memcpy(host_pos, pos, sizeof pos);
    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    if (nbody(slip_default(device), N, STEPS, 0.01f, 0.05f, mass, pos[0], vel[0]) != SLIP_OK)
        return slip_report(stderr);
    slip_device_close(device);

    nbody_on_host(STEPS, 0.01f, 0.05f);
    for (int i = 0; i < N; ++i) {
        for (int c = 0; c < 3; ++c) {
            worst = fmax(worst, fabs((double)vel[i][c] - (double)host_vel[i][c]));
            speed = fmax(speed, fabs((double)vel[i][c]));
            momentum[c] += (double)mass[i] * (double)vel[i][c];
        }
    }
    double drift = fmax(fabs(momentum[0]), fmax(fabs(momentum[1]), fabs(momentum[2])));
    int good = speed > 0.1 && worst <= 1e-5 * speed && drift <= 1e-6;
    printf("nbody: %d bodies, %d steps on %s, top speed %.3f, momentum %.1e, "
           "largest difference %.1e: %s\n",
           N, STEPS, info.name, speed, drift, worst, good ? "ok" : "WRONG");
    return !good;
}
