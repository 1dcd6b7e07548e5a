/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.c - the arguments of a kernel, from name=value words and .npy files.
 *
 * Words are matched to parameters first, then scalars and files are read, then what was left out
 * is inferred, then shapes are compared. Must refuse whatever the library would have to guess.
 */
#include "arguments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "tool.h"

const char *arguments_signature(const slip_param_info *p, char out[ARGUMENTS_SIGNATURE_BYTES])
{
    size_t room = ARGUMENTS_SIGNATURE_BYTES;
    bool pointer = p->kind == SLIP_PARAM_ARRAY && p->rank == 0;
    int at = snprintf(out, room, "%s%s%s %s%s", p->is_const ? "const " : "",
                      p->is_out ? "slip_out " : "", p->type, pointer ? "*" : "", p->name);

    for (uint32_t k = 0; p->kind == SLIP_PARAM_ARRAY && k < p->rank && at >= 0 && (size_t)at < room;
         k++)
        at += snprintf(out + at, room - (size_t)at, "[%s]", p->extents[k] ? p->extents[k] : "");
    return out;
}

/* ---- words to parameters -------------------------------------------------------------------- */

static slip_status no_parameter(const arguments *a, const char *word, uint32_t length)
{
    char names[512] = "";
    size_t at = 0;

    for (uint32_t k = 0; k < a->info.param_count && at < sizeof names; k++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", k ? ", " : "",
                               a->items[k].param.name);
    return tool_fail(SLIP_ERR_NOT_FOUND, "%s has no parameter `%.*s`; it has %s", a->info.name,
                     (int)length, word, *names ? names : "none");
}

static slip_status find_parameter(arguments *a, const char *word, argument **out,
                                  const char **out_text)
{
    uint32_t length = options_name_length(word);

    for (uint32_t k = 0; k < a->info.param_count; k++) {
        const char *name = a->items[k].param.name;
        if (strlen(name) == length && memcmp(name, word, length) == 0) {
            *out = &a->items[k];
            *out_text = word + length + 1;
            return SLIP_OK;
        }
    }
    return no_parameter(a, word, length);
}

static slip_status match_values(arguments *a, const options *o)
{
    for (uint32_t k = 0; k < o->values.count; k++) {
        argument *arg = NULL;
        const char *text = NULL;
        TOOL_TRY(find_parameter(a, o->values.items[k], &arg, &text));
        if (arg->text)
            return tool_fail(SLIP_ERR_ARGUMENT, "`%s` is given twice: %s and %s", arg->param.name,
                             arg->text, text);
        arg->text = text;
    }
    return SLIP_OK;
}

static slip_status match_outs(arguments *a, const options *o)
{
    char signature[ARGUMENTS_SIGNATURE_BYTES];

    for (uint32_t k = 0; k < o->outs.count; k++) {
        argument *arg = NULL;
        const char *path = NULL;
        TOOL_TRY(find_parameter(a, o->outs.items[k], &arg, &path));
        arguments_signature(&arg->param, signature);
        if (arg->param.kind != SLIP_PARAM_ARRAY)
            return tool_fail(SLIP_ERR_ARGUMENT, "--out %s: %s is no array", o->outs.items[k],
                             signature);
        if (arg->param.is_const)
            return tool_fail(SLIP_ERR_ARGUMENT, "--out %s: %s is never written", o->outs.items[k],
                             signature);
        if (!*path)
            return tool_fail(SLIP_ERR_ARGUMENT, "--out %s: the file's name is missing",
                             o->outs.items[k]);
        if (arg->out_path)
            return tool_fail(SLIP_ERR_ARGUMENT, "--out: `%s` is to be written twice, to %s and %s",
                             arg->param.name, arg->out_path, path);
        arg->out_path = path;
    }
    return SLIP_OK;
}

/* ---- scalars and structs -------------------------------------------------------------------- */

