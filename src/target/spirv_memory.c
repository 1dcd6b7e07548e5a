/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_memory.c - variables, addresses, loads and stores of scalars.
 *
 * Device memory is reached through pointers made of 64-bit addresses at each access (SPIR-V 1.5,
 * OpConvertUToPtr), always to an integer of the scalar's width and aligned to it. It is the member
 * of a struct and reached by an access chain: GPU-assisted validation looks at no other accesses
 * (SPIRV-Tools, inst_buff_addr_check_pass.cpp). bool is a byte: stored as 0 or 1, any non-zero one
 * read is true.
 */
#include "target/spirv_emit.h"

/* A struct of one such integer, with a layout. */
static spirv_id block_of(spirv_emit *e, spirv_base base)
{
    if (e->blocks[base] == 0) {
        uint32_t type[2] = { spirv_new(e), spirv_type(e, base) };
        uint32_t offset[4] = { type[0], 0, SPIRV_DECORATE_OFFSET, 0 };
        spirv_words_put(&e->words[SPIRV_IN_GLOBALS], SPIRV_TypeStruct, type, 2);
        spirv_decorate(e, type[0], SPIRV_DECORATE_BLOCK, 0);
        spirv_words_put(&e->words[SPIRV_IN_ANNOTATIONS], SPIRV_MemberDecorate, offset, 4);
        e->blocks[base] = type[0];
    }
    return e->blocks[base];
}

spirv_id spirv_pointer(spirv_emit *e, spirv_base base, spirv_id address)
{
    spirv_id block = spirv_type_ptr(e, SPIRV_PHYSICAL, block_of(e, base));

    block = spirv_make1(e, SPIRV_ConvertUToPtr, block, address);
    return spirv_make2(e, SPIRV_AccessChain, spirv_type_ptr(e, SPIRV_PHYSICAL, spirv_type(e, base)),
                       block, spirv_u32(e, 0));
}

static uint32_t access_flags(bool is_volatile)
{
    return SPIRV_ACCESS_ALIGNED | (is_volatile ? SPIRV_ACCESS_VOLATILE : 0);
}

spirv_id spirv_load_at(spirv_emit *e, scalar_type type, spirv_id address, bool is_volatile)
{
    spirv_base base = spirv_memory_base(type);
    spirv_id value =
        spirv_make3(e, SPIRV_Load, spirv_type(e, base), spirv_pointer(e, base, address),
                    access_flags(is_volatile), scalar_types[type].bytes);

    if (base == SPIRV_U8 || base == SPIRV_U16)
        value = spirv_make1(e, scalar_types[type].is_signed ? SPIRV_SConvert : SPIRV_UConvert,
                            spirv_type(e, SPIRV_U32), value);
    return spirv_from_bits(e, type, value);
}

void spirv_store_at(spirv_emit *e, scalar_type type, spirv_id address, spirv_id value,
                    bool is_volatile)
{
    spirv_base base = spirv_memory_base(type);

    value = spirv_to_bits(e, type, value);
    if (base == SPIRV_U8 || base == SPIRV_U16)
        value = spirv_make1(e, SPIRV_UConvert, spirv_type(e, base), value);
    uint32_t operands[4] = { spirv_pointer(e, base, address), value, access_flags(is_volatile),
                             scalar_types[type].bytes };
    spirv_line(e, SPIRV_Store, operands, 4);
}

/* value * by, as few instructions as it takes */
static spirv_id scaled(spirv_emit *e, spirv_id value, uint64_t by)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64);
    uint32_t shift = 0;

    if (by == 1)
        return value;
    if (by & (by - 1))
        return spirv_make2(e, SPIRV_IMul, u64, value, spirv_u64(e, by));
    while (by >> shift > 1)
        shift++;
    return spirv_make2(e, SPIRV_ShiftLeftLogical, u64, value, spirv_u32(e, shift));
}

enum { MOST_DEPTH = 6 };

/* An address: a sum of multiples, and a constant that is added last, so that neighbours differ in
 * it alone and a device can take it into its load. All of it wraps, as 64-bit indices do. */
typedef struct linear {
    spirv_emit *e;
    spirv_id sum;
    uint64_t constant;
} linear;

static void add_multiple(linear *l, const ir_op *index, uint64_t by, uint32_t depth)
{
    const ir_op *a = index->in_count == 2 ? index->in[0] : NULL;
    const ir_op *b = a ? index->in[1] : NULL;

    if (by == 0)
        return;
    if (index->code == IR_const) {
        l->constant += index->bits * by;
    } else if (depth > 0 && (index->code == IR_add || index->code == IR_sub)) {
        add_multiple(l, a, by, depth - 1);
        add_multiple(l, b, index->code == IR_add ? by : 0 - by, depth - 1);
    } else if (depth > 0 && index->code == IR_mul && b->code == IR_const) {
        add_multiple(l, a, by * b->bits, depth - 1);
    } else if (depth > 0 && index->code == IR_mul && a->code == IR_const) {
        add_multiple(l, b, by * a->bits, depth - 1);
    } else {
        spirv_id term = scaled(l->e, spirv_value(l->e, index), by);
        l->sum = spirv_make2(l->e, SPIRV_IAdd, spirv_type(l->e, SPIRV_U64), l->sum, term);
    }
}

/* A step of a global pointer: those of others are walked where they are used. */
static void step(spirv_emit *e, const ir_op *op)
{
    linear l = { .e = e };

    if (op->type->space != IR_GLOBAL)
        return;
    l.sum = spirv_value(e, op->in[0]);
    if (op->code == IR_field)
        l.constant = op->in[0]->type->elem->fields[op->index].offset;
    else
        add_multiple(&l, op->in[1], op->type->elem->size, MOST_DEPTH);
    spirv_set(e, op, spirv_add_bytes(e, l.sum, l.constant));
}

static void load(spirv_emit *e, const ir_op *op)
{
    spirv_place p = spirv_place_of(e, op->in[0]);

    if (op->relaxed && p.kind == SPIRV_AT_ADDRESS)
        spirv_set(e, op, spirv_load_relaxed(e, op->type->scalar, p.base));
    else
        spirv_set(e, op, spirv_place_load(e, &p));
}

void spirv_memory(spirv_emit *e, const ir_op *op)
{
    spirv_place p;

    switch ((int)op->code) {
    case IR_var:
        spirv_set(e, op, spirv_variable(e, spirv_type_local(e, op->type->elem), 0));
        break;
    case IR_index:
    case IR_offset:
    case IR_field:
        step(e, op);
        break;
    case IR_load:
        load(e, op);
        break;
    case IR_store:
        p = spirv_place_of(e, op->in[0]);
        spirv_place_store(e, &p,
                          spirv_hidden_in(e, op->in[0], op->in[1], spirv_value(e, op->in[1])));
        break;
    }
}
