/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomics_test.c - shared updates: nothing is lost, at any width, and each value is its own.
 */
#include "conform.h"

#include <math.h>
#include <stdlib.h>

#include "atomics.slip.h"

#include "atomics.reference.h"

enum { BINS = 5 };

typedef struct ten {
    conform_pair a, b, c, d, e, f, g, h, p, q;
} ten;

static ten one_of_each(conform *c, conform_fill fill)
{
    return (ten){ PAIR(i8, fill, BINS), PAIR(u8, fill, BINS), PAIR(i16, fill, BINS),
                  PAIR(u16, fill, BINS), PAIR(i32, fill, BINS), PAIR(u32, fill, BINS),
                  PAIR(i64, fill, BINS), PAIR(u64, fill, BINS), PAIR(f32, fill, BINS),
                  PAIR(f64, fill, BINS) };
}

static void same_ten(conform *c, const ten *x)
{
    SAME(x->a);
    SAME(x->b);
    SAME(x->c);
    SAME(x->d);
    SAME(x->e);
    SAME(x->f);
    SAME(x->g);
    SAME(x->h);
    SAME(x->p);
    SAME(x->q);
}

#define TEN(x)                                                                                    \
    S((x).a), S((x).b), S((x).c), S((x).d), S((x).e), S((x).f), S((x).g), S((x).h), S((x).p),     \
        S((x).q)

static const u32 *bin_numbers(conform *c, int32_t n)
{
    u32 *at = IN(u32, PLAIN, n);

    for (int i = 0; i < n; i++)
        at[i] %= BINS;
    return at;
}

CONFORM(sums_of_every_type)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        ten x = one_of_each(c, EXACT);
        BOTH(add_to_bins, n, at, TEN(x));
        same_ten(c, &x);
        BOTH(subtract_from_bins, n, at, TEN(x));
        same_ten(c, &x);
    }
}

CONFORM(products_of_every_type)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n < 1000 ? n : 100);
        ten x = one_of_each(c, EXACT);
        BOTH(multiply_bins, n < 1000 ? n : 100, at, TEN(x));
        same_ten(c, &x);
    }
}

CONFORM(quotients_and_remainders)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        conform_pair a = PAIR(i32, PLAIN, BINS), b = PAIR(u32, PLAIN, BINS);
        conform_pair d = PAIR(i64, PLAIN, BINS), e = PAIR(u64, PLAIN, BINS);
        conform_pair f = PAIR(u8, PLAIN, BINS), p = PAIR(f32, EXACT, BINS);
        conform_pair q = PAIR(f64, EXACT, BINS), g = PAIR(i16, PLAIN, BINS);
        BOTH(divide_bins, n < 100 ? n : 100, at, S(a), S(b), S(d), S(e), S(f), S(p), S(q));
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
        SAME(f);
        SAME(p);
        SAME(q);
        a = PAIR(i32, PLAIN, BINS);
        e = PAIR(u64, PLAIN, BINS);
        BOTH(remainders_of_bins, n, at, S(a), S(e), S(g), S(f));
        SAME(a);
        SAME(e);
        SAME(g);
        SAME(f);
    }
}

CONFORM(bits_of_every_type)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        const void *v = IN(u64, PLAIN, n);
        ten x = one_of_each(c, PLAIN);
        conform_pair r = PAIR(u32, PLAIN, BINS), s = PAIR(i64, PLAIN, BINS);
        conform_pair t = PAIR(u8, PLAIN, BINS);
        BOTH(bits_of_bins, n, at, v, S(x.a), S(x.b), S(x.c), S(x.d), S(x.e), S(x.f), S(x.g),
             S(x.h), S(r), S(s), S(t));
        same_ten(c, &x);
        SAME(r);
        SAME(s);
        SAME(t);
    }
}

CONFORM(shifts_are_updates_too)
{
    EACH (n, 0, 1, 7, 20, 60) {
        const u32 *at = bin_numbers(c, (i32)n);
        ten x = one_of_each(c, PLAIN);
        BOTH(shift_bins, (i32)n, at, S(x.e), S(x.f), S(x.g), S(x.h), S(x.b), S(x.c));
        same_ten(c, &x);
    }
}

CONFORM(increments_and_decrements)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        ten x = one_of_each(c, EXACT);
        BOTH(count_up_and_down, n, at, TEN(x));
        same_ten(c, &x);
    }
}

