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
    find(library, control.hip ? #hip_name : #cuda, &look.api.slot);
#define FIND_CUDA_(slot, params, name)                                                             \
    if (!control.hip)                                                                              \
        find(library, #name, &look.api.slot);
#define FIND_HIP_(slot, params, name)                                                              \
    if (control.hip)                                                                               \
        find(library, #name, &look.api.slot);
#define FIND_TYPE_(type, slot, params, name) FIND_HIP_(slot, params, name)

static void find_all(void *library)
{
    STREAM_ALL_SYMBOLS(FIND_BOTH_, FIND_CUDA_, FIND_HIP_, FIND_TYPE_)
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
        if (module->codes[c].target == (control.hip ? MOD_TARGET_GFX90A : MOD_TARGET_PTX))
            LOOK(look.api.code_load(&look.code, module->codes[c].bytes, 0, NULL, NULL));
    CHECK(look.code != NULL);
    mem_arena_finish(&arena);
    free(file);
}

void look_begin(const char *schedule, uint64_t seed)
{
    api_context context = NULL;

    control_begin(schedule, seed);
    if (look.code)
        return;
    find_all(control.library);
    LOOK(look.api.init(0));
    if (!control.hip) {
        LOOK(look.api.context_retain(&context, 0));
        LOOK(look.api.context_push(context));
    }
    load_module();
}

void look_reported(uint32_t count, const char *part)
{
    char last[512] = "";

    CHECK_EQ_U64(control.reports(last, sizeof last), count);
    if (count)
        CHECK_CONTAINS(last, part);
}
