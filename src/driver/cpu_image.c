/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image.c - maps CPU images: reserve, copy, fill the imports in, protect.
 *
 * A page is never writable and executable at once, and the image's bytes come from a file that may
 * be damaged: every number is checked before it is used.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "driver/cpu_image.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/cpu_math.h"

struct cpu_image {
    uint8_t *base;
    size_t mapped; /* bytes of address space */
    uint64_t size; /* of the code */
};

enum { IMPORTS_ALIGN = 65536, MAX_IMPORTS = 4096 };
#define MAX_BYTES ((uint64_t)1 << 30)

static slip_status check_parts(const drv_code *p)
{
    if (p->size == 0 || p->size > MAX_BYTES || !p->bytes)
        return SLIP_FAIL(SLIP_ERR_FORMAT,
                         "a CPU image of %" PRIu64 " bytes; it may have 1 to %" PRIu64, p->size,
                         MAX_BYTES);
    if (p->import_count > MAX_IMPORTS)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "a CPU image with %u imports; it may have %d",
                         p->import_count, MAX_IMPORTS);
    if (p->imports_offset % IMPORTS_ALIGN != 0 || p->imports_offset < p->size ||
        p->imports_offset > 2 * MAX_BYTES)
        return SLIP_FAIL(SLIP_ERR_FORMAT,
                         "a CPU image's imports lie at %" PRIu64
                         ", which is not a multiple of %d past its %" PRIu64 " bytes",
                         p->imports_offset, IMPORTS_ALIGN, p->size);
    return SLIP_OK;
}

static uint64_t to_pages(uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    return (bytes + page - 1) / page * page;
}

static slip_status fill_imports(const drv_code *p, uint8_t *table)
{
    for (uint32_t k = 0; k < p->import_count; k++) {
        cpu_math_function function = p->imports[k] ? cpu_math_named(p->imports[k]) : NULL;
        if (!function)
            return SLIP_FAIL(SLIP_ERR_NOT_FOUND,
                             "CPU code imports `%.64s`, which is no math function",
                             p->imports[k] ? p->imports[k] : "(null)");
        memcpy(table + k * sizeof function, &function, sizeof function);
    }
    return SLIP_OK;
}

static slip_status protect(void *at, uint64_t bytes, int how)
{
    if (bytes && mprotect(at, bytes, how) != 0)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "mprotect refused %" PRIu64 " bytes of CPU code", bytes);
    return SLIP_OK;
}

static slip_status fill_image(const drv_code *code, cpu_image *image, uint64_t text, uint64_t table)
{
    uint8_t *imports = image->base + code->imports_offset;

    SLIP_TRY(protect(image->base, text, PROT_READ | PROT_WRITE));
    memcpy(image->base, code->bytes, code->size);
    SLIP_TRY(protect(image->base, text, PROT_READ | PROT_EXEC));
    __builtin___clear_cache((char *)image->base, (char *)image->base + code->size);
    if (code->import_count == 0)
        return SLIP_OK;
    SLIP_TRY(protect(imports, table, PROT_READ | PROT_WRITE));
    SLIP_TRY(fill_imports(code, imports));
    return protect(imports, table, PROT_READ);
}

slip_status cpu_image_load(const drv_code *code, cpu_image **out)
{
    cpu_image *made = NULL;
    slip_status status;
    uint64_t text, table;

    SLIP_TRY(check_parts(code));
    text = to_pages(code->size);
    table = to_pages(code->import_count * sizeof(cpu_math_function));
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->size = code->size;
    made->mapped = code->import_count ? code->imports_offset + table : text;
    made->base =
        mmap(NULL, made->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made->base == MAP_FAILED) {
        made->base = NULL;
        status = SLIP_FAIL(SLIP_ERR_MEMORY, "no room for %zu bytes of CPU code", made->mapped);
        goto fail;
    }
    status = fill_image(code, made, text, table);
    if (status != SLIP_OK)
        goto fail;
    *out = made;
    return SLIP_OK;

fail:
    cpu_image_drop(made);
    return status;
}

void cpu_image_drop(cpu_image *image)
{
    if (image && image->base)
        munmap(image->base, image->mapped);
    mem_free(image);
}

void *cpu_image_at(const cpu_image *image, uint32_t offset)
{
    return offset < image->size ? image->base + offset : NULL;
}
