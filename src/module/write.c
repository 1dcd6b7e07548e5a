/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.c - writes a module file: the header, then what codec.c makes of the module.
 */
#include "module/write.h"

#include "module/codec.h"
#include "module/hash.h"

static void put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

slip_status mod_write(const mod_module *module, text *out)
{
    text body = { 0 };
    codec c = { .out = &body };
    mod_module copy = *module; /* one routine for both ways takes what may be stored to */
    uint8_t header[MOD_HEADER_BYTES] = MOD_MAGIC;

    codec_module(&c, &copy);
    slip_status status = c.status != SLIP_OK ? c.status : body.status;
    if (status == SLIP_OK) { /* a text that failed has lost its bytes, not their count */
        put(header + 8, MOD_FORMAT_VERSION, 4);
        put(header + 16, body.bytes, 8);
        put(header + 24, mod_hash(text_get(&body), body.bytes), 8);
        text_bytes(out, header, sizeof header);
        text_bytes(out, text_get(&body), body.bytes);
        status = out->status;
    }
    text_finish(&body);
    return status;
}
