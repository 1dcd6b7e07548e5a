/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads a module file: header, checksum, structures, then every number (check_module.c).
 */
#include "module/read.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "module/codec.h"
#include "module/hash.h"

static uint64_t get(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static slip_status read_header(const uint8_t *bytes, uint64_t size)
{
    if (size < MOD_HEADER_BYTES || memcmp(bytes, MOD_MAGIC, 8) != 0)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "not a module file: no `SLIPMOD` at its start");
    uint64_t version = get(bytes + 8, 4), body = get(bytes + 16, 8);
    if (version != MOD_FORMAT_VERSION)
        return SLIP_FAIL(SLIP_ERR_FORMAT,
                         "module of format %" PRIu64 "; this build reads format %d", version,
                         MOD_FORMAT_VERSION);
    if (get(bytes + 12, 4) != 0)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "module header: a reserved field is not 0");
    if (body != size - MOD_HEADER_BYTES)
        return SLIP_FAIL(SLIP_ERR_FORMAT,
                         "module of %" PRIu64 " bytes; its header says %" PRIu64
                         " after the header",
                         size, body);
    if (get(bytes + 24, 8) != mod_hash(bytes + MOD_HEADER_BYTES, body))
        return SLIP_FAIL(SLIP_ERR_FORMAT, "module is damaged: its checksum does not fit");
    return SLIP_OK;
}

slip_status mod_read(mem_arena *arena, const void *bytes, uint64_t size, const mod_module **out)
{
    SLIP_TRY(read_header(bytes, size));
    const uint8_t *start = bytes;
    mod_module *made = arena_new(arena, sizeof *made);
    if (!made)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a module");

    codec c = {
        .start = start, .at = start + MOD_HEADER_BYTES, .end = start + size, .arena = arena
    };
    codec_module(&c, made);
    SLIP_TRY(c.status);
    SLIP_TRY(mod_check(made));
    *out = made;
    return SLIP_OK;
}
