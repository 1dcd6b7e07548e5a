/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_describe.c - a device in lines of text, for people: what its listing does not say.
 */
#include <stdio.h>

#include "base/fail.h"
#include "driver/describe.h"
#include "driver/stream_device.h"

static void tell_version(printer *p, const stream_device *device)
{
    const int *units = device->vendor->version_units;
    int version = device->library->version;

    text_add(&p->t, "%s %d.%d", device->vendor->title, version / units[0],
             version % units[0] / units[1]);
    tell(p, "driver");
}

/* Not every driver knows the attribute: no failure. */
static void tell_attribute(printer *p, const stream_device *device, stream_attribute which,
                           const char *name)
{
    const slip_error before = *fail_last();
    int value = 0;

    if (atomic_load(&device->gone) == STREAM_FORKED ||
        stream_library_attribute(device->library, device->physical->handle, which, &value) !=
            SLIP_OK) {
        text_add(&p->t, "not told");
        fail_restore(&before);
    } else {
        text_add(&p->t, "%s", value ? "yes" : "no");
    }
    tell(p, name);
}

static void tell_code(printer *p, const stream_physical *physical)
{
    for (uint32_t k = 0; k < physical->info.target_count; k++)
        text_add(&p->t, "%s%s", k ? " " : "", physical->info.targets[k]);
    if (physical->info.target_count == 0)
        text_add(&p->t, "none: there is no target for %s", physical->level);
    tell(p, "code");
}

void stream_device_describe(void *self,
                            void (*line)(void *user, const char *name, const char *value),
                            void *user)
{
    const stream_device *device = self;
    printer to = { .line = line, .user = user };

    tell_version(&to, device);
    text_add(&to.t, "%s", device->physical->level);
    tell(&to, device->vendor->level_word);
    tell_code(&to, device->physical);
    tell_attribute(&to, device, STREAM_ATTRIBUTE_UNIFIED, "unified addressing");
    tell_attribute(&to, device, STREAM_ATTRIBUTE_PAGEABLE, "pageable memory access");
    text_add(&to.t, "%u bytes by value", device->limits.max_param_bytes);
    tell(&to, "kernel parameters");
    text_add(&to.t, "%u threads", device->limits.max_local);
    tell(&to, "largest group");
    text_finish(&to.t);
}
