/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fused_test.c - with --fma, the products that the rule names fuse, and no other.
 */
#include "conform.h"

#include "fused.slip.h"

#include "fused.reference.h"

/* A module with fused code holds none for processors without the instruction. */
static bool is_supported(conform *c, slip_status status)
{
    if (status != SLIP_ERR_UNSUPPORTED)
        conform_status(c, status, "fused_polynomial");
    return status == SLIP_OK;
}

CONFORM(products_fuse_with_sums_by_the_rule)
{
    f64 x = 2, y = 0;

    if (!is_supported(c, fused_polynomial(c->on, 1, &x, &y)))
        return;
    SIZES (n) {
        const void *a = IN(f32, PLAIN, n), *b = IN(f32, PLAIN, n), *d = IN(f32, PLAIN, n);
        const void *p = IN(f64, PLAIN, n), *q = IN(f64, PLAIN, n);
        conform_pair out = PAIR(f32, PLAIN, 14 * n), wide = PAIR(f64, PLAIN, 5 * n);
        conform_pair horner = PAIR(f64, PLAIN, n);
        BOTH(fused_f32, n, a, b, d, S(out));
        SAME(out);
        BOTH(fused_f64, n, a, p, q, S(wide));
        SAME(wide);
        BOTH(fused_polynomial, n, p, S(horner));
        SAME(horner);
    }
}

static const check_case cases[] = {
    CASE(products_fuse_with_sums_by_the_rule),
};
CHECK_MAIN(cases)
