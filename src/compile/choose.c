/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c - which targets a compile makes code for: by name, by sets of names, or as the machine
 * is.
 */
#include <string.h>

#include "base/fail.h"
#include "compile/compile.h"
#include "target/target.h"

mod_target compile_host_target(void)
{
#if defined(__aarch64__)
    return MOD_TARGET_CPU_AARCH64;
#elif defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return MOD_TARGET_CPU_X86_64_V4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return MOD_TARGET_CPU_X86_64_V3;
    return MOD_TARGET_CPU_X86_64_V2;
#else
#error "the compiler runs on x86-64 and aarch64 hosts"
#endif
}

static void choose_levels(target_arch arch, bool chosen[MOD_TARGET_COUNT])
{
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        chosen[t] = chosen[t] || target_rows[t].arch == arch;
}

/* Sets of targets that have a name. */
static const char *const sets[] = { "host", "cpu", "cpu-x86-64", "cpu-all", "cuda", "hip" };
enum { SET_COUNT = sizeof sets / sizeof *sets };

/* `cpu` is what a program built here can come to run on; `cuda` and `hip` are named as devices. */
static bool choose_set(const char *name, size_t length, bool chosen[MOD_TARGET_COUNT])
{
    size_t k = 0;

    while (k < SET_COUNT && (strlen(sets[k]) != length || memcmp(sets[k], name, length) != 0))
        k++;
    if (k == 0)
        chosen[compile_host_target()] = true;
    if (k == 1)
        choose_levels(target_rows[compile_host_target()].arch, chosen);
    if (k == 2 || k == 3)
        choose_levels(TARGET_X86_64, chosen);
    if (k == 3)
        choose_levels(TARGET_AARCH64, chosen);
    if (k == 4)
        choose_levels(TARGET_NVPTX, chosen);
    if (k == 5)
        choose_levels(TARGET_AMDGCN, chosen);
    return k < SET_COUNT;
}

static slip_status unknown_target(const char *name, size_t length)
{
    text all = { 0 };

    for (uint32_t k = 0; k < SET_COUNT; k++)
        text_add(&all, "%s%s", k ? ", " : "", sets[k]);
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        text_add(&all, ", %s", target_rows[t].name);
    slip_status status = SLIP_FAIL(SLIP_ERR_ARGUMENT, "no target `%.*s`; there are %s",
                                   (int)(length < 64 ? length : 64), name, text_get(&all));
    text_finish(&all);
    return status;
}

slip_status compile_choose_targets(const char *names, bool chosen[MOD_TARGET_COUNT])
{
    if (!names)
        names = "cpu,ptx,spirv";
    if (!*names)
        return unknown_target(names, 0);
    while (*names) {
        size_t length = strcspn(names, ",");
        const target_row *row = target_named(names, length);

        if (row)
            chosen[row->id] = true;
        else if (!choose_set(names, length, chosen))
            return unknown_target(names, length);
        names += length + (names[length] == ',');
    }
    return SLIP_OK;
}
