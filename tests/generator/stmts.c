/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stmts.c - statements of tasks and helpers: every loop ends by a count of its own that nothing
 * else changes.
 */
#include "generator/make.h"

enum { MOST_WEIGHT = 48, MOST_SPENT = 1500 };

static bool writable_here(const maker *m, const var *v)
{
    return may_write(m, v);
}

static bool updatable(const maker *m, const var *v)
{
    (void)m;
    return !v->hidden && v->in_kernel && v->writable && v->record == GEN_NO_RECORD &&
           (v->use == USE_NONE || v->use == USE_UPDATE);
}

static bool is_flag(const maker *m, const var *v)
{
    return updatable(m, v) && v->rank == 0 && v->use == USE_NONE && is_integer(v->type);
}

/* ---- control flow ----------------------------------------------------------------------- */

static void block(maker *m, uint32_t count, int depth)
{
    uint32_t mark = scope_open(m), start = m->block_start;

    m->block_start = mark;
    make_statements(m, count, depth);
    m->block_start = start;
    scope_close(m, mark);
}

static void make_if(maker *m, int depth)
{
    moment_begin(m);
    COUNT(m, if_);
    line(m, "if (%s) {", make_condition(m, 2).text);
    block(m, 1 + pick(m, 2), depth - 1);
    if (chance(m, 45)) {
        COUNT(m, else_);
        line(m, "} else {");
        block(m, 1 + pick(m, 2), depth - 1);
    }
    line(m, "}");
}

static void loop_body(maker *m, uint32_t passes, int depth)
{
    uint32_t weight = m->weight;
    int switches = m->switches;

    m->weight *= passes;
    m->loops++;
    m->switches = 0;
    block(m, 1 + pick(m, 3), depth - 1);
    m->loops--;
    m->switches = switches;
    m->weight = weight;
}

static void make_for(maker *m, int depth)
{
    static const gen_type types[] = { GEN_i32, GEN_i32, GEN_i32, GEN_u32,
                                      GEN_i64, GEN_u8,  GEN_u64, GEN_i16 };
    gen_type type = types[pick(m, 8)];
    uint32_t most = 2 + pick(m, 5), mark = scope_open(m);
    const char *limit = format(m, "%u", most);

    moment_begin(m);
    if (chance(m, 40)) {
        expr e = make_integer(m, 1);
        limit = format(m, "((%s) & 3)", e.text);
        most = 3;
    }
    var *v = var_new(m, type, GEN_NO_RECORD);
    if (!v)
        return;
    v->is_index = true;
    COUNT(m, for_);
    if (chance(m, 30))
        line(m, "for (%s %s = %u, %s_end = (%s)%s; %s < %s_end; %s += 1) {", gen_types[type].name,
             v->name, pick(m, 2), v->name, gen_types[type].name, limit, v->name, v->name, v->name);
    else if (chance(m, 25) && gen_types[type].is_signed)
        line(m, "for (%s %s = (%s)%s - 1; %s >= 0; --%s) {", gen_types[type].name, v->name,
             gen_types[type].name, limit, v->name, v->name);
    else
        line(m, "for (%s %s = 0; %s < %u; %s++) {", gen_types[type].name, v->name, v->name, most,
             v->name);
    loop_body(m, most, depth);
    line(m, "}");
    scope_close(m, mark);
}

/* A loop whose condition is anything: it has fuel. */
static void make_while(maker *m, int depth)
{
    uint32_t mark = scope_open(m), most = 2 + pick(m, 4), start = m->block_start;

    m->block_start = 0; /* its fuel is declared beside the loop, where no name may be taken again */
    var *v = var_new(m, GEN_u32, GEN_NO_RECORD);
    m->block_start = start;
    if (!v)
        return;
    v->is_index = true;
    line(m, "u32 %s = %u;", v->name, most);
    moment_begin(m);
    bool test_after = chance(m, 40);
    const char *fuel =
        chance(m, 50) ? format(m, "%s-- > 0", v->name) : format(m, "--%s < 0x80000000u", v->name);
    v->written_at = m->moment;
    const char *test = chance(m, 50) ? format(m, "%s && %s", fuel, make_condition(m, 2).text)
                                     : format(m, "(%s) && %s", make_condition(m, 2).text, fuel);
    if (test_after) {
        COUNT(m, do_);
        line(m, "do {");
        uint32_t inner = scope_open(m);
        loop_body(m, most + 1, depth);
        scope_close(m, inner);
        line(m, "} while (%s);", test);
    } else {
        COUNT(m, while_);
        line(m, "while (%s) {", test);
        loop_body(m, most, depth);
        line(m, "}");
    }
    scope_close(m, mark);
}

