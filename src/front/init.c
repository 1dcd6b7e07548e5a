/* SPDX-License-Identifier: Apache-2.0 */
/*
 * init.c - initialiser lists as C means them: elided braces, designators, what stays zero.
 *
 * clang hands over the list as written. The walk gives each initialised scalar (or whole struct)
 * its path from the object's root, in order of evaluation.
 */
#include "front/lower.h"

enum { INIT_DEPTH = 24 };

typedef struct level {
    const ftype *type; /* the aggregate */
    uint64_t at;       /* which of its parts is next */
} level;

typedef struct walk {
    front *f;
    init_leaf *leaf;
    void *user;
    init_step path[INIT_DEPTH];
    uint64_t scalars;
    bool designated;
} walk;

static uint64_t part_count(const ftype *t)
{
    return t->kind == FT_STRUCT ? t->field_count : t->count;
}

static const ftype *part_type(const ftype *t, uint64_t at)
{
    if (t->kind == FT_STRUCT)
        return at < t->field_count ? t->fields[at]->type : NULL;
    return t->elem;
}

static bool is_aggregate(const ftype *t)
{
    return t->kind == FT_STRUCT || t->kind == FT_ARRAY;
}

static uint64_t scalar_count(const ftype *t)
{
    uint64_t n = 0;
    if (t->kind == FT_ARRAY)
        return ftype_flat(t) * scalar_count(ftype_inner(t));
    if (t->kind != FT_STRUCT)
        return 1;
    for (uint32_t i = 0; i < t->field_count; i++)
        n += scalar_count(t->fields[i]->type);
    return n;
}

static void give_leaf(walk *w, uint32_t depth, const ftype *type, node *value)
{
    w->scalars += scalar_count(type);
    w->leaf(w->user, w->path, depth, type, value);
}

static void set_step(walk *w, uint32_t depth, const level *at)
{
    w->path[depth] = (init_step){ .index = at->at };
    if (at->type->kind == FT_STRUCT && at->at < at->type->field_count)
        w->path[depth].field = at->type->fields[at->at];
}

static void walk_list(walk *w, const ftype *type, uint32_t depth, node *list);

/* Puts the designators of n on the stack; false where one is not a constant. */
static bool designate(walk *w, const ftype *type, const node *n, level *stack, uint32_t *count)
{
    *count = 0;
    w->designated = true;
    for (uint32_t i = 0; i + 1 < n->count && *count < INIT_DEPTH - 2; i++) {
        const node *d = n->kids[i];
        uint64_t at = 0;
        if (d->kind == N_REF && d->decl->kind == D_FIELD)
            at = d->decl->index;
        else if (!constant_value(w->f, d, SCALAR_i64, &at))
            return false;
        if (!is_aggregate(type) || at >= part_count(type))
            return false;
        stack[(*count)++] = (level){ type, at };
        type = part_type(type, at);
    }
    return *count > 0;
}

/* Steps to the part after the one just initialised, leaving what is full. */
static void advance(level *stack, uint32_t *count)
{
    while (*count) {
        level *top = &stack[*count - 1];
        if (++top->at < part_count(top->type))
            return;
        (*count)--;
    }
}

static void one_item(walk *w, level *stack, uint32_t *count, uint32_t depth, node *value)
{
    for (;;) {
        uint32_t at = depth + *count - 1;
        const ftype *part = part_type(stack[*count - 1].type, stack[*count - 1].at);
        if (!part || at + 1 >= INIT_DEPTH)
            return;
        for (uint32_t i = 0; i < *count; i++)
            set_step(w, depth + i, &stack[i]);
        if (value->kind == N_INIT_LIST && is_aggregate(part)) {
            walk_list(w, part, at + 1, value);
            return;
        }
        bool whole = !is_aggregate(part) || value->kind == N_STRING ||
                     (part->kind == FT_STRUCT && value->type->kind == FT_STRUCT);
        if (whole) {
            while (value->kind == N_INIT_LIST && value->count == 1)
                value = value->kids[0];
            give_leaf(w, at + 1, part, value);
            return;
        }
        stack[(*count)++] = (level){ part, 0 };
    }
}

static void walk_list(walk *w, const ftype *type, uint32_t depth, node *list)
{
    level stack[INIT_DEPTH] = { { type, 0 } };
    uint32_t count = 1;

    for (uint32_t i = 0; i < list->count; i++) {
        node *item = list->kids[i];
        node *value = item;
        if (item->kind == N_DESIGNATED) {
            value = item->kids[item->count - 1];
            if (!designate(w, type, item, stack, &count)) {
                front_error(w->f, item->place, "use a constant index inside the object",
                            "this designator cannot be followed");
                return;
            }
        }
        if (count == 0 || depth + count >= INIT_DEPTH)
            return; /* clang has refused excess elements */
        one_item(w, stack, &count, depth, value);
        advance(stack, &count);
    }
}

uint64_t init_walk(front *f, const ftype *type, node *list, init_leaf *leaf, void *user)
{
    walk w = { .f = f, .leaf = leaf, .user = user };
    walk_list(&w, type, 0, list);
    return w.designated ? 0 : w.scalars;
}

/* ---- storing into an object
 * ------------------------------------------------------------------------ */

typedef struct storing {
    lower *l;
    spot to;
    bool counting;
    bool zeroed; /* a leaf that is 0 stands there already */
} storing;

static void store_leaf(void *user, const init_step *path, uint32_t depth, const ftype *type,
                       node *value)
{
    storing *s = user;
    spot at = s->to;

    uint64_t bits;
    bool is_zero = s->zeroed && type->kind == FT_SCALAR && !s->counting &&
                   constant_value(s->l->f, value, type->scalar, &bits) && bits == 0;
    if (s->counting || is_zero)
        return;
    for (uint32_t i = 0; i < depth; i++) {
        s->l->b.place = value->place;
        at = path[i].field
                 ? lower_field(s->l, at, path[i].field)
                 : lower_element(s->l, at, ir_const_i64(&s->l->b, (int64_t)path[i].index));
    }
    at.type = type;
    lower_init(s->l, at, value);
}

static void zero(lower *l, spot to)
{
    const ir_type *storage = front_storage(l->f, to.type);
    ir_op *in[2] = { to.offset ? lower_address(l, to) : to.base, ir_const(&l->b, SCALAR_u8, 0) };
    ir_op *op = ir_build(&l->b, IR_fill, ir_type_void(l->f->m), in, 2);
    op->bytes = storage->size;
}

void lower_init(lower *l, spot to, node *init)
{
    l->b.place = init->place;
    if (init->kind == N_INIT_LIST && is_aggregate(to.type)) {
        storing count = { .l = l, .counting = true }, store = { .l = l, .to = to };
        store.zeroed = init_walk(l->f, to.type, init, store_leaf, &count) != scalar_count(to.type);
        if (store.zeroed)
            zero(l, to);
        init_walk(l->f, to.type, init, store_leaf, &store);
        return;
    }
    if (init->kind == N_INIT_LIST && init->count == 1) {
        lower_init(l, to, init->kids[0]);
        return;
    }
    if (to.type->kind == FT_STRUCT) {
        spot from = lower_place(l, init);
        l->b.place = init->place;
        lower_copy(l, to, from);
    } else if (to.type->kind == FT_SCALAR) {
        ir_op *value = lower_value(l, init);
        l->b.place = init->place;
        lower_store(l, to, value);
    } else {
        lower_effect(l, init);
        if (init->kind != N_BAD)
            front_error(l->f, init->place, "give the elements in braces",
                        "an array is initialised by one expression");
    }
}
