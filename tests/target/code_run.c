/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code_run.c - see code_run.h. Test code: ends the case at the first thing that fails.
 */
#define _GNU_SOURCE
#include "target/code_run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/cpu_driver.h"
#include "driver/cpu_host.h"
#include "driver/cpu_image.h"
#include "ir/launch.h"
#include "support/check.h"

#ifndef CODE_AARCH64_RUNNER
#define CODE_AARCH64_RUNNER ""
#define CODE_QEMU ""
#endif

void code_compile(code *c, const char *ir, mod_target which, const target_options *options)
{
    static const target_options usual = { .optimize = 2, .verify = true };

    *c = (code){ 0 };
    CHECK_STATUS(mem_arena_init(&c->arena), SLIP_OK);
    CHECK_STATUS(ir_parse(&c->arena, ir, &c->module), SLIP_OK);
    CHECK_STATUS(ir_verify(c->module), SLIP_OK);
    for (ir_func *f = c->module->funcs; f; f = f->next)
        if (f->kind == IR_TASK && f->task->index >= c->symbols)
            c->symbols = f->task->index + 1;
    target_prepare(c->module);
    CHECK_STATUS(target_compile(c->module, c->symbols, which, options ? options : &usual, &c->arena,
                                &c->image),
                 SLIP_OK);
}

void code_finish(code *c)
{
    code_gpu_free(c->gpu);
    mem_arena_finish(&c->arena);
}

static bool host_takes(const char *name)
{
    drv_info info = { .target_count = 0 };

    CHECK_STATUS(cpu_host_info(&info), SLIP_OK);
    for (uint32_t i = 0; i < info.target_count; i++)
        if (strcmp(info.targets[i], name) == 0)
            return true;
    return false;
}

static bool foreign(mod_target which)
{
    return which == MOD_TARGET_CPU_AARCH64 && !host_takes("cpu-aarch64");
}

/* The texts of AMD's levels are one. */
static bool shows_a_gpu(mod_target which)
{
    return which == MOD_TARGET_PTX || which == MOD_TARGET_GFX90A;
}

bool code_runs(mod_target which)
{
    static bool said[TARGET_CPU_COUNT];

    if (which >= MOD_TARGET_SPIRV)
        return shows_a_gpu(which);
    bool runs = foreign(which) ? CODE_AARCH64_RUNNER[0] && access(CODE_QEMU, X_OK) == 0
                               : host_takes(target_rows[which].name);

    if (!runs && !said[which]) {
        const char *require = getenv("SLIPWAY_REQUIRE");
        said[which] = true;
        if (require && strstr(require, target_rows[which].name))
            CHECK_FAIL("%s cannot be run here, and SLIPWAY_REQUIRE names it",
                       target_rows[which].name);
        fprintf(stderr, "not run: %s code (%s)\n", target_rows[which].name,
                which == MOD_TARGET_CPU_AARCH64 ? "no qemu-aarch64-static" : "not this processor");
    }
    return runs;
}

code_job *code_job_new(uint64_t heap_bytes)
{
    code_job *j = calloc(1, sizeof *j);

    CHECK(j != NULL);
    j->capacity = (heap_bytes + 63) & ~(uint64_t)63;
    j->heap = aligned_alloc(64, j->capacity);
    CHECK(j->heap != NULL);
    memset(j->heap, 0, j->capacity);
    return j;
}

void code_job_free(code_job *j)
{
    free(j->heap);
    free(j);
}

uint64_t code_put(code_job *j, const void *from, uint64_t bytes)
{
    uint64_t at = j->used;

    CHECK(at + bytes <= j->capacity);
    if (from)
        memcpy(j->heap + at, from, bytes);
    j->used = (at + bytes + 63) & ~(uint64_t)63;
    return at;
}

void code_u64(code_job *j, uint64_t place, uint64_t value)
{
    memcpy(j->heap + place, &value, sizeof value);
}

void code_pointer(code_job *j, uint64_t place, uint64_t target)
{
    CHECK(j->pointer_count < CODE_MAX_POINTERS);
    j->pointers[j->pointer_count++] = place;
    code_u64(j, place, target);
}

uint64_t code_block(code_job *j, uint64_t bytes, uint32_t rank, const int64_t *lo_counts)
{
    uint64_t at = code_put(j, NULL, bytes);

    for (uint32_t k = 0; k < 2 * rank; k++)
        code_u64(j, at + 8 * k, (uint64_t)lo_counts[k]);
    return at;
}

void code_add_call(code_job *j, uint32_t symbol, uint32_t finish, uint64_t block, int64_t first,
                   int64_t last)
{
    CHECK(j->call_count < CODE_MAX_CALLS);
    j->calls[j->call_count++] = (code_call){ symbol, finish, block, first, last };
}

static uint32_t entry_of(const code *c, const code_call *call)
{
    const mod_symbol *symbol = &c->image.symbols[call->symbol];

    return call->finish ? symbol->finish : symbol->main;
}

typedef struct running {
    cpu_task run;
    const void *block;
    int64_t first, last;
    pthread_t thread;
} running;

static void *run_one(void *user)
{
    const running *r = user;

    r->run(r->block, r->first, r->last);
    return NULL;
}