static void make_switch(maker *m, int depth)
{
    uint32_t count = 2 + pick(m, 4), at = pick(m, 3), last = chance(m, 70) ? pick(m, count) : count;

    moment_begin(m);
    COUNT(m, switch_);
    expr e = make_integer(m, 2);
    if (chance(m, 70))
        e.text = format(m, "(%s) & 7", e.text);
    line(m, "switch (%s) {", e.text);
    m->switches++;
    for (uint32_t k = 0; k < count; k++) {
        m->depth--;
        if (k == last)
            line(m, "default:");
        else
            line(m, "case %u:", at++);
        if (k + 1 < count && chance(m, 15))
            line(m, "case %u:", at++);
        m->depth++;
        at += pick(m, 2);
        if (chance(m, 80)) {
            line(m, "{");
            block(m, 1 + pick(m, 2), depth - 1);
            line(m, "}");
        }
        if (chance(m, 65))
            line(m, "break;");
        else
            COUNT(m, fallthrough);
    }
    m->switches--;
    line(m, "    ;"); /* a label must have a statement */
    line(m, "}");
}

static void make_jump(maker *m)
{
    bool can_break = m->loops + m->switches > 0,
         can_continue = m->loops > 0 || m->level == LEVEL_TASK;
    uint32_t which = pick(m, 3);

    moment_begin(m);
    if (which == 0 && can_break) {
        COUNT(m, break_);
        line(m, "if (%s)", make_condition(m, 2).text);
        line(m, "    break;");
    } else if (which == 1 && can_continue) {
        COUNT(m, continue_);
        line(m, "if (%s)", make_condition(m, 2).text);
        line(m, "    continue;");
    } else if (m->may_return) {
        COUNT(m, return_);
        const char *test = make_condition(m, 2).text;
        moment_begin(m);
        const char *value = m->returns_record != GEN_NO_RECORD
                                ? make_record(m, m->returns_record, 2)
                                : make_as(m, m->returns, 2);
        line(m, "if (%s)", test);
        line(m, "    return %s;", value);
    } else {
        declare(m);
    }
}

/* ---- writes ----------------------------------------------------------------------------- */

static bool is_local_array(const maker *m, const var *v)
{
    return may_write(m, v) && v->is_sized;
}

static void make_memory(maker *m)
{
    moment_begin(m);
    var *v = var_pick(m, is_local_array);
    if (!v) {
        declare_array(m);
        return;
    }
    COUNT(m, memory);
    if (chance(m, 50))
        line(m, "memset(%s, 0, sizeof %s);", v->base, v->base);
    else
        line(m, "memset(%s, %s, %u);", v->base,
             v->type == GEN_bool ? "1"
             : is_float(v->type) ? "0"
                                 : "0x5a",
             gen_types[v->type].bytes * (1 + pick(m, v->length)));
}

static void call_statement(maker *m)
{
    const helper *h = NULL;

    moment_begin(m);
    m->pure++;
    const char *text = call_helper(m, HELP_WRITE, 2, &h);
    m->pure--;
    if (text) {
        COUNT(m, helper_write);
        line(m, "%s;", text);
    } else {
        declare(m);
    }
}

static void make_write(maker *m)
{
    moment_begin(m);
    var *v = var_pick(m, writable_here);

    if (v)
        write_place(m, v);
    else
        declare(m);
}

static void make_shared(maker *m)
{
    moment_begin(m);
    var *v = var_pick(m, chance(m, 25) ? is_flag : updatable);

    if (!v) {
        make_write(m);
        return;
    }
    if (v->use == USE_NONE && v->rank == 0 && is_integer(v->type) && chance(m, 30)) {
        /* All that write it write the same. */
        v->use = USE_WRITE;
        COUNT(m, flag);
        line(m, "if (%s)", make_condition(m, 2).text);
        line(m, "    %s = %u;", v->base, 1 + pick(m, 100));
        return;
    }
    claim_update(m, v);
    if (chance(m, 40)) {
        line(m, "if (%s) {", make_condition(m, 2).text);
        write_update(m, v);
        line(m, "}");
    } else {
        write_update(m, v);
    }
}

static void make_statement(maker *m, int depth)
{
    uint32_t which = pick(m, 100);
    bool room = depth > 0 && m->weight < MOST_WEIGHT && m->spent < MOST_SPENT;

    m->spent += m->weight;
    if (which < 20)
        declare(m);
    else if (which < 52)
        make_write(m);
    else if (which < 60 && m->level == LEVEL_TASK)
        make_shared(m);
    else if (which < 64)
        call_statement(m);
    else if (which < 67)
        make_memory(m);
    else if (which < 73)
        make_jump(m);
    else if (!room)
        make_write(m);
    else if (which < 83)
        make_if(m, depth);
    else if (which < 88)
        make_for(m, depth);
    else if (which < 93)
        make_while(m, depth);
    else if (which < 98)
        make_switch(m, depth);
    else {
        line(m, "{");
        block(m, 2, depth - 1);
        line(m, "}");
    }
}

void make_statements(maker *m, uint32_t count, int depth)
{
    for (uint32_t i = 0; i < count; i++)
        make_statement(m, depth);
}
