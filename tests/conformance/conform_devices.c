/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform_devices.c - a case's body on every device that is here, or that was asked for.
 */
#include "conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/reference.h>

enum { MAX_DEVICES = 16 };

typedef struct device_row {
    char which[32]; /* "cpu:0" */
    char name[160]; /* "cpu:0 (AMD EPYC)" */
} device_row;

typedef struct device_list {
    device_row rows[MAX_DEVICES];
    int count;
    char missing[256]; /* the first family that is required and not here, with the reason */
} device_list;

static bool required(const char *family)
{
    const char *list = getenv("SLIPWAY_REQUIRE");
    size_t bytes = strlen(family);

    while (list && *list) {
        size_t word = strcspn(list, ",");
        if (word == bytes && strncmp(list, family, bytes) == 0)
            return true;
        list += word + (list[word] == ',');
    }
    return false;
}

/* SLIPWAY_TEST_FAMILY names the only one that is to run. */
static void note_device(const slip_device_info *info, const char *family, const char *why,
                        void *user)
{
    const char *only = getenv("SLIPWAY_TEST_FAMILY");
    device_list *list = user;

    if (only && strcmp(only, family) != 0)
        return;
    if (!info) {
        if (required(family) && !*list->missing)
            snprintf(list->missing, sizeof list->missing, "SLIPWAY_REQUIRE names %s: %s", family,
                     why ? why : "it is not here");
        return;
    }
    if (list->count == MAX_DEVICES)
        return;
    device_row *row = &list->rows[list->count++];
    snprintf(row->which, sizeof row->which, "%.20s:%u", info->family, (unsigned)info->index);
    snprintf(row->name, sizeof row->name, "%.20s:%u (%.120s)", info->family,
             (unsigned)info->index, info->name);
}

typedef struct body_call {
    void (*body)(conform *c);
    conform *c;
} body_call;

static void enter_body(void *arg)
{
    body_call *call = arg;

    call->body(call->c);
    conform_release(call->c, NULL);
}

static void run_on(void (*body)(conform *c), const device_row *row)
{
    conform c = { .size = -1 };
    body_call call = { body, &c };
    int failed;

    if (slip_device_open(row->which, &c.device) != SLIP_OK)
        CHECK_FAIL("%s does not open: %s", row->which, slip_last_error()->message);
    c.on = slip_default(c.device);
    failed = slip_reference_run(enter_body, &call);
    slip_device_close(c.device);
    if (failed)
        CHECK_FAIL("no stack for the reference: %s", strerror(failed));
    if (c.failure[0] != '\0')
        CHECK_FAIL("on %s: %s", row->name, c.failure);
}

void conform_run(void (*body)(conform *c))
{
    device_list list = { .count = 0 };

    CHECK_RESULT(slip_devices(note_device, &list), SLIP_OK);
    if (*list.missing)
        CHECK_FAIL("%s", list.missing);
    if (list.count == 0)
        check_skip("device", "no device is here");
    for (int i = 0; i < list.count; i++)
        run_on(body, &list.rows[i]);
}
