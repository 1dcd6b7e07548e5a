/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce.h - a failing program made smaller.
 */
#ifndef SLIPWAY_GENERATOR_REDUCE_H
#define SLIPWAY_GENERATOR_REDUCE_H

#include "generator/run.h"

/* Prints the smallest program found that fails as the seed's does. False where that one does not
 * fail. */
bool reduce_program(uint64_t seed, slip_device *device);

#endif
