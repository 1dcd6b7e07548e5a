/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helpers.c - constant tables, and the functions that a kernel calls: of values, of arrays, of
 * structs, with a task.
 */
#include <stdio.h>
#include <string.h>

#include "generator/make.h"

enum { MOST_CALL = 3000 };

void make_tables(maker *m)
{
    for (uint32_t k = 0, count = pick(m, MAKE_TABLES + 1); k < count; k++) {
        table *t = &m->tables[m->table_count++];
        const char *text = "";
        *t = (table){ .type = favourite(m), .length = 4u << pick(m, chance(m, 20) ? 6 : 3) };
        snprintf(t->name, sizeof t->name, "%.20s_t%u", m->p->name, k % 10);
        uint32_t given = chance(m, 60) ? t->length : 1 + pick(m, t->length);
        for (uint32_t i = 0; i < given; i++)
            text = format(m, "%s%s%s", text,
                          i == 0       ? ""
                          : i % 8 == 0 ? ",\n    "
                                       : ", ",
                          literal(m, t->type));
        line(m, "static const %s %s[%u] = { %s };", gen_types[t->type].name, t->name, t->length,
             text);
    }
}

/* ---- calls ------------------------------------------------------------------------------ */

static const helper *wanted;

static bool takes(const maker *m, const var *v)
{
    bool fits = v->is_array && v->type == wanted->array && v->length >= wanted->length &&
                v->record == GEN_NO_RECORD;

    return fits && (wanted->kind == HELP_WRITE ? may_write(m, v) : may_read(m, v));
}

static bool is_record_of(const maker *m, const var *v)
{
    return may_read(m, v) && v->record == wanted->record && v->rank == 0;
}

/* The first argument of those that take an array or a struct; NULL where there is nothing to give.
 */
static const char *first_argument(maker *m, const helper *h, int depth)
{
    wanted = h;
    var *v = var_pick(m, h->kind == HELP_RECORD ? is_record_of : takes);
    if (h->kind == HELP_RECORD && (!v || chance(m, 30)))
        return make_record(m, h->record, depth);
    if (!v)
        return NULL;
    if (h->kind == HELP_WRITE)
        v->written_at = m->moment;
    else
        v->read_at = m->moment;
    if (m->level == LEVEL_TASK && v->in_kernel && v->use == USE_NONE)
        v->use = USE_READ;
    return v->base;
}

const char *call_helper(maker *m, helper_kind kind, int depth, const helper **out)
{
    const helper *h = NULL;
    const char *text = "";

    for (uint32_t i = 0, seen = 0; i < m->helper_count; i++)
        if (m->helpers[i].kind == kind && pick(m, ++seen) == 0)
            h = &m->helpers[i];
    if (!h || m->spent + m->weight * h->cost > MOST_CALL ||
        (kind == HELP_WRITE && m->level == LEVEL_KERNEL))
        return NULL;
    if (kind != HELP_VALUE) {
        text = first_argument(m, h, depth);
        if (!text)
            return NULL;
    }
    m->spent += m->weight * h->cost;
    for (uint32_t i = 0; i < h->arg_count; i++)
        text = format(m, "%s%s%s", text, text[0] ? ", " : "", make_as(m, h->args[i], depth));
    COUNT(m, helper);
    if (kind == HELP_READ)
        COUNT(m, helper_pointer);
    if (kind == HELP_RECORD)
        COUNT(m, helper_record);
    *out = h;
    return format(m, "%s(%s)", h->name, text);
}

/* ---- functions -------------------------------------------------------------------------- */

static const char *open_function(maker *m, helper *h)
{
    const char *text = "";

    if (h->kind == HELP_READ || h->kind == HELP_WRITE) {
        var *v = var_new(m, h->array, GEN_NO_RECORD);
        v->rank = 1;
        v->dims[0] = (bound){ .mask = h->length - 1 };
        v->writable = h->kind == HELP_WRITE;
        v->is_array = true;
        v->length = h->length;
        text = format(m, chance(m, 50) ? "%s%s *%s" : "%s%s %s[%u]", v->writable ? "" : "const ",
                      gen_types[h->array].name, v->name, h->length);
    } else if (h->kind == HELP_RECORD) {
        var *v = var_new(m, GEN_i32, h->record);
        text = format(m, "struct %s %s", m->p->records[h->record].name, v->name);
    }
    for (uint32_t i = 0; i < h->arg_count; i++) {
        var *v = var_new(m, h->args[i], GEN_NO_RECORD);
        text =
            format(m, "%s%s%s %s", text, text[0] ? ", " : "", gen_types[h->args[i]].name, v->name);
    }
    return text[0] ? text : "void";
}

