/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_convert.c - conversions between scalar types; float to integer truncates, saturates and
 * turns NaN into 0 (LANGUAGE rules 3 and 26).
 *
 * Where the target has no saturating conversion, the value is brought into range before the plain
 * conversion, or the result is chosen where it was not in range: a plain conversion out of
 * range is poison to LLVM, so it may only reach the arm of a select that is not taken.
 */
#include "target/llvm_emit.h"

#include <math.h>
#include <string.h>

static uint64_t float_bits(scalar_type type, double value)
{
    float narrow = (float)value;
    uint32_t low;
    uint64_t bits;

    if (type == SCALAR_f32) {
        memcpy(&low, &narrow, sizeof low);
        return low;
    }
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void saturate_by_hand(llvm_emit *e, const char *dst, scalar_type to, scalar_type from,
                             const char *a)
{
    uint32_t width = 8u * scalar_types[to].bytes, held = width < 32 ? 32 : width;
    bool is_signed = scalar_types[to].is_signed;
    int power = (int)width - (is_signed ? 1 : 0);
    bool top_exact = power <= (from == SCALAR_f32 ? 24 : 53);
    const char *type = llvm_scalar_name(from), *whole = llvm_name(e, "i%u", held);
    const char *bottom = llvm_const(e, from, float_bits(from, is_signed ? -ldexp(1, power) : 0.0));
    const char *low = llvm_temp(e), *from_low = llvm_temp(e);
    const char *in_range = from_low, *raw = llvm_temp(e), *chosen = raw;

    /* A NaN compares false and becomes the lowest value: 0 already, for unsigned types. */
    llvm_line(e, "%s = fcmp ogt %s %s, %s", low, type, a, bottom);
    llvm_line(e, "%s = select i1 %s, %s %s, %s %s", from_low, low, type, a, type, bottom);
    if (top_exact) {
        const char *top = llvm_const(e, from, float_bits(from, ldexp(1, power) - 1));
        const char *high = llvm_temp(e), *clamped = llvm_temp(e);
        llvm_line(e, "%s = fcmp olt %s %s, %s", high, type, from_low, top);
        llvm_line(e, "%s = select i1 %s, %s %s, %s %s", clamped, high, type, from_low, type, top);
        in_range = clamped;
    }
    llvm_line(e, "%s = %s %s %s to %s", raw, is_signed || width < 32 ? "fptosi" : "fptoui", type,
              in_range, whole);
    if (!top_exact) {
        const char *limit = llvm_const(e, from, float_bits(from, ldexp(1, power)));
        const char *over = llvm_temp(e), *kept = llvm_temp(e);
        uint64_t highest = UINT64_MAX >> (64 - power);
        llvm_line(e, "%s = fcmp oge %s %s, %s", over, type, a, limit);
        llvm_line(e, "%s = select i1 %s, %s %s, %s %s", kept, over, whole,
                  llvm_const(e, SCALAR_u64, highest), whole, raw);
        chosen = kept;
    }
    if (is_signed) {
        const char *number = llvm_temp(e), *kept = llvm_temp(e);
        llvm_line(e, "%s = fcmp ord %s %s, %s", number, type, a, a);
        llvm_line(e, "%s = select i1 %s, %s %s, %s 0", kept, number, whole, chosen, whole);
        chosen = kept;
    }
    if (held != width)
        llvm_line(e, "%s = trunc %s %s to i%u", dst, whole, chosen, width);
    else
        llvm_line(e, "%s = add %s %s, 0", dst, whole, chosen);
}

static void float_to_int(llvm_emit *e, const char *dst, scalar_type to, scalar_type from,
                         const char *a)
{
    if (!e->row->saturates) {
        saturate_by_hand(e, dst, to, from, a);
        return;
    }
    llvm_line(e, "%s = call %s @llvm.%s.sat.%s.%s(%s %s)", dst, llvm_scalar_name(to),
              scalar_types[to].is_signed ? "fptosi" : "fptoui", llvm_scalar_name(to),
              from == SCALAR_f32 ? "f32" : "f64", llvm_scalar_name(from), a);
}

void llvm_convert(llvm_emit *e, const char *dst, scalar_type to, scalar_type from, const char *a)
{
    const char *src = llvm_scalar_name(from), *type = llvm_scalar_name(to);
    bool from_float = scalar_types[from].is_float, to_float = scalar_types[to].is_float;
    bool from_signed = scalar_types[from].is_signed;
    uint32_t from_bytes = scalar_types[from].bytes, to_bytes = scalar_types[to].bytes;

    if (to == from)
        llvm_line(e, "%s = select i1 true, %s %s, %s %s", dst, type, a, type, a);
    else if (to == SCALAR_bool && from_float)
        llvm_line(e, "%s = fcmp une %s %s, 0.0", dst, src, a);
    else if (to == SCALAR_bool)
        llvm_line(e, "%s = icmp ne %s %s, 0", dst, src, a);
    else if (from_float && to_float)
        llvm_line(e, "%s = %s %s %s to %s", dst, to == SCALAR_f64 ? "fpext" : "fptrunc", src, a,
                  type);
    else if (from_float)
        float_to_int(e, dst, to, from, a);
    else if (to_float)
        llvm_line(e, "%s = %s %s %s to %s", dst, from_signed ? "sitofp" : "uitofp", src, a, type);
    else if (from == SCALAR_bool || to_bytes > from_bytes)
        llvm_line(e, "%s = %s %s %s to %s", dst, from_signed ? "sext" : "zext", src, a, type);
    else if (to_bytes < from_bytes)
        llvm_line(e, "%s = trunc %s %s to %s", dst, src, a, type);
    else
        llvm_line(e, "%s = add %s %s, 0", dst, type, a);
}
