/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_test.c - what only kernels of GPUs do: walk on by the grid up to bounds that lie in
 * cells, read their predicate, take their block by address, begin and end within a range; and add
 * floats in memory.
 *
 * The other tests of this folder run the same texts for what GPUs do as CPUs do.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/launch.h"
#include "support/check.h"
#include "target/code_run.h"

enum { MOST = 4096, GUARD = 64 };

/*
 * A task that counts each iteration in marks[at], where `at` is worked out from its indices. Bounds
 * that lie in cells: lo of axis k at byte 16 k, hi at 16 k + 8; the predicate at 48.
 */
typedef struct walk {
    uint32_t rank;
    scalar_type type;
    int64_t lo[3], hi[3];
    uint32_t in_cells; /* bit 2 k: lo of axis k; bit 2 k + 1: hi */
    bool predicated;
    uint32_t more_bytes; /* of the block */
} walk;

static void walk_text(text *ir, const walk *w)
{
    const char *name = scalar_types[w->type].name;
    uint32_t base = 16 * w->rank;

    text_add(ir, "module\ntask void walk {\n  info 0 cells none {\n    task \"walk\" block %u ",
             base + 8 * (1 + 2 * w->rank) + w->more_bytes);
    text_add(ir, "predicate %s partials 0 at none\n", w->predicated ? "48" : "none");
    for (uint32_t k = 0; k < w->rank; k++) {
        text_add(ir, "    axis %s lo ", name);
        text_add(ir, w->in_cells >> 2 * k & 1 ? "none %u" : "0 none", 16 * k);
        text_add(ir, w->in_cells >> (2 * k + 1) & 1 ? " hi none %u\n" : " hi 1 none\n", 16 * k + 8);
    }
    for (uint32_t k = 0; k < 1 + 2 * w->rank; k++)
        text_add(ir, "    arg slot %u at %u bytes 8\n", k, base + 8 * k);
    text_add(ir, "  }\n");
    for (uint32_t k = 0; k < w->rank; k++)
        text_add(ir, "  %%i%u = param %s\n", k, name);
    text_add(ir, "  %%marks = param ptr.global u8\n");
    for (uint32_t k = 0; k < w->rank; k++)
        text_add(ir, "  %%lo%u = param %s\n  %%n%u = param i64\n", k, name, k);
    text_add(ir, "  %%at0 = const i64 0\n");
    for (uint32_t k = 0; k < w->rank; k++)
        text_add(ir,
                 "  %%d%u = sub %s %%i%u, %%lo%u\n  %%w%u = convert i64 %%d%u\n"
                 "  %%m%u = mul i64 %%at%u, %%n%u\n  %%at%u = add i64 %%m%u, %%w%u\n",
                 k, name, k, k, k, k, k, k, k, k + 1, k, k);
    text_add(ir,
             "  %%p = offset ptr.global u8 %%marks, %%at%u\n  %%old = load u8 %%p\n"
             "  %%one = const u8 1\n  %%new = add u8 %%old, %%one\n  store %%p, %%new\n}\n",
             w->rank);
}

typedef struct walked {
    code c;
    const mod_task *task;
    uint64_t block[MOD_MAX_BLOCK_BYTES / 8];
    uint8_t cells[64], marks[GUARD + MOST + GUARD];
    uint8_t params[MOD_STREAM_PARAM_BYTES];
} walked;

static int64_t extent(const walk *w, uint32_t k)
{
    bool some = scalar_types[w->type].is_signed ? w->lo[k] < w->hi[k]
                                                : (uint64_t)w->lo[k] < (uint64_t)w->hi[k];

    return some ? w->hi[k] - w->lo[k] : 0;
}

