/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform_tree.h - the fixed reduction tree of the language, written down a second time.
 *
 * Part k is what iteration k adds. Block k / 1024, lane k % 64; a lane folds its 16 parts in rising
 * k, lanes are folded by halving, block results are a new sequence; last, old op result.
 * Missing places hold the identity. Shares nothing with the compiler.
 */
#ifndef SLIPWAY_TESTS_CONFORM_TREE_H
#define SLIPWAY_TESTS_CONFORM_TREE_H

#include <stddef.h>

typedef enum tree_op { TREE_ADD, TREE_MUL, TREE_MIN, TREE_MAX } tree_op;

float tree_f32(tree_op op, float old, const float *parts, size_t count);
double tree_f64(tree_op op, double old, const double *parts, size_t count);
/* 2 n eps sum |x|: how far the tree and a serial loop may lie apart. */
double tree_bound_f32(const float *parts, size_t count);
double tree_bound_f64(const double *parts, size_t count);

#endif
