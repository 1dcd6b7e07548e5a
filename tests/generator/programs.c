/* SPDX-License-Identifier: Apache-2.0 */
/*
 * programs.c - whole programs: what a kernel's parameters are, and the parts of its source in
 * order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/make.h"

/* ---- parameters ------------------------------------------------------------------------- */

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

const char *extents_text(maker *m, const gen_param *p)
{
    static const char *const sizes[] = { "n", "h", "w" };
    const char *text = "";

    for (uint32_t d = 0; d < p->rank; d++)
        text = p->sizes[d] == GEN_SIZE_CONST ? format(m, "%s[%u]", text, p->constants[d])
                                             : format(m, "%s[%s]", text, sizes[p->sizes[d]]);
    return text;
}

const char *parameters_text(maker *m)
{
    const char *text = "";

    for (uint32_t k = 0; k < m->p->param_count; k++) {
        const gen_param *p = &m->p->params[k];
        text = format(m, "%s%s%s%s%s %s%s", text,
                      k == 0       ? ""
                      : k % 4 == 0 ? ",\n        "
                                   : ", ",
                      p->is_out ? "slip_out " : "", p->is_const ? "const " : "",
                      type_text(m, p->type, p->record), p->name, extents_text(m, p));
    }
    return text;
}

bool param_is_fixed(const gen_param *p)
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

/* ---- whole programs --------------------------------------------------------------------- */

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
        if (out->params[k].kind == GEN_ARRAY && !param_is_fixed(&out->params[k]))
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
    return p->kind == GEN_ARRAY
               ? format(m, "args[%u]", index)
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
        result =
            format(m, "*(%s *)result = ", type_text(m, program->result, program->result_record));
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
