/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setting.h - variables of the environment that take one of a few words.
 */
#ifndef SLIPWAY_BASE_SETTING_H
#define SLIPWAY_BASE_SETTING_H

#include <stdint.h>

#include <slipway/status.h>

/* *out: the index of the variable's value among the words, `count` where it is unset or empty.
 * ARGUMENT for another value: the message has the variable, the value and the words. */
slip_status setting_read(const char *variable, const char *const *words, uint32_t count,
                         uint32_t *out) SLIP_MUST_USE;

/* ARGUMENT: the variable has a value that it does not take; what it takes is told in words. */
slip_status setting_refuse(const char *variable, const char *value,
                           const char *takes) SLIP_MUST_USE;

#endif