CONFORM(updates_of_mixed_types)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        conform_pair a = PAIR(f32, EXACT, BINS), b = PAIR(u8, PLAIN, BINS);
        conform_pair d = PAIR(i16, PLAIN, BINS), e = PAIR(u32, EXACT, BINS);
        conform_pair f = PAIR(i32, EXACT, BINS);
        BOTH(mixed_updates, n, at, S(a), S(b), S(d), S(e), S(f));
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
        SAME(f);
    }
}

CONFORM(the_value_of_an_update_is_its_own)
{
    SIZES (n) {
        const size_t size = (size_t)n;
        conform_pair counter = PAIR_OF(i32, 0, 0, n, 0), slot = PAIR(i32, ZERO, n);
        conform_pair after = PAIR(i32, ZERO, n + 1), down = PAIR(i32, ZERO, n);
        conform_pair half = PAIR(f32, ZERO, 2 * n + 1);
        i64 sum = 0;
        ON_DEVICE(values_of_updates, n, S(counter), S(slot), S(after), S(down), S(half));
        WANT(i32, counter, n, n, 0, 0);
        for (size_t i = 0; i < size; i++) {
            sum += ((i32 *)slot.side[0])[i];
            EXPECT_I64(((i32 *)after.side[0])[i + 1], 1);
            EXPECT_I64(((i32 *)down.side[0])[i], 1);
            EXPECT(((f32 *)half.side[0])[i] == 1);
        }
        EXPECT_I64(sum, (i64)n * (n + 1) / 2);
    }
}

static int by_value(const void *a, const void *b)
{
    const i32 x = *(const i32 *)a, y = *(const i32 *)b;

    return (x > y) - (x < y);
}

CONFORM(a_list_filled_by_all_holds_everything)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n);
        conform_pair out = PAIR(i32, ZERO, n);
        RETURN(i32, got, want, compact, n, x, S(out));
        EXPECT_I64(got, want);
        for (int side = 0; side < 2 && n; side++)
            qsort(out.side[side], (size_t)want, sizeof(i32), by_value);
        SAME(out);
    }
}

CONFORM(minima_and_maxima_of_every_type)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        const void *v = IN(i64, WILD, n), *w = IN(f64, WILD, n);
        ten x = one_of_each(c, PLAIN);
        BOTH(least_and_greatest, n, at, v, w, TEN(x));
        same_ten(c, &x);
    }
}

CONFORM(minima_of_zeros_and_nan)
{
    const u32 at[] = { 0, 0, 1, 1, 2, 2, 3, 3 };
    const i64 v[8] = { 0 };
    const f64 w[] = { 0.0, -0.0, -0.0, 0.0, NAN, 5, NAN, NAN };
    ten x = one_of_each(c, ZERO);

    for (int k = 0; k < BINS; k++) {
        ((f32 *)x.p.side[0])[k] = NAN;
        ((f64 *)x.q.side[0])[k] = NAN;
    }
    ON_DEVICE(least_and_greatest, 8, at, v, w, TEN(x));
    WANT(f32, x.p, -0.0f, -0.0f, 5, NAN, NAN);
    WANT(f64, x.q, 0.0, 0.0, 5, NAN, NAN);
}

CONFORM(exchanges_lose_nothing)
{
    EACH (n, 0, 1, 7, 1000, 30000) {
        conform_pair x = PAIR_OF(i32, 0), y = PAIR_OF(u8, 0), z = PAIR_OF(f64, 0);
        conform_pair sum = PAIR(i64, ZERO, 3);
        i64 bytes = 0, all = 0;
        ON_DEVICE(exchanges, (i32)n, S(x), S(y), S(z), S(sum));
        for (i64 i = 0; i < n; i++) {
            bytes += i & 63;
            all += i;
        }
        const i64 *got = sum.side[0];
        EXPECT_I64(got[0] + *(i32 *)x.side[0], all + n);
        EXPECT_I64(got[1] + *(u8 *)y.side[0], bytes);
        EXPECT_I64(got[2] + (i64)*(f64 *)z.side[0], all);
    }
}

