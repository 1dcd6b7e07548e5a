/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_atomic.c - updates that iterations may share: native where one instruction gives C's result,
 * else a loop of compare and exchange. All are relaxed.
 *
 * Floats compare by their bits, so a NaN or a zero of the other sign cannot loop for ever.
 */
#include "target/llvm_gpu.h"

/* One attempt: the old value, seen as the bits in memory and as a value. */
typedef struct attempt {
    char ptr[LLVM_NAME], first[LLVM_NAME], old_bits[LLVM_NAME], old[LLVM_NAME];
    scalar_type type;
    uint32_t bits;
    uint32_t before, head, tail_at; /* blocks */
    char seen[LLVM_NAME];
} attempt;

static void from_bits(llvm_emit *e, const char *dst, scalar_type type, uint32_t bits,
                      const char *held)
{
    if (type == SCALAR_bool)
        llvm_line(e, "%s = icmp ne i8 %s, 0", dst, held);
    else if (scalar_types[type].is_float)
        llvm_line(e, "%s = bitcast i%u %s to %s", dst, bits, held, llvm_scalar_name(type));
    else
        llvm_line(e, "%s = add i%u %s, 0", dst, bits, held);
}

static const char *to_bits(llvm_emit *e, scalar_type type, uint32_t bits, const char *value)
{
    const char *held = llvm_temp(e);

    if (type == SCALAR_bool)
        llvm_line(e, "%s = zext i1 %s to i8", held, value);
    else if (scalar_types[type].is_float)
        llvm_line(e, "%s = bitcast %s %s to i%u", held, llvm_scalar_name(type), value, bits);
    else
        return value;
    return held;
}

/* The retry edge's names are fixed beforehand: %r<n> is what the exchange saw. */
static void attempt_begin(llvm_emit *e, attempt *a, const ir_op *ptr, scalar_type type,
                          const char *old)
{
    a->type = type;
    a->bits = 8u * scalar_types[type].bytes;
    llvm_keep(a->ptr, llvm_value(e, ptr));
    llvm_keep(a->first, llvm_temp(e));
    llvm_keep(a->old_bits, llvm_temp(e));
    llvm_keep(a->seen, llvm_temp(e));
    llvm_keep(a->old, old);
    llvm_line(e, "%s = load atomic i%u, ptr %s%s monotonic, align %u", a->first, a->bits, a->ptr,
              llvm_scope(e), a->bits / 8);
    a->before = e->at_block;
    a->head = llvm_block_new(e);
    a->tail_at = llvm_block_new(e);
    llvm_block_begin(e, a->head);
    llvm_line(e, "%s = phi i%u [ %s, %s ], [ %s, %%x%u ]", a->old_bits, a->bits, a->first,
              llvm_block_label(e, a->before), a->seen, a->tail_at);
    from_bits(e, a->old, type, a->bits, a->old_bits);
}

static void attempt_end(llvm_emit *e, attempt *a, const char *next)
{
    const char *pair = llvm_temp(e), *won = llvm_temp(e);
    uint32_t done = llvm_block_new(e);

    next = to_bits(e, a->type, a->bits, next);
    llvm_block_begin(e, a->tail_at);
    llvm_line(e, "%s = cmpxchg weak ptr %s, i%u %s, i%u %s%s monotonic monotonic", pair, a->ptr,
              a->bits, a->old_bits, a->bits, next, llvm_scope(e));
    llvm_line(e, "%s = extractvalue { i%u, i1 } %s, 0", a->seen, a->bits, pair);
    llvm_line(e, "%s = extractvalue { i%u, i1 } %s, 1", won, a->bits, pair);
    llvm_branch_if(e, won, done, a->head);
    llvm_block_begin(e, done);
}

/* ---- adding floats on a GPU that does so in memory ---- */

static void add_native(llvm_emit *e, const char *dst, const char *ptr, scalar_type type,
                       const char *value)
{
    llvm_line(e, "%s = atomicrmw fadd ptr %s, %s %s%s monotonic", dst, ptr, llvm_scalar_name(type),
              value, llvm_scope(e));
}

