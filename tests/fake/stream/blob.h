/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blob.h - what a look-alike driver runs in the place of a GPU's code: the tasks as code for this
 * processor, and what they do with their parameters.
 *
 * Flat: a header, then tables at byte offsets from its start, each a multiple of 8. Written by
 * blob_make from a module (pack.c), used in place by the look-alike (load.c).
 */
#ifndef SLIPWAY_FAKE_STREAM_BLOB_H
#define SLIPWAY_FAKE_STREAM_BLOB_H

#include <stdint.h>

#define BLOB_MAGIC "SLIPFAKE"
#define BLOB_NONE UINT32_MAX
enum { BLOB_NAME_BYTES = 48, BLOB_MAX_AXES = 3 };

/* What a task does with memory that an argument points into. */
enum { BLOB_READS = 1, BLOB_WRITES = 2, BLOB_UPDATES = 4 };

/* An argument of eight bytes that may be the address of an array, at `offset` of the block. */
typedef struct blob_arg {
    uint32_t offset, flags;
} blob_arg;

/* Bytes of the cells that a task touches. */
typedef struct blob_cell {
    uint32_t first, bytes, flags;
} blob_cell;

typedef struct blob_axis {
    uint32_t type;             /* scalar_type */
    uint32_t lo_cell, hi_cell; /* byte in the cells; BLOB_NONE: the block holds it */
} blob_axis;

/* One entry point `s<k>`: a task, or its finish. Fields are mod_task's and mod_shader's. */
typedef struct blob_shader {
    char name[BLOB_NAME_BYTES];
    uint32_t entry; /* byte in the image */
    uint32_t is_finish, rank;
    blob_axis axes[BLOB_MAX_AXES];
    uint32_t strided, inline_block, local, local_fixed;
    uint32_t block_bytes, predicate, partial_offset, reduce_count;
    uint32_t cells_bytes; /* of all cells */
    uint32_t first_cell, cell_count;
    uint32_t first_arg, arg_count; /* but the address of the cells */
    uint32_t left_out;             /* no code: a function that GPUs lack */
} blob_shader;

typedef struct blob {
    char magic[8];
    uint64_t bytes; /* of all */
    uint32_t shaders, shader_count;
    uint32_t args, arg_count;
    uint32_t cells, cell_count;
    uint32_t imports, import_count; /* names, each ended by a NUL, one after another */
    uint64_t image, image_bytes, imports_offset;
} blob;

#endif
