/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c - expressions whose value depends on an order that C leaves open.
 *
 * Of two unsequenced operands (arguments of one call included) none may write a variable or array
 * that the other reads or writes. Also finds, per function, the pointer parameters it writes
 * through: a call writes what those arguments point to.
 */
#include <string.h>

#include "front/lower.h"

enum { READS = 1, WRITES = 2 };

typedef struct effect {
    const fdecl *decl;
    bool memory; /* what the pointer points to, not the variable itself */
    uint8_t access;
} effect;

typedef struct effects {
    effect *at;
    uint32_t count, capacity;
} effects;

typedef struct order {
    front *f;
    fdecl *func;
} order;

static effects value(order *o, const node *n);
static effects object(order *o, const node *n, uint8_t access);

static void add(order *o, effects *e, const fdecl *decl, bool memory, uint8_t access)
{
    if (!access)
        return;
    for (uint32_t i = 0; i < e->count; i++) {
        if (e->at[i].decl == decl && e->at[i].memory == memory) {
            e->at[i].access |= access;
            return;
        }
    }
    e->at = arena_grow(o->f->arena, e->at, &e->capacity, e->count + 1, sizeof *e->at);
    e->at[e->count++] = (effect){ decl, memory, access };
}

static void join(order *o, effects *to, effects from)
{
    for (uint32_t i = 0; i < from.count; i++)
        add(o, to, from.at[i].decl, from.at[i].memory, from.at[i].access);
}

/* What a pointer points into: its own array, and for a local pointer also its initialiser's. */
static void pointed(order *o, effects *e, const node *n, uint8_t access)
{
    if (n->kind == N_REF && n->decl->kind != D_FUNC) {
        add(o, e, n->decl, true, access);
        if (n->decl->kind == D_VAR && n->decl->init && n->type->kind == FT_POINTER)
            pointed(o, e, n->decl->init, access);
    } else if (n->kind == N_CAST) {
        if (n->kids[0]->type->kind == FT_ARRAY)
            join(o, e, object(o, n->kids[0], access));
        else
            pointed(o, e, n->kids[0], access);
    } else if (n->kind == N_UNARY && n->op == CXUnaryOperator_AddrOf) {
        join(o, e, object(o, n->kids[0], access));
    } else if (n->kind == N_UNARY || (n->kind == N_ASSIGN && n->count == 2)) {
        pointed(o, e, n->kids[n->count - 1], access);
    } else if (n->kind == N_BINARY && n->op != CXBinaryOperator_Comma) {
        pointed(o, e, n->kids[n->kids[0]->type->kind == FT_POINTER ? 0 : 1], access);
    } else if (n->kind == N_BINARY || n->kind == N_COMPOUND) {
        pointed(o, e, n->kids[n->kind == N_BINARY], access);
    } else if (n->kind == N_COND) {
        pointed(o, e, n->kids[1], access);
        pointed(o, e, n->kids[2], access);
    }
}

static void check_pair(order *o, const node *at, const effects *a, const effects *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            const effect *x = &a->at[i], *y = &b->at[k];
            if (x->decl != y->decl || x->memory != y->memory || !((x->access | y->access) & WRITES))
                continue;
            front_error(
                o->f, at->place, "write two statements",
                "one operand writes `%s` and another uses it; C does not say which comes first",
                x->decl->name);
            return;
        }
    }
}

static effects operands(order *o, const node *n, uint32_t from)
{
    effects all = { 0 };
    for (uint32_t i = from; i < n->count; i++) {
        effects one = value(o, n->kids[i]);
        check_pair(o, n, &all, &one);
        join(o, &all, one);
    }
    return all;
}

static effects sequenced(order *o, const node *n)
{
    effects all = { 0 };
    for (uint32_t i = 0; i < n->count; i++)
        join(o, &all, value(o, n->kids[i]));
    return all;
}

/* ---- objects
 * --------------------------------------------------------------------------------------- */

static effects element(order *o, const node *n, uint8_t access)
{
    const node *base = n->kids[0];
    bool local = base->kind == N_CAST && base->kids[0]->type->kind == FT_ARRAY;
    effects all = local ? object(o, base->kids[0], access) : value(o, base);

    if (n->kind == N_INDEX) {
        effects index = value(o, n->kids[1]);
        effects address = local ? object(o, base->kids[0], 0) : value(o, base);
        check_pair(o, n, &address, &index);
        join(o, &all, index);
    }
    if (!local)
        pointed(o, &all, base, access);
    return all;
}

/* The effects of finding an object and accessing it so. */
static effects object(order *o, const node *n, uint8_t access)
{
    effects all = { 0 };

    if (n->kind == N_REF) {
        add(o, &all, n->decl, false, access);
        return all;
    }
    if (n->kind == N_MEMBER && !n->arrow)
        return object(o, n->kids[0], access);
    if (n->kind == N_MEMBER || n->kind == N_INDEX ||
        (n->kind == N_UNARY && n->op == CXUnaryOperator_Deref))
        return element(o, n, access);
    if (n->kind == N_CAST)
        return object(o, n->kids[0], access);
    return value(o, n);
}

/* ---- values
 * ----------------------------------------------------------------------------------------- */

