/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writes.c - statements that write: assignments of every operator, and updates that commute
 * exactly.
 */
#include <string.h>

#include "generator/make.h"

static const char *type_name(gen_type type)
{
    return gen_types[type].name;
}

/* place op= value, where the C compiler needs the meaning spelled out the place stands twice: it
 * has no effects. */
static void compound(maker *m, const char *place, gen_type type)
{
    static const char *const signs[] = { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>" };
    static const char *const words[] = { "ADD", "SUB", "MUL", "QUO" };
    static const char *const large[] = { "DIV", "REM", "", "", "", "SHL", "SHR" };
    uint32_t sign = pick(m, is_float(type) ? 4 : 10);
    expr e = sign < 4 ? make_expr(m, 2) : make_integer(m, 2);
    gen_type in = sign < 8 ? common(type, e.type) : promoted(type);

    COUNT(m, compound);
    if (sign < 4 && is_integer(type) && is_float(e.type)) {
        COUNT(m, mixed);
        line(m, "%s_EQ(%s, %s, %s);", words[sign], type_name(type), place, e.text);
    } else if ((sign == 3 && !is_float(in)) || sign == 4 || sign > 7) {
        COUNT(m, division);
        line(m, "%s_EQ(%s, %s, %s, %s);", large[sign - 3], type_name(type), type_name(in), place,
             e.text);
    } else {
        line(m, "%s %s= %s;", place, signs[sign], e.text);
    }
}

static void write_record(maker *m, var *v)
{
    const char *text = v->base;

    for (uint32_t d = 0; d < v->rank; d++) {
        expr e = make_integer(m, 0);
        text = format(m, "%s[(%s) & %u]", text, e.text, v->dims[d].mask);
    }
    COUNT(m, record_copy);
    line(m, "%s = %s;", text, make_record(m, v->record, 2));
}

void write_place(maker *m, var *v)
{
    gen_type type;

    moment_begin(m);
    v->kept_at = m->moment;
    if (v->record != GEN_NO_RECORD && chance(m, 20)) {
        write_record(m, v);
        return;
    }
    m->pure++;
    const char *place = place_in(m, v, &type);
    m->pure--;
    /* What its index reads may not be changed by the value either: one moment for both. */
    if (chance(m, 55))
        line(m, "%s = %s;", place, make_as(m, type, 3));
    else if (chance(m, 25) && type != GEN_bool)
        line(m, chance(m, 50) ? "%s++;" : "--%s;", place);
    else
        compound(m, place, type);
}

/* ---- updates by many iterations --------------------------------------------------------- */

static const char *choose_update(maker *m, const var *v)
{
    static const char *const integer[] = { "+", "+", "+", "*", "^", "|", "&", "min", "max" };

    if (is_float(v->type))
        return chance(m, 50) ? "min" : "max";
    if (v->type == GEN_bool)
        return chance(m, 50) ? "|" : "&";
    return integer[pick(m, sizeof integer / sizeof integer[0])];
}

void claim_update(maker *m, var *v)
{
    if (v->use == USE_NONE) {
        v->use = USE_UPDATE;
        v->update = choose_update(m, v);
    }
}

/* One operator in a task: so the order of iterations does not show. The value may not name what is
 * updated. */
void write_update(maker *m, var *v)
{
    gen_type type;
    bool scalar = v->rank == 0;
    moment_begin(m);
    m->pure++;
    const char *place = place_in(m, v, &type);
    m->pure--;
    if (scalar)
        COUNT(m, reduction);
    else
        COUNT(m, shared);
    if (v->update[0] == 'm') {
        COUNT(m, shared_atomic);
        line(m, "slip_atomic_%s(&%s, %s);", v->update, place, make_as(m, type, 2));
        return;
    }
    const char *sign = v->update;
    if (sign[0] == '+' && chance(m, 25))
        line(m, "%s%s;", place, chance(m, 50) ? "++" : "--");
    else
        line(m, "%s %s= %s;", place, sign[0] == '+' && chance(m, 30) ? "-" : sign,
             make_integer(m, 2).text);
}
