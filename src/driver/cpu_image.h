/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image.h - CPU code in memory: a flat image, mapped, its table of imports filled.
 *
 * Knows no compiler and no module. Whatever the numbers of a drv_code are, loading fails or gives a
 * mapping in which every given offset was checked; what the code itself does is not checked.
 */
#ifndef SLIPWAY_DRIVER_CPU_IMAGE_H
#define SLIPWAY_DRIVER_CPU_IMAGE_H

#include "driver/driver.h"

typedef struct cpu_image cpu_image;

/*
 * cpu_image_load - map, fill in, protect. The code can be run and read, the table read, neither
 * written.
 *
 *   code   1 byte to 1 GiB; imports_offset a multiple of 65536, at or past the last byte copied
 *
 * Errors   FORMAT     a number is out of its bounds
 *          NOT_FOUND  an import is not a function we have; the record names it
 *          MEMORY     the system gave no mapping
 */
slip_status cpu_image_load(const drv_code *code, cpu_image **out) SLIP_MUST_USE;
void cpu_image_drop(cpu_image *image); /* takes NULL */

/* The address of an entry point; NULL where the offset is not inside the code. */
void *cpu_image_at(const cpu_image *image, uint32_t offset);

#endif
