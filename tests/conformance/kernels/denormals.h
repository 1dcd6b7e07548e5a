/* SPDX-License-Identifier: Apache-2.0 */
/*
 * denormals.h - what is computed of denormals, one operation a row: a name, what is printed where a
 * device gets it wrong, and the expression of x and y, numbers of type T.
 *
 * FN(sinh) is the function for T, NAMED(branched) one of denormals_of.h; OTHER is the other type of
 * float. denormals.c makes kernels of the rows, denormals_test.c takes their names.
 */
#ifndef DENORMALS_H
#define DENORMALS_H

/* Arithmetic, and what only moves a number. */
#define ARITHMETIC(X)                                                                              \
    X(sum, "x + y", x + y)                                                                         \
    X(difference, "x - y", x - y)                                                                  \
    X(product, "x * y", x *y)                                                                      \
    X(quotient, "x / y", x / y)                                                                    \
    X(sum_of_product, "x * y + x", x *y + x)                                                       \
    X(fused, "fma(x, y, x)", FN(fma)(x, y, x))                                                     \
    X(root, "sqrt(x)", FN(sqrt)(x))                                                                \
    X(plus_zero, "x + 0", x + 0)                                                                   \
    X(from_zero, "0 - x", 0 - x)                                                                   \
    X(minus_product, "x - y * 0", x - y * (one - one))                                             \
    X(times_one, "x * 1 where 1 is an argument", x *one)                                           \
    X(times_large, "x * 2^24", x *(T)0x1p+24)                                                      \
    X(times_small, "x * 2^-24", x *(T)0x1p-24)                                                     \
    X(half, "x * 0.5", x *(T)0.5)                                                                  \
    X(thrice, "x + x + x in a loop", NAMED(thrice)(x))                                             \
    X(tiny, "a denormal constant", (T)TINY)                                                        \
    X(plus_tiny, "x + a denormal constant", x + (T)TINY)                                           \
    X(times_tiny, "y * a denormal constant", y *(T)TINY)                                           \
    X(tiny_times, "an integer times the least denormal", (T)k *(T)LEAST)                           \
    X(minus, "-x", -x)                                                                             \
    X(size, "fabs(x)", FN(fabs)(x))                                                                \
    X(with_sign, "copysign(x, y)", FN(copysign)(x, y))                                             \
    X(bits, "the bits of x and back", OF_BITS(TO_BITS(x)))                                         \
    X(local, "x by a local array", NAMED(by_array)(x, k))                                          \
    X(member, "x by a struct", NAMED(by_struct)(x))                                                \
    X(floor, "floor(x)", FN(floor)(x))                                                             \
    X(ceil, "ceil(x)", FN(ceil)(x))                                                                \
    X(trunc, "trunc(x)", FN(trunc)(x))                                                             \
    X(rint, "rint(x)", FN(rint)(x))                                                                \
    X(round, "round(x)", FN(round)(x))                                                             \
    X(integer, "(i32)x and back", (T)(i32)slip_max(slip_min(x, (T)1000), (T)-1000))                \
    X(positive, "(u8)x and back", (T)(u8)slip_min(FN(fabs)(x), (T)200))                            \
    X(other, "x by the other type of float", (T)(OTHER)x)                                          \
    X(other_sum, "x + y in the other type", (T)((OTHER)x + (OTHER)y))

