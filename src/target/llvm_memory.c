/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_memory.c - variables, addresses, loads, stores and copies of aggregates.
 *
 * bool is a byte: stored as 0 or 1, any non-zero one read is true. Small aggregates are copied
 * scalar by scalar, so that the vectoriser sees plain accesses; large ones by memory functions
 * that the module defines itself.
 */
#include "target/llvm_emit.h"

#include <inttypes.h>

#include "target/llvm_gpu.h"

enum { COPY_LEAVES = 32, INLINE_BYTES = 256 };

static const char *space_suffix(const ir_op *ptr)
{
    switch (ptr->type->space) {
    case IR_GLOBAL:
        return LLVM_SHARED;
    case IR_LOCAL:
        return "";
    case IR_PARAM_SPACE:
    case IR_TABLE_SPACE:
        return LLVM_SHARED LLVM_FIXED;
    }
    return "";
}

const char *llvm_global_type(const llvm_emit *e)
{
    return e->gpu ? "ptr addrspace(1)" : "ptr";
}

void llvm_global_cast(llvm_emit *e, const char *dst, const char *held)
{
    llvm_line(e, "%s = addrspacecast ptr addrspace(%d) %s to ptr", dst, LLVM_GLOBAL_SPACE, held);
}

const char *llvm_scope(const llvm_emit *e)
{
    return e->gpu ? e->gpu->scope : "";
}

static uint32_t private_space(const llvm_emit *e)
{
    return e->gpu ? e->gpu->private_space : 0;
}

void llvm_alloca(llvm_emit *e, const char *name, const char *type, uint64_t align)
{
    const char *aligned = align ? llvm_name(e, ", align %" PRIu64, align) : "";
    uint32_t space = private_space(e);

    if (space == 0) {
        llvm_entry_line(e, "%s = alloca %s%s", name, type, aligned);
        return;
    }
    llvm_entry_line(e, "%s.p = alloca %s%s, addrspace(%u)", name, type, aligned, space);
    llvm_entry_line(e, "%s = addrspacecast ptr addrspace(%u) %s.p to ptr", name, space, name);
}

/* The variable's old value is of no use. */
static void starts(llvm_emit *e, const char *name, uint64_t bytes)
{
    uint32_t space = private_space(e);

    if (space)
        llvm_line(e, "call void @llvm.lifetime.start.p%u(i64 %" PRIu64 ", ptr addrspace(%u) %s.p)",
                  space, bytes, space, name);
    else
        llvm_line(e, "call void @llvm.lifetime.start.p0(i64 %" PRIu64 ", ptr %s)", bytes, name);
}

void llvm_load(llvm_emit *e, const char *dst, const ir_type *type, const char *ptr,
               const char *suffix)
{
    if (ir_is_scalar(type, SCALAR_bool)) {
        const char *byte = llvm_temp(e);
        llvm_line(e, "%s = load i8, ptr %s, align 1%s", byte, ptr, suffix);
        llvm_line(e, "%s = icmp ne i8 %s, 0", dst, byte);
        return;
    }
    llvm_line(e, "%s = load %s, ptr %s, align %" PRIu64 "%s", dst, llvm_type_name(type), ptr,
              type->size, suffix);
}

static void load(llvm_emit *e, const ir_op *op)
{
    const char *dst = llvm_value(e, op), *ptr = llvm_value(e, op->in[0]);

    if (!op->relaxed) {
        llvm_load(e, dst, op->type, ptr, space_suffix(op->in[0]));
    } else if (ir_is_scalar(op->type, SCALAR_bool)) {
        const char *byte = llvm_temp(e);
        llvm_line(e, "%s = load atomic i8, ptr %s%s monotonic, align 1", byte, ptr, llvm_scope(e));
        llvm_line(e, "%s = icmp ne i8 %s, 0", dst, byte);
    } else {
        llvm_line(e, "%s = load atomic %s, ptr %s%s monotonic, align %" PRIu64, dst,
                  llvm_type_name(op->type), ptr, llvm_scope(e), op->type->size);
    }
}

static void store(llvm_emit *e, const ir_op *op)
{
    const char *ptr = llvm_value(e, op->in[0]), *value = llvm_value(e, op->in[1]);
    const ir_type *type = op->in[1]->type;

    if (ir_is_scalar(type, SCALAR_bool)) {
        const char *byte = llvm_temp(e);
        llvm_line(e, "%s = zext i1 %s to i8", byte, value);
        llvm_line(e, "store i8 %s, ptr %s, align 1%s", byte, ptr, space_suffix(op->in[0]));
        return;
    }
    llvm_line(e, "store %s %s, ptr %s, align %" PRIu64 "%s", llvm_type_name(type), value, ptr,
              type->size, space_suffix(op->in[0]));
}

/* A scalar variable starts undefined in each iteration: without the store its value would look to
 * LLVM as if carried from the last one, and the loop could not be vectorised. */
static void variable(llvm_emit *e, const ir_op *op)
{
    const ir_type *type = op->type->elem;
    const char *name = llvm_value(e, op);

    if (type->kind == IR_SCALAR || type->kind == IR_PTR) {
        const char *held = type->kind == IR_PTR ? "ptr" : llvm_memory_name(type->scalar);
        llvm_alloca(e, name, held, type->align);
        llvm_line(e, "store %s undef, ptr %s, align %" PRIu64, held, name, type->align);
        return;
    }
    llvm_alloca(e, name, llvm_name(e, "[%" PRIu64 " x i8]", type->size),
                type->align < 16 && type->size >= 16 ? 16 : type->align);
    starts(e, name, type->size);
}

