/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structs_test.c - structs reach tasks, and come back, member by member.
 */
#include "conform.h"

#include <string.h>

#include "structs.slip.h"

#include "structs.reference.h"

static const conform_field mixed_fields[] = {
    FIELD(struct mixed, a, i8),   FIELD(struct mixed, b, f64),
    FIELD(struct mixed, c, u16),  FIELD(struct mixed, d, bool),
    FIELDS(struct mixed, e, i64, 2), FIELDS(struct mixed, s, i32, 2),
    FIELD(struct mixed, f, f32),
};
static const conform_field body_fields[] = {
    FIELDS(struct body, position, f32, 3), FIELDS(struct body, velocity, f32, 3),
    FIELD(struct body, mass, f64),         FIELDS(struct body, link, i32, LINKS),
    FIELD(struct body, tag, u8),           FIELD(struct body, fixed, bool),
    FIELDS(struct body, range, i16, 2),    FIELD(struct body, stamp, i64),
};

static struct body *bodies(conform *c, int32_t n)
{
    const f32 *f = IN(f32, WILD, 6 * n);
    const i64 *k = IN(i64, WILD, 6 * n);
    const bool *t = IN(bool, PLAIN, n);
    struct body *b = IN(u8, ZERO, sizeof(struct body) * (size_t)n);

    for (int i = 0; i < n; i++, f += 6, k += 6)
        b[i] = (struct body){ { f[0], f[1], f[2] }, { f[3], f[4], f[5] }, (f64)f[0] * 3,
                              { (i32)k[0], (i32)k[1], (i32)k[2], (i32)k[3] }, (u8)k[4], t[i],
                              { (i16)k[3], (i16)k[4] }, k[5] };
    return b;
}

static struct mixed some_mixed(void)
{
    return (struct mixed){ -7, 2.5, 65535, true, { INT64_MIN, 9 }, { -3, 4 }, 0.1f };
}

CONFORM(members_of_parameters)
{
    conform_pair out = PAIR(f64, PLAIN, 12);
    struct span s = { 10, 33 };
    vec3 v = { 0.5f, 1, 0.25f };

    BOTH(members_by_value, some_mixed(), s, v, S(out));
    SAME(out);
    WANT(f64, out, -7, 2.5, 65535, 1, -9223372036854775808.0, 9, -3, 4, 0x1.99999ap-4, 23,
         -9223372036854775808.0, 9.75);
}

CONFORM(small_structs_are_returned)
{
    RETURN(struct span, got, want, give_span, -5, 6);
    EXPECT(got.lo == -5 && got.hi == 6 && want.hi == 6);
    RETURN(struct mixed, got2, want2, give_mixed, some_mixed(), 3);
    conform_same_fields(c, "give_mixed()", &got2, &want2, sizeof got2, 1, mixed_fields, 7);
    EXPECT_I64(got2.e[1], 10);
    RETURN(struct matrix, got3, want3, give_matrix, 0.7f);
    conform_same(c, "give_matrix()", TYPE_f32, &got3, &want3, 16);
}

CONFORM(a_struct_result_made_by_tasks)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n);
        RETURN(struct span, got, want, bounds_of, n, x);
        EXPECT_I64(got.lo, want.lo);
        EXPECT_I64(got.hi, want.hi);
    }
}

CONFORM(structs_in_arrays)
{
    SIZES (n) {
        const struct body *from = bodies(c, n);
        conform_pair b = PAIR_BYTES(from, sizeof(struct body) * (size_t)n);
        conform_pair to = PAIR(u8, ZERO, sizeof(struct body) * (size_t)n);
        BOTH(arrays_of_structs, n, 0.125f, S(b));
        SAME_STRUCTS(b, struct body, body_fields);
        BOTH(whole_assignment, n, S(b), S(to));
        SAME_STRUCTS(to, struct body, body_fields);
    }
}

CONFORM(layout_is_that_of_c)
{
    conform_pair out = PAIR(i64, PLAIN, 16);

    BOTH(sizes_and_offsets, S(out));
    SAME(out);
    WANT(i64, out, 64, 56, 24, 40, 52, 56, 44, 60, 11, 8, 16, 4, 12, 16, 18, 64);
}

CONFORM(initialiser_lists)
{
    conform_pair out = PAIR(i32, PLAIN, 40);

    EACH (k, 0, 7, -5) {
        BOTH(initialisers, (i32)k, S(out));
        SAME(out);
    }
    BOTH(initialisers, 7, S(out));
    WANT(i32, out, 1, 20, 0, 0, 7, 1, 2, 3, 4, 7, 0, 0, 0, 8, 0, 5, 0, 6, 7, 1, 2, 3, 0, 2, 0, -1,
         9, 7, 0, 5, 45, 0, 703, -33, -34, -35, -36, -37, -38, -39);
    SIZES (n) {
        conform_pair anew = PAIR(i32, PLAIN, n);
        BOTH(initialised_each_time, n, S(anew));
        SAME(anew);
    }
}

CONFORM(literals_of_structs_and_arrays)
{
    SIZES (n) {
        const void *x = IN(f32, PLAIN, 3 * n);
        conform_pair out = PAIR(f32, PLAIN, n), whole = PAIR(i32, PLAIN, n);
        BOTH(compound_literals, n, x, S(out));
        SAME(out);
        BOTH(anonymous_members, n, S(whole));
        SAME(whole);
    }
}

CONFORM(a_matrix_by_value)
{
    struct matrix m;

    memcpy(&m, IN(f32, PLAIN, 16), sizeof m);
    SIZES (n) {
        void *x = IN(f32, PLAIN, 4 * n);
        conform_pair y = PAIR(f32, PLAIN, 4 * n);
        BOTH(matrix_by_value, m, n, x, S(y));
        SAME(y);
    }
}

CONFORM(a_parameter_block_near_its_limit)
{
    static struct large p;
    conform_pair out = PAIR(f64, PLAIN, 500);
    f64 got = 0, want;

    memcpy(p.v, IN(f64, PLAIN, 500), sizeof p.v);
    p.n = 3;
    ON_DEVICE(large_by_value, p, INT64_C(1) << 40, S(out), &got);
    want = large_by_value_reference(p, INT64_C(1) << 40, out.side[1]);
    SAME(out);
    SAME_VALUE(f64, got, want);
}

CONFORM(structs_at_kernel_level)
{
    SIZES (n) {
        const struct body *b = bodies(c, n);
        SAME_RETURN(i64, kernel_level_structs, n, b);
    }
}

CONFORM(members_are_updated_by_all)
{
    SIZES (n) {
        i32 *at = IN(i32, PLAIN, n);
        conform_pair bins = PAIR(u8, ZERO, 4 * sizeof(struct mixed));
        for (int i = 0; i < n; i++)
            at[i] &= 3;
        BOTH(updates_of_members, n, at, S(bins));
        SAME_STRUCTS(bins, struct mixed, mixed_fields);
    }
}

static const check_case cases[] = {
    CASE(members_of_parameters),
    CASE(small_structs_are_returned),
    CASE(a_struct_result_made_by_tasks),
    CASE(structs_in_arrays),
    CASE(layout_is_that_of_c),
    CASE(initialiser_lists),
    CASE(literals_of_structs_and_arrays),
    CASE(a_matrix_by_value),
    CASE(a_parameter_block_near_its_limit),
    CASE(structs_at_kernel_level),
    CASE(members_are_updated_by_all),
};
CHECK_MAIN(cases)