/* Comparisons, and what they choose. */
#define CHOICES(X)                                                                                 \
    X(less, "x < y", x < y)                                                                        \
    X(not_above, "x <= y", x <= y)                                                                 \
    X(equal, "x == y", x == y)                                                                     \
    X(unequal, "x != y", x != y)                                                                   \
    X(below_zero, "x < 0", x < 0)                                                                  \
    X(above_zero, "x > 0", x > 0)                                                                  \
    X(is_zero, "x == 0", x == 0)                                                                   \
    X(is_set, "x as a condition", x ? (T)1 : (T)0)                                                 \
    X(above_tiny, "x > a denormal constant", x > (T)TINY)                                          \
    X(is_denormal, "x < the least normal number", x < (T)NORMAL)                                   \
    X(chosen, "k & 1 ? x : y", k & 1 ? x : y)                                                      \
    X(lesser, "x < y ? x : y", x < y ? x : y)                                                      \
    X(greater, "x > y ? x : y", x > y ? x : y)                                                     \
    X(lesser_too, "x > y ? y : x", x > y ? y : x)                                                  \
    X(greater_too, "x >= y ? x : y", x >= y ? x : y)                                               \
    X(at_most, "x > 130 ? 130 : x", x > 130 ? (T)130 : x)                                          \
    X(below, "x < 130 ? x : 130", x < 130 ? x : (T)130)                                            \
    X(at_least, "x < -30 ? -30 : x", x < -30 ? (T)-30 : x)                                         \
    X(above, "x >= -30 ? x : -30", x >= -30 ? x : (T)-30)                                          \
    X(between, "x < -30 ? -30 : x > 130 ? 130 : x", x<-30 ? (T)-30 : x> 130 ? (T)130 : x)          \
    X(positive_part, "x < 0 ? 0 : x", x < 0 ? (T)0 : x)                                            \
    X(negative_part, "x > 0 ? 0 : x", x > 0 ? (T)0 : x)                                            \
    X(branched, "if (x > 130) x = 130", NAMED(branched)(x))                                        \
    X(looped, "the largest in a loop", NAMED(looped)(x, y))                                        \
    X(large_size, "fabs(x) > 130 ? 130 : fabs(x)", FN(fabs)(x) > 130 ? (T)130 : FN(fabs)(x))       \
    X(least, "slip_min(x, y)", slip_min(x, y))                                                     \
    X(most, "slip_max(x, y)", slip_max(x, y))                                                      \
    X(least_of_one, "slip_min(x, 1)", slip_min(x, (T)1))                                           \
    X(most_of_one, "slip_max(x, -1)", slip_max(x, (T)-1))                                          \
    X(fdim, "fdim(x, y)", FN(fdim)(x, y))

/* What math/ makes of all that. */
#define FUNCTIONS(X)                                                                               \
    X(sin, "sin(x)", FN(sin)(x))                                                                   \
    X(tan, "tan(x)", FN(tan)(x))                                                                   \
    X(asin, "asin(x)", FN(asin)(x))                                                                \
    X(atan, "atan(x)", FN(atan)(x))                                                                \
    X(sinh, "sinh(x)", FN(sinh)(x))                                                                \
    X(tanh, "tanh(x)", FN(tanh)(x))                                                                \
    X(asinh, "asinh(x)", FN(asinh)(x))                                                             \
    X(atanh, "atanh(x)", FN(atanh)(x))                                                             \
    X(exp2, "exp2(1000 x)", FN(exp2)(x * 1000))                                                    \
    X(expm1, "expm1(x)", FN(expm1)(x))                                                             \
    X(log, "log(x)", FN(log)(x))                                                                   \
    X(log1p, "log1p(x)", FN(log1p)(x))                                                             \
    X(cbrt, "cbrt(x)", FN(cbrt)(x))                                                                \
    X(hypot, "hypot(x, y)", FN(hypot)(x, y))                                                       \
    X(nextafter, "nextafter(x, y)", FN(nextafter)(x, y))                                           \
    X(fmod, "fmod(x, y)", FN(fmod)(x, y))                                                          \
    X(remainder, "remainder(x, y)", FN(remainder)(x, y))

/* The rows of each list, numbered. */
#define ROW_ENUM_(name, text, value) ROW_##name,
enum { ARITHMETIC(ROW_ENUM_) ARITHMETIC_ROWS };
#define CHOICE_ENUM_(name, text, value) CHOICE_##name,
enum { CHOICES(CHOICE_ENUM_) CHOICE_ROWS };
#define FUNCTION_ENUM_(name, text, value) FUNCTION_##name,
enum { FUNCTIONS(FUNCTION_ENUM_) FUNCTION_ROWS };

#endif
