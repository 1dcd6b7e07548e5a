/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_emit.c - names, constants, lines and blocks of LLVM's text.
 *
 * The only file that spells a value's or a type's name. Must never print the same name twice in a
 * function, nor anything into a block that has ended.
 */
#include "target/llvm_emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "target/llvm_gpu.h"

const char *llvm_name(llvm_emit *e, const char *format, ...)
{
    char *slot = e->ring[e->ring_at++ % LLVM_RING];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(slot, LLVM_NAME, format, args);
    va_end(args);
    if ((length < 0 || length >= LLVM_NAME) && e->status == SLIP_OK)
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "a name of %d characters; the limit is %d", length,
                              LLVM_NAME - 1);
    return slot;
}

const char *llvm_temp(llvm_emit *e)
{
    return llvm_name(e, "%%t%u", e->temps++);
}

void llvm_keep(char out[LLVM_NAME], const char *name)
{
    memcpy(out, name, strlen(name) + 1);
}

void llvm_line(llvm_emit *e, const char *format, ...)
{
    va_list args;

    if (!e->open) { /* whatever follows an exit cannot be reached */
        uint32_t block = llvm_block_new(e);
        llvm_block_begin(e, block);
    }
    va_start(args, format);
    text_bytes(&e->body, "  ", 2);
    text_addv(&e->body, format, args);
    text_bytes(&e->body, "\n", 1);
    va_end(args);
}

void llvm_entry_line(llvm_emit *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_bytes(&e->entry, "  ", 2);
    text_addv(&e->entry, format, args);
    text_bytes(&e->entry, "\n", 1);
    va_end(args);
}

uint32_t llvm_block_new(llvm_emit *e)
{
    return ++e->blocks;
}

const char *llvm_block_label(llvm_emit *e, uint32_t block)
{
    return block ? llvm_name(e, "%%x%u", block) : "%entry";
}

void llvm_block_begin(llvm_emit *e, uint32_t block)
{
    if (e->open)
        llvm_branch(e, block);
    text_add(&e->body, "x%u:\n", block);
    e->at_block = block;
    e->open = true;
}

void llvm_branch(llvm_emit *e, uint32_t block)
{
    llvm_line(e, "br label %%x%u", block);
    e->open = false;
}

void llvm_branch_if(llvm_emit *e, const char *condition, uint32_t yes, uint32_t no)
{
    llvm_line(e, "br i1 %s, label %%x%u, label %%x%u", condition, yes, no);
    e->open = false;
}

const char *llvm_scalar_name(scalar_type type)
{
    static const char *const names[SCALAR_TYPE_COUNT] = {
        [SCALAR_bool] = "i1", [SCALAR_i8] = "i8",     [SCALAR_u8] = "i8",      [SCALAR_i16] = "i16",
        [SCALAR_u16] = "i16", [SCALAR_i32] = "i32",   [SCALAR_u32] = "i32",    [SCALAR_i64] = "i64",
        [SCALAR_u64] = "i64", [SCALAR_f32] = "float", [SCALAR_f64] = "double",
    };
    return names[type];
}

const char *llvm_memory_name(scalar_type type)
{
    return type == SCALAR_bool ? "i8" : llvm_scalar_name(type);
}

const char *llvm_type_name(const ir_type *type)
{
    switch (type->kind) {
    case IR_VOID:
        return "void";
    case IR_SCALAR:
        return llvm_scalar_name(type->scalar);
    case IR_PTR:
    case IR_STRUCT:
    case IR_ARRAY:
        break;
    }
    return "ptr";
}

/* Floats as LLVM spells them exactly: the bits of the double; what no double holds exactly (a
 * signaling f32 NaN) as a cast of the integer. */
static const char *float_const(llvm_emit *e, scalar_type type, uint64_t bits)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;

    if (type == SCALAR_f64)
        return llvm_name(e, "0x%016" PRIX64, bits);
    memcpy(&narrow, &low, sizeof narrow);
    if (narrow != narrow)
        return llvm_name(e, "bitcast (i32 %" PRIu32 " to float)", low);
    wide = (double)narrow;
    memcpy(&bits, &wide, sizeof bits);
    return llvm_name(e, "0x%016" PRIX64, bits);
}

const char *llvm_const(llvm_emit *e, scalar_type type, uint64_t bits)
{
    if (type == SCALAR_bool)
        return bits ? "true" : "false";
    if (scalar_types[type].is_float)
        return float_const(e, type, bits);
    if (scalar_types[type].is_signed)
        return llvm_name(e, "%" PRId64, (int64_t)bits);
    return llvm_name(e, "%" PRIu64, bits);
}

const char *llvm_quoted(llvm_emit *e, const char *prefix, const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '.')
            return llvm_name(e, "@\"%s%s\"", prefix, name);
    return llvm_name(e, "@%s%s", prefix, name);
}

static const char *table_name(llvm_emit *e, const ir_table *table)
{
    const char *name = llvm_quoted(e, "table.", table->name);

    if (!e->gpu)
        return name;
    return llvm_name(e, "addrspacecast (ptr addrspace(%u) %s to ptr)", e->gpu->table_space, name);
}

const char *llvm_value(llvm_emit *e, const ir_op *op)
{
    if (op->code == IR_const)
        return llvm_const(e, op->type->scalar, op->bits);
    if (op->code == IR_table)
        return table_name(e, op->table);
    if (op->code == IR_param) {
        if (e->func->kind == IR_TASK && op->index < e->func->task->task->rank)
            return llvm_name(e, "%%%si%u", e->prefix, op->index);
        return llvm_name(e, "%%a%u", op->index);
    }
    return llvm_name(e, "%%%sv%u", e->prefix, op->id);
}
