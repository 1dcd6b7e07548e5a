/* SPDX-License-Identifier: Apache-2.0 */
/*
 * targets.c - which targets a compile makes code for, and making it: one job a target, on as many
 * threads as there are processors.
 *
 * What levels share is made first, by the calling thread; jobs that do not need it run meanwhile.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/fail.h"
#include "compile/compile.h"
#include "target/target.h"

static slip_status unknown_target(const char *name, size_t length)
{
    text all = { 0 };

    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        text_add(&all, ", %s", target_rows[t].name);
    slip_status status =
        SLIP_FAIL(SLIP_ERR_ARGUMENT, "no target `%.*s`; there are cpu, cpu-all, cpu-x86-64, host%s",
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

static void choose_levels(target_arch arch, bool chosen[MOD_TARGET_COUNT])
{
    for (uint32_t t = 0; t < TARGET_CPU_COUNT; t++)
        chosen[t] = chosen[t] || target_rows[t].arch == arch;
}

/* A set of targets that has a name; `cpu` is what a program built here can come to run on. */
static bool choose_set(const char *name, size_t length, bool chosen[MOD_TARGET_COUNT])
{
    static const char *const names[] = { "host", "cpu", "cpu-x86-64", "cpu-all" };
    size_t k = 0;

    while (k < sizeof names / sizeof *names &&
           (strlen(names[k]) != length || memcmp(names[k], name, length) != 0))
        k++;
    if (k == 0)
        chosen[compile_host_target()] = true;
    if (k == 1)
        choose_levels(target_rows[compile_host_target()].arch, chosen);
    if (k == 2 || k == 3)
        choose_levels(TARGET_X86_64, chosen);
    if (k == 3)
        choose_levels(TARGET_AARCH64, chosen);
    return k < sizeof names / sizeof *names;
}

slip_status compile_choose_targets(const char *names, bool chosen[MOD_TARGET_COUNT])
{
    if (!names)
        names = "cpu,spirv";
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

typedef struct job {
    mod_target target;
    bool shares, taken;
    mem_arena arena;
    mod_code code;
    slip_status status;
    slip_error error; /* the failure's record is its thread's: carried over */
} job;

/* Jobs are taken from the last to the first: those that take longest begin first. */
typedef struct work {
    const ir_module *m;
    uint32_t symbols, count;
    bool chosen[MOD_TARGET_COUNT];
    target_options options;
    job jobs[MOD_TARGET_COUNT];
    target_shared *shared; /* NULL until it is made, and where there is none */
    pthread_mutex_t lock;  /* of `taken` and `decided` */
    pthread_cond_t told;
    bool decided; /* whether there is something shared */
} work;

static void run_job(const work *w, job *j)
{
    fail_clear();
    j->status = mem_arena_init(&j->arena);
    if (j->status == SLIP_OK && j->shares && w->shared)
        j->status = target_compile_shared(w->shared, w->symbols, j->target, &w->options, &j->arena,
                                          &j->code);
    else if (j->status == SLIP_OK)
        j->status = target_compile(w->m, w->symbols, j->target, &w->options, &j->arena, &j->code);
    j->error = *fail_last();
}

/* The next job that can run; NULL when all are taken. Waits for what levels share. */
static job *take_job(work *w)
{
    job *found = NULL;
    bool some = true;

    pthread_mutex_lock(&w->lock);
    while (some && !found) {
        some = false;
        for (uint32_t i = w->count; i-- > 0 && !found;) {
            some = some || !w->jobs[i].taken;
            if (!w->jobs[i].taken && (w->decided || !w->jobs[i].shares))
                found = &w->jobs[i];
        }
        if (some && !found)
            pthread_cond_wait(&w->told, &w->lock);
    }
    if (found)
        found->taken = true;
    pthread_mutex_unlock(&w->lock);
    return found;
}

static void *work_on(void *user)
{
    work *w = user;

    for (job *j = take_job(w); j; j = take_job(w))
        run_job(w, j);
    return NULL;
}

/* The code, moved from the job's arena to the compile's. */
static slip_status keep_code(mem_arena *arena, const job *j, mod_code *out)
{
    const mod_code *from = &j->code;
    mod_symbol *symbols = arena_new(arena, (from->symbol_count + 1) * sizeof *symbols);
    uint8_t *bytes = arena_new(arena, from->size + 1);
    const char **imports = arena_new(arena, (from->import_count + 1) * sizeof *imports);
    mod_shader *shaders = arena_new(arena, (from->shader_count + 1) * sizeof *shaders);

    if (!symbols || !bytes || !imports || !shaders)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for the code of %s",
                         target_rows[j->target].name);
    memcpy(symbols, from->symbols, from->symbol_count * sizeof *symbols);
    if (from->size > 0)
        memcpy(bytes, from->bytes, from->size);
    if (from->shader_count > 0)
        memcpy(shaders, from->shaders, from->shader_count * sizeof *shaders);
    for (uint32_t i = 0; i < from->import_count; i++)
        imports[i] = arena_copy(arena, from->imports[i], strlen(from->imports[i]));
    *out = *from;
    out->symbols = symbols;
    out->bytes = bytes;
    out->imports = imports;
    out->shaders = shaders;
    return SLIP_OK;
}

