/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack_folder.h - the code of a module for look-alikes, for programs that compile as they run.
 */
#ifndef SLIPWAY_FAKE_STREAM_PACK_FOLDER_H
#define SLIPWAY_FAKE_STREAM_PACK_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a blob for each code of a stream target in the module file to FOLDER, named by the code's
 * hash. False where it cannot: the reason is told on stderr. */
bool pack_file_to_folder(const void *bytes, uint64_t size, const char *folder);

#endif
