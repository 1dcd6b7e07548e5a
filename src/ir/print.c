/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.c - the module as text, exactly: ir_parse reads it back as the same module.
 *
 * Prints any module that hangs together, also one that the verifier refuses, so that the refusal
 * can show the op. Must never change anything but the numbers of the ops.
 */
#include <inttypes.h>
#include <string.h>

#include "ir/form.h"

void form_quote(text *out, const char *value)
{
    text_bytes(out, "\"", 1);
    for (const unsigned char *s = (const unsigned char *)value; *s; s++)
        if (*s == '"' || *s == '\\')
            text_add(out, "\\%c", *s);
        else if (*s == '\n')
            text_bytes(out, "\\n", 2);
        else if (*s < 0x20 || *s == 0x7f)
            text_add(out, "\\x%02x", *s);
        else
            text_bytes(out, s, 1);
    text_bytes(out, "\"", 1);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void form_name(text *out, const char *name)
{
    bool plain = is_letter(name[0]);

    for (const char *c = name; *c; c++)
        plain = plain && (is_letter(*c) || *c == '.' || (*c >= '0' && *c <= '9'));
    if (plain)
        text_bytes(out, name, strlen(name));
    else
        form_quote(out, name);
}

void form_place(text *out, uint32_t file, uint32_t line, uint32_t column)
{
    if (file || line || column)
        text_add(out, " @%" PRIu32 ":%" PRIu32 ":%" PRIu32, file, line, column);
}

void ir_print_type(text *out, const ir_type *type)
{
    static const char *const spaces[] = { "ptr.global ", "ptr.local ", "ptr.param ", "ptr.table " };

    switch (type->kind) {
    case IR_VOID:
        text_add(out, "void");
        break;
    case IR_SCALAR:
        text_add(out, "%s", scalar_types[type->scalar].name);
        break;
    case IR_PTR:
        text_add(out, "%s", spaces[type->space]);
        ir_print_type(out, type->elem);
        break;
    case IR_STRUCT:
        text_add(out, "struct ");
        form_name(out, type->name);
        break;
    case IR_ARRAY:
        text_add(out, "[%" PRIu64 " x ", type->count);
        ir_print_type(out, type->elem);
        text_add(out, "]");
        break;
    }
}

static void print_scalar(text *out, scalar_type type, uint64_t bits)
{
    char digits[40];

    scalar_print(type, bits, digits);
    text_add(out, "%s", digits);
}

static void print_as(text *out, const char *name)
{
    if (!name)
        return;
    text_add(out, " as ");
    form_name(out, name);
}

/* What an op has besides its type and inputs; each code that has something is one row. */
static void print_attribute(text *out, const ir_op *op)
{
    if (op->code == IR_const && op->type->kind == IR_SCALAR) {
        text_add(out, " ");
        print_scalar(out, op->type->scalar, op->bits);
    } else if (op->code == IR_field || op->code == IR_reduce) {
        text_add(out, " %" PRIu32, op->index);
    } else if (op->code == IR_break || op->code == IR_continue) {
        text_add(out, " %" PRIu32, op->levels);
    } else if (op->code == IR_atomic) {
        text_add(out, " %s",
                 op->scalar < SCALAR_OP_COUNT ? scalar_ops[op->scalar].name : "exchange");
    } else if (op->code == IR_math) {
        text_add(out, " %s", ir_maths[op->math].name);
    } else if (op->code == IR_load && op->relaxed) {
        text_add(out, " relaxed");
    } else if (op->code == IR_fill) {
        text_add(out, " %" PRIu64, op->bytes);
    } else if (op->code == IR_call && op->func) {
        text_add(out, " ");
        form_name(out, op->func->name);
    } else if (op->code == IR_table && op->table) {
        text_add(out, " ");
        form_name(out, op->table->name);
    } else if ((op->code == IR_assert || op->code == IR_print) && op->text) {
        text_add(out, " ");
        form_quote(out, op->text);
    }
}

void ir_print_op(text *out, const ir_op *op)
{
    if (op->type->kind != IR_VOID)
        text_add(out, "%%%" PRIu32 " = ", op->id);
    text_add(out, "%s", ir_codes[op->code].name);
    if (op->type->kind != IR_VOID) {
        text_add(out, " ");
        ir_print_type(out, op->type);
    }
    print_attribute(out, op);
    for (uint32_t i = 0; i < op->in_count; i++)
        text_add(out, "%s%%%" PRIu32, i ? ", " : " ", op->in[i]->id);
    print_as(out, op->name);
    form_place(out, op->place.file, op->place.line, op->place.column);
}

static void print_indent(text *out, uint32_t depth)
{
    text_add(out, "%*s", (int)(2 * depth), "");
}

static void print_ops(text *out, const ir_region *r, uint32_t depth);

/* " (args) {", the ops, and the closing brace. */
static void print_region(text *out, const ir_region *r, uint32_t depth)
{
    for (uint32_t i = 0; i < r->arg_count; i++) {
        const ir_op *arg = r->args[i];
        text_add(out, "%s%%%" PRIu32 " ", i ? ", " : " (", arg->id);
        ir_print_type(out, arg->type);
        print_as(out, arg->name);
        form_place(out, arg->place.file, arg->place.line, arg->place.column);
    }
    text_add(out, r->arg_count ? ") {\n" : " {\n");
    print_ops(out, r, depth + 1);
    print_indent(out, depth);
    text_add(out, "}");
}

static void print_case(text *out, const ir_op *op, uint32_t k)
{
    bool typed = op->in_count && op->in[0]->type->kind == IR_SCALAR;

    text_add(out, k + 1 == op->region_count ? " default" : " case");
    for (uint32_t i = 0; k + 1 < op->region_count && i < op->cases[k].count; i++) {
        text_add(out, i ? ", " : " ");
        print_scalar(out, typed ? op->in[0]->type->scalar : SCALAR_u64, op->cases[k].values[i]);
    }
}

static void print_regions(text *out, const ir_op *op, uint32_t depth)
{
    for (uint32_t i = 0; i < op->region_count; i++) {
        const ir_region *r = op->regions[i];
        bool second = i == 1 && (op->code == IR_if || op->code == IR_loop);
        if (second && !r->first && r->arg_count == 0)
            continue;
        if (second)
            text_add(out, op->code == IR_if ? " else" : " next");
        if (op->code == IR_switch)
            print_case(out, op, i);
        print_region(out, r, depth);
    }
}

static void print_ops(text *out, const ir_region *r, uint32_t depth)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        print_indent(out, depth);
        ir_print_op(out, op);
        print_regions(out, op, depth);
        text_add(out, "\n");
    }
}

