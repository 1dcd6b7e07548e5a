/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_pool.h - the threads that help a caller with the iterations of a task.
 */
#ifndef SLIPWAY_DRIVER_CPU_POOL_H
#define SLIPWAY_DRIVER_CPU_POOL_H

#include "driver/cpu_driver.h"

typedef struct cpu_pool cpu_pool;

/* `threads` counts the caller's; at least 1. No thread is started before there is work for it. */
slip_status cpu_pool_create(uint32_t threads, cpu_pool **out) SLIP_MUST_USE;
void cpu_pool_destroy(cpu_pool *pool); /* takes NULL; waits for the threads */
void cpu_pool_after_fork(cpu_pool *pool);

/* Runs all iterations of the kernel's main; `granule` divides where the range may be cut. Any
 * thread, several at once: whoever finds the threads busy does its own work itself. */
void cpu_pool_run(cpu_pool *pool, cpu_kernel *kernel, const void *block, int64_t total,
                  int64_t granule);

#endif
