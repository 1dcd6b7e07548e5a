/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vars.c - variables in scope, and the places within them that an expression may read or a
 * statement write.
 */
#include <stdio.h>
#include <string.h>

#include "generator/make.h"

uint32_t scope_open(const maker *m)
{
    return m->var_count;
}

/* Names that were shadowed are seen again. */
void scope_close(maker *m, uint32_t mark)
{
    while (m->var_count > mark) {
        var *gone = &m->vars[--m->var_count];
        for (uint32_t i = m->var_count; i-- > 0 && gone->name[0];)
            if (strcmp(m->vars[i].name, gone->name) == 0) {
                m->vars[i].hidden = false;
                break;
            }
    }
}

/* A local of an outer block whose name may be taken again. */
static var *to_shadow(maker *m)
{
    if (m->block_start == 0 || m->level == LEVEL_KERNEL || !chance(m, 8))
        return NULL;
    var *v = &m->vars[pick(m, m->block_start)];
    bool named = v->read_at == m->moment ||
                 v->written_at == m->moment; /* by what it will be initialised with */
    if (named || v->hidden || v->in_kernel || v->rank > 0 || !v->writable)
        return NULL;
    return strcmp(v->base, v->name) == 0 ? v : NULL;
}

var *var_new(maker *m, gen_type type, int record)
{
    if (m->var_count == MAKE_VARS)
        return NULL;
    var *old = to_shadow(m), *v = &m->vars[m->var_count++];

    *v = (var){
        .type = type, .record = record, .writable = true, .in_kernel = m->level == LEVEL_KERNEL
    };
    if (old) {
        strcpy(v->name, old->name);
        old->hidden = true;
        COUNT(m, shadow);
    } else {
        snprintf(v->name, sizeof v->name, "v%u", m->names++);
    }
    strcpy(v->base, v->name);
    return v;
}

void moment_begin(maker *m)
{
    m->moment++;
}

static bool seen(const maker *m, const var *v)
{
    if (v->hidden)
        return false;
    return m->level != LEVEL_TASK || !v->in_kernel || v->use == USE_NONE || v->use == USE_READ;
}

bool may_read(const maker *m, const var *v)
{
    return seen(m, v) && v->written_at != m->moment;
}

bool may_write(const maker *m, const var *v)
{
    return seen(m, v) && v->writable && !v->is_index && v->read_at != m->moment &&
           v->written_at != m->moment && v->kept_at != m->moment &&
           (m->level != LEVEL_TASK || !v->in_kernel);
}

var *var_pick(maker *m, bool (*fits)(const maker *m, const var *v))
{
    uint32_t fitting[MAKE_VARS], count = 0;

    for (uint32_t i = 0; i < m->var_count; i++)
        if (fits(m, &m->vars[i]))
            fitting[count++] = i;
    if (count == 0)
        return NULL;
    /* The younger half twice as often: what a block declares is used there. */
    uint32_t at = chance(m, 50) ? pick(m, count) : count - 1 - pick(m, (count + 1) / 2);
    return &m->vars[fitting[at]];
}

static const char *index_text(maker *m, bound b)
{
    if (m->nesting == 2) /* an index of an index: no deeper */
        return format(m, "%u", b.modulo ? 0 : pick(m, b.mask + 1));
    m->nesting++;
    expr e = make_integer(m, chance(m, 70) ? 0 : 1);
    m->nesting--;

    if (b.modulo)
        return format(m, "(u32)(%s) %% %s", e.text, b.modulo);
    return chance(m, 15) ? format(m, "%u", pick(m, b.mask + 1))
                         : format(m, "(%s) & %u", e.text, b.mask);
}

/* Down to a scalar member. */
static const char *member_path(maker *m, int record, const char *text, gen_type *type)
{
    while (record != GEN_NO_RECORD) {
        const gen_record *r = &m->p->records[record];
        const gen_member *member = &r->members[pick(m, r->count)];
        text = format(m, "%s.%s", text, member->name);
        if (member->length)
            text = format(m, "%s[%s]", text, index_text(m, (bound){ .mask = member->length - 1 }));
        record = member->record;
        *type = member->type;
    }
    return text;
}

const char *place_in(maker *m, var *v, gen_type *type)
{
    const char *text = v->base;

    *type = v->type;
    for (uint32_t d = 0; d < v->rank; d++)
        text = format(m, "%s[%s]", text, index_text(m, v->dims[d]));
    if (m->level == LEVEL_TASK && v->in_kernel && v->use == USE_NONE)
        v->use = USE_READ;
    return member_path(m, v->record, text, type);
}
