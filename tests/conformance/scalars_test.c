/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalars_test.c - scalars reach the device and come back with every bit.
 */
#include "conform.h"

#include <math.h>

#include "scalars.slip.h"

#include "scalars.reference.h"

CONFORM(kernels_without_tasks_return)
{
    conform_pair x = PAIR(f32, WILD, 9), one = PAIR(i64, ZERO, 1);

    conform_status(c, nothing_at_all(c->on), "nothing_at_all");
    BOTH(nothing_to_do, 9, 2.0f, S(x));
    SAME(x);
    BOTH(no_task_one_store, INT64_MIN + 5, S(one));
    SAME(one);
}

/* Every scalar of an array of wild values, one call each. */
#define GIVE(T)                                                                                   \
    do {                                                                                          \
        const T *values = IN(T, WILD, 40);                                                        \
        for (int i = 0; i < 40; i++)                                                              \
            SAME_RETURN(T, give_##T, values[i]);                                                  \
    } while (0)

CONFORM(every_integer_returns_whole)
{
    GIVE(i8);
    GIVE(u8);
    GIVE(i16);
    GIVE(u16);
    GIVE(i32);
    GIVE(u32);
    GIVE(i64);
    GIVE(u64);
    GIVE(bool);
}

CONFORM(every_float_returns_whole)
{
    GIVE(f32);
    GIVE(f64);
}

CONFORM(results_above_the_signed_range)
{
    uint64_t big = 0;
    size_t next = 0;
    long total = 0;

    ON_DEVICE(give_u64, UINT64_C(0xfedcba9876543210), &big);
    EXPECT(big == UINT64_C(0xfedcba9876543210));
    ON_DEVICE(give_size, (size_t)INT64_MAX, &next);
    EXPECT(next == (size_t)INT64_MAX + 1);
    ON_DEVICE(give_long, -1, -2, 255, -4, 65535, -6, 7u, -8L, 9UL, -10LL, 11ULL, &total);
    EXPECT_I64(total, -1 - 2 + 255 - 4 + 65535 - 6 + 7 - 8 + 9 - 10 + 11);
}

CONFORM(a_result_need_not_be_fetched)
{
    ON_DEVICE(give_f32, 1.0f, NULL);
}

CONFORM(tasks_see_every_width)
{
    conform_pair s = PAIR(i64, WILD, 8), u = PAIR(u64, WILD, 8);

    BOTH(see_integers, INT8_MIN, UINT8_MAX, INT16_MIN, UINT16_MAX, INT32_MIN, UINT32_MAX,
         INT64_MIN, UINT64_MAX, S(s), S(u));
    SAME(s);
    SAME(u);
    WANT(i64, s, -128, 255, -32768, 65535, INT32_MIN, 4294967295, INT64_MIN, -1);
    BOTH(see_integers, -1, 1, -1, 1, -1, 1, -1, 1, S(s), S(u));
    WANT(u64, u, UINT64_MAX, 1, UINT64_MAX, 1, UINT64_MAX, 1, UINT64_MAX, 1);
    SAME(s);
}

CONFORM(tasks_see_floats_and_truths)
{
    const float narrow[] = { 0.0f, -0.0f, 1e-45f, 3.4028235e38f, INFINITY, NAN, 0.1f };
    const double wide[] = { -0.0, 5e-324, 1.7976931348623157e308, -INFINITY, NAN, 0.1, 0.0 };

    for (int i = 0; i < 7; i++) {
        conform_pair numbers = PAIR(f64, ZERO, 2), truths = PAIR(bool, ZERO, 2);
        BOTH(see_floats, narrow[i], wide[i], true, false, S(numbers), S(truths));
        SAME(numbers);
        SAME(truths);
        WANT(u8, truths, 1, 0);
    }
}

CONFORM(a_parameter_can_be_assigned)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, n);
        int32_t step = 7;
        RETURN(int32_t, got, want, parameter_is_a_variable, n, step, S(x));
        EXPECT_I64(got, 399);
        EXPECT_I64(got, want);
        SAME(x);
    }
}

CONFORM(mixed_types_in_one_expression)
{
    const i8 *a = IN(i8, WILD, 60);
    const u16 *b = IN(u16, WILD, 60);
    const i64 *g = IN(i64, WILD, 60);
    const f32 *d = IN(f32, WILD, 60);
    const f64 *e = IN(f64, WILD, 60);

    for (int i = 0; i < 60; i++) {
        SAME_RETURN(f64, mixed_expression, a[i], b[i], g[i], d[i], e[i]);
        SAME_RETURN(bool, compare_mixed, (i32)g[i], (u32)b[i], d[i]);
    }
}

static const check_case cases[] = {
    CASE(kernels_without_tasks_return),
    CASE(every_integer_returns_whole),
    CASE(every_float_returns_whole),
    CASE(results_above_the_signed_range),
    CASE(a_result_need_not_be_fetched),
    CASE(tasks_see_every_width),
    CASE(tasks_see_floats_and_truths),
    CASE(a_parameter_can_be_assigned),
    CASE(mixed_types_in_one_expression),
};
CHECK_MAIN(cases)
