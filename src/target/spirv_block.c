/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_block.c - copies of whole aggregates, and fills of bytes.
 *
 * A copy goes scalar by scalar, whatever spaces it leads between; long arrays by a loop. A fill of
 * device memory stores the widest units that fit; one of a variable stores its scalars, each with
 * the byte repeated, and the low bytes of the last one where the fill ends inside it.
 */
#include "target/spirv_emit.h"

enum { UNROLLED = 8 };

/* ---- loops over elements ---- */

typedef struct counter {
    spirv_id var, value;
    spirv_own_loop loop;
} counter;

static void counter_begin(spirv_emit *e, counter *c, uint64_t count)
{
    spirv_id u32 = spirv_type(e, SPIRV_U32);

    c->var = spirv_variable(e, u32, 0);
    uint32_t start[2] = { c->var, spirv_u32(e, 0) };
    spirv_line(e, SPIRV_Store, start, 2);
    spirv_own_loop_begin(e, &c->loop);
    c->value = spirv_make1(e, SPIRV_Load, u32, c->var);
    spirv_own_loop_until(e, &c->loop,
                         spirv_make2(e, SPIRV_UGreaterThanEqual, spirv_type(e, SPIRV_BOOL),
                                     c->value, spirv_u32(e, (uint32_t)count)));
}

static void counter_end(spirv_emit *e, counter *c)
{
    spirv_id next = spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U32), c->value, spirv_u32(e, 1));
    uint32_t step[2] = { c->var, next };

    spirv_line(e, SPIRV_Store, step, 2);
    spirv_own_loop_end(e, &c->loop);
}

/* ---- copy ---- */

static void copy_places(spirv_emit *e, const spirv_place *to, const spirv_place *from);

static void copy_places(spirv_emit *e, const spirv_place *to, const spirv_place *from)
{
    const ir_type *type = to->type;
    spirv_place a, b;
    counter c;

    switch (type->kind) {
    case IR_VOID:
        break;
    case IR_SCALAR:
    case IR_PTR:
        spirv_place_store(e, to, spirv_place_load(e, from));
        break;
    case IR_STRUCT:
        for (uint32_t i = 0; i < type->field_count; i++) {
            a = spirv_place_member(e, to, i);
            b = spirv_place_member(e, from, i);
            copy_places(e, &a, &b);
        }
        break;
    case IR_ARRAY:
        if (type->count <= UNROLLED) {
            for (uint32_t k = 0; k < type->count; k++) {
                a = spirv_place_nth(e, to, k);
                b = spirv_place_nth(e, from, k);
                copy_places(e, &a, &b);
            }
            break;
        }
        counter_begin(e, &c, type->count);
        a = spirv_place_element(e, to, c.value);
        b = spirv_place_element(e, from, c.value);
        copy_places(e, &a, &b);
        counter_end(e, &c);
        break;
    }
}

void spirv_copy(spirv_emit *e, const ir_op *op)
{
    spirv_place to = spirv_place_of(e, op->in[0]), from = spirv_place_of(e, op->in[1]);

    copy_places(e, &to, &from);
}

/* ---- fill ---- */

/* The byte, in each byte of a word. */
static spirv_id repeated(spirv_emit *e, const ir_op *byte)
{
    if (byte->code == IR_const)
        return spirv_u32(e, (uint32_t)byte->bits * 0x01010101u);
    return spirv_make2(e, SPIRV_IMul, spirv_type(e, SPIRV_U32), spirv_value(e, byte),
                       spirv_u32(e, 0x01010101u));
}

/* What memory full of the byte holds as a value of a type. */
static spirv_id value_of(spirv_emit *e, scalar_type type, spirv_id word)
{
    if (scalar_types[type].bytes == 8)
        word = word == spirv_u32(e, 0) ? spirv_u64(e, 0) : spirv_join(e, word, word);
    else if (type != SCALAR_bool)
        word = spirv_narrow(e, type, word);
    return spirv_from_bits(e, type, word);
}

