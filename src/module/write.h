/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.h - a module as the bytes of a module file.
 */
#ifndef SLIPWAY_MODULE_WRITE_H
#define SLIPWAY_MODULE_WRITE_H

#include "base/text.h"
#include "module/module.h"

/* Appends the file. Equal modules give equal bytes. The module is not changed. */
slip_status mod_write(const mod_module *module, text *out) SLIP_MUST_USE;

#endif
