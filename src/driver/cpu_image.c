/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image.c - maps CPU images and says which of them this host runs.
 *
 * A page is never writable and executable at once, and the image's bytes come from a file that may be
 * damaged: every number is checked before it is used.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "driver/cpu_image.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "driver/cpu_math.h"

enum { IMPORTS_ALIGN = 65536, MAX_IMPORTS = 4096 };
#define MAX_BYTES ((uint64_t)1 << 30)

static slip_status check_parts(const cpu_image_parts *p)
{
    if (p->size == 0 || p->size > MAX_BYTES || !p->bytes)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "a CPU image of %" PRIu64 " bytes; it may have 1 to %"
                         PRIu64, p->size, MAX_BYTES);
    if (p->import_count > MAX_IMPORTS)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "a CPU image with %u imports; it may have %d",
                         p->import_count, MAX_IMPORTS);
    if (p->imports_offset % IMPORTS_ALIGN != 0 || p->imports_offset < p->size ||
        p->imports_offset > 2 * MAX_BYTES)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "a CPU image's imports lie at %" PRIu64
                         ", which is not a multiple of %d past its %" PRIu64 " bytes",
                         p->imports_offset, IMPORTS_ALIGN, p->size);
    return SLIP_OK;
}

static uint64_t to_pages(uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    return (bytes + page - 1) / page * page;
}

static slip_status fill_imports(const cpu_image_parts *p, uint8_t *table)
{
    for (uint32_t k = 0; k < p->import_count; k++) {
        cpu_math_function function = p->imports[k] ? cpu_math_named(p->imports[k]) : NULL;
        if (!function)
            return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "CPU code imports `%.64s`, which is no math function",
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

slip_status cpu_image_load(const cpu_image_parts *parts, cpu_image *out)
{
    cpu_image made = { .size = parts->size };
    slip_status status;
    uint64_t code, table;

    SLIP_TRY(check_parts(parts));
    code = to_pages(parts->size);
    table = to_pages(parts->import_count * sizeof(cpu_math_function));
    made.mapped = parts->import_count ? parts->imports_offset + table : code;
    made.base = mmap(NULL, made.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made.base == MAP_FAILED)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no room for %zu bytes of CPU code", made.mapped);
    status = protect(made.base, code, PROT_READ | PROT_WRITE);
    if (status != SLIP_OK)
        goto fail;
    memcpy(made.base, parts->bytes, parts->size);
    status = protect(made.base, code, PROT_READ | PROT_EXEC);
    if (status != SLIP_OK)
        goto fail;
    __builtin___clear_cache((char *)made.base, (char *)made.base + parts->size);
    if (parts->import_count) {
        uint8_t *at = made.base + parts->imports_offset;
        status = protect(at, table, PROT_READ | PROT_WRITE);
        if (status == SLIP_OK)
            status = fill_imports(parts, at);
        if (status == SLIP_OK)
            status = protect(at, table, PROT_READ);
        if (status != SLIP_OK)
            goto fail;
    }
    *out = made;
    return SLIP_OK;

fail:
    cpu_image_unload(&made);
    return status;
}

void cpu_image_unload(cpu_image *image)
{
    if (image->base)
        munmap(image->base, image->mapped);
    *image = (cpu_image){ 0 };
}

void *cpu_image_at(const cpu_image *image, uint32_t offset)
{
    return offset < image->size ? image->base + offset : NULL;
}

/* Best first. Each name stands for everything the psABI's level has. */
typedef struct host_row {
    const char *name;
    bool (*runs)(void);
} host_row;

#if defined(__x86_64__)
static bool runs_v2(void)
{
    return __builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
           __builtin_cpu_supports("popcnt");
}

static bool runs_v3(void)
{
    return runs_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("x86-64-v3");
}

static bool runs_v4(void)
{
    return runs_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static const host_row hosts[] = { { "cpu-x86-64-v4", runs_v4 },
                                  { "cpu-x86-64-v3", runs_v3 },
                                  { "cpu-x86-64-v2", runs_v2 } };
enum { HOSTS = 3 };
#elif defined(__aarch64__)
static bool runs_always(void)
{
    return true;
}

static const host_row hosts[] = { { "cpu-aarch64", runs_always } };
enum { HOSTS = 1 };
#else
static bool runs_never(void)
{
    return false;
}

static const host_row hosts[] = { { "", runs_never } };
enum { HOSTS = 1 };
#endif

bool cpu_host_runs(const char *name)
{
    for (int k = 0; k < HOSTS; k++)
        if (strcmp(hosts[k].name, name) == 0)
            return hosts[k].runs();
    return false;
}

int cpu_host_best(const char *const *names, uint32_t count)
{
    for (int k = 0; k < HOSTS; k++) {
        if (!hosts[k].runs())
            continue;
        for (uint32_t i = 0; i < count; i++)
            if (names[i] && strcmp(names[i], hosts[k].name) == 0)
                return (int)i;
    }
    return -1;
}
