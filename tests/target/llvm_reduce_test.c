/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_reduce_test.c - reductions are LANGUAGE rule 7's tree bit for bit: on every target, type and
 * operation, for every shape and split, with conditional and repeated updates.
 *
 * The tree is written out here once more, over scalar_eval, in the rule's own words.
 */
#include "target/code_run.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* ---- the rule ---- */

typedef struct rule {
    scalar_op op;
    scalar_type type;
} rule;

static uint64_t rule_op(rule r, uint64_t a, uint64_t b)
{
    if (r.type == SCALAR_bool) /* || && ^ of truth values */
        return r.op == SCALAR_OP_and ? a & b : r.op == SCALAR_OP_or ? a | b : a ^ b;
    return scalar_eval(r.op, r.type, r.type, a, b, 0);
}

/* -0.0 for float sums, 1 for products, NaN for float min/max, the type's own bounds for integers.
 */
static uint64_t rule_identity(rule r)
{
    bool f32 = r.type == SCALAR_f32, f64 = r.type == SCALAR_f64;

    switch ((int)r.op) {
    case SCALAR_OP_add:
        return f32 ? 0x80000000 : f64 ? 0x8000000000000000 : 0;
    case SCALAR_OP_mul:
        return f32 ? 0x3f800000 : f64 ? 0x3ff0000000000000 : 1;
    case SCALAR_OP_and:
        return r.type == SCALAR_bool ? 1 : scalar_canonical(r.type, UINT64_MAX);
    case SCALAR_OP_min:
        return f32                    ? 0x7fc00000
               : f64                  ? 0x7ff8000000000000
               : r.type == SCALAR_i32 ? 0x7fffffff
               : r.type == SCALAR_u8  ? 255
               : r.type == SCALAR_i64 ? INT64_MAX
                                      : UINT64_MAX;
    case SCALAR_OP_max:
        return f32                    ? 0x7fc00000
               : f64                  ? 0x7ff8000000000000
               : r.type == SCALAR_i32 ? (uint64_t)INT32_MIN
               : r.type == SCALAR_i64 ? (uint64_t)INT64_MIN
                                      : 0;
    }
    return 0;
}

/* Folds the sequence until one is left. */
static uint64_t rule_fold(rule r, uint64_t *parts, uint64_t count)
{
    uint64_t lanes[64];

    for (;;) {
        uint64_t blocks = (count + 1023) / 1024;
        for (uint64_t b = 0; b < blocks; b++) {
            for (int l = 0; l < 64; l++)
                lanes[l] = rule_identity(r);
            for (uint64_t k = 1024 * b; k < 1024 * (b + 1) && k < count; k++)
                lanes[k % 64] = rule_op(r, lanes[k % 64], parts[k]);
            for (int half = 32; half; half /= 2)
                for (int l = 0; l < half; l++)
                    lanes[l] = rule_op(r, lanes[l], lanes[l + half]);
            parts[b] = lanes[0];
        }
        count = blocks;
        if (count == 1)
            return parts[0];
    }
}

/* ---- kernels ---- */

/*
 * Task: axes of type i32, or i64 for rank 1 with `wide`; x indexed by the flat position. `body` is
 * IR that has %w (flat position), %x and gives its updates itself.
 */
typedef struct kernel {
    uint32_t rank, reduces;
    rule rules[3];
    scalar_type array;
    const char *index; /* "i32" */
    const char *body;
} kernel;

