/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families.h - which device families there are, and finding a device by what a person calls it.
 */
#ifndef SLIPWAY_RUNTIME_FAMILIES_H
#define SLIPWAY_RUNTIME_FAMILIES_H

#include "runtime/objects.h"

/* `which` as slip_device_open takes it. NOT_FOUND lists what there is. */
slip_status families_find(const char *which, const launcher **out_family,
                          uint32_t *out_index) SLIP_MUST_USE;
void families_describe(const launcher *family, uint32_t index, const drv_info *info,
                       slip_device_info *out);

#endif
