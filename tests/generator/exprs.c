/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exprs.c - expressions, each with the type that C gives it.
 */
#include "generator/make.h"

static const char *type_name(gen_type type)
{
    return gen_types[type].name;
}

static bool readable(const maker *m, const var *v)
{
    return may_read(m, v);
}

static bool steppable(const maker *m, const var *v)
{
    return may_write(m, v) && v->record == GEN_NO_RECORD && v->rank <= 1;
}

static expr make_literal(maker *m)
{
    gen_type type = favourite(m);

    return (expr){ literal(m, type), type };
}

static expr make_table(maker *m)
{
    const table *t = &m->tables[pick(m, m->table_count)];
    expr e = make_integer(m, 0);

    COUNT(m, table);
    return (expr){ format(m, "%s[(%s) & %u]", t->name, e.text, t->length - 1), t->type };
}

static expr make_leaf(maker *m)
{
    var *v = chance(m, 82) ? var_pick(m, readable) : NULL;
    expr e;

    if (!v && m->table_count > 0 && chance(m, 30))
        return make_table(m);
    if (!v)
        return make_literal(m);
    /* Its index may read it too, so it may not be changed there. */
    v->read_at = m->moment;
    if (v->rank > 0 && v->dims[0].modulo)
        COUNT(m, gather);
    else if (v->rank > 0 && !v->in_kernel)
        COUNT(m, local_array);
    e.text = place_in(m, v, &e.type);
    return e;
}

/* ---- operators -------------------------------------------------------------------------- */

static expr arithmetic(maker *m, int depth)
{
    static const char *const signs[] = { "+", "-", "*", "/" };
    expr a = make_expr(m, depth - 1), b = make_expr(m, depth - 1);
    gen_type type = common(a.type, b.type);
    uint32_t sign = pick(m, 4);

    if (is_float(type))
        COUNT(m, float_arith);
    else if (gen_types[type].bytes == 8)
        COUNT(m, wide);
    if (sign == 3 && !is_float(type)) {
        COUNT(m, division);
        return (expr){ format(m, "DIV(%s, %s, %s)", type_name(type), a.text, b.text), type };
    }
    return (expr){ format(m, "(%s %s %s)", a.text, signs[sign], b.text), type };
}

static expr bitwise(maker *m, int depth)
{
    static const char *const signs[] = { "&", "|", "^" };
    expr a = make_integer(m, depth - 1), b = make_integer(m, depth - 1);
    gen_type type = common(a.type, b.type);
    uint32_t sign = pick(m, 4);

    if (sign == 3) {
        COUNT(m, division);
        return (expr){ format(m, "REM(%s, %s, %s)", type_name(type), a.text, b.text), type };
    }
    return (expr){ format(m, "(%s %s %s)", a.text, signs[sign], b.text), type };
}

static expr shift(maker *m, int depth)
{
    expr a = make_integer(m, depth - 1), b = make_integer(m, depth - 1);
    gen_type type = promoted(a.type);

    COUNT(m, shift);
    return (expr){ format(m, "SH%c(%s, %s, %s)", chance(m, 50) ? 'L' : 'R', type_name(type), a.text,
                          b.text),
                   type };
}

static expr comparison(maker *m, int depth)
{
    static const char *const signs[] = { "<", "<=", ">", ">=", "==", "!=" };
    expr a = make_expr(m, depth - 1), b = make_expr(m, depth - 1);

    COUNT(m, compare);
    return (expr){ format(m, "(%s %s %s)", a.text, signs[pick(m, 6)], b.text), GEN_i32 };
}

static expr logic(maker *m, int depth)
{
    expr a = make_condition(m, depth - 1), b = make_condition(m, depth - 1);

    COUNT(m, logic);
    return (expr){ format(m, "(%s %s %s)", a.text, chance(m, 50) ? "&&" : "||", b.text), GEN_i32 };
}

static expr unary(maker *m, int depth)
{
    expr e = make_expr(m, depth - 1);

    switch (pick(m, 4)) {
    case 0:
        return (expr){ format(m, "(!%s)", e.text), GEN_i32 };
    case 1:
        if (!is_float(e.type))
            return (expr){ format(m, "(~%s)", e.text), promoted(e.type) };
        break;
    case 2:
        return (expr){ format(m, "(+ %s)", e.text), promoted(e.type) };
    default:
        break;
    }
    return (expr){ format(m, "(- %s)", e.text), promoted(e.type) };
}

