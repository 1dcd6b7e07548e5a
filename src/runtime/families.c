/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families.c - the table of device families, and the search in it.
 *
 * A family that is not here is told with its reason, never left out in silence.
 */
#define _GNU_SOURCE
#include "runtime/families.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/text.h"

typedef struct family {
    const char *name;
    const cpu_driver *driver; /* NULL: not here */
    const char *why_missing;
} family;

static const family families[] = {
    { "cpu", &cpu_driver_table, NULL },
    { "cuda", NULL, "this build has no driver for it" },
    { "hip", NULL, "this build has no driver for it" },
    { "vulkan", NULL, "this build has no driver for it" },
};

enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

void families_describe(const cpu_driver *driver, uint32_t index, const drv_info *info,
                       slip_device_info *out)
{
    *out = (slip_device_info){ .index = index,
                               .compute_units = info->compute_units,
                               .memory_bytes = info->memory_bytes };
    snprintf(out->name, sizeof out->name, "%s", info->name);
    snprintf(out->family, sizeof out->family, "%s", driver->name);
    if (info->target_count > 0)
        snprintf(out->target, sizeof out->target, "%s", info->targets[0]);
}

slip_status slip_devices(slip_device_visit visit, void *user)
{
    slip_device_info out;
    drv_info info;

    runtime_enter();
    if (!visit)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_devices: the function to call is NULL");
    for (size_t f = 0; f < FAMILY_COUNT; f++)
        for (uint32_t k = 0; families[f].driver && k < families[f].driver->device_count(); k++) {
            SLIP_TRY(families[f].driver->info(k, &info));
            families_describe(families[f].driver, k, &info, &out);
            visit(&out, out.family, NULL, user);
        }
    for (size_t f = 0; f < FAMILY_COUNT; f++)
        if (!families[f].driver)
            visit(NULL, families[f].name, families[f].why_missing, user);
    return SLIP_OK;
}

static slip_status refuse(const char *which, const char *more)
{
    text t = { 0 };
    drv_info info;

    for (size_t f = 0; f < FAMILY_COUNT; f++)
        for (uint32_t k = 0; families[f].driver && k < families[f].driver->device_count(); k++)
            if (families[f].driver->info(k, &info) == SLIP_OK)
                text_add(&t, "%s%s:%" PRIu32 " (%s)", t.bytes ? ", " : "", families[f].name, k,
                         info.name);
    slip_status status =
        SLIP_FAIL(SLIP_ERR_NOT_FOUND, "no device \"%s\"%s; there is %s", which, more, text_get(&t));
    text_finish(&t);
    return status;
}

static slip_status find_numbered(const family *f, const char *which, const char *number,
                                 uint32_t *out_index)
{
    char *end;

    errno = 0;
    unsigned long index = strtoul(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || errno || index >= f->driver->device_count())
        return refuse(which, "");
    *out_index = (uint32_t)index;
    return SLIP_OK;
}

/* "cpu" or "cpu:0"; false where `which` begins with no family's name. */
static bool find_family(const char *which, const family **out, const char **out_number)
{
    for (size_t f = 0; f < FAMILY_COUNT; f++) {
        size_t length = strlen(families[f].name);
        if (strncmp(which, families[f].name, length) == 0 &&
            (which[length] == '\0' || which[length] == ':')) {
            *out = &families[f];
            *out_number = which[length] ? which + length + 1 : "0";
            return true;
        }
    }
    return false;
}

static slip_status find_named(const char *which, const cpu_driver **out_driver, uint32_t *out_index)
{
    drv_info info;

    for (size_t f = 0; f < FAMILY_COUNT; f++)
        for (uint32_t k = 0; families[f].driver && k < families[f].driver->device_count(); k++) {
            SLIP_TRY(families[f].driver->info(k, &info));
            if (strcasestr(info.name, which)) {
                *out_driver = families[f].driver;
                *out_index = k;
                return SLIP_OK;
            }
        }
    return refuse(which, "");
}

slip_status families_find(const char *which, const cpu_driver **out_driver, uint32_t *out_index)
{
    const char *wanted = getenv("SLIPWAY_DEVICE"), *number = NULL;
    const family *f = NULL;
    char why[96];

    if (!which || !*which || strcmp(which, "auto") == 0)
        which = wanted && *wanted ? wanted : "auto";
    if (strcmp(which, "auto") == 0) {
        *out_driver = families[0].driver;
        *out_index = 0;
        return SLIP_OK;
    }
    if (!find_family(which, &f, &number))
        return find_named(which, out_driver, out_index);
    if (!f->driver) {
        snprintf(why, sizeof why, " (%s: %s)", f->name, f->why_missing);
        return refuse(which, why);
    }
    SLIP_TRY(find_numbered(f, which, number, out_index));
    *out_driver = f->driver;
    return SLIP_OK;
}
