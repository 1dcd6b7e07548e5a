/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.c - a kernel's parameters as the call sees them: arrays with their extents, structs,
 * scalars.
 *
 * An extent is a region of its own that computes from earlier parameters: the launch program
 * evaluates it with overflow detected. Strides inside the body are ordinary ops.
 */
#include <string.h>

#include "front/lower.h"

static const char *const extent_advice = "an extent may use earlier parameters, members of "
                                         "by-value structs, constants, sizeof and operators";

/* Refuses what an extent must not use; true where it is fine. */
static bool extent_allowed(lower *l, const node *n, uint32_t before)
{
    const char *what = NULL;

    if (n->kind == N_CALL)
        what = "a call";
    else if (n->kind == N_INDEX || (n->kind == N_UNARY && n->op == CXUnaryOperator_Deref) ||
             (n->kind == N_MEMBER && n->arrow))
        what = "an array element";
    else if (n->kind == N_ASSIGN || n->kind == N_COMPOUND ||
             (n->kind == N_UNARY && n->op >= CXUnaryOperator_PostInc &&
              n->op <= CXUnaryOperator_PreDec))
        what = "an assignment";
    else if (n->kind == N_REF && n->decl->kind == D_PARAM && n->decl->index >= before)
        what = "a later parameter";
    if (what) {
        front_error(l->f, n->place, extent_advice, "an extent uses %s", what);
        return false;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        if (!extent_allowed(l, n->kids[i], before))
            return false;
    }
    return true;
}

/* For the extents alone every earlier parameter is its op, whether the body writes it or not. */
static void bind_plain(lower *l, const fdecl *d, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        fdecl *p = d->params[i];
        ir_op *op = l->inst->func->params[i].op;
        p->bind = (binding){ .stamp = l->f->stamp, .type = p->type };
        if (p->type->kind == FT_SCALAR)
            p->bind.value = op;
        else if (p->type->kind == FT_STRUCT)
            p->bind.base = op;
    }
}

static ir_region *extent_region(lower *l, node *n)
{
    ir_builder outer = l->b;
    ir_region *r = ir_region_new(l->f->m, NULL);

    l->b.region = r;
    l->b.before = NULL;
    ir_op *value = lower_index(l, n);
    ir_yield(&l->b, value);
    l->b = outer;
    return r;
}

/* A name is itself, also where a macro wrote it; all else is the source between its ends. */
static const char *source_text(front *f, CXCursor c)
{
    CXFile file;
    unsigned from, to;
    size_t size;
    CXSourceRange range = clang_getCursorExtent(c);

    for (cursors kids = front_kids(f, c);
         clang_getCursorKind(c) == CXCursor_UnexposedExpr && kids.count == 1;
         kids = front_kids(f, c))
        c = kids.at[0];
    if (clang_getCursorKind(c) == CXCursor_DeclRefExpr)
        return front_text(f, clang_getCursorSpelling(c));
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &from);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &to);
    const char *s = file ? clang_getFileContents(f->tu, file, &size) : NULL;
    return s && from < to && to <= size ? arena_copy(f->arena, s + from, to - from) : "";
}

/* The written extents of a parameter as text, outermost first; the same walk as front_dims. */
static void extent_texts(front *f, const fdecl *p, ir_param *out)
{
    cursors all = front_kids(f, p->cursor);
    uint32_t written = 0;

    for (uint32_t i = all.count; i-- > 0;) {
        if (!clang_isExpression(clang_getCursorKind(all.at[i])))
            continue;
        while (written < p->dim_count && !p->dims[written])
            written++;
        uint32_t slot = written + (p->array == NULL);
        if (slot < IR_MAX_RANK)
            out->extent_text[slot] = source_text(f, all.at[i]);
        written++;
    }
}

/* An extent that a typedef has: the 3 of `vec3 x[n]`. */
static ir_region *constant_extent(lower *l, uint64_t count)
{
    ir_builder outer = l->b;
    ir_region *r = ir_region_new(l->f->m, NULL);

    l->b.region = r;
    l->b.before = NULL;
    ir_yield(&l->b, ir_const_i64(&l->b, (int64_t)count));
    l->b = outer;
    return r;
}

static void array_extents(lower *l, const fdecl *p, uint32_t outer, ir_param *out)
{
    front *f = l->f;
    const ftype *t = p->array ? p->array : p->type->elem;

    extent_texts(f, p, out);
    for (uint32_t k = 0; k < p->dim_count; k++, t = t->elem) {
        if (p->dims[k] && extent_allowed(l, p->dims[k], p->index)) {
            out->extents[k + outer] = extent_region(l, p->dims[k]);
        } else if (!p->dims[k] && t->count) {
            out->extents[k + outer] = constant_extent(l, t->count);
            out->extent_text[k + outer] =
                arena_text(f->arena, "%llu", (unsigned long long)t->count);
        } else if (!p->dims[k] && k + outer > 0) {
            front_error(f, p->place, "name the extent", "an inner extent of `%s` is unknown",
                        p->name);
        }
    }
}