/* By attempts; none where the sum is the old value, as it often is where so little is added. */
static void add_little(llvm_emit *e, const char *dst, const ir_op *ptr, scalar_type type,
                       const char *value)
{
    uint32_t differs = llvm_block_new(e), done = llvm_block_new(e);
    const char *sum = llvm_temp(e), *bits, *same = llvm_temp(e);
    attempt a;

    attempt_begin(e, &a, ptr, type, dst);
    llvm_line(e, "%s = fadd %s %s, %s", sum, llvm_scalar_name(type), a.old, value);
    bits = to_bits(e, type, a.bits, sum);
    llvm_line(e, "%s = icmp eq i%u %s, %s", same, a.bits, bits, a.old_bits);
    llvm_branch_if(e, same, done, differs);
    llvm_block_begin(e, differs);
    attempt_end(e, &a, sum);
    llvm_block_begin(e, done);
}

/*
 * atom.add.f32 on global memory takes subnormal operands and results for 0 (PTX ISA 6.0, "atom").
 * That changes nothing where the value is 2^-100 or more: a subnormal number is below half of its
 * last place, and a sum that is not 0 is at least that place, which is 2^-124 or more.
 */
static void add_f32(llvm_emit *e, const char *dst, const ir_op *ptr, const char *value)
{
    uint32_t much = llvm_block_new(e), little = llvm_block_new(e), join = llvm_block_new(e);
    const char *size = llvm_temp(e), *enough = llvm_temp(e);
    char one[LLVM_NAME], other[LLVM_NAME];

    llvm_keep(one, llvm_temp(e));
    llvm_keep(other, llvm_temp(e));
    llvm_line(e, "%s = call float @llvm.fabs.f32(float %s)", size, value);
    llvm_line(e, "%s = fcmp oge float %s, 0x39B0000000000000", enough, size);
    llvm_branch_if(e, enough, much, little);
    llvm_block_begin(e, much);
    add_native(e, one, llvm_value(e, ptr), SCALAR_f32, value);
    llvm_branch(e, join);
    llvm_block_begin(e, little);
    add_little(e, other, ptr, SCALAR_f32, value);
    little = e->at_block;
    llvm_block_begin(e, join);
    llvm_line(e, "%s = phi float [ %s, %%x%u ], [ %s, %%x%u ]", dst, one, much, other, little);
}

/* What is added to the old value; NULL where the update does anything else. */
static const ir_op *added(const ir_op *op)
{
    if (op->code == IR_atomic)
        return op->scalar == SCALAR_OP_add || op->scalar == SCALAR_OP_sub ? op->in[1] : NULL;
    const ir_region *r = op->regions[0];
    const ir_op *old = r->args[0], *y = r->last->in[0];

    if (r->first != y || y->next != r->last || (y->code != IR_add && y->code != IR_sub))
        return NULL;
    if (y->in[0] == old)
        return y->in[1] != old ? y->in[1] : NULL;
    return y->in[1] == old && y->code == IR_add ? y->in[0] : NULL;
}

/* Of floats, where the GPU adds them in memory. old - v is old + -v, of zeros too. */
static bool add_float(llvm_emit *e, const ir_op *op)
{
    scalar_type type = op->type->scalar;
    const ir_op *sum = op->code == IR_update ? op->regions[0]->last->in[0] : op;
    bool is_sub = op->code == IR_update ? sum->code == IR_sub : op->scalar == SCALAR_OP_sub;
    char value[LLVM_NAME], dst[LLVM_NAME];

    if (!e->gpu || !e->gpu->adds_floats || !scalar_types[type].is_float || !added(op))
        return false;
    llvm_keep(dst, llvm_value(e, op));
    llvm_keep(value, llvm_value(e, added(op)));
    if (is_sub) {
        const char *negated = llvm_temp(e);
        llvm_line(e, "%s = fneg %s %s", negated, llvm_scalar_name(type), value);
        llvm_keep(value, negated);
    }
    if (type == SCALAR_f32)
        add_f32(e, dst, op->in[0], value);
    else
        add_native(e, dst, llvm_value(e, op->in[0]), type, value);
    return true;
}

