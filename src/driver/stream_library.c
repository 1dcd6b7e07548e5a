/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_library.c - finds a vendor's library and its entry points, and lists its devices.
 *
 * Must leave what is current on the thread as it was, and make no context.
 */
#define _GNU_SOURCE
#include "driver/stream_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/stream_result.h"

/* ---- the library ----------------------------------------------------------------------------- */

/* One that other code of the process has loaded comes first: two of one vendor in a process would
 * not share a device's contexts. */
static void *open_usual(const stream_vendor *vendor)
{
    static const int ways[] = { RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL };
    void *found = NULL;

    for (int way = 0; way < 2; way++)
        for (int k = 0; !found && k < STREAM_LIBRARY_NAMES && vendor->libraries[k]; k++)
            found = dlopen(vendor->libraries[k], ways[way]);
    return found;
}

static slip_status open_library(stream_library *made)
{
    const stream_vendor *vendor = made->vendor;
    const char *named = getenv(vendor->variable);

    made->handle = named && *named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : open_usual(vendor);
    if (made->handle)
        return SLIP_OK;
    if (named && *named)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "%s: %.200s", vendor->variable, dlerror());
    return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "the %s driver's library %s is not installed",
                     vendor->title, vendor->libraries[0]);
}

/* By dlsym alone: cuGetProcAddress would give functions whose NULL stream is what the asking
 * program was compiled for. */
static slip_status fill_symbols(stream_library *made)
{
    const stream_vendor *vendor = made->vendor;

    for (int slot = 0; slot < STREAM_SLOT_COUNT; slot++) {
        const stream_symbol *symbol = &vendor->symbols[slot];
        void *found = symbol->name ? dlsym(made->handle, symbol->name) : NULL;
        if (symbol->name && !symbol->optional && !found)
            return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                             "the %s driver's library has no %s: it is too old", vendor->title,
                             symbol->name);
        memcpy((char *)&made->api + (size_t)slot * sizeof found, &found, sizeof found);
    }
    void *owned = dlsym(made->handle, "slipfake_own");
    memcpy(&made->owned, &owned, sizeof owned);
    return SLIP_OK;
}

/* ---- its devices ----------------------------------------------------------------------------- */

slip_status stream_library_attribute(const stream_library *library, api_device device,
                                     stream_attribute which, int *out)
{
    int value = 0;

    SLIP_TRY(STREAM_LIBRARY_CALL(library, device_attribute, &value,
                                 library->vendor->attributes[which], device));
    *out = value;
    return SLIP_OK;
}

/* Those that only describe a device are asked for when it is described: some drivers do not know
 * them. */
static slip_status read_attributes(const stream_library *library, stream_physical *out)
{
    for (int k = 0; k < STREAM_ATTRIBUTE_COUNT; k++)
        if (k != STREAM_ATTRIBUTE_UNIFIED && k != STREAM_ATTRIBUTE_PAGEABLE)
            SLIP_TRY(stream_library_attribute(library, out->handle, (stream_attribute)k,
                                              &out->attributes[k]));
    return SLIP_OK;
}

static slip_status read_device(const stream_library *library, int index, stream_physical *out)
{
    size_t bytes = 0;

    SLIP_TRY(STREAM_LIBRARY_CALL(library, device_get, &out->handle, index));
    SLIP_TRY(STREAM_LIBRARY_CALL(library, device_name, out->info.name,
                                 (int)sizeof out->info.name - 1, out->handle));
    SLIP_TRY(STREAM_LIBRARY_CALL(library, device_memory, &bytes, out->handle));
    SLIP_TRY(read_attributes(library, out));
    out->info.memory_bytes = bytes;
    out->info.kind = out->attributes[STREAM_ATTRIBUTE_INTEGRATED] ? DRV_INTEGRATED : DRV_DISCRETE;
    out->info.compute_units = (uint32_t)out->attributes[STREAM_ATTRIBUTE_UNITS];
    return library->vendor->look(library, index, out);
}

static slip_status list_devices(stream_library *made)
{
    int count = 0;

    SLIP_TRY(STREAM_LIBRARY_CALL(made, init, 0));
    SLIP_TRY(STREAM_LIBRARY_CALL(made, driver_version, &made->version));
    SLIP_TRY(STREAM_LIBRARY_CALL(made, device_count, &count));
    if (count <= 0)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "the %s driver knows no device", made->vendor->title);
    SLIP_TRY(mem_new((size_t)count * sizeof *made->devices, (void **)&made->devices));
    for (; made->device_count < (uint32_t)count; made->device_count++)
        SLIP_TRY(read_device(made, (int)made->device_count, &made->devices[made->device_count]));
    return SLIP_OK;
}

slip_status stream_library_device(const stream_library *library, uint32_t index,
                                  const stream_physical **out)
{
    if (index >= library->device_count)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "there is no %s:%u; there are %u devices",
                         library->vendor->name, index, library->device_count);
    *out = &library->devices[index];
    return SLIP_OK;
}

/* ---- made once ------------------------------------------------------------------------------- */

slip_status stream_library_make(const void *vendor, void **out)
{
    stream_library *made = NULL;
    slip_status status = mem_new(sizeof *made, (void **)&made);

    if (status != SLIP_OK)
        return status;
    made->vendor = vendor;
    status = open_library(made);
    if (status == SLIP_OK)
        status = fill_symbols(made);
    if (status == SLIP_OK)
        status = list_devices(made);
    if (status != SLIP_OK) {
        stream_library_drop(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

void stream_library_drop(void *library)
{
    stream_library *made = library;

    mem_free(made->devices);
    mem_free(made);
}
