/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_native.h - what the files of division, square root and fma share.
 */
#ifndef SLIPWAY_TARGET_SPIRV_NATIVE_H
#define SLIPWAY_TARGET_SPIRV_NATIVE_H

#include "target/spirv_float.h"

typedef struct spirv_native_row {
    scalar_op op;
    scalar_type type;
    uint32_t count;         /* operands */
    numeric right;          /* the device's own is */
    const char *soft;       /* right on any device */
    const char *name, *can; /* right where fma is fused and `can` says so; NULL: there is none */
    const char *brief;      /* the same where NUMERIC_BRIEF_F32 holds; NULL: there is none */
} spirv_native_row;

/* A value, what is near to 1 over it where it is not too large or small, and how far off that is at
 * most, in 2^-24 of it. */
typedef struct spirv_inverse {
    spirv_id of, near;
    uint32_t off;
} spirv_inverse;

/* base^(quarters / 4), but for rounding. */
typedef struct spirv_power {
    spirv_id of, base;
    uint32_t quarters;
} spirv_power;

/* The base's size is to be in [2^least, 2^end), and its sign is to be +. */
typedef struct spirv_window {
    spirv_id base;
    int32_t least, end;
    bool positive;
} spirv_window;

enum { SPIRV_MOST_REFINED = 8, SPIRV_MOST_KNOWN = 32 };

/* Refined divisions and roots of straight code that one test covers. */
struct spirv_guess {
    bool is_wrong; /* none is refined: the one that there is was not right */
    uint32_t own;  /* NUMERICS, by bits, that are right where the device's own stand instead */
    spirv_inverse inverses[SPIRV_MOST_KNOWN];
    spirv_power powers[SPIRV_MOST_KNOWN];
    spirv_window windows[4 * SPIRV_MOST_REFINED]; /* two a division; a math op may be two */
    uint32_t inverse_count, power_count, window_count;
};

/* spirv_native.c: does spirv_native refine the operation's value, where the device's own is not
 * right? */
bool spirv_native_refines(const spirv_emit *e, scalar_op op, scalar_type type);
spirv_id spirv_call_library(spirv_emit *e, const char *name, const spirv_id *in, uint32_t count);

/* spirv_refine.c: the value by few fused operations, and in *right a bool: whether that is right */
spirv_id spirv_refined(spirv_emit *e, const spirv_native_row *row, const spirv_id *in,
                       spirv_id *right);
/*
 * The refined value where fma is fused, though the device's own be right: that takes longer, being
 * made of the same steps and for all numbers. Else its own. e->guess learns when either is right.
 */
spirv_id spirv_guessed(spirv_emit *e, const spirv_native_row *row, const spirv_id *in,
                       spirv_id own);

/* In a group: `of` is a b, of f32. */
void spirv_guess_product(spirv_emit *e, spirv_id of, spirv_id a, spirv_id b);

/* spirv_window.c: in a group, what is a root or product; what a value is to be; a bool, whether it
 * all is, or 0 where nothing was refined */
void spirv_window_root(spirv_emit *e, spirv_id root, spirv_id x);
void spirv_window_product(spirv_emit *e, spirv_id of, spirv_id a, spirv_id b);
void spirv_window_need(spirv_emit *e, spirv_window w);
spirv_id spirv_window_test(spirv_emit *e);

#endif