static void kernel_text(text *ir, const kernel *k)
{
    uint32_t base = 16 * k->rank;

    text_add(ir,
             "module\ntask void r {\n  info 0 cells %u {\n"
             "    task \"r\" block %u predicate none partials %u at %u\n",
             k->rank + 1, base + 64, 8 * k->reduces, base + 48);
    for (uint32_t a = 0; a < k->rank; a++)
        text_add(ir, "    axis %s lo 0 none hi 1 none\n", k->index);
    text_add(ir, "    arg slot 0 at %u bytes 8\n    arg slot 1 at %u bytes 8\n", base, base + 8);
    text_add(ir, "    arg slot 2 at %u bytes 8\n    arg slot 3 at %u bytes 8\n", base + 16,
             base + 24);
    for (uint32_t r = 0; r < k->reduces; r++)
        text_add(ir, "    reduce %s %s cell %u\n", scalar_ops[k->rules[r].op].name,
                 scalar_types[k->rules[r].type].name, 16 * r);
    text_add(ir, "  }\n");
    for (uint32_t a = 0; a < k->rank; a++)
        text_add(ir, "  %%i%u = param %s\n", a, k->index);
    text_add(ir,
             "  %%x = param ptr.global %s\n  %%cells = param ptr.global u8\n  %%n1 = param i64\n"
             "  %%n2 = param i64\n",
             scalar_types[k->array].name);
    for (uint32_t a = 0; a < k->rank; a++)
        if (strcmp(k->index, "i64") == 0)
            text_add(ir, "  %%z%u = const i64 0\n  %%c%u = add i64 %%i%u, %%z%u\n", a, a, a, a);
        else
            text_add(ir, "  %%c%u = convert i64 %%i%u\n", a, a);
    if (k->rank == 1)
        text_add(ir, "  %%zero = const i64 0\n  %%w = add i64 %%c0, %%zero\n");
    if (k->rank >= 2)
        text_add(ir, "  %%m1 = mul i64 %%c0, %%n1\n  %%w1 = add i64 %%m1, %%c1\n");
    if (k->rank == 2)
        text_add(ir, "  %%zero = const i64 0\n  %%w = add i64 %%w1, %%zero\n");
    if (k->rank == 3)
        text_add(ir, "  %%m2 = mul i64 %%w1, %%n2\n  %%w = add i64 %%m2, %%c2\n");
    text_add(ir, "  %%p = offset ptr.global %s %%x, %%w\n  %%v = load %s %%p\n%s}\n",
             scalar_types[k->array].name, scalar_types[k->array].name, k->body);
}

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 30;
}

/* Values whose sum depends on the order; small integers for the rest. */
static uint64_t element(scalar_type type, uint64_t *state)
{
    uint64_t r = random_next(state);
    double value = ((double)(r % 20011) - 10005) / 10005 * (r % 7 == 0 ? 1e5 : 1);
    float narrow = (float)value;
    uint32_t bits;

    if (type == SCALAR_bool)
        return r % 2;
    if (type == SCALAR_f64) {
        memcpy(&r, &value, 8);
        return r;
    }
    if (type == SCALAR_f32) {
        memcpy(&bits, &narrow, 4);
        return bits;
    }
    return scalar_canonical(type, r);
}

/* What the body's updates make of element v: the part of each reduction. */
typedef void (*part_maker)(const kernel *k, uint64_t v, uint64_t parts[3]);

typedef struct extents {
    int64_t n[3];
} extents;

static void run_and_compare(const kernel *k, extents n, int64_t step, part_maker make, code *c)
{
    uint64_t total = 1, base = 16 * k->rank, seed = 99, bytes = scalar_types[k->array].bytes;
    int64_t axes[6] = { 0 };
    uint64_t *parts[3], cells, block, x;

    for (uint32_t a = 0; a < k->rank; a++) {
        axes[2 * a + 1] = n.n[a];
        total *= (uint64_t)n.n[a];
    }
    code_job *j = code_job_new(total * bytes + (total / 1024 + 2) * 24 + 8192);
    block = code_block(j, base + 64, k->rank, axes);
    x = code_put(j, NULL, total * bytes);
    cells = code_put(j, NULL, 64);
    code_pointer(j, block + base, x);
    code_pointer(j, block + base + 8, cells);
    code_u64(j, block + base + 16, (uint64_t)n.n[1]);
    code_u64(j, block + base + 24, (uint64_t)n.n[2]);
    code_pointer(j, block + base + 48, code_put(j, NULL, (total / 1024 + 1) * 8 * k->reduces));
    for (uint32_t r = 0; r < 3; r++)
        CHECK((parts[r] = calloc(total, 8)) != NULL);
    for (uint64_t i = 0; i < total; i++) {
        uint64_t v = element(k->array, &seed), made[3] = { 0 };
        scalar_store(k->array, j->heap + x + i * bytes, v);
        make(k, v, made);
        for (uint32_t r = 0; r < k->reduces; r++)
            parts[r][i] = made[r];
    }
    for (uint32_t r = 0; r < k->reduces; r++) /* the old value comes last */
        scalar_store(k->rules[r].type, j->heap + cells + 16 * r, 1);
    for (int64_t at = 0; at < (int64_t)total; at += step * 1024)
        code_add_call(j, 0, 0, block, at,
                      at + step * 1024 < (int64_t)total ? at + step * 1024 : (int64_t)total);
    code_add_call(j, 0, CODE_FINISH, block, 0, (int64_t)total);
    code_run(c, j);
    for (uint32_t r = 0; r < k->reduces; r++) {
        uint64_t want = rule_op(k->rules[r], 1, rule_fold(k->rules[r], parts[r], total));
        uint64_t got = scalar_load(k->rules[r].type, j->heap + cells + 16 * r);
        if (got != want)
            CHECK_FAIL("%s: reduction %u (%s %s) of %llu x %lld x %lld gives %#llx, not %#llx",
                       target_rows[c->image.target].name, r, scalar_ops[k->rules[r].op].name,
                       scalar_types[k->rules[r].type].name, (unsigned long long)n.n[0],
                       (long long)n.n[1], (long long)n.n[2], (unsigned long long)got,
                       (unsigned long long)want);
        free(parts[r]);
    }
    for (uint32_t r = k->reduces; r < 3; r++)
        free(parts[r]);
    code_job_free(j);
}

