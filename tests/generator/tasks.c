/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tasks.c - tasks: which arrays an iteration owns an element of, which it reads anywhere, and its
 * body.
 */
#include <stdio.h>
#include <string.h>

#include "generator/make.h"

/* The sizes that a task runs over, slow first, and how an element of its own is named. */
typedef struct domain {
    uint32_t rank;
    gen_size sizes[GEN_DIMS];
    uint32_t constants[GEN_DIMS];
    const char *index[GEN_DIMS]; /* text of an index in range */
    const char *names[GEN_DIMS];
    gen_type types[GEN_DIMS];
} domain;

static const char *size_text(maker *m, gen_size size, uint32_t constant)
{
    switch (size) {
    case GEN_SIZE_N:
        return "n";
    case GEN_SIZE_H:
        return "h";
    case GEN_SIZE_W:
        return "w";
    case GEN_SIZE_CONST:
        break;
    }
    return format(m, "%u", constant);
}

static bool owns(const domain *d, const array *a)
{
    if (a->rank < d->rank)
        return false;
    for (uint32_t k = 0; k < d->rank; k++)
        if (a->sizes[k] != d->sizes[k] || a->constants[k] != d->constants[k])
            return false;
    for (uint32_t k = d->rank; k < a->rank; k++)
        if (a->sizes[k] != GEN_SIZE_CONST)
            return false;
    return true;
}

/* No size of the array can be 0 while an iteration runs. */
static bool reaches(const domain *d, const array *a)
{
    for (uint32_t k = 0; k < a->rank; k++) {
        bool found = a->sizes[k] == GEN_SIZE_CONST;
        for (uint32_t i = 0; i < d->rank; i++)
            found = found || a->sizes[k] == d->sizes[i];
        if (!found)
            return false;
    }
    return true;
}

static var *new_place(maker *m, const array *a)
{
    level before = m->level;

    m->level = LEVEL_TASK; /* it is the iteration's, not the kernel's */
    m->block_start = 0;
    var *v = var_new(m, a->type, a->record);
    m->level = before;
    if (v)
        v->name[0] = 0; /* no local takes its name */
    return v;
}

static void own_element(maker *m, const domain *d, const array *a)
{
    const char *base = a->name;
    var *v = new_place(m, a);

    if (!v)
        return;
    for (uint32_t k = 0; k < d->rank; k++)
        base = format(m, "%s[%s]", base, d->index[k]);
    snprintf(v->base, sizeof v->base, "%s", base);
    for (uint32_t k = d->rank; k < a->rank; k++)
        v->dims[v->rank++] = (bound){ .mask = a->constants[k] - 1 };
    v->writable = !a->is_const;
    if (v->rank == 1 && a->record == GEN_NO_RECORD) {
        v->is_array = true;
        v->length = a->constants[a->rank - 1];
    }
    COUNT(m, own);
    if (v->rank > 0)
        COUNT(m, row);
    if (a->record != GEN_NO_RECORD)
        COUNT(m, record_array);
}

static void read_anywhere(maker *m, const array *a)
{
    var *v = new_place(m, a);

    if (!v)
        return;
    snprintf(v->base, sizeof v->base, "%s", a->name);
    for (uint32_t k = 0; k < a->rank; k++)
        v->dims[v->rank++] =
            a->sizes[k] == GEN_SIZE_CONST
                ? (bound){ .mask = a->constants[k] - 1 }
                : (bound){ .modulo = format(m, "(u32)%s", size_text(m, a->sizes[k], 0)) };
    v->writable = false;
}

static void take_arrays(maker *m, const domain *d)
{
    for (uint32_t i = 0; i < m->array_count; i++) {
        const array *a = &m->arrays[i];
        bool own = owns(d, a);
        if (a->blocked)
            continue;
        if (own && (!a->is_const || chance(m, 40)) && chance(m, 70))
            own_element(m, d, a);
        else if (reaches(d, a) && chance(m, 80))
            read_anywhere(m, a);
    }
}

/* ---- the loop --------------------------------------------------------------------------- */

static bool is_device_integer(const maker *m, const var *v)
{
    (void)m;
    return !v->hidden && v->in_kernel && v->rank == 1 && is_integer(v->type) &&
           v->record == GEN_NO_RECORD && !v->dims[0].modulo;
}

static void open_line(maker *m, domain *d, bool whole)
{
    const char *type = gen_types[m->size_type].name, *i = d->names[0];
    bool is_signed = gen_types[m->size_type].is_signed;
    uint32_t form = whole ? 0 : pick(m, 10);
    var *v = form == 9 ? var_pick(m, is_device_integer) : NULL;

    d->index[0] = i;
    if (v) {
        COUNT(m, device_bounds);
        line(m, "slip_for (%s, slip_min(n, (%s)(%s[%u] & 15))) {", i, type, v->base,
             pick(m, v->dims[0].mask + 1));
    } else if (form >= 7 && is_signed) {
        COUNT(m, ranges);
        d->index[0] = format(m, "%s + 3", i);
        line(m, "slip_for_range (%s, -3, n - 3) {", i);
    } else if (form >= 5) {
        COUNT(m, ranges);
        line(m, "slip_for_range (%s, (%s)%u, n) {", i, type, pick(m, 3));
    } else {
        line(m, "slip_for (%s, n) {", i);
    }
}

