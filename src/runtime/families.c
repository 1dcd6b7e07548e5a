/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families.c - the table of device families, and the search in it.
 *
 * A family that is not here is told with its reason, never left out in silence. Devices are looked
 * at best kind first, and within a kind in the order of the table.
 */
#define _GNU_SOURCE
#include "runtime/families.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "base/text.h"

static const launcher *const families[] = {
    &launch_cpu,
    &launch_stream_cuda,
    &launch_stream_hip,
    &launch_queue_vulkan,
};

enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

static const char *const kind_names[DRV_KIND_COUNT] = {
#define KIND_NAME_(name, text) [DRV_##name] = text,
    DRV_KINDS(KIND_NAME_)
#undef KIND_NAME_
};

static slip_status check_environment(const launcher *family)
{
    return family->check ? family->check() : SLIP_OK;
}

static slip_status count_of(const launcher *family, uint32_t *out)
{
    SLIP_TRY(check_environment(family));
    *out = family->missing() ? 0 : family->device_count();
    return SLIP_OK;
}

void families_describe(const launcher *family, uint32_t index, const drv_info *info,
                       slip_device_info *out)
{
    *out = (slip_device_info){ .index = index,
                               .compute_units = info->compute_units,
                               .memory_bytes = info->memory_bytes };
    snprintf(out->name, sizeof out->name, "%s", info->name);
    snprintf(out->family, sizeof out->family, "%s", family->name);
    snprintf(out->kind, sizeof out->kind, "%s", kind_names[info->kind]);
    if (info->target_count > 0)
        snprintf(out->target, sizeof out->target, "%s", info->targets[0]);
}

/* ---- all devices, best first ----------------------------------------------------------------- */

/* Where a walk over all devices stands. */
typedef struct walk {
    drv_kind kind;
    size_t family; /* in the table */
    uint32_t next; /* index of the next device in it */
    drv_info info; /* of the one found */
} walk;

/* *out_found is false past the last. A device's index is w->next - 1. */
static slip_status walk_on(walk *w, bool *out_found)
{
    uint32_t count = 0;

    for (; w->kind < DRV_KIND_COUNT; w->kind++, w->family = 0)
        for (; w->family < FAMILY_COUNT; w->family++, w->next = 0) {
            SLIP_TRY(count_of(families[w->family], &count));
            while (w->next < count) {
                SLIP_TRY(families[w->family]->info(w->next++, &w->info));
                if (w->info.kind == w->kind) {
                    *out_found = true;
                    return SLIP_OK;
                }
            }
        }
    *out_found = false;
    return SLIP_OK;
}

slip_status slip_devices(slip_device_visit visit, void *user)
{
    slip_device_info out;
    walk w = { 0 };
    bool found = false;

    runtime_enter();
    if (!visit)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_devices: the function to call is NULL");
    for (;;) {
        SLIP_TRY(walk_on(&w, &found));
        if (!found)
            break;
        families_describe(families[w.family], w.next - 1, &w.info, &out);
        visit(&out, out.family, NULL, user);
    }
    for (size_t f = 0; f < FAMILY_COUNT; f++)
        if (families[f]->missing())
            visit(NULL, families[f]->name, families[f]->missing(), user);
    return SLIP_OK;
}

/* ---- the search ------------------------------------------------------------------------------ */

static slip_status refuse(const char *which, const char *more)
{
    text t = { 0 };
    walk w = { 0 };
    bool found = false;

    while (walk_on(&w, &found) == SLIP_OK && found)
        text_add(&t, "%s%s:%" PRIu32 " (%s)", t.bytes ? ", " : "; there is ",
                 families[w.family]->name, w.next - 1, w.info.name);
    if (t.bytes == 0) /* a family that cannot be listed */
        text_add(&t, "; what there is cannot be listed: %s", fail_last()->message);
    fail_clear();
    slip_status status =
        SLIP_FAIL(SLIP_ERR_NOT_FOUND, "no device \"%s\"%s%s", which, more, text_get(&t));
    text_finish(&t);
    return status;
}

