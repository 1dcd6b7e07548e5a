/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - random programs, compiled by slipc and by gcc, compared bit for bit.
 *
 *     generator [--count N] [--first SEED] [--jobs J] [--each K] [--repeat R] [--on DEVICE]
 *     generator --only SEED | --reduce SEED [--variant V] [--on DEVICE], --print SEED
 *
 * Programs have the seeds FIRST .. FIRST + N - 1, K to a file, each file compiled by slipc in one
 * of four ways (processor and -O). `--on` names the device that runs them, as slip_device_open
 * takes it ("cpu"); `--only` runs one and tells all; `--print` shows it; `--reduce` makes a smaller
 * one that fails the same way; `--repeat` makes each call R times. Prints what share of the
 * programs holds each construct, and fails where one is all but gone: a test that lost its subject
 * passes.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "generator/reduce.h"
#include "generator/run.h"

typedef struct settings {
    uint64_t first, count, each, jobs, only, print, reduce;
} settings;

/* Of all workers, in memory that they share. */
typedef struct tally {
    _Atomic uint64_t agree, differ, undefined, fail, refused, told;
    struct {
        _Atomic uint64_t seed; /* at work on it, or on the file that begins with it */
    } workers[64];
} tally;

enum { MOST_TOLD = 12 };

static const char *device_name = "cpu";

static void tell_source(const gen_program *p)
{
    printf("---- seed %" PRIu64 " (replay: --only %" PRIu64 " --variant %u --on %s; --reduce for a "
           "smaller one) ----\n%s----\n",
           p->seed, p->seed, build_variant, device_name, p->source);
    fflush(stdout);
}

static char *source_of(const gen_program *programs, uint64_t count)
{
    char *all = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&all, &bytes);

    for (uint64_t i = 0; i < count; i++) {
        char *wrapper = gen_wrapper(&programs[i]);
        fprintf(to, "%s\n%s\n", programs[i].source, wrapper);
        free(wrapper);
    }
    fclose(to);
    return all;
}

static void count_verdict(tally *t, verdict v)
{
    switch (v) {
    case AGREES:
        t->agree++;
        break;
    case DIFFERS:
        t->differ++;
        break;
    case UNDEFINED:
        t->undefined++;
        break;
    case FAILS:
        t->fail++;
        break;
    }
}

/* Builds and runs the programs together. False where a compiler refuses the file. */
static bool run_together(const gen_program *programs, uint64_t count, slip_device *device,
                         bool optimised, tally *t, char **what)
{
    char *source = source_of(programs, count), stem[64];
    built b;

    snprintf(stem, sizeof stem, "g%" PRIu64 "_%" PRIu64 "_%d", programs[0].seed, count,
             (int)getpid());
    bool good = build_programs(source, stem, device, optimised, &b, what);
    for (uint64_t i = 0; i < count && good; i++) {
        bool tell = t->told < MOST_TOLD;
        verdict v = run_program(&programs[i], &b, device, tell ? stdout : NULL);
        count_verdict(t, v);
        if (v != AGREES && t->told++ < MOST_TOLD)
            tell_source(&programs[i]);
    }
    if (good)
        build_drop(&b);
    free(source);
    return good;
}

/* A file that is refused is taken apart, to find who is to blame. */
static void run_file(uint64_t first, uint64_t count, slip_device *device, bool optimised, tally *t,
                     int worker)
{
    gen_program *programs = calloc(count, sizeof *programs);
    char *what = NULL;

    t->workers[worker].seed = first;
    for (uint64_t i = 0; i < count; i++)
        gen_make(first + i, &programs[i]);
    bool good = run_together(programs, count, device, optimised, t, &what);
    free(what);
    for (uint64_t i = 0; i < count && !good; i++) {
        what = NULL;
        t->workers[worker].seed = programs[i].seed;
        if (!run_together(&programs[i], 1, device, optimised, t, &what)) {
            t->refused++;
            if (t->told++ < MOST_TOLD) {
                printf("%s: %s\n", programs[i].name, what);
                tell_source(&programs[i]);
            }
        }
        free(what);
    }
    for (uint64_t i = 0; i < count; i++)
        gen_free(&programs[i]);
    free(programs);
}

/* After the fork: what a device's driver holds does not go with one. */
static slip_device *open_device(void)
{
    slip_device *device = NULL;
    static slip_device_info info; /* its text is used while the program runs */

    if (slip_device_open(device_name, &device) != SLIP_OK) {
        slip_report(stderr);
        exit(2);
    }
    slip_device_describe(device, &info);
    build_target = strncmp(info.target, "cpu", 3) == 0 ? NULL : info.target;
    return device;
}

static void work(const settings *s, int worker, tally *t)
{
    slip_device *device = open_device();
    uint64_t files = (s->count + s->each - 1) / s->each;

    for (uint64_t f = (uint64_t)worker; f < files; f += s->jobs) {
        uint64_t at = f * s->each, left = s->count - at;
        build_variant = f % BUILD_VARIANTS;
        run_file(s->first + at, left < s->each ? left : s->each, device, f % 4 == 0, t, worker);
    }
    slip_device_close(device);
}

