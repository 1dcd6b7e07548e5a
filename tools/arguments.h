/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.h - the arguments of a kernel, from name=value words and .npy files.
 *
 * Scalars are parsed by their type. An array comes from a file whose type and shape equal the
 * signature's, or is made (zeros, rand:SEED, an output). A scalar that was left out and is by
 * itself an extent of an array from a file is taken from that file's shape.
 */
#ifndef SLIPWAY_TOOLS_ARGUMENTS_H
#define SLIPWAY_TOOLS_ARGUMENTS_H

#include <slipway/slipway.h>

#include "npy.h"
#include "options.h"

typedef struct argument {
    slip_param_info param;
    value_type type;      /* VALUE_TYPE_COUNT: a struct, or an array of structs */
    const char *text;     /* after "name="; NULL: not given */
    const char *out_path; /* --out; NULL: none */
    bool known;           /* scalars: bits holds the value */
    uint64_t bits;        /* scalars: the value's bytes, from the lowest address */
    void *bytes;          /* structs */
    npy_array array;      /* arrays */
} argument;

typedef struct arguments {
    const slip_entry *entry;
    slip_entry_info info;
    argument *items; /* [info.param_count] */
    slip_arg *list;  /* the same, as slip_launch takes them */
} arguments;

typedef enum arguments_arrays {
    ARGUMENTS_NEED_ARRAYS, /* an array that was left out is refused, unless it is only written */
    ARGUMENTS_MAKE_ARRAYS  /* it is made, zeroed */
} arguments_arrays;

/*
 * arguments_make - the arguments that the words of a command line name.
 *
 *   entry     outlives the arguments                                                 borrowed
 *   o         values and outs, borrowed from argv                                    borrowed
 *
 * Errors   NOT_FOUND    no such parameter, or file      FORMAT, UNSUPPORTED, MEMORY
 *          ARGUMENT     a value, type or shape that the signature does not take; both are named
 */
slip_status arguments_make(const slip_entry *entry, const options *o, arguments_arrays arrays,
                           arguments *out);
void arguments_finish(arguments *a);

/* "const f32 x[n][m]", as the signature has it. */
enum { ARGUMENTS_SIGNATURE_BYTES = 256 };
const char *arguments_signature(const slip_param_info *param, char out[ARGUMENTS_SIGNATURE_BYTES]);

#endif