/* The low bytes of a scalar in a variable. */
static void fill_part(spirv_emit *e, const spirv_place *p, scalar_type type, spirv_id word,
                      uint64_t bytes)
{
    scalar_type whole = scalar_types[type].bytes == 8   ? SCALAR_u64
                        : scalar_types[type].bytes == 4 ? SCALAR_u32
                                                        : SCALAR_u16;
    uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    spirv_id old = spirv_to_bits(e, type, spirv_place_load(e, p));
    spirv_id above = spirv_integer(e, SCALAR_OP_and, whole, old,
                                   spirv_const(e, whole, scalar_canonical(whole, ~mask)));
    spirv_id below = spirv_integer(e, SCALAR_OP_and, whole, value_of(e, whole, word),
                                   spirv_const(e, whole, mask));
    spirv_id joined = spirv_integer(e, SCALAR_OP_or, whole, above, below);

    spirv_place_store(e, p, spirv_from_bits(e, type, spirv_narrow(e, type, joined)));
}

static void fill_place(spirv_emit *e, const spirv_place *p, spirv_id word, uint64_t bytes);

/* `bytes` from the first of many elements of p's type on. */
static void fill_elements(spirv_emit *e, const spirv_place *p, spirv_id word, uint64_t bytes)
{
    uint64_t size = p->type->size, count = bytes / size, rest = bytes % size;
    spirv_place q;
    counter c;

    if (count <= UNROLLED) {
        for (uint32_t k = 0; k < count; k++) {
            q = spirv_place_further(e, p, spirv_u32(e, k));
            fill_place(e, &q, word, size);
        }
    } else {
        counter_begin(e, &c, count);
        q = spirv_place_further(e, p, c.value);
        fill_place(e, &q, word, size);
        counter_end(e, &c);
    }
    if (rest) {
        q = spirv_place_further(e, p, spirv_u32(e, (uint32_t)count));
        fill_place(e, &q, word, rest);
    }
}

static void fill_place(spirv_emit *e, const spirv_place *p, spirv_id word, uint64_t bytes)
{
    const ir_type *type = p->type;
    scalar_type scalar = type->kind == IR_PTR ? SCALAR_u64 : type->scalar;
    spirv_place q;

    switch (type->kind) {
    case IR_VOID:
        break;
    case IR_SCALAR:
    case IR_PTR:
        if (bytes < type->size)
            fill_part(e, p, scalar, word, bytes);
        else
            spirv_place_store(e, p, value_of(e, scalar, word));
        break;
    case IR_STRUCT:
        for (uint32_t i = 0; i < type->field_count && type->fields[i].offset < bytes; i++) {
            uint64_t size = type->fields[i].type->size, left = bytes - type->fields[i].offset;
            q = spirv_place_member(e, p, i);
            fill_place(e, &q, word, left < size ? left : size);
        }
        break;
    case IR_ARRAY:
        q = spirv_place_element(e, p, spirv_u32(e, 0));
        fill_elements(e, &q, word, bytes);
        break;
    }
}

/* Units that the address is aligned to and that the bytes are made of. */
static void fill_memory(spirv_emit *e, spirv_id address, const ir_type *type, spirv_id word,
                        uint64_t bytes)
{
    static const scalar_type units[9] = {
        [1] = SCALAR_u8, [2] = SCALAR_u16, [4] = SCALAR_u32, [8] = SCALAR_u64
    };
    spirv_id u64 = spirv_type(e, SPIRV_U64);
    uint64_t unit = 8;
    counter c;

    while (unit > 1 && (type->align % unit || bytes % unit))
        unit /= 2;
    spirv_id value = value_of(e, units[unit], word);
    if (bytes / unit <= UNROLLED) {
        for (uint64_t k = 0; k < bytes / unit; k++)
            spirv_store_at(e, units[unit], spirv_add_bytes(e, address, k * unit), value, false);
        return;
    }
    counter_begin(e, &c, bytes / unit);
    spirv_id offset = spirv_make2(e, SPIRV_IMul, u64, spirv_make1(e, SPIRV_UConvert, u64, c.value),
                                  spirv_u64(e, unit));
    spirv_store_at(e, units[unit], spirv_make2(e, SPIRV_IAdd, u64, address, offset), value, false);
    counter_end(e, &c);
}

void spirv_fill(spirv_emit *e, const ir_op *op)
{
    spirv_place p = spirv_place_of(e, op->in[0]);
    spirv_id word = repeated(e, op->in[1]);

    if (op->bytes == 0)
        return;
    if (p.kind == SPIRV_AT_ADDRESS)
        fill_memory(e, spirv_add_bytes(e, p.base, p.bytes), p.type, word, op->bytes);
    else if (p.flat)
        fill_elements(e, &p, word, op->bytes);
    else
        fill_place(e, &p, word, op->bytes < p.type->size ? op->bytes : p.type->size);
}