static void step(llvm_emit *e, const ir_op *op)
{
    const ir_type *elem = op->type->elem;
    const char *dst = llvm_value(e, op), *ptr = llvm_value(e, op->in[0]);
    const char *count = llvm_value(e, op->in[1]);

    if (elem->kind == IR_SCALAR)
        llvm_line(e, "%s = getelementptr inbounds %s, ptr %s, i64 %s", dst,
                  llvm_memory_name(elem->scalar), ptr, count);
    else if (elem->kind == IR_PTR)
        llvm_line(e, "%s = getelementptr inbounds ptr, ptr %s, i64 %s", dst, ptr, count);
    else
        llvm_line(e, "%s = getelementptr inbounds [%" PRIu64 " x i8], ptr %s, i64 %s", dst,
                  elem->size, ptr, count);
}

static void member(llvm_emit *e, const ir_op *op)
{
    const ir_type *type = op->in[0]->type->elem;

    llvm_line(e, "%s = getelementptr inbounds i8, ptr %s, i64 %" PRIu64, llvm_value(e, op),
              llvm_value(e, op->in[0]), type->fields[op->index].offset);
}

/* Scalars in a type, or a number above COPY_LEAVES. */
static uint32_t leaf_count(const ir_type *type)
{
    uint64_t count = 0;

    switch (type->kind) {
    case IR_VOID:
        return 0;
    case IR_SCALAR:
    case IR_PTR:
        return 1;
    case IR_ARRAY:
        count = type->count > COPY_LEAVES ? COPY_LEAVES + 1 : type->count * leaf_count(type->elem);
        break;
    case IR_STRUCT:
        for (uint32_t i = 0; i < type->field_count && count <= COPY_LEAVES; i++)
            count += leaf_count(type->fields[i].type);
        break;
    }
    return count > COPY_LEAVES ? COPY_LEAVES + 1 : (uint32_t)count;
}

typedef struct copy_ends {
    const char *to, *from, *to_suffix, *from_suffix;
} copy_ends;

static void copy_leaves(llvm_emit *e, copy_ends ends, const ir_type *type, uint64_t at)
{
    if (type->kind == IR_STRUCT) {
        for (uint32_t i = 0; i < type->field_count; i++)
            copy_leaves(e, ends, type->fields[i].type, at + type->fields[i].offset);
    } else if (type->kind == IR_ARRAY) {
        for (uint64_t i = 0; i < type->count; i++)
            copy_leaves(e, ends, type->elem, at + i * type->elem->size);
    } else if (type->kind != IR_VOID) {
        const char *held = type->kind == IR_PTR ? "ptr" : llvm_memory_name(type->scalar);
        const char *source = llvm_temp(e), *target = llvm_temp(e), *value = llvm_temp(e);
        llvm_line(e, "%s = getelementptr inbounds i8, ptr %s, i64 %" PRIu64, source, ends.from, at);
        llvm_line(e, "%s = getelementptr inbounds i8, ptr %s, i64 %" PRIu64, target, ends.to, at);
        llvm_line(e, "%s = load %s, ptr %s, align %" PRIu64 "%s", value, held, source, type->align,
                  ends.from_suffix);
        llvm_line(e, "store %s %s, ptr %s, align %" PRIu64 "%s", held, value, target, type->align,
                  ends.to_suffix);
    }
}

/* GPUs have no function to call: what LLVM does of the plain ones it does in line. */
static bool goes_inline(const llvm_emit *e, uint64_t bytes)
{
    return !e->gpu && bytes <= INLINE_BYTES;
}

static void copy(llvm_emit *e, const ir_op *op)
{
    const ir_type *type = op->in[0]->type->elem;
    copy_ends ends = { NULL, NULL, space_suffix(op->in[0]), space_suffix(op->in[1]) };
    char to[LLVM_NAME], from[LLVM_NAME];

    llvm_keep(to, llvm_value(e, op->in[0]));
    llvm_keep(from, llvm_value(e, op->in[1]));
    ends.to = to;
    ends.from = from;
    if (leaf_count(type) <= COPY_LEAVES) {
        copy_leaves(e, ends, type, 0);
        return;
    }
    e->uses_memory_calls = true;
    if (goes_inline(e, type->size))
        llvm_line(e,
                  "call void @llvm.memcpy.inline.p0.p0.i64(ptr align %" PRIu64
                  " %s, ptr align %" PRIu64 " %s, i64 %" PRIu64 ", i1 false)",
                  type->align, to, type->align, from, type->size);
    else
        llvm_line(e,
                  "call void @llvm.memcpy.p0.p0.i64(ptr align %" PRIu64 " %s, ptr align %" PRIu64
                  " %s, i64 %" PRIu64 ", i1 false)",
                  type->align, to, type->align, from, type->size);
}

static void fill(llvm_emit *e, const ir_op *op)
{
    const char *name = goes_inline(e, op->bytes) ? "memset.inline" : "memset";

    if (op->bytes == 0)
        return;
    e->uses_memory_calls = true;
    llvm_line(e, "call void @llvm.%s.p0.i64(ptr %s, i8 %s, i64 %" PRIu64 ", i1 false)", name,
              llvm_value(e, op->in[0]), llvm_value(e, op->in[1]), op->bytes);
}

void llvm_memory(llvm_emit *e, const ir_op *op)
{
    if (op->code == IR_var)
        variable(e, op);
    else if (op->code == IR_index || op->code == IR_offset)
        step(e, op);
    else if (op->code == IR_field)
        member(e, op);
    else if (op->code == IR_load)
        load(e, op);
    else if (op->code == IR_store)
        store(e, op);
    else if (op->code == IR_copy)
        copy(e, op);
    else if (op->code == IR_fill)
        fill(e, op);
}
