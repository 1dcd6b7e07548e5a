/* SPDX-License-Identifier: Apache-2.0 */
/*
 * targets.c - which targets a compile makes code for, and making it: one thread a target.
 */
#include <pthread.h>
#include <string.h>

#include "base/fail.h"
#include "compile/compile.h"
#include "target/target.h"

static slip_status unknown_target(const char *name, size_t length)
{
    text all = { 0 };

    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        text_add(&all, ", %s", target_rows[t].name);
    slip_status status = SLIP_FAIL(SLIP_ERR_ARGUMENT, "no target `%.*s`; there are cpu, host%s",
                                   (int)(length < 64 ? length : 64), name, text_get(&all));
    text_finish(&all);
    return status;
}

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

slip_status compile_choose_targets(const char *names, bool chosen[MOD_TARGET_COUNT])
{
    if (!names)
        names = "cpu";
    if (!*names)
        return unknown_target(names, 0);
    while (*names) {
        size_t length = strcspn(names, ",");
        const target_row *row = target_named(names, length);

        if (row)
            chosen[row->id] = true;
        else if (length == 4 && memcmp(names, "host", 4) == 0)
            chosen[compile_host_target()] = true;
        else if (length == 3 && memcmp(names, "cpu", 3) == 0)
            for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
                chosen[t] = true;
        else
            return unknown_target(names, length);
        names += length + (names[length] == ',');
    }
    return SLIP_OK;
}

typedef struct job {
    const ir_module *m;
    uint32_t symbols;
    mod_target target;
    target_options options;
    mem_arena arena;
    mod_code code;
    slip_status status;
    slip_error error; /* the failure's record is its thread's: carried over */
    pthread_t thread;
    bool started;
} job;

static void *run_job(void *user)
{
    job *j = user;

    fail_clear();
    j->status = mem_arena_init(&j->arena);
    if (j->status == SLIP_OK)
        j->status = target_compile(j->m, j->symbols, j->target, &j->options, &j->arena, &j->code);
    j->error = *fail_last();
    return NULL;
}

/* The code, moved from the job's arena to the compile's. */
static slip_status keep_code(mem_arena *arena, const job *j, mod_code *out)
{
    const mod_code *from = &j->code;
    mod_symbol *symbols = arena_new(arena, (from->symbol_count + 1) * sizeof *symbols);
    uint8_t *bytes = arena_new(arena, from->size + 1);
    const char **imports = arena_new(arena, (from->import_count + 1) * sizeof *imports);

    if (!symbols || !bytes || !imports)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for the code of %s", target_rows[j->target].name);
    memcpy(symbols, from->symbols, from->symbol_count * sizeof *symbols);
    if (from->size > 0)
        memcpy(bytes, from->bytes, from->size);
    for (uint32_t i = 0; i < from->import_count; i++)
        imports[i] = arena_copy(arena, from->imports[i], strlen(from->imports[i]));
    *out = *from;
    out->symbols = symbols;
    out->bytes = bytes;
    out->imports = imports;
    return SLIP_OK;
}

/* Starts every job but the first on a thread of its own; what cannot be started runs here, like the first. */
static void run_jobs(job *jobs, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
    for (uint32_t i = 0; i < count; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            run_job(&jobs[i]);
    }
}

slip_status compile_targets(mem_arena *arena, const ir_module *m, const bool *chosen,
                            const slipc_options *options, mod_module *module)
{
    job jobs[MOD_TARGET_COUNT] = { 0 };
    mod_code *codes = arena_new(arena, MOD_TARGET_COUNT * sizeof *codes);
    slip_status status = SLIP_OK;
    uint32_t count = 0;

    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++) {
        /* --fma needs fused hardware: levels without are left out (LANGUAGE rule 27). */
        if (!chosen[t] || (options->fma && !target_rows[t].has_fma))
            continue;
        jobs[count++] = (job){ .m = m,
                               .symbols = module->symbol_count,
                               .target = (mod_target)t,
                               .options = { .optimize = options->optimize_given ? options->optimize : 2,
                                            .debug = options->debug } };
    }
    run_jobs(jobs, count);
    for (uint32_t i = 0; i < count; i++) {
        if (status == SLIP_OK && jobs[i].status != SLIP_OK)
            status = SLIP_FAIL(jobs[i].status, "%s; while making code for %s", jobs[i].error.message,
                               target_rows[jobs[i].target].name);
        if (status == SLIP_OK)
            status = keep_code(arena, &jobs[i], &codes[i]);
        mem_arena_finish(&jobs[i].arena);
    }
    module->codes = codes;
    module->code_count = count;
    return status;
}
