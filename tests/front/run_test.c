/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_test.c - the meaning of what the front makes: each kernel of run/ is compiled into this
 * program as plain C, and run by the IR's interpreter on the same arrays. Both must agree bit for
 * bit. Built as a reference must be: tests/front/CMakeLists.txt.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "ir/interp.h"
#include "support/check.h"

#include "front/run/control.c"
#undef KERNEL
#include "front/run/numbers.c"
#undef KERNEL
#include "front/run/objects.c"
#undef KERNEL
#include "front/run/tasks.c"
#undef KERNEL
#include "front/run/idioms.c"

#ifdef HAVE_FUSED
/* run/fused.c, built by clang with -ffp-contract=on. */
void fused(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n], i64 z[n], u8 h[n]);
#endif

enum { N = 24, M = 5, ROOM = 256 };

typedef struct data {
    i32 a[ROOM];
    f32 b[ROOM];
    i32 x[ROOM];
    f32 y[ROOM];
    i64 z[ROOM];
    u8 h[ROOM];
} data;

typedef void kernel(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n], i64 z[n],
                    u8 h[n]);

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void fill_data(data *v, uint32_t seed)
{
    memset(v, 0, sizeof *v);
    for (int i = 0; i < ROOM; i++) {
        v->a[i] = (i32)(next_random(&seed) % 31) - 9;
        v->b[i] = (f32)((i32)(next_random(&seed) % 4000) - 2000) / 64;
        v->x[i] = (i32)(next_random(&seed) % 2000) - 700;
        v->y[i] = (f32)(next_random(&seed) % 100) / 8;
        v->z[i] = (i64)(next_random(&seed) % 90000) - 40000;
        v->h[i] = (u8)next_random(&seed);
    }
}

static ir_func *find_kernel(const ir_module *m, const char *name)
{
    for (ir_func *f = m->funcs; f; f = f->next) {
        if (f->kind == IR_KERNEL && strcmp(f->name, name) == 0)
            return f;
    }
    CHECK_FAIL("no kernel %s", name);
    return NULL;
}

static void compare(const char *name, const data *got, const data *want)
{
    for (int i = 0; i < ROOM; i++) {
        uint32_t gy, wy;
        memcpy(&gy, &got->y[i], 4);
        memcpy(&wy, &want->y[i], 4);
        bool nans = got->y[i] != got->y[i] && want->y[i] != want->y[i];
        if (got->x[i] != want->x[i] || (gy != wy && !nans) || got->z[i] != want->z[i] ||
            got->h[i] != want->h[i])
            CHECK_FAIL(
                "%s, element %d: x %d, y %a, z %lld, h %d; plain C has x %d, y %a, z %lld, h %d",
                name, i, got->x[i], (double)got->y[i], (long long)got->z[i], got->h[i], want->x[i],
                (double)want->y[i], (long long)want->z[i], want->h[i]);
    }
}

static void run_one(const ir_module *m, const char *name, kernel *plain)
{
    static data got, want;

    for (uint32_t seed = 1; seed < 6; seed++) {
        fill_data(&got, seed);
        fill_data(&want, seed);
        plain(N, M, want.a, want.b, want.x, want.y, want.z, want.h);
        interp in = { .steps = 50000000 };
        uint64_t args[8] = { N,
                             M,
                             (uint64_t)(uintptr_t)got.a,
                             (uint64_t)(uintptr_t)got.b,
                             (uint64_t)(uintptr_t)got.x,
                             (uint64_t)(uintptr_t)got.y,
                             (uint64_t)(uintptr_t)got.z,
                             (uint64_t)(uintptr_t)got.h };
        interp_run(&in, find_kernel(m, name), args);
        if (in.failed)
            CHECK_FAIL("%s: the interpreter stopped: %s", name, in.failed);
        interp_finish(&in);
        compare(name, &got, &want);
    }
}

typedef struct kernel_row {
    const char *name;
    kernel *plain;
} kernel_row;

static void run_file(const char *file, const kernel_row *rows, size_t count,
                     const front_options *options)
{
    char path[128];
    mem_arena arena = { 0 };
    diag_list diags = { .arena = &arena };

    snprintf(path, sizeof path, "tests/front/run/%s", file);
    char *source = check_read(path, NULL);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    ir_module *m = ir_module_new(&arena);
    slip_status status = front_compile(file, source, options, &diags, m, NULL);
    if (diags.first && diags.errors)
        CHECK_FAIL("%s:%u: %s", file, diags.first->line, diags.first->message);
    CHECK_EQ_I64(status, SLIP_OK);
    CHECK_STATUS(ir_verify(m), SLIP_OK);
    for (size_t i = 0; i < count; i++)
        run_one(m, rows[i].name, rows[i].plain);
    mem_arena_finish(&arena);
    free(source);
}

#define ROW(name)                                                                                  \
    {                                                                                              \
#name, name                                                                                \
    }
#define RUN(file, rows) run_file(file, rows, sizeof rows / sizeof rows[0], NULL)

static void control_flow_means_what_c_means(void)
{
    static const kernel_row list[] = { ROW(loops),          ROW(nested_loops), ROW(switches),
                                       ROW(early_continue), ROW(logic),        ROW(unbraced) };
    RUN("control.c", list);
}

static void arithmetic_means_what_c_means(void)
{
    static const kernel_row list[] = { ROW(conversions), ROW(compound), ROW(integers),
                                       ROW(floats) };
    RUN("numbers.c", list);
}

static void objects_mean_what_c_means(void)
{
    static const kernel_row list[] = { ROW(structs), ROW(arrays), ROW(pointers), ROW(row_views) };
    RUN("objects.c", list);
}

static void tasks_mean_what_c_means(void)
{
    static const kernel_row list[] = { ROW(updates), ROW(calls), ROW(sections), ROW(serial) };
    RUN("tasks.c", list);
}

static void idioms_mean_what_c_means(void)
{
    static const kernel_row list[] = { ROW(enums), ROW(helpers), ROW(expressions), ROW(host_flow) };
    RUN("idioms.c", list);
}

static void fused_sums_are_those_that_clang_fuses(void)
{
#ifdef HAVE_FUSED
    static const front_options options = { .fma = true };
    static const kernel_row list[] = { ROW(fused) };
    run_file("fused.c", list, 1, &options);
#else
    check_skip("clang-fma", "no clang 19, or this machine has no fma instruction");
#endif
}

static const check_case cases[] = {
    CASE(control_flow_means_what_c_means), CASE(arithmetic_means_what_c_means),
    CASE(objects_mean_what_c_means),       CASE(tasks_mean_what_c_means),
    CASE(idioms_mean_what_c_means),
    CASE(fused_sums_are_those_that_clang_fuses),
};
CHECK_MAIN(cases)
