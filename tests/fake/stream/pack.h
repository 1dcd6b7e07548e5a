/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.h - makes blobs (blob.h) from modules.
 */
#ifndef SLIPWAY_FAKE_STREAM_PACK_H
#define SLIPWAY_FAKE_STREAM_PACK_H

#include "base/mem.h"
#include "base/text.h"
#include "module/module.h"

/*
 * Appends the blob that runs the module's tasks as code `gpu` says: its shaders, flags and sizes.
 *
 *   gpu  a code of the module of a stream target, or one made by pack_shaders           borrowed
 *
 * Errors  NOT_FOUND  the module has no code for this processor
 */
slip_status pack_blob(const mod_module *module, const mod_code *gpu, mem_arena *arena,
                      text *out) SLIP_MUST_USE;

/*
 * The table of shaders that a compiler for `target` would make, without code: what a module gets
 * that was compiled for this processor alone.
 */
slip_status pack_shaders(const mod_module *module, mod_target target, mem_arena *arena,
                         mod_code *out) SLIP_MUST_USE;

/* Writes a blob for each code of a stream target to FOLDER, named by the code's hash. */
slip_status pack_to_folder(const mod_module *module, mem_arena *arena,
                           const char *folder) SLIP_MUST_USE;
/* Replaces the file at once, so that nobody reads a part of it. */
slip_status pack_write(const char *path, const text *bytes) SLIP_MUST_USE;

#endif
