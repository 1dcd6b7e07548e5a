/* SPDX-License-Identifier: Apache-2.0 */
/* mathlib.c - finding a function's text, and putting it and what it needs into a module. */
#include "mathlib/mathlib.h"

#include <string.h>

#include "base/fail.h"

bool mathlib_has(ir_math math)
{
    switch (math) {
    case IR_MATH_sin:
    case IR_MATH_cos:
    case IR_MATH_tan:
    case IR_MATH_asin:
    case IR_MATH_acos:
    case IR_MATH_atan:
    case IR_MATH_sinh:
    case IR_MATH_cosh:
    case IR_MATH_tanh:
    case IR_MATH_asinh:
    case IR_MATH_acosh:
    case IR_MATH_atanh:
    case IR_MATH_exp:
    case IR_MATH_exp2:
    case IR_MATH_expm1:
    case IR_MATH_log:
    case IR_MATH_log2:
    case IR_MATH_log10:
    case IR_MATH_log1p:
    case IR_MATH_cbrt:
    case IR_MATH_pow:
    case IR_MATH_atan2:
    case IR_MATH_hypot:
    case IR_MATH_fmod:
    case IR_MATH_remainder:
    case IR_MATH_nextafter:
        return true;
    case IR_MATH_erf: /* not written yet: the C library's, on the CPU */
    case IR_MATH_erfc:
    case IR_MATH_tgamma:
    case IR_MATH_lgamma:
    case IR_MATH_round:
    case IR_MATH_nearbyint:
    case IR_MATH_rsqrt:
    case IR_MATH_copysign:
    case IR_MATH_fdim:
    case IR_MATH_COUNT:
        return false;
    }
    return false;
}

static const mathlib_row *row_named(const char *name, size_t length)
{
    for (const mathlib_row *row = mathlib_rows; row->name; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

static bool has_item(const ir_module *m, const char *name)
{
    for (const ir_table *t = m->tables; t; t = t->next)
        if (strcmp(t->name, name) == 0)
            return true;
    for (const ir_type *t = m->types; t; t = t->next)
        if (t->kind == IR_STRUCT && strcmp(t->name, name) == 0)
            return true;
    return false;
}

/* A text of ours that does not parse is a fault of the build. */
static slip_status add_text(ir_module *m, const mathlib_row *row)
{
    slip_status status = ir_parse_into(m, row->text);

    if (status != SLIP_OK)
        fail_note("while adding %s of the math library", row->name);
    return status;
}

static slip_status add_function(ir_module *m, const mathlib_row *row)
{
    for (const char *at = row->needs; *at;) {
        size_t length = strcspn(at, " ");
        const mathlib_row *item = row_named(at, length);
        if (!item)
            return SLIP_FAIL(SLIP_ERR_INTERNAL, "%s needs what the library lacks", row->name);
        if (!has_item(m, item->name))
            SLIP_TRY(add_text(m, item));
        at += length + (at[length] == ' ');
    }
    return add_text(m, row);
}

slip_status mathlib_function(ir_module *m, const char *name, ir_func **out)
{
    const char *full = arena_text(m->arena, "slip.%s", name);
    const mathlib_row *row = row_named(full, strlen(full));

    for (ir_func *f = m->funcs; f; f = f->next) {
        if (f->kind == IR_HELPER && strcmp(f->name, full) == 0) {
            *out = f;
            return SLIP_OK;
        }
    }
    if (!row)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "the math library has no %s", name);
    SLIP_TRY(add_function(m, row));
    if (mem_arena_full(m->arena))
        return SLIP_FAIL(SLIP_ERR_MEMORY, "%s of the math library does not fit the compile", name);
    *out = m->last_func;
    return SLIP_OK;
}

typedef struct linker {
    ir_module *module;
    slip_status status;
} linker;

static bool link_op(ir_op *op, void *user)
{
    linker *l = user;

    if (op->code != IR_math || !mathlib_has(op->math))
        return true;
    const char *name = arena_text(l->module->arena, "%s%s", ir_maths[op->math].name,
                                  op->type->scalar == SCALAR_f32 ? "f" : "");
    ir_func *f = NULL;
    l->status = mathlib_function(l->module, name, &f);
    if (l->status != SLIP_OK)
        return false;
    op->code = IR_call;
    op->func = f;
    return true;
}

slip_status mathlib_link(ir_module *m)
{
    linker l = { .module = m };

    for (ir_func *f = m->funcs; f && l.status == SLIP_OK; f = f->next)
        ir_walk_func(f, link_op, &l);
    return l.status;
}

/* What may stand in for an operation, by its type. */
static const struct {
    ir_code code;
    scalar_type type;
    const char *names[4];
} soft_rows[] = {
    { IR_div, SCALAR_f32, { "soft_divf", "refined_divf", "refinable_divf" } },
    { IR_div, SCALAR_f64, { "soft_div" } },
    { IR_sqrt,
      SCALAR_f32,
      { "soft_sqrtf", "refined_sqrtf", "refinable_sqrtf", "refined_brief_sqrtf" } },
    { IR_sqrt, SCALAR_f64, { "soft_sqrt" } },
    { IR_fma, SCALAR_f32, { "fmaf" } },
    { IR_fma, SCALAR_f64, { "fma" } },
    { IR_rem, SCALAR_f32, { "fmodf" } },
    { IR_rem, SCALAR_f64, { "fmod" } },
};

enum { SOFT_ROWS = sizeof soft_rows / sizeof soft_rows[0] };

static bool note_soft(ir_op *op, void *user)
{
    bool *wanted = user, inverse_root = op->code == IR_math && op->math == IR_MATH_rsqrt;

    for (uint32_t k = 0; k < SOFT_ROWS; k++) {
        ir_code code = soft_rows[k].code;
        if ((op->code == code || (inverse_root && (code == IR_div || code == IR_sqrt))) &&
            ir_is_scalar(op->type, soft_rows[k].type))
            wanted[k] = true;
    }
    return true;
}

slip_status mathlib_link_soft(ir_module *m)
{
    bool wanted[SOFT_ROWS] = { false };

    for (const ir_func *f = m->funcs; f; f = f->next)
        if (!f->shader_only)
            ir_walk_func(f, note_soft, wanted);
    for (uint32_t k = 0; k < SOFT_ROWS; k++) {
        for (uint32_t n = 0; wanted[k] && n < 4 && soft_rows[k].names[n]; n++) {
            const ir_func *last = m->last_func;
            ir_func *f = NULL;
            SLIP_TRY(mathlib_function(m, soft_rows[k].names[n], &f));
            if (m->last_func != last) /* else something calls it as well */
                f->shader_only = true;
        }
    }
    return SLIP_OK;
}
