/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.c - the kernel: its variables, and the statements around its tasks.
 */
#include <stdio.h>
#include <string.h>

#include "generator/make.h"

static void add_variable_of(maker *m, const gen_param *p)
{
    var *v = var_new(m, p->type, p->record);

    strcpy(v->name, p->name);
    strcpy(v->base, p->name);
    v->writable = p->kind != GEN_STRUCT && p->is_size < 0 && !p->is_small && !p->is_const;
    if (p->kind == GEN_ARRAY) {
        v->rank = 1;
        v->dims[0] = (bound){ .mask = p->constants[0] - 1 };
        v->is_array = p->record == GEN_NO_RECORD;
        v->length = p->constants[0];
    }
}

/* ---- statements of the kernel ----------------------------------------------------------- */

static void kernel_statements(maker *m, uint32_t count, int depth);

static void kernel_block(maker *m, uint32_t count, int depth)
{
    uint32_t mark = scope_open(m), arrays = m->array_count;

    kernel_statements(m, count, depth);
    scope_close(m, mark);
    m->array_count = arrays;
}

static const char *small(const maker *m)
{
    for (uint32_t k = 0; k < m->p->param_count; k++)
        if (m->p->params[k].is_small)
            return m->p->params[k].name;
    return "1";
}

static bool is_device_place(const maker *m, const var *v)
{
    return may_read(m, v) && v->in_kernel && v->rank == 1 && v->record == GEN_NO_RECORD &&
           is_integer(v->type) && v->writable;
}

/* An integer that only the device knows: an element of an array that the kernel updates. */
static const char *device_value(maker *m)
{
    gen_type type;
    var *v = var_pick(m, is_device_place);

    if (!v)
        return "0";
    v->read_at = m->moment;
    return place_in(m, v, &type);
}

static void kernel_if(maker *m, int depth)
{
    moment_begin(m);
    if (chance(m, 40)) {
        COUNT(m, host_if);
        line(m, "if (%s %s %u) {", small(m), chance(m, 50) ? ">" : "==", pick(m, 3));
    } else {
        COUNT(m, device_if);
        line(m, "if (%s %s %s) {", device_value(m), chance(m, 50) ? ">" : "<",
             make_expr(m, 1).text);
    }
    kernel_block(m, 1 + pick(m, 2), depth - 1);
    if (chance(m, 40)) {
        line(m, "} else {");
        kernel_block(m, 1 + pick(m, 2), depth - 1);
    }
    line(m, "}");
}

static void kernel_loop_body(maker *m, int depth)
{
    bool loops = m->loops;

    m->loops = 1;
    kernel_block(m, 1 + pick(m, 2), depth - 1);
    m->loops = loops;
}

static void kernel_for(maker *m, int depth)
{
    uint32_t mark = scope_open(m);
    var *v = var_new(m, chance(m, 70) ? GEN_i32 : GEN_i64, GEN_NO_RECORD);

    if (!v)
        return;
    COUNT(m, host_loop);
    v->is_index = true;
    v->writable = false;
    const char *type = gen_types[v->type].name;
    if (chance(m, 50))
        line(m, "for (%s %s = 0; %s < (%s)%s; %s++) {", type, v->name, v->name, type, small(m),
             v->name);
    else
        line(m, "for (%s %s = %u; %s > 0; %s -= 1) {", type, v->name, 1 + pick(m, 3), v->name,
             v->name);
    kernel_loop_body(m, depth);
    line(m, "}");
    scope_close(m, mark);
}

/* Runs as often as the device says, at most three times. */
static void kernel_while(maker *m, int depth)
{
    uint32_t mark = scope_open(m);

    moment_begin(m);
    const char *start = device_value(m);
    var *v = var_new(m, GEN_i32, GEN_NO_RECORD);
    if (!v)
        return;
    COUNT(m, device_loop);
    v->is_index = true;
    v->writable = false;
    uint32_t form = pick(m, 3);
    if (form == 0) {
        line(m, "for (i32 %s = (i32)(%s & 3); %s > 0; %s--) {", v->name, start, v->name, v->name);
        kernel_loop_body(m, depth);
    } else {
        line(m, "i32 %s = (i32)(%s & 3);", v->name, start);
        line(m, form == 1 ? "while (%s > 0) {" : "do {", v->name);
        line(m, "%s -= 1;", v->name);
        kernel_loop_body(m, depth);
    }
    line(m, form == 2 ? "} while (%s > 0);" : "}", v->name);
    scope_close(m, mark);
}

