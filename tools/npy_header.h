/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy_header.h - the header of a .npy file, on its own.
 */
#ifndef SLIPWAY_TOOLS_NPY_HEADER_H
#define SLIPWAY_TOOLS_NPY_HEADER_H

#include "npy.h"

typedef struct npy_header {
    value_type type;
    uint32_t item_bytes;
    bool swapped; /* the other byte order than this host's */
    bool fortran;
    uint32_t rank;
    uint64_t shape[NPY_MAX_RANK];
    uint64_t count, bytes; /* of the data, in range */
    size_t data_offset;    /* at most the size of the file */
} npy_header;

/* Reads the header at the start of `bytes`; the data is not looked at. Errors as npy_take. */
slip_status npy_header_read(const void *bytes, size_t size, const char *name, npy_header *out);

/* Elements and bytes of a shape; false where they pass 2^63 bytes. An array with an extent of 0 has
 * no bytes, however large the others are. */
bool npy_measure(uint32_t rank, const uint64_t *shape, uint32_t item_bytes, uint64_t *out_count,
                 uint64_t *out_bytes);

enum { NPY_HEADER_BYTES = 1024 };
/* The header of a file for `array`, a multiple of 64 bytes; returns how many. */
size_t npy_header_write(const npy_array *array, char out[NPY_HEADER_BYTES]);

#endif
