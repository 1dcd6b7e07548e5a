/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_math.c - math functions: in line where every target can, else through the table of imports.
 *
 * The table @slip_imports lies outside the image and is filled by the runtime; a call is one load
 * and one indirect call. Must never name a library function as a symbol.
 */
#include "target/llvm_gpu.h"

static uint32_t import_slot(llvm_emit *e, uint32_t k, scalar_type type)
{
    uint32_t *slot = &e->import_slots[k][type == SCALAR_f32];

    if (*slot == 0) {
        e->imports[e->import_count++] = maths_import_name(k, type);
        *slot = e->import_count;
    }
    return *slot - 1;
}

/* A GPU has no table: the remainder is a helper, and nothing else is asked for. */
static void remainder_call(llvm_emit *e, const char *dst, uint32_t k, scalar_type type,
                           const char *const operands[3])
{
    const ir_func *f = k == MATHS_FMOD ? llvm_gpu_remainder(e->m, type) : NULL;
    const char *name = llvm_scalar_name(type);

    if (f)
        llvm_line(e, "%s = call fastcc %s %s(%s %s, %s %s)", dst, name,
                  llvm_quoted(e, "helper.", f->name), name, operands[0], name, operands[1]);
    else if (e->status == SLIP_OK)
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "%s has no %s", e->row->name,
                              maths_import_name(k, type));
}

void llvm_import_call(llvm_emit *e, const char *dst, uint32_t k, scalar_type type, uint32_t count,
                      const char *const operands[3])
{
    const char *ptr = llvm_temp(e), *name = llvm_scalar_name(type);

    if (e->gpu) {
        remainder_call(e, dst, k, type, operands);
        return;
    }
    uint32_t slot = import_slot(e, k, type);

    llvm_line(e,
              "%s = load ptr, ptr getelementptr inbounds (ptr, ptr @slip_imports, i64 %u), "
              "align 8, !invariant.load !0, !noundef !0",
              ptr, slot);
    if (count == 1)
        llvm_line(e, "%s = call %s %s(%s %s) #1", dst, name, ptr, name, operands[0]);
    else if (count == 2)
        llvm_line(e, "%s = call %s %s(%s %s, %s %s) #1", dst, name, ptr, name, operands[0], name,
                  operands[1]);
    else
        llvm_line(e, "%s = call %s %s(%s %s, %s %s, %s %s) #1", dst, name, ptr, name, operands[0],
                  name, operands[1], name, operands[2]);
}

/* x > y ? x - y : 0, a NaN if either is one */
static void positive_difference(llvm_emit *e, const char *dst, const char *type, const char *x,
                                const char *y)
{
    const char *difference = llvm_temp(e), *none = llvm_temp(e);

    llvm_line(e, "%s = fsub %s %s, %s", difference, type, x, y);
    llvm_line(e, "%s = fcmp ole %s %s, %s", none, type, x, y);
    llvm_line(e, "%s = select i1 %s, %s 0.0, %s %s", dst, none, type, type, difference);
}

static void inverse_root(llvm_emit *e, const char *dst, scalar_type type, const char *x)
{
    const char *root = llvm_temp(e);

    llvm_scalar(e, root, (llvm_scalar_op){ SCALAR_OP_sqrt, type, type, 1 }, x, NULL, NULL);
    llvm_line(e, "%s = fdiv %s 1.0, %s", dst, llvm_scalar_name(type), root);
}

void llvm_math(llvm_emit *e, const char *dst, ir_math math, scalar_type type,
               const char *const operands[3])
{
    const maths_row *row = &maths_rows[math];
    const char *name = llvm_scalar_name(type), *suffix = type == SCALAR_f32 ? "f32" : "f64";

    switch (row->way) {
    case MATHS_LINKED:
        if (e->status == SLIP_OK)
            e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "%s is no call of the math library", row->name);
        break;
    case MATHS_IMPORT:
        llvm_import_call(e, dst, math, type, row->operands, operands);
        break;
    case MATHS_INTRINSIC:
        if (row->operands == 1)
            llvm_line(e, "%s = call %s @%s.%s(%s %s)", dst, name, row->intrinsic, suffix, name,
                      operands[0]);
        else
            llvm_line(e, "%s = call %s @%s.%s(%s %s, %s %s)", dst, name, row->intrinsic, suffix,
                      name, operands[0], name, operands[1]);
        break;
    case MATHS_INLINE:
        if (math == IR_MATH_fdim)
            positive_difference(e, dst, name, operands[0], operands[1]);
        else
            inverse_root(e, dst, type, operands[0]);
        break;
    }
}