static void print_param(text *out, const ir_param *p)
{
    text_add(out, "  %%%" PRIu32 " = param ", p->op->id);
    ir_print_type(out, p->op->type);
    text_add(out, "%s%s%s%s", p->is_array ? " array" : "", p->is_const ? " const" : "",
             p->is_out ? " out" : "", p->outer_unknown ? " outer_unknown" : "");
    print_as(out, p->name);
    form_place(out, p->op->place.file, p->op->place.line, p->op->place.column);
    for (uint32_t d = 0; d < p->rank; d++) {
        text_add(out, " extent");
        if (p->extent_text[d]) {
            text_add(out, " ");
            form_quote(out, p->extent_text[d]);
        }
        if (p->extents[d])
            print_region(out, p->extents[d], 1);
    }
    text_add(out, "\n");
}

void ir_print_func(text *out, const ir_module *m, ir_func *f)
{
    static const char *const kinds[] = { "helper ", "kernel ", "task " };

    (void)m;
    ir_number(f);
    text_add(out, "%s", kinds[f->kind]);
    ir_print_type(out, f->result);
    text_add(out, " ");
    form_name(out, f->name);
    form_place(out, f->place.file, f->place.line, f->place.column);
    text_add(out, " {\n");
    if (f->task)
        form_task_info(out, f->task);
    for (uint32_t i = 0; i < f->param_count; i++)
        print_param(out, &f->params[i]);
    print_ops(out, f->body, 1);
    text_add(out, "}\n");
}

static void print_struct(text *out, const ir_type *type)
{
    ir_print_type(out, type);
    text_add(out, " size %" PRIu64 " align %" PRIu64 " {\n", type->size, type->align);
    for (uint32_t i = 0; i < type->field_count; i++) {
        text_add(out, "  at %" PRIu64 " ", type->fields[i].offset);
        ir_print_type(out, type->fields[i].type);
        print_as(out, type->fields[i].name);
        text_add(out, "\n");
    }
    text_add(out, "}\n");
}

static void print_data(text *out, const ir_type *type, const uint8_t *data, uint32_t *count)
{
    if (type->kind == IR_SCALAR) {
        text_add(out, (*count)++ % 8 ? " " : "\n  ");
        print_scalar(out, type->scalar, scalar_load(type->scalar, data));
    }
    for (uint64_t i = 0; type->kind == IR_ARRAY && i < type->count; i++)
        print_data(out, type->elem, data + i * type->elem->size, count);
    for (uint32_t i = 0; i < type->field_count; i++)
        print_data(out, type->fields[i].type, data + type->fields[i].offset, count);
}

static void print_table(text *out, const ir_table *table)
{
    uint32_t count = 0;

    text_add(out, "table ");
    form_name(out, table->name);
    text_add(out, " ");
    ir_print_type(out, table->type);
    text_add(out, " {");
    print_data(out, table->type, table->data, &count);
    text_add(out, "\n}\n");
}

void ir_print(text *out, ir_module *m)
{
    text_add(out, m->fma ? "module fma\n" : "module\n");
    for (uint32_t i = 0; i < m->file_count; i++) {
        text_add(out, "file ");
        form_quote(out, m->files[i]);
        text_add(out, "\n");
    }
    for (uint32_t i = 0; i < m->header_item_count; i++) {
        text_add(out, "header ");
        form_quote(out, m->header_items[i].text);
        print_as(out, m->header_items[i].name);
        text_add(out, "\n");
    }
    for (const ir_type *t = m->types; t; t = t->next)
        if (t->kind == IR_STRUCT)
            print_struct(out, t);
    for (const ir_table *t = m->tables; t; t = t->next)
        print_table(out, t);
    for (ir_func *f = m->funcs; f; f = f->next) {
        text_add(out, "\n");
        ir_print_func(out, m, f);
    }
}
