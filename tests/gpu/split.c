/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.c - a module file's code for GPUs as files in DIR: a shader each of SPIR-V, 000_main.spv,
 * 001_finish.spv ..., and what holds all shaders whole: ptx, gfx90a ... Prints what was left out
 * and why; fails where there is no such code.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "module/print.h"
#include "module/read.h"

static int write_file(const char *dir, const char *name, const uint8_t *bytes, size_t size)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    int failed = fwrite(bytes, 1, size, file) != size;
    return fclose(file) || failed;
}

/* Of the task and its part: "main", "finish". */
static int write_shader(const mod_code *c, uint32_t index, const char *dir, const char *task,
                        const char *part)
{
    const mod_shader *s = &c->shaders[index];
    char name[64];

    if (s->bytes == 0) {
        printf("left out: %s %s, line %u\n", task, part, s->need_places[MOD_NEED_MATH].line);
        return 0;
    }
    if (mod_is_stream(c->target)) /* written whole */
        return 0;
    snprintf(name, sizeof name, "%03u_%s.spv", index, part);
    return write_file(dir, name, c->bytes + s->offset, s->bytes);
}

static int write_code(const mod_module *m, const mod_code *c, const char *dir)
{
    size_t size = c->size - (c->target == MOD_TARGET_PTX); /* without the NUL */
    int failed = 0;

    if (mod_is_stream(c->target))
        failed = write_file(dir, mod_target_name(c->target), c->bytes, size);
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
    int found = 0, failed = 0;
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
        if (mod_has_shaders(module->codes[k].target)) {
            failed |= write_code(module, &module->codes[k], args[2]);
            found = 1;
        }
    mem_arena_finish(&arena);
    free(bytes);
    return failed || !found;
}
