/* SPDX-License-Identifier: Apache-2.0 */
/*
 * approximate.c - a library (edit.h) behind which a device is what most GPUs are in f32: fma is
 * fused, and a quotient, a root or an inverse root is often the float beside the right one, as
 * Vulkan lets it be (Vulkan 1.3, "Precision of Core SPIR-V Instructions").
 *
 * SLIPWAY_TEST_APPROXIMATE=0 leaves the quotients and roots as they are. An fma becomes a product
 * in f64, which is exact, and a sum whose last bit tells what it lost, so that f32 rounds once; the
 * device needs f64. Which results are off, and to which side, is drawn from their bits.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "target/spirv_spec.h"
#include "vulkan/edit.h"

enum { OP_DECORATE = 71, NO_CONTRACTION = 42, MOST_WORDS = 128 }; /* of an edited instruction */

typedef struct edit {
    edit_words made;
    uint32_t *notes; /* decorations, which stand before the types */
    size_t note_count, notes_at;
    bool off, has_f64, ready;
    uint32_t flag, f32, f64, u32, u64; /* types, 0: the shader has none */
    uint32_t one, zero, one64, minus_one64, least, span, scramble, thirty, last;
} edit;

static uint32_t put1(edit *e, uint32_t op, uint32_t type, uint32_t a)
{
    PUT(op, type, e->made.bound, a);
    return e->made.bound++;
}

static uint32_t put2(edit *e, uint32_t op, uint32_t type, uint32_t a, uint32_t b)
{
    PUT(op, type, e->made.bound, a, b);
    return e->made.bound++;
}

/* Of f64, rounded as it stands. */
static uint32_t exact(edit *e, uint32_t op, uint32_t a, uint32_t b)
{
    const uint32_t note[3] = { 3u << 16 | OP_DECORATE, e->made.bound, NO_CONTRACTION };

    memcpy(e->notes + e->note_count, note, sizeof note);
    e->note_count += 3;
    return put2(e, op, e->f64, a, b);
}

static uint32_t choose(edit *e, uint32_t type, uint32_t is, uint32_t yes, uint32_t no)
{
    PUT(SPIRV_Select, type, e->made.bound, is, yes, no);
    return e->made.bound++;
}

/* What a + b lost when it became `sum`: Knuth's two-sum, exact but where something overflows. */
static uint32_t lost_of(edit *e, uint32_t a, uint32_t b, uint32_t sum)
{
    uint32_t of_b = exact(e, SPIRV_FSub, sum, a), of_a = exact(e, SPIRV_FSub, sum, of_b);

    return exact(e, SPIRV_FAdd, exact(e, SPIRV_FSub, a, of_a), exact(e, SPIRV_FSub, b, of_b));
}

/* x y + z: the sum in f64, rounded to odd, keeps enough for f32 to round right. */
static void put_fused(edit *e, uint32_t id, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t a = exact(e, SPIRV_FMul, put1(e, SPIRV_FConvert, e->f64, x),
                       put1(e, SPIRV_FConvert, e->f64, y));
    uint32_t b = put1(e, SPIRV_FConvert, e->f64, z), sum = exact(e, SPIRV_FAdd, a, b);
    uint32_t lost = lost_of(e, a, b, sum), bits = put1(e, SPIRV_Bitcast, e->u64, sum);
    uint32_t above = put2(e, SPIRV_FOrdLessThan, e->flag, e->zero, lost);
    uint32_t below = put2(e, SPIRV_FOrdLessThan, e->flag, lost, e->zero);
    uint32_t plus = put2(e, SPIRV_FOrdLessThan, e->flag, e->zero, sum);
    uint32_t away = put2(e, SPIRV_LogicalEqual, e->flag, above, plus);
    uint32_t inexact = put2(e, SPIRV_LogicalOr, e->flag, above, below);
    uint32_t odd =
        put2(e, SPIRV_IEqual, e->flag, put2(e, SPIRV_BitwiseAnd, e->u64, bits, e->one64), e->one64);
    uint32_t next =
        put2(e, SPIRV_IAdd, e->u64, bits, choose(e, e->u64, away, e->one64, e->minus_one64));
    uint32_t kept =
        put2(e, SPIRV_LogicalOr, e->flag, odd, put1(e, SPIRV_LogicalNot, e->flag, inexact));

    PUT(SPIRV_FConvert, e->f32, id,
        put1(e, SPIRV_Bitcast, e->f64, choose(e, e->u64, kept, bits, next)));
}

static uint32_t size_of(edit *e, uint32_t x)
{
    uint32_t bits = put1(e, SPIRV_Bitcast, e->u32, x);

    return put1(e, SPIRV_Bitcast, e->f32, put2(e, SPIRV_BitwiseAnd, e->u32, bits, e->last));
}

/* x, or a float beside it, where all of them are normal. */
static void put_near(edit *e, uint32_t id, uint32_t x)
{
    uint32_t bits = put1(e, SPIRV_Bitcast, e->u32, x);
    uint32_t drawn = put2(e, SPIRV_ShiftRightLogical, e->u32,
                          put2(e, SPIRV_IMul, e->u32, bits, e->scramble), e->thirty);
    uint32_t side = put2(e, SPIRV_ISub, e->u32, put2(e, SPIRV_BitwiseAnd, e->u32, drawn, e->one),
                         put2(e, SPIRV_ShiftRightLogical, e->u32, drawn, e->one));
    uint32_t above =
        put2(e, SPIRV_ISub, e->u32, put2(e, SPIRV_BitwiseAnd, e->u32, bits, e->last), e->least);
    uint32_t taken = put2(e, SPIRV_ULessThan, e->flag, above, e->span);

    PUT(SPIRV_Bitcast, e->f32, id,
        choose(e, e->u32, taken, put2(e, SPIRV_IAdd, e->u32, bits, side), bits));
}

