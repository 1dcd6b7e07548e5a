/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_place.c - where a pointer of the IR points, found by walking back to where it starts.
 *
 * Global pointers are addresses. A struct parameter lies in the push constants, where the whole
 * block does, else at an address; a constant table in a private array of words, or at an address
 * where it is large. Local pointers are never values: each access names its variable and the way
 * into it (OpAccessChain), so no pointer is selected, stored or merged (LANGUAGE rule 16).
 */
#include "target/spirv_emit.h"

#include <string.h>

static bool is_step(const ir_op *op)
{
    return op->code == IR_index || op->code == IR_offset || op->code == IR_field;
}

static const ir_op *root_of(const ir_op *ptr)
{
    while (is_step(ptr))
        ptr = ptr->in[0];
    return ptr;
}

bool spirv_by_address(const spirv_emit *e, const ir_op *ptr)
{
    switch (ptr->type->space) {
    case IR_GLOBAL:
        return true;
    case IR_LOCAL:
        return false;
    case IR_PARAM_SPACE:
        return !e->shader->inline_block;
    case IR_TABLE_SPACE:
        return root_of(ptr)->table->type->size > SPIRV_SMALL_TABLE;
    }
    return true;
}

spirv_id spirv_word_of(spirv_emit *e, const ir_op *i64)
{
    if (i64->code == IR_const)
        return spirv_u32(e, (uint32_t)i64->bits);
    /* The low word of what was extended is the value before: both wrap alike. */
    if (i64->code == IR_convert && i64->in[0]->type->kind == IR_SCALAR &&
        scalar_types[i64->in[0]->type->scalar].is_integer &&
        scalar_types[i64->in[0]->type->scalar].bytes <= 4)
        return spirv_value(e, i64->in[0]);
    return spirv_make1(e, SPIRV_UConvert, spirv_type(e, SPIRV_U32), spirv_value(e, i64));
}

/* ---- tables ---- */

static uint32_t word_at(const ir_table *t, uint64_t at)
{
    uint32_t word = 0;

    for (uint64_t b = 0; b < 4 && at + b < t->type->size; b++)
        word |= (uint32_t)t->data[at + b] << (8 * b);
    return word;
}

static spirv_id small_table(spirv_emit *e, const ir_table *t)
{
    uint32_t count = (uint32_t)((t->type->size + 3) / 4), words[SPIRV_SMALL_TABLE / 4 + 1];

    for (uint32_t k = 0; k < e->table_count; k++)
        if (e->tables[k] == t)
            return e->table_vars[k];
    for (uint32_t k = 0; k < count; k++)
        words[k] = spirv_u32(e, word_at(t, 4 * k));
    uint32_t shape[2] = { spirv_type(e, SPIRV_U32), spirv_u32(e, count) };
    spirv_id array = spirv_intern(e, SPIRV_TypeArray, 0, shape, 2);
    spirv_id value = spirv_intern(e, SPIRV_ConstantComposite, array, words, count);
    e->tables =
        arena_grow(e->arena, e->tables, &e->table_capacity, e->table_count + 1, sizeof *e->tables);
    e->table_vars = arena_grow(e->arena, e->table_vars, &e->table_var_capacity, e->table_count + 1,
                               sizeof *e->table_vars);
    e->tables[e->table_count] = t;
    e->table_vars[e->table_count] = spirv_global(e, SPIRV_PRIVATE, array, value);
    return e->table_vars[e->table_count++];
}

/* ---- from the root on ---- */

static spirv_place root_place(spirv_emit *e, const ir_op *root)
{
    spirv_place p = { .kind = SPIRV_AT_ADDRESS, .type = root->type->elem };

    if (spirv_by_address(e, root)) {
        p.base = spirv_value(e, root);
    } else if (root->type->space == IR_LOCAL) {
        p.kind = SPIRV_AT_LOCAL;
        p.base = spirv_value(e, root);
    } else if (root->type->space == IR_TABLE_SPACE) {
        p.kind = SPIRV_AT_WORDS;
        p.base = small_table(e, root->table);
    } else {
        const mod_task *task = spirv_task_row(e);
        p.kind = SPIRV_AT_WORDS;
        spirv_push_word(e, spirv_u32(e, 0)); /* declares them */
        p.base = e->push;
        p.bytes = e->block_at + task->args[root->index - task->rank].offset;
    }
    return p;
}

