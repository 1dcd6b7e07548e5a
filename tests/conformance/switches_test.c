/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches_test.c - switches inside an iteration and around tasks.
 */
#include "conform.h"

#include "switches.slip.h"

#include "switches.reference.h"

CONFORM(switch_with_fallthrough)
{
    SIZES(n)
    {
        const void *x = IN(i32, WILD, n);
        conform_pair p = PAIR(i32, PLAIN, n), q = PAIR(i32, PLAIN, n), r = PAIR(i32, PLAIN, n);
        BOTH(switches, n, x, S(p), S(q), S(r));
        SAME(p);
        SAME(q);
        SAME(r);
    }
}

CONFORM(switch_with_many_groups)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n);
        conform_pair out = PAIR(u32, PLAIN, n), ends = PAIR(u32, PLAIN, n);
        BOTH(long_switch, n, x, S(out), S(ends));
        SAME(out);
        SAME(ends);
    }
    for (i32 kind = -6; kind < 52; kind++) {
        i32 x = (kind * 5 + 3) % 57;
        conform_pair out = PAIR(u32, PLAIN, 3);
        BOTH(long_switch_outside, 1, kind, &x, S(out));
        SAME(out);
    }
}

CONFORM(switch_on_every_type)
{
    SIZES (n) {
        const void *x = IN(u8, WILD, n), *y = IN(i64, WILD, n), *z = IN(u32, WILD, n);
        conform_pair out = PAIR(i32, PLAIN, n);
        BOTH(switch_types, n, x, y, z, S(out));
        SAME(out);
    }
    const u8 x[] = { 255, 'A', 0, 1, 2 };
    const i64 y[] = { 0x100000000, 0, INT64_MIN, -1, 5 };
    const u32 z[] = { 4294967295u, 0x80000000, 0, 1, 2 };
    conform_pair out = PAIR(i32, PLAIN, 5);
    BOTH(switch_types, 5, x, y, z, S(out));
    WANT(i32, out, 3111, 2222, 3033, 1040, 2000);
}

CONFORM(switch_inside_loops)
{
    SIZES (n) {
        const void *x = IN(u32, WILD, n);
        conform_pair out = PAIR(i32, PLAIN, n);
        BOTH(switch_in_loops, n, x, S(out));
        SAME(out);
    }
    SIZES (n) {
        const void *x = IN(i32, WILD, n);
        conform_pair out = PAIR(i32, PLAIN, n);
        BOTH(switch_nested, n, x, S(out));
        SAME(out);
    }
}

static const check_case cases[] = {
    CASE(switch_with_fallthrough),
    CASE(switch_with_many_groups),
    CASE(switch_on_every_type),
    CASE(switch_inside_loops),
};
CHECK_MAIN(cases)
