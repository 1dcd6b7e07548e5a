/* SPDX-License-Identifier: Apache-2.0 */
/*
 * math_ir.c - a step of the build: the math library as IR text, one C array per function, for
 * src/mathlib.
 *
 *     slipway_math_ir OUT INCLUDE FILE.c ...
 *
 * Each function stands alone: what it calls is inlined and folded, places and names are left out.
 * The tables and structs it names are entries of their own. Names get `slip.` for `slip_`, which no
 * kernel can write.
 */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "front/front.h"
#include "ir/pass.h"

static const char *const passes[] = { "inline", "fold", "promote", "fold", "promote", "dce" };

static int failed(const char *file, const diag_list *diags)
{
    for (const diag *d = diags->first; d; d = d->next)
        fprintf(stderr, "%s:%u:%u: %s\n", d->file ? d->file : file, d->line, d->column, d->message);
    fprintf(stderr, "%s: %s\n", file, fail_last()->message);
    return 1;
}

/* "slip_sinf" becomes "slip.sinf"; what has no such name is a helper's or table's: "slip.x". */
static const char *renamed(mem_arena *arena, const char *name)
{
    return arena_text(arena, "slip.%s", strncmp(name, "slip_", 5) == 0 ? name + 5 : name);
}

typedef struct uses {
    const char *names[16]; /* tables and structs, each once */
    uint32_t count;
    bool foreign; /* a call or a math operation is left, or there are too many names */
} uses;

static void note_use(uses *u, const char *name)
{
    for (uint32_t i = 0; i < u->count; i++)
        if (strcmp(u->names[i], name) == 0)
            return;
    if (u->count == sizeof u->names / sizeof u->names[0])
        u->foreign = true;
    else
        u->names[u->count++] = name;
}

static bool visit_op(ir_op *op, void *user)
{
    uses *u = user;
    const ir_type *type = op->type;

    op->place = (ir_place){ 0, 0, 0 };
    op->name = NULL;
    u->foreign = u->foreign || op->code == IR_call ||
                 (op->code == IR_math && op->math != IR_MATH_rsqrt); /* the device's own */
    if (op->code == IR_table)
        note_use(u, op->table->name);
    while (type->kind == IR_PTR || type->kind == IR_ARRAY)
        type = type->elem;
    if (type->kind == IR_STRUCT)
        note_use(u, type->name);
    return true;
}

static void write_text(FILE *out, const char *name, const char *source)
{
    uint32_t column = 0;

    fprintf(out, "    { \"%s\", \"", name);
    for (const char *c = source; *c; c++) {
        if (column++ == 0 && c != source)
            fprintf(out, "\n      \"");
        if (*c == '\n')
            fprintf(out, "\\n");
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else
            fputc(*c, out);
        if (*c == '\n') {
            fputc('"', out);
            column = 0;
        }
    }
    fprintf(out, "%s, \"", column ? "\"" : "");
}

static int write_func(FILE *out, ir_module *m, ir_func *f)
{
    text body = { 0 };
    uses u = { .count = 0 };

    for (uint32_t i = 0; i < f->param_count; i++) {
        f->params[i].name = f->params[i].op->name = NULL;
        f->params[i].op->place = (ir_place){ 0, 0, 0 };
    }
    ir_walk_func(f, visit_op, &u);
    f->place = (ir_place){ 0, 0, 0 };
    f->name = renamed(m->arena, f->name);
    ir_print_func(&body, m, f);
    bool bad = u.foreign || body.status != SLIP_OK;
    if (bad)
        fprintf(stderr, "%s does not stand alone\n", f->name);
    else
        write_text(out, f->name, text_get(&body));
    for (uint32_t i = 0; i < u.count; i++)
        fprintf(out, "%s%s", i ? " " : "", u.names[i]);
    fprintf(out, "\" },\n");
    text_finish(&body);
    return bad;
}

/* The printer shows a module's tables and structs only as a whole: the lines from `head` to `}`. */
static void write_item(FILE *out, ir_module *m, const char *whole, const char *kind,
                       const char *name, text *known)
{
    const char *head = arena_text(m->arena, "%s %s ", kind, name), *start = strstr(whole, head);
    const char *end = start ? strstr(start, "\n}\n") : NULL;

    if (!end || strstr(text_get(known), head))
        return;
    text_add(known, "%s", head);
    write_text(out, name, arena_copy(m->arena, start, (size_t)(end + 3 - start)));
    fprintf(out, "\" },\n");
}

static void write_items(FILE *out, ir_module *m, text *known)
{
    text whole = { 0 };

    for (ir_table *t = (ir_table *)m->tables; t; t = (ir_table *)t->next)
        t->name = renamed(m->arena, t->name);
    for (ir_type *t = (ir_type *)m->types; t; t = (ir_type *)t->next)
        if (t->kind == IR_STRUCT)
            t->name = renamed(m->arena, t->name);
    ir_print(&whole, m);
    for (const ir_table *t = m->tables; t; t = t->next)
        write_item(out, m, text_get(&whole), "table", t->name, known);
    for (const ir_type *t = m->types; t; t = t->next)
        if (t->kind == IR_STRUCT)
            write_item(out, m, text_get(&whole), "struct", t->name, known);
    text_finish(&whole);
}

static int write_file(FILE *out, const char *path, const char *include, text *known)
{
    mem_arena arena = { 0 };
    diag_list diags = { 0 };
    mod_module *launch = NULL;
    const char *dirs[] = { include };
    front_options options = { .include_dirs = dirs, .include_dir_count = 1, .library = true };
    int bad = 0;

    if (mem_arena_init(&arena) != SLIP_OK)
        return failed(path, &diags);
    diags.arena = &arena;
    ir_module *m = ir_module_new(&arena);
    m->library = true;
    if (front_compile(path, NULL, &options, &diags, m, NULL) != SLIP_OK || ir_verify(m) != SLIP_OK)
        return failed(path, &diags);
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
        if (ir_run_pass(passes[i], m, &diags, &launch) != SLIP_OK || ir_verify(m) != SLIP_OK)
            return failed(path, &diags);
    write_items(out, m, known);
    for (ir_func *f = m->funcs; f; f = f->next)
        bad |= write_func(out, m, f);
    mem_arena_finish(&arena);
    return bad;
}

int main(int argc, char **argv)
{
    FILE *out = argc > 3 ? fopen(argv[1], "w") : NULL;
    text known = { 0 };
    int bad = 0;

    if (!out) {
        fprintf(stderr, "slipway_math_ir OUT INCLUDE FILE.c ...\n");
        return 2;
    }
    fprintf(out, "/* Made by math/generate/math_ir.c; changes are lost. */\n"
                 "#include \"mathlib/mathlib.h\"\n\n"
                 "const mathlib_row mathlib_rows[] = {\n");
    for (int i = 3; i < argc && !bad; i++)
        bad = write_file(out, argv[i], argv[2], &known);
    fprintf(out, "    { 0, 0, 0 },\n};\n");
    text_finish(&known);
    bad |= fclose(out) != 0;
    if (bad)
        remove(argv[1]);
    return bad;
}
