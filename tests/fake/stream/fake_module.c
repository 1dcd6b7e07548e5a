/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_module.c - what a look-alike driver needs to run modules.
 *
 *     fake_module --folder FOLDER IN.slip ...
 *         a blob in FOLDER for each code of a stream target, named by the code's hash: what the
 *         look-alike runs when it is given that code
 *     fake_module --into OUT.slip IN.slip
 *         the module with blobs for ptx and gfx90a in the place of any code for them
 *
 * The modules hold code for cpu-x86-64-v2 (or, with --fma, cpu-x86-64-v3), or for cpu-aarch64.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fake/stream/pack.h"
#include "module/read.h"
#include "module/write.h"

typedef struct work {
    mem_arena arena;
    const mod_module *module;
    uint8_t *bytes;
} work;

static slip_status read_file(work *w, const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    w->bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (w->bytes && fseek(file, 0, SEEK_SET) == 0 &&
        fread(w->bytes, 1, (size_t)size, file) != (size_t)size)
        size = -1;
    if (file)
        fclose(file);
    if (!w->bytes || size < 0)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "%s cannot be read", path);
    SLIP_TRY(mem_arena_init(&w->arena));
    return mod_read(&w->arena, w->bytes, (uint64_t)size, &w->module);
}

static void finish(work *w)
{
    mem_arena_finish(&w->arena);
    free(w->bytes);
    *w = (work){ 0 };
}

/* ---- blobs inside a module ---- */

static slip_status add_code(work *w, mod_target target, text *bytes, mod_code *out)
{
    SLIP_TRY(pack_shaders(w->module, target, &w->arena, out));
    SLIP_TRY(pack_blob(w->module, out, &w->arena, bytes));
    if (target == MOD_TARGET_PTX)
        text_bytes(bytes, "", 1); /* as a text would end */
    out->bytes = (const uint8_t *)bytes->data;
    out->size = bytes->bytes;
    for (uint32_t k = 0; k < out->shader_count; k++)
        ((mod_shader *)out->shaders)[k].bytes = (uint32_t)out->size;
    return bytes->status;
}

static slip_status write_module(work *w, const mod_code blobs[2], const char *path)
{
    mod_module made = *w->module;
    mod_code *codes = arena_new(&w->arena, (made.code_count + 2) * sizeof *codes);
    text bytes = { 0 };
    uint32_t count = 0;

    if (!codes)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for codes");
    for (uint32_t c = 0; c < made.code_count; c++)
        if (made.codes[c].target != blobs[0].target && made.codes[c].target != blobs[1].target)
            codes[count++] = made.codes[c];
    codes[count++] = blobs[0];
    codes[count++] = blobs[1];
    made.codes = codes;
    made.code_count = count;
    slip_status status = mod_check(&made);
    if (status == SLIP_OK)
        status = mod_write(&made, &bytes);
    if (status == SLIP_OK)
        status = pack_write(path, &bytes);
    text_finish(&bytes);
    return status;
}

static slip_status to_module(work *w, const char *path)
{
    mod_code blobs[2] = { 0 };
    text bytes[2] = { 0 };

    slip_status status = add_code(w, MOD_TARGET_PTX, &bytes[0], &blobs[0]);
    if (status == SLIP_OK)
        status = add_code(w, MOD_TARGET_GFX90A, &bytes[1], &blobs[1]);
    if (status == SLIP_OK)
        status = write_module(w, blobs, path);
    text_finish(&bytes[0]);
    text_finish(&bytes[1]);
    return status;
}

int main(int argc, char **argv)
{
    bool folder = argc > 3 && strcmp(argv[1], "--folder") == 0;
    bool into = argc == 4 && strcmp(argv[1], "--into") == 0;

    if (!folder && !into) {
        fprintf(stderr,
                "usage: fake_module --folder FOLDER IN.slip ... | --into OUT.slip IN.slip\n");
        return 2;
    }
    for (int k = 3; k < argc; k++) {
        work w = { 0 };
        slip_status status = read_file(&w, argv[k]);
        if (status == SLIP_OK)
            status = folder ? pack_to_folder(w.module, &w.arena, argv[2]) : to_module(&w, argv[2]);
        finish(&w);
        if (status != SLIP_OK) {
            fprintf(stderr, "fake_module: %s: %s\n", argv[k], fail_last()->message);
            return 1;
        }
    }
    return 0;
}
