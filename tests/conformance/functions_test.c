/* SPDX-License-Identifier: Apache-2.0 */
/*
 * functions_test.c - static functions.
 */
#include "conform.h"

#include "functions.slip.h"

typedef struct pair pair;

#include "functions.reference.h"

#define ONE_TO_ONE(kernel, T, fill, U)                                                            \
    SIZES (n) {                                                                                   \
        const void *x = IN(T, fill, n);                                                           \
        conform_pair out = PAIR(U, PLAIN, n);                                                     \
        BOTH(kernel, n, x, S(out));                                                               \
        SAME(out);                                                                                \
    }

CONFORM(calls_of_calls)
{
    ONE_TO_ONE(plain_calls, i32, WILD, i32)
    ONE_TO_ONE(forward_declared, i64, WILD, i64)
    ONE_TO_ONE(many_levels, i32, WILD, i32)
}

CONFORM(return_from_loops_and_branches)
{
    ONE_TO_ONE(returns_inside_loops, u32, WILD, i32)
}

CONFORM(pointers_to_locals)
{
    ONE_TO_ONE(out_parameters, i32, WILD, i32)
    ONE_TO_ONE(effects_in_order, i32, WILD, i32)
}

CONFORM(one_function_for_local_and_global_arrays)
{
    SIZES (n) {
        const void *x = IN(f32, PLAIN, n + 4);
        conform_pair y = PAIR(f32, PLAIN, 4 * n), out = PAIR(f32, PLAIN, n);
        BOTH(local_and_global_arrays, n, x, S(y), S(out));
        SAME(y);
        SAME(out);
    }
}

CONFORM(matrices_as_parameters)
{
    SIZES (n) {
        void *x = IN(f64, PLAIN, 9 * n);
        conform_pair out = PAIR(f64, PLAIN, 9 * n);
        BOTH(local_matrices, n, x, S(out));
        SAME(out);
    }
}

CONFORM(structs_in_and_out)
{
    static const conform_field fields[] = { FIELD(pair, a, i32), FIELD(pair, b, f32) };

    SIZES (n) {
        pair *x = conform_values(c, TYPE_f32, PLAIN, 2 * (size_t)n);
        conform_pair out = PAIR_BYTES(x, sizeof(pair) * (size_t)n);
        for (int i = 0; i < n; i++)
            x[i].a = i * 7 - 300;
        BOTH(structs_by_value, n, x, S(out));
        SAME_STRUCTS(out, pair, fields);
    }
    ONE_TO_ONE(large_structs_by_value, f64, PLAIN, f64)
}

CONFORM(results_convert_on_return)
{
    ONE_TO_ONE(results_of_every_type, i32, WILD, f64)
}

CONFORM(functions_that_contain_tasks)
{
    SIZES (n) {
        conform_pair u = PAIR(f32, PLAIN, n);
        RETURN(int32_t, got, want, functions_with_tasks, n, 3, S(u));
        EXPECT_I64(got, want);
        SAME(u);
    }
}

CONFORM(a_result_returned_from_a_function_with_tasks)
{
    SIZES (n) {
        const void *x = IN(f32, PLAIN, n);
        SAME_RETURN(i32, returns_a_function_with_tasks, n, 1.5f, x);
    }
}

CONFORM(array_parameters_are_pointers)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n + 4), *y = IN(i32, WILD, n + 4);
        conform_pair out = PAIR(i32, PLAIN, n);
        BOTH(parameters_that_move, n, x, y, S(out));
        SAME(out);
    }
}

CONFORM(words_that_change_nothing)
{
    SIZES (n) {
        const void *x = conform_resident(c, &n, sizeof n);
        conform_pair out = PAIR(i32, PLAIN, n);
        BOTH(accepted_words, n, x, S(out));
        SAME(out);
    }
}

CONFORM(functions_with_scratch_of_their_own)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, n), y = PAIR(i32, PLAIN, 5);
        BOTH(helpers_with_scratch, n, 5, S(x), S(y));
        SAME(x);
        SAME(y);
        BOTH(helpers_with_scratch, n, 3, S(x), S(y));
        SAME(x);
        SAME(y);
    }
}

CONFORM(a_kernel_calls_a_kernel)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, n);
        BOTH(doubled, n, S(x));
        SAME(x);
        BOTH(calls_a_kernel, n, 3, S(x));
        SAME(x);
    }
}

static const check_case cases[] = {
    CASE(calls_of_calls),
    CASE(return_from_loops_and_branches),
    CASE(pointers_to_locals),
    CASE(one_function_for_local_and_global_arrays),
    CASE(matrices_as_parameters),
    CASE(structs_in_and_out),
    CASE(results_convert_on_return),
    CASE(functions_that_contain_tasks),
    CASE(a_result_returned_from_a_function_with_tasks),
    CASE(array_parameters_are_pointers),
    CASE(words_that_change_nothing),
    CASE(functions_with_scratch_of_their_own),
    CASE(a_kernel_calls_a_kernel),
};
CHECK_MAIN(cases)
