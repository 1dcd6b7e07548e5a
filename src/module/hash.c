/* SPDX-License-Identifier: Apache-2.0 */
/* hash.c - see hash.h; apart, so that xxHash's header is compiled once. */
#include "module/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t mod_hash(const void *bytes, size_t size)
{
    return XXH64(bytes, size, 0);
}