/* Writes inside n that may still be under way when its value is known. */
static void pending(order *o, effects *e, const node *n)
{
    bool writes =
        n->kind == N_ASSIGN || n->kind == N_COMPOUND ||
        (n->kind == N_UNARY && n->op >= CXUnaryOperator_PostInc && n->op <= CXUnaryOperator_PreDec);
    bool last_only =
        n->kind == N_BINARY && (n->op == CXBinaryOperator_Comma || n->op == CXBinaryOperator_LAnd ||
                                n->op == CXBinaryOperator_LOr);
    if (n->kind == N_CALL)
        return; /* all of it is done before the call returns */
    if (n->kind == N_ASSIGN && n->kids[0]->kind != N_REF)
        writes = false; /* x[0] = x[1] = v is in order: two elements */
    if (writes) {
        effects target = object(o, n->kids[0], WRITES);
        for (uint32_t i = 0; i < target.count; i++) {
            if (target.at[i].access & WRITES)
                add(o, e, target.at[i].decl, target.at[i].memory, WRITES);
        }
    }
    for (uint32_t i = last_only || n->kind == N_COND ? 1 : 0; i < n->count; i++)
        pending(o, e, n->kids[i]);
}

static effects assignment(order *o, const node *n)
{
    bool compound = n->kind == N_COMPOUND;
    effects left = object(o, n->kids[0], 0), right = value(o, n->kids[1]);
    effects target = object(o, n->kids[0], compound ? READS | WRITES : WRITES);
    effects late = { 0 };

    check_pair(o, n, &left, &right);
    if (compound) {
        for (uint32_t i = 0; i < right.count; i++)
            add(o, &late, right.at[i].decl, right.at[i].memory, right.at[i].access & WRITES);
    } else {
        pending(o, &late, n->kids[1]);
    }
    check_pair(o, n, &target, &late);
    join(o, &left, right);
    join(o, &left, target);
    return left;
}

static bool writes_param(const fdecl *callee, uint32_t k)
{
    if (!callee->is_builtin)
        return (callee->writes >> (k < 63 ? k : 63)) & 1;
    return k == 0 &&
           (strncmp(callee->name, "slip_atomic_", 12) == 0 || strncmp(callee->name, "mem", 3) == 0);
}

static effects call(order *o, const node *n)
{
    effects all = operands(o, n, 0);
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->kids[i]->type->kind == FT_POINTER)
            pointed(o, &all, n->kids[i],
                    (uint8_t)(READS | (writes_param(n->decl, i) ? WRITES : 0)));
    }
    return all;
}

static effects unary(order *o, const node *n)
{
    if (n->op == CXUnaryOperator_AddrOf)
        return object(o, n->kids[0], 0);
    if (n->op >= CXUnaryOperator_PostInc && n->op <= CXUnaryOperator_PreDec)
        return object(o, n->kids[0], READS | WRITES);
    if (n->op == CXUnaryOperator_Deref)
        return object(o, n, n->type->kind == FT_ARRAY ? 0 : READS);
    return value(o, n->kids[0]);
}

static effects value(order *o, const node *n)
{
    effects none = { 0 };

    if (n->kind == N_REF) {
        if (n->decl->kind != D_FUNC && n->type->kind != FT_ARRAY)
            add(o, &none, n->decl, false, READS);
        return none;
    }
    if (n->kind == N_MEMBER || n->kind == N_INDEX)
        return object(o, n, n->type->kind == FT_ARRAY ? 0 : READS);
    if (n->kind == N_CAST && n->kids[0]->type->kind == FT_ARRAY)
        return object(o, n->kids[0], 0);
    if (n->kind == N_UNARY)
        return unary(o, n);
    if (n->kind == N_ASSIGN || n->kind == N_COMPOUND)
        return assignment(o, n);
    if (n->kind == N_CALL)
        return call(o, n);
    bool ordered =
        n->kind == N_COND || n->kind == N_CAST ||
        (n->kind == N_BINARY && (n->op == CXBinaryOperator_Comma ||
                                 n->op == CXBinaryOperator_LAnd || n->op == CXBinaryOperator_LOr));
    if (ordered)
        return sequenced(o, n);
    if (n->kind == N_BINARY || n->kind == N_INIT_LIST || n->kind == N_DESIGNATED ||
        n->kind == N_LITERAL)
        return operands(o, n, 0);
    return none;
}

/* ---- functions
 * ----------------------------------------------------------------------------------------- */

static void note_writes(order *o, effects e)
{
    for (uint32_t i = 0; i < e.count; i++) {
        const fdecl *d = e.at[i].decl;
        if (!(e.at[i].access & WRITES) || !e.at[i].memory)
            continue;
        if (d->kind == D_PARAM)
            o->func->writes |= UINT64_C(1) << (d->index < 63 ? d->index : 63);
        else if (!d->init) /* a pointer set later: any parameter may be meant */
            o->func->writes = ~UINT64_C(0);
    }
}

static void statements(order *o, const node *n)
{
    if (!n)
        return;
    if (n->kind <= N_LITERAL) {
        note_writes(o, value(o, n));
        return;
    }
    if (n->kind == N_DECL && n->decl->init)
        note_writes(o, value(o, n->decl->init));
    for (uint32_t i = 0; i < n->count; i++)
        statements(o, n->kids[i]);
}

void front_check_order(front *f, fdecl *func)
{
    order o = { .f = f, .func = func };
    if (func->body)
        statements(&o, func->body);
}
