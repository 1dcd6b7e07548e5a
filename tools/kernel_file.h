/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_file.h - the bytes of a module, from a module file or compiled from a kernel file.
 */
#ifndef SLIPWAY_TOOLS_KERNEL_FILE_H
#define SLIPWAY_TOOLS_KERNEL_FILE_H

#include <stddef.h>

#include <slipway/status.h>

#include "options.h"

typedef struct kernel_file {
    const void *bytes;
    size_t size;
    void *memory; /* of a module file */
    void *result; /* slipc's, of a kernel file */
} kernel_file;

/*
 * kernel_file_open - a name that ends in .c is compiled in memory; all else is read as a module.
 *
 *   target  what is compiled for (slip_device_info.target); NULL: this host and shaders
 *
 * The compiler's diagnostics go to stderr. Errors: NOT_FOUND, COMPILE, MEMORY; UNSUPPORTED for a
 * kernel file where this build has no compiler.
 */
slip_status kernel_file_open(const options *o, const char *target, kernel_file *out);
void kernel_file_close(kernel_file *f);

#endif
