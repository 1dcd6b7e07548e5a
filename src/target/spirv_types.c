/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_types.c - types, constants and global variables, each made once (SPIR-V 1.5, 2.8: two types
 * that are not aggregates may not be declared alike).
 */
#include "target/spirv_emit.h"

#include <string.h>

static uint32_t hash_of(const uint32_t *key, uint32_t count)
{
    uint32_t hash = 2166136261u;

    for (uint32_t k = 0; k < count; k++)
        hash = (hash ^ key[k]) * 16777619u;
    return (hash ^ hash >> 15) % SPIRV_INTERN_SLOTS;
}

spirv_id spirv_intern(spirv_emit *e, spirv_op op, spirv_id type, const uint32_t *operands,
                      uint32_t count)
{
    spirv_words *w = &e->words[SPIRV_IN_GLOBALS];
    spirv_interned *made = arena_new(e->arena, sizeof *made + (count + 2) * sizeof(uint32_t));

    made->key[0] = (uint32_t)op;
    made->key[1] = type;
    if (count > 0)
        memcpy(made->key + 2, operands, count * sizeof(uint32_t));
    made->count = count + 2;
    spirv_interned **slot = &e->interned[hash_of(made->key, made->count)];
    for (spirv_interned *old = *slot; old; old = old->next)
        if (old->count == made->count &&
            memcmp(old->key, made->key, made->count * sizeof(uint32_t)) == 0)
            return old->id;
    made->id = spirv_new(e);
    made->next = *slot;
    *slot = made;
    if (op == SPIRV_Constant) {
        e->constants = arena_grow(e->arena, e->constants, &e->constant_capacity, made->id + 1,
                                  sizeof(spirv_interned *));
        e->constants[made->id] = made;
    }
    spirv_words_begin(w, op);
    if (type)
        spirv_words_add(w, type);
    spirv_words_add(w, made->id);
    for (uint32_t k = 0; k < count; k++)
        spirv_words_add(w, operands[k]);
    spirv_words_end(w);
    return made->id;
}

static spirv_id intern2(spirv_emit *e, spirv_op op, uint32_t a, uint32_t b)
{
    uint32_t operands[2] = { a, b };

    return spirv_intern(e, op, 0, operands, 2);
}

static spirv_id make_base(spirv_emit *e, spirv_base base)
{
    uint32_t width;

    switch (base) {
    case SPIRV_VOID:
        return spirv_intern(e, SPIRV_TypeVoid, 0, NULL, 0);
    case SPIRV_BOOL:
        return spirv_intern(e, SPIRV_TypeBool, 0, NULL, 0);
    case SPIRV_U8:
        return intern2(e, SPIRV_TypeInt, 8, 0);
    case SPIRV_U16:
        return intern2(e, SPIRV_TypeInt, 16, 0);
    case SPIRV_U32:
        return intern2(e, SPIRV_TypeInt, 32, 0);
    case SPIRV_U64:
        return intern2(e, SPIRV_TypeInt, 64, 0);
    case SPIRV_F32:
    case SPIRV_F64:
        width = base == SPIRV_F32 ? 32 : 64;
        return spirv_intern(e, SPIRV_TypeFloat, 0, &width, 1);
    case SPIRV_PAIR:
        return intern2(e, SPIRV_TypeVector, spirv_type(e, SPIRV_U32), 2);
    case SPIRV_TRIPLE:
        return intern2(e, SPIRV_TypeVector, spirv_type(e, SPIRV_U32), 3);
    case SPIRV_BASE_COUNT:
        break;
    }
    return 0;
}

spirv_id spirv_type(spirv_emit *e, spirv_base base)
{
    if (e->bases[base] == 0) {
        e->bases[base] = make_base(e, base);
        if (base == SPIRV_F64)
            spirv_need(e, MOD_NEED_F64);
        if (base == SPIRV_U8)
            spirv_need(e, MOD_NEED_I8);
        if (base == SPIRV_U16)
            spirv_need(e, MOD_NEED_I16);
    }
    return e->bases[base];
}

spirv_base spirv_base_of(scalar_type type)
{
    if (type == SCALAR_bool)
        return SPIRV_BOOL;
    if (scalar_types[type].is_float)
        return type == SCALAR_f32 ? SPIRV_F32 : SPIRV_F64;
    return scalar_types[type].bytes == 8 ? SPIRV_U64 : SPIRV_U32;
}

spirv_base spirv_bits_base(scalar_type type)
{
    return scalar_types[type].bytes == 8 ? SPIRV_U64 : SPIRV_U32;
}

spirv_base spirv_memory_base(scalar_type type)
{
    uint32_t bytes = scalar_types[type].bytes;

    return bytes == 1 ? SPIRV_U8 : bytes == 2 ? SPIRV_U16 : bytes == 4 ? SPIRV_U32 : SPIRV_U64;
}

spirv_id spirv_type_value(spirv_emit *e, const ir_type *type)
{
    if (type->kind == IR_SCALAR)
        return spirv_type(e, spirv_base_of(type->scalar));
    return spirv_type(e, type->kind == IR_PTR ? SPIRV_U64 : SPIRV_VOID);
}

