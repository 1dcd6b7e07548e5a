/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_builtin.c - the functions of our own headers: math, bits, updates, memory, printf.
 *
 * What is a scalar op becomes one; the rest of math.h is a `math` op by name. isnan and its kin
 * look at bits, so no compiler flag can fold them away.
 */
#include <string.h>

#include "front/lower.h"

/* ---- math
 * ------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    scalar_op op;
} scalar_rows[] = {
    { "sqrt", SCALAR_OP_sqrt },     { "fabs", SCALAR_OP_abs },      { "floor", SCALAR_OP_floor },
    { "ceil", SCALAR_OP_ceil },     { "trunc", SCALAR_OP_trunc },   { "rint", SCALAR_OP_rint },
    { "fmin", SCALAR_OP_min },      { "fmax", SCALAR_OP_max },      { "fma", SCALAR_OP_fma },
    { "abs", SCALAR_OP_abs },       { "labs", SCALAR_OP_abs },      { "llabs", SCALAR_OP_abs },
    { "slip_min_", SCALAR_OP_min }, { "slip_max_", SCALAR_OP_max },
};

static const char *const math_names[] = {
#define MATH_NAME_(name, operands) #name,
    IR_MATHS(MATH_NAME_)
#undef MATH_NAME_
};

/* `sinf` is `sin` on f32; `erf` and `fmaf` tell that a plain cut of an f would be wrong. */
static bool named(const char *name, const char *row, bool is_f32)
{
    size_t n = strlen(row);
    if (strncmp(name, row, n) != 0)
        return false;
    return name[n] == '\0' || (is_f32 && name[n] == 'f' && name[n + 1] == '\0');
}

static uint32_t values(lower *l, node *n, ir_op **in, uint32_t most)
{
    uint32_t count = n->count < most ? n->count : most;
    for (uint32_t i = 0; i < count; i++)
        in[i] = lower_value(l, n->kids[i]);
    l->b.place = n->place;
    return count;
}

static ir_op *math(lower *l, node *n)
{
    const char *name = n->decl->name;
    bool f32 = n->type->kind == FT_SCALAR && n->type->scalar == SCALAR_f32;
    ir_op *in[3];

    for (size_t i = 0; i < sizeof scalar_rows / sizeof scalar_rows[0]; i++) {
        if (!named(name, scalar_rows[i].name, f32))
            continue;
        uint32_t count = values(l, n, in, 3);
        return ir_build(&l->b, (ir_code)scalar_rows[i].op, in[0]->type, in, count);
    }
    for (size_t i = 0; i < sizeof math_names / sizeof math_names[0]; i++) {
        if (!named(name, math_names[i], f32))
            continue;
        uint32_t count = values(l, n, in, 3);
        return ir_math_call(&l->b, (ir_math)i, in, count);
    }
    return NULL;
}

/* ---- classes of floats
 * ------------------------------------------------------------------------------- */

static ir_op *constant(lower *l, scalar_type s, uint64_t bits)
{
    return ir_const(&l->b, s, bits);
}

/* NULL where it is another function, or one of no float. */
static ir_op *float_class(lower *l, node *n, const char *what)
{
    const ftype *of = n->kids[0]->type;
    if (of->kind != FT_SCALAR || !scalar_types[of->scalar].is_float)
        return NULL;
    ir_op *x = lower_value(l, n->kids[0]);
    bool f32 = x->type->scalar == SCALAR_f32;
    scalar_type u = f32 ? SCALAR_u32 : SCALAR_u64;
    uint64_t sign = f32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    uint64_t inf = f32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
    uint64_t least = f32 ? UINT64_C(0x00800000) : UINT64_C(0x0010000000000000);

    ir_op *bits = ir_bitcast(&l->b, u, x);
    ir_op *is;
    if (strcmp(what, "signbit") == 0) {
        is = ir_binary(&l->b, SCALAR_OP_ne,
                       ir_binary(&l->b, SCALAR_OP_and, bits, constant(l, u, sign)),
                       constant(l, u, 0));
        return lower_convert(l, n->type->scalar, is);
    }
    ir_op *size = ir_binary(&l->b, SCALAR_OP_and, bits, constant(l, u, sign - 1));
    if (strcmp(what, "isnan") == 0)
        is = ir_binary(&l->b, SCALAR_OP_lt, constant(l, u, inf), size);
    else if (strcmp(what, "isinf") == 0)
        is = ir_binary(&l->b, SCALAR_OP_eq, size, constant(l, u, inf));
    else if (strcmp(what, "isnormal") == 0)
        is = ir_binary(&l->b, SCALAR_OP_and,
                       ir_binary(&l->b, SCALAR_OP_le, constant(l, u, least), size),
                       ir_binary(&l->b, SCALAR_OP_lt, size, constant(l, u, inf)));
    else if (strcmp(what, "isfinite") == 0)
        is = ir_binary(&l->b, SCALAR_OP_lt, size, constant(l, u, inf));
    else
        return NULL;
    return lower_convert(l, n->type->scalar, is);
}

