/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_task_test.c - a task's iterations: each runs once, with the right indices, for every rank,
 * index type and split of the flat range.
 */
#include "target/code_run.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

typedef struct shape {
    scalar_type type[3];
    uint32_t rank;
    int64_t lo[3], count[3];
} shape;

/*
 * Each iteration counts itself in marks[at] and writes its indices to seen[rank * at + k], where at
 * is worked out from the indices alone.
 */
static void shape_text(text *ir, const shape *s)
{
    uint32_t rank = s->rank, args = 0;

    text_add(ir,
             "module\ntask void walk {\n  info 0 cells none {\n"
             "    task \"walk\" block %u predicate none partials 0 at none\n",
             16 * rank + 64);
    for (uint32_t k = 0; k < rank; k++)
        text_add(ir, "    axis %s lo 0 none hi 1 none\n", scalar_types[s->type[k]].name);
    for (; args < 2 + 2 * rank; args++)
        text_add(ir, "    arg slot %u at %u bytes 8\n", args, 16 * rank + 8 * args);
    text_add(ir, "  }\n");
    for (uint32_t k = 0; k < rank; k++)
        text_add(ir, "  %%i%u = param %s\n", k, scalar_types[s->type[k]].name);
    text_add(ir, "  %%marks = param ptr.global u8\n  %%seen = param ptr.global i64\n");
    for (uint32_t k = 0; k < rank; k++)
        text_add(ir, "  %%lo%u = param i64\n  %%n%u = param i64\n", k, k);
    text_add(ir, "  %%at0 = const i64 0\n");
    for (uint32_t k = 0; k < rank; k++) {
        if (scalar_types[s->type[k]].bytes == 8 && s->type[k] == SCALAR_i64)
            text_add(ir, "  %%z%u = const i64 0\n  %%w%u = add i64 %%i%u, %%z%u\n", k, k, k, k);
        else
            text_add(ir, "  %%w%u = convert i64 %%i%u\n", k, k);
        text_add(ir,
                 "  %%m%u = mul i64 %%at%u, %%n%u\n  %%d%u = sub i64 %%w%u, %%lo%u\n"
                 "  %%at%u = add i64 %%m%u, %%d%u\n",
                 k, k, k, k, k, k, k + 1, k, k);
    }
    text_add(ir,
             "  %%p = offset ptr.global u8 %%marks, %%at%u\n  %%old = load u8 %%p\n"
             "  %%one = const u8 1\n  %%new = add u8 %%old, %%one\n  store %%p, %%new\n"
             "  %%rank = const i64 %u\n  %%base = mul i64 %%at%u, %%rank\n",
             rank, rank, rank);
    for (uint32_t k = 0; k < rank; k++)
        text_add(ir,
                 "  %%k%u = const i64 %u\n  %%b%u = add i64 %%base, %%k%u\n"
                 "  %%q%u = offset ptr.global i64 %%seen, %%b%u\n  store %%q%u, %%w%u\n",
                 k, k, k, k, k, k, k, k);
    text_add(ir, "}\n");
}

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Cuts [0, total) into calls of random length, some empty. */
static void add_splits(code_job *j, uint64_t block, int64_t total, uint64_t seed)
{
    int64_t at = 0;

    while (at < total) {
        int64_t step = (int64_t)(random_next(&seed) % 97);
        if (at + step > total)
            step = total - at;
        code_add_call(j, 0, 0, block, at, at + step);
        at += step;
    }
}

static void check_shape(const shape *s, mod_target which)
{
    int64_t total = 1, axes[6];
    text ir = { 0 };
    code c;

    for (uint32_t k = 0; k < s->rank; k++) {
        axes[2 * k] = s->lo[k];
        axes[2 * k + 1] = s->count[k];
        total *= s->count[k];
    }
    shape_text(&ir, s);
    code_compile(&c, text_get(&ir), which, NULL);
    code_job *j = code_job_new((uint64_t)total * (8 * s->rank + 2) + 4096);
    uint64_t block = code_block(j, 16 * s->rank + 64, s->rank, axes);
    uint64_t marks = code_put(j, NULL, (uint64_t)total);
    uint64_t seen = code_put(j, NULL, (uint64_t)total * 8 * s->rank);
    code_pointer(j, block + 16 * s->rank, marks);
    code_pointer(j, block + 16 * s->rank + 8, seen);
    for (uint32_t k = 0; k < 2 * s->rank; k++)
        code_u64(j, block + 16 * s->rank + 16 + 8 * k, (uint64_t)axes[k]);
    add_splits(j, block, total, (uint64_t)total);
    code_run(&c, j);
    for (int64_t at = 0; at < total; at++) {
        int64_t rest = at, want;
        if (j->heap[marks + (uint64_t)at] != 1)
            CHECK_FAIL("iteration %lld ran %d times", (long long)at, j->heap[marks + (uint64_t)at]);
        for (uint32_t k = s->rank; k-- > 0; rest /= s->count[k]) {
            int64_t got;
            memcpy(&got, j->heap + seen + 8 * ((uint64_t)at * s->rank + k), 8);
            want = s->lo[k] + rest % s->count[k];
            CHECK_EQ_I64(got, want);
        }
    }
    code_job_free(j);
    code_finish(&c);
    text_finish(&ir);
}

