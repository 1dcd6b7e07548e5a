/* SPDX-License-Identifier: Apache-2.0 */
/*
 * targets.c - making the code of the chosen targets, on as many threads as there are processors.
 *
 * A job is a step of target.h: to simplify a part of the module for the levels of one kind of
 * processor, or to make a part for a level. The calling thread prints what jobs begin with, makes
 * the shaders, which take it less time than a job, works as the others do, and links at the end.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <pthread.h>
#include <sched.h>

#include "base/fail.h"
#include "compile/compile.h"
#include "target/target.h"

typedef enum job_kind { JOB_SIMPLIFY, JOB_LEVEL } job_kind;

typedef struct job {
    job_kind kind;
    target_shared *shared;
    uint32_t part;
    mod_target target;
    const struct job *after; /* done before this one begins; NULL: nothing */
    bool taken, done;
    slip_status status;
    slip_error error; /* the failure's record is its thread's: carried over */
} job;

/* Jobs are taken from the first to the last: what others wait for first, then the longest. */
typedef struct work {
    const ir_module *m;
    uint32_t symbols, count;
    target_options options;
    job *jobs;
    target_shared *shared[MOD_TARGET_COUNT]; /* by target; several have the same, or NULL */
    bool wants_shaders;
    mod_code shaders; /* the calling thread's, as are the next two */
    slip_status shader_status;
    slip_error shader_error;
    pthread_mutex_t lock; /* of `taken` and `done` */
    pthread_cond_t told;  /* that a job is done */
} work;

static slip_status do_job(const job *j)
{
    if (j->after && j->after->status != SLIP_OK)
        return SLIP_OK; /* reported there */
    if (j->kind == JOB_SIMPLIFY)
        return target_simplify(j->shared, j->part);
    return target_level(j->shared, j->part, j->target);
}

static void run_job(work *w, job *j)
{
    fail_clear();
    j->status = do_job(j);
    j->error = *fail_last();
    pthread_mutex_lock(&w->lock);
    j->done = true;
    pthread_cond_broadcast(&w->told);
    pthread_mutex_unlock(&w->lock);
}