bool builtin_constant(const node *n, uint64_t *out)
{
    const char *name = n->decl->name;
    bool f32 = n->type->kind == FT_SCALAR && n->type->scalar == SCALAR_f32;
    if (strncmp(name, "__builtin_", 10) != 0)
        return false;
    name += 10;
    if (strncmp(name, "inf", 3) == 0 || strncmp(name, "huge_val", 8) == 0)
        *out = f32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
    else if (strncmp(name, "nan", 3) == 0)
        *out = f32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
    else
        return false;
    return true;
}

static ir_op *compiler_builtin(lower *l, node *n)
{
    const char *name = n->decl->name + strlen("__builtin_");
    uint64_t bits;

    if (builtin_constant(n, &bits))
        return constant(l, n->type->scalar, bits);
    if (strcmp(name, "expect") == 0) {
        ir_op *value = lower_value(l, n->kids[0]);
        lower_effect(l, n->kids[1]);
        return value;
    }
    return n->count == 1 ? float_class(l, n, name) : NULL;
}

/* ---- bits and updates
 * ---------------------------------------------------------------------------------- */

static ir_op *bits_of(lower *l, node *n)
{
    static const struct {
        const char *name;
        scalar_type to;
    } rows[] = {
        { "slip_f32_bits", SCALAR_u32 },
        { "slip_f64_bits", SCALAR_u64 },
        { "slip_bits_f32", SCALAR_f32 },
        { "slip_bits_f64", SCALAR_f64 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(n->decl->name, rows[i].name) == 0)
            return ir_bitcast(&l->b, rows[i].to, lower_value(l, n->kids[0]));
    }
    return NULL;
}

static ir_op *reciprocal_root(lower *l, node *n)
{
    ir_op *root = ir_unary(&l->b, SCALAR_OP_sqrt, lower_value(l, n->kids[0]));
    uint64_t one =
        n->type->scalar == SCALAR_f32 ? UINT64_C(0x3f800000) : UINT64_C(0x3ff0000000000000);
    return ir_binary(&l->b, SCALAR_OP_div, constant(l, n->type->scalar, one), root);
}

static ir_op *atomic(lower *l, node *n)
{
    const char *name = n->decl->name + strlen("slip_atomic_");
    bool cas = strcmp(name, "compare_exchange") == 0;
    spot p = lower_pointer(l, n->kids[0]);
    ir_op *in[3] = { lower_address(l, p) };

    for (uint32_t i = 1; i < n->count && i < 3; i++)
        in[i] = lower_value(l, n->kids[i]);
    l->b.place = n->place;
    if (in[0]->type->elem != in[1]->type)
        return lower_undef(l, n->type);
    ir_op *op = ir_build(&l->b, cas ? IR_cas : IR_atomic, in[1]->type, in, cas ? 3 : 2);
    if (!cas)
        op->scalar = strcmp(name, "min") == 0   ? SCALAR_OP_min
                     : strcmp(name, "max") == 0 ? SCALAR_OP_max
                                                : SCALAR_OP_COUNT;
    return op;
}

static void drop_printf(lower *l, node *n)
{
    front_warn(l->f, n->place, NULL, "printf is left out: this is not a checked build");
    for (uint32_t i = 1; i < n->count; i++) {
        if (n->kids[i]->type->kind == FT_SCALAR) /* what is no number is text */
            lower_effect(l, n->kids[i]);
    }
}

/* What may be called instead of a builtin of another compiler. */
static const char *advice(lower *l, const char *name)
{
    if (strncmp(name, "__builtin_", 10) != 0)
        return NULL;
    name += 10;
    for (size_t i = 0; i < sizeof scalar_rows / sizeof scalar_rows[0]; i++)
        if (named(name, scalar_rows[i].name, true))
            return arena_text(l->f->arena, "include <math.h> or <stdlib.h>, and call `%s`", name);
    for (size_t i = 0; i < sizeof math_names / sizeof math_names[0]; i++)
        if (named(name, math_names[i], true))
            return arena_text(l->f->arena, "include <math.h>, and call `%s`", name);
    return "write a function for it: of a compiler's own functions kernels have __builtin_expect";
}

ir_op *lower_builtin(lower *l, node *n)
{
    const char *name = n->decl->name;
    ir_op *value = NULL;

    if (strncmp(name, "__builtin_", 10) == 0)
        value = compiler_builtin(l, n);
    else if (strncmp(name, "slip_atomic_", 12) == 0)
        value = atomic(l, n);
    else if (strcmp(name, "slip_rsqrt") == 0)
        value = reciprocal_root(l, n);
    else if (strcmp(name, "memset") == 0 || strcmp(name, "memcpy") == 0) {
        (strcmp(name, "memset") == 0 ? lower_memset : lower_memcpy)(l, n);
        return NULL;
    } else if (strcmp(name, "printf") == 0) {
        drop_printf(l, n);
        return constant(l, SCALAR_i32, 0);
    } else {
        value = bits_of(l, n);
        value = value ? value : math(l, n);
    }
    if (value)
        return value;
    front_error(l->f, n->place, advice(l, name), "`%s` cannot be called in a kernel", name);
    return n->type->kind == FT_SCALAR ? lower_undef(l, n->type) : NULL;
}
