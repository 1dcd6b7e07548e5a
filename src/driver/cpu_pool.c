/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_pool.c - cuts the iterations of a task over threads, where that pays.
 *
 * One job at a time: a caller that finds the pool busy runs its own work. The caller takes part, so
 * a job ends even if no worker comes. Each participant has its own part of the range, so that
 * repeated tasks find their data in the same caches, and helps with the others' parts when done.
 * Must never allocate or take a lock in cpu_pool_run once its threads have been started.
 *
 * Whether to share is decided by what an iteration takes, in ticks of the processor's counter: work
 * below SHARE_TICKS is run by the caller alone. It runs a first slice and looks at the clock, so
 * that work that is slower than the last time is still shared; a kernel not measured yet is run in
 * growing slices until the rest is seen to be worth sharing.
 */
#define _GNU_SOURCE
#include "driver/cpu_pool.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/cpu_mode.h"
#include "driver/spin.h"

/* Processor ticks; at the usual 2 to 4 GHz a thousand of them are a quarter to half a
 * microsecond. */
enum {
    SHARE_TICKS = 16000,        /* least work worth sharing with threads that spin */
    SHARE_TICKS_ASLEEP = 64000, /* and with threads that must be woken */
    CHUNK_TICKS = 6000,         /* least work taken at once */
    SPIN_TICKS = 160000,        /* how long a thread looks for more work before it sleeps */
    CHUNKS_PER_THREAD = 8,
    FIRST_SLICE = 16,  /* iterations, when nothing is known */
    COST_ONE = 256,    /* cpu_kernel.cost counts 1/256 ticks per iteration */
    CLEAR_TICKS = 1000 /* beside this, what it costs to look at the clock is small */
};

/* The gate: bit 0 the job may be joined, bit 1 the caller sleeps, above: workers inside, times
 * 4. */
enum { GATE_OPEN = 1, GATE_ASLEEP = 2, GATE_WORKER = 4 };

typedef struct pool_part {
    _Alignas(MEM_LINE) _Atomic int64_t next;
    int64_t end;
} pool_part;

typedef struct pool_worker {
    cpu_pool *pool;
    pthread_t thread;
    uint32_t index;
} pool_worker;

struct cpu_pool {
    _Alignas(MEM_LINE) atomic_uint gate;
    _Alignas(MEM_LINE) atomic_uint epoch; /* one more per job: what idle threads watch */
    atomic_uint sleepers;
    atomic_bool stop;
    _Alignas(MEM_LINE) atomic_bool busy;
    /* Of the caller that holds `busy`: written while the gate is shut and nobody is inside. */
    cpu_task main;
    const void *block;
    int64_t chunk;
    uint32_t part_count;
    /* Changed by it too, and looked at by all. */
    _Atomic uint32_t started; /* workers that exist */
    _Atomic uint32_t threads; /* that there shall be, the caller's included */
    /* Fixed. */
    pool_worker *workers; /* [threads], 0 unused */
    pool_part *parts;     /* [threads] */
};

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t count, frequency;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    return frequency < 500000000 ? count * (2500000000 / frequency) : count;
#endif
}

static void futex_wait(atomic_uint *word, unsigned seen)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word, unsigned count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* Takes chunks from the own part, then from the others'. Returns how many iterations were run. */
static int64_t work(cpu_pool *pool, uint32_t index)
{
    int64_t ran = 0;

    for (uint32_t k = 0; k < pool->part_count; k++) {
        pool_part *part = &pool->parts[(index + k) % pool->part_count];
        while (atomic_load_explicit(&part->next, memory_order_relaxed) < part->end) {
            int64_t first =
                atomic_fetch_add_explicit(&part->next, pool->chunk, memory_order_relaxed);
            if (first >= part->end)
                break;
            int64_t last = part->end - first < pool->chunk ? part->end : first + pool->chunk;
            cpu_task_run(pool->main, pool->block, first, last);
            ran += last - first;
        }
    }
    return ran;
}

/* Until a job begins that the worker has not seen. */
static unsigned await_job(cpu_pool *pool, unsigned seen)
{
    uint64_t since = ticks();

    while (atomic_load(&pool->epoch) == seen) {
        if (ticks() - since < SPIN_TICKS) {
            spin_rest();
            continue;
        }
        atomic_fetch_add(&pool->sleepers, 1);
        futex_wait(&pool->epoch, seen);
        atomic_fetch_sub(&pool->sleepers, 1);
    }
    return atomic_load(&pool->epoch);
}