/* The next job that can run; NULL when all are taken. Waits for what jobs come after. */
static job *take_job(work *w)
{
    job *found = NULL;
    bool some = true;

    pthread_mutex_lock(&w->lock);
    while (some && !found) {
        some = false;
        for (uint32_t i = 0; i < w->count && !found; i++) {
            job *j = &w->jobs[i];
            some = some || !j->taken;
            if (!j->taken && (!j->after || j->after->done))
                found = j;
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

static uint32_t helpers_wanted(uint32_t count)
{
    cpu_set_t set;
    uint32_t online = 2;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        online = (uint32_t)CPU_COUNT(&set);
    return (online < count ? online : count) - 1;
}

static void make_shaders(work *w, mem_arena *arena)
{
    fail_clear();
    w->shader_status =
        target_compile(w->m, w->symbols, MOD_TARGET_SPIRV, &w->options, arena, &w->shaders);
    w->shader_error = *fail_last();
}

/* The caller works too, so that all jobs are done where no thread can be started. */
static void run_jobs(work *w, mem_arena *arena)
{
    pthread_t helpers[MOD_TARGET_COUNT * 4];
    uint32_t wanted = w->count > 0 ? helpers_wanted(w->count) : 0, started = 0;

    if (wanted > sizeof helpers / sizeof *helpers)
        wanted = sizeof helpers / sizeof *helpers;
    while (started < wanted && pthread_create(&helpers[started], NULL, work_on, w) == 0)
        started++;
    if (w->wants_shaders)
        make_shaders(w, arena);
    work_on(w);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
}

/* What the chosen levels of one kind of processor share; each has its own where they cannot. */
static slip_status share(work *w, mem_arena *arena, const bool chosen[MOD_TARGET_COUNT])
{
    target_shared *shared = NULL;

    SLIP_TRY(target_share(w->m, chosen, &w->options, arena, &shared));
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++) {
        bool one[MOD_TARGET_COUNT] = { false };
        if (!chosen[t])
            continue;
        one[t] = true;
        if (shared)
            w->shared[t] = shared;
        else
            SLIP_TRY(target_share(w->m, one, &w->options, arena, &w->shared[t]));
    }
    return SLIP_OK;
}

static slip_status share_all(work *w, mem_arena *arena, const bool chosen[MOD_TARGET_COUNT])
{
    for (int arch = 0; arch < TARGET_ARCH_COUNT; arch++) {
        bool levels[MOD_TARGET_COUNT] = { false }, some = false;
        for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++) {
            levels[t] = chosen[t] && target_rows[t].arch == (target_arch)arch;
            some = some || levels[t];
        }
        if (some && arch != TARGET_SHADER)
            SLIP_TRY(share(w, arena, levels));
    }
    return SLIP_OK;
}

static bool first_of_its_kind(const work *w, uint32_t target)
{
    for (uint32_t t = 0; t < target; t++)
        if (w->shared[t] == w->shared[target])
            return false;
    return true;
}

static void add_jobs(work *w)
{
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        for (uint32_t p = 0; w->shared[t] && p < target_part_count(w->shared[t]); p++)
            if (first_of_its_kind(w, t))
                w->jobs[w->count++] = (job){ JOB_SIMPLIFY, w->shared[t], p, .target = t };
    uint32_t simplified = w->count;
    for (uint32_t t = MOD_TARGET_COUNT; t-- > 0;)
        for (uint32_t k = 0; k < simplified; k++)
            if (w->shared[t] && w->jobs[k].shared == w->shared[t])
                w->jobs[w->count++] = (job){ JOB_LEVEL, w->shared[t], w->jobs[k].part, .target = t,
                                             .after = &w->jobs[k] };
}

static uint32_t most_jobs(const work *w)
{
    uint32_t count = 0;

    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        count += w->shared[t] ? 2 * target_part_count(w->shared[t]) : 0;
    return count;
}

static slip_status tell_failure(slip_status status, const slip_error *error, mod_target target)
{
    fail_clear(); /* of this thread's last job: handled here */
    return SLIP_FAIL(status, "%s; while making code for %s", error->message,
                     target_rows[target].name);
}

/* The first failure, in the order of jobs. */
static slip_status failure_of(const work *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const job *j = &w->jobs[i];
        if (j->status != SLIP_OK)
            return tell_failure(j->status, &j->error, j->target);
    }
    if (w->shader_status != SLIP_OK)
        return tell_failure(w->shader_status, &w->shader_error, MOD_TARGET_SPIRV);
    return SLIP_OK;
}

static slip_status take_code(const work *w, mem_arena *arena, mod_target target, mod_code *out)
{
    if (w->shared[target])
        return target_link(w->shared[target], w->symbols, target, arena, out);
    *out = w->shaders;
    return SLIP_OK;
}

static slip_status make_codes(work *w, mem_arena *arena, const bool chosen[MOD_TARGET_COUNT],
                              mod_module *module)
{
    mod_code *codes = arena_new(arena, MOD_TARGET_COUNT * sizeof *codes);
    uint32_t count = 0;

    SLIP_TRY(share_all(w, arena, chosen));
    w->wants_shaders = chosen[MOD_TARGET_SPIRV];
    w->jobs = arena_new(arena, (most_jobs(w) + 1) * sizeof *w->jobs);
    if (!codes || !w->jobs)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for the code");
    add_jobs(w);
    run_jobs(w, arena);
    SLIP_TRY(failure_of(w));
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        if (chosen[t])
            SLIP_TRY(take_code(w, arena, (mod_target)t, &codes[count++]));
    module->codes = codes;
    module->code_count = count;
    return SLIP_OK;
}

slip_status compile_targets(mem_arena *arena, const ir_module *m, const bool *chosen,
                            const slipc_options *options, mod_module *module)
{
    work w = { .m = m,
               .symbols = module->symbol_count,
               .options = { .optimize = options->optimize_given ? options->optimize : 2,
                            .debug = options->debug },
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .told = PTHREAD_COND_INITIALIZER };
    bool wanted[MOD_TARGET_COUNT];

    /* --fma needs fused hardware: levels without are left out (LANGUAGE rule 27). */
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        wanted[t] = chosen[t] && (!options->fma || target_rows[t].has_fma);
    slip_status status = make_codes(&w, arena, wanted, module);
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        if (w.shared[t] && first_of_its_kind(&w, t))
            target_shared_free(w.shared[t]);
    return status;
}
