/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_cache_test.c - the pipeline cache's file: written once, read back, never believed when it
 * is damaged, and nothing fails for want of it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/vulkan_case.h"
#include "support/check.h"

static char folder[600], file[1200];

/* An empty folder that is not there yet; two levels of it. */
static void begin(void)
{
    snprintf(folder, sizeof folder, "%s.folder/cache", check_temp_path(""));
    setenv("SLIPWAY_CACHE_DIR", folder, 1);
    unsetenv("SLIPWAY_CACHE");
    file[0] = '\0';
}

static uint32_t find_file(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    uint32_t count = 0;

    while (dir && (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.') {
            snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
            count++;
        }
    if (dir)
        closedir(dir);
    return count;
}

static void end(void)
{
    while (find_file() > 0 && remove(file) == 0)
        ;
    rmdir(folder);
    *strrchr(folder, '/') = '\0';
    rmdir(folder);
    unsetenv("SLIPWAY_CACHE_DIR");
}

static char state[800];

static void keep_state(void *user, const char *name, const char *value)
{
    (void)user;
    if (strcmp(name, "pipeline cache") == 0)
        snprintf(state, sizeof state, "%s", value);
}

/* Opens, looks, closes: what was said of the cache. */
static const char *use(void)
{
    void *self = vulkan_case_open();

    vulkan->describe(self, keep_state, NULL);
    vulkan->cache_save(self);
    vulkan->cache_save(self);
    vulkan_case_close(self);
    return state;
}

static void a_cache_is_written_once_and_read_back(void)
{
    struct stat first, second;
    char expected[700];

    vulkan_case_begin();
    begin();
    snprintf(expected, sizeof expected, "fresh, %s", folder);
    CHECK_TEXT(use(), expected);
    CHECK_EQ_U64(find_file(), 1);
    CHECK_CONTAINS(file, "/vulkan-");
    CHECK(stat(file, &first) == 0 && first.st_size > 32);
    CHECK_EQ_U64(first.st_mode & 0777, 0600);
    snprintf(expected, sizeof expected, "loaded, %s", folder);
    CHECK_TEXT(use(), expected);
    CHECK_EQ_U64(find_file(), 1);
    CHECK(stat(file, &second) == 0);
    CHECK_EQ_U64(second.st_ino, first.st_ino); /* not changed: not written */
    end();
}

static void write_file(const char *bytes, size_t size)
{
    FILE *to = fopen(file, "wb");

    CHECK(to && fwrite(bytes, 1, size, to) == size && fclose(to) == 0);
}

static void check_damaged(const char *bytes, size_t size, const char *good, size_t good_size)
{
    size_t now_size = 0;

    write_file(bytes, size);
    CHECK_CONTAINS(use(), "fresh: the file is damaged or of another driver");
    char *now = check_read(file, &now_size);
    if (now_size != good_size || memcmp(now, good, good_size) != 0)
        CHECK_FAIL("a damaged file of %zu bytes was not replaced", size);
    free(now);
}

static void a_damaged_cache_is_left_alone_and_replaced(void)
{
    size_t size = 0;

    vulkan_case_begin();
    begin();
    use();
    CHECK_EQ_U64(find_file(), 1);
    char *good = check_read(file, &size), *bad = malloc(size + 1);
    for (size_t at = 0; at < size; at += at < 64 ? 5 : size / 8) {
        memcpy(bad, good, size);
        bad[at] ^= 0x10;
        check_damaged(bad, size, good, size);
    }
    memcpy(bad, good, size);
    bad[size] = 0;
    check_damaged(bad, size + 1, good, size);
    check_damaged(good, size - 1, good, size);
    check_damaged(good, 20, good, size);
    check_damaged(good, 0, good, size);
    free(bad);
    free(good);
    end();
}

static void a_cache_that_cannot_be_written_fails_nothing(void)
{
    vulkan_case_begin();
    setenv("SLIPWAY_CACHE_DIR", "/proc/no/such/folder", 1);
    unsetenv("SLIPWAY_CACHE");
    CHECK_TEXT(use(), "fresh, /proc/no/such/folder");
    begin();
    use();
    CHECK_EQ_U64(find_file(), 1);
    CHECK(remove(file) == 0 && mkdir(file, 0700) == 0); /* a folder stands in its place */
    CHECK_CONTAINS(use(), "fresh");
    CHECK_EQ_U64(find_file(), 1); /* and no temporary file is left */
    end();
}

static void it_can_be_turned_off_and_follows_xdg(void)
{
    char expected[700], base[500];

    vulkan_case_begin();
    begin();
    setenv("SLIPWAY_CACHE", "0", 1);
    CHECK_TEXT(use(), "off: SLIPWAY_CACHE=0");
    CHECK_EQ_U64(find_file(), 0);
    unsetenv("SLIPWAY_CACHE");
    unsetenv("SLIPWAY_CACHE_DIR");
    snprintf(base, sizeof base, "%s.folder", check_temp_path(""));
    setenv("XDG_CACHE_HOME", base, 1);
    setenv("SLIPWAY_CACHE_DIR", "", 1);
    snprintf(expected, sizeof expected, "fresh, %s/slipway", base);
    CHECK_TEXT(use(), expected);
    snprintf(folder, sizeof folder, "%s/slipway", base);
    CHECK_EQ_U64(find_file(), 1);
    unsetenv("XDG_CACHE_HOME");
    end();
}

static const check_case cases[] = {
    CASE(a_cache_is_written_once_and_read_back),
    CASE(a_damaged_cache_is_left_alone_and_replaced),
    CASE(a_cache_that_cannot_be_written_fails_nothing),
    CASE(it_can_be_turned_off_and_follows_xdg),
};

CHECK_MAIN(cases)
