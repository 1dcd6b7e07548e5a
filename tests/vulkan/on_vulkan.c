/* SPDX-License-Identifier: Apache-2.0 */
/*
 * on_vulkan.c - runs a test on the first Vulkan device, or says that there is none.
 *
 *     on_vulkan [--validated | --checked | --listened] COMMAND [ARGUMENT ...]
 *
 * The command finds the device's name in SLIPWAY_TEST_FAMILY and in SLIPWAY_DEVICE. Where there is
 * no device it is not run: exit status 77 (CTest: skipped), or 1 where SLIPWAY_REQUIRE names
 * vulkan.
 *
 * With --validated the validation layer listens; where it is not installed the command is not run
 * either. With --checked it also checks each address of a shader. With --listened it listens where
 * it is installed. SLIPWAY_REQUIRE=validation wants it.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipway/slipway.h>

enum { SKIPPED = 77 };

static const char layer[] = "VK_LAYER_KHRONOS_validation"; /* its absence is told by name */

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

static bool required(const char *what)
{
    const char *list = getenv("SLIPWAY_REQUIRE");
    char all[512], word[64];

    snprintf(all, sizeof all, ",%s,", list ? list : "");
    snprintf(word, sizeof word, ",%s,", what);
    return strstr(all, word) != NULL;
}

static void leave(const char *what, const char *why)
{
    printf(required(what) ? "%s is required, and missing: %s\n" : "skipped: %s: %s\n", what, why);
    fflush(stdout);
    _exit(required(what) ? 1 : SKIPPED);
}

int main(int argc, char **argv)
{
    const char *option = argc > 1 && strncmp(argv[1], "--", 2) == 0 ? argv[1] : "";
    const bool checked = strcmp(option, "--checked") == 0;
    const bool validated = checked || strcmp(option, "--validated") == 0;
    const bool listened = strcmp(option, "--listened") == 0;
    search s = { .found = false };

    char *self = argv[0];

    argv += *option ? 1 : 0;
    if (argv[1] == NULL || (*option && !validated && !listened)) {
        fprintf(stderr,
                "usage: on_vulkan [--validated | --checked | --listened] COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    if (checked)
        setenv("SLIPWAY_VULKAN_VALIDATE", "gpu", 1);
    else if (*option)
        setenv("SLIPWAY_VULKAN_VALIDATE", "1", 1);
    if (slip_devices(note, &s) != SLIP_OK)
        return slip_report(stderr);
    if (!s.found && *option && strstr(s.why, layer)) {
        if (validated || required("validation"))
            leave("validation", s.why);
        printf("without validation: %s\n", s.why);
        fflush(stdout);
        unsetenv("SLIPWAY_VULKAN_VALIDATE");
        argv[0] = self; /* a process keeps what it found missing */
        execvp(self, argv);
        perror(self);
        _exit(2);
    }
    if (!s.found)
        leave("vulkan", s.why);
    setenv("SLIPWAY_TEST_FAMILY", "vulkan", 1);
    setenv("SLIPWAY_DEVICE", "vulkan", 1);
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    _exit(2);
}
