/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - evaluates launch programs: extents, bounds, launch variables, host-decided
 * conditions.
 *
 * Pure: reads slots, constants and by-value structs, writes slots. Must never touch an array, and
 * must compute what the kernel's own arithmetic would (base/scalar.h), or refuse.
 */
#include "launch/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

_Static_assert(SCALAR_bool == 0 && SCALAR_u32 == SCALAR_i64 - 1,
               "all below i64 are narrower integers");

void program_begin(const program_state *state)
{
    const mod_entry *entry = state->entry;

    for (uint32_t p = 0; p < entry->param_count; p++)
        state->slots[p] = entry->params[p].kind == MOD_SCALAR ? state->args[p] : 0;
    for (uint32_t k = 0; k < entry->const_count; k++)
        state->slots[entry->consts[k].slot] = entry->consts[k].bits;
}

const char *program_place(const program_state *state, mod_place place, char *out)
{
    if (place.line == 0 || place.file >= state->module->file_count)
        snprintf(out, PROGRAM_PLACE_BYTES, "in %s", state->entry->name);
    else
        snprintf(out, PROGRAM_PLACE_BYTES, "%s:%" PRIu32, state->module->files[place.file],
                 place.line);
    return out;
}

/* A value as a person writes it: floats in decimal. */
static const char *value_text(scalar_type type, uint64_t bits, char out[40])
{
    float narrow;
    double wide;

    if (type == SCALAR_f32) {
        uint32_t low = (uint32_t)bits;
        memcpy(&narrow, &low, sizeof narrow);
        snprintf(out, 40, "%.9g", (double)narrow);
    } else if (type == SCALAR_f64) {
        memcpy(&wide, &bits, sizeof wide);
        snprintf(out, 40, "%.17g", wide);
    } else {
        scalar_print(type, bits, out);
    }
    return out;
}

static const char *sign_of(scalar_op op)
{
    switch (op) {
    case SCALAR_OP_add:
        return "+";
    case SCALAR_OP_sub:
        return "-";
    case SCALAR_OP_mul:
        return "*";
    case SCALAR_OP_div:
        return "/";
    case SCALAR_OP_rem:
        return "%";
    case SCALAR_OP_shl:
        return "<<";
    case SCALAR_OP_shr:
        return ">>";
    case SCALAR_OP_min:
    case SCALAR_OP_max:
    case SCALAR_OP_and:
    case SCALAR_OP_or:
    case SCALAR_OP_xor:
    case SCALAR_OP_eq:
    case SCALAR_OP_ne:
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
    case SCALAR_OP_neg:
    case SCALAR_OP_not:
    case SCALAR_OP_abs:
    case SCALAR_OP_sqrt:
    case SCALAR_OP_floor:
    case SCALAR_OP_ceil:
    case SCALAR_OP_trunc:
    case SCALAR_OP_rint:
    case SCALAR_OP_convert:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_fma:
    case SCALAR_OP_COUNT:
        break;
    }
    return NULL;
}

static slip_status refuse(const program_state *state, const mod_instr *in, uint64_t a, uint64_t b)
{
    char left[40], right[40], place[PROGRAM_PLACE_BYTES];
    const char *what = in->text ? in->text : "an extent or bound";
    const char *sign = sign_of((scalar_op)in->op), *type = scalar_types[in->type].name;

    program_place(state, in->place, place);
    if (in->op == SCALAR_OP_convert)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "`%s` is %s, which %s cannot hold (%s)", what,
                         value_text(in->from, a, left), type, place);
    value_text(in->type, a, left);
    value_text(in->type, b, right);
    if ((in->op == SCALAR_OP_div || in->op == SCALAR_OP_rem) && b == 0)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "`%s` divides by zero: %s %s 0 (%s)", what, left, sign,
                         place);
    if (sign)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "`%s` overflows: %s %s %s does not fit %s (%s)", what,
                         left, sign, right, type, place);
    return SLIP_FAIL(SLIP_ERR_ARGUMENT, "`%s` overflows: %s of %s does not fit %s (%s)", what,
                     scalar_ops[in->op].name, left, type, place);
}

