/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform_values.h - values for kernels, from a seed alone.
 */
#ifndef SLIPWAY_TESTS_CONFORM_VALUES_H
#define SLIPWAY_TESTS_CONFORM_VALUES_H

#include "conform.h"

void conform_fill_values(void *out, conform_type type, conform_fill fill, size_t count,
                         uint64_t seed);

#endif