static void check_kernel(const kernel *k, const extents *shapes, size_t count, part_maker make)
{
    text ir = { 0 };

    kernel_text(&ir, k);
    CODE_EACH_TARGET(which)
    {
        code c;
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        for (size_t s = 0; s < count; s++)
            run_and_compare(k, shapes[s], s % 2 ? 1 : 1000000, make, &c);
        code_finish(&c);
    }
    text_finish(&ir);
}

static void part_is_value(const kernel *k, uint64_t v, uint64_t parts[3])
{
    (void)k;
    parts[0] = v;
}

static const extents flat[] = { { { 1, 1, 1 } },    { { 63, 1, 1 } },   { { 64, 1, 1 } },
                                { { 1000, 1, 1 } }, { { 1024, 1, 1 } }, { { 1025, 1, 1 } },
                                { { 5000, 1, 1 } }, { { 2048, 1, 1 } } };
enum { FLAT = sizeof flat / sizeof *flat };

static void every_operation_and_type_is_the_rules_tree(void)
{
    static const rule rules[] = {
        { SCALAR_OP_add, SCALAR_f32 },  { SCALAR_OP_add, SCALAR_f64 },
        { SCALAR_OP_mul, SCALAR_f32 },  { SCALAR_OP_mul, SCALAR_f64 },
        { SCALAR_OP_min, SCALAR_f32 },  { SCALAR_OP_max, SCALAR_f64 },
        { SCALAR_OP_add, SCALAR_i32 },  { SCALAR_OP_add, SCALAR_i64 },
        { SCALAR_OP_mul, SCALAR_u8 },   { SCALAR_OP_min, SCALAR_i32 },
        { SCALAR_OP_max, SCALAR_i64 },  { SCALAR_OP_min, SCALAR_u8 },
        { SCALAR_OP_max, SCALAR_u64 },  { SCALAR_OP_and, SCALAR_u64 },
        { SCALAR_OP_or, SCALAR_i32 },   { SCALAR_OP_xor, SCALAR_u16 },
        { SCALAR_OP_and, SCALAR_bool }, { SCALAR_OP_or, SCALAR_bool },
        { SCALAR_OP_xor, SCALAR_bool },
    };

    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        kernel k = { .rank = 1,
                     .reduces = 1,
                     .rules = { rules[r] },
                     .array = rules[r].type,
                     .index = r % 2 ? "i64" : "i32",
                     .body = "  reduce 0 %v\n" };
        check_kernel(&k, flat, FLAT, part_is_value);
    }
}