static void each_iteration_runs_once_with_its_indices(void)
{
    static const shape shapes[] = {
        { { SCALAR_i32 }, 1, { 0 }, { 1 } },
        { { SCALAR_i32 }, 1, { -500 }, { 1000 } },
        { { SCALAR_i32 }, 1, { INT32_MAX - 300 }, { 300 } },
        { { SCALAR_i32 }, 1, { INT32_MIN }, { 300 } },
        { { SCALAR_u32 }, 1, { UINT32_MAX - 300 }, { 300 } },
        { { SCALAR_i64 }, 1, { (int64_t)1 << 40 }, { 333 } },
        { { SCALAR_u64 }, 1, { -400 }, { 399 } }, /* up to 2^64 - 2 */
        { { SCALAR_i32, SCALAR_i32 }, 2, { 0, 0 }, { 37, 53 } },
        { { SCALAR_i32, SCALAR_i64 }, 2, { -3, 1000 }, { 200, 1 } },
        { { SCALAR_i64, SCALAR_u32 }, 2, { 7, UINT32_MAX - 201 }, { 1, 201 } },
        { { SCALAR_i32, SCALAR_i32, SCALAR_i32 }, 3, { 0, -5, 9 }, { 7, 11, 13 } },
        { { SCALAR_u64, SCALAR_i32, SCALAR_i32 }, 3, { 1, 2, 3 }, { 3, 1, 97 } },
        { { SCALAR_i32, SCALAR_i32, SCALAR_i32 }, 3, { 0, 0, 0 }, { 5, 60, 2 } },
    };

    CODE_EACH_TARGET(which)
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        check_shape(&shapes[k], (mod_target)which);
}

/* Serial tasks run once; a struct argument is read in place; a return ends the iteration. */
static const char serial[] =
    "module\n"
    "struct pair size 16 align 8 {\n  at 0 f64 as x\n  at 8 i32 as n\n}\n"
    "task void once {\n  info 0 cells none {\n"
    "    task \"once\" block 32 predicate none partials 0 at none\n"
    "    arg slot 0 at 0 bytes 8\n    arg struct 1 at 16 bytes 16\n  }\n"
    "  %out = param ptr.global f64\n  %s = param ptr.param struct pair\n"
    "  %px = field ptr.param f64 0 %s\n  %pn = field ptr.param i32 1 %s\n"
    "  %x = load f64 %px\n  %n = load i32 %pn\n  %d = convert f64 %n\n  %m = mul f64 %x, %d\n"
    "  store %out, %m\n}\n";

static void a_serial_task_runs_once_and_reads_its_struct(void)
{
    CODE_EACH_TARGET(which)
    {
        const double x = 1.5;
        code c;
        code_compile(&c, serial, (mod_target)which, NULL);
        code_job *j = code_job_new(4096);
        uint64_t block = code_put(j, NULL, 32), out = code_put(j, NULL, 8);
        double got;
        code_pointer(j, block, out);
        memcpy(j->heap + block + 16, &x, 8);
        code_u64(j, block + 24, 7);
        code_add_call(j, 0, 0, block, 0, 1);
        code_run(&c, j);
        memcpy(&got, j->heap + out, 8);
        CHECK_EQ_F64(got, 10.5);
        code_job_free(j);
        code_finish(&c);
    }
}

static const char simple_loop[] =
    "module\n"
    "task void saxpy {\n  info 0 cells none {\n"
    "    task \"saxpy\" block 40 predicate none partials 0 at none\n"
    "    axis i32 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n"
    "    arg slot 4 at 32 bytes 8\n  }\n"
    "  %i = param i32\n  %a = param f32\n  %x = param ptr.global f32\n  %y = param ptr.global f32\n"
    "  %w = convert i64 %i\n  %px = offset ptr.global f32 %x, %w\n"
    "  %py = offset ptr.global f32 %y, %w\n  %vx = load f32 %px\n  %vy = load f32 %py\n"
    "  %m = mul f32 %a, %vx\n  %s = add f32 %vy, %m\n  store %py, %s\n}\n";

/* Arrays may overlap as far as LLVM knows, so only the loop's note can have made this a vector loop
 * without a run-time check. */
static void a_simple_loop_is_vectorised_without_checks(void)
{
    target_options options = { .optimize = 2 };
    text asm_text = { 0 }, ir = { 0 };
    code c;

    code_compile(&c, simple_loop, MOD_TARGET_CPU_X86_64_V3, NULL);
    CHECK_STATUS(
        target_text(c.module, MOD_TARGET_CPU_X86_64_V3, &options, TARGET_STAGE_ASM, &asm_text),
        SLIP_OK);
    CHECK_CONTAINS(text_get(&asm_text), "vmulps");
    CHECK(strstr(text_get(&asm_text), "vfmadd") == NULL);
    CHECK_STATUS(
        target_text(c.module, MOD_TARGET_CPU_X86_64_V3, &options, TARGET_STAGE_OPTIMIZED, &ir),
        SLIP_OK);
    CHECK(strstr(text_get(&ir), "memcheck") == NULL);
    text_finish(&asm_text);
    text_finish(&ir);
    code_finish(&c);
}

static const check_case cases[] = {
    CASE(each_iteration_runs_once_with_its_indices),
    CASE(a_serial_task_runs_once_and_reads_its_struct),
    CASE(a_simple_loop_is_vectorised_without_checks),
};
CHECK_MAIN(cases)
