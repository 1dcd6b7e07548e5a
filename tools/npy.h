/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy.h - NumPy's .npy files: versions 1, 2 and 3 in, version 1 out.
 *
 * Element types are the scalars of the language, and raw blocks of bytes ('|V24') for arrays of
 * structs. A file of the other byte order is turned round on reading, one in Fortran order is put
 * into C order; both are remembered, so that an array can be written in the order it came in. Files
 * are hostile until read: every length is checked against the bytes there are before memory is
 * taken, and what follows the data is refused.
 */
#ifndef SLIPWAY_TOOLS_NPY_H
#define SLIPWAY_TOOLS_NPY_H

#include "value.h"

enum { NPY_MAX_RANK = 32, NPY_SHAPE_TEXT_BYTES = 32 * 22 + 4 };

typedef struct npy_array {
    value_type type; /* VALUE_TYPE_COUNT: raw blocks */
    uint32_t item_bytes;
    uint32_t rank;                /* 0: one element and no shape */
    uint64_t shape[NPY_MAX_RANK]; /* slow first */
    bool fortran;                 /* the file is (or will be) in Fortran order; data never is */
    uint64_t count, bytes;
    void *data;   /* [count] in C order and the host's byte order, 16-aligned */
    void *memory; /* what npy_finish frees */
} npy_array;

/*
 * npy_take - an array from the bytes of a file.
 *
 *   bytes   from malloc; on failure freed                                               taken
 *   name    of the file, for messages
 *
 * Errors   FORMAT       no .npy file, damaged, cut off, or followed by more
 *          UNSUPPORTED  a type that no kernel has; the message lists those there are
 *          MEMORY
 */
slip_status npy_take(void *bytes, size_t size, const char *name, npy_array *out);

/* The same from a file; NOT_FOUND where it cannot be read. */
slip_status npy_load(const char *path, npy_array *out);

/* Writes type, rank, shape and data of `array`, in Fortran order where it says so. */
slip_status npy_save(const char *path, const npy_array *array);

/* Zeroed data for a type, rank and shape; MEMORY where it does not fit. */
slip_status npy_make(npy_array *array);

/* Takes a zeroed array; leaves it zeroed. */
void npy_finish(npy_array *array);

/* "(3, 4)", "(3,)", "()", as NumPy prints a shape. */
const char *npy_shape_text(uint32_t rank, const uint64_t *shape, char out[NPY_SHAPE_TEXT_BYTES]);

/* "<f4", "|V24": what the header of a file says. */
enum { NPY_DESCR_BYTES = 16 };
const char *npy_descr_text(value_type type, uint32_t item_bytes, char out[NPY_DESCR_BYTES]);

#endif