static uint32_t type(edit *e, uint32_t op, uint32_t width)
{
    if (op == SPIRV_TypeInt)
        PUT(op, e->made.bound, width, 0);
    else if (op == SPIRV_TypeFloat)
        PUT(op, e->made.bound, width);
    else
        PUT(op, e->made.bound);
    return e->made.bound++;
}

static uint32_t constant(edit *e, uint32_t type, uint64_t value)
{
    PUT(SPIRV_Constant, type, e->made.bound, (uint32_t)value);
    if (type == e->u64 || type == e->f64) {
        e->made.out[e->made.count - 4] += 1u << 16;
        e->made.out[e->made.count++] = (uint32_t)(value >> 32);
    }
    return e->made.bound++;
}

/* Before the first function: what the shader lacks. */
static void get_ready(edit *e)
{
    e->flag = e->flag ? e->flag : type(e, SPIRV_TypeBool, 0);
    e->u32 = e->u32 ? e->u32 : type(e, SPIRV_TypeInt, 32);
    e->u64 = e->u64 ? e->u64 : type(e, SPIRV_TypeInt, 64);
    e->f64 = e->f64 ? e->f64 : type(e, SPIRV_TypeFloat, 64);
    e->zero = constant(e, e->f64, 0);
    e->one64 = constant(e, e->u64, 1);
    e->minus_one64 = constant(e, e->u64, UINT64_MAX);
    e->one = constant(e, e->u32, 1);
    e->thirty = constant(e, e->u32, 30);
    e->scramble = constant(e, e->u32, 0x9e3779b1);
    e->last = constant(e, e->u32, 0x7fffffff);
    e->least = constant(e, e->u32, 2u << 23);
    e->span = constant(e, e->u32, 252u << 23);
    e->ready = true;
}

static void look(edit *e, const uint32_t *w)
{
    uint32_t op = w[0] & 0xffff;

    if (op == SPIRV_Capability && w[1] == SPIRV_CAP_FLOAT64)
        e->has_f64 = true;
    if (op == SPIRV_TypeBool)
        e->flag = w[1];
    if (op == SPIRV_TypeFloat)
        *(w[2] == 32 ? &e->f32 : &e->f64) = w[1];
    if (op == SPIRV_TypeInt && w[3] == 0 && w[2] >= 32)
        *(w[2] == 32 ? &e->u32 : &e->u64) = w[1];
}

static bool is_root(const uint32_t *w)
{
    return (w[0] & 0xffff) == SPIRV_ExtInst &&
           (w[4] == SPIRV_GLSL_SQRT || w[4] == SPIRV_GLSL_INVERSE_SQRT);
}

static void edit_one(edit *e, const uint32_t *w)
{
    uint32_t op = w[0] & 0xffff, length = w[0] >> 16, made[8];

    if (op == SPIRV_TypeVoid && e->notes_at == 0)
        e->notes_at = e->made.count;
    if (op == SPIRV_Function && !e->ready)
        get_ready(e);
    bool of_f32 = length > 2 && (op == SPIRV_ExtInst || op == SPIRV_FDiv) && w[1] == e->f32;
    if (of_f32 && op == SPIRV_ExtInst && w[4] == SPIRV_GLSL_FMA) {
        put_fused(e, w[2], w[5], w[6], w[7]);
    } else if (of_f32 && e->off && (op == SPIRV_FDiv || is_root(w))) {
        memcpy(made, w, length * sizeof *w);
        made[2] = e->made.bound++;
        if (op == SPIRV_ExtInst && w[4] == SPIRV_GLSL_INVERSE_SQRT)
            made[5] = size_of(e, w[5]); /* a negative number's is undefined */
        edit_put(&e->made, op, length - 1, made + 1);
        put_near(e, w[2], made[2]);
    } else {
        edit_put(&e->made, op, length - 1, w + 1);
    }
}

static void put_notes(edit *e)
{
    uint32_t *at = e->made.out + e->notes_at;

    memmove(at + e->note_count, at, (e->made.count - e->notes_at) * sizeof *at);
    memcpy(at, e->notes, e->note_count * sizeof *at);
    e->made.count += e->note_count;
}

uint32_t *edit_shader(const uint32_t *words, size_t count, size_t *out_count)
{
    const char *off = getenv("SLIPWAY_TEST_APPROXIMATE");
    edit e = { .made.bound = words[EDIT_BOUND], .off = !off || strcmp(off, "0") != 0 };

    e.made.out = calloc(256 + MOST_WORDS * count, sizeof *e.made.out);
    e.notes = calloc(32 * count, sizeof *e.notes);
    if (!e.made.out || !e.notes)
        abort();
    memcpy(e.made.out, words, EDIT_HEADER * sizeof *words);
    e.made.count = EDIT_HEADER;
    for (size_t at = EDIT_HEADER; at < count; at += words[at] >> 16)
        look(&e, words + at);
    if (!e.has_f64) {
        const uint32_t capability = SPIRV_CAP_FLOAT64;
        edit_put(&e.made, SPIRV_Capability, 1, &capability);
    }
    for (size_t at = EDIT_HEADER; at < count; at += words[at] >> 16)
        edit_one(&e, words + at);
    put_notes(&e);
    e.made.out[EDIT_BOUND] = e.made.bound;
    free(e.notes);
    *out_count = e.made.count;
    return e.made.out;
}