CONFORM(an_element_is_claimed_once)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        conform_pair owner = PAIR_OF(i32, -1, -1, 3, -1, -1);
        conform_pair wide = PAIR_OF(i64, -1, 0, -1, -1, -1);
        conform_pair narrow = PAIR_OF(u16, 5, 5, 5, 9, 5), claimed = PAIR(i32, ZERO, 3);
        BOTH(claims, n, at, S(owner), S(wide), S(narrow), S(claimed));
        SAME(owner);
        SAME(wide);
        SAME(narrow);
        SAME(claimed);
    }
}

CONFORM(loops_of_compare_and_exchange)
{
    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        const void *v = IN(u32, PLAIN, n);
        conform_pair most = PAIR(u64, ZERO, BINS);
        BOTH(loops_of_compare_exchange, n, at, v, S(most));
        SAME(most);
    }
}

CONFORM(a_minimum_is_lowered_by_its_own_update)
{
    SIZES (n) {
        i32 *v = IN(i32, PLAIN, n);
        conform_pair least = PAIR_OF(i32, INT32_MAX), lowered = PAIR(i32, ZERO, 1);
        i32 want = INT32_MAX;
        for (int i = 0; i < n; i++)
            want = v[i] < want ? v[i] : want;
        ON_DEVICE(old_values_of_minima, n, v, S(least), S(lowered));
        WANT(i32, least, want);
        EXPECT(*(i32 *)lowered.side[0] >= (n > 0) && *(i32 *)lowered.side[0] <= n);
        for (int i = 0; i < n; i++)
            v[i] = 5;
        least = PAIR_OF(i32, 6), lowered = PAIR(i32, ZERO, 1);
        ON_DEVICE(old_values_of_minima, n, v, S(least), S(lowered));
        WANT(i32, lowered, n > 0); /* the first of equals alone */
    }
}

CONFORM(sixteen_million_updates_of_one_float)
{
    conform_pair total = PAIR(f32, ZERO, 1);

    ON_DEVICE(contended, 16000000, S(total));
    WANT(f32, total, 16000000);
    total = PAIR(f32, ZERO, 1);
    ON_DEVICE(contended, (1 << 24) + 1, S(total));
    WANT(f32, total, 16777216); /* the last one rounds away: as it should */
}

CONFORM(histograms)
{
    EACH (h, 0, 1, 33, 200) {
        void *image = IN(u8, PLAIN, h * 100);
        conform_pair bins = PAIR(u32, PLAIN, 256);
        BOTH(histogram, (i32)h, 100, image, S(bins));
        SAME(bins);
    }
}

CONFORM(updates_outside_tasks)
{
    conform_pair x = PAIR_OF(i32, -2, 4), z = PAIR_OF(i32, 7), y = PAIR_OF(f32, 10);

    BOTH(serial_updates, S(x), S(z), S(y));
    WANT(i32, x, 2, -9);
    WANT(i32, z, 112);
    WANT(f32, y, 2.5f);
    SAME(x);
    SAME(y);
    SAME(z);
}

CONFORM(updates_through_helpers_and_members)
{
    static const conform_field fields[] = { FIELD(struct account, balance, i64),
                                            FIELD(struct account, moves, i32) };

    SIZES (n) {
        const u32 *at = bin_numbers(c, n);
        conform_pair a = PAIR(u8, ZERO, BINS * sizeof(struct account));
        BOTH(updates_through_pointers, n, at, S(a));
        SAME_STRUCTS(a, struct account, fields);
    }
}

static const check_case cases[] = {
    CASE(sums_of_every_type),
    CASE(products_of_every_type),
    CASE(quotients_and_remainders),
    CASE(bits_of_every_type),
    CASE(shifts_are_updates_too),
    CASE(increments_and_decrements),
    CASE(updates_of_mixed_types),
    CASE(the_value_of_an_update_is_its_own),
    CASE(a_list_filled_by_all_holds_everything),
    CASE(minima_and_maxima_of_every_type),
    CASE(minima_of_zeros_and_nan),
    CASE(exchanges_lose_nothing),
    CASE(an_element_is_claimed_once),
    CASE(loops_of_compare_and_exchange),
    CASE(a_minimum_is_lowered_by_its_own_update),
    CASE(sixteen_million_updates_of_one_float),
    CASE(histograms),
    CASE(updates_outside_tasks),
    CASE(updates_through_helpers_and_members),
};
CHECK_MAIN(cases)
