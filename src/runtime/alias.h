/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alias.h - where a call's arrays live and which of them share memory.
 */
#ifndef SLIPWAY_RUNTIME_ALIAS_H
#define SLIPWAY_RUNTIME_ALIAS_H

#include "runtime/bind.h"

/* Fills what is found of each of the binding's arrays, and the classes and arrays of its call.
 * ARGUMENT where an array is only partly known, is of unknown size, too small, or overlaps another
 * that a task needs apart. Allocates nothing. */
slip_status alias_find(binding *b, slip_device *device) SLIP_MUST_USE;

#endif
