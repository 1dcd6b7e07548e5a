/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loops_rival.c - the loops of the kernels in examples/, with OpenMP, for clang -O3 -march=native.
 *
 * The same statements in the same order; only the parallel loop is spelled another way.
 */
#include "loops.h"

#include <math.h>

void rival_saxpy(int32_t n, float a, const float *restrict x, float *restrict y)
{
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}

void rival_heat(int32_t n, int32_t steps, float k, float *restrict u, float *restrict next)
{
    for (int32_t s = 0; s < steps; ++s) {
#pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < n; ++i) {
            int32_t l = i > 0 ? i - 1 : 0;
            int32_t r = i < n - 1 ? i + 1 : n - 1;
            next[i] = u[i] + k * (u[l] - 2 * u[i] + u[r]);
        }
#pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < n; ++i)
            u[i] = next[i];
    }
}

void rival_nbody(int32_t n, int32_t steps, float dt, float soft, const float *restrict mass,
                 float (*restrict pos)[3], float (*restrict vel)[3])
{
    for (int32_t s = 0; s < steps; ++s) {
#pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < n; ++i) {
            float ax = 0;
            float ay = 0;
            float az = 0;
            for (int32_t j = 0; j < n; ++j) {
                float dx = pos[j][0] - pos[i][0];
                float dy = pos[j][1] - pos[i][1];
                float dz = pos[j][2] - pos[i][2];
                float square = dx * dx + dy * dy + dz * dz + soft * soft;
                float pull = mass[j] / (square * sqrtf(square));
                ax += pull * dx;
                ay += pull * dy;
                az += pull * dz;
            }
            vel[i][0] = vel[i][0] + dt * ax;
            vel[i][1] = vel[i][1] + dt * ay;
            vel[i][2] = vel[i][2] + dt * az;
        }
#pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < n; ++i)
            for (int32_t c = 0; c < 3; ++c)
                pos[i][c] = pos[i][c] + dt * vel[i][c];
    }
}

void rival_mandelbrot(int32_t h, int32_t w, int32_t limit, double cx, double cy, double size,
                      int32_t *restrict count)
{
    double pixel = size / w;

#pragma omp parallel for schedule(dynamic, 4)
    for (int32_t y = 0; y < h; ++y)
        for (int32_t x = 0; x < w; ++x) {
            double a = cx + (2 * x - w + 1) * pixel / 2;
            double b = cy + (2 * y - h + 1) * pixel / 2;
            double re = 0;
            double im = 0;
            int32_t k = 0;
            while (k < limit && re * re + im * im <= 4) {
                double t = re * re - im * im + a;
                im = 2 * re * im + b;
                re = t;
                ++k;
            }
            count[y * w + x] = k;
        }
}
