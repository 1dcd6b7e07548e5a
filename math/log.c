/* SPDX-License-Identifier: Apache-2.0 */
/* log.c - logarithms to the bases e, 2 and 10, and of 1 + x. */
#include "log_parts.h"
#include <slipway/slip_math.h>

/* What a logarithm is where its argument is no positive finite number. */
static inline f32 log_edge_f32(f32 x, f32 value)
{
    return x > 0.0f ? (x == SLIP_INF_F32 ? x : value) : x == 0.0f ? -SLIP_INF_F32 : SLIP_NAN_F32;
}

static inline f64 log_edge_f64(f64 x, f64 value)
{
    return x > 0.0 ? (x == SLIP_INF_F64 ? x : value) : x == 0.0 ? -SLIP_INF_F64 : SLIP_NAN_F64;
}

f32 slip_logf(f32 x)
{
    i32 k;
    const f32 m = split_f32(x, &k);

    return log_edge_f32(x, log_join_f32(k, m - 1.0f, 0.0f));
}

f64 slip_log(f64 x)
{
    i32 k;
    const f64 m = split_f64(x, &k);

    return log_edge_f64(x, log_join_f64(k, m - 1.0, 0.0));
}

/*
 * ln m / ln b as high * c1, which is exact, and a rest: high has half the digits of ln m, c1 half
 * of those of 1 / ln b = c1 + c2. The exponent is worth `whole` + k * `part`.
 */
static inline f32 log_base_f32(f32 f, f32 whole, f32 part, f32 c, f32 c1, f32 c2)
{
    const f32 tail = log_tail_f32(f), ln = f - tail, high = upper_f32(ln);
    const f32 low = ((f - ln) - tail) + (ln - high), main = high * c1, sum = whole + main;

    return sum + (any_sum_rest_f32(whole, main, sum) + (low * c + (high * c2 + part)));
}

static inline f64 log_base_f64(f64 f, f64 whole, f64 part, f64 c, f64 c1, f64 c2)
{
    const f64 tail = log_tail_f64(f), ln = f - tail, high = upper_f64(ln);
    const f64 low = ((f - ln) - tail) + (ln - high), main = high * c1, sum = whole + main;

    return sum + (any_sum_rest_f64(whole, main, sum) + (low * c + (high * c2 + part)));
}

f32 slip_log2f(f32 x)
{
    i32 k;
    const f32 f = split_f32(x, &k) - 1.0f;

    return log_edge_f32(
        x, log_base_f32(f, (f32)k, 0.0f, 0x1.715476p+0f, 0x1.714p+0f, 0x1.47652cp-12f));
}

f64 slip_log2(f64 x)
{
    i32 k;
    const f64 f = split_f64(x, &k) - 1.0;

    return log_edge_f64(x, log_base_f64(f, (f64)k, 0.0, 0x1.71547652b82fep+0, 0x1.715476p+0,
                                        0x1.4ae0bf85ddf44p-26));
}

f32 slip_log10f(f32 x)
{
    i32 k;
    const f32 f = split_f32(x, &k) - 1.0f, n = (f32)k;

    return log_edge_f32(x, log_base_f32(f, n * 0x1.344p-2f, n * 0x1.3509f8p-18f, 0x1.bcb7b2p-2f,
                                        0x1.bcap-2f, 0x1.7b1526p-14f));
}

f64 slip_log10(f64 x)
{
    i32 k;
    const f64 f = split_f64(x, &k) - 1.0, n = (f64)k;

    return log_edge_f64(x,
                        log_base_f64(f, n * 0x1.34413509f6p-2, n * 0x1.9fef311f12b36p-42,
                                     0x1.bcb7b1526e50ep-2, 0x1.bcb7b1p-2, 0x1.49b9438ca9aaep-28));
}

f32 slip_log1pf(f32 x)
{
    const f32 value = with_sign_f32(log1p_sum_f32(x, 0.0f), x);

    return x > -1.0f ? (x == SLIP_INF_F32 ? x : value) : x == -1.0f ? -SLIP_INF_F32 : SLIP_NAN_F32;
}

f64 slip_log1p(f64 x)
{
    const f64 value = with_sign_f64(log1p_sum_f64(x, 0.0), x);

    return x > -1.0 ? (x == SLIP_INF_F64 ? x : value) : x == -1.0 ? -SLIP_INF_F64 : SLIP_NAN_F64;
}