static void update(llvm_emit *e, const ir_op *op)
{
    const ir_op *ptr = op->in[0], *old = op->regions[0]->args[0];
    bool is_local = ptr->type->space == IR_LOCAL;
    scalar_type type = op->type->scalar;
    const char *next;
    attempt a;

    if (!is_local && add_float(e, op))
        return;
    if (!is_local) {
        attempt_begin(e, &a, ptr, type, llvm_value(e, old));
        next = llvm_region_value(e, op->regions[0]);
        attempt_end(e, &a, next);
    } else {
        llvm_load(e, llvm_value(e, old), op->type, llvm_value(e, ptr), "");
        next = llvm_region_value(e, op->regions[0]);
        next = type == SCALAR_bool ? to_bits(e, type, 8, next) : next;
        llvm_line(e, "store %s %s, ptr %s, align %u", llvm_memory_name(type), next,
                  llvm_value(e, ptr), scalar_types[type].bytes);
    }
    llvm_line(e, "%s = freeze %s %s", llvm_value(e, op), llvm_scalar_name(type),
              llvm_value(e, old));
}

/* NULL where no instruction gives the language's result. */
static const char *native_name(scalar_op op, scalar_type type)
{
    bool is_float = scalar_types[type].is_float, is_signed = scalar_types[type].is_signed;

    if (op == SCALAR_OP_COUNT)
        return "xchg";
    if (type == SCALAR_bool)
        return NULL;
    if (op == SCALAR_OP_add)
        return is_float ? "fadd" : "add";
    if (op == SCALAR_OP_sub)
        return is_float ? "fsub" : "sub";
    if (op == SCALAR_OP_and || op == SCALAR_OP_or || op == SCALAR_OP_xor)
        return scalar_ops[op].name;
    if (op == SCALAR_OP_min && !is_float)
        return is_signed ? "min" : "umin";
    if (op == SCALAR_OP_max && !is_float)
        return is_signed ? "max" : "umax";
    return NULL;
}

static void native(llvm_emit *e, const ir_op *op, const char *name)
{
    scalar_type type = op->type->scalar;
    const char *value = llvm_value(e, op->in[1]), *raw = llvm_value(e, op);

    if (type == SCALAR_bool) {
        value = to_bits(e, type, 8, value);
        raw = llvm_temp(e);
    }
    llvm_line(e, "%s = atomicrmw %s ptr %s, %s %s%s monotonic", raw, name, llvm_value(e, op->in[0]),
              llvm_memory_name(type), value, llvm_scope(e));
    if (type == SCALAR_bool)
        from_bits(e, llvm_value(e, op), type, 8, raw);
}

static void atomic(llvm_emit *e, const ir_op *op)
{
    scalar_type type = op->type->scalar;
    const char *name = native_name(op->scalar, type);
    attempt a;

    if (add_float(e, op))
        return;
    if (name) {
        native(e, op, name);
        return;
    }
    attempt_begin(e, &a, op->in[0], type, llvm_value(e, op));
    const char *next = llvm_temp(e);
    llvm_scalar(e, next, (llvm_scalar_op){ op->scalar, type, type, 1 }, a.old,
                llvm_value(e, op->in[1]), NULL);
    attempt_end(e, &a, next);
}

static void compare_exchange(llvm_emit *e, const ir_op *op)
{
    const char *type = llvm_memory_name(op->type->scalar), *pair = llvm_temp(e);

    llvm_line(e, "%s = cmpxchg ptr %s, %s %s, %s %s%s monotonic monotonic", pair,
              llvm_value(e, op->in[0]), type, llvm_value(e, op->in[1]), type,
              llvm_value(e, op->in[2]), llvm_scope(e));
    llvm_line(e, "%s = extractvalue { %s, i1 } %s, 0", llvm_value(e, op), type, pair);
}

void llvm_atomic(llvm_emit *e, const ir_op *op)
{
    if (op->code == IR_update)
        update(e, op);
    else if (op->code == IR_atomic)
        atomic(e, op);
    else if (op->code == IR_cas)
        compare_exchange(e, op);
}