static slip_status read_struct(argument *arg)
{
    size_t size = 0;

    if (arg->text[0] != '@')
        return tool_fail(
            SLIP_ERR_ARGUMENT,
            "%s=%s: %s is passed by value; give a file that holds its %" PRIu32 " bytes: %s=@FILE",
            arg->param.name, arg->text, arg->param.type, arg->param.bytes, arg->param.name);
    TOOL_TRY(tool_read(arg->text + 1, &arg->bytes, &size));
    if (size != arg->param.bytes)
        return tool_fail(SLIP_ERR_ARGUMENT, "%s: %s has %zu bytes; %s has %" PRIu32,
                         arg->param.name, arg->text + 1, size, arg->param.type, arg->param.bytes);
    return SLIP_OK;
}

static slip_status read_given(arguments *a)
{
    for (uint32_t k = 0; k < a->info.param_count; k++) {
        argument *arg = &a->items[k];
        if (!arg->text)
            continue;
        switch (arg->param.kind) {
        case SLIP_PARAM_SCALAR:
            TOOL_TRY(value_parse(arg->type, arg->param.name, arg->text, &arg->bits));
            arg->known = true;
            break;
        case SLIP_PARAM_STRUCT:
            TOOL_TRY(read_struct(arg));
            break;
        case SLIP_PARAM_ARRAY:
            TOOL_TRY(arrays_read(arg));
            break;
        }
    }
    return SLIP_OK;
}

/* ---- what was left out ---------------------------------------------------------------------- */

/* The integer parameter that an extent names by itself; NULL if it is anything else. */
static argument *extent_parameter(arguments *a, const char *extent)
{
    for (uint32_t k = 0; extent && k < a->info.param_count; k++) {
        argument *arg = &a->items[k];
        bool integer = arg->param.kind == SLIP_PARAM_SCALAR &&
                       (value_types[arg->type].kind == 'i' || value_types[arg->type].kind == 'u');
        if (integer && strcmp(arg->param.name, extent) == 0)
            return arg;
    }
    return NULL;
}

static slip_status infer_from(arguments *a, const argument *from, uint64_t *counts,
                              const argument **sources)
{
    for (uint32_t k = 0; k < from->param.rank; k++) {
        argument *extent = extent_parameter(a, from->param.extents[k]);
        if (!extent || extent->text)
            continue;
        uint64_t count = arrays_extent(&from->array, k);
        size_t at = (size_t)(extent - a->items);
        if (extent->known && counts[at] != count)
            return tool_fail(
                SLIP_ERR_ARGUMENT,
                "`%s` was left out, and the files differ: %s gives %" PRIu64 ", %s gives %" PRIu64,
                extent->param.name, sources[at]->text + 1, counts[at], from->text + 1, count);
        TOOL_TRY(value_from_count(extent->type, extent->param.name, count, &extent->bits));
        extent->known = true;
        counts[at] = count;
        sources[at] = from;
    }
    return SLIP_OK;
}

static slip_status infer_extents(arguments *a)
{
    uint64_t *counts = tool_new(a->info.param_count, sizeof *counts);
    const argument **sources = tool_new(a->info.param_count, sizeof *sources);
    slip_status status = counts && sources ? SLIP_OK : SLIP_ERR_MEMORY;

    for (uint32_t k = 0; k < a->info.param_count && status == SLIP_OK; k++)
        if (a->items[k].array.data && a->items[k].text[0] == '@')
            status = infer_from(a, &a->items[k], counts, sources);
    free(counts);
    free(sources);
    return status;
}

