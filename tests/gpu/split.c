/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.c - a module file's code for GPUs as files: DIR/ptx, DIR/gfx90a ... For ptxas.sh and
 * amd.sh; prints what was left out and why.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "module/print.h"
#include "module/read.h"

static int write_code(const mod_code *c, const char *dir)
{
    size_t size = c->size - (c->target == MOD_TARGET_PTX); /* without the NUL */
    char path[1024];

    for (uint32_t s = 0; s < c->shader_count; s++)
        if (c->shaders[s].bytes == 0)
            printf("left out: s%u, line %u\n", s, c->shaders[s].need_places[MOD_NEED_MATH].line);
    snprintf(path, sizeof path, "%s/%s", dir, mod_target_name(c->target));
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    int failed = fwrite(c->bytes, 1, size, file) != size;
    return fclose(file) || failed;
}

int main(int count, char **args)
{
    mem_arena arena = { 0 };
    const mod_module *module = NULL;
    int failed = 0;
    long size;

    if (count != 3)
        return 2;
    FILE *file = fopen(args[1], "rb");
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET))
        return 2;
    uint8_t *bytes = malloc((size_t)size + 1);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        return 2;
    fclose(file);
    if (mem_arena_init(&arena) != SLIP_OK)
        return 2;
    if (mod_read(&arena, bytes, (uint64_t)size, &module) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", args[1], fail_last()->message);
        return 1;
    }
    for (uint32_t k = 0; k < module->code_count; k++)
        if (mod_is_stream(module->codes[k].target))
            failed |= write_code(&module->codes[k], args[2]);
    mem_arena_finish(&arena);
    free(bytes);
    return failed;
}
