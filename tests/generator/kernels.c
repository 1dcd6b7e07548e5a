/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.c - the kernel: parameters, kernel-level variables, and the statements around its tasks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/make.h"

/* ---- parameters ------------------------------------------------------------------------------ */

static gen_param *new_param(maker *m, const char *prefix)
{
    gen_param *p = &m->p->params[m->p->param_count];

    *p = (gen_param){ .record = GEN_NO_RECORD, .is_size = -1 };
    snprintf(p->name, sizeof p->name, "%s%u", prefix, m->p->param_count++);
    return p;
}

static void add_size(maker *m, const char *name, gen_size size, gen_type type)
{
    gen_param *p = new_param(m, "");

    strcpy(p->name, name);
    p->type = type;
    p->is_size = (int)size;
}

static void add_scalars(maker *m)
{
    for (uint32_t k = 0, count = 1 + pick(m, 3); k < count; k++) {
        gen_param *p = new_param(m, "s");
        p->type = favourite(m);
    }
    gen_param *p = new_param(m, "passes");
    p->type = chance(m, 70) ? GEN_i32 : GEN_u32;
    p->is_small = true;
    if (m->p->record_count > 0 && chance(m, 40)) {
        p = new_param(m, "p");
        p->kind = GEN_STRUCT;
        p->record = (int)pick(m, m->p->record_count);
        COUNT(m, record_param);
    }
}

static gen_param *add_array(maker *m, gen_size first)
{
    gen_param *p = new_param(m, "a");

    p->kind = GEN_ARRAY;
    p->type = favourite(m);
    if (m->p->record_count > 0 && chance(m, 20))
        p->record = (int)pick(m, m->p->record_count);
    if (first == GEN_SIZE_H && chance(m, 40)) {
        p->sizes[p->rank] = GEN_SIZE_CONST;
        p->constants[p->rank++] = 2;
    }
    p->sizes[p->rank++] = first;
    if (first == GEN_SIZE_H)
        p->sizes[p->rank++] = GEN_SIZE_W;
    if (p->rank < GEN_DIMS && chance(m, 25)) {
        p->sizes[p->rank] = GEN_SIZE_CONST;
        p->constants[p->rank++] = 2u << pick(m, 2);
    }
    return p;
}

static void add_fixed(maker *m, bool is_const)
{
    gen_param *p = new_param(m, is_const ? "c" : "b");

    p->kind = GEN_ARRAY;
    do
        p->type = favourite(m);
    while (!is_const && is_float(p->type) && chance(m, 70));
    p->is_const = is_const;
    p->rank = 1;
    p->sizes[0] = GEN_SIZE_CONST;
    p->constants[0] = 8u << pick(m, 3);
}

static void add_arrays(maker *m)
{
    for (uint32_t k = 0, count = 2 + pick(m, 2); k < count; k++) {
        gen_param *p = add_array(m, GEN_SIZE_N);
        if (k > 0 && chance(m, 30)) { /* two of a kind, to take turns */
            gen_param copy = p[-1];
            memcpy(copy.name, p->name, sizeof copy.name);
            *p = copy;
        }
    }
    add_array(m, GEN_SIZE_N)->is_const = true;
    if (m->has_sizes2)
        for (uint32_t k = 0, count = 1 + pick(m, 2); k < count; k++)
            add_array(m, GEN_SIZE_H)->is_const = k == 1 && chance(m, 50);
    for (uint32_t k = 0, count = 1 + pick(m, 2); k < count; k++)
        add_fixed(m, false);
    if (chance(m, 70))
        add_fixed(m, true);
    if (chance(m, 30)) {
        add_array(m, GEN_SIZE_N)->is_out = true;
        COUNT(m, out);
    }
}

static const char *extents_text(maker *m, const gen_param *p)
{
    static const char *const sizes[] = { "n", "h", "w" };
    const char *text = "";

    for (uint32_t d = 0; d < p->rank; d++)
        text = p->sizes[d] == GEN_SIZE_CONST ? format(m, "%s[%u]", text, p->constants[d])
                                             : format(m, "%s[%s]", text, sizes[p->sizes[d]]);
    return text;
}

static const char *parameters_text(maker *m)
{
    const char *text = "";

    for (uint32_t k = 0; k < m->p->param_count; k++) {
        const gen_param *p = &m->p->params[k];
        text = format(m, "%s%s%s%s%s %s%s", text, k == 0 ? "" : k % 4 == 0 ? ",\n        " : ", ",
                      p->is_out ? "slip_out " : "", p->is_const ? "const " : "", type_text(m, p->type, p->record),
                      p->name, extents_text(m, p));
    }
    return text;
}

static bool is_fixed(const gen_param *p)
{
    return p->kind == GEN_ARRAY && p->rank == 1 && p->sizes[0] == GEN_SIZE_CONST;
}

/* Arrays of run-time extents are the tasks' (array); the others are variables of the kernel. */
static void add_array_of(maker *m, const gen_param *p)
{
    array *a = &m->arrays[m->array_count++];

    *a = (array){ .type = p->type, .record = p->record, .rank = p->rank, .is_const = p->is_const };
    strcpy(a->name, p->name);
    memcpy(a->sizes, p->sizes, sizeof a->sizes);
    memcpy(a->constants, p->constants, sizeof a->constants);
}

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

