/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - where a fuzzer's program begins: libFuzzer's entry, or with FUZZ_REPLAY a main that runs
 * every file of the folders named. An empty corpus is a failure: it would prove nothing.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

void fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

#ifndef FUZZ_REPLAY

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_one(data, size);
}

#else

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t size = 0, got;

    if (!file)
        fuzz_fail("%s: cannot be read", path);
    do {
        bytes = realloc(bytes, size + 65536);
        if (!bytes)
            fuzz_fail("%s: no memory", path);
        got = fread(bytes + size, 1, 65536, file);
        size += got;
    } while (got > 0);
    fclose(file);
    fprintf(stderr, "%s: %zu bytes\n", path, size); /* the last line names the culprit */
    fuzz_one(bytes, size);
    free(bytes);
}

int main(int argc, char **argv)
{
    int files = 0;

    for (int a = 1; a < argc; a++) {
        struct dirent **names;
        int count = scandir(argv[a], &names, NULL, alphasort);
        if (count < 0)
            fuzz_fail("%s: no such folder", argv[a]);
        for (int i = 0; i < count; i++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[a], names[i]->d_name);
            if (names[i]->d_name[0] != '.') {
                replay_file(path);
                files++;
            }
            free(names[i]);
        }
        free(names);
    }
    if (files == 0)
        fuzz_fail("the corpus is empty");
    printf("%d inputs\n", files);
    return 0;
}

#endif
