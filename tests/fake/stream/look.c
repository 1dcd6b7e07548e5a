/* SPDX-License-Identifier: Apache-2.0 */
/*
 * look.c - see look.h.
 */
#define _GNU_SOURCE
#include "fake/stream/look.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "module/read.h"
#include "support/check.h"

look_alike look;

static void find(void *library, const char *name, void *out)
{
    void *found = dlsym(library, name);

    memcpy(out, &found, sizeof found);
}

#define FIND_BOTH_(slot, params, cuda, hip_name)                                                   \
    find(library, look.hip ? #hip_name : #cuda, &look.api.slot);
#define FIND_CUDA_(slot, params, name)                                                             \
    if (!look.hip)                                                                                 \
        find(library, #name, &look.api.slot);
#define FIND_HIP_(slot, params, name)                                                              \
    if (look.hip)                                                                                  \
        find(library, #name, &look.api.slot);
#define FIND_TYPE_(type, slot, params, name) FIND_HIP_(slot, params, name)

static void find_all(void *library)
{
    STREAM_ALL_SYMBOLS(FIND_BOTH_, FIND_CUDA_, FIND_HIP_, FIND_TYPE_)
    find(library, "slipfake_reset", &look.reset);
    find(library, "slipfake_fail", &look.fail);
    find(library, "slipfake_reports", &look.reports);
    find(library, "slipfake_count", &look.count);
    find(library, "slipfake_live", &look.live);
    find(library, "slipfake_codes", &look.codes);
    find(library, "slipfake_own", &look.own);
    find(library, "slipfake_context", &look.context);
}

static void load_module(void)
{
    mem_arena arena = { 0 };
    const mod_module *module = NULL;
    size_t bytes = 0;
    char *file;

    look.module = getenv("SLIPFAKE_MODULE");
    CHECK(look.module != NULL);
    file = check_read(look.module, &bytes);
    CHECK_EQ_I64(mem_arena_init(&arena), SLIP_OK);
    CHECK_EQ_I64(mod_read(&arena, file, bytes, &module), SLIP_OK);
    for (uint32_t c = 0; c < module->code_count; c++)
        if (module->codes[c].target == (look.hip ? MOD_TARGET_GFX90A : MOD_TARGET_PTX))
            LOOK(look.api.code_load(&look.code, module->codes[c].bytes, 0, NULL, NULL));
    CHECK(look.code != NULL);
    mem_arena_finish(&arena);
    free(file);
}

void look_open(void)
{
    const char *path = getenv("SLIPFAKE_LIBRARY");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    api_context context = NULL;

    if (look.code)
        return;
    if (!library)
        CHECK_FAIL("SLIPFAKE_LIBRARY: %s", path ? dlerror() : "not set");
    look.hip = strstr(path, "hip") != NULL;
    find_all(library);
    LOOK(look.api.init(0));
    if (!look.hip) {
        LOOK(look.api.context_retain(&context, 0));
        LOOK(look.api.context_push(context));
    }
    load_module();
}

void look_begin(const char *schedule, uint64_t seed)
{
    look_open();
    look.reset(schedule, seed);
}

void look_reported(uint32_t count, const char *part)
{
    char last[512] = "";

    CHECK_EQ_U64(look.reports(last, sizeof last), count);
    if (count)
        CHECK_CONTAINS(last, part);
}
