/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_text.c - types in messages: what one is called, and why it cannot be used.
 */
#include <string.h>

#include "front/tree.h"

const char *ftype_text(front *f, const ftype *t)
{
    switch (t->kind) {
    case FT_BAD:
        return t->why;
    case FT_VOID:
        return "void";
    case FT_SCALAR:
        return scalar_types[t->scalar].name;
    case FT_POINTER:
        return arena_text(f->arena, "%s *", ftype_text(f, t->elem));
    case FT_ARRAY:
        return arena_text(f->arena, "array of %s", ftype_text(f, t->elem));
    case FT_STRUCT:
        return arena_text(f->arena, "struct %s", t->ir->name);
    case FT_FUNC:
        return "function";
    }
    return "";
}

static const char *type_advice(const char *why)
{
    static const struct {
        const char *part, *advice;
    } rows[] = {
        { "pointer member", "keep an index into an array instead of a pointer" },
        { "array of pointers", "keep an array of indices instead" },
        { "union", "use slip_f32_bits and its kin, or memcpy, to see a number's bits" },
        { "bit-field", "use a whole integer with shifts and masks" },
        { "flexible", "give the member a constant extent" },
        { "packed", "order the members so that the natural layout fits" },
        { "long double", "use f64" },
        { "volatile", "leave it out: tasks share memory only through updates and between tasks" },
        { "_Atomic", "use `+=` and slip_atomic_* on plain memory" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strstr(why, rows[i].part))
            return rows[i].advice;
    }
    return "use the scalar types of kernel.h, structs and arrays of them";
}

bool ftype_usable(front *f, const ftype *t, ir_place place, const char *what)
{
    const ftype *at = t;
    int pointers = 0;

    while (at->kind == FT_POINTER || at->kind == FT_ARRAY) {
        pointers += at->kind == FT_POINTER;
        at = at->elem;
    }
    if (at->kind == FT_BAD) {
        front_error(f, place, type_advice(at->why), "%s is %s, which kernels cannot use", what,
                    at->why);
        return false;
    }
    if (at->kind == FT_FUNC) {
        front_error(f, place, "call the function by its name, or choose with if or switch",
                    "%s is a function pointer", what);
        return false;
    }
    if (pointers > 1) {
        front_error(f, place, "keep an index into an array instead of a pointer",
                    "%s is a pointer to a pointer", what);
        return false;
    }
    return true;
}
