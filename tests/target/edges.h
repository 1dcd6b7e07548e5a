/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges.h - the values of a type at which operations go wrong.
 */
#ifndef SLIPWAY_TESTS_TARGET_EDGES_H
#define SLIPWAY_TESTS_TARGET_EDGES_H

#include "base/scalar.h"

enum { EDGES_MOST = 48 };

uint32_t edges_of_type(scalar_type type, uint64_t out[EDGES_MOST]);
uint64_t edge_f32(float value); /* its bits */

#endif
