/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_test.c - tables, copies and fills.
 */
#include "conform.h"

#include "memory.slip.h"

#include "memory.reference.h"

#define LOOK_UP(kernel, T)                                                                        \
    SIZES (n) {                                                                                   \
        const void *at = IN(u32, PLAIN, n);                                                       \
        conform_pair out = PAIR(T, PLAIN, n);                                                     \
        BOTH(kernel, n, at, S(out));                                                              \
        SAME(out);                                                                                \
    }

CONFORM(tables_of_every_size)
{
    LOOK_UP(small_tables, f32)
    LOOK_UP(large_tables, i64)
    LOOK_UP(tables_of_structs, f64)
    LOOK_UP(tables_in_functions, u8)
}

CONFORM(tables_read_between_tasks)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, n);
        RETURN(i32, got, want, tables_at_kernel_level, n, S(x));
        EXPECT_I64(got, want);
        SAME(x);
    }
}

CONFORM(enumerators_are_integers)
{
    SIZES (n) {
        const void *x = IN(i32, PLAIN, n);
        conform_pair out = PAIR(i32, PLAIN, n);
        BOTH(enumerators, n, x, S(out));
        SAME(out);
    }
}

CONFORM(copies_of_constant_size)
{
    static const conform_field fields[] = { FIELD(struct entry, code, u8),
                                            FIELDS(struct entry, delta, i32, 3),
                                            FIELD(struct entry, weight, f64) };

    SIZES (n) {
        const void *from = IN(u8, PLAIN, 16 * n);
        conform_pair to = PAIR(u8, PLAIN, 16 * n), first = PAIR(i32, PLAIN, n);
        const void *structs = IN(u8, PLAIN, sizeof(struct entry) * (size_t)n);
        conform_pair copies_made = PAIR(u8, PLAIN, sizeof(struct entry) * (size_t)n);
        const void *numbers = IN(f32, PLAIN, 4 * n);
        conform_pair bits = PAIR(u32, PLAIN, 4 * n);
        BOTH(copies, n, from, S(to), S(first), numbers, S(bits));
        SAME(to);
        SAME(first);
        SAME(bits);
        conform_pair last = PAIR(f64, PLAIN, n);
        BOTH(copies_of_other_sizes, n, from, S(to), S(first), S(last));
        SAME(to);
        SAME(first);
        SAME(last);
        BOTH(copies_of_structs, n, structs, S(copies_made));
        SAME_STRUCTS(copies_made, struct entry, fields);
    }
}

CONFORM(fills_of_constant_size)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, 4 * n), out = PAIR(i64, PLAIN, n);
        BOTH(fills, n, S(x), S(out));
        SAME(x);
        SAME(out);
    }
}

static const check_case cases[] = {
    CASE(tables_of_every_size),
    CASE(tables_read_between_tasks),
    CASE(enumerators_are_integers),
    CASE(copies_of_constant_size),
    CASE(fills_of_constant_size),
};
CHECK_MAIN(cases)
