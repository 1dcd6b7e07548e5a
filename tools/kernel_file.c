/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_file.c - the bytes of a module, from a module file or compiled from a kernel file.
 *
 * The only file of this tool that may name the compiler library, which a build can lack.
 */
#include "kernel_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static bool is_source(const char *path)
{
    size_t length = strlen(path);

    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

#ifdef SLIPWAY_WITH_COMPILER

#include <slipway/slipc.h>

static uint32_t print_diagnostics(const slipc_result *result)
{
    uint32_t errors = 0;

    for (uint32_t k = 0; k < slipc_diagnostic_count(result); k++) {
        const slipc_diagnostic *d = slipc_diagnostic_at(result, k);
        size_t length = strlen(d->text);
        fprintf(stderr, "%s%s", d->text, length && d->text[length - 1] == '\n' ? "" : "\n");
        errors += d->severity == SLIPC_ERROR;
    }
    return errors;
}

static slip_status compile(const options *o, const char *target, kernel_file *out)
{
    slipc_result *result = NULL;
    slipc_options wanted = {
        .include_dirs = o->includes.items,
        .include_dir_count = o->includes.count,
        .defines = o->defines.items,
        .define_count = o->defines.count,
        .optimize = o->optimize,
        .optimize_given = o->optimize_given,
        .targets = target ? target : "host,spirv",
        .fma = o->fma,
    };

    slip_status status = slipc_compile(o->file, NULL, &wanted, &result);
    uint32_t errors = result ? print_diagnostics(result) : 0;
    if (status != SLIP_OK) {
        if (errors)
            tool_fail(status, "%s: %" PRIu32 " error%s", o->file, errors, errors == 1 ? "" : "s");
        else
            tool_fail(status, "%s",
                      result ? slipc_result_error(result)->message : "memory ran out");
        slipc_result_free(result);
        return status;
    }
    out->bytes = slipc_module_bytes(result, &out->size);
    out->result = result;
    return SLIP_OK;
}

static void free_result(void *result)
{
    slipc_result_free(result);
}

#else

static slip_status compile(const options *o, const char *target, kernel_file *out)
{
    (void)target;
    (void)out;
    return tool_fail(SLIP_ERR_UNSUPPORTED,
                     "%s is a kernel file, and this slipway was built without the "
                     "compiler; slipc makes a module of it, which runs here: slipc %s -o FILE.slip",
                     o->file, o->file);
}

static void free_result(void *result)
{
    (void)result;
}

#endif

/* A module is compiled already. */
static slip_status refuse_compile_options(const options *o)
{
    const char *given = o->fma                 ? "--fma"
                        : o->optimize_given    ? "-O"
                        : o->includes.count    ? "-I"
                        : o->defines.count     ? "-D"
                                               : NULL;

    return given ? tool_fail(SLIP_ERR_ARGUMENT,
                             "%s: %s is for kernel files, whose names end in .c; a module is what "
                             "slipc has made of one",
                             o->file, given)
                 : SLIP_OK;
}

slip_status kernel_file_open(const options *o, const char *target, kernel_file *out)
{
    kernel_file made = { 0 };

    if (is_source(o->file)) {
        TOOL_TRY(compile(o, target, &made));
    } else {
        TOOL_TRY(refuse_compile_options(o));
        TOOL_TRY(tool_read(o->file, &made.memory, &made.size));
    }
    if (made.memory)
        made.bytes = made.memory;
    *out = made;
    return SLIP_OK;
}

void kernel_file_close(kernel_file *f)
{
    free_result(f->result);
    free(f->memory);
    *f = (kernel_file){ 0 };
}