static walked *walked_new(const walk *w, mod_target which, uint32_t predicate)
{
    const int64_t garbage = 0x5a5a5a5a5a5a5a5a;
    walked *made = calloc(1, sizeof *made);
    text ir = { 0 };

    CHECK(made != NULL);
    walk_text(&ir, w);
    code_compile(&made->c, text_get(&ir), which, NULL);
    text_finish(&ir);
    made->task = made->c.module->funcs->task->task;
    made->block[2 * w->rank] = (uint64_t)(uintptr_t)(made->marks + GUARD);
    for (uint32_t k = 0; k < w->rank; k++) {
        bool lo = w->in_cells >> 2 * k & 1, hi = w->in_cells >> (2 * k + 1) & 1;
        made->block[2 * k] = (uint64_t)(lo ? garbage : w->lo[k]);
        made->block[2 * k + 1] = (uint64_t)(hi ? garbage : lo ? w->hi[k] : extent(w, k));
        made->block[2 * w->rank + 1 + 2 * k] = (uint64_t)w->lo[k];
        made->block[2 * w->rank + 2 + 2 * k] = (uint64_t)extent(w, k);
        scalar_store(w->type, made->cells + 16 * k, (uint64_t)w->lo[k]);
        scalar_store(w->type, made->cells + 16 * k + 8, (uint64_t)w->hi[k]);
    }
    scalar_store(SCALAR_u32, made->cells + 48, predicate);
    made->c.gpu = code_gpu_new(made->c.module, which);
    return made;
}

static void walked_run(walked *made, int64_t first, int64_t end, uint32_t groups, uint32_t local)
{
    code_gpu_params(made->params, made->task, &made->c.image.shaders[0], made->block, made->cells,
                    first, end, false);
    code_gpu_launch(made->c.gpu, 0, made->params, (const uint32_t[3]){ groups, 1, 1 }, local);
}

/* Iterations first .. end - 1 ran once, no other did. */
static void walked_finish(walked *made, int64_t first, int64_t end, const char *what)
{
    for (int64_t k = -GUARD; k < MOST + GUARD; k++) {
        int want = k >= first && k < end, got = made->marks[GUARD + k];
        if (got != want)
            CHECK_FAIL("%s: iteration %lld ran %d times", what, (long long)k, got);
    }
    code_finish(&made->c);
    free(made);
}

/* Groups and threads that do not divide anything; and one thread for all. */
static void bounds_in_cells_are_walked_to(void)
{
    static const struct {
        walk w;
        int64_t total;
    } rows[] = {
        { { 1, SCALAR_i32, { -7 }, { 1000 }, 2, false, 0 }, 1007 },
        { { 1, SCALAR_i32, { INT32_MIN }, { INT32_MIN + 90 }, 3, false, 0 }, 90 },
        { { 1, SCALAR_u32, { 0xfffffff0 }, { 0xffffffff }, 1, false, 0 }, 15 },
        { { 1, SCALAR_i64, { 5 }, { 5 }, 2, false, 0 }, 0 },
        { { 1, SCALAR_i32, { 5 }, { -9 }, 2, false, 0 }, 0 },
        { { 1, SCALAR_u64, { -20 }, { -3 }, 3, false, 0 }, 17 },
        { { 2, SCALAR_i32, { 0, -3 }, { 37, 40 }, 2, false, 0 }, 37 * 43 },
        { { 2, SCALAR_i32, { 2, 1 }, { 9, 50 }, 12, false, 0 }, 7 * 49 },
        { { 2, SCALAR_i32, { 0, 8 }, { 100, 8 }, 8, false, 0 }, 0 },
        { { 2, SCALAR_i16, { -4, 0 }, { 300, 1 }, 5, false, 0 }, 304 },
        { { 3, SCALAR_i32, { 0, 1, 2 }, { 7, 12, 15 }, 32, false, 0 }, 7 * 11 * 13 },
        { { 3, SCALAR_u32, { 9, 0, 0 }, { 12, 2, 97 }, 1, false, 0 }, 3 * 2 * 97 },
        { { 3, SCALAR_i64, { 0, 0, 0 }, { 3, 0, 5 }, 10, false, 0 }, 0 },
    };
    static const uint32_t grids[][2] = { { 1, 1 }, { 3, 5 }, { 2, 256 }, { 40, 64 } };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
            walked *made = walked_new(&rows[k].w, g % 2 ? MOD_TARGET_GFX90A : MOD_TARGET_PTX, 0);
            CHECK(made->c.image.shaders[0].strided);
            walked_run(made, 0, -1, grids[g][0], grids[g][1]);
            walked_finish(made, 0, rows[k].total, "strided");
        }
}

