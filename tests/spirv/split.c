/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.c - a module file's shaders as files: DIR/<task>_main.spv and DIR/<task>_finish.spv.
 * For validate.sh; prints what was left out and why.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "module/read.h"

static int write_shader(const mod_code *c, uint32_t index, const char *dir, const char *name,
                        const char *part)
{
    const mod_shader *s = &c->shaders[index];
    char path[1024];

    if (s->bytes == 0) {
        printf("left out: %s %s\n", name, part);
        return 0;
    }
    snprintf(path, sizeof path, "%s/%03u_%s.spv", dir, index, part);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    int failed = fwrite(c->bytes + s->offset, 1, s->bytes, file) != s->bytes;
    failed |= fclose(file);
    return failed;
}

static int write_code(const mod_module *m, const mod_code *c, const char *dir)
{
    int failed = 0;

    for (uint32_t e = 0; e < m->entry_count; e++)
        for (uint32_t t = 0; t < m->entries[e].task_count; t++) {
            const mod_symbol *s = &c->symbols[m->entries[e].first_symbol + t];
            const char *name = m->entries[e].tasks[t].name;
            failed |= write_shader(c, s->main, dir, name, "main");
            if (s->finish != MOD_NONE)
                failed |= write_shader(c, s->finish, dir, name, "finish");
        }
    return failed;
}

int main(int count, char **args)
{
    mem_arena arena = { 0 };
    const mod_module *module = NULL;
    long size;
    int failed = 1;

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
        if (module->codes[k].target == MOD_TARGET_SPIRV)
            failed = write_code(module, &module->codes[k], args[2]);
    mem_arena_finish(&arena);
    free(bytes);
    return failed;
}