static uint32_t helpers_wanted(uint32_t count)
{
    cpu_set_t set;
    uint32_t online = 2;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        online = (uint32_t)CPU_COUNT(&set);
    return (online < count ? online : count) - 1;
}

/* The caller works too, so that all jobs are done where no thread can be started. */
static slip_status run_jobs(work *w, mem_arena *arena)
{
    pthread_t helpers[MOD_TARGET_COUNT];
    uint32_t wanted = helpers_wanted(w->count), started = 0;

    while (started < wanted && pthread_create(&helpers[started], NULL, work_on, w) == 0)
        started++;
    slip_status status = target_share(w->m, w->chosen, &w->options, arena, &w->shared);
    pthread_mutex_lock(&w->lock);
    w->decided = true;
    for (uint32_t i = 0; i < w->count && status != SLIP_OK; i++)
        w->jobs[i].taken = true; /* the compile has failed: what nobody has begun is left */
    pthread_cond_broadcast(&w->told);
    pthread_mutex_unlock(&w->lock);
    work_on(w);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
    return status;
}

static void add_jobs(work *w, const bool *chosen, const slipc_options *options)
{
    w->options = (target_options){ .optimize = options->optimize_given ? options->optimize : 2,
                                   .debug = options->debug };
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++) {
        /* --fma needs fused hardware: levels without are left out (LANGUAGE rule 27). */
        w->chosen[t] = chosen[t] && (!options->fma || target_rows[t].has_fma);
        if (w->chosen[t])
            w->jobs[w->count++] =
                (job){ .target = (mod_target)t, .shares = target_shares((mod_target)t) };
    }
}

slip_status compile_targets(mem_arena *arena, const ir_module *m, const bool *chosen,
                            const slipc_options *options, mod_module *module)
{
    work w = { .m = m,
               .symbols = module->symbol_count,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .told = PTHREAD_COND_INITIALIZER };
    mod_code *codes = arena_new(arena, MOD_TARGET_COUNT * sizeof *codes);

    add_jobs(&w, chosen, options);
    slip_status status = w.count ? run_jobs(&w, arena) : SLIP_OK;
    for (uint32_t i = 0; i < w.count; i++) {
        job *j = &w.jobs[i];
        if (status == SLIP_OK && j->status != SLIP_OK) {
            fail_clear(); /* of the last job of this thread: handled here */
            status = SLIP_FAIL(j->status, "%s; while making code for %s", j->error.message,
                               target_rows[j->target].name);
        }
        if (status == SLIP_OK)
            status = keep_code(arena, j, &codes[i]);
        mem_arena_finish(&j->arena);
    }
    target_shared_free(w.shared);
    module->codes = codes;
    module->code_count = w.count;
    return status;
}
