/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slipc.c - the compiler's command line: one kernel file to a module file and its C.
 *
 * Exit status: 0 done, 1 the source was refused or a file could not be written, 2 the command is wrong.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <slipway/slipc.h>

#include "output.h"

static const char usage[] =
    "usage: slipc [options] FILE.c\n"
    "\n"
    "Compiles a kernel file to FILE.slip, and writes FILE.slip.h and FILE.slip.c for programs that call\n"
    "its kernels.\n"
    "\n"
    "  -o FILE        the module file, with .slip added where it is missing; the .h and .c stand\n"
    "                 beside it\n"
    "  --header       write only the .slip.h\n"
    "  -I DIR         search DIR for includes\n"
    "  -D NAME[=VAL]  define a macro\n"
    "  -O LEVEL       0 to 3; 2 is the default\n"
    "  -g             code that debuggers and profilers can follow\n"
    "  --fma          fuse multiply and add where one expression writes both\n"
    "  --target=LIST  cpu (all levels of this machine's kind), cpu-all, host, spirv, cuda (ptx), hip\n"
    "                 (gfx90a, gfx942, gfx1030, gfx1100), or names with commas; cpu,ptx,spirv is\n"
    "                 the default\n"
    "  --dump=STAGE   print a stage and write nothing: front, a pass, launch, llvm, optimized, asm,\n"
    "                 spirv\n"
    "  -MD [-MF FILE] write a dependency file for make (FILE.d)\n"
    "  --version, --help\n";

typedef struct command {
    const char *source, *out, *depfile;
    const char **includes, **defines;
    slipc_options options;
    bool header_only, dependencies;
} command;

static int wrong(const char *what, const char *arg)
{
    fprintf(stderr, "slipc: %s%s; see slipc --help\n", what, arg);
    return 2;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), cut = strlen(ending);

    return length > cut && strcmp(name + length - cut, ending) == 0;
}

/* The value of `-X value` or `-Xvalue`; NULL when there is none. */
static const char *value_of(int argc, char **argv, int *i, size_t flag)
{
    if (argv[*i][flag])
        return argv[*i] + flag;
    return *i + 1 < argc ? argv[++*i] : NULL;
}

static int parse_level(command *c, const char *arg)
{
    if (strlen(arg) != 1 || arg[0] < '0' || arg[0] > '3')
        return wrong("-O takes a level from 0 to 3, not ", arg);
    c->options.optimize = (uint32_t)(arg[0] - '0');
    c->options.optimize_given = true;
    return 0;
}

static int parse_with_value(command *c, int argc, char **argv, int *i)
{
    char flag = argv[*i][1];
    size_t length = flag == 'M' ? 3 : 2;
    const char *name = argv[*i], *value = value_of(argc, argv, i, length);

    if (!value)
        return wrong("a value is missing after ", name);
    switch (flag) {
    case 'o':
        if (!*value || value[strlen(value) - 1] == '/')
            return wrong("-o takes a file's name, not ", *value ? value : "nothing");
        c->out = value;
        return 0;
    case 'I':
        c->includes[c->options.include_dir_count++] = value;
        return 0;
    case 'D':
        c->defines[c->options.define_count++] = value;
        return 0;
    case 'O':
        return parse_level(c, value);
    default:
        c->depfile = value;
        return 0;
    }
}

/* `--name=value` or `--name value`. */
static int parse_long(const char **out, int argc, char **argv, int *i, size_t length)
{
    const char *arg = argv[*i];

    if (arg[length] == '=')
        *out = arg + length + 1;
    else if (*i + 1 < argc)
        *out = argv[++*i];
    else
        return wrong("a value is missing after ", arg);
    return 0;
}

static bool is_long(const char *arg, const char *name, size_t length)
{
    return strncmp(arg, name, length) == 0 && (!arg[length] || arg[length] == '=');
}

static int parse_flag(command *c, int argc, char **argv, int *i)
{
    const char *arg = argv[*i];

    if (is_long(arg, "--target", 8))
        return parse_long(&c->options.targets, argc, argv, i, 8);
    if (is_long(arg, "--dump", 6))
        return parse_long(&c->options.dump, argc, argv, i, 6);
    if (strcmp(arg, "-g") == 0)
        c->options.debug = true;
    else if (strcmp(arg, "--fma") == 0)
        c->options.fma = true;
    else if (strcmp(arg, "--header") == 0)
        c->header_only = true;
    else if (strcmp(arg, "-MD") == 0 || strcmp(arg, "-MMD") == 0)
        c->dependencies = true;
    else
        return wrong("there is no option ", arg);
    return 0;
}

static int parse(command *c, int argc, char **argv)
{
    int status = 0;

    for (int i = 1; i < argc && status == 0; i++) {
        const char *arg = argv[i];
        if (arg[0] != '-' || !arg[1]) {
            if (c->source)
                return wrong("one file at a time; there is another: ", arg);
            c->source = arg;
        } else if (strchr("oIDO", arg[1]) || strncmp(arg, "-MF", 3) == 0) {
            status = parse_with_value(c, argc, argv, &i);
        } else {
            status = parse_flag(c, argc, argv, &i);
        }
    }
    if (status == 0 && !c->source)
        return wrong("no file to compile", "");
    if (status == 0 && ends_with(c->source, ".slip"))
        return wrong("a kernel file (FILE.c) is compiled; this is a module's name: ", c->source);
    return status;
}

