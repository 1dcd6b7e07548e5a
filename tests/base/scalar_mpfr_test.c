/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_mpfr_test.c - the operations on f32 and f64 round once: edges and random operands against
 * MPFR, which rounds by its own integer arithmetic.
 */
#include "base/scalar.h"

#include <inttypes.h>

#include <mpfr.h>

#include "base/float_bits.h"
#include "support/check.h"

/* The bits of an MPFR number known to be exact in the type, or rounded with `ternary`. */
static uint64_t bits_of(scalar_type type, mpfr_t x, int ternary)
{
    ternary = mpfr_check_range(x, ternary, MPFR_RNDN);
    mpfr_subnormalize(x, ternary, MPFR_RNDN);
    if (mpfr_nan_p(x))
        return type == SCALAR_f32 ? F32_NAN : F64_NAN;
    return type == SCALAR_f32 ? f32(mpfr_get_flt(x, MPFR_RNDN)) : f64(mpfr_get_d(x, MPFR_RNDN));
}

static void set(mpfr_t x, scalar_type type, uint64_t bits)
{
    if (type == SCALAR_f32)
        mpfr_set_flt(x, as_f32(bits), MPFR_RNDN);
    else
        mpfr_set_d(x, as_f64(bits), MPFR_RNDN);
}

static uint64_t by_mpfr(scalar_op op, scalar_type type, const uint64_t in[3])
{
    mpfr_t x, y, z, r;
    int ternary = 0;

    /* Exponents of MPFR are one above IEEE's: 0.1xxx. */
    mpfr_set_emin(type == SCALAR_f32 ? -148 : -1073);
    mpfr_set_emax(type == SCALAR_f32 ? 128 : 1024);
    mpfr_inits2(type == SCALAR_f32 ? 24 : 53, x, y, z, r, (mpfr_ptr)0);
    set(x, type, in[0]);
    set(y, type, in[1]);
    set(z, type, in[2]);
    switch (op) {
    case SCALAR_OP_add:
        ternary = mpfr_add(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_sub:
        ternary = mpfr_sub(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_mul:
        ternary = mpfr_mul(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_div:
        ternary = mpfr_div(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_rem:
        ternary = mpfr_fmod(r, x, y, MPFR_RNDN);
        break;
    case SCALAR_OP_sqrt:
        ternary = mpfr_sqrt(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_floor:
        ternary = mpfr_rint_floor(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_ceil:
        ternary = mpfr_rint_ceil(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_trunc:
        ternary = mpfr_rint_trunc(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_rint:
        ternary = mpfr_rint(r, x, MPFR_RNDN);
        break;
    case SCALAR_OP_fma:
        ternary = mpfr_fma(r, x, y, z, MPFR_RNDN);
        break;
    default:
        CHECK_FAIL("operation %d is not one of these", op);
    }
    uint64_t bits = bits_of(type, r, ternary);
    mpfr_clears(x, y, z, r, (mpfr_ptr)0);
    return bits;
}

static uint64_t random_state;

static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static const uint64_t edges_f32[] = {
    0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
    0x3fc00000, 0x4b000000, 0x4b000001, 0x7f7fffff, 0xff7fffff, F32_INF, 0xff800000, F32_NAN,
};
static const uint64_t edges_f64[] = {
    0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x3ff8000000000000,
    0x4330000000000000, 0x4330000000000001, 0x7fefffffffffffff, 0xffefffffffffffff, F64_INF,
    0xfff0000000000000, F64_NAN,
};
enum { FLOAT_EDGES = sizeof edges_f32 / sizeof edges_f32[0] };

/* Any bits, edges, or numbers near one another's size, where cancellation and ties are common. */
static uint64_t random_operand(scalar_type type)
{
    uint64_t r = random64(), bits = random64();

    if (r % 8 == 0)
        return (type == SCALAR_f32 ? edges_f32 : edges_f64)[(r >> 8) % FLOAT_EDGES];
    if (type == SCALAR_f32) {
        bits &= 0xffffffff;
        if (r % 2)
            bits = (bits & 0x80ffffff) | (0x3f000000 + ((r >> 8) % 8 << 23));
    } else if (r % 2) {
        bits = (bits & 0x800fffffffffffff) | (0x3fd0000000000000 + ((r >> 8) % 16 << 52));
    }
    return bits;
}

static const scalar_op rounded_ops[] = {
    SCALAR_OP_add,   SCALAR_OP_sub,  SCALAR_OP_mul,   SCALAR_OP_div,  SCALAR_OP_rem, SCALAR_OP_sqrt,
    SCALAR_OP_floor, SCALAR_OP_ceil, SCALAR_OP_trunc, SCALAR_OP_rint, SCALAR_OP_fma,
};

static void check_rounded(scalar_op op, scalar_type type, const uint64_t in[3])
{
    uint64_t got = scalar_eval(op, type, type, in[0], in[1], in[2]);
    uint64_t right = by_mpfr(op, type, in);

    if (got != right)
        CHECK_FAIL("%s %s %" PRIx64 " %" PRIx64 " %" PRIx64 " is %" PRIx64 ", MPFR says %" PRIx64,
                   scalar_ops[op].name, scalar_types[type].name, in[0], in[1], in[2], got, right);
}

static void arithmetic_rounds_once_as_mpfr_does(void)
{
    random_state = 0x9e3779b97f4a7c15;
    for (size_t o = 0; o < sizeof rounded_ops / sizeof rounded_ops[0]; o++)
        for (int i = 0; i < 6000; i++)
            for (scalar_type type = SCALAR_f32; type <= SCALAR_f64; type++) {
                uint64_t in[3] = { random_operand(type), random_operand(type),
                                   random_operand(type) };
                check_rounded(rounded_ops[o], type, in);
            }
}

static void arithmetic_is_right_at_every_pair_of_edges(void)
{
    for (size_t o = 0; o < sizeof rounded_ops / sizeof rounded_ops[0]; o++)
        for (int i = 0; i < FLOAT_EDGES; i++)
            for (int j = 0; j < FLOAT_EDGES; j++) {
                uint64_t narrow[3] = { edges_f32[i], edges_f32[j], edges_f32[(i + j) % FLOAT_EDGES] };
                uint64_t broad[3] = { edges_f64[i], edges_f64[j], edges_f64[(i + j) % FLOAT_EDGES] };
                check_rounded(rounded_ops[o], SCALAR_f32, narrow);
                check_rounded(rounded_ops[o], SCALAR_f64, broad);
            }
}

static const check_case cases[] = {
    CASE(arithmetic_rounds_once_as_mpfr_does),
    CASE(arithmetic_is_right_at_every_pair_of_edges),
};
CHECK_MAIN(cases)
