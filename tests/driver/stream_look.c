/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_look.c - see stream_look.h.
 */
#define _GNU_SOURCE
#include "driver/stream_look.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/stream_device.h"
#include "module/read.h"
#include "support/check.h"

static const char *const code_path = CHECK_BUILD "/driver_stubs/add.slip";

static const struct {
    const char *variable, *path;
    mod_target target;
} rows[STREAM_FAMILIES] = {
    { "SLIPWAY_CUDA_LIBRARY", CHECK_BUILD "/tests/fake/libcuda.so.1", MOD_TARGET_PTX },
    { "SLIPWAY_HIP_LIBRARY", CHECK_BUILD "/tests/fake/libamdhip64.so", MOD_TARGET_GFX90A },
};

static stream_look looks[STREAM_FAMILIES];

static void find(void *library, const char *name, void *out)
{
    void *found = dlsym(library, name);

    CHECK(found != NULL);
    memcpy(out, &found, sizeof found);
}

static void open_look(stream_family family, stream_look *out)
{
    void *library = dlopen(rows[family].path, RTLD_NOW | RTLD_LOCAL);

    CHECK(library != NULL);
    find(library, "slipfake_reset", &out->reset);
    find(library, "slipfake_fail", &out->fail);
    find(library, "slipfake_reports", &out->reports);
    find(library, "slipfake_live", &out->live);
    find(library, "slipfake_codes", &out->codes);
}

/* Kept for the other cases. */
static void read_code(stream_family family, stream_look *out)
{
    static char *texts[STREAM_FAMILIES];
    const mod_module *module = NULL;
    mem_arena arena = { 0 };
    size_t bytes = 0;
    char *file = check_read(code_path, &bytes);

    CHECK_EQ_I64(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(mod_read(&arena, file, bytes, &module), SLIP_OK);
    for (uint32_t c = 0; c < module->code_count; c++)
        if (module->codes[c].target == rows[family].target) {
            free(texts[family]);
            texts[family] = malloc(module->codes[c].size);
            memcpy(texts[family], module->codes[c].bytes, module->codes[c].size);
            out->text = texts[family];
            out->text_bytes = module->codes[c].size;
        }
    CHECK(out->text != NULL);
    mem_arena_finish(&arena);
    free(file);
}

const stream_look *stream_look_begin(stream_family family, const char *schedule, uint64_t seed)
{
    stream_look *look = &looks[family];

    if (access(rows[family].path, R_OK) != 0 || access(code_path, R_OK) != 0)
        check_skip("look-alikes", "the build has none");
    stream_table_forget();
    for (int f = 0; f < STREAM_FAMILIES; f++)
        unsetenv(rows[f].variable);
    setenv(rows[family].variable, rows[family].path, 1);
    open_look(family, look);
    read_code(family, look);
    look->reset(schedule, seed);
    return look;
}

void stream_look_end(const stream_look *look)
{
    char last[512] = "";

    stream_table_forget();
    for (int f = 0; f < STREAM_FAMILIES; f++)
        unsetenv(rows[f].variable);
    if (look->reports(last, sizeof last) > 0)
        CHECK_FAIL("the look-alike has found fault: %s", last);
}
