/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front_test.c - golden texts of the front: the IR of small kernels, and the messages of all
 * refusals and warnings. Each NAME.c has its text beside it; SLIPWAY_BLESS=1 writes it anew.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "support/check.h"

typedef struct compiled {
    mem_arena arena;
    ir_module *m;
    diag_list diags;
    slip_status status;
} compiled;

/* The file goes in as text under its bare name, so that messages do not depend on where the tree
 * is. */
static void compile_text(compiled *c, const char *name, const char *source,
                         const front_options *options)
{
    memset(c, 0, sizeof *c);
    CHECK_STATUS(mem_arena_init(&c->arena), SLIP_OK);
    c->m = ir_module_new(&c->arena);
    c->diags.arena = &c->arena;
    fail_clear();
    c->status = front_compile(name, source, options, &c->diags, c->m, NULL);
}

static void print_diags(text *out, const compiled *c, const char *source)
{
    for (const diag *d = c->diags.first; d; d = d->next)
        diag_print(out, d, source);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the .c files of a folder, without the ending, in order. */
static size_t list_sources(const char *folder, char *names[], size_t most)
{
    DIR *dir = opendir(check_path(folder));
    size_t count = 0;

    CHECK(dir != NULL);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".c") != 0 || count == most)
            continue;
        names[count] = malloc(n + 1);
        memcpy(names[count], e->d_name, n - 2);
        names[count++][n - 2] = '\0';
    }
    closedir(dir);
    qsort(names, count, sizeof names[0], by_name);
    return count;
}

typedef void golden_case(const char *folder, const char *name);

static void each_source(const char *folder, size_t least, golden_case *run)
{
    static char *names[256];
    size_t count = list_sources(folder, names, 256);

    CHECK(count >= least);
    for (size_t i = 0; i < count; i++) {
        run(folder, names[i]);
        free(names[i]);
    }
}

static void refusal(const char *folder, const char *name)
{
    char path[256], file[128];
    compiled c;
    text out = { 0 };

    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    snprintf(file, sizeof file, "%s.c", name);
    char *source = check_read(path, NULL);
    compile_text(&c, file, source, NULL);
    CHECK(c.diags.first != NULL);
    CHECK_EQ_I64(c.status, c.diags.errors ? SLIP_ERR_COMPILE : SLIP_OK);
    print_diags(&out, &c, source);
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    CHECK_GOLDEN(path, text_get(&out));
    text_finish(&out);
    mem_arena_finish(&c.arena);
    free(source);
}

static void lowering(const char *folder, const char *name)
{
    char path[256], file[128];
    front_options options = { .fma = strncmp(name, "fma", 3) == 0 };
    compiled c;
    text out = { 0 };

    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    snprintf(file, sizeof file, "%s.c", name);
    char *source = check_read(path, NULL);
    compile_text(&c, file, source, &options);
    print_diags(&out, &c, source);
    CHECK_TEXT(text_get(&out), "");
    CHECK_STATUS(ir_verify(c.m), SLIP_OK);
    ir_print(&out, c.m);
    snprintf(path, sizeof path, "%s/%s.ir", folder, name);
    CHECK_GOLDEN(path, text_get(&out));
    text_finish(&out);
    mem_arena_finish(&c.arena);
    free(source);
}

static void each_refusal_has_its_message(void)
{
    each_source("tests/golden/errors", 50, refusal);
}

static void each_kernel_has_its_ir(void)
{
    each_source("tests/golden/front", 10, lowering);
}

/* ---- files and options
 * ---------------------------------------------------------------------------- */

static void a_missing_file_is_not_found(void)
{
    compiled c;
    compile_text(&c, "no/such/kernel.c", NULL, NULL);
    CHECK_EQ_I64(c.status, SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(fail_last()->message, "no/such/kernel.c");
    mem_arena_finish(&c.arena);
}

static void definitions_and_folders_reach_the_source(void)
{
    const char *dirs[] = { check_path("tests/front/include") }, *defines[] = { "SCALE=3" };
    front_options options = {
        .include_dirs = dirs, .include_dir_count = 1, .defines = defines, .define_count = 1
    };
    const char *source = "#include <slipway/kernel.h>\n"
                         "#include \"pair.h\"\n"
                         "slip_kernel void f(struct pair p, i32 x[1]) { x[0] = SCALE * p.a; }\n";
    compiled c;
    front_files files = { 0 };

    memset(&c, 0, sizeof c);
    CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
    c.m = ir_module_new(&c.arena);
    c.diags.arena = &c.arena;
    CHECK_STATUS(front_compile("f.c", source, &options, &c.diags, c.m, &files), SLIP_OK);
    CHECK_EQ_U64(files.count, 2); /* our own headers are no dependency */
    CHECK_TEXT(files.paths[0], "f.c");
    CHECK_CONTAINS(files.paths[1], "tests/front/include/pair.h");
    CHECK_EQ_U64(c.m->header_item_count, 1);
    CHECK_TEXT(c.m->header_items[0].text, "#include \"pair.h\"\n");
    CHECK_TEXT(c.m->header_items[0].name, "struct pair");
    mem_arena_finish(&c.arena);
}

static void structs_of_the_file_are_repeated_in_standard_types(void)
{
    const char *source =
        "#include <slipway/kernel.h>\n"
        "typedef struct { f32 x, y; } vec2;\n"
        "struct body { vec2 at[2]; i64 id; bool on; struct { u8 r, g; } colour; };\n"
        "slip_kernel void f(const struct body b[1], i32 x[1]) { x[0] = b[0].on; }\n";
    compiled c;

    compile_text(&c, "f.c", source, NULL);
    CHECK_STATUS(c.status, SLIP_OK);
    CHECK_EQ_U64(c.m->header_item_count, 2);
    CHECK_TEXT(c.m->header_items[0].text,
               "typedef struct vec2 {\n    float x;\n    float y;\n} vec2;\n");
    CHECK_TEXT(c.m->header_items[1].text,
               "struct body {\n    struct vec2 at[2];\n    int64_t id;\n    bool on;\n"
               "    struct {\n        uint8_t r;\n        uint8_t g;\n    } colour;\n};\n");
    mem_arena_finish(&c.arena);
}

static void every_word_of_the_language_compiles(void)
{
    char *source = check_read("tests/front/language/all.c", NULL);
    compiled c;

    compile_text(&c, "all.c", source, NULL);
    CHECK_STATUS(c.status, SLIP_OK);
    CHECK_STATUS(ir_verify(c.m), SLIP_OK);
    CHECK_EQ_U64(c.diags.warnings, 1); /* printf is left out */
    mem_arena_finish(&c.arena);
    free(source);
}

static const check_case cases[] = {
    CASE(each_refusal_has_its_message),
    CASE(each_kernel_has_its_ir),
    CASE(a_missing_file_is_not_found),
    CASE(definitions_and_folders_reach_the_source),
    CASE(structs_of_the_file_are_repeated_in_standard_types),
    CASE(every_word_of_the_language_compiles),
};
CHECK_MAIN(cases)
