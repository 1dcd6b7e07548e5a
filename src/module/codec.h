/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec.h - the module's structures as a stream of bytes: one routine per structure, for both ways.
 *
 * Reading checks only that the stream holds what it claims and that text and flags are well formed;
 * whether the numbers make sense together is check_module.c's. Shape (c) of the error rules: the
 * status is sticky and looked at once.
 */
#ifndef SLIPWAY_MODULE_CODEC_H
#define SLIPWAY_MODULE_CODEC_H

#include "base/mem.h"
#include "base/text.h"
#include "module/module.h"

typedef struct codec {
    text *out;                       /* writing: gets the bytes; NULL when reading */
    const uint8_t *start, *at, *end; /* reading */
    mem_arena *arena;                /* reading: holds what is made */
    slip_status status;              /* the first failure */
} codec;

void codec_module(codec *c, mod_module *m);

/* The header: magic, u32 version, u32 zero, u64 bytes after the header, u64 XXH64 of them (seed 0).
 */
enum { MOD_FORMAT_VERSION = 4, MOD_HEADER_BYTES = 32 };
#define MOD_MAGIC "SLIPMOD\n"

#endif
