/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack_folder.c - blobs in a folder, where look-alikes find them by the hash of the code that they
 * are given (code.c).
 */
#include "fake/stream/pack_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fail.h"
#include "fake/stream/pack.h"
#include "module/hash.h"
#include "module/read.h"

slip_status pack_write(const char *path, const text *bytes)
{
    char fresh[4200];
    bool whole = false;

    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    FILE *file = bytes->status == SLIP_OK ? fopen(fresh, "wb") : NULL;
    if (file) {
        whole = fwrite(bytes->data, 1, bytes->bytes, file) == bytes->bytes;
        whole = fclose(file) == 0 && whole && rename(fresh, path) == 0;
    }
    return whole ? SLIP_OK : SLIP_FAIL(SLIP_ERR_NOT_FOUND, "%s was not written", path);
}

static slip_status write_blob(const mod_module *module, const mod_code *code, mem_arena *arena,
                              const char *folder)
{
    char path[4096];
    text bytes = { 0 };

    snprintf(path, sizeof path, "%s/%016" PRIx64 ".blob", folder,
             mod_hash(code->bytes, (size_t)code->size));
    slip_status status = pack_blob(module, code, arena, &bytes);
    if (status == SLIP_OK)
        status = pack_write(path, &bytes);
    text_finish(&bytes);
    return status;
}

slip_status pack_to_folder(const mod_module *module, mem_arena *arena, const char *folder)
{
    for (uint32_t c = 0; c < module->code_count; c++)
        if (mod_is_stream(module->codes[c].target))
            SLIP_TRY(write_blob(module, &module->codes[c], arena, folder));
    return SLIP_OK;
}

bool pack_file_to_folder(const void *bytes, uint64_t size, const char *folder)
{
    mem_arena arena = { 0 };
    const mod_module *module = NULL;

    fail_clear();
    slip_status status = mem_arena_init(&arena);
    if (status == SLIP_OK)
        status = mod_read(&arena, bytes, size, &module);
    if (status == SLIP_OK)
        status = pack_to_folder(module, &arena, folder);
    mem_arena_finish(&arena);
    if (status != SLIP_OK)
        fprintf(stderr, "no code for a look-alike: %s\n", fail_last()->message);
    return status == SLIP_OK;
}