/* ---- shares ----------------------------------------------------------------------------- */

typedef struct share {
    const char *what;
    uint64_t programs, occurrences;
} share;

static bool print_shares(const settings *s)
{
    share shares[] = {
#define SHARE_(name, what) { what, 0, 0 },
        GEN_COUNTS(SHARE_)
#undef SHARE_
    };
    size_t kinds = sizeof shares / sizeof shares[0];
    bool strong = true;

    for (uint64_t i = 0; i < s->count; i++) {
        gen_program p;
        gen_make(s->first + i, &p);
        const uint32_t *counts = (const uint32_t *)&p.counts;
        for (size_t k = 0; k < kinds; k++) {
            shares[k].programs += counts[k] > 0;
            shares[k].occurrences += counts[k];
        }
        gen_free(&p);
    }
    printf("share of programs, occurrences:\n");
    for (size_t k = 0; k < kinds; k++) {
        bool weak = s->count >= 200 && shares[k].programs * 100 < s->count * 2;
        strong = strong && !weak;
        printf("%s%3.0f %% %7" PRIu64 "  %-46.46s%s", weak ? "  TOO FEW: " : "  ",
               100.0 * (double)shares[k].programs / (double)s->count, shares[k].occurrences,
               shares[k].what, k % 2 == 1 || k + 1 == kinds ? "\n" : "");
    }
    return strong;
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool run_all(const settings *s)
{
    tally *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t workers[64];
    bool good = true;

    fflush(NULL);
    for (uint64_t j = 0; j < s->jobs; j++) {
        workers[j] = fork();
        if (workers[j] == 0) {
            work(s, (int)j, t);
            fflush(NULL);
            _exit(0);
        }
    }
    for (uint64_t j = 0; j < s->jobs; j++) {
        int status = -1;
        waitpid(workers[j], &status, 0);
        if (status != 0)
            printf("a worker died with status 0x%x in the file that begins with seed %" PRIu64 "\n",
                   (unsigned)status, (uint64_t)t->workers[j].seed);
        good = good && status == 0;
    }
    printf("%" PRIu64 " programs: %" PRIu64 " agree, %" PRIu64 " differ, %" PRIu64
           " calls fail, %" PRIu64 " refused, %" PRIu64 " undefined (faults of the generator)\n",
           s->count, (uint64_t)t->agree, (uint64_t)t->differ, (uint64_t)t->fail,
           (uint64_t)t->refused, (uint64_t)t->undefined);
    good = good && t->agree == s->count;
    munmap(t, sizeof *t);
    return good;
}

static bool run_only(uint64_t seed)
{
    tally t = { 0 };
    slip_device *device = open_device();
    gen_program p;

    gen_make(seed, &p);
    tell_source(&p);
    gen_free(&p);
    run_file(seed, 1, device, true, &t, 0);
    slip_device_close(device);
    printf("%s\n", t.agree ? "agrees" : "does not agree");
    return t.agree == 1;
}

static const char *word(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    return otherwise;
}

static uint64_t number(int argc, char **argv, const char *name, uint64_t otherwise)
{
    const char *text = word(argc, argv, name, NULL);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    settings s = { .first = number(argc, argv, "--first", 1),
                   .count = number(argc, argv, "--count", 2000),
                   .each = number(argc, argv, "--each", 25),
                   .jobs = number(argc, argv, "--jobs", 0),
                   .only = number(argc, argv, "--only", 0),
                   .print = number(argc, argv, "--print", 0),
                   .reduce = number(argc, argv, "--reduce", 0) };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char folder[] = "/tmp/slipway-generator-XXXXXX";
    bool good = true;

    build_variant = (unsigned)number(argc, argv, "--variant", 0) % BUILD_VARIANTS;
    device_name = word(argc, argv, "--on", device_name);
    run_repeats = number(argc, argv, "--repeat", 1);
    if (s.jobs == 0)
        s.jobs = processors < 1 ? 1 : (uint64_t)processors;
    s.jobs = s.jobs > 64 ? 64 : s.jobs;
    s.each = s.each == 0 ? 1 : s.each;
    build_root = CHECK_ROOT;
    build_folder = mkdtemp(folder);
    if (!build_folder)
        return 2;
    if (s.print) {
        gen_program p;
        gen_make(s.print, &p);
        printf("%s", p.source);
        gen_free(&p);
    } else if (s.only) {
        good = run_only(s.only);
    } else if (s.reduce) {
        slip_device *device = open_device();
        good = reduce_program(s.reduce, device);
        slip_device_close(device);
    } else {
        good = print_shares(&s);
        good = run_all(&s) && good;
    }
    rmdir(folder);
    return good ? 0 : 1;
}
