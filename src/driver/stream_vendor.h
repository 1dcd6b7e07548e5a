/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_vendor.h - all in which CUDA and HIP differ: one row each, in cuda.c and hip.c.
 */
#ifndef SLIPWAY_DRIVER_STREAM_VENDOR_H
#define SLIPWAY_DRIVER_STREAM_VENDOR_H

#include "driver/once.h"
#include "driver/stream_api.h"
#include "driver/stream_driver.h"
#include "driver/stream_numbers.h"

struct stream_device;
struct stream_library;
struct stream_physical;

typedef struct stream_symbol {
    const char *name; /* NULL: the other one's */
    bool optional;
} stream_symbol;

typedef struct stream_code_row {
    int code;
    slip_status status;
} stream_code_row;

enum { STREAM_LIBRARY_NAMES = 4 };

typedef struct stream_vendor {
    const char *name;                            /* of the family: "cuda" */
    const char *title;                           /* for people: "CUDA" */
    const char *variable;                        /* of the environment, names the library */
    const char *libraries[STREAM_LIBRARY_NAMES]; /* tried in this order; NULL past the last */
    const stream_symbol *symbols;                /* [STREAM_SLOT_COUNT] */
    const stream_code_row *codes;                /* [code_count] */
    size_t code_count;
    const int *attributes;  /* [STREAM_ATTRIBUTE_COUNT] */
    const unsigned *flags;  /* [STREAM_FLAG_COUNT] */
    const char *level_word; /* what physical.level is called: "compute capability" */
    int version_units[2];   /* of the driver's version: what its major and minor number count */
    uint64_t max_threads;   /* stream_limits */
    bool rerecords;         /* stream_limits */
    bool text_code;         /* code is a text, which is compiled when it is loaded */
    /* What POINTER_TYPE gives for memory of a device: before that version of the driver, and since.
     */
    struct {
        unsigned before, since;
        int version;
    } type_of_device;
    bool query_is_no_wait; /* having seen that a stream is done does not make its writes visible */

    /* The official name and text of a code; static. */
    void (*explain)(const stream_api *api, int code, const char **out_name, const char **out_text);
    /* Fills level, param_bytes and info's targets of a device whose attributes are known. */
    slip_status (*look)(const struct stream_library *library, int index,
                        struct stream_physical *out);
    slip_status (*retain)(struct stream_device *device); /* when it is opened; device->context */
    void (*release)(struct stream_device *device);
    slip_status (*enter)(struct stream_device *device, stream_guard *out);
    void (*leave)(struct stream_device *device, const stream_guard *guard);
} stream_vendor;

extern const stream_vendor cuda_vendor, hip_vendor;

#endif
