/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.h - the checksum of a module file: XXH64 from the xxHash headers, inlined, so that nothing
 * is linked.
 */
#ifndef SLIPWAY_MODULE_HASH_H
#define SLIPWAY_MODULE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t mod_hash(const void *bytes, size_t size);

#endif