/* Arrays of arrays are one array, as they are in memory: an element may be reached past the end of
 * its row. */
spirv_id spirv_type_local(spirv_emit *e, const ir_type *type)
{
    uint64_t count = 1;
    uint32_t *members;

    switch (type->kind) {
    case IR_VOID:
    case IR_SCALAR:
    case IR_PTR:
        break;
    case IR_ARRAY:
        for (; type->kind == IR_ARRAY; type = type->elem)
            count *= type->count;
        return intern2(e, SPIRV_TypeArray, spirv_type_local(e, type),
                       spirv_u32(e, (uint32_t)count));
    case IR_STRUCT:
        members = arena_new(e->arena, (type->field_count + 1) * sizeof *members);
        for (uint32_t i = 0; i < type->field_count; i++)
            members[i] = spirv_type_local(e, type->fields[i].type);
        return spirv_intern(e, SPIRV_TypeStruct, 0, members, type->field_count);
    }
    return spirv_type_value(e, type);
}

spirv_id spirv_type_ptr(spirv_emit *e, enum spirv_storage storage, spirv_id type)
{
    return intern2(e, SPIRV_TypePointer, (uint32_t)storage, type);
}

spirv_id spirv_bool(spirv_emit *e, bool value)
{
    return spirv_intern(e, value ? SPIRV_ConstantTrue : SPIRV_ConstantFalse,
                        spirv_type(e, SPIRV_BOOL), NULL, 0);
}

spirv_id spirv_u32(spirv_emit *e, uint32_t value)
{
    return spirv_intern(e, SPIRV_Constant, spirv_type(e, SPIRV_U32), &value, 1);
}

spirv_id spirv_u64(spirv_emit *e, uint64_t value)
{
    uint32_t words[2] = { (uint32_t)value, (uint32_t)(value >> 32) };

    return spirv_intern(e, SPIRV_Constant, spirv_type(e, SPIRV_U64), words, 2);
}

spirv_id spirv_const(spirv_emit *e, scalar_type type, uint64_t bits)
{
    uint32_t words[2] = { (uint32_t)bits, (uint32_t)(bits >> 32) };

    if (type == SCALAR_bool)
        return spirv_bool(e, bits != 0);
    return spirv_intern(e, SPIRV_Constant, spirv_type(e, spirv_base_of(type)), words,
                        scalar_types[type].bytes == 8 ? 2 : 1);
}

bool spirv_const_bits(const spirv_emit *e, spirv_id id, uint64_t *out)
{
    const spirv_interned *c = id < e->constant_capacity ? e->constants[id] : NULL;

    if (c)
        *out = (c->count > 3 ? (uint64_t)c->key[3] << 32 : 0) | c->key[2];
    return c != NULL;
}

spirv_id spirv_undef(spirv_emit *e, spirv_id type)
{
    return spirv_intern(e, SPIRV_Undef, type, NULL, 0);
}

void spirv_decorate(spirv_emit *e, spirv_id id, enum spirv_enumerant what, uint32_t value)
{
    uint32_t operands[3] = { id, (uint32_t)what, value };
    bool alone = what == SPIRV_DECORATE_BLOCK || what == SPIRV_DECORATE_NO_CONTRACTION;

    spirv_words_put(&e->words[SPIRV_IN_ANNOTATIONS], SPIRV_Decorate, operands, alone ? 2 : 3);
}

spirv_id spirv_global(spirv_emit *e, enum spirv_storage storage, spirv_id type,
                      spirv_id initial_or_none)
{
    spirv_id id, ptr = spirv_type_ptr(e, storage, type);
    uint32_t operands[4] = { ptr, 0, (uint32_t)storage, initial_or_none };

    id = operands[1] = spirv_new(e);
    spirv_words_put(&e->words[SPIRV_IN_GLOBALS], SPIRV_Variable, operands, initial_or_none ? 4 : 3);
    e->interface = arena_grow(e->arena, e->interface, &e->interface_capacity,
                              e->interface_count + 1, sizeof *e->interface);
    e->interface[e->interface_count++] = id;
    return id;
}

spirv_id spirv_builtin(spirv_emit *e, spirv_id *kept, enum spirv_enumerant which, spirv_base base)
{
    if (*kept == 0) {
        *kept = spirv_global(e, SPIRV_INPUT, spirv_type(e, base), 0);
        spirv_decorate(e, *kept, SPIRV_DECORATE_BUILTIN, (uint32_t)which);
    }
    return spirv_make1(e, SPIRV_Load, spirv_type(e, base), *kept);
}

spirv_id spirv_numeric(spirv_emit *e, numeric which)
{
    if (e->numerics[which] == 0) {
        uint32_t operands[2] = { spirv_type(e, SPIRV_BOOL), spirv_new(e) };
        spirv_words_put(&e->words[SPIRV_IN_GLOBALS], SPIRV_SpecConstantTrue, operands, 2);
        spirv_decorate(e, operands[1], SPIRV_DECORATE_SPEC_ID, SPEC_NUMERIC + (uint32_t)which);
        e->numerics[which] = operands[1];
    }
    return e->numerics[which];
}