spirv_place spirv_place_member(spirv_emit *e, const spirv_place *p, uint32_t field)
{
    spirv_place q = *p;

    q.type = p->type->fields[field].type;
    if (p->kind != SPIRV_AT_LOCAL) {
        q.bytes += p->type->fields[field].offset;
        return q;
    }
    if (q.step_count + 2 > SPIRV_MOST_STEPS) {
        spirv_wrong(e, "structs nested too deep");
        return q;
    }
    if (q.flat)
        q.steps[q.step_count++] = q.flat;
    q.steps[q.step_count++] = spirv_u32(e, field);
    q.flat = 0;
    return q;
}

static spirv_id add_words(spirv_emit *e, spirv_id a, spirv_id b)
{
    if (a == 0 || b == spirv_u32(e, 0))
        return a ? a : b;
    return a == spirv_u32(e, 0) ? b : spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U32), a, b);
}

static spirv_id scaled(spirv_emit *e, spirv_id word, uint64_t by)
{
    if (by == 1 || word == spirv_u32(e, 0))
        return word;
    return spirv_make2(e, SPIRV_IMul, spirv_type(e, SPIRV_U32), word, spirv_u32(e, (uint32_t)by));
}

spirv_place spirv_place_further(spirv_emit *e, const spirv_place *p, spirv_id count)
{
    spirv_place q = *p;

    if (p->kind == SPIRV_AT_LOCAL) {
        if (p->flat) /* what is no element has nothing beside it */
            q.flat = add_words(e, p->flat, count);
    } else if (p->kind == SPIRV_AT_WORDS) {
        q.more = add_words(e, p->more, scaled(e, count, p->type->size));
    } else {
        spirv_id wide = spirv_make1(e, SPIRV_SConvert, spirv_type(e, SPIRV_U64), count);
        spirv_id bytes =
            spirv_make2(e, SPIRV_IMul, spirv_type(e, SPIRV_U64), wide, spirv_u64(e, p->type->size));
        q.base = spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U64), p->base, bytes);
    }
    return q;
}

spirv_place spirv_place_element(spirv_emit *e, const spirv_place *p, spirv_id index)
{
    spirv_place q = *p;

    q.type = p->type->elem;
    if (p->kind == SPIRV_AT_LOCAL) {
        q.flat = p->flat ? scaled(e, p->flat, p->type->count) : spirv_u32(e, 0);
        q.flat = add_words(e, q.flat, index);
        return q;
    }
    return spirv_place_further(e, &q, index);
}

spirv_place spirv_place_nth(spirv_emit *e, const spirv_place *p, uint32_t k)
{
    spirv_place q = *p;

    if (p->kind == SPIRV_AT_LOCAL)
        return spirv_place_element(e, p, spirv_u32(e, k));
    q.type = p->type->elem;
    q.bytes += k * q.type->size;
    return q;
}

/* A constant element of what is not local: no instruction at all. */
static bool constant_step(spirv_place *p, const ir_op *op)
{
    if (p->kind == SPIRV_AT_LOCAL || op->code == IR_field || op->in[1]->code != IR_const)
        return false;
    if (op->code == IR_index)
        p->type = p->type->elem;
    p->bytes += op->in[1]->bits * p->type->size;
    return true;
}

spirv_place spirv_place_of(spirv_emit *e, const ir_op *ptr)
{
    if (!is_step(ptr) || ptr->type->space == IR_GLOBAL)
        return root_place(e, ptr); /* a global pointer is a value at every step */
    spirv_place p = spirv_place_of(e, ptr->in[0]);
    if (constant_step(&p, ptr))
        return p;
    if (ptr->code == IR_field)
        return spirv_place_member(e, &p, ptr->index);
    if (p.kind == SPIRV_AT_ADDRESS) {
        /* 64 bits of index: the address is computed where it is used */
        if (ptr->code == IR_index)
            p.type = p.type->elem;
        spirv_id bytes = spirv_make2(e, SPIRV_IMul, spirv_type(e, SPIRV_U64),
                                     spirv_value(e, ptr->in[1]), spirv_u64(e, p.type->size));
        p.base = spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U64), p.base, bytes);
        return p;
    }
    spirv_id word = spirv_word_of(e, ptr->in[1]);
    return ptr->code == IR_index ? spirv_place_element(e, &p, word)
                                 : spirv_place_further(e, &p, word);
}

