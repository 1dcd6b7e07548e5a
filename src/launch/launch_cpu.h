/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cpu.h - the cpu family over a driver that is not its own.
 */
#ifndef SLIPWAY_LAUNCH_LAUNCH_CPU_H
#define SLIPWAY_LAUNCH_LAUNCH_CPU_H

#include "driver/cpu_driver.h"

/* As the slot `open` of launch_cpu, over `driver`: what tests put into a copy of the table. */
slip_status launch_cpu_open(const cpu_driver *driver, uint32_t index, void **out) SLIP_MUST_USE;

#endif
