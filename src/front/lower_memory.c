/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_memory.c - memcpy and memset of a constant size: whole elements, one after another; between
 * numbers of different size by their bits, lowest first.
 */
#include "front/lower.h"

static bool constant_size(lower *l, node *n, uint64_t *bytes)
{
    if (constant_value(l->f, n->kids[2], SCALAR_u64, bytes))
        return true;
    front_error(l->f, n->kids[2]->place, "write a loop", "`%s` of a size that is no constant",
                n->decl->name);
    return false;
}

static spot whole(lower *l, const spot *p, ir_op *k)
{
    spot at = *p;
    at.type = ftype_inner(p->type);
    at.offset = at.offset ? lower_binary(l, SCALAR_OP_add, at.offset, k) : k;
    return at;
}

static void copy_one(lower *l, const spot *to, const spot *from, ir_op *k)
{
    spot a = whole(l, to, k), b = whole(l, from, k);

    if (a.type->kind == FT_STRUCT)
        lower_copy(l, a, b);
    else
        lower_store(l, a, ir_bitcast(&l->b, a.type->scalar, lower_load(l, b)));
}

static void copy_loop(lower *l, const spot *to, const spot *from, uint64_t count)
{
    ir_op *k = ir_var(&l->b, ir_type_scalar(l->f->m, SCALAR_i64), ".k");
    ir_store(&l->b, k, ir_const_i64(&l->b, 0));
    ir_op *op = ir_loop(&l->b);
    ir_enter(&l->b, op, 0);
    ir_op *done =
        ir_binary(&l->b, SCALAR_OP_le, ir_const_i64(&l->b, (int64_t)count), ir_load(&l->b, k));
    ir_op *leave = ir_if(&l->b, done, ir_type_void(l->f->m));
    ir_enter(&l->b, leave, 0);
    ir_break(&l->b, 1);
    ir_leave(&l->b, leave);
    copy_one(l, to, from, ir_load(&l->b, k));
    ir_enter(&l->b, op, 1);
    ir_store(&l->b, k, ir_binary(&l->b, SCALAR_OP_add, ir_load(&l->b, k), ir_const_i64(&l->b, 1)));
    ir_leave(&l->b, op);
}

/* The unsigned type of so many bytes. */
static const scalar_type by_bytes[9] = {
    [1] = SCALAR_u8, [2] = SCALAR_u16, [4] = SCALAR_u32, [8] = SCALAR_u64
};

/* An element's bits as u64, and an element made of bits: any scalar type. */
static ir_op *element_bits(lower *l, const spot *p, ir_op *k)
{
    spot at = whole(l, p, k);
    ir_op *value = lower_load(l, at);
    if (at.type->scalar == SCALAR_bool)
        return lower_convert(l, SCALAR_u64, value);
    return lower_convert(l, SCALAR_u64, ir_bitcast(&l->b, by_bytes[at.type->ir->size], value));
}

static void store_bits(lower *l, const spot *p, ir_op *k, ir_op *bits)
{
    spot at = whole(l, p, k);
    ir_op *cut = lower_convert(l, by_bytes[at.type->ir->size], bits);
    lower_store(l, at,
                at.type->scalar == SCALAR_bool ? lower_convert(l, SCALAR_bool, cut)
                                               : ir_bitcast(&l->b, at.type->scalar, cut));
}

/* Element sizes differ: one wide element at a time, its narrow ones lowest first. */
static void copy_reshaped(lower *l, const spot *to, const spot *from, uint64_t bytes)
{
    uint64_t a = ftype_inner(to->type)->ir->size, b = ftype_inner(from->type)->ir->size;
    uint64_t wide = a > b ? a : b, narrow = a > b ? b : a;

    for (uint64_t at = 0; at < bytes; at += wide) {
        ir_op *bits = b > a ? element_bits(l, from, ir_const_i64(&l->b, (int64_t)(at / b)))
                            : ir_const(&l->b, SCALAR_u64, 0);
        for (uint64_t k = 0; k < wide; k += narrow) {
            ir_op *shift = ir_const(&l->b, SCALAR_u64, 8 * k);
            ir_op *which = ir_const_i64(&l->b, (int64_t)((at + k) / narrow));
            if (b > a)
                store_bits(l, to, which, ir_binary(&l->b, SCALAR_OP_shr, bits, shift));
            else
                bits =
                    ir_binary(&l->b, SCALAR_OP_or, bits,
                              ir_binary(&l->b, SCALAR_OP_shl, element_bits(l, from, which), shift));
        }
        if (a > b)
            store_bits(l, to, ir_const_i64(&l->b, (int64_t)(at / a)), bits);
    }
}

enum { RESHAPE_MOST_BYTES = 256 };

void lower_memcpy(lower *l, node *n)
{
    spot to = lower_pointer(l, n->kids[0]), from = lower_pointer(l, n->kids[1]);
    const ftype *a = ftype_inner(to.type), *b = ftype_inner(from.type);
    uint64_t bytes;

    if (!constant_size(l, n, &bytes) || bytes == 0)
        return;
    bool numbers = a->kind == FT_SCALAR && b->kind == FT_SCALAR;
    bool same = a->kind == FT_STRUCT && a->ir == b->ir;
    uint64_t wide = numbers || same ? (a->ir->size > b->ir->size ? a->ir->size : b->ir->size) : 0;
    bool reshaped = numbers && a->ir->size != b->ir->size;
    if (wide == 0 || bytes % wide || (reshaped && bytes > RESHAPE_MOST_BYTES)) {
        front_error(l->f, n->place, "copy element by element",
                    "memcpy of %llu bytes from %s to %s: whole numbers or one kind of struct can "
                    "be copied%s",
                    (unsigned long long)bytes, ftype_text(l->f, b), ftype_text(l->f, a),
                    reshaped ? ", and at most 256 bytes between numbers of different size" : "");
        return;
    }
    l->b.place = n->place;
    if (reshaped) {
        copy_reshaped(l, &to, &from, bytes);
        return;
    }
    uint64_t count = bytes / wide;
    if (count > 8) {
        copy_loop(l, &to, &from, count);
        return;
    }
    for (uint64_t k = 0; k < count; k++)
        copy_one(l, &to, &from, ir_const_i64(&l->b, (int64_t)k));
}

void lower_memset(lower *l, node *n)
{
    spot to = lower_pointer(l, n->kids[0]);
    ir_op *value =
        lower_convert(l, SCALAR_u8, lower_convert(l, SCALAR_u32, lower_value(l, n->kids[1])));
    uint64_t bytes;

    if (!constant_size(l, n, &bytes))
        return;
    ir_op *in[2] = { lower_address(l, to), value };
    l->b.place = n->place;
    ir_op *op = ir_build(&l->b, IR_fill, ir_type_void(l->f->m), in, 2);
    op->bytes = bytes;
}
