/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - names that last as long as the device, each once: of kernels that may still be queued
 * when their module is gone.
 */
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/objects.h"

struct device_name {
    struct device_name *next;
    char text[];
};

slip_status device_name_keep(slip_device *device, const char *name, const char **out)
{
    size_t bytes = strlen(name) + 1;
    struct device_name *found = device->names;

    while (found && strcmp(found->text, name) != 0)
        found = found->next;
    if (!found) {
        SLIP_TRY(mem_new(sizeof *found + bytes, (void **)&found));
        memcpy(found->text, name, bytes);
        found->next = device->names;
        device->names = found;
    }
    *out = found->text;
    return SLIP_OK;
}

void device_names_drop(slip_device *device)
{
    while (device->names) {
        struct device_name *name = device->names;
        device->names = name->next;
        mem_free(name);
    }
}