static void a_predicate_of_0_runs_nothing(void)
{
    static const walk walks[] = { { 1, SCALAR_i32, { 0 }, { 100 }, 0, true, 0 },
                                  { 1, SCALAR_i32, { 0 }, { 100 }, 2, true, 0 } };

    for (int k = 0; k < 2; k++)
        for (uint32_t predicate = 0; predicate <= 256; predicate += 256) {
            walked *made = walked_new(&walks[k], MOD_TARGET_PTX, predicate);
            walked_run(made, 0, 100, 2, 64);
            walked_finish(made, 0, predicate ? 100 : 0, "predicated");
        }
}

static void a_range_of_a_grid_begins_and_ends_where_it_says(void)
{
    static const walk flat = { 1, SCALAR_i32, { 3 }, { 1003 }, 0, false, 0 };
    static const walk deep = { 3, SCALAR_i32, { 0, 4, -2 }, { 5, 14, 18 }, 0, false, 0 };

    for (int k = 0; k < 2; k++) {
        walked *made = walked_new(k ? &deep : &flat, MOD_TARGET_PTX, 0);
        CHECK(!made->c.image.shaders[0].strided && made->c.image.shaders[0].inline_block);
        walked_run(made, 100, 777, 6, 128);
        walked_finish(made, 100, 777, "a range");
    }
}

/* A header of 24 bytes, an axis, three arguments: 24 + 40 + 4032 bytes are 4096. */
static void a_block_that_does_not_fit_is_taken_by_address(void)
{
    for (uint32_t more = 4032; more <= 4040; more += 8) {
        walk w = { 1, SCALAR_i32, { 0 }, { 300 }, 0, false, more };
        walked *made = walked_new(&w, more == 4032 ? MOD_TARGET_PTX : MOD_TARGET_GFX90A, 0);
        CHECK_EQ_I64(made->c.image.shaders[0].inline_block, more == 4032);
        walked_run(made, 0, 300, 2, 256);
        walked_finish(made, 0, 300, "a long block");
    }
}

/* ---- adding floats in memory ---- */

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

static void adding_text(text *ir, const char *op)
{
    text_add(ir,
             "module\ntask void add {\n  info 0 cells none {\n    task \"add\" block 32 predicate "
             "none partials 0 at none\n    axis i64 lo 0 none hi 1 none\n"
             "    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n  }\n  %%i = param i64\n"
             "  %%x = param ptr.global f32\n  %%y = param ptr.global f32\n"
             "  %%q = offset ptr.global f32 %%y, %%i\n  %%v = load f32 %%q\n"
             "  %%p = offset ptr.global f32 %%x, %%i\n"
             "  %%was = update f32 %%p (%%old f32) {\n    %%new = %s f32 %%old, %%v\n"
             "    yield %%new\n  }\n  store %%q, %%was\n}\n",
             op);
}

/* Each pair of values, by the machine's own float: sums of subnormal numbers and zeros' signs
 * among them. The old value is given back as it was. */
static void floats_are_added_exactly_whatever_their_size(void)
{
    static const uint32_t edges[] = { 0,          0x80000000, 1,          0x80000001, 0x007fffff,
                                      0x00800000, 0x80800000, 0x0d7fffff, 0x0d800000, 0x8d800000,
                                      0x0d800001, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000,
                                      0xff800000, 0x7fc00000 };
    enum { EDGES = sizeof edges / sizeof *edges, PAIRS = EDGES * EDGES };

    for (int sub = 0; sub < 2; sub++) {
        text ir = { 0 };
        code c;
        int64_t axes[2] = { 0, PAIRS };
        adding_text(&ir, sub ? "sub" : "add");
        code_compile(&c, text_get(&ir), MOD_TARGET_PTX, NULL);
        code_job *j = code_job_new(16384);
        uint64_t block = code_block(j, 32, 1, axes);
        uint64_t x = code_put(j, NULL, 4 * PAIRS), y = code_put(j, NULL, 4 * PAIRS);
        code_pointer(j, block + 16, x);
        code_pointer(j, block + 24, y);
        for (uint32_t k = 0; k < PAIRS; k++) {
            memcpy(j->heap + x + 4 * k, &edges[k / EDGES], 4);
            memcpy(j->heap + y + 4 * k, &edges[k % EDGES], 4);
        }
        code_add_call(j, 0, 0, block, 0, PAIRS);
        code_run(&c, j);
        for (uint32_t k = 0; k < PAIRS; k++) {
            float old, value, got, was;
            memcpy(&old, &edges[k / EDGES], 4);
            memcpy(&value, &edges[k % EDGES], 4);
            memcpy(&got, j->heap + x + 4 * k, 4);
            memcpy(&was, j->heap + y + 4 * k, 4);
            volatile float want = sub ? old - value : old + value;
            CHECK_EQ_U64(bits_of(was), edges[k / EDGES]);
            if (isnan(want) ? !isnan(got) : bits_of(got) != bits_of(want))
                CHECK_FAIL("%a %s %a gives %a, not %a", (double)old, sub ? "-" : "+", (double)value,
                           (double)got, (double)want);
        }
        code_job_free(j);
        code_finish(&c);
        text_finish(&ir);
    }
}

