/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mandelbrot_main.c - writes the Mandelbrot set to a PGM picture (mandelbrot.pgm, or the first
 * argument). Checked against plain C point by point, and against the known area of the set.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <slipway/slipway.h>

#include "mandelbrot.slip.h"

enum { W = 960, H = 640, LIMIT = 500 };

static const double centre_x = -0.75;
static const double width = 3.6;

static int count_at(int x, int y)
{
    double pixel = width / W;
    double a = centre_x + (2 * x - W + 1) * pixel / 2;
    double b = (2 * y - H + 1) * pixel / 2;
    double re = 0;
    double im = 0;
    int k = 0;
    for (; k < LIMIT && re * re + im * im <= 4; ++k) {
        double t = re * re - im * im + a;
        im = 2 * re * im + b;
        re = t;
    }
    return k;
}

static int write_picture(const char *path, const int32_t *count)
{
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        return 1;
    }
    fprintf(f, "P5\n%d %d\n255\n", W, H);
    for (int i = 0; i < W * H; ++i)
        putc(count[i] == LIMIT ? 0 : (int)(255 - 200 * exp(-count[i] / 20.0)), f);
    if (fclose(f) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "mandelbrot.pgm";
    static int32_t count[H][W];
    slip_device *device;
    slip_device_info info;
    int wrong = 0;
    int inside = 0;

    if (slip_device_open("auto", &device) != SLIP_OK)
        return slip_report(stderr);
    slip_device_describe(device, &info);
    if (mandelbrot(slip_default(device), H, W, LIMIT, centre_x, 0, width, count[0]) != SLIP_OK)
        return slip_report(stderr);
    slip_device_close(device);

    for (int y = 0; y < H; ++y) {
        for (int x = 0; x < W; ++x) {
            wrong += count[y][x] != count_at(x, y);
            inside += count[y][x] == LIMIT;
        }
    }
    double area = inside * (width / W) * (width / W);
    int good = wrong == 0 && fabs(area - 1.5066) < 0.02 && write_picture(path, count[0]) == 0;
    printf("mandelbrot: %d x %d on %s to %s, area %.4f (known: 1.5066), %d points wrong: %s\n", W,
           H, info.name, path, area, wrong, good ? "ok" : "WRONG");
    return !good;
}
