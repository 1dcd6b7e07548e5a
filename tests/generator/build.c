/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.c - see build.h. Compiles; judges nothing.
 */
#define _GNU_SOURCE
#include "generator/build.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipc.h>

#include "fake/stream/pack_folder.h"

const char *build_folder, *build_root;
unsigned build_variant;
const char *build_target;

static const struct {
    const char *targets;
    uint32_t optimize;
} variants[BUILD_VARIANTS] = {
    { "host", 2 }, { "cpu-x86-64-v2", 1 }, { "host", 3 }, { "cpu-x86-64-v3", 2 }
};

/* Where the device is a look-alike, tasks are run by the code for a processor, which lies there. */
static const char *look_alike_folder(void)
{
    return getenv("SLIPFAKE_CODE");
}

/* Another processor's code is not run here. */
static const char *targets_of(unsigned variant)
{
    static char both[64];

    if (build_target && look_alike_folder()) {
#if defined(__x86_64__)
        snprintf(both, sizeof both, "cpu-x86-64-v2,%s", build_target);
#else
        snprintf(both, sizeof both, "host,%s", build_target);
#endif
        return both;
    }
    if (build_target)
        return build_target;
#if defined(__x86_64__)
    if (variant == 1 || (variant == 3 && __builtin_cpu_supports("avx2")))
        return variants[variant].targets;
#endif
    return variants[variant].targets[0] == 'h' ? variants[variant].targets : "host";
}

/* What a reference is built with; the generator's arrays are the runner's own, so that pointers
 * need no checks. */
#define REFERENCE                                                                                  \
    "-std=c11 -fwrapv -ffp-contract=off -fno-strict-aliasing -fsigned-char "                       \
    "-DSLIP_REFERENCE -w -shared -fPIC"
#define CHECKED                                                                                    \
    "-O0 -fsanitize=undefined,float-cast-overflow "                                                \
    "-fno-sanitize=vla-bound,null,alignment,object-size "                                          \
    "-fno-sanitize=signed-integer-overflow,shift-base -fsanitize-undefined-trap-on-error"

static char *text(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

static char *text(const char *pattern, ...)
{
    va_list args;
    char *made = NULL;

    va_start(args, pattern);
    if (vasprintf(&made, pattern, args) < 0)
        abort();
    va_end(args);
    return made;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *made = calloc(1, 16384);

    if (made && file)
        made[fread(made, 1, 16383, file)] = 0;
    if (file)
        fclose(file);
    return made;
}

static bool compile_object(const char *stem, const char *name, const char *flags, void **out,
                           char **what)
{
    char *object = text("%s/%s.%s.so", build_folder, stem, name);
    char *log = text("%s/%s.%s.log", build_folder, stem, name);
    char *command = text("gcc %s %s -I%s/tests/generator -I%s/include -o %s %s/%s.c -lm > %s 2>&1",
                         REFERENCE, flags, build_root, build_root, object, build_folder, stem, log);

    if (system(command) != 0) {
        char *said = read_all(log);
        *what = text("gcc refuses it: a fault of the generator\n%s\n%s", command, said);
        free(said);
    } else {
        *out = dlopen(object, RTLD_NOW | RTLD_LOCAL);
        if (!*out)
            *what = text("%s", dlerror());
    }
    remove(object);
    remove(log);
    free(object);
    free(log);
    free(command);
    return *out != NULL;
}

static char *said_by_slipc(const slipc_result *result)
{
    char *all = text("slipc refuses it: %s\n", slipc_result_error(result)->message);

    for (uint32_t i = 0; i < slipc_diagnostic_count(result); i++) {
        const slipc_diagnostic *d = slipc_diagnostic_at(result, i);
        if (d->severity != SLIPC_ERROR || strlen(all) > 4000)
            continue;
        char *more = text("%s%s\n", all, d->text);
        free(all);
        all = more;
    }
    return all;
}

static bool compile_module(const char *stem, slip_device *device, slip_module **out, char **what)
{
    char *path = text("%s/%s.c", build_folder, stem), *own = text("%s/tests/generator", build_root);
    char *public = text("%s/include", build_root);
    const char *folders[] = { own, public };
    slipc_options options = { .include_dirs = folders,
                              .include_dir_count = 2,
                              .targets = targets_of(build_variant),
                              .optimize = variants[build_variant].optimize,
                              .optimize_given = true };
    slipc_result *result = NULL;
    size_t size = 0;
    bool good = slipc_compile(path, NULL, &options, &result) == SLIP_OK;

    if (!good) {
        *what = said_by_slipc(result);
    } else {
        const void *bytes = slipc_module_bytes(result, &size);
        if (build_target && look_alike_folder())
            good = pack_file_to_folder(bytes, size, look_alike_folder());
        if (!good)
            *what = text("there is no code for the look-alike");
        else if (slip_module_load(device, bytes, size, out) != SLIP_OK)
            *what = text("the module is refused: %s", slip_last_error()->message);
        good = *what == NULL;
    }
    slipc_result_free(result);
    free(path);
    free(own);
    free(public);
    return good;
}

bool build_programs(const char *source, const char *stem, slip_device *device, bool optimised,
                    built *out, char **what)
{
    char *path = text("%s/%s.c", build_folder, stem);
    FILE *file = fopen(path, "w");
    bool good = file && fputs("#include \"meaning.h\"\n", file) >= 0 && fputs(source, file) >= 0;

    *out = (built){ 0 };
    *what = NULL;
    if (file)
        fclose(file);
    if (!good)
        *what = text("%s cannot be written", path);
    good = good && compile_object(stem, "checked", CHECKED, &out->checked, what) &&
           (!optimised || compile_object(stem, "optimised", "-O2", &out->optimised, what)) &&
           compile_module(stem, device, &out->module, what);
    if (!good)
        build_drop(out);
    remove(path);
    free(path);
    return good;
}

void build_drop(built *b)
{
    if (b->checked)
        dlclose(b->checked);
    if (b->optimised)
        dlclose(b->optimised);
    slip_module_unload(b->module);
    *b = (built){ 0 };
}

build_function build_find(void *object, const char *kernel)
{
    char *name = text("%s_call", kernel);
    void *found = dlsym(object, name);
    build_function function;

    memcpy(&function, &found, sizeof function);
    free(name);
    return function;
}