static slip_status refuse_missing(const argument *arg)
{
    const slip_param_info *p = &arg->param;
    char signature[ARGUMENTS_SIGNATURE_BYTES];

    arguments_signature(p, signature);
    switch (p->kind) {
    case SLIP_PARAM_SCALAR:
        return tool_fail(SLIP_ERR_ARGUMENT, "%s has no value; give %s=VALUE", signature, p->name);
    case SLIP_PARAM_STRUCT:
        return tool_fail(SLIP_ERR_ARGUMENT,
                         "%s has no value; give a file of its %" PRIu32 " bytes: %s=@FILE",
                         signature, p->bytes, p->name);
    case SLIP_PARAM_ARRAY:
        return tool_fail(SLIP_ERR_ARGUMENT,
                         "%s has no value; give %s=@FILE.npy, %s=zeros or %s=rand:SEED%s%s%s",
                         signature, p->name, p->name, p->name, p->is_out ? ", or --out " : "",
                         p->is_out ? p->name : "", p->is_out ? "=FILE.npy" : "");
    }
    return SLIP_OK;
}

static slip_status check_complete(const arguments *a, arguments_arrays arrays)
{
    for (uint32_t k = 0; k < a->info.param_count; k++) {
        const argument *arg = &a->items[k];
        bool there = arg->text || arg->known ||
                     (arg->param.kind == SLIP_PARAM_ARRAY &&
                      (arrays == ARGUMENTS_MAKE_ARRAYS || (arg->param.is_out && arg->out_path)));
        if (!there)
            return refuse_missing(arg);
    }
    return SLIP_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void list_values(arguments *a)
{
    for (uint32_t k = 0; k < a->info.param_count; k++) {
        argument *arg = &a->items[k];
        a->list[k] = (slip_arg){ .data = arg->bytes, .bytes = arg->param.bytes };
        if (arg->param.kind == SLIP_PARAM_SCALAR)
            a->list[k].data = &arg->bits;
        if (arg->param.kind == SLIP_PARAM_ARRAY)
            a->list[k] = (slip_arg){ 0 };
    }
}

static slip_status settle_arrays(arguments *a)
{
    uint64_t extents[SLIP_MAX_RANK];

    for (uint32_t k = 0; k < a->info.param_count; k++) {
        if (a->items[k].param.kind != SLIP_PARAM_ARRAY)
            continue;
        TOOL_TRY(
            tool_library(slip_entry_extents(a->entry, a->list, a->info.param_count, k, extents)));
        TOOL_TRY(arrays_settle(&a->items[k], extents));
    }
    for (uint32_t k = 0; k < a->info.param_count; k++)
        if (a->items[k].param.kind == SLIP_PARAM_ARRAY)
            a->list[k] =
                (slip_arg){ .data = a->items[k].array.data, .bytes = a->items[k].array.bytes };
    return SLIP_OK;
}

static slip_status describe(arguments *a)
{
    slip_entry_describe(a->entry, &a->info);
    a->items = tool_new(a->info.param_count, sizeof *a->items);
    a->list = tool_new(a->info.param_count, sizeof *a->list);
    if (!a->items || !a->list)
        return SLIP_ERR_MEMORY;
    for (uint32_t k = 0; k < a->info.param_count; k++) {
        slip_entry_param(a->entry, k, &a->items[k].param);
        a->items[k].type = value_type_named(a->items[k].param.type);
    }
    return SLIP_OK;
}

static slip_status fill(arguments *a, const options *o, arguments_arrays arrays)
{
    TOOL_TRY(describe(a));
    TOOL_TRY(match_values(a, o));
    TOOL_TRY(match_outs(a, o));
    TOOL_TRY(read_given(a));
    TOOL_TRY(infer_extents(a));
    TOOL_TRY(check_complete(a, arrays));
    list_values(a);
    return settle_arrays(a);
}

slip_status arguments_make(const slip_entry *entry, const options *o, arguments_arrays arrays,
                           arguments *out)
{
    arguments made = { .entry = entry };

    slip_status status = fill(&made, o, arrays);
    if (status != SLIP_OK) {
        arguments_finish(&made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

void arguments_finish(arguments *a)
{
    for (uint32_t k = 0; a->items && k < a->info.param_count; k++) {
        free(a->items[k].bytes);
        npy_finish(&a->items[k].array);
    }
    free(a->items);
    free(a->list);
    *a = (arguments){ 0 };
}
