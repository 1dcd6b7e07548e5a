/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_host.h - what this processor is: its name, its threads, the code levels it runs.
 */
#ifndef SLIPWAY_DRIVER_CPU_HOST_H
#define SLIPWAY_DRIVER_CPU_HOST_H

#include "driver/driver.h"

/* Threads that tasks may use: SLIPWAY_CPU_THREADS, else the processors this process may run on.
 * ARGUMENT where the variable is no number from 1 to 1024. */
slip_status cpu_host_threads(uint32_t *out) SLIP_MUST_USE;
/* Fills all but compute_units. SLIPWAY_CPU_TARGET leaves out the targets above the one it names;
 * ARGUMENT where this processor does not take that one. */
slip_status cpu_host_info(drv_info *out) SLIP_MUST_USE;

#endif
