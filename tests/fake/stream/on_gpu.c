/* SPDX-License-Identifier: Apache-2.0 */
/*
 * on_gpu.c - runs a test on the first CUDA or HIP device: on a look-alike, or on a real one where
 * SLIPWAY_REQUIRE names the family.
 *
 *     on_gpu cuda|hip LIBRARY COMMAND [ARGUMENT ...]
 *
 * LIBRARY is the look-alike's file, or "none": a device that is not required is then skipped (exit
 * status 77). The command finds the family's name in SLIPWAY_TEST_FAMILY and
 * in SLIPWAY_DEVICE.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool required(const char *family)
{
    const char *list = getenv("SLIPWAY_REQUIRE");
    char all[512], word[64];

    snprintf(all, sizeof all, ",%s,", list ? list : "");
    snprintf(word, sizeof word, ",%s,", family);
    return strstr(all, word) != NULL;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: on_gpu cuda|hip LIBRARY COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    if (required(argv[1])) {
        unsetenv("SLIPFAKE_CODE");
        unsetenv("SLIPFAKE_MODULE");
    } else if (strcmp(argv[2], "none") == 0) {
        printf("skipped: %s: this build has no look-alike\n", argv[1]);
        return 77;
    } else {
        setenv(strcmp(argv[1], "hip") == 0 ? "SLIPWAY_HIP_LIBRARY" : "SLIPWAY_CUDA_LIBRARY",
               argv[2], 1);
    }
    setenv("SLIPWAY_TEST_FAMILY", argv[1], 1);
    setenv("SLIPWAY_DEVICE", argv[1], 1);
    execvp(argv[3], argv + 3);
    perror(argv[3]);
    return 2;
}
