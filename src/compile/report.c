/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - diagnostics as the public list, each also as the text that the tool prints.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "compile/compile.h"

slip_status compile_read_file(const char *path, char **out_text, size_t *out_bytes)
{
    FILE *file = fopen(path, "rb");
    char *made = NULL;
    size_t bytes = 0, capacity = 0;
    slip_status status = SLIP_OK;

    if (!file)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "cannot read %s: %s", path, strerror(errno));
    for (;;) {
        status = mem_grow((void **)&made, &capacity, bytes + 65536, 1);
        if (status != SLIP_OK)
            break;
        size_t got = fread(made + bytes, 1, 65535, file);
        bytes += got;
        if (got == 0)
            break;
    }
    if (status == SLIP_OK && ferror(file))
        status = SLIP_FAIL(SLIP_ERR_NOT_FOUND, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made[bytes] = 0;
    *out_text = made;
    *out_bytes = bytes;
    return SLIP_OK;
}

/* The text of the diagnostic's file: the source that was given, or read again. NULL where that fails: then the
 * diagnostic is printed without its line. */
static const char *source_of(const diag *d, const char *path, const char *source, char **kept,
                             const char **kept_name)
{
    size_t bytes;

    if (!d->file)
        return NULL;
    if (source && strcmp(d->file, path) == 0)
        return source;
    if (*kept && strcmp(*kept_name, d->file) == 0)
        return *kept;
    mem_free(*kept);
    *kept = NULL;
    if (compile_read_file(d->file, kept, &bytes) != SLIP_OK)
        return NULL;
    *kept_name = d->file;
    return *kept;
}

slip_status compile_report(slipc_result *result, const char *path, const char *source)
{
    mem_arena *arena = &result->arena;
    uint32_t count = 0;
    char *kept = NULL;
    const char *kept_name = NULL;

    for (const diag *d = result->diags.first; d; d = d->next)
        count++;
    slipc_diagnostic *made = arena_new(arena, (count + 1) * sizeof *made);
    if (!made)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %u diagnostics", count);
    uint32_t i = 0;
    for (const diag *d = result->diags.first; d; d = d->next, i++) {
        text told = { 0 };
        slip_error before = *fail_last();

        diag_print(&told, d, source_of(d, path, source, &kept, &kept_name));
        if (before.code == SLIP_OK)
            fail_clear(); /* a source that cannot be read again is no failure */
        made[i] = (slipc_diagnostic){ .severity = (slipc_severity)d->severity,
                                      .file = d->file,
                                      .line = d->line,
                                      .column = d->column,
                                      .message = d->message,
                                      .advice = d->advice,
                                      .text = arena_copy(arena, text_get(&told), told.bytes) };
        text_finish(&told);
    }
    mem_free(kept);
    result->diagnostics = made;
    return SLIP_OK;
}
