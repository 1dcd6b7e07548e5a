/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy_fuzz.c - any bytes as a .npy file: refused, or an array that lies within them and survives
 * being written and read again.
 *
 *   clang-19 -g -O1 -fsanitize=fuzzer,address,undefined -std=c11 -Iinclude -Itools
 * tests/fuzz/npy_fuzz.c tools/npy.c tools/npy_header.c tools/value.c tools/tool.c libslipway.a -o
 * npy_fuzz
 *   ./npy_fuzz tests/fuzz/npy_corpus
 *
 * Aborts on a broken promise, as fuzzers want it. tests/tools/npy_test.c replays the corpus.
 */
#include <stdlib.h>
#include <string.h>

#include "npy_header.h"
#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int claim)
{
    if (!claim)
        abort();
}

/* The header that is written for an array says of it what the array does. */
static void check_header(const npy_array *a)
{
    char head[NPY_HEADER_BYTES];
    npy_header again;
    size_t bytes = npy_header_write(a, head);

    expect(bytes % 64 == 0 && bytes <= sizeof head);
    expect(npy_header_read(head, bytes, "again", &again) == SLIP_OK);
    expect(again.type == a->type && again.item_bytes == a->item_bytes && again.rank == a->rank);
    expect(again.fortran == a->fortran && !again.swapped && again.data_offset == bytes);
    expect(again.count == a->count && again.bytes == a->bytes);
    expect(memcmp(again.shape, a->shape, sizeof a->shape) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *bytes = malloc(size ? size : 1);
    npy_array a = { 0 };

    if (!bytes)
        return 0;
    if (size)
        memcpy(bytes, data, size);
    tool_clear();
    slip_status status = npy_take(bytes, size, "fuzz", &a);
    if (status != SLIP_OK) {
        expect(tool_message()[0] != '\0' && a.memory == NULL);
        return 0;
    }
    expect(a.bytes < size && a.bytes == a.count * a.item_bytes);
    uint8_t sum = 0;
    for (uint64_t k = 0; k < a.bytes; k++)
        sum = (uint8_t)(sum + ((const uint8_t *)a.data)[k]);
    uint8_t given = 0;
    for (size_t k = size - a.bytes; k < size; k++)
        given = (uint8_t)(given + data[k]);
    expect(sum == given); /* bytes were moved, none made or lost */
    check_header(&a);
    npy_finish(&a);
    return 0;
}
