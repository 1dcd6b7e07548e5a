/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mathlib.h - the math library (math/) inside the compiler: IR text, of which a module gets the
 * functions that it calls and no others.
 *
 * After linking they are helpers of the module like any other, named `slip.sinf`: a name that no
 * kernel can write. Targets know calls only. The build makes the texts (math/generate).
 */
#ifndef SLIPWAY_MATHLIB_MATHLIB_H
#define SLIPWAY_MATHLIB_MATHLIB_H

#include "ir/ir.h"

/* A function, or a table or struct that functions name; the last row has no name. */
typedef struct mathlib_row {
    const char *name; /* "slip.sinf" */
    const char *text;
    const char *needs; /* rows of the tables and structs it names, a space between */
} mathlib_row;

extern const mathlib_row mathlib_rows[];

/* Is the operation a function of the library on every device? The others are a few instructions. */
bool mathlib_has(ir_math math);

/*
 * mathlib_function - the library's function in a module, added if it is not there yet.
 *
 *   name  C's, with the f of f32: "sinf", "soft_div"
 *
 * Errors   NOT_FOUND  the library has no such function       MEMORY    the arena is full
 */
slip_status mathlib_function(ir_module *m, const char *name, ir_func **out) SLIP_MUST_USE;

/*
 * mathlib_link - every math operation of the library becomes a call of its function. Comes after
 * all passes: to them such an operation is pure, which a call is not.
 *
 * Errors as for mathlib_function.
 */
slip_status mathlib_link(ir_module *m) SLIP_MUST_USE;

/*
 * mathlib_link_soft - adds the functions that shaders call where a device's own division, square
 * root or fma is not right, and the float remainder, which no device has: those that the module's
 * operations may need. Nothing calls them yet; the CPU's targets leave them out (shader_only).
 *
 * Errors as for mathlib_function.
 */
slip_status mathlib_link_soft(ir_module *m) SLIP_MUST_USE;

#endif
