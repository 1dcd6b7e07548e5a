/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image.h - CPU code in memory: a flat image, mapped, its table of imports filled.
 *
 * Knows no compiler and no module: what it needs is given as plain arguments. Whatever the numbers
 * are, loading fails or gives a mapping in which every given offset was checked; what the code
 * itself does is not checked.
 */
#ifndef SLIPWAY_DRIVER_CPU_IMAGE_H
#define SLIPWAY_DRIVER_CPU_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

typedef struct cpu_image_parts {
    const uint8_t *bytes; /* code and constants; may be freed after the load */
    uint64_t size;        /* at most 1 GiB */
    uint64_t imports_offset; /* a multiple of 65536, at least size, at most 2 GiB */
    const char *const *imports; /* names in cpu_math.h */
    uint32_t import_count;
} cpu_image_parts;

typedef struct cpu_image {
    uint8_t *base;
    size_t mapped; /* bytes of address space */
    uint64_t size; /* of the code */
} cpu_image;

/*
 * cpu_image_load - map, fill in, protect. The code can be run and read, the table read, neither written.
 *
 * Errors   FORMAT     a number is out of its bounds
 *          NOT_FOUND  an import is not a function we have; the record names it
 *          MEMORY     the system gave no mapping
 */
slip_status cpu_image_load(const cpu_image_parts *parts, cpu_image *out) SLIP_MUST_USE;
void cpu_image_unload(cpu_image *image); /* takes a zeroed one */

/* The address of an entry point; NULL where the offset is not inside the code. */
void *cpu_image_at(const cpu_image *image, uint32_t offset);

/* Can this host run code of the target called `name` ("cpu-x86-64-v3")? False for names not known. */
bool cpu_host_runs(const char *name);

/* The position of the best of `count` target names for this host, or -1 if it runs none. */
int cpu_host_best(const char *const *names, uint32_t count);

#endif