static slip_status read_data(const program_state *state, const mod_instr *in)
{
    uint64_t at = state->slots[in->a];
    uint32_t bytes = scalar_types[in->type].bytes;
    char place[PROGRAM_PLACE_BYTES];

    if (bytes > in->c || at > in->c - bytes)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "`%s` reads byte %" PRIi64 " of a table of %" PRIu32 " bytes (%s)",
                         in->text ? in->text : "a table", (int64_t)at, in->c,
                         program_place(state, in->place, place));
    state->slots[in->dst] = scalar_load(in->type, state->module->data + in->b + at);
    return SLIP_OK;
}

static slip_status eval_scalar(const program_state *state, const mod_instr *in)
{
    scalar_op op = (scalar_op)in->op;
    uint8_t operands = scalar_ops[op].operands;
    uint64_t a = state->slots[in->a];
    uint64_t b = operands > 1 ? state->slots[in->b] : 0;
    uint64_t c = operands > 2 ? state->slots[in->c] : 0;

    if (!in->exact)
        state->slots[in->dst] = scalar_eval(op, in->type, in->from, a, b, c);
    else if (!scalar_eval_exact(op, in->type, in->from, a, b, c, &state->slots[in->dst]))
        return refuse(state, in, a, b);
    return SLIP_OK;
}

/* A narrower integer made an i64 keeps its canonical bits, and always fits: the way of most
 * extents. */
static bool widens(const mod_instr *in)
{
    return in->op == SCALAR_OP_convert && in->type == SCALAR_i64 && in->from < SCALAR_i64;
}

slip_status program_eval(const program_state *state, uint32_t first, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) { /* no instructions: no list either */
        const mod_instr *in = &state->entry->instrs[first + k];
        if (in->op == MOD_OP_MOVE || widens(in))
            state->slots[in->dst] = state->slots[in->a];
        else if (in->op < SCALAR_OP_COUNT)
            SLIP_TRY(eval_scalar(state, in));
        else if (in->op == MOD_OP_MEMBER)
            state->slots[in->dst] =
                scalar_load(in->type, (const uint8_t *)(uintptr_t)state->args[in->a] + in->b);
        else
            SLIP_TRY(read_data(state, in));
    }
    return SLIP_OK;
}

/* What the source says where the slot is made: a parameter's name, or the expression. */
static const char *slot_text(const mod_entry *entry, uint32_t slot)
{
    if (slot < entry->param_count)
        return entry->params[slot].name;
    for (uint32_t k = entry->instr_count; k-- > 0;)
        if (entry->instrs[k].dst == slot && entry->instrs[k].text)
            return entry->instrs[k].text;
    return NULL;
}

static slip_status refuse_extent(const program_state *state, const char *name, mod_place place,
                                 const char *text, int64_t value)
{
    char where[PROGRAM_PLACE_BYTES];

    program_place(state, place, where);
    if (!text)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "an extent of `%s` is negative: %" PRIi64 " (%s)", name,
                         value, where);
    return SLIP_FAIL(SLIP_ERR_ARGUMENT, "extent `%s` of `%s` is negative: %" PRIi64 " (%s)", text,
                     name, value, where);
}

/* "1000 x 2000" */
static void product_text(const program_state *state, const uint32_t *extents, uint32_t rank,
                         char *out, size_t out_bytes)
{
    size_t used = 0;

    for (uint32_t k = 0; k < rank && used < out_bytes; k++)
        used += (size_t)snprintf(out + used, out_bytes - used, "%s%" PRIi64, k ? " * " : "",
                                 (int64_t)state->slots[extents[k]]);
}

slip_status program_bytes(const program_state *state, const char *name, mod_place place,
                          const uint32_t *extents, const char *const *texts, uint32_t rank,
                          uint32_t element_bytes, uint64_t *out)
{
    uint64_t bytes = element_bytes;
    bool fits = true, empty = false;
    char product[128], where[PROGRAM_PLACE_BYTES];

    for (uint32_t k = 0; k < rank; k++) {
        int64_t extent = (int64_t)state->slots[extents[k]];
        if (extent < 0)
            return refuse_extent(state, name, place,
                                 texts ? texts[k] : slot_text(state->entry, extents[k]), extent);
        empty |= extent == 0;
        fits = fits && mem_mul(bytes, (uint64_t)extent, &bytes);
    }
    if (!empty && (!fits || bytes > INT64_MAX)) {
        product_text(state, extents, rank, product, sizeof product);
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "the size of `%s` overflows: %s elements of %" PRIu32 " bytes (%s)", name,
                         product, element_bytes, program_place(state, place, where));
    }
    *out = empty ? 0 : bytes;
    return SLIP_OK;
}
