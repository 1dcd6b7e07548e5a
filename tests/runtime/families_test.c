/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families_test.c - finding devices by what people call them, and listing them.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

static void open_and_close(const char *which)
{
    slip_device *device = NULL;
    slip_device_info info;

    CHECK_STATUS(slip_device_open(which, &device), SLIP_OK);
    slip_device_describe(device, &info);
    CHECK_TEXT(info.family, "cpu");
    CHECK_EQ_U64(info.index, 0);
    CHECK(info.compute_units >= 1);
    CHECK(info.memory_bytes > 0);
    CHECK_CONTAINS(info.target, "cpu-");
    slip_device_close(device);
    CHECK_EQ_U64(mem_live(), 0);
}

static void a_device_is_found_by_auto_family_index_and_name(void)
{
    slip_device *device = NULL;
    slip_device_info info;

    open_and_close(NULL);
    open_and_close("auto");
    open_and_close("cpu");
    open_and_close("cpu:0");
    CHECK_STATUS(slip_device_open("cpu", &device), SLIP_OK);
    slip_device_describe(device, &info);
    slip_device_close(device);
    info.name[strlen(info.name) / 2] = '\0';
    open_and_close(info.name);
}

static void a_device_that_is_not_here_is_refused_with_what_there_is(void)
{
    static const char *const wrong[] = {
        "cpu:1",          "cpu:", "cpu:x",   "cpu:-1", "cpu:99999999999999999999",
        "no such device", "cuda", "vulkan:3"
    };
    slip_device *device = NULL;

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        CHECK_STATUS(slip_device_open(wrong[k], &device), SLIP_ERR_NOT_FOUND);
        CHECK_CONTAINS(slip_last_error()->message, wrong[k]);
        CHECK_CONTAINS(slip_last_error()->message, "there is cpu:0 (");
        CHECK(device == NULL);
    }
    CHECK_EQ_U64(mem_live(), 0);
}

static void the_environment_names_the_device_for_auto_only(void)
{
    slip_device *device = NULL;

    setenv("SLIPWAY_DEVICE", "cuda:7", 1);
    CHECK_STATUS(slip_device_open("auto", &device), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "cuda:7");
    open_and_close("cpu");
    setenv("SLIPWAY_DEVICE", "cpu:0", 1);
    open_and_close("auto");
    unsetenv("SLIPWAY_DEVICE");
}

typedef struct seen {
    int devices, missing;
    char text[512];
} seen;

static void note(const slip_device_info *info, const char *family, const char *why, void *user)
{
    seen *s = user;

    if (info) {
        CHECK(why == NULL);
        CHECK_TEXT(info->family, family);
        CHECK_EQ_I64(s->missing, 0); /* devices come first */
        s->devices++;
    } else {
        CHECK(why != NULL && *why);
        s->missing++;
    }
    strcat(s->text, family);
    strcat(s->text, " ");
}

static void the_list_tells_every_family_with_a_reason_where_one_is_missing(void)
{
    seen s = { 0 };

    CHECK_STATUS(slip_devices(note, &s), SLIP_OK);
    CHECK_EQ_I64(s.devices, 1);
    CHECK_EQ_I64(s.missing, 3);
    CHECK_TEXT(s.text, "cpu cuda hip vulkan ");
    CHECK_STATUS(slip_devices(NULL, NULL), SLIP_ERR_ARGUMENT);
}

static const check_case cases[] = {
    CASE(a_device_is_found_by_auto_family_index_and_name),
    CASE(a_device_that_is_not_here_is_refused_with_what_there_is),
    CASE(the_environment_names_the_device_for_auto_only),
    CASE(the_list_tells_every_family_with_a_reason_where_one_is_missing),
};

CHECK_MAIN(cases)