static void begin_body(maker *m, level level)
{
    m->level = level;
    m->weight = 1;
    m->spent = 0;
    m->loops = m->switches = 0;
    m->block_start = 0;
    m->may_return = false;
    m->returns_record = GEN_NO_RECORD;
}

static void make_helper(maker *m, helper *h)
{
    uint32_t mark = scope_open(m);

    begin_body(m, LEVEL_HELPER);
    const char *parameters = open_function(m, h);
    const char *result = h->kind == HELP_WRITE ? "void" : type_text(m, h->result, h->record);
    line(m, "%s", "");
    line(m, "static %s%s %s(%s)", chance(m, 30) ? "inline " : "", result, h->name, parameters);
    line(m, "{");
    m->may_return = h->kind != HELP_WRITE;
    m->returns = h->result;
    m->returns_record = h->record;
    if (chance(m, 60))
        declare_some(m);
    make_statements(m, 1 + pick(m, 4), 2);
    moment_begin(m);
    if (h->kind == HELP_RECORD)
        line(m, "return %s;", make_record(m, h->record, 2));
    else if (h->kind != HELP_WRITE)
        line(m, "return %s;", make_as(m, h->result, 3));
    line(m, "}");
    scope_close(m, mark);
    h->cost = 1 + m->spent;
}

void make_helpers(maker *m)
{
    for (uint32_t k = 0, count = pick(m, MAKE_HELPERS); k < count; k++) {
        helper h = { .kind = (helper_kind)pick(m, m->p->record_count > 0 ? 4 : 3),
                     .result = favourite(m),
                     .array = m->favourites[pick(m, 3)],
                     .record = GEN_NO_RECORD,
                     .length = 4u << pick(m, 2),
                     .arg_count = pick(m, MAKE_ARGS) };
        snprintf(h.name, sizeof h.name, "%.20s_h%u", m->p->name, k % 10);
        if (h.kind == HELP_RECORD)
            h.record = (int)pick(m, m->p->record_count);
        if (h.kind == HELP_VALUE)
            h.arg_count++;
        for (uint32_t i = 0; i < h.arg_count; i++)
            h.args[i] = favourite(m);
        make_helper(m, &h);
        m->helpers[m->helper_count++] = h; /* from here on it may be called */
    }
}

/* `static void k_task(i32 n, f32 a[n], u8 x)`: a task over an array like one of the kernel's. */
void make_task_helper(maker *m)
{
    array arrays[MAKE_ARRAYS];
    uint32_t count = m->array_count, mark = scope_open(m), at = MAKE_ARRAYS;

    for (uint32_t i = 0; i < count; i++)
        if (m->arrays[i].rank == 1 && m->arrays[i].sizes[0] == GEN_SIZE_N && !m->arrays[i].is_const)
            at = i;
    if (at == MAKE_ARRAYS || !chance(m, 60))
        return;
    memcpy(arrays, m->arrays, sizeof arrays);
    m->arrays[0] = arrays[at];
    strcpy(m->arrays[0].name, "x0");
    m->array_count = 1;
    m->task_array = at;
    m->task_arg = favourite(m);
    begin_body(m, LEVEL_KERNEL);
    var *v = var_new(m, m->task_arg, GEN_NO_RECORD);
    v->writable = false;
    snprintf(m->task_helper, sizeof m->task_helper, "%s_task", m->p->name);
    line(m, "%s", "");
    line(m, "static void %s(%s n, %s x0[n], %s %s)", m->task_helper, gen_types[m->size_type].name,
         type_text(m, arrays[at].type, arrays[at].record), gen_types[m->task_arg].name, v->name);
    line(m, "{");
    bool sizes2 = m->has_sizes2;
    m->has_sizes2 = false;
    make_task(m);
    m->has_sizes2 = sizes2;
    line(m, "}");
    scope_close(m, mark);
    memcpy(m->arrays, arrays, sizeof arrays);
    m->array_count = count;
}