/* ---- statements of the kernel ---------------------------------------------------------------- */

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
    return may_read(m, v) && v->in_kernel && v->rank == 1 && v->record == GEN_NO_RECORD && is_integer(v->type) &&
           v->writable;
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
        line(m, "if (%s %s %s) {", device_value(m), chance(m, 50) ? ">" : "<", make_expr(m, 1).text);
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
        line(m, "for (%s %s = 0; %s < (%s)%s; %s++) {", type, v->name, v->name, type, small(m), v->name);
    else
        line(m, "for (%s %s = %u; %s > 0; %s -= 1) {", type, v->name, 1 + pick(m, 3), v->name, v->name);
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
    *a = (array){ .type = favourite(m), .record = GEN_NO_RECORD, .rank = 1, .sizes = { GEN_SIZE_N } };
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
    return a->rank == 1 && a->sizes[0] == GEN_SIZE_N && !a->is_const && !a->blocked && a->record == GEN_NO_RECORD;
}

/* Two arrays that take turns, through pointers exchanged after each pass. */
static bool kernel_swap(maker *m)
{
    uint32_t first = MAKE_ARRAYS, second = MAKE_ARRAYS;

    for (uint32_t i = 0; i < m->array_count; i++)
        for (uint32_t k = i + 1; k < m->array_count; k++)
            if (is_line(&m->arrays[i]) && is_line(&m->arrays[k]) && m->arrays[i].type == m->arrays[k].type) {
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
    line(m, "%s *%s = %s, *%s = %s;", type, from.name, m->arrays[first].name, to.name, m->arrays[second].name);
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
    line(m, "%s(n, %s, %s);", m->task_helper, m->arrays[m->task_array].name, make_as(m, m->task_arg, 1));
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

static void choose_result(maker *m)
{
    gen_program *p = m->p;

    p->result_record = GEN_NO_RECORD;
    p->has_result = chance(m, 40);
    p->result = favourite(m);
    if (!p->has_result)
        return;
    if (p->record_count > 0 && chance(m, 40) && p->records[p->record_count - 1].bytes <= 64)
        p->result_record = (int)p->record_count - 1;
    if (p->result_record != GEN_NO_RECORD)
        COUNT(m, record_result);
    else
        COUNT(m, result);
}

void make_kernel(maker *m)
{
    gen_program *p = m->p;

    m->level = LEVEL_KERNEL;
    m->loops = m->switches = 0;
    m->may_return = false;
    for (uint32_t k = 0; k < p->param_count; k++)
        if (p->params[k].kind != GEN_ARRAY || is_fixed(&p->params[k]))
            add_variable_of(m, &p->params[k]);
    line(m, "%s", "");
    line(m, "slip_kernel %s %s(%s)", p->has_result ? type_text(m, p->result, p->result_record) : "void", p->name,
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

/* ---- whole programs -------------------------------------------------------------------------- */

void gen_make(uint64_t seed, gen_program *out)
{
    maker *m = calloc(1, sizeof *m);

    if (!m)
        abort();
    *out = (gen_program){ .seed = seed };
    snprintf(out->name, sizeof out->name, "k%llu", (unsigned long long)seed);
    m->p = out;
    m->random = seed * UINT64_C(0xd1342543de82ef95) + 1;
    for (int i = 0; i < 3; i++)
        m->favourites[i] = any_type(m);
    COUNT(m, programs);
    static const gen_type sizes[] = { GEN_i32, GEN_i32, GEN_i32, GEN_u32, GEN_i64, GEN_u64 };
    m->size_type = sizes[pick(m, 6)];
    m->has_sizes2 = chance(m, 30);
    make_records(m);
    add_size(m, "n", GEN_SIZE_N, m->size_type);
    if (m->has_sizes2) {
        add_size(m, "h", GEN_SIZE_H, GEN_i32);
        add_size(m, "w", GEN_SIZE_W, GEN_i32);
    }
    add_scalars(m);
    add_arrays(m);
    for (uint32_t k = 0; k < out->param_count; k++)
        if (out->params[k].kind == GEN_ARRAY && !is_fixed(&out->params[k]))
            add_array_of(m, &out->params[k]);
    choose_result(m);
    make_tables(m);
    make_helpers(m);
    make_task_helper(m);
    make_kernel(m);
    out->source = m->out;
    maker_finish(m);
    free(m);
}

void gen_free(gen_program *program)
{
    free(program->source);
    program->source = NULL;
}

static const char *value_text(maker *m, const gen_param *p, uint32_t index)
{
    return p->kind == GEN_ARRAY ? format(m, "args[%u]", index)
                                : format(m, "*(%s *)args[%u]", type_text(m, p->type, p->record), index);
}

char *gen_wrapper(const gen_program *program)
{
    maker *m = calloc(1, sizeof *m);
    const char *list = "", *result = "";

    if (!m)
        abort();
    m->p = (gen_program *)(uintptr_t)program; /* only read */
    for (uint32_t k = 0; k < program->param_count; k++)
        list = format(m, "%s%s%s", list, k ? ", " : "", value_text(m, &program->params[k], k));
    if (program->has_result)
        result = format(m, "*(%s *)result = ", type_text(m, program->result, program->result_record));
    line(m, "#ifndef __SLIPC__");
    line(m, "void %s_call(void **args, void *result)", program->name);
    line(m, "{");
    line(m, "%s%s(%s);", result, program->name, list);
    line(m, "}");
    line(m, "#endif");
    char *made = m->out;
    maker_finish(m);
    free(m);
    return made;
}