static void make_result(maker *m)
{
    if (!m->p->has_result)
        line(m, "return;");
    else if (m->p->result_record != GEN_NO_RECORD)
        line(m, "return %s;", make_record(m, m->p->result_record, 2));
    else
        line(m, "return %s;", make_as(m, m->p->result, 2));
}

static void kernel_jump(maker *m)
{
    moment_begin(m);
    const char *test = chance(m, 40) ? format(m, "%s == %u", small(m), pick(m, 3))
                                     : format(m, "(%s & 7) == %u", device_value(m), pick(m, 8));
    bool leave = !m->loops || chance(m, 25);
    if (leave && m->in_sections)
        return;
    COUNT(m, kernel_jump);
    line(m, "if (%s) {", test);
    moment_begin(m);
    if (leave)
        make_result(m);
    else
        line(m, chance(m, 50) ? "break;" : "continue;");
    line(m, "}");
}

static void declare_scratch(maker *m)
{
    if (m->array_count == MAKE_ARRAYS)
        return;
    array *a = &m->arrays[m->array_count];
    *a = (array){
        .type = favourite(m), .record = GEN_NO_RECORD, .rank = 1, .sizes = { GEN_SIZE_N }
    };
    if (m->p->record_count > 0 && chance(m, 20))
        a->record = (int)pick(m, m->p->record_count);
    if (m->has_sizes2 && chance(m, 30)) {
        a->sizes[0] = GEN_SIZE_H;
        a->sizes[a->rank++] = GEN_SIZE_W;
    }
    if (chance(m, 25)) {
        a->sizes[a->rank] = GEN_SIZE_CONST;
        a->constants[a->rank++] = 2u << pick(m, 2);
    }
    gen_param like = { .rank = a->rank };
    memcpy(like.sizes, a->sizes, sizeof like.sizes);
    memcpy(like.constants, a->constants, sizeof like.constants);
    snprintf(a->name, sizeof a->name, "x%u", m->names++);
    COUNT(m, scratch);
    line(m, "%s %s%s;", type_text(m, a->type, a->record), a->name, extents_text(m, &like));
    make_fill(m, a);
    m->array_count++; /* from here on it may be read */
}

/* Half of what the kernel may write belongs to either section. */
static void kernel_sections(maker *m)
{
    bool mine[2][MAKE_VARS + MAKE_ARRAYS], hidden[MAKE_VARS], blocked[MAKE_ARRAYS];
    uint32_t vars = m->var_count, arrays = m->array_count;

    for (uint32_t i = 0; i < vars + arrays; i++) {
        bool first = chance(m, 50);
        bool open = i < vars ? !m->vars[i].writable : m->arrays[i - vars].is_const;
        mine[0][i] = open || first;
        mine[1][i] = open || !first;
    }
    for (uint32_t i = 0; i < vars; i++)
        hidden[i] = m->vars[i].hidden;
    for (uint32_t i = 0; i < arrays; i++)
        blocked[i] = m->arrays[i].blocked;
    COUNT(m, sections);
    line(m, "slip_sections {");
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < vars; i++)
            m->vars[i].hidden = hidden[i] || !mine[s][i];
        for (uint32_t i = 0; i < arrays; i++)
            m->arrays[i].blocked = blocked[i] || !mine[s][vars + i];
        line(m, "slip_section {");
        int loops = m->loops;
        m->loops = 0;
        m->in_sections = true;
        kernel_block(m, 1 + pick(m, 2), 0);
        m->in_sections = false;
        m->loops = loops;
        line(m, "}");
    }
    line(m, "}");
    for (uint32_t i = 0; i < vars; i++)
        m->vars[i].hidden = hidden[i];
    for (uint32_t i = 0; i < arrays; i++)
        m->arrays[i].blocked = blocked[i];
}

static bool is_line(const array *a)
{
    return a->rank == 1 && a->sizes[0] == GEN_SIZE_N && !a->is_const && !a->blocked &&
           a->record == GEN_NO_RECORD;
}

