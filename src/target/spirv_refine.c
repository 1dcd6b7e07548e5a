/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_refine.c - divisions and square roots by few fused operations (math/refine.c), from
 * inverses that are near enough.
 *
 * All of those are made of the device's inverse roots: 1 / b is 1 / sqrt(b) squared. (A division of
 * its own can be long where it has to round right: NVIDIA's driver gives all shaders with
 * RoundingModeRTE IEEE 754's.) In a group (spirv_group.c) the inverse of a root is known when it is
 * made, and those of products of what has known ones are products.
 */
#include "target/spirv_native.h"

/* How far an inverse may be off, in 2^-24 of it: math/refine.c takes 2^-20. An inverse root is
 * within 2 ULP, of 2^-23 at most; what is rounded is off by one more. */
enum { OFF_ROOT = 4, OFF_ROUNDED = 1, OFF_MOST = 16 };

static const spirv_inverse *inverse_of(const spirv_emit *e, spirv_id of)
{
    for (uint32_t k = 0; e->guess && k < e->guess->inverse_count; k++)
        if (e->guess->inverses[k].of == of)
            return &e->guess->inverses[k];
    return NULL;
}

static void note_inverse(spirv_emit *e, spirv_id of, spirv_id near, uint32_t off)
{
    spirv_guess *g = e->guess;

    if (g && g->inverse_count < SPIRV_MOST_KNOWN && !inverse_of(e, of))
        g->inverses[g->inverse_count++] = (spirv_inverse){ of, near, off };
}

static spirv_id product(spirv_emit *e, spirv_id a, spirv_id b)
{
    return spirv_rounded(e, SPIRV_FMul, spirv_type(e, SPIRV_F32), a, b);
}

static spirv_id inverse_root(spirv_emit *e, spirv_id x)
{
    return spirv_glsl(e, SPIRV_GLSL_INVERSE_SQRT, spirv_type(e, SPIRV_F32), &x, 1);
}

/* 1 / b: the square of 1 / sqrt(|b|), with b's sign. */
static spirv_id near_inverse(spirv_emit *e, spirv_id b)
{
    const spirv_float f = spirv_float_of(e, SCALAR_f32);
    const spirv_inverse *known = inverse_of(e, b);

    uint64_t constant;

    if (known)
        return known->near;
    if (spirv_const_bits(e, b, &constant))
        return spirv_const(e, SCALAR_f32,
                           scalar_eval(SCALAR_OP_div, SCALAR_f32, SCALAR_f32, f.one, constant, 0));
    spirv_id bits = spirv_to_whole(e, &f, b);
    spirv_id root = inverse_root(e, spirv_to_float(e, &f, spirv_masked(e, &f, bits, f.sign - 1)));
    spirv_id size = spirv_to_whole(e, &f, product(e, root, root));
    spirv_id near = spirv_to_float(
        e, &f, spirv_whole2(e, &f, SPIRV_BitwiseOr, size, spirv_masked(e, &f, bits, f.sign)));
    note_inverse(e, b, near, 2 * OFF_ROOT + OFF_ROUNDED);
    return near;
}

void spirv_guess_product(spirv_emit *e, spirv_id of, spirv_id a, spirv_id b)
{
    const spirv_inverse *of_a = inverse_of(e, a), *of_b = inverse_of(e, b);
    uint32_t off = of_a && of_b ? of_a->off + of_b->off + 2 * OFF_ROUNDED : OFF_MOST + 1;

    if (off <= OFF_MOST) /* both the product and its inverse are rounded */
        note_inverse(e, of, product(e, of_a->near, of_b->near), off);
    if (e->guess)
        spirv_window_product(e, of, a, b);
}

static spirv_id refined(spirv_emit *e, const spirv_native_row *row, const spirv_id *in,
                        spirv_id near)
{
    spirv_id operands[3] = { in[0], row->count == 2 ? in[1] : near, near };
    spirv_id value = spirv_call_library(e, row->name, operands, row->count + 1);

    if (!row->brief)
        return value;
    return spirv_make3(e, SPIRV_Select, spirv_type(e, SPIRV_F32),
                       spirv_numeric(e, NUMERIC_BRIEF_F32),
                       spirv_call_library(e, row->brief, operands, row->count + 1), value);
}

static spirv_id near_of(spirv_emit *e, const spirv_native_row *row, const spirv_id *in)
{
    return row->op == SCALAR_OP_sqrt ? inverse_root(e, in[0]) : near_inverse(e, in[1]);
}

spirv_id spirv_refined(spirv_emit *e, const spirv_native_row *row, const spirv_id *in,
                       spirv_id *right)
{
    spirv_id can = spirv_call_library(e, row->can, in, row->count);

    *right = spirv_make2(e, SPIRV_INotEqual, spirv_type(e, SPIRV_BOOL), can, spirv_u32(e, 0));
    return refined(e, row, in, near_of(e, row, in));
}

static void note_root(spirv_emit *e, spirv_id root, spirv_id x, spirv_id near)
{
    spirv_window_need(e, (spirv_window){ x, NUMERIC_ROOT_LEAST, NUMERIC_ROOT_END, true });
    spirv_window_root(e, root, x);
    note_inverse(e, x, product(e, near, near), 2 * OFF_ROOT + OFF_ROUNDED);
    note_inverse(e, root, near, OFF_ROOT + OFF_ROUNDED);
}

spirv_id spirv_guessed(spirv_emit *e, const spirv_native_row *row, const spirv_id *in, spirv_id own)
{
    spirv_id near = near_of(e, row, in), value = refined(e, row, in, near);

    e->guess->own |= 1u << row->right;
    value = spirv_make3(e, SPIRV_Select, spirv_type(e, SPIRV_F32),
                        spirv_numeric(e, NUMERIC_FUSED_F32), value, own);
    if (row->op == SCALAR_OP_sqrt)
        note_root(e, value, in[0], near);
    else
        for (uint32_t k = 0; k < 2; k++)
            spirv_window_need(
                e, (spirv_window){ in[k], NUMERIC_QUOTIENT_LEAST, NUMERIC_QUOTIENT_END, false });
    return value;
}
