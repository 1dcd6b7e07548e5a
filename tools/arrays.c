/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrays.c - one array argument: read from a file or made, and held against its parameter.
 *
 * Must never convert elements or reshape: what a file holds is what the kernel sees, or it is
 * refused.
 */
#include "arrays.h"

#include <inttypes.h>
#include <string.h>

#include "tool.h"

/* `f32 *x`: any shape goes, the kernel sees the elements in C order. */
static bool takes_any_shape(const slip_param_info *p)
{
    return p->rank == 0 || (p->rank == 1 && !p->extents[0]);
}

static slip_status check_type(const argument *arg)
{
    const npy_array *array = &arg->array;
    char has[NPY_DESCR_BYTES], wants[NPY_DESCR_BYTES], signature[ARGUMENTS_SIGNATURE_BYTES];

    if (array->type == arg->type && array->item_bytes == arg->param.bytes)
        return SLIP_OK;
    npy_descr_text(array->type, array->item_bytes, has);
    npy_descr_text(arg->type, arg->param.bytes, wants);
    return tool_fail(SLIP_ERR_ARGUMENT, "%s: %s holds %s ('%s'); %s takes %s ('%s')",
                     arg->param.name, arg->text + 1,
                     array->type == VALUE_TYPE_COUNT ? "raw bytes" : value_types[array->type].name,
                     has, arguments_signature(&arg->param, signature), arg->param.type, wants);
}

static slip_status check_rank(const argument *arg)
{
    const npy_array *array = &arg->array;
    char shape[NPY_SHAPE_TEXT_BYTES], signature[ARGUMENTS_SIGNATURE_BYTES];

    if (takes_any_shape(&arg->param) || array->rank == 0 || array->rank == arg->param.rank)
        return SLIP_OK;
    return tool_fail(SLIP_ERR_ARGUMENT, "%s: %s has %" PRIu32 " dimension%s, %s; %s has %" PRIu32,
                     arg->param.name, arg->text + 1, array->rank, array->rank == 1 ? "" : "s",
                     npy_shape_text(array->rank, array->shape, shape),
                     arguments_signature(&arg->param, signature), arg->param.rank);
}

static bool is_random(const char *text)
{
    return strncmp(text, "rand:", 5) == 0;
}

static slip_status read_seed(const argument *arg, uint64_t *out)
{
    const char *text = arg->text + 5;

    if (value_parse(VALUE_u64, arg->param.name, text, out) == SLIP_OK)
        return SLIP_OK;
    tool_clear();
    return tool_fail(SLIP_ERR_ARGUMENT, "%s: a seed is a whole number, 0 to %" PRIu64 ", not `%s`",
                     arg->param.name, UINT64_MAX, text);
}

slip_status arrays_read(argument *arg)
{
    const char *text = arg->text;

    if (text[0] == '@') {
        TOOL_TRY(npy_load(text + 1, &arg->array));
        TOOL_TRY(check_type(arg));
        return check_rank(arg);
    }
    if (strcmp(text, "zeros") == 0)
        return SLIP_OK;
    if (!is_random(text))
        return tool_fail(SLIP_ERR_ARGUMENT, "%s=%s: an array is @FILE.npy, zeros or rand:SEED",
                         arg->param.name, text);
    if (arg->type == VALUE_TYPE_COUNT)
        return tool_fail(SLIP_ERR_ARGUMENT, "%s=%s: there are no random values of %s",
                         arg->param.name, text, arg->param.type);
    return read_seed(arg, &(uint64_t){ 0 });
}

uint64_t arrays_extent(const npy_array *array, uint32_t k)
{
    return array->rank == 0 ? 1 : array->shape[k];
}

static slip_status compare_shape(const argument *arg, const uint64_t *extents)
{
    const slip_param_info *p = &arg->param;
    char has[NPY_SHAPE_TEXT_BYTES], wants[NPY_SHAPE_TEXT_BYTES],
        signature[ARGUMENTS_SIGNATURE_BYTES];
    uint64_t shape[SLIP_MAX_RANK] = { 0 };
    bool equal = true;

    for (uint32_t k = 0; k < p->rank; k++) {
        shape[k] = extents[k] == UINT64_MAX ? arrays_extent(&arg->array, k) : extents[k];
        equal = equal && shape[k] == arrays_extent(&arg->array, k);
    }
    if (equal)
        return SLIP_OK;
    return tool_fail(SLIP_ERR_ARGUMENT, "%s: %s has shape %s; %s needs %s", p->name, arg->text + 1,
                     npy_shape_text(arg->array.rank, arg->array.shape, has),
                     arguments_signature(p, signature), npy_shape_text(p->rank, shape, wants));
}

static slip_status make_array(argument *arg, const uint64_t *extents)
{
    const slip_param_info *p = &arg->param;
    char signature[ARGUMENTS_SIGNATURE_BYTES];
    uint64_t seed = 0;

    arg->array = (npy_array){ .type = arg->type, .item_bytes = p->bytes, .rank = p->rank };
    for (uint32_t k = 0; k < p->rank; k++) {
        if (extents[k] == UINT64_MAX)
            break;
        arg->array.shape[k] = extents[k];
    }
    if (p->rank == 0 || extents[0] == UINT64_MAX)
        return tool_fail(
            SLIP_ERR_ARGUMENT,
            "%s: the signature does not say how many elements %s has; give %s=@FILE.npy", p->name,
            arguments_signature(p, signature), p->name);
    TOOL_TRY(npy_make(&arg->array));
    if (!arg->text || !is_random(arg->text))
        return SLIP_OK;
    TOOL_TRY(read_seed(arg, &seed));
    value_fill_random(arg->type, seed, arg->array.data, arg->array.count);
    return SLIP_OK;
}

slip_status arrays_settle(argument *arg, const uint64_t *extents)
{
    if (!arg->text || arg->text[0] != '@')
        return make_array(arg, extents);
    return takes_any_shape(&arg->param) ? SLIP_OK : compare_shape(arg, extents);
}