static void only_values_that_cannot_be_flushed_are_added_in_one_instruction(void)
{
    static const target_options options = { .optimize = 2 };
    text ir = { 0 }, ptx = { 0 }, gfx = { 0 };
    code c;

    adding_text(&ir, "add");
    code_compile(&c, text_get(&ir), MOD_TARGET_PTX, NULL);
    CHECK_STATUS(target_text(c.module, MOD_TARGET_PTX, &options, TARGET_STAGE_ASM, &ptx), SLIP_OK);
    CHECK_CONTAINS(text_get(&ptx), "0f0D800000"); /* 2^-100 */
    CHECK_CONTAINS(text_get(&ptx), "atom.global.add.f32");
    CHECK_CONTAINS(text_get(&ptx), "atom.global.cas.b32");
    CHECK_STATUS(target_text(c.module, MOD_TARGET_GFX90A, &options, TARGET_STAGE_ASM, &gfx),
                 SLIP_OK);
    CHECK_CONTAINS(text_get(&gfx), "global_atomic_cmpswap");
    CHECK(!strstr(text_get(&gfx), "atomic_add_f32"));
    code_finish(&c);
    text_finish(&ir);
    text_finish(&ptx);
    text_finish(&gfx);
}

/* ---- the remainder, which is a function of the library ---- */

static void a_remainder_of_floats_calls_the_librarys(void)
{
    static const char ir[] =
        "module\nhelper f32 slip.fmodf {\n  %a = param f32\n  %b = param f32\n"
        "  %d = sub f32 %a, %b\n  return %d\n}\n"
        "task void rem {\n  info 0 cells none {\n    task \"rem\" block 24 predicate none partials "
        "0 at none\n    axis i64 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n  }\n"
        "  %i = param i64\n  %x = param ptr.global f32\n  %p = offset ptr.global f32 %x, %i\n"
        "  %v = load f32 %p\n  %two = const f32 2.0\n  %r = rem f32 %v, %two\n"
        "  %s = math f32 fmod %r, %two\n  store %p, %s\n}\n";
    const float nine = 9;
    int64_t axes[2] = { 0, 1 };
    float got;
    code c;

    code_compile(&c, ir, MOD_TARGET_PTX, NULL);
    code_job *j = code_job_new(4096);
    uint64_t block = code_block(j, 24, 1, axes), x = code_put(j, &nine, 4);
    code_pointer(j, block + 16, x);
    code_add_call(j, 0, 0, block, 0, 1);
    code_run(&c, j);
    memcpy(&got, j->heap + x, 4);
    CHECK_EQ_F64(got, 5); /* this one takes 2 away, twice */
    code_job_free(j);
    code_finish(&c);
}

static const check_case cases[] = {
    CASE(bounds_in_cells_are_walked_to),
    CASE(a_predicate_of_0_runs_nothing),
    CASE(a_range_of_a_grid_begins_and_ends_where_it_says),
    CASE(a_block_that_does_not_fit_is_taken_by_address),
    CASE(floats_are_added_exactly_whatever_their_size),
    CASE(only_values_that_cannot_be_flushed_are_added_in_one_instruction),
    CASE(a_remainder_of_floats_calls_the_librarys),
};
CHECK_MAIN(cases)
