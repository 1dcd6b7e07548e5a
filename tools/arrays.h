/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrays.h - one array argument: read from a file or made, and held against its parameter.
 */
#ifndef SLIPWAY_TOOLS_ARRAYS_H
#define SLIPWAY_TOOLS_ARRAYS_H

#include "arguments.h"

/* Reads the file of u=@FILE and holds its type and number of dimensions against the parameter.
 * zeros and rand:SEED are left for arrays_settle; other texts are refused. */
slip_status arrays_read(argument *arg);

/* Extent k of an array whose rank equals its parameter's; one element without a shape has extents
 * of 1. */
uint64_t arrays_extent(const npy_array *array, uint32_t k);

/* Compares the shape of an array from a file with the parameter's extents (slow first, UINT64_MAX
 * where not known), or makes and fills the array of those extents. */
slip_status arrays_settle(argument *arg, const uint64_t *extents);

#endif
