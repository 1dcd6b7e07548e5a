/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.h - a file of programs, as three things that can be called: the module slipc makes, and
 * shared objects that gcc makes, one of which traps where C leaves something undefined.
 */
#ifndef SLIPWAY_GENERATOR_BUILD_H
#define SLIPWAY_GENERATOR_BUILD_H

#include <slipway/slipway.h>

#include "generator/gen.h"

typedef struct built {
    void *checked;   /* gcc -O0 with UBSan's checks as traps: the reference */
    void *optimised; /* gcc -O2; NULL unless asked for */
    slip_module *module;
} built;

/* Where files go; made, and removed at the end by whoever made it. */
extern const char *build_folder;
extern const char *build_root; /* the source tree */
/* How slipc is asked to compile, by number: for which processor, and how hard. */
enum { BUILD_VARIANTS = 4 };
extern unsigned build_variant;
extern const char *build_target; /* what the device takes, if it is no processor; else NULL */

/* False where a compiler refuses it; *what then says who and why, to be freed. Names of files have
 * `stem`. */
bool build_programs(const char *source, const char *stem, slip_device *device, bool optimised,
                    built *out, char **what);
void build_drop(built *b);

typedef void (*build_function)(void **args, void *result);
build_function build_find(void *object, const char *kernel);

#endif
