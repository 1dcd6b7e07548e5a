/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decls.c - declarations of tasks and helpers: scalars, arrays of a fixed length, records.
 */
#include "generator/make.h"

static void declare_scalar(maker *m)
{
    gen_type type = favourite(m);

    moment_begin(m);
    const char *value = make_as(m, type, 3);
    var *v = var_new(m, type, GEN_NO_RECORD);
    if (v)
        line(m, "%s %s = %s;", gen_types[type].name, v->name, value);
}

void declare_array(maker *m)
{
    gen_type type = m->favourites[pick(m, 3)];
    uint32_t length = 4u << pick(m, 3), given = pick(m, length + 1);
    const char *text = "";

    moment_begin(m);
    m->pure++; /* the order of effects in a list is open in C */
    for (uint32_t i = 0; i < given && i < 4; i++)
        text = format(m, "%s%s%s", text, i ? ", " : "", make_as(m, type, 1));
    if (chance(m, 25)) {
        COUNT(m, designated);
        text =
            format(m, "%s%s[%u] = %s", text, text[0] ? ", " : "", length - 1, make_as(m, type, 1));
    }
    m->pure--;
    var *v = var_new(m, type, GEN_NO_RECORD);
    if (!v)
        return;
    if (m->level == LEVEL_KERNEL)
        COUNT(m, fixed_scratch);
    v->rank = 1;
    v->dims[0] = (bound){ .mask = length - 1 };
    v->is_array = v->is_sized = true;
    v->length = length;
    line(m, "%s %s[%u] = { %s };", gen_types[type].name, v->name, length, text[0] ? text : "0");
}

static bool is_record(const maker *m, const var *v)
{
    return may_read(m, v) && v->record != GEN_NO_RECORD && v->rank == 0;
}

static void declare_record(maker *m)
{
    int record = (int)pick(m, m->p->record_count);
    const helper *h = NULL;

    moment_begin(m);
    m->pure++;
    var *from = var_pick(m, is_record);
    const char *text = NULL;
    if (from && chance(m, 40)) {
        record = from->record;
        text = from->base;
        from->read_at = m->moment;
        if (m->level == LEVEL_TASK && from->in_kernel)
            from->use = USE_READ;
    } else if (chance(m, 40)) {
        text = call_helper(m, HELP_RECORD, 1, &h);
        if (text)
            record = h->record;
    }
    if (!text)
        text = make_record(m, record, 2);
    m->pure--;
    var *v = var_new(m, GEN_i32, record);
    COUNT(m, record_local);
    if (v)
        line(m, "struct %s %s = %s;", m->p->records[record].name, v->name, text);
}

void declare(maker *m)
{
    uint32_t which = pick(m, 10);

    if (which < 6 || (which >= 8 && m->p->record_count == 0))
        declare_scalar(m);
    else if (which < 8)
        declare_array(m);
    else
        declare_record(m);
}

void declare_some(maker *m)
{
    for (uint32_t i = 0, count = 1 + pick(m, 3); i < count; i++)
        declare(m);
}