/* By a cast. */
static expr cast_to(maker *m, expr e, gen_type type)
{
    if (is_float(e.type) && is_integer(type)) {
        COUNT(m, float_to_integer);
        return (expr){ format(m, "SAT(%s, %s)", type_name(type), e.text), type };
    }
    return (expr){ format(m, "(%s)(%s)", type_name(type), e.text), type };
}

static expr cast(maker *m, int depth)
{
    COUNT(m, cast);
    return cast_to(m, make_expr(m, depth - 1), any_type(m));
}

static expr ternary(maker *m, int depth)
{
    expr c = make_condition(m, depth - 1), a = make_expr(m, depth - 1), b = make_expr(m, depth - 1);
    gen_type type = a.type == b.type ? promoted(a.type) : common(a.type, b.type);

    COUNT(m, ternary);
    return (expr){ format(m, "(%s ? %s : %s)", c.text, a.text, b.text), type };
}

static expr min_max(maker *m, int depth)
{
    m->pure++; /* both are macros under a C compiler and may name their arguments twice */
    expr a = make_expr(m, depth - 1), b = make_expr(m, depth - 1);
    m->pure--;

    COUNT(m, min_max);
    return (expr){ format(m, "slip_%s(%s, %s)", chance(m, 50) ? "min" : "max", a.text, b.text),
                   common(a.type, b.type) };
}

/* Those whose result is exact. */
static expr math(maker *m, int depth)
{
    static const char *const names[] = { "sqrt",  "fabs", "floor", "ceil",
                                         "trunc", "rint", "fma",   "fmod" };
    gen_type type = chance(m, 50) ? GEN_f32 : GEN_f64;
    uint32_t which = pick(m, 8);
    const char *f = type == GEN_f32 ? "f" : "", *a = make_as(m, type, depth - 1);

    COUNT(m, math);
    if (which < 6)
        return (expr){ format(m, "%s%s(%s)", names[which], f, a), type };
    const char *b = make_as(m, type, depth - 1);
    if (which == 7)
        return (expr){ format(m, "fmod%s(%s, %s)", f, a, b), type };
    return (expr){ format(m, "fma%s(%s, %s, %s)", f, a, b, make_as(m, type, depth - 1)), type };
}

static expr bits(maker *m, int depth)
{
    bool wide = chance(m, 50);

    COUNT(m, bits);
    if (chance(m, 60))
        return (expr){ format(m, "bits_%s(%s)", wide ? "f64" : "f32",
                              make_as(m, wide ? GEN_f64 : GEN_f32, depth - 1)),
                       wide ? GEN_u64 : GEN_u32 };
    return (expr){ format(m, "slip_bits_%s(%s)", wide ? "f64" : "f32",
                          make_as(m, wide ? GEN_u64 : GEN_u32, depth - 1)),
                   wide ? GEN_f64 : GEN_f32 };
}

static expr size(maker *m)
{
    if (m->p->record_count > 0 && chance(m, 60))
        return (expr){
            format(m, "sizeof(struct %s)", m->p->records[pick(m, m->p->record_count)].name), GEN_u64
        };
    return (expr){ format(m, "sizeof(%s)", type_name(any_type(m))), GEN_u64 };
}

/* ++, --, = for their value. The variable may be touched nowhere else in the full expression. */
static expr effect(maker *m, int depth)
{
    var *v = m->pure > 0 ? NULL : var_pick(m, steppable);

    if (!v)
        return make_expr(m, depth - 1);
    v->written_at = m->moment;
    expr e = { v->base, v->type };
    if (v->rank == 1)
        e.text = format(m, "%s[%s]", v->base,
                        v->dims[0].modulo ? "0" : format(m, "%u", pick(m, v->dims[0].mask + 1)));
    if (chance(m, 50)) {
        COUNT(m, assign_value);
        return (expr){ format(m, "(%s = %s)", e.text, make_as(m, v->type, depth - 1)), v->type };
    }
    if (v->type == GEN_bool)
        return (expr){ format(m, "%s++", e.text), v->type };
    COUNT(m, step_value);
    const char *sign = chance(m, 50) ? "++" : "--";
    return (expr){ chance(m, 50) ? format(m, "%s%s", sign, e.text)
                                 : format(m, "%s%s", e.text, sign),
                   v->type };
}

