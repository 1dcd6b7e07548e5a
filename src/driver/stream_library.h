/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_library.h - a vendor's library as it is loaded, and the devices that it lists.
 */
#ifndef SLIPWAY_DRIVER_STREAM_LIBRARY_H
#define SLIPWAY_DRIVER_STREAM_LIBRARY_H

#include "driver/stream_vendor.h"

/* A device as it is listed; nothing of it is opened. */
typedef struct stream_physical {
    drv_info info;
    api_device handle;
    int attributes[STREAM_ATTRIBUTE_COUNT];
    char level[64]; /* "9.0", "gfx90a:sramecc+:xnack-" */
    uint32_t param_bytes;
} stream_physical;

typedef struct stream_library {
    const stream_vendor *vendor;
    void *handle; /* of dlopen; never closed: it keeps threads */
    stream_api api;
    /* slipfake_own, of a test's look-alike; NULL in a driver */
    void (*owned)(void *stream, uint64_t address, uint64_t bytes);
    int version;              /* of the driver, as it says */
    stream_physical *devices; /* [device_count] */
    uint32_t device_count;
} stream_library;

/*
 * stream_library_make - loads the library and lists its devices: `make` of a drv_once, whose user
 * is a stream_vendor.
 *
 * Errors   NOT_FOUND    there is no library or no device
 *          UNSUPPORTED  the library lacks an entry point, or cannot be used; each is named
 */
slip_status stream_library_make(const void *vendor, void **out) SLIP_MUST_USE;
void stream_library_drop(void *library); /* `drop` of it; the library stays loaded */

/* NOT_FOUND where there is none of this number; borrowed from the library. */
slip_status stream_library_device(const stream_library *library, uint32_t index,
                                  const stream_physical **out) SLIP_MUST_USE;
/* Of one attribute; on failure *out is untouched. */
slip_status stream_library_attribute(const stream_library *library, api_device device,
                                     stream_attribute which, int *out) SLIP_MUST_USE;

#endif
