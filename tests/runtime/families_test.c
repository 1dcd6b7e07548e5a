/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families_test.c - finding devices by what people call them, and listing them.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

/* Loading a driver's library keeps memory until the process ends: what lives after a first look. */
static uint64_t live_at_rest(void)
{
    static uint64_t live;
    slip_device *device = NULL;

    if (live == 0) {
        CHECK_STATUS(slip_device_open("no such device", &device), SLIP_ERR_NOT_FOUND);
        live = mem_live() + 1;
    }
    return live - 1;
}

static slip_device_info open_and_close(const char *which)
{
    uint64_t live = live_at_rest();
    slip_device *device = NULL;
    slip_device_info info;

    CHECK_STATUS(slip_device_open(which, &device), SLIP_OK);
    slip_device_describe(device, &info);
    slip_device_close(device);
    CHECK_EQ_U64(mem_live(), live);
    return info;
}

static void check_cpu(const char *which)
{
    slip_device_info info = open_and_close(which);

    CHECK_TEXT(info.family, "cpu");
    CHECK_TEXT(info.kind, "cpu");
    CHECK_EQ_U64(info.index, 0);
    CHECK(info.compute_units >= 1);
    CHECK(info.memory_bytes > 0);
    CHECK_CONTAINS(info.target, "cpu-");
}

static void a_device_is_found_by_family_index_kind_and_name(void)
{
    check_cpu("cpu");
    check_cpu("cpu:0");
    check_cpu("cpu:cpu");
    slip_device_info info = open_and_close("cpu");
    info.name[strlen(info.name) / 2] = '\0';
    check_cpu(info.name);
}

static void note_first(const slip_device_info *info, const char *family, const char *why,
                       void *user)
{
    slip_device_info *first = user;

    (void)family;
    (void)why;
    if (info && !first->name[0])
        *first = *info;
}

/* A discrete GPU where there is one, else the CPU; software that stands in for a GPU never. */
static void auto_takes_the_first_device_of_the_list(void)
{
    static const char *const ways[] = { NULL, "", "auto" };
    slip_device_info first = { .name = "" };

    CHECK_STATUS(slip_devices(note_first, &first), SLIP_OK);
    CHECK(strcmp(first.kind, "discrete") == 0 || strcmp(first.kind, "cpu") == 0);
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        slip_device_info info = open_and_close(ways[k]);
        CHECK_TEXT(info.name, first.name);
        CHECK_TEXT(info.family, first.family);
        CHECK_EQ_U64(info.index, first.index);
    }
}

static void a_device_that_is_not_here_is_refused_with_what_there_is(void)
{
    static const char *const wrong[] = {
        "cpu:1",          "cpu:", "cpu:x",      "cpu:-1",       "cpu:99999999999999999999",
        "no such device", "cuda", "vulkan:999", "cpu:discrete", "vulkan:"
    };
    uint64_t live = live_at_rest();
    slip_device *device = NULL;

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        CHECK_STATUS(slip_device_open(wrong[k], &device), SLIP_ERR_NOT_FOUND);
        CHECK_CONTAINS(slip_last_error()->message, wrong[k]);
        CHECK_CONTAINS(slip_last_error()->message, "there is ");
        CHECK_CONTAINS(slip_last_error()->message, "cpu:0 (");
        CHECK(device == NULL);
    }
    CHECK_EQ_U64(mem_live(), live);
}

static void the_environment_names_the_device_for_auto_only(void)
{
    slip_device *device = NULL;

    setenv("SLIPWAY_DEVICE", "cuda:7", 1);
    CHECK_STATUS(slip_device_open("auto", &device), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "cuda:7");
    CHECK_CONTAINS(slip_last_error()->message, "; while looking for what SLIPWAY_DEVICE names");
    check_cpu("cpu");
    check_cpu("CPU:0");
    setenv("SLIPWAY_DEVICE", "cpu:0", 1);
    check_cpu("auto");
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
    static const char *const families[] = { "cpu ", "cuda ", "hip ", "vulkan " };
    seen s = { 0 };

    CHECK_STATUS(slip_devices(note, &s), SLIP_OK);
    CHECK(s.devices >= 1);
    for (size_t k = 0; k < sizeof families / sizeof families[0]; k++)
        CHECK_CONTAINS(s.text, families[k]);
    CHECK_STATUS(slip_devices(NULL, NULL), SLIP_ERR_ARGUMENT);
}

static const check_case cases[] = {
    CASE(a_device_is_found_by_family_index_kind_and_name),
    CASE(auto_takes_the_first_device_of_the_list),
    CASE(a_device_that_is_not_here_is_refused_with_what_there_is),
    CASE(the_environment_names_the_device_for_auto_only),
    CASE(the_list_tells_every_family_with_a_reason_where_one_is_missing),
};

CHECK_MAIN(cases)
