/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_reduce_test.c - reductions are LANGUAGE rule 7's tree bit for bit: on every target, type and
 * operation, for every shape and split, with conditional and repeated updates.
 */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "target/reduce_case.h"

static void part_is_value(const reduce_kernel *k, uint64_t v, uint64_t parts[3])
{
    (void)k;
    parts[0] = v;
}

static const reduce_extents flat[] = { { { 1, 1, 1 } },    { { 63, 1, 1 } },   { { 64, 1, 1 } },
                                       { { 1000, 1, 1 } }, { { 1024, 1, 1 } }, { { 1025, 1, 1 } },
                                       { { 5000, 1, 1 } }, { { 2048, 1, 1 } } };
enum { FLAT = sizeof flat / sizeof *flat };

static void every_operation_and_type_is_the_rules_tree(void)
{
    static const reduce_rule rules[] = {
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
        reduce_kernel k = { .rank = 1,
                            .reduces = 1,
                            .rules = { rules[r] },
                            .array = rules[r].type,
                            .index = r % 2 ? "i64" : "i32",
                            .body = "  reduce 0 %v\n" };
        reduce_check(&k, flat, FLAT, part_is_value);
    }
}

static void more_than_a_thousand_blocks_take_a_second_level(void)
{
    static const reduce_extents large[] = { { { 1024 * 1024 + 77, 1, 1 } } };
    reduce_kernel k = { .rank = 1,
                        .reduces = 1,
                        .rules = { { SCALAR_OP_add, SCALAR_f32 } },
                        .array = SCALAR_f32,
                        .index = "i32",
                        .body = "  reduce 0 %v\n" };

    reduce_check(&k, large, 1, part_is_value);
}

static void rows_of_any_length_are_one_sequence(void)
{
    static const reduce_extents shapes[] = { { { 7, 13, 1 } },   { { 3, 1024, 1 } },
                                             { { 2, 3000, 1 } }, { { 100, 64, 1 } },
                                             { { 1, 5000, 1 } }, { { 5000, 1, 1 } },
                                             { { 9, 1500, 1 } } };
    static const reduce_extents boxes[] = { { { 3, 5, 7 } },
                                            { { 2, 2, 2500 } },
                                            { { 11, 1, 300 } } };
    reduce_kernel k = { .rank = 2,
                        .reduces = 1,
                        .rules = { { SCALAR_OP_add, SCALAR_f64 } },
                        .array = SCALAR_f64,
                        .index = "i32",
                        .body = "  reduce 0 %v\n" };

    reduce_check(&k, shapes, 7, part_is_value);
    k.rank = 3;
    reduce_check(&k, boxes, 3, part_is_value);
}

/* if (v > 0) s += v, and another reduction of another type beside it. */
static void conditional_parts(const reduce_kernel *k, uint64_t v, uint64_t parts[3])
{
    float value;
    uint32_t low = (uint32_t)v;

    memcpy(&value, &low, 4);
    bool positive = value > 0;
    parts[0] = positive ? v : reduce_identity(k->rules[0]);
    parts[1] = positive ? 1 : reduce_identity(k->rules[1]);
    parts[2] = v;
}

static void an_iteration_that_skips_counts_as_the_identity(void)
{
    reduce_kernel k = { .rank = 1,
                        .reduces = 3,
                        .rules = { { SCALAR_OP_add, SCALAR_f32 },
                                   { SCALAR_OP_add, SCALAR_i64 },
                                   { SCALAR_OP_max, SCALAR_f32 } },
                        .array = SCALAR_f32,
                        .index = "i32",
                        .body =
                            "  reduce 2 %v\n  %none = const f32 0.0\n  %up = lt bool %none, %v\n"
                            "  %not = not bool %up\n  if %not {\n    return\n  }\n"
                            "  reduce 0 %v\n  %one = const i64 1\n  reduce 1 %one\n" };

    reduce_check(&k, flat, FLAT, conditional_parts);
}

/* s += v; then s += v * v three times in a loop: folded in program order into one part. */
static void repeated_parts(const reduce_kernel *k, uint64_t v, uint64_t parts[3])
{
    uint64_t part = reduce_op(k->rules[0], reduce_identity(k->rules[0]), v);
    uint64_t square = scalar_eval(SCALAR_OP_mul, SCALAR_f32, SCALAR_f32, v, v, 0);

    for (int i = 0; i < 3; i++)
        part = reduce_op(k->rules[0], part, square);
    parts[0] = part;
}

static void several_updates_are_folded_into_the_iterations_part_first(void)
{
    reduce_kernel k = {
        .rank = 1,
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
                "    %k3 = add i32 %k2, %one\n    store %n, %k3\n  }\n"
    };

    reduce_check(&k, flat, FLAT, repeated_parts);
}

static void nothing_but_nans_gives_a_nan_and_one_number_wins(void)
{
    reduce_kernel k = { .rank = 1,
                        .reduces = 1,
                        .rules = { { SCALAR_OP_min, SCALAR_f32 } },
                        .array = SCALAR_f32,
                        .index = "i32",
                        .body = "  reduce 0 %v\n" };
    text ir = { 0 };

    reduce_text(&ir, &k);
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
    reduce_kernel k = {
        1,          2,     { { SCALAR_OP_add, SCALAR_f32 }, { SCALAR_OP_max, SCALAR_f32 } },
        SCALAR_f32, "i64", "  reduce 0 %v\n  reduce 1 %v\n"
    };
    text ir = { 0 };

    reduce_text(&ir, &k);
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
                    parts[r][b] = reduce_element(k.rules[r].type, &seed);
                    scalar_store(k.rules[r].type, j->heap + results + 16 * b + 8 * r, parts[r][b]);
                }
                scalar_store(k.rules[r].type, j->heap + cells + 16 * r, 1);
            }
            code_add_call(j, 0, CODE_FINISH, block, 0, axes[1]);
            code_run(&c, j);
            for (uint32_t r = 0; r < 2; r++) {
                uint64_t last = count > 1 ? reduce_fold(k.rules[r], parts[r], count) : parts[r][0];
                CHECK_EQ_U64(scalar_load(k.rules[r].type, j->heap + cells + 16 * r),
                             reduce_op(k.rules[r], 1, last));
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
