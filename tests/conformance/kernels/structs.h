/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structs.h - structs that a kernel file and its callers share by including this page.
 */
#ifndef CONFORM_STRUCTS_H
#define CONFORM_STRUCTS_H

#include <stdint.h>

enum { LINKS = 4 };

typedef struct vec3 {
    float x, y, z;
} vec3;

/* Padding after tag and fixed; arrays and structs inside. */
struct body {
    vec3 position, velocity;
    double mass;
    int32_t link[LINKS];
    uint8_t tag;
    _Bool fixed;
    struct {
        int16_t low, high;
    } range;
    int64_t stamp;
};

#endif
