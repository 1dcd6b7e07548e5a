/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_window.c - the one test of a group (spirv_group.c): do all operands of refined divisions
 * and roots lie where math/refine.c is right?
 *
 * Each must have a size in a window. Roots and products of one value are powers of it, but for
 * rounding, so that a window of theirs is a smaller one of its own: x in [2^-40, 2^40) puts
 * x sqrt(x) in [2^-62, 2^62) and x in [2^-64, 2^128). A value is tested once then, by its bits.
 */
#include "target/spirv_native.h"

enum { WHOLE = 4, MOST_QUARTERS = 64 }; /* quarters of x itself; of the largest power */

static spirv_power power_of(const spirv_emit *e, spirv_id of)
{
    for (uint32_t k = 0; k < e->guess->power_count; k++)
        if (e->guess->powers[k].of == of)
            return e->guess->powers[k];
    return (spirv_power){ of, of, WHOLE };
}

static void note_power(spirv_emit *e, spirv_id of, spirv_id base, uint32_t quarters)
{
    spirv_guess *g = e->guess;

    if (g->power_count < SPIRV_MOST_KNOWN && quarters <= MOST_QUARTERS)
        g->powers[g->power_count++] = (spirv_power){ of, base, quarters };
}

void spirv_window_root(spirv_emit *e, spirv_id root, spirv_id x)
{
    spirv_power of_x = power_of(e, x);

    if (of_x.quarters % 2 == 0 && of_x.quarters % (2 * WHOLE) != 0) /* that has lost the sign */
        note_power(e, root, of_x.base, of_x.quarters / 2);
}

void spirv_window_product(spirv_emit *e, spirv_id of, spirv_id a, spirv_id b)
{
    spirv_power of_a = power_of(e, a), of_b = power_of(e, b);

    if (of_a.base == of_b.base)
        note_power(e, of, of_a.base, of_a.quarters + of_b.quarters);
}

/* The window of the base: what is rounded on the way is far from a factor of 2. */
static spirv_window narrowed(spirv_window w, uint32_t quarters)
{
    const int32_t q = (int32_t)quarters;

    if (q == WHOLE)
        return w;
    w.least = -(-w.least * WHOLE / q) + 1; /* both divisions go towards 0 */
    w.end = w.end * WHOLE / q - 1;
    w.positive = w.positive && q % (2 * WHOLE) != 0; /* an even power is */
    return w;
}

void spirv_window_need(spirv_emit *e, spirv_window w)
{
    spirv_guess *g = e->guess;
    spirv_power p = power_of(e, w.base);
    uint32_t k = 0;

    w = narrowed(w, p.quarters);
    w.base = p.base;
    while (k < g->window_count && g->windows[k].base != w.base)
        k++;
    if (k == g->window_count) {
        g->windows[g->window_count++] = w;
        return;
    }
    g->windows[k].least = w.least > g->windows[k].least ? w.least : g->windows[k].least;
    g->windows[k].end = w.end < g->windows[k].end ? w.end : g->windows[k].end;
    g->windows[k].positive |= w.positive;
}

/* By the bits, doubled where the sign does not matter, so that it is gone. */
static spirv_id inside(spirv_emit *e, const spirv_window *w)
{
    const spirv_float f = spirv_float_of(e, SCALAR_f32);
    const uint32_t unit = w->positive ? 23 : 24;
    uint32_t least = (uint32_t)(w->least + 127) << unit, span = 0;
    spirv_id bits = spirv_to_whole(e, &f, w->base);

    if (w->end > w->least)
        span = (uint32_t)(w->end - w->least) << unit;
    if (!w->positive)
        bits = spirv_whole2(e, &f, SPIRV_ShiftLeftLogical, bits, spirv_u32(e, 1));
    return spirv_make2(e, SPIRV_ULessThan, spirv_type(e, SPIRV_BOOL),
                       spirv_whole2(e, &f, SPIRV_ISub, bits, spirv_u32(e, least)),
                       spirv_u32(e, span));
}

static spirv_id both(spirv_emit *e, spirv_id a, spirv_id b)
{
    return a ? spirv_make2(e, SPIRV_LogicalAnd, spirv_type(e, SPIRV_BOOL), a, b) : b;
}

spirv_id spirv_window_test(spirv_emit *e)
{
    const spirv_guess *g = e->guess;
    spirv_id refined = 0, own = 0;

    for (uint32_t k = 0; k < g->window_count; k++)
        refined = both(e, refined, inside(e, &g->windows[k]));
    for (uint32_t k = 0; k < NUMERIC_COUNT; k++)
        if (g->own >> k & 1)
            own = both(e, own, spirv_numeric(e, (numeric)k));
    if (own == 0)
        return 0;
    return spirv_make3(e, SPIRV_Select, spirv_type(e, SPIRV_BOOL),
                       spirv_numeric(e, NUMERIC_FUSED_F32), refined, own);
}
