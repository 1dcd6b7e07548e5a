/* SPDX-License-Identifier: Apache-2.0 */
/*
 * meaning.h - operations whose meaning C leaves open: bare as slipc reads them, spelled out for any
 * other compiler.
 *
 * T is the type that C computes in, or that the value is converted to; the generator works it out,
 * so that a front end that finds another type gives another value. Arguments are evaluated once;
 * the places of *_EQ must be without effects.
 */
#ifndef SLIPWAY_GENERATOR_MEANING_H
#define SLIPWAY_GENERATOR_MEANING_H

#include <math.h>
#include <slipway/kernel.h>

#ifdef __SLIPC__

#define DIV(T, a, b) ((a) / (b))
#define REM(T, a, b) ((a) % (b))
#define SHL(T, a, b) ((a) << (b))
#define SHR(T, a, b) ((a) >> (b))
#define SAT(T, x) ((T)(x)) /* float to integer, by a cast */
#define IMP(T, x) (x)      /* the same, by what it is assigned to */
#define DIV_EQ(T, C, l, r) (l /= (r))
#define REM_EQ(T, C, l, r) (l %= (r))
#define SHL_EQ(T, C, l, r) (l <<= (r))
#define SHR_EQ(T, C, l, r) (l >>= (r))
#define ADD_EQ(T, l, r) (l += (r)) /* an integer and a float */
#define SUB_EQ(T, l, r) (l -= (r))
#define MUL_EQ(T, l, r) (l *= (r))
#define QUO_EQ(T, l, r) (l /= (r))

#else

#define DIV(T, a, b) div_##T(a, b)
#define REM(T, a, b) rem_##T(a, b)
#define SHL(T, a, b) shl_##T(a, (u64)(b))
#define SHR(T, a, b) shr_##T(a, (u64)(b))
#define SAT(T, x) sat_##T(x)
#define IMP(T, x) sat_##T(x)
#define DIV_EQ(T, C, l, r) (l = (T)div_##C(l, r))
#define REM_EQ(T, C, l, r) (l = (T)rem_##C(l, r))
#define SHL_EQ(T, C, l, r) (l = (T)shl_##C(l, (u64)(r)))
#define SHR_EQ(T, C, l, r) (l = (T)shr_##C(l, (u64)(r)))
#define ADD_EQ(T, l, r) (l = sat_##T(l + (r)))
#define SUB_EQ(T, l, r) (l = sat_##T(l - (r)))
#define MUL_EQ(T, l, r) (l = sat_##T(l * (r)))
#define QUO_EQ(T, l, r) (l = sat_##T(l / (r)))

/* x / 0 is 0, x % 0 is x, MIN / -1 wraps, MIN % -1 is 0; shift counts are taken modulo the width.
 */
#define MEANING_WIDE_(T, U, bits, is_min)                                                          \
    static inline T div_##T(T a, T b)                                                              \
    {                                                                                              \
        return b == 0 ? 0 : is_min && b == (T)-1 ? a : a / b;                                      \
    }                                                                                              \
    static inline T rem_##T(T a, T b)                                                              \
    {                                                                                              \
        return b == 0 ? a : is_min && b == (T)-1 ? 0 : a % b;                                      \
    }                                                                                              \
    static inline T shl_##T(T a, u64 count)                                                        \
    {                                                                                              \
        return (T)((U)a << (count % bits));                                                        \
    }                                                                                              \
    static inline T shr_##T(T a, u64 count)                                                        \
    {                                                                                              \
        return a >> (count % bits);                                                                \
    }
MEANING_WIDE_(i32, u32, 32, a == INT32_MIN)
MEANING_WIDE_(u32, u32, 32, 0)
MEANING_WIDE_(i64, u64, 64, a == INT64_MIN)
MEANING_WIDE_(u64, u64, 64, 0)

/* Truncates, saturates at the type's own range; NaN gives 0. `above` is the power of two past the
 * largest. */
#define MEANING_SATURATE_(T, least, most, above)                                                   \
    static inline T sat_##T(f64 x)                                                                 \
    {                                                                                              \
        return x != x ? 0 : x >= above ? most : x <= (f64)least ? least : (T)x;                    \
    }
MEANING_SATURATE_(i8, INT8_MIN, INT8_MAX, 0x1p7)
MEANING_SATURATE_(u8, 0, UINT8_MAX, 0x1p8)
MEANING_SATURATE_(i16, INT16_MIN, INT16_MAX, 0x1p15)
MEANING_SATURATE_(u16, 0, UINT16_MAX, 0x1p16)
MEANING_SATURATE_(i32, INT32_MIN, INT32_MAX, 0x1p31)
MEANING_SATURATE_(u32, 0, UINT32_MAX, 0x1p32)
MEANING_SATURATE_(i64, INT64_MIN, INT64_MAX, 0x1p63)
MEANING_SATURATE_(u64, 0, UINT64_MAX, 0x1p64)

#endif

/* Bits of a number; those of a NaN are not defined. */
static inline u32 bits_f32(f32 x)
{
    return x == x ? slip_f32_bits(x) : 0x7fc00000u;
}

static inline u64 bits_f64(f64 x)
{
    return x == x ? slip_f64_bits(x) : 0x7ff8000000000000ul;
}

#endif
