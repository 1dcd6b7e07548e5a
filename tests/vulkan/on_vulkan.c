/* SPDX-License-Identifier: Apache-2.0 */
/*
 * on_vulkan.c - runs a test on the first Vulkan device, or says that there is none.
 *
 *     on_vulkan COMMAND [ARGUMENT ...]
 *
 * The command finds the device's name in SLIPWAY_TEST_FAMILY and in SLIPWAY_DEVICE. Where there is
 * no device it is not run: exit status 77 (CTest: skipped), or 1 where SLIPWAY_REQUIRE names
 * vulkan.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipway/slipway.h>

enum { SKIPPED = 77 };

typedef struct search {
    bool found;
    char why[256];
} search;

static void note(const slip_device_info *info, const char *family, const char *why, void *user)
{
    search *s = user;

    if (info)
        s->found = s->found || strcmp(info->family, "vulkan") == 0;
    else if (strcmp(family, "vulkan") == 0)
        snprintf(s->why, sizeof s->why, "%s", why ? why : "it is not here");
}

static bool required(void)
{
    const char *list = getenv("SLIPWAY_REQUIRE");
    char all[512];

    snprintf(all, sizeof all, ",%s,", list ? list : "");
    return strstr(all, ",vulkan,") != NULL;
}

int main(int argc, char **argv)
{
    search s = { .found = false };

    if (argc < 2) {
        fprintf(stderr, "usage: on_vulkan COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    if (slip_devices(note, &s) != SLIP_OK)
        return slip_report(stderr);
    if (!s.found) {
        printf(required() ? "vulkan is required, and missing: %s\n" : "skipped: vulkan: %s\n",
               s.why);
        fflush(stdout);
        _exit(required() ? 1 : SKIPPED);
    }
    setenv("SLIPWAY_TEST_FAMILY", "vulkan", 1);
    setenv("SLIPWAY_DEVICE", "vulkan", 1);
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    _exit(2);
}
