/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builtin.h - the headers that every kernel sees, carried in the library.
 *
 * Their texts are src/front/builtin/NAME.h and include/slipway/kernel.h, turned into one table at
 * build time (cmake/EmbedText.cmake). No header of the host is ever read.
 */
#ifndef SLIPWAY_FRONT_BUILTIN_H
#define SLIPWAY_FRONT_BUILTIN_H

#include <stddef.h>
#include <stdint.h>

#define BUILTIN_DIR "/slipc/include"

typedef struct builtin_header {
    const char *path; /* BUILTIN_DIR "/math.h" */
    const char *text;
    size_t bytes;
} builtin_header;

extern const builtin_header builtin_headers[];
extern const uint32_t builtin_header_count;

#endif
