/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_driver.h - what a driver of this process's own processor is asked to do.
 */
#ifndef SLIPWAY_DRIVER_CPU_DRIVER_H
#define SLIPWAY_DRIVER_CPU_DRIVER_H

#include <stdatomic.h>

#include "driver/driver.h"

/* Runs iterations first .. last - 1 of a task's flat range; `block` holds its arguments. */
typedef void (*cpu_task)(const void *block, int64_t first, int64_t last);

/* Calls loaded code. clang's check of a function's type reads before its first byte, where an
 * image may have none. */
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
static inline void
cpu_task_run(cpu_task task, const void *block, int64_t first, int64_t last)
{
    task(block, first, last);
}

/* Iterations from one multiple of this to the next stay together where a task has a `finish`. */
enum { CPU_BLOCK = 1024 };

typedef struct cpu_kernel {
    cpu_task main;
    cpu_task finish; /* NULL if none; called once after all of main, as (block, 0, total) */
    atomic_uint_fast64_t cost; /* the driver's own: what an iteration takes, 0 until known */
} cpu_kernel;

/* All slots are required. */
typedef struct cpu_driver {
    const char *name; /* "cpu" */

    /* Any thread; cheap. */
    uint32_t (*device_count)(void);
    slip_status (*info)(uint32_t index, drv_info *out);

    /* Any thread. On failure *out is untouched. */
    slip_status (*open)(uint32_t index, void **out);
    /* No run is in progress. Waits for the driver's own threads to end. */
    void (*close)(void *self);
    /* In the child of a fork, where no other thread exists: forget threads and locks. Allocates
     * nothing. */
    void (*after_fork)(void *self);

    /* Memory that tasks use, aligned to 64, contents undefined. Any thread. On failure *out is
     * untouched. */
    slip_status (*alloc)(void *self, uint64_t bytes, void **out);
    void (*free)(void *self, void *memory); /* takes NULL */

    /* Makes code ready to run; `code` is borrowed for the call. Any thread. On failure *out is
     * untouched. */
    slip_status (*code_load)(void *self, const drv_code *code, void **out);
    void (*code_drop)(void *self, void *loaded); /* takes NULL; none of it is running */
    /* The entry points at byte offsets `main` and `finish` (or DRV_NO_SYMBOL) of the code. */
    slip_status (*kernel_get)(void *self, void *loaded, uint32_t main, uint32_t finish,
                              cpu_kernel *out);

    /* Runs iterations 0 .. total - 1 on as many threads as it finds worth while, the caller's
     * among them, then finish. Has ended on return. Any thread, several at once. Without
     * iterations, which a kernel with finish alone may have, main is not called.
     * Every thread is in the default floating-point mode; the caller has seen to its own. */
    slip_status (*run)(void *self, cpu_kernel *kernel, const void *block, int64_t total);
} cpu_driver;

extern const cpu_driver cpu_driver_table;

#endif