static void *worker_main(void *data)
{
    pool_worker *self = data;
    cpu_pool *pool = self->pool;
    unsigned seen = 0;

    cpu_mode_write(CPU_MODE_DEFAULT);
    while (!atomic_load(&pool->stop)) {
        unsigned before = atomic_fetch_add(&pool->gate, GATE_WORKER);
        if (before & GATE_OPEN)
            work(pool, self->index);
        before = atomic_fetch_sub(&pool->gate, GATE_WORKER);
        if (before - GATE_WORKER == GATE_ASLEEP)
            futex_wake(&pool->gate, 1);
        seen = await_job(pool, seen);
    }
    return NULL;
}

static uint32_t now(_Atomic uint32_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

/* Signals of the application are not for these threads. A thread that cannot be had is done
 * without. */
static void start_workers(cpu_pool *pool)
{
    uint32_t started = now(&pool->started), threads = now(&pool->threads);
    sigset_t all, old;

    if (started + 1 >= threads)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (; started + 1 < threads; started++) {
        pool_worker *worker = &pool->workers[started + 1];
        *worker = (pool_worker){ .pool = pool, .index = started + 1 };
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) {
            atomic_store_explicit(&pool->threads, started + 1, memory_order_relaxed);
            break;
        }
    }
    atomic_store_explicit(&pool->started, started, memory_order_relaxed);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void await_workers(cpu_pool *pool)
{
    uint64_t since = ticks();
    unsigned gate;

    atomic_fetch_and(&pool->gate, ~(unsigned)GATE_OPEN);
    while (atomic_load(&pool->gate) >= GATE_WORKER) {
        if (ticks() - since < SPIN_TICKS) {
            spin_rest();
            continue;
        }
        gate = atomic_fetch_or(&pool->gate, GATE_ASLEEP) | GATE_ASLEEP;
        if (gate >= GATE_WORKER)
            futex_wait(&pool->gate, gate);
    }
    atomic_fetch_and(&pool->gate, ~(unsigned)GATE_ASLEEP);
}

/*
 * Notes what an iteration took, where that changes the picture: a kernel that many threads run is
 * not written to each time. What was measured is never less than the truth, so a lower cost is
 * always believed, a higher one only if the work was long enough to measure. 0 stays "not known".
 */
static void note_cost(cpu_kernel *kernel, uint64_t took, int64_t ran)
{
    double known = (double)atomic_load_explicit(&kernel->cost, memory_order_relaxed);

    if (ran <= 0)
        return;
    double cost = (double)took * COST_ONE / (double)ran;
    if (known == 0 || cost < known / 2 || (cost > known * 2 && took >= CLEAR_TICKS))
        atomic_store_explicit(&kernel->cost, cost < 1 ? 1 : (uint64_t)cost, memory_order_relaxed);
}

static double work_ticks(const cpu_kernel *kernel, int64_t iterations)
{
    uint64_t cost = atomic_load_explicit(&kernel->cost, memory_order_relaxed);

    return (double)cost * (double)iterations / COST_ONE;
}

static bool worth_sharing(cpu_pool *pool, double work)
{
    bool awake =
        now(&pool->started) > 0 && atomic_load_explicit(&pool->sleepers, memory_order_relaxed) == 0;

    return work >= (awake ? SHARE_TICKS : SHARE_TICKS_ASLEEP);
}

/* Iterations a chunk holds: a multiple of granule, at least CHUNK_TICKS of work. */
static int64_t chunk_of(uint32_t threads, const cpu_kernel *kernel, int64_t count, int64_t granule)
{
    uint64_t cost = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
    int64_t least = (int64_t)((uint64_t)CHUNK_TICKS * COST_ONE / (cost ? cost : 1));
    int64_t chunk = count / ((int64_t)threads * CHUNKS_PER_THREAD);

    if (chunk < least)
        chunk = least;
    if (chunk < 1)
        chunk = 1;
    return chunk > count - granule ? count : (chunk + granule - 1) / granule * granule;
}

/* Iterations first .. total - 1 by all threads; the caller holds `busy`. */
static void share(cpu_pool *pool, cpu_kernel *kernel, const void *block, int64_t first,
                  int64_t total, int64_t granule)
{
    uint32_t threads = now(&pool->threads);
    int64_t chunk = chunk_of(threads, kernel, total - first, granule);
    int64_t chunks = (total - first - 1) / chunk + 1;
    uint32_t parts = chunks < (int64_t)threads ? (uint32_t)chunks : threads;

    pool->main = kernel->main;
    pool->block = block;
    pool->chunk = chunk;
    pool->part_count = parts;
    for (uint32_t k = 0; k < parts; k++) {
        int64_t from =
            first + chunk * (chunks / parts * k + (k < chunks % parts ? k : chunks % parts));
        atomic_store_explicit(&pool->parts[k].next, from, memory_order_relaxed);
        if (k > 0)
            pool->parts[k - 1].end = from;
    }
    pool->parts[parts - 1].end = total;

    uint64_t since = ticks();
    if (parts > 1) {
        start_workers(pool);
        atomic_fetch_or(&pool->gate, GATE_OPEN);
        atomic_fetch_add(&pool->epoch, 1);
        if (atomic_load(&pool->sleepers) > 0)
            futex_wake(&pool->epoch, parts - 1);
    }
    int64_t ran = work(pool, 0);
    note_cost(kernel, ticks() - since, ran);
    if (parts > 1)
        await_workers(pool);
}

static void run_timed(cpu_kernel *kernel, const void *block, int64_t first, int64_t last)
{
    uint64_t since = ticks();

    cpu_task_run(kernel->main, block, first, last);
    note_cost(kernel, ticks() - since, last - first);
}

static int64_t round_up(int64_t count, int64_t granule)
{
    return (count + granule - 1) / granule * granule;
}

/* Runs slices, each four times the last, until the rest is worth sharing or there is no rest;
 * returns where it stands. Work whose cost is known takes two slices. */
static int64_t run_slices(cpu_pool *pool, cpu_kernel *kernel, const void *block, int64_t total,
                          int64_t granule)
{
    bool known = atomic_load_explicit(&kernel->cost, memory_order_relaxed) != 0;
    int64_t slice = known ? round_up(total / 4 + 1, granule) : round_up(FIRST_SLICE, granule);
    int64_t first = 0;

    while (first < total) {
        int64_t last = total - first <= slice ? total : first + slice;
        if (known && first > 0)
            cpu_task_run(kernel->main, block, first, last);
        else
            run_timed(kernel, block, first, last);
        first = last;
        if (worth_sharing(pool, work_ticks(kernel, total - first)))
            break;
        if (slice <= INT64_MAX / 4)
            slice *= 4;
    }
    return first;
}

void cpu_pool_run(cpu_pool *pool, cpu_kernel *kernel, const void *block, int64_t total,
                  int64_t granule)
{
    int64_t first = 0;

    if (now(&pool->threads) == 1 || total <= granule) {
        cpu_task_run(kernel->main, block, 0, total);
        return;
    }
    if (!worth_sharing(pool, work_ticks(kernel, total)))
        first = run_slices(pool, kernel, block, total, granule);
    if (first == total)
        return;
    if (atomic_exchange_explicit(&pool->busy, true, memory_order_acquire)) {
        run_timed(kernel, block, first, total);
        return;
    }
    share(pool, kernel, block, first, total, granule);
    atomic_store_explicit(&pool->busy, false, memory_order_release);
}

slip_status cpu_pool_create(uint32_t threads, cpu_pool **out)
{
    uint64_t parts = (uint64_t)threads * sizeof(pool_part);
    uint64_t bytes = sizeof(cpu_pool) + parts + (uint64_t)threads * sizeof(pool_worker);
    cpu_pool *pool = NULL;

    SLIP_TRY(mem_new_aligned(bytes, MEM_LINE, (void **)&pool));
    atomic_init(&pool->threads, threads);
    pool->parts = (pool_part *)(pool + 1);
    pool->workers = (pool_worker *)(pool->parts + threads);
    *out = pool;
    return SLIP_OK;
}

void cpu_pool_destroy(cpu_pool *pool)
{
    if (!pool)
        return;
    atomic_store(&pool->stop, true);
    atomic_fetch_add(&pool->epoch, 1);
    futex_wake(&pool->epoch, INT_MAX);
    for (uint32_t k = 1; k <= now(&pool->started); k++)
        pthread_join(pool->workers[k].thread, NULL);
    mem_free_aligned(pool);
}

void cpu_pool_after_fork(cpu_pool *pool)
{
    atomic_store(&pool->gate, 0);
    atomic_store(&pool->sleepers, 0);
    atomic_store(&pool->busy, false);
    atomic_store(&pool->started, 0);
}
