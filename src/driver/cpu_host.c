/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_host.c - asks the system and the processor what they are.
 *
 * Must never fail for want of an answer: what is not known has a plain default. Variables of the
 * environment that make no sense are refused.
 */
#define _GNU_SOURCE
#include "driver/cpu_host.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/setting.h"

enum { MOST_THREADS = 1024 }; /* what is told where another number is asked for */

static uint32_t online_threads(void)
{
    cpu_set_t set;
    long online;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
    online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > MOST_THREADS ? MOST_THREADS : (uint32_t)online;
}

slip_status cpu_host_threads(uint32_t *out)
{
    const char *wanted = getenv("SLIPWAY_CPU_THREADS");
    uint32_t online = online_threads();
    char *end;

    if (!wanted || !*wanted) {
        *out = online > MOST_THREADS ? MOST_THREADS : online;
        return SLIP_OK;
    }
    errno = 0;
    long count = strtol(wanted, &end, 10);
    if (*end || errno || count < 1 || count > MOST_THREADS)
        return setting_refuse("SLIPWAY_CPU_THREADS", wanted, "a number from 1 to 1024");
    *out = (uint32_t)count;
    return SLIP_OK;
}

static void host_name(char *out, size_t out_bytes)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256];

    snprintf(out, out_bytes, "CPU");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += strspn(value, ": \t");
        value[strcspn(value, "\n")] = '\0';
        if (*value)
            snprintf(out, out_bytes, "%.*s", (int)out_bytes - 1, value);
        break;
    }
    fclose(file);
}

#if defined(__x86_64__)

static bool has_v2(void)
{
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_v3(void)
{
    return has_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static void host_targets(drv_info *out)
{
    __builtin_cpu_init();
    if (has_v4())
        out->targets[out->target_count++] = "cpu-x86-64-v4";
    if (has_v3())
        out->targets[out->target_count++] = "cpu-x86-64-v3";
    if (has_v2())
        out->targets[out->target_count++] = "cpu-x86-64-v2";
}

#else

static void host_targets(drv_info *out)
{
    out->targets[out->target_count++] = "cpu-aarch64";
}

#endif

/* For tests of the code of lower levels, and for programs that must run alike on several
 * machines. */
static slip_status limit_targets(drv_info *info)
{
    uint32_t first = 0;
    slip_status status =
        setting_read("SLIPWAY_CPU_TARGET", info->targets, info->target_count, &first);

    if (status != SLIP_OK) {
        fail_note("this processor has no other levels");
        return status;
    }
    if (first == info->target_count) /* not asked for */
        return SLIP_OK;
    info->target_count -= first;
    memmove(info->targets, info->targets + first, info->target_count * sizeof *info->targets);
    return SLIP_OK;
}

slip_status cpu_host_info(drv_info *out)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

    *out = (drv_info){ .kind = DRV_CPU };
    host_name(out->name, sizeof out->name);
    if (pages > 0 && page_bytes > 0)
        out->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    host_targets(out);
    return limit_targets(out);
}