/* The family's first device of a kind; DRV_KIND_COUNT where `text` is no kind. */
static drv_kind kind_of(const char *text)
{
    drv_kind kind = 0;

    while (kind < DRV_KIND_COUNT && strcmp(kind_names[kind], text) != 0)
        kind++;
    return kind;
}

static slip_status find_kind(const launcher *f, const char *which, drv_kind kind,
                             uint32_t *out_index)
{
    drv_info info;
    uint32_t count = 0;

    SLIP_TRY(count_of(f, &count));
    for (uint32_t k = 0; k < count; k++) {
        SLIP_TRY(f->info(k, &info));
        if (info.kind == kind) {
            *out_index = k;
            return SLIP_OK;
        }
    }
    return refuse(which, "");
}

static slip_status find_numbered(const launcher *f, const char *which, const char *number,
                                 uint32_t *out_index)
{
    uint32_t count = 0;
    char *end;

    SLIP_TRY(count_of(f, &count));
    errno = 0;
    unsigned long index = strtoul(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || errno || index >= count)
        return refuse(which, "");
    *out_index = (uint32_t)index;
    return SLIP_OK;
}

/* "cpu", "cpu:0" or "vulkan:discrete"; false where `which` begins with no family's name. */
static bool find_family(const char *which, const launcher **out, const char **out_rest)
{
    for (size_t f = 0; f < FAMILY_COUNT; f++) {
        size_t length = strlen(families[f]->name);
        if (strncasecmp(which, families[f]->name, length) == 0 &&
            (which[length] == '\0' || which[length] == ':')) {
            *out = families[f];
            *out_rest = which[length] ? which + length + 1 : "0";
            return true;
        }
    }
    return false;
}

enum { MOST_WHY = 144 }; /* the list of what there is needs room too */

static slip_status find_in_family(const launcher *f, const char *which, const char *rest,
                                  const launcher **out_family, uint32_t *out_index)
{
    drv_kind kind = kind_of(rest);
    char more[MOST_WHY + 32];

    SLIP_TRY(check_environment(f));
    const char *why = f->missing();
    if (why) {
        snprintf(more, sizeof more, " (%s: %.*s%s)", f->name, MOST_WHY, why,
                 strlen(why) > MOST_WHY ? "..." : "");
        return refuse(which, more);
    }
    if (kind != DRV_KIND_COUNT)
        SLIP_TRY(find_kind(f, which, kind, out_index));
    else
        SLIP_TRY(find_numbered(f, which, rest, out_index));
    *out_family = f;
    return SLIP_OK;
}

/* The first device whose name holds `part`; NULL: any that "auto" may take. */
static slip_status find_first(const char *which, const char *part, const launcher **out_family,
                              uint32_t *out_index)
{
    walk w = { 0 };
    bool found = false;

    for (;;) {
        SLIP_TRY(walk_on(&w, &found));
        if (!found)
            return refuse(which, "");
        if (part ? strcasestr(w.info.name, part) != NULL : w.info.kind != DRV_SOFTWARE) {
            *out_family = families[w.family];
            *out_index = w.next - 1;
            return SLIP_OK;
        }
    }
}

static slip_status find_named(const char *which, const launcher **out_family, uint32_t *out_index)
{
    const launcher *f = NULL;
    const char *rest = NULL;

    if (find_family(which, &f, &rest))
        return find_in_family(f, which, rest, out_family, out_index);
    return find_first(which, which, out_family, out_index);
}

slip_status families_find(const char *which, const launcher **out_family, uint32_t *out_index)
{
    const char *wanted = getenv("SLIPWAY_DEVICE");

    if (which && *which && strcmp(which, "auto") != 0)
        return find_named(which, out_family, out_index);
    if (!wanted || !*wanted || strcmp(wanted, "auto") == 0)
        return find_first("auto", NULL, out_family, out_index);
    slip_status status = find_named(wanted, out_family, out_index);
    if (status != SLIP_OK)
        fail_note("while looking for what SLIPWAY_DEVICE names");
    return status;
}