static void more_than_a_thousand_blocks_take_a_second_level(void)
{
    static const extents large[] = { { { 1024 * 1024 + 77, 1, 1 } } };
    kernel k = { .rank = 1,
                 .reduces = 1,
                 .rules = { { SCALAR_OP_add, SCALAR_f32 } },
                 .array = SCALAR_f32,
                 .index = "i32",
                 .body = "  reduce 0 %v\n" };

    check_kernel(&k, large, 1, part_is_value);
}

static void rows_of_any_length_are_one_sequence(void)
{
    static const extents shapes[] = { { { 7, 13, 1 } },   { { 3, 1024, 1 } }, { { 2, 3000, 1 } },
                                      { { 100, 64, 1 } }, { { 1, 5000, 1 } }, { { 5000, 1, 1 } },
                                      { { 9, 1500, 1 } } };
    static const extents boxes[] = { { { 3, 5, 7 } }, { { 2, 2, 2500 } }, { { 11, 1, 300 } } };
    kernel k = { .rank = 2,
                 .reduces = 1,
                 .rules = { { SCALAR_OP_add, SCALAR_f64 } },
                 .array = SCALAR_f64,
                 .index = "i32",
                 .body = "  reduce 0 %v\n" };

    check_kernel(&k, shapes, 7, part_is_value);
    k.rank = 3;
    check_kernel(&k, boxes, 3, part_is_value);
}

/* if (v > 0) s += v, and another reduction of another type beside it. */
static void conditional_parts(const kernel *k, uint64_t v, uint64_t parts[3])
{
    float value;
    uint32_t low = (uint32_t)v;

    memcpy(&value, &low, 4);
    bool positive = value > 0;
    parts[0] = positive ? v : rule_identity(k->rules[0]);
    parts[1] = positive ? 1 : rule_identity(k->rules[1]);
    parts[2] = v;
}

static void an_iteration_that_skips_counts_as_the_identity(void)
{
    kernel k = { .rank = 1,
                 .reduces = 3,
                 .rules = { { SCALAR_OP_add, SCALAR_f32 },
                            { SCALAR_OP_add, SCALAR_i64 },
                            { SCALAR_OP_max, SCALAR_f32 } },
                 .array = SCALAR_f32,
                 .index = "i32",
                 .body = "  reduce 2 %v\n  %none = const f32 0.0\n  %up = lt bool %none, %v\n"
                         "  %not = not bool %up\n  if %not {\n    return\n  }\n"
                         "  reduce 0 %v\n  %one = const i64 1\n  reduce 1 %one\n" };

    check_kernel(&k, flat, FLAT, conditional_parts);
}

/* s += v; then s += v * v three times in a loop: folded in program order into one part. */
static void repeated_parts(const kernel *k, uint64_t v, uint64_t parts[3])
{
    uint64_t part = rule_op(k->rules[0], rule_identity(k->rules[0]), v);
    uint64_t square = scalar_eval(SCALAR_OP_mul, SCALAR_f32, SCALAR_f32, v, v, 0);

    for (int i = 0; i < 3; i++)
        part = rule_op(k->rules[0], part, square);
    parts[0] = part;
}

static void several_updates_are_folded_into_the_iterations_part_first(void)
{
    kernel k = { .rank = 1,
                 .reduces = 1,
                 .rules = { { SCALAR_OP_add, SCALAR_f32 } },
                 .array = SCALAR_f32,
                 .index = "i32",
                 .body = "  reduce 0 %v\n  %s = mul f32 %v, %v\n  %n = var ptr.local i32\n"
                         "  %zero32 = const i32 0\n  %one = const i32 1\n  %three = const i32 3\n"
                         "  store %n, %zero32\n"
                         "  loop {\n    %k = load i32 %n\n    %more = lt bool %k, %three\n"
                         "    %done = not bool %more\n    if %done {\n      break 1\n    }\n"
                         "    reduce 0 %s\n  } next {\n    %k2 = load i32 %n\n"
                         "    %k3 = add i32 %k2, %one\n    store %n, %k3\n  }\n" };

    check_kernel(&k, flat, FLAT, repeated_parts);
}

