/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver.h - what a driver is asked to do: the types that the families have in common. Each
 * family's table of functions is in cpu_driver.h, queue_driver.h, stream_driver.h.
 *
 * The contract of each slot stands beside it: it is what a driver's writer reads and what a test's
 * fake imitates. A driver translates and nothing more: it makes no policy, knows no plan, and keeps
 * no count of what it was asked.
 */
#ifndef SLIPWAY_DRIVER_DRIVER_H
#define SLIPWAY_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <slipway/status.h>

enum { DRV_MAX_TARGETS = 4 };
#define DRV_NO_SYMBOL UINT32_MAX

/* name, the word people read; best first: what "auto" takes before what comes later. Code may need
 * what a GPU that shares the host's memory lacks (64-bit floats), so that these come after the
 * cpu. */
#define DRV_KINDS(X)                                                                               \
    X(DISCRETE, "discrete")     /* a GPU with memory of its own */                                 \
    X(CPU, "cpu")               /* this process */                                                 \
    X(INTEGRATED, "integrated") /* a GPU in the host's memory */                                   \
    X(VIRTUAL, "virtual")       /* a part of a GPU, in a virtual machine */                        \
    X(SOFTWARE, "software")     /* a GPU's interface run by the host: never taken by "auto" */

typedef enum drv_kind {
#define DRV_KIND_ENUM_(name, text) DRV_##name,
    DRV_KINDS(DRV_KIND_ENUM_)
#undef DRV_KIND_ENUM_
        DRV_KIND_COUNT
} drv_kind;

/* One device, as it is listed. */
typedef struct drv_info {
    char name[128]; /* "AMD EPYC" */
    drv_kind kind;
    uint32_t compute_units; /* cpu: threads that run tasks, the caller's included; 0: not told */
    uint64_t memory_bytes;
    const char *targets[DRV_MAX_TARGETS]; /* the code it takes, best first; static */
    uint32_t target_count;
} drv_info;

/* What a kernel may need of a device: bits of its limits' `has`, in the order of mod_need
 * (src/module/module.h, which this layer does not see; tests/launch/needs_test.c compares
 * them). No device has MATH: it marks a shader that calls what shaders do not have. */
#define DRV_NEEDS(X) X(F64) X(I8) X(I16) X(ATOMIC64) X(MATH) X(DEPTH)

typedef enum drv_need {
#define DRV_NEED_ENUM_(name) DRV_NEED_##name,
    DRV_NEEDS(DRV_NEED_ENUM_)
#undef DRV_NEED_ENUM_
        DRV_NEED_COUNT
} drv_need;

/* Machine code as a module holds it. */
typedef struct drv_code {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t imports_offset; /* of the table of imports, past the code */
    const char *const *imports;
    uint32_t import_count;
} drv_code;

#endif