static void array_param(lower *l, const fdecl *p, ir_param *out)
{
    front *f = l->f;
    uint32_t outer =
        p->array ? 0 : p->type->elem->kind == FT_ARRAY; /* (*x)[3]: one more, not named */
    uint32_t rank = p->dim_count + outer;
    const ftype *inner = ftype_inner(p->type->elem);

    out->is_array = true;
    out->is_const = p->type->const_elem;
    out->is_out = p->is_out;
    if (inner->kind != FT_SCALAR && inner->kind != FT_STRUCT) {
        front_error(f, p->place, "name its elements: f32 *x", "parameter `%s` is a pointer to %s",
                    p->name, ftype_text(f, inner));
        return;
    }
    if (out->is_out && out->is_const)
        front_error(f, p->place, "leave one of them out", "parameter `%s` is slip_out and const",
                    p->name);
    if (rank > IR_MAX_RANK) {
        front_error(f, p->place, "join two of its axes",
                    "parameter `%s` has %u dimensions; at most %d are possible", p->name, rank,
                    IR_MAX_RANK);
        return;
    }
    out->rank = rank;
    out->outer_unknown = outer || (p->dim_count && !p->dims[0]);
    array_extents(l, p, outer, out);
}

/* A task's block of 4,096 bytes also holds what the kernel adds: three axes of 16 bytes, and where
 * the cells and a reduction's parts are. A struct goes into it whole, so room is left beside one;
 * whether a task needs all of many arrays is seen when it is made. */
enum { PARAM_BLOCK_MOST = 4096, PARAM_BLOCK_KEPT = 64 };

/* The way to write the largest struct among the first `count` parameters that costs 8 bytes. */
static const char *struct_advice(front *f, const fdecl *d, uint32_t count)
{
    const fdecl *largest = NULL;

    for (uint32_t i = 0; i < count; i++) {
        const fdecl *p = d->params[i];
        if (p->type->kind == FT_STRUCT &&
            (!largest || p->type->ir->size > largest->type->ir->size))
            largest = p;
    }
    if (!largest)
        return "pass several of them as one array";
    CXType written = clang_getUnqualifiedType(clang_getCursorType(largest->cursor));
    return arena_text(f->arena, "pass `%s` as `const %s %s[1]`", largest->name,
                      front_text(f, clang_getTypeSpelling(written)), largest->name);
}

static void check_block(lower *l, const fdecl *d)
{
    uint64_t bytes = 0;
    int most = PARAM_BLOCK_MOST;

    for (uint32_t i = 0; i < d->param_count; i++) {
        const ftype *t = d->params[i]->type;
        if (t->kind == FT_STRUCT)
            most = PARAM_BLOCK_MOST - PARAM_BLOCK_KEPT;
        if (t->kind == FT_STRUCT && t->ir->align > 8)
            bytes = (bytes + 15) / 16 * 16;
        bytes += t->kind == FT_STRUCT ? (t->ir->size + 7) / 8 * 8 : 8;
        if (bytes <= (uint64_t)most)
            continue;
        front_error(
            l->f, d->params[i]->place, struct_advice(l->f, d, i + 1),
            "the parameters of kernel `%s` take %llu bytes up to `%s`; at most %d are possible",
            d->name, (unsigned long long)bytes, d->params[i]->name, most);
        return;
    }
}

/* What the generated header could not declare. */
static void check_signature(lower *l, const fdecl *d)
{
    if (strncmp(d->name, "slip_", 5) == 0)
        front_error(l->f, d->place, "give it another name",
                    "kernel `%s` has a name of the host interface, whose names begin with slip_", d->name);
    if (clang_Cursor_isVariadic(d->cursor))
        front_error(l->f, d->place, "name every parameter", "kernel `%s` takes `...`", d->name);
    for (uint32_t i = 0; i < d->param_count; i++) {
        const ftype *t = d->params[i]->type;
        t = ftype_inner(t->kind == FT_POINTER ? t->elem : t);
        if (t->kind == FT_STRUCT && strncmp(t->ir->name, "anon.", 5) == 0)
            front_error(l->f, d->params[i]->place, "give the struct a name",
                        "parameter `%s` is of a struct that the caller cannot name", d->params[i]->name);
    }
}

void lower_kernel_params(lower *l)
{
    const fdecl *d = l->inst->decl;

    check_block(l, d);
    check_signature(l, d);

    for (uint32_t i = 0; i < d->param_count; i++) {
        const fdecl *p = d->params[i];
        if (!ftype_usable(l->f, p->type, p->place,
                          arena_text(l->f->arena, "parameter `%s`", p->name)))
            continue;
        bind_plain(l, d, i);
        if (p->type->kind == FT_POINTER)
            array_param(l, p, &l->inst->func->params[i]);
        else if (p->is_out)
            front_error(l->f, p->place, "mark arrays only",
                        "parameter `%s` is slip_out and not an array", p->name);
    }
}
