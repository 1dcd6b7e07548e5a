/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_native.c - division, square root and fma: the device's own where its self-test found them
 * right (base/numerics.h), else the math library's; and the remainder, which is always that.
 *
 * Vulkan promises a division within 2.5 ULP only, and a root as good as one over an inverse root
 * within 2 (Vulkan 1.3, "Precision of Core SPIR-V Instructions"). Where fma is fused for normal
 * numbers, a few of them make those exact for most numbers (spirv_refine.c); the rest, and devices
 * without, take integers (math/soft.c). A branch on a specialisation constant is gone when the
 * pipeline has been made.
 */
#include "target/spirv_native.h"

#include <string.h>

static const char refined_prefix[] = "slip.refined_";

static const spirv_native_row rows[] = {
    { SCALAR_OP_div, SCALAR_f32, 2, NUMERIC_DIV_F32, "slip.soft_divf", "slip.refined_divf",
      "slip.refinable_divf", NULL },
    { SCALAR_OP_div, SCALAR_f64, 2, NUMERIC_DIV_F64, "slip.soft_div", NULL, NULL, NULL },
    { SCALAR_OP_sqrt, SCALAR_f32, 1, NUMERIC_SQRT_F32, "slip.soft_sqrtf", "slip.refined_sqrtf",
      "slip.refinable_sqrtf", "slip.refined_brief_sqrtf" },
    { SCALAR_OP_sqrt, SCALAR_f64, 1, NUMERIC_SQRT_F64, "slip.soft_sqrt", NULL, NULL, NULL },
    { SCALAR_OP_fma, SCALAR_f32, 3, NUMERIC_FMA_F32, "slip.fmaf", NULL, NULL, NULL },
    { SCALAR_OP_fma, SCALAR_f64, 3, NUMERIC_FMA_F64, "slip.fma", NULL, NULL, NULL },
    { SCALAR_OP_rem, SCALAR_f32, 2, NUMERIC_COUNT, "slip.fmodf", NULL, NULL, NULL },
    { SCALAR_OP_rem, SCALAR_f64, 2, NUMERIC_COUNT, "slip.fmod", NULL, NULL, NULL },
};

bool spirv_refines(const spirv_emit *e)
{
    return e->func && strncmp(e->func->name, refined_prefix, sizeof refined_prefix - 1) == 0;
}

static const spirv_native_row *row_of(scalar_op op, scalar_type type)
{
    const spirv_native_row *row = rows;

    while (row->op != op || row->type != type)
        row++;
    return row;
}

static const ir_func *library(const spirv_emit *e, const char *name)
{
    const ir_func *f = e->m->funcs;

    while (f && (f->kind != IR_HELPER || strcmp(f->name, name) != 0))
        f = f->next;
    return f;
}

spirv_id spirv_call_library(spirv_emit *e, const char *name, const spirv_id *in, uint32_t count)
{
    const ir_func *f = library(e, name);
    uint32_t operands[4];

    if (!f || f->param_count != count) { /* a module that is not linked */
        spirv_need(e, MOD_NEED_MATH);
        return in[0];
    }
    operands[0] = spirv_function_of(e, (spirv_function){ .kind = SPIRV_HELPER, .func = f });
    for (uint32_t k = 0; k < count; k++)
        operands[k + 1] = in[k];
    return spirv_make(e, SPIRV_FunctionCall, spirv_type_value(e, f->result), operands, count + 1);
}

/* An operand that the driver does not find to be 0, unless it is known not to be. (Mesa 22.3's
 * llvmpipe takes 0 / x, NaN or not, and x / 0 for 0 then.) */
static spirv_id unseen(spirv_emit *e, scalar_type type, spirv_id a)
{
    uint64_t bits;
    bool is_known = spirv_const_bits(e, a, &bits);

    if (is_known && scalar_eval(SCALAR_OP_ne, SCALAR_bool, type, bits, 0, 0))
        return a;
    return spirv_unseen(e, type, NUMERIC_ZEROS, a);
}

static spirv_id own(spirv_emit *e, scalar_op op, scalar_type type, const spirv_id *in)
{
    spirv_id held = spirv_type(e, spirv_base_of(type));

    if (op == SCALAR_OP_div)
        return spirv_rounded(e, SPIRV_FDiv, held, unseen(e, type, in[0]), unseen(e, type, in[1]));
    if (op == SCALAR_OP_sqrt)
        return spirv_glsl(e, SPIRV_GLSL_SQRT, held, in, 1);
    return spirv_glsl(e, SPIRV_GLSL_FMA, held, in, 3);
}

/*
 * The refined value, or the library's where that may be wrong: where fma is not fused for normal
 * numbers, or `in` is none that `can` takes. The first stands in line, so that a driver can move
 * other work in between; the second is behind a branch that is hardly ever taken.
 */
static spirv_id refined_or_soft(spirv_emit *e, const spirv_native_row *row, const spirv_id *in)
{
    const spirv_id flag = spirv_type(e, SPIRV_BOOL), merge = spirv_new(e), rare = spirv_new(e);
    spirv_id right, value = spirv_refined(e, row, in, &right);

    right = spirv_make2(e, SPIRV_LogicalAnd, flag, spirv_numeric(e, NUMERIC_FUSED_F32), right);
    uint32_t join[4] = { value, e->block, 0, 0 };
    spirv_branch_rarely(e, spirv_make1(e, SPIRV_LogicalNot, flag, right), rare, merge);
    spirv_block_begin(e, rare);
    join[2] = spirv_call_library(e, row->soft, in, row->count);
    join[3] = e->block;
    spirv_block_begin(e, merge);
    return spirv_make(e, SPIRV_Phi, spirv_type(e, spirv_base_of(row->type)), join, 4);
}

bool spirv_native_refines(const spirv_emit *e, scalar_op op, scalar_type type)
{
    return (op == SCALAR_OP_div || op == SCALAR_OP_sqrt) && type == SCALAR_f32 &&
           !spirv_refines(e) && library(e, row_of(op, type)->soft);
}

spirv_id spirv_native(spirv_emit *e, scalar_op op, scalar_type type, const spirv_id *in)
{
    const spirv_native_row *row = row_of(op, type);

    if (row->right == NUMERIC_COUNT)
        return spirv_call_library(e, row->soft, in, row->count);
    if (spirv_refines(e) || (op != SCALAR_OP_fma && !library(e, row->soft)))
        return own(e, op, type, in);
    if (e->guess && row->name && !e->guess->is_wrong)
        return spirv_guessed(e, row, in, own(e, op, type, in));
    spirv_id yes = spirv_new(e), no = spirv_new(e), merge = spirv_new(e);
    spirv_branch_if(e, spirv_numeric(e, row->right), yes, no, merge);
    spirv_block_begin(e, yes);
    uint32_t join[4] = { own(e, op, type, in), e->block, 0, 0 };
    spirv_branch(e, merge);
    spirv_block_begin(e, no);
    if (row->name && !e->guess)
        join[2] = refined_or_soft(e, row, in);
    else
        join[2] = spirv_call_library(e, row->soft, in, row->count);
    join[3] = e->block;
    spirv_block_begin(e, merge);
    return spirv_make(e, SPIRV_Phi, spirv_type(e, spirv_base_of(type)), join, 4);
}