/* Prints the head of the task. */
static void open_task(maker *m, domain *d, bool whole)
{
    COUNT(m, tasks);
    for (uint32_t k = 0; k < d->rank; k++)
        d->names[k] = d->index[k] = format(m, "at%u", m->names++);
    if (d->rank == 1 && d->sizes[0] == GEN_SIZE_N) {
        d->types[0] = m->size_type;
        open_line(m, d, whole);
        return;
    }
    for (uint32_t k = 0; k < d->rank; k++)
        d->types[k] = GEN_i32;
    if (d->rank == 2) {
        COUNT(m, tasks2);
        line(m, "slip_for2 (%s, h, %s, w) {", d->names[0], d->names[1]);
    } else {
        COUNT(m, tasks3);
        line(m, "slip_for3 (%s, %u, %s, h, %s, w) {", d->names[0], d->constants[0], d->names[1],
             d->names[2]);
    }
}

static void open_body(maker *m, const domain *d)
{
    for (uint32_t i = 0; i < m->var_count; i++)
        m->vars[i].use = USE_NONE;
    m->level = LEVEL_TASK;
    m->weight = 1;
    m->spent = 0;
    m->loops = m->switches = 0;
    m->block_start = 0;
    m->may_return = false;
    for (uint32_t k = 0; k < d->rank; k++) {
        var *v = var_new(m, d->types[k], GEN_NO_RECORD);
        if (!v)
            continue;
        strcpy(v->name, d->names[k]);
        strcpy(v->base, d->names[k]);
        v->is_index = true;
        v->writable = false;
    }
}

static void close_task(maker *m, uint32_t mark)
{
    scope_close(m, mark);
    m->level = LEVEL_KERNEL;
    line(m, "}");
}

static domain choose_domain(maker *m)
{
    domain d = { .rank = 1, .sizes = { GEN_SIZE_N } };

    if (m->has_sizes2 && chance(m, 35)) {
        d = (domain){ .rank = 2, .sizes = { GEN_SIZE_H, GEN_SIZE_W } };
        if (chance(m, 40))
            d = (domain){ .rank = 3,
                          .sizes = { GEN_SIZE_CONST, GEN_SIZE_H, GEN_SIZE_W },
                          .constants = { 2 } };
    }
    return d;
}

void make_task(maker *m)
{
    domain d = choose_domain(m);
    uint32_t mark = scope_open(m);

    open_task(m, &d, false);
    int loops = m->loops;
    open_body(m, &d);
    take_arrays(m, &d);
    declare_some(m);
    make_statements(m, 2 + pick(m, 5), 3);
    m->loops = loops;
    close_task(m, mark);
}

/* Writes each element under the iteration's indices: every one of a row. */
static void fill_element(maker *m, const array *a, const char *base, uint32_t at)
{
    if (at < a->rank) {
        for (uint32_t k = 0; k < a->constants[at]; k++)
            fill_element(m, a, format(m, "%s[%u]", base, k), at + 1);
        return;
    }
    moment_begin(m);
    if (a->record != GEN_NO_RECORD)
        line(m, "%s = %s;", base, make_record(m, a->record, 2));
    else
        line(m, "%s = %s;", base, make_as(m, a->type, 3));
}

void make_fill(maker *m, const array *a)
{
    domain d = { .rank = 1, .sizes = { a->sizes[0] } };
    uint32_t mark = scope_open(m);
    const char *base = a->name;

    if (a->sizes[0] == GEN_SIZE_H)
        d = (domain){ .rank = 2, .sizes = { GEN_SIZE_H, GEN_SIZE_W } };
    if (a->sizes[0] == GEN_SIZE_CONST)
        d = (domain){ .rank = 3,
                      .sizes = { GEN_SIZE_CONST, GEN_SIZE_H, GEN_SIZE_W },
                      .constants = { a->constants[0] } };
    int loops = m->loops;
    open_task(m, &d, true);
    open_body(m, &d);
    m->loops = loops;
    for (uint32_t k = 0; k < d.rank; k++)
        base = format(m, "%s[%s]", base, d.index[k]);
    for (uint32_t i = 0; i < m->array_count; i++)
        if (&m->arrays[i] != a && !m->arrays[i].blocked && reaches(&d, &m->arrays[i]) &&
            chance(m, 60))
            read_anywhere(m, &m->arrays[i]);
    fill_element(m, a, base, d.rank);
    close_task(m, mark);
}

void make_step(maker *m, array *from, array *to)
{
    domain d = { .rank = 1, .sizes = { GEN_SIZE_N } };
    uint32_t mark = scope_open(m);

    int loops = m->loops;
    open_task(m, &d, true);
    open_body(m, &d);
    m->loops = loops;
    read_anywhere(m, from);
    fill_element(m, to, format(m, "%s[%s]", to->name, d.index[0]), 1);
    close_task(m, mark);
}
