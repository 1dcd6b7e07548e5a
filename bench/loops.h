/* SPDX-License-Identifier: Apache-2.0 */
/* loops.h - the rival's loops: loops_rival.c. */
#ifndef SLIPWAY_BENCH_LOOPS_H
#define SLIPWAY_BENCH_LOOPS_H

#include <stdint.h>

void rival_saxpy(int32_t n, float a, const float *x, float *y);
void rival_heat(int32_t n, int32_t steps, float k, float *u, float *next);
void rival_nbody(int32_t n, int32_t steps, float dt, float soft, const float *mass, float (*pos)[3],
                 float (*vel)[3]);
void rival_mandelbrot(int32_t h, int32_t w, int32_t limit, double cx, double cy, double size,
                      int32_t *count);

#endif
