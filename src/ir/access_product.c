/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_product.c - uniform values as products of slots, so that the extent in the signature and
 * the same value inside the task are one thing.
 */
#include <string.h>

#include "ir/access.h"

bool access_same_product(const access_product *a, const access_product *b)
{
    return a->factor && a->factor == b->factor && a->count == b->count &&
           memcmp(a->symbols, b->symbols, a->count * sizeof *a->symbols) == 0;
}

access_product access_times(access_product a, access_product b)
{
    access_product out = { 0 };

    if (!a.factor || !b.factor || a.count + b.count > ACCESS_SYMBOLS ||
        __builtin_mul_overflow(a.factor, b.factor, &out.factor))
        return (access_product){ 0 };
    uint32_t i = 0, k = 0;
    while (i < a.count || k < b.count)
        out.symbols[out.count++] = k == b.count || (i < a.count && a.symbols[i] <= b.symbols[k])
                                       ? a.symbols[i++]
                                       : b.symbols[k++];
    return out;
}

access_product access_symbol(uint64_t name)
{
    return (access_product){ .factor = 1, .symbols = { name }, .count = 1 };
}

/* The only instruction that gives a slot its value; NULL if there are none or several. */
static const mod_instr *only_instr(const mod_entry *e, uint32_t slot)
{
    const mod_instr *found = NULL;

    for (uint32_t i = 0; i < e->instr_count; i++) {
        if (e->instrs[i].dst != slot)
            continue;
        if (found)
            return NULL;
        found = &e->instrs[i];
    }
    return found;
}

static bool const_slot(const mod_entry *e, uint32_t slot, int64_t *out)
{
    for (uint32_t i = 0; i < e->const_count; i++)
        if (e->consts[i].slot == slot) {
            *out = (int64_t)e->consts[i].bits;
            return true;
        }
    return false;
}

static bool same_slot(const mod_entry *e, uint32_t a, uint32_t b, int depth)
{
    const mod_instr *x, *y;

    if (a == b)
        return true;
    if (depth == 0 || !(x = only_instr(e, a)) || !(y = only_instr(e, b)) || x->op != y->op ||
        x->type != y->type || x->from != y->from || x->op == MOD_OP_DATA)
        return false;
    if (x->op == MOD_OP_MOVE) /* of a variable: its value at two moments */
        return x->a == y->a && only_instr(e, x->a) != NULL;
    if (x->op == MOD_OP_MEMBER)
        return x->a == y->a && x->b == y->b;
    uint32_t operands = scalar_ops[x->op].operands;
    return same_slot(e, x->a, y->a, depth - 1) &&
           (operands < 2 || same_slot(e, x->b, y->b, depth - 1)) &&
           (operands < 3 || same_slot(e, x->c, y->c, depth - 1));
}

/* The first slot that holds the same value. */
static uint64_t slot_name(const mod_entry *e, uint32_t slot)
{
    for (uint32_t s = 0; s < slot; s++)
        if (same_slot(e, s, slot, 6))
            return s;
    return slot;
}

access_product access_slot_product(const access_task *t, uint32_t slot, int depth)
{
    const mod_instr *in;
    int64_t value;

    if (const_slot(t->entry, slot, &value))
        return value ? (access_product){ .factor = value } : (access_product){ 0 };
    in = only_instr(t->entry, slot);
    if (depth && in && in->op == SCALAR_OP_mul)
        return access_times(access_slot_product(t, in->a, depth - 1),
                            access_slot_product(t, in->b, depth - 1));
    if (depth && in && in->op == SCALAR_OP_convert && scalar_types[in->from].is_integer &&
        scalar_types[in->type].bytes >= scalar_types[in->from].bytes)
        return access_slot_product(t, in->a, depth - 1);
    if (depth && in && in->op == MOD_OP_MOVE && only_instr(t->entry, in->a))
        return access_slot_product(t, in->a, depth - 1);
    return access_symbol(slot_name(t->entry, slot));
}