/* ---- scalars ---- */

static spirv_id local_ptr(spirv_emit *e, const spirv_place *p)
{
    uint32_t operands[SPIRV_MOST_STEPS + 2], count = 0;

    if (p->step_count == 0 && p->flat == 0)
        return p->base;
    operands[count++] = p->base;
    for (uint32_t k = 0; k < p->step_count; k++)
        operands[count++] = p->steps[k];
    if (p->flat)
        operands[count++] = p->flat;
    spirv_id type = spirv_type_ptr(e, SPIRV_FUNCTION, spirv_type_value(e, p->type));
    return spirv_make(e, SPIRV_AccessChain, type, operands, count);
}

/* Word `index` of an array of words. */
static spirv_id word_load(spirv_emit *e, const spirv_place *p, spirv_id index)
{
    spirv_id u32 = spirv_type(e, SPIRV_U32);

    if (p->base == e->push)
        return spirv_push_word(e, index);
    return spirv_make1(
        e, SPIRV_Load, u32,
        spirv_make2(e, SPIRV_AccessChain, spirv_type_ptr(e, SPIRV_PRIVATE, u32), p->base, index));
}

static spirv_id words_load(spirv_emit *e, const spirv_place *p)
{
    scalar_type type = p->type->scalar;
    spirv_id u32 = spirv_type(e, SPIRV_U32), index, word, at = 0;

    if (p->more) {
        at = add_words(e, p->more, spirv_u32(e, (uint32_t)p->bytes));
        index = spirv_make2(e, SPIRV_ShiftRightLogical, u32, at, spirv_u32(e, 2));
    } else {
        index = spirv_u32(e, (uint32_t)(p->bytes / 4));
    }
    word = word_load(e, p, index);
    if (scalar_types[type].bytes == 8) {
        spirv_id next = p->more ? spirv_make2(e, SPIRV_IAdd, u32, index, spirv_u32(e, 1))
                                : spirv_u32(e, (uint32_t)(p->bytes / 4) + 1);
        return spirv_from_bits(e, type, spirv_join(e, word, word_load(e, p, next)));
    }
    if (scalar_types[type].bytes < 4) {
        spirv_id shift = spirv_u32(e, (uint32_t)(p->bytes % 4 * 8));
        if (at)
            shift = spirv_make2(e, SPIRV_ShiftLeftLogical, u32,
                                spirv_make2(e, SPIRV_BitwiseAnd, u32, at, spirv_u32(e, 3)),
                                spirv_u32(e, 3));
        word = spirv_make2(e, SPIRV_ShiftRightLogical, u32, word, shift);
        word = spirv_narrow(e, type == SCALAR_bool ? SCALAR_u8 : type, word);
    }
    return spirv_from_bits(e, type, word);
}

spirv_id spirv_place_load(spirv_emit *e, const spirv_place *p)
{
    if (p->kind == SPIRV_AT_LOCAL)
        return spirv_make1(e, SPIRV_Load, spirv_type_value(e, p->type), local_ptr(e, p));
    if (p->kind == SPIRV_AT_WORDS)
        return words_load(e, p);
    return spirv_load_at(e, p->type->kind == IR_PTR ? SCALAR_u64 : p->type->scalar,
                         spirv_add_bytes(e, p->base, p->bytes), false);
}

void spirv_place_store(spirv_emit *e, const spirv_place *p, spirv_id value)
{
    if (p->kind == SPIRV_AT_LOCAL) {
        uint32_t operands[2] = { local_ptr(e, p), value };
        spirv_line(e, SPIRV_Store, operands, 2);
    } else if (p->kind == SPIRV_AT_ADDRESS) {
        spirv_store_at(e, p->type->kind == IR_PTR ? SCALAR_u64 : p->type->scalar,
                       spirv_add_bytes(e, p->base, p->bytes), value, false);
    } else {
        spirv_wrong(e, "a store to what is only read");
    }
}
