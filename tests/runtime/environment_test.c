/* SPDX-License-Identifier: Apache-2.0 */
/*
 * environment_test.c - each variable of the environment that the guide names, with a value that it
 * does not take: told with what it takes, and done with once it is set right.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

/* Comes first: a library is looked for once. Its reason is long, and what there is stands behind.
 */
static void a_library_that_is_not_there_leaves_room_for_what_is(void)
{
    slip_device *device = NULL;
    char path[260];

    memset(path, 'p', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    setenv("SLIPWAY_HIP_LIBRARY", path, 1);
    CHECK_STATUS(slip_device_open("hip", &device), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "no device \"hip\" (hip: SLIPWAY_HIP_LIBRARY: /pp");
    CHECK_CONTAINS(slip_last_error()->message, "pp...); there is cpu:0 (");
    CHECK(device == NULL);
    unsetenv("SLIPWAY_HIP_LIBRARY");
}

/* What docs/guide/calling.md says of each. */
static const struct row {
    const char *which; /* the device that is opened */
    const char *variable, *wrong, *takes, *right;
} rows[] = {
    { "auto", "SLIPWAY_DEVICE", "abacus", "cpu:0 (", "cpu" },
    { "cpu", "SLIPWAY_CPU_THREADS", "0", "a number from 1 to 1024", "2" },
    { "cpu", "SLIPWAY_CPU_THREADS", "many", "a number from 1 to 1024", "1024" },
    { "cpu", "SLIPWAY_CPU_TARGET", "cpu-z80", "\"cpu-", "" },
    { "cpu", "SLIPWAY_SYNC", "liberal", "\"minimal\", \"conservative\" or nothing", "minimal" },
    { "cpu", "SLIPWAY_TRACE", "/nowhere/trace.json", "cannot be written: No such file", "" },
    { "cpu", "SLIPWAY_WITHOUT", "event_rerecord", "access_known, host_mapped", "host_mapped" },
    { "cpu", "SLIPWAY_WITHOUT", "host_mapped,nothing", "access_known, host_mapped", "div_f32" },
    { "vulkan", "SLIPWAY_VULKAN_VALIDATE", "foo", "\"0\", \"1\", \"gpu\" or nothing", "0" },
    { "vulkan", "SLIPWAY_CACHE", "no", "\"0\", \"1\" or nothing", "0" },
    { "vulkan", "SLIPWAY_CACHE_DIR", "cache", "a path that begins with / or nothing", "/tmp" },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void check_wrong(const struct row *row)
{
    bool names_device = strcmp(row->variable, "SLIPWAY_DEVICE") == 0;
    const char *comma = strrchr(row->wrong, ','), *message = slip_last_error()->message;
    slip_device *device = NULL;

    setenv(row->variable, row->wrong, 1);
    CHECK_STATUS(slip_device_open(row->which, &device),
                 names_device ? SLIP_ERR_NOT_FOUND : SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(message, row->variable);
    CHECK_CONTAINS(message, comma ? comma + 1 : row->wrong);
    CHECK_CONTAINS(message, row->takes);
    CHECK(device == NULL);
}

/* There may be no such device, but what the variable says is no hindrance. */
static void check_right(const struct row *row)
{
    slip_device *device = NULL;

    setenv(row->variable, row->right, 1);
    slip_status status = slip_device_open(row->which, &device);
    if (status != SLIP_OK && strcmp(row->which, "vulkan") != 0)
        CHECK_FAIL("%s=%s: %s", row->variable, row->right, slip_last_error()->message);
    CHECK(strstr(slip_last_error()->message, row->variable) == NULL);
    slip_device_close(device);
}

static void check_row(const struct row *row)
{
    const char *had = getenv(row->variable);
    char *before = had ? strdup(had) : NULL;

    for (int again = 0; again < 2; again++) {
        check_wrong(row);
        check_right(row);
    }
    if (before)
        setenv(row->variable, before, 1);
    else
        unsetenv(row->variable);
    free(before);
}

static void a_wrong_value_is_told_with_what_is_taken_and_a_right_one_works_next(void)
{
    for (int k = 0; k < ROWS; k++)
        check_row(&rows[k]);
}

/* SLIPWAY_ and capital letters. */
static size_t name_length(const char *at)
{
    return strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
}

/* The libraries of drivers are no row: one that cannot be loaded is a family that is missing, with
 * the reason, as slip_devices tells it. */
static bool is_tried(const char *name, size_t length)
{
    for (int k = 0; k < ROWS; k++)
        if (strlen(rows[k].variable) == length && memcmp(rows[k].variable, name, length) == 0)
            return true;
    return length > 8 && memcmp(name + length - 8, "_LIBRARY", 8) == 0;
}

static void every_variable_that_the_guide_names_is_tried(void)
{
    char *page = check_read("docs/guide/calling.md", NULL);
    uint32_t count = 0;

    for (char *at = page; (at = strstr(at, "SLIPWAY_")) != NULL; at += name_length(at), count++)
        if (!is_tried(at, name_length(at)))
            CHECK_FAIL("nobody tried %.*s with a wrong value", (int)name_length(at), at);
    CHECK(count >= 12);
    free(page);
}

static void note_missing(const slip_device_info *info, const char *family, const char *why,
                         void *user)
{
    if (!info && strcmp(family, "vulkan") == 0)
        snprintf(user, 300, "%s", why);
}

/* One family's variable is nothing to another, and a list says what is wrong. */
static void a_family_looks_at_its_own_variables_alone(void)
{
    const char *had = getenv("SLIPWAY_VULKAN_VALIDATE");
    char *before = had ? strdup(had) : NULL, why[300] = "";
    slip_device *device = NULL;

    setenv("SLIPWAY_VULKAN_VALIDATE", "foo", 1);
    CHECK_STATUS(slip_device_open("cpu", &device), SLIP_OK);
    slip_device_close(device);
    device = NULL;
    CHECK_STATUS(slip_device_open("vulkan", &device), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_device_open("vulkan:0", &device), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_device_open("vulkan:discrete", &device), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "SLIPWAY_VULKAN_VALIDATE is \"foo\"");
    CHECK_STATUS(slip_device_open("cpu:9", &device), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "SLIPWAY_VULKAN_VALIDATE is \"foo\"");
    CHECK_STATUS(slip_devices(note_missing, why), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "\"0\", \"1\", \"gpu\" or nothing");
    setenv("SLIPWAY_VULKAN_VALIDATE", "0", 1);
    CHECK_STATUS(slip_devices(note_missing, why), SLIP_OK);
    CHECK(strstr(why, "VALIDATE") == NULL);
    CHECK(device == NULL);
    if (before)
        setenv("SLIPWAY_VULKAN_VALIDATE", before, 1);
    else
        unsetenv("SLIPWAY_VULKAN_VALIDATE");
    free(before);
}

static const check_case cases[] = {
    CASE(a_library_that_is_not_there_leaves_room_for_what_is),
    CASE(a_wrong_value_is_told_with_what_is_taken_and_a_right_one_works_next),
    CASE(every_variable_that_the_guide_names_is_tried),
    CASE(a_family_looks_at_its_own_variables_alone),
};

CHECK_MAIN(cases)