static expr call(maker *m, int depth)
{
    const helper *h = NULL;
    const char *text = call_helper(m, chance(m, 60) ? HELP_VALUE : HELP_READ, depth - 1, &h);

    return text ? (expr){ text, h->result } : arithmetic(m, depth);
}

static expr literal_member(maker *m, int depth)
{
    if (m->p->record_count == 0)
        return comparison(m, depth);
    int record = (int)pick(m, m->p->record_count);
    const gen_record *r = &m->p->records[record];
    const gen_member *member = &r->members[0];
    const char *text = format(m, "(%s).%s", make_record(m, record, depth - 1), member->name);

    if (member->record != GEN_NO_RECORD || member->length)
        return make_leaf(m);
    return (expr){ text, member->type };
}

expr make_expr(maker *m, int depth)
{
    if (depth <= 0)
        return make_leaf(m);
    uint32_t which = pick(m, 100);
    return which < 12   ? make_leaf(m)
           : which < 36 ? arithmetic(m, depth)
           : which < 46 ? bitwise(m, depth)
           : which < 52 ? shift(m, depth)
           : which < 58 ? comparison(m, depth)
           : which < 62 ? logic(m, depth)
           : which < 66 ? unary(m, depth)
           : which < 73 ? cast(m, depth)
           : which < 78 ? ternary(m, depth)
           : which < 82 ? min_max(m, depth)
           : which < 86 ? math(m, depth)
           : which < 88 ? bits(m, depth)
           : which < 89 ? size(m)
           : which < 93 ? effect(m, depth)
           : which < 98 ? call(m, depth)
                        : literal_member(m, depth);
}

expr make_integer(maker *m, int depth)
{
    expr e = make_expr(m, depth);

    return is_float(e.type) ? cast_to(m, e, any_integer(m)) : e;
}

expr make_condition(maker *m, int depth)
{
    return chance(m, 60)   ? comparison(m, depth > 0 ? depth : 1)
           : chance(m, 30) ? logic(m, depth > 0 ? depth : 1)
                           : make_expr(m, depth);
}

const char *as_type(maker *m, expr e, gen_type type)
{
    if (is_float(e.type) && is_integer(type)) {
        COUNT(m, float_to_integer);
        return format(m, "%s(%s, %s)", chance(m, 50) ? "SAT" : "IMP", type_name(type), e.text);
    }
    return chance(m, 20) ? format(m, "(%s)(%s)", type_name(type), e.text) : e.text;
}

const char *make_as(maker *m, gen_type type, int depth)
{
    return as_type(m, make_expr(m, depth), type);
}

/* ---- structs ---------------------------------------------------------------------------- */

static const char *member_value(maker *m, const gen_member *member, int depth)
{
    if (member->length && member->record == GEN_NO_RECORD)
        return chance(m, 50) ? format(m, "{ %s }", make_as(m, member->type, depth - 1))
                             : format(m, "{ [%u] = %s }", pick(m, member->length),
                                      make_as(m, member->type, depth - 1));
    if (member->length)
        return "{ { 0 } }";
    if (member->record != GEN_NO_RECORD)
        return "{ 0 }";
    return make_as(m, member->type, depth - 1);
}

/* A compound literal: in order, or by designators. */
const char *make_record(maker *m, int record, int depth)
{
    const gen_record *r = &m->p->records[record];
    const char *text = "";
    bool designated = chance(m, 50);

    COUNT(m, compound_literal);
    if (designated)
        COUNT(m, designated);
    for (uint32_t i = 0; i < r->count; i++) {
        if (designated && i > 0 && chance(m, 30))
            continue;
        const char *value = member_value(m, &r->members[i], depth);
        const char *comma = text[0] ? ", " : "";
        text = designated ? format(m, "%s%s.%s = %s", text, comma, r->members[i].name, value)
                          : format(m, "%s%s%s", text, comma, value);
    }
    return format(m, "(struct %s){ %s }", r->name, text);
}
