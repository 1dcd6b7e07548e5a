/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code.c - finds what runs in the place of an image, and loads it: the image is a blob itself, or
 * SLIPFAKE_CODE is a folder with a blob for it, named by its hash.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "driver/cpu_math.h"
#include "fake/stream/core.h"
#include "module/hash.h"

/* An image comes without its size: a text ends, an object says where its sections end. */
static size_t image_bytes(const uint8_t *image)
{
    Elf64_Ehdr head;
    size_t end;

    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return strlen((const char *)image) + 1;
    memcpy(&head, image, sizeof head);
    end = (size_t)head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
    for (uint32_t k = 0; k < head.e_shnum; k++) {
        Elf64_Shdr section;
        memcpy(&section, image + head.e_shoff + (size_t)k * head.e_shentsize, sizeof section);
        if (section.sh_type != SHT_NOBITS && section.sh_offset + section.sh_size > end)
            end = section.sh_offset + section.sh_size;
    }
    return end;
}

static uint8_t *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *made = NULL;
    long size;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 &&
        fseek(file, 0, SEEK_SET) == 0) {
        made = fake_zeroed((size_t)size);
        if (fread(made, 1, (size_t)size, file) != (size_t)size) {
            free(made);
            made = NULL;
        }
    }
    fclose(file);
    return made;
}

uint8_t *code_blob(const void *image)
{
    const char *folder = getenv("SLIPFAKE_CODE");
    char path[4096];
    blob head;

    if (memcmp(image, BLOB_MAGIC, 8) == 0) {
        memcpy(&head, image, sizeof head);
        uint8_t *made = fake_zeroed(head.bytes);
        memcpy(made, image, head.bytes);
        return made;
    }
    snprintf(path, sizeof path, "%s/%016" PRIx64 ".blob", folder ? folder : ".",
             mod_hash(image, image_bytes(image)));
    uint8_t *made = read_whole(path);
    if (!made)
        fake_report("no code for an image: %s is missing", path);
    return made;
}

/* ---- loading ---- */

static bool fill_imports(const blob *b, const uint8_t *names, uint8_t *table)
{
    for (uint32_t k = 0; k < b->import_count; k++) {
        cpu_math_function function = cpu_math_named((const char *)names);
        if (!function)
            return false;
        memcpy(table + k * sizeof function, &function, sizeof function);
        names += strlen((const char *)names) + 1;
    }
    return true;
}

static bool map_image(fake_code *c, const blob *b)
{
    size_t table = b->import_count * sizeof(cpu_math_function);

    c->image_bytes = (size_t)(b->import_count ? b->imports_offset + table : b->image_bytes) + 1;
    c->image =
        mmap(NULL, c->image_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c->image == MAP_FAILED)
        return false;
    memcpy(c->image, c->blob + b->image, b->image_bytes);
    if (!fill_imports(b, c->blob + b->imports, c->image + b->imports_offset))
        return false;
    __builtin___clear_cache((char *)c->image, (char *)c->image + b->image_bytes);
    return mprotect(c->image, c->image_bytes, PROT_READ | PROT_EXEC) == 0;
}

static void drop(fake_code *c)
{
    if (c->image && c->image != MAP_FAILED)
        munmap(c->image, c->image_bytes);
    free(c->functions);
    free(c->blob);
    free(c);
}

int fake_code_load(fake_handle *out, const void *image, unsigned count, int *options, void **values)
{
    int status = fake_enter_in_context(FAKE_SLOT_code_load);

    if (status)
        return fake_leave(fake_spoil(status, out));
    if (!out || !image || (count && (!options || !values)))
        return fake_leave(fake_spoil(FAKE_INVALID_VALUE, out));
    fake_code *c = fake_zeroed(sizeof *c);
    c->blob = code_blob(image);
    const blob *b = (const blob *)c->blob;
    if (!b || !map_image(c, b)) {
        drop(c);
        return fake_leave(fake_spoil(FAKE_INVALID_IMAGE, out));
    }
    c->context = context_now();
    c->functions = fake_zeroed(b->shader_count * sizeof *c->functions);
    for (uint32_t k = 0; k < b->shader_count; k++)
        c->functions[k] = (fake_function){
            .code = c, .shader = (const blob_shader *)(c->blob + b->shaders) + k, .index = k
        };
    c->next = fake.codes;
    fake.codes = c;
    *out = c;
    return fake_leave(FAKE_OK);
}

static fake_code *code_of(fake_handle handle)
{
    for (fake_code *c = fake.codes; c; c = c->next)
        if (c == handle)
            return c;
    return NULL;
}

/* Nothing is said of code that still runs (CUDA driver API, cuModuleUnload). */
static void check_idle(const fake_code *c)
{
    for (uint32_t k = 1; k < fake.lane_count; k++)
        for (const fake_op *op = fake.lanes[k].first; op; op = op->next)
            if (op->kind == FAKE_TASK && op->function->code == c) {
                fake_report("code is unloaded, and %s of it has not ended", op->name);
                queue_run(k, op->number);
                k = 0;
                break;
            }
}

int fake_code_unload(fake_handle code)
{
    int status = fake_enter_in_context(FAKE_SLOT_code_unload);
    fake_code *c = code_of(code), **at = &fake.codes;

    if (status)
        return fake_leave(status);
    if (!c)
        return fake_leave(FAKE_INVALID_HANDLE);
    check_idle(c);
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    drop(c);
    return fake_leave(FAKE_OK);
}

int fake_code_function(fake_handle *out, fake_handle code, const char *name)
{
    int status = fake_enter_in_context(FAKE_SLOT_code_function);
    const fake_code *c = code_of(code);
    char *end = NULL;

    if (status)
        return fake_leave(fake_spoil(status, out));
    if (!c || !out || !name)
        return fake_leave(fake_spoil(c ? FAKE_INVALID_VALUE : FAKE_INVALID_HANDLE, out));
    const blob *b = (const blob *)c->blob;
    unsigned long k = name[0] == 's' ? strtoul(name + 1, &end, 10) : 0;
    if (!end || end == name + 1 || *end || k >= b->shader_count || c->functions[k].shader->left_out)
        return fake_leave(fake_spoil(FAKE_NOT_FOUND, out));
    *out = &c->functions[k];
    return fake_leave(FAKE_OK);
}

const fake_function *code_function(fake_handle handle)
{
    for (const fake_code *c = fake.codes; c; c = c->next) {
        const blob *b = (const blob *)c->blob;
        for (uint32_t k = 0; k < b->shader_count; k++)
            if (&c->functions[k] == handle)
                return handle;
    }
    return NULL;
}

/* Of what is asked of a function only the threads a group are known here. */
int fake_function_attribute(int *out, int which, fake_handle function)
{
    int status = fake_enter_in_context(FAKE_SLOT_function_attribute);

    if (status)
        return fake_leave(status);
    if (!out || !code_function(function))
        return fake_leave(out ? FAKE_INVALID_HANDLE : FAKE_INVALID_VALUE);
    *out = which == 0 ? 1024 : 0;
    return fake_leave(FAKE_OK);
}

#if !defined(FAKE_HIP)
int fake_function_load(fake_handle function)
{
    int status = fake_enter(FAKE_SLOT_function_load);

    if (!status && !code_function(function))
        status = FAKE_INVALID_VALUE;
    return fake_leave(status);
}
#endif