/* ---- output -------------------------------------------------------------------------------------- */

/* "dir/heat" of "dir/heat.slip": what the outputs share. */
static char *stem_of(const command *c)
{
    const char *from = c->out ? c->out : c->source;
    const char *ending = c->out ? ".slip" : ".c";
    size_t length = strlen(from) - (ends_with(from, ending) ? strlen(ending) : 0);

    char *made = malloc(length + 1);
    if (made) {
        memcpy(made, from, length);
        made[length] = 0;
    }
    return made;
}

/* A part of a file would look newer than its source to make. */
static void remove_part(const char *path)
{
    struct stat found;

    if (lstat(path, &found) == 0 && S_ISREG(found.st_mode))
        remove(path);
}

static int write_file(const char *stem, const char *ending, const void *data, size_t bytes)
{
    size_t length = strlen(stem) + strlen(ending) + 1;
    char *path = malloc(length);
    int failed = 1;

    if (path) {
        snprintf(path, length, "%s%s", stem, ending);
        FILE *file = fopen(path, "wb");
        if (file) {
            failed = fwrite(data, 1, bytes, file) != bytes;
            failed |= fclose(file) != 0;
        }
        if (failed)
            fprintf(stderr, "slipc: cannot write %s: %s\n", path, strerror(errno));
        if (failed && file)
            remove_part(path);
    }
    free(path);
    return failed;
}

static void put_escaped(FILE *file, const char *path)
{
    for (; *path; path++)
        fprintf(file, "%s%c", *path == ' ' || *path == '#' ? "\\" : *path == '$' ? "$" : "", *path);
}

static int write_dependencies(const command *c, const char *stem, const slipc_result *result)
{
    size_t length = strlen(stem) + 3;
    char *path = malloc(length);
    int failed = 1;

    if (path) {
        snprintf(path, length, "%s.d", stem);
        FILE *file = fopen(c->depfile ? c->depfile : path, "w");
        if (file) {
            put_escaped(file, stem);
            fputs(".slip:", file);
            for (uint32_t i = 0; i < slipc_dependency_count(result); i++) {
                fputs(" \\\n  ", file);
                put_escaped(file, slipc_dependency_at(result, i));
            }
            fputs("\n", file);
            failed = fclose(file) != 0;
        }
        if (failed)
            fprintf(stderr, "slipc: cannot write %s: %s\n", c->depfile ? c->depfile : path, strerror(errno));
    }
    free(path);
    return failed;
}

static int write_outputs(const command *c, const slipc_result *result)
{
    char *stem = stem_of(c), *header = NULL, *source = NULL;
    size_t size;
    const void *bytes = slipc_module_bytes(result, &size);
    int failed = 1;

    if (!stem)
        return 1;
    const char *slash = strrchr(stem, '/');
    if (slipc_generate(bytes, size, slash ? slash + 1 : stem, &header, &source) != SLIP_OK) {
        fprintf(stderr, "slipc: the module cannot be read back, please report this: %s\n",
                slipc_result_error(NULL)->message);
    } else {
        failed = write_file(stem, ".slip.h", header, strlen(header));
        if (!failed && !c->header_only)
            failed = write_file(stem, ".slip", bytes, size) ||
                     write_file(stem, ".slip.c", source, strlen(source));
        if (!failed && c->dependencies)
            failed = write_dependencies(c, stem, result);
    }
    slipc_text_free(header);
    slipc_text_free(source);
    free(stem);
    return failed;
}

static int compile(const command *c)
{
    slipc_result *result = NULL;
    slip_status status = slipc_compile(c->source, NULL, &c->options, &result);
    int code = status == SLIP_OK ? 0 : status == SLIP_ERR_ARGUMENT ? 2 : 1;

    if (!result) {
        fprintf(stderr, "slipc: %s\n", slipc_result_error(NULL)->message);
        return 1;
    }
    for (uint32_t i = 0; i < slipc_diagnostic_count(result); i++)
        fputs(slipc_diagnostic_at(result, i)->text, stderr);
    if (status != SLIP_OK && status != SLIP_ERR_COMPILE)
        fprintf(stderr, "slipc: %s\n", slipc_result_error(result)->message);
    if (c->options.dump && slipc_dump_text(result)[0])
        fputs(slipc_dump_text(result), stdout);
    else if (status == SLIP_OK)
        code = write_outputs(c, result);
    slipc_result_free(result);
    return code;
}

static int run(int argc, char **argv)
{
    command c = { 0 };

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return fputs(usage, stdout) < 0;
        if (strcmp(argv[i], "--version") == 0)
            return puts("slipc 0.1.0") < 0;
    }
    c.includes = calloc((size_t)argc + 1, sizeof *c.includes);
    c.defines = calloc((size_t)argc + 1, sizeof *c.defines);
    if (!c.includes || !c.defines)
        return 1;
    c.options.include_dirs = c.includes;
    c.options.defines = c.defines;
    int status = parse(&c, argc, argv);
    if (status == 0)
        status = compile(&c);
    free(c.includes);
    free(c.defines);
    return status;
}

int main(int argc, char **argv)
{
    return output_end("slipc", run(argc, argv));
}