/* Two arrays that take turns, through pointers exchanged after each pass. */
static bool kernel_swap(maker *m)
{
    uint32_t first = MAKE_ARRAYS, second = MAKE_ARRAYS;

    for (uint32_t i = 0; i < m->array_count; i++)
        for (uint32_t k = i + 1; k < m->array_count; k++)
            if (is_line(&m->arrays[i]) && is_line(&m->arrays[k]) &&
                m->arrays[i].type == m->arrays[k].type) {
                first = i;
                second = k;
            }
    if (first == MAKE_ARRAYS)
        return false;
    array from = m->arrays[first], to = from;
    uint32_t number = m->names++;
    const char *type = gen_types[from.type].name;
    snprintf(from.name, sizeof from.name, "from%u", number);
    snprintf(to.name, sizeof to.name, "to%u", number);
    COUNT(m, swap);
    COUNT(m, host_loop);
    line(m, "%s *%s = %s, *%s = %s;", type, from.name, m->arrays[first].name, to.name,
         m->arrays[second].name);
    line(m, "for (i32 t%u = 0; t%u < 3; ++t%u) {", number, number, number);
    m->arrays[first].blocked = m->arrays[second].blocked = true;
    make_step(m, &from, &to);
    m->arrays[first].blocked = m->arrays[second].blocked = false;
    line(m, "%s *swap%u = %s;", type, number, from.name);
    line(m, "%s = %s;", from.name, to.name);
    line(m, "%s = swap%u;", to.name, number);
    line(m, "}");
    return true;
}

static void call_task_helper(maker *m)
{
    if (!m->task_helper[0] || m->arrays[m->task_array].blocked) {
        make_task(m);
        return;
    }
    COUNT(m, task_helper);
    moment_begin(m);
    m->pure++;
    line(m, "%s(n, %s, %s);", m->task_helper, m->arrays[m->task_array].name,
         make_as(m, m->task_arg, 1));
    m->pure--;
}

static bool is_serial(const maker *m, const var *v)
{
    return may_write(m, v);
}

static void make_serial(maker *m)
{
    moment_begin(m);
    var *v = var_pick(m, is_serial);

    if (!v)
        return;
    COUNT(m, serial);
    write_place(m, v);
}

static void kernel_statement(maker *m, int depth)
{
    uint32_t which = pick(m, 100);

    m->spent = 0;
    m->weight = 1;
    if (m->p->counts.tasks > 5)
        which = 60 + which % 10;
    if (which < 42)
        make_task(m);
    else if (which < 45)
        call_task_helper(m);
    else if (which < 49)
        declare_scratch(m);
    else if (which < 53 && !m->in_sections && kernel_swap(m))
        return;
    else if (which < 62)
        make_serial(m);
    else if (which < 70) {
        COUNT(m, launch_scalar);
        declare_some(m);
    } else if (which < 74)
        kernel_jump(m);
    else if (depth <= 0)
        make_task(m);
    else if (which < 82)
        kernel_if(m, depth);
    else if (which < 88)
        kernel_for(m, depth);
    else if (which < 94)
        kernel_while(m, depth);
    else if (!m->in_sections)
        kernel_sections(m);
}

static void kernel_statements(maker *m, uint32_t count, int depth)
{
    for (uint32_t i = 0; i < count; i++)
        kernel_statement(m, depth);
}

void make_kernel(maker *m)
{
    gen_program *p = m->p;

    m->level = LEVEL_KERNEL;
    m->loops = m->switches = 0;
    m->may_return = false;
    for (uint32_t k = 0; k < p->param_count; k++)
        if (p->params[k].kind != GEN_ARRAY || param_is_fixed(&p->params[k]))
            add_variable_of(m, &p->params[k]);
    line(m, "%s", "");
    line(m, "slip_kernel %s %s(%s)",
         p->has_result ? type_text(m, p->result, p->result_record) : "void", p->name,
         parameters_text(m));
    line(m, "{");
    for (uint32_t i = 0; i < m->array_count; i++)
        m->arrays[i].blocked = p->params[p->param_count - 1].is_out &&
                               strcmp(m->arrays[i].name, p->params[p->param_count - 1].name) == 0;
    for (uint32_t i = 0; i < m->array_count; i++)
        if (m->arrays[i].blocked) {
            make_fill(m, &m->arrays[i]);
            m->arrays[i].blocked = false;
        }
    declare_some(m);
    kernel_statements(m, 2 + pick(m, 4), 2);
    moment_begin(m);
    if (p->has_result)
        make_result(m);
    line(m, "}");
}