static void place_pointers(code_job *j)
{
    for (uint32_t k = 0; k < j->pointer_count; k++) {
        uint64_t offset;
        memcpy(&offset, j->heap + j->pointers[k], 8);
        code_u64(j, j->pointers[k], (uint64_t)(uintptr_t)(j->heap + offset));
    }
}

static void run_here(const code *c, code_job *j, bool at_once)
{
    drv_code parts = { c->image.bytes, c->image.size, c->image.imports_offset, c->image.imports,
                       c->image.import_count };
    running *all = calloc(j->call_count + 1, sizeof *all);
    cpu_image *image = NULL;

    CHECK(all != NULL);
    CHECK_STATUS(cpu_image_load(&parts, &image), SLIP_OK);
    place_pointers(j);
    for (uint32_t k = 0; k < j->call_count; k++) {
        const code_call *call = &j->calls[k];
        void *at = cpu_image_at(image, entry_of(c, call));
        CHECK(at != NULL);
        all[k] =
            (running){ (cpu_task)(uintptr_t)at, j->heap + call->block, call->first, call->last, 0 };
        if (at_once)
            CHECK_EQ_I64(pthread_create(&all[k].thread, NULL, run_one, &all[k]), 0);
        else
            run_one(&all[k]);
    }
    for (uint32_t k = 0; at_once && k < j->call_count; k++)
        pthread_join(all[k].thread, NULL);
    cpu_image_drop(image);
    free(all);
}

static void write_all(int to, const void *data, size_t bytes)
{
    const char *at = data;

    while (bytes) {
        ssize_t n = write(to, at, bytes);
        CHECK(n > 0);
        at += n;
        bytes -= (size_t)n;
    }
}

/* The order in which aarch64_runner.c reads. */
static void write_job(const char *path, const code *c, const code_job *j)
{
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    uint64_t head[5] = { c->image.size, c->image.imports_offset, j->used, j->pointer_count,
                         j->call_count };

    CHECK(to >= 0);
    CHECK_EQ_U64(c->image.import_count, 0); /* the runner has no math library */
    write_all(to, head, sizeof head);
    write_all(to, c->image.bytes, c->image.size);
    write_all(to, j->heap, j->used);
    write_all(to, j->pointers, sizeof *j->pointers * j->pointer_count);
    for (uint32_t k = 0; k < j->call_count; k++) {
        uint64_t row[4] = { entry_of(c, &j->calls[k]), j->calls[k].block,
                            (uint64_t)j->calls[k].first, (uint64_t)j->calls[k].last };
        write_all(to, row, sizeof row);
    }
    close(to);
}

static void run_in_qemu(const code *c, code_job *j)
{
    static char job[4096], result[4096]; /* made once: the program may keep only so many */
    size_t bytes;
    char *heap;
    int status;

    if (!job[0]) {
        snprintf(job, sizeof job, "%s", check_temp_path(".job"));
        snprintf(result, sizeof result, "%s", check_temp_path(".heap"));
    }
    write_job(job, c, j);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int in = open(job, O_RDONLY), out = open(result, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(in, 0);
        dup2(out, 1);
        execl(CODE_QEMU, CODE_QEMU, CODE_AARCH64_RUNNER, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0)
        CHECK(errno == EINTR);
    CHECK_EQ_I64(status, 0);
    heap = check_read(result, &bytes);
    CHECK_EQ_U64(bytes, j->used);
    memcpy(j->heap, heap, bytes);
    free(heap);
}

static const mod_task *task_of(const code *c, uint32_t symbol)
{
    const ir_func *f = c->module->funcs;

    while (f && (f->kind != IR_TASK || f->task->index != symbol))
        f = f->next;
    CHECK(f != NULL);
    return f->task->task;
}

/* Every second call divides by dividing, and by a group of another size where it may. */
static void run_grids(code *c, code_job *j)
{
    if (!c->gpu)
        c->gpu = code_gpu_new(c->module, c->image.target);
    place_pointers(j);
    for (uint32_t k = 0; k < j->call_count; k++) {
        const code_call *call = &j->calls[k];
        const mod_task *task = task_of(c, call->symbol);
        uint32_t number = entry_of(c, call);
        const mod_shader *shader = &c->image.shaders[number];
        uint64_t total = (uint64_t)(call->last - call->first);
        uint32_t local = shader->local_fixed || k % 2 == 0 ? shader->local : 17;
        uint32_t each = task->reduce_count ? MOD_REDUCE_BLOCK : local, groups[3] = { 1, 1, 1 };
        uint8_t params[MOD_STREAM_PARAM_BYTES];
        if (task->rank > 0 && !call->finish)
            groups[0] = (uint32_t)((total + each - 1) / each);
        code_gpu_params(params, task, shader, j->heap + call->block, NULL, call->first, call->last,
                        k % 2);
        if (groups[0] > 0)
            code_gpu_launch(c->gpu, number, params, groups, local);
    }
}

static void run(code *c, code_job *j, bool at_once)
{
    if (mod_is_stream(c->image.target))
        run_grids(c, j);
    else if (foreign(c->image.target))
        run_in_qemu(c, j);
    else
        run_here(c, j, at_once);
}

void code_run(code *c, code_job *j)
{
    run(c, j, false);
}

void code_run_at_once(code *c, code_job *j)
{
    run(c, j, true);
}
