/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy.c - NumPy's .npy files: data in C order and the host's byte order, whatever the file has.
 *
 * Must never take memory that the file's own size does not justify. Hosts are little-endian.
 */
#include "npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "npy_header.h"
#include "tool.h"

static void swap_bytes(unsigned char *data, uint64_t count, uint32_t item_bytes)
{
    for (uint64_t k = 0; k < count; k++, data += item_bytes)
        for (uint32_t low = 0, high = item_bytes - 1; low < high; low++, high--) {
            unsigned char kept = data[low];
            data[low] = data[high];
            data[high] = kept;
        }
}

/*
 * Walks the elements in C order; `at` follows the same element in Fortran order. Copies from
 * Fortran order to C order, or back.
 */
static void reorder(const npy_array *a, unsigned char *to, const unsigned char *from,
                    bool to_fortran)
{
    uint64_t index[NPY_MAX_RANK] = { 0 }, stride[NPY_MAX_RANK], at = 0;

    for (uint32_t k = 0; k < a->rank; k++)
        stride[k] = k ? stride[k - 1] * a->shape[k - 1] : 1;
    for (uint64_t n = 0; n < a->count; n++) {
        uint64_t target = to_fortran ? at : n, source = to_fortran ? n : at;
        memcpy(to + target * a->item_bytes, from + source * a->item_bytes, a->item_bytes);
        for (uint32_t k = a->rank; k-- > 0;) {
            at += stride[k];
            if (++index[k] < a->shape[k])
                break;
            at -= stride[k] * a->shape[k];
            index[k] = 0;
        }
    }
}

/* With one axis, or none, both orders are the same. */
static bool order_matters(const npy_array *a)
{
    uint32_t wide = 0;

    for (uint32_t k = 0; k < a->rank; k++)
        wide += a->shape[k] != 1;
    return a->fortran && a->count > 0 && wide > 1;
}

static slip_status check_size(const npy_header *h, size_t size, const char *name)
{
    uint64_t there = size - h->data_offset;
    char shape[NPY_SHAPE_TEXT_BYTES];

    npy_shape_text(h->rank, h->shape, shape);
    if (there < h->bytes)
        return tool_fail(SLIP_ERR_FORMAT,
                         "%s: cut off: %s elements of %" PRIu32 " bytes take %" PRIu64
                         " bytes; %" PRIu64 " are there",
                         name, shape, h->item_bytes, h->bytes, there);
    if (there > h->bytes)
        return tool_fail(SLIP_ERR_FORMAT,
                         "%s: %" PRIu64 " bytes follow the data, which has %" PRIu64, name,
                         there - h->bytes, h->bytes);
    return SLIP_OK;
}

/* Turns the file's bytes into the array's data, which goes to the front of them. */
static slip_status settle(npy_array *a, const npy_header *h, unsigned char *bytes)
{
    unsigned char *data = bytes + h->data_offset;

    if (h->swapped)
        swap_bytes(data, h->count, h->item_bytes);
    a->memory = a->data = bytes;
    if (!order_matters(a)) {
        memmove(bytes, data, h->bytes);
        return SLIP_OK;
    }
    unsigned char *ordered = tool_new(h->bytes, 1);
    if (!ordered)
        return SLIP_ERR_MEMORY;
    reorder(a, ordered, data, false);
    a->memory = a->data = ordered;
    free(bytes);
    return SLIP_OK;
}

slip_status npy_take(void *bytes, size_t size, const char *name, npy_array *out)
{
    npy_header h = { 0 };
    npy_array made = { 0 };

    slip_status status = npy_header_read(bytes, size, name, &h);
    if (status != SLIP_OK)
        goto fail;
    status = check_size(&h, size, name);
    if (status != SLIP_OK)
        goto fail;
    made = (npy_array){ .type = h.type,
                        .item_bytes = h.item_bytes,
                        .rank = h.rank,
                        .fortran = h.fortran,
                        .count = h.count,
                        .bytes = h.bytes };
    memcpy(made.shape, h.shape, sizeof made.shape);
    status = settle(&made, &h, bytes);
    if (status != SLIP_OK)
        goto fail;

    *out = made;
    return SLIP_OK;

fail:
    free(bytes);
    return status;
}

slip_status npy_load(const char *path, npy_array *out)
{
    void *bytes = NULL;
    size_t size = 0;

    TOOL_TRY(tool_read(path, &bytes, &size));
    return npy_take(bytes, size, path, out);
}

slip_status npy_save(const char *path, const npy_array *array)
{
    char head[NPY_HEADER_BYTES];
    size_t head_bytes = npy_header_write(array, head);

    if (!order_matters(array))
        return tool_write(path, head, head_bytes, array->data, array->bytes);
    unsigned char *ordered = tool_new(array->bytes, 1);
    if (!ordered)
        return SLIP_ERR_MEMORY;
    reorder(array, ordered, array->data, true);
    slip_status status = tool_write(path, head, head_bytes, ordered, array->bytes);
    free(ordered);
    return status;
}

slip_status npy_make(npy_array *array)
{
    if (!npy_measure(array->rank, array->shape, array->item_bytes, &array->count, &array->bytes))
        return tool_fail(SLIP_ERR_MEMORY, "an array that large passes 2^63 bytes");
    array->memory = array->data = tool_new(array->bytes, 1);
    return array->data ? SLIP_OK : SLIP_ERR_MEMORY;
}

void npy_finish(npy_array *array)
{
    free(array->memory);
    *array = (npy_array){ 0 };
}