static void nothing_but_nans_gives_a_nan_and_one_number_wins(void)
{
    kernel k = { .rank = 1,
                 .reduces = 1,
                 .rules = { { SCALAR_OP_min, SCALAR_f32 } },
                 .array = SCALAR_f32,
                 .index = "i32",
                 .body = "  reduce 0 %v\n" };
    text ir = { 0 };

    kernel_text(&ir, &k);
    CODE_EACH_TARGET(which)
    for (int numbers = 0; numbers < 2; numbers++) {
        const float nan = __builtin_nanf(""), number = -0.0f, zero = 0.0f;
        int64_t axes[2] = { 0, 3000 };
        float got;
        code c;
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        code_job *j = code_job_new(1 << 16);
        uint64_t block = code_block(j, 96, 1, axes), x = code_put(j, NULL, 12000);
        uint64_t cells = code_put(j, &nan, 4);
        for (int i = 0; i < 3000; i++)
            memcpy(j->heap + x + 4 * (uint64_t)i, &nan, 4);
        if (numbers) {
            memcpy(j->heap + x + 4 * 777, &number, 4);
            memcpy(j->heap + x + 4 * 2999, &zero, 4);
        }
        code_pointer(j, block + 16, x);
        code_pointer(j, block + 24, cells);
        code_pointer(j, block + 64, code_put(j, NULL, 64));
        code_add_call(j, 0, 0, block, 0, 3000);
        code_add_call(j, 0, CODE_FINISH, block, 0, 3000);
        code_run(&c, j);
        memcpy(&got, j->heap + cells, 4);
        CHECK(numbers ? got == 0 && __builtin_signbitf(got) : got != got);
        code_job_free(j);
        code_finish(&c);
    }
    text_finish(&ir);
}

/* The results of more blocks than a GPU's finish folds at once, of several levels, or of one. */
static void many_blocks_of_results_fold_level_by_level(void)
{
    static const uint64_t counts[] = { 1, 2, 1024, 1025, 17 * 1024 + 3, 40000 };
    kernel k = {
        1,          2,     { { SCALAR_OP_add, SCALAR_f32 }, { SCALAR_OP_max, SCALAR_f32 } },
        SCALAR_f32, "i64", "  reduce 0 %v\n  reduce 1 %v\n"
    };
    text ir = { 0 };

    kernel_text(&ir, &k);
    CODE_EACH_TARGET(which)
    {
        code c;
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            uint64_t count = counts[n], seed = count, *parts[2];
            int64_t axes[2] = { 0, (int64_t)(count * 1024 - 5) };
            code_job *j = code_job_new(count * 16 + 8192);
            uint64_t block = code_block(j, 80, 1, axes), cells = code_put(j, NULL, 64);
            uint64_t results = code_put(j, NULL, count * 16);
            code_pointer(j, block + 24, cells);
            code_pointer(j, block + 64, results);
            for (uint32_t r = 0; r < 2; r++) {
                CHECK((parts[r] = calloc(count, 8)) != NULL);
                for (uint64_t b = 0; b < count; b++) {
                    parts[r][b] = element(k.rules[r].type, &seed);
                    scalar_store(k.rules[r].type, j->heap + results + 16 * b + 8 * r, parts[r][b]);
                }
                scalar_store(k.rules[r].type, j->heap + cells + 16 * r, 1);
            }
            code_add_call(j, 0, CODE_FINISH, block, 0, axes[1]);
            code_run(&c, j);
            for (uint32_t r = 0; r < 2; r++) {
                uint64_t last = count > 1 ? rule_fold(k.rules[r], parts[r], count) : parts[r][0];
                CHECK_EQ_U64(scalar_load(k.rules[r].type, j->heap + cells + 16 * r),
                             rule_op(k.rules[r], 1, last));
                free(parts[r]);
            }
            code_job_free(j);
        }
        code_finish(&c);
    }
    text_finish(&ir);
}

static const check_case cases[] = {
    CASE(many_blocks_of_results_fold_level_by_level),
    CASE(every_operation_and_type_is_the_rules_tree),
    CASE(more_than_a_thousand_blocks_take_a_second_level),
    CASE(rows_of_any_length_are_one_sequence),
    CASE(an_iteration_that_skips_counts_as_the_identity),
    CASE(several_updates_are_folded_into_the_iterations_part_first),
    CASE(nothing_but_nans_gives_a_nan_and_one_number_wins),
};
CHECK_MAIN(cases)
