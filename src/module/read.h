/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.h - a module from bytes that are not trusted.
 */
#ifndef SLIPWAY_MODULE_READ_H
#define SLIPWAY_MODULE_READ_H

#include "base/mem.h"
#include "module/module.h"

/*
 * mod_read - read and check a module file.
 *
 *   arena    holds the module                                                        borrowed
 *   bytes    [size], which must outlive the module: code and data are used in place  borrowed
 *
 * On return every index, offset and size in *out may be trusted: check_*.c list what holds.
 * The machine code itself is not looked at; it is as trusted as its file.
 *
 * Errors   FORMAT   no module file, of another version, damaged, or numbers that do not fit
 * together; the message says what and where MEMORY   the arena is full Threads  any, each with its
 * own arena
 */
slip_status mod_read(mem_arena *arena, const void *bytes, uint64_t size,
                     const mod_module **out) SLIP_MUST_USE;

/* The second half of mod_read, for modules made in this process: do the numbers fit together? */
slip_status mod_check(const mod_module *module) SLIP_MUST_USE;

#endif
