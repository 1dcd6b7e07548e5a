/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - the test checks over cmocka, which runs the cases and reports each by name.
 *
 * Uses nothing of the project but the status codes, so that it also serves tests of the public
 * interface. Must never let a failed check go on: cmocka leaves the case by longjmp.
 */
#define _GNU_SOURCE
#include "support/check.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef CHECK_ROOT
#error "CHECK_ROOT must be the top of the source tree"
#endif

/* What the sanitizers ask the program for: their settings, and what other libraries leak. */
SLIP_API const char *__asan_default_options(void);
SLIP_API const char *__ubsan_default_options(void);
SLIP_API const char *__tsan_default_options(void);
SLIP_API const char *__lsan_default_suppressions(void);
SLIP_API const char *__tsan_default_suppressions(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1";
}

const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1:halt_on_error=1";
}

const char *__tsan_default_options(void)
{
    return "halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1:die_after_fork=0";
}

const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang\nleak:libVkLayer_khronos_validation\n";
}

/* Mesa's software Vulkan, its compiler and the validation layer synchronise in ways that the thread
 * sanitizer cannot see. What our own code does around their calls is still watched. */
const char *__tsan_default_suppressions(void)
{
    return "called_from_lib:libvulkan_lvp.so\n"
           "called_from_lib:libLLVM-15.so\n"
           "called_from_lib:libVkLayer_khronos_validation.so\n"
           "deadlock:libVkLayer_khronos_validation.so\n"
           "mutex:libgcc_s.so\n"
           "mutex:__register_frame_info\n"
           "mutex:__deregister_frame_info\n";
}

enum { TEMP_PATHS = 64 };

static char temp_paths[TEMP_PATHS][128];
static size_t temp_count;

static void run_case(void **state)
{
    const check_case *c = *state;

    c->run();
}

static bool picked(const char *name, int argc, char **argv)
{
    if (argc < 2)
        return true;
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return false;
}

int check_main(const check_case *cases, size_t count, int argc, char **argv)
{
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    size_t used = 0;
    int failed;

    if (!tests)
        return 1;
    for (size_t i = 0; i < count; i++)
        if (picked(cases[i].name, argc, argv))
            tests[used++] = (struct CMUnitTest){ .name = cases[i].name,
                                                 .test_func = run_case,
                                                 .initial_state = (void *)(uintptr_t)&cases[i] };
    if (used == 0)
        fprintf(stderr, "%s: no case is named so\n", argv[0]);
    failed = used ? _cmocka_run_group_tests(argv[0], tests, used, NULL, NULL) : 1;
    for (size_t i = 0; i < temp_count; i++)
        unlink(temp_paths[i]);
    free(tests);
    return failed ? 1 : 0;
}

/* All failures of this file end here. */
static void fail_case(const char *file, int line)
{
    _fail(file, line);
}

void check_fail(const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprint_error(format, args);
    va_end(args);
    print_error("\n");
    fail_case(file, line);
}

void check_true(bool claim, const char *text, const char *file, int line)
{
    if (!claim)
        check_fail(file, line, "not so: %s", text);
}

void check_i64(int64_t got, int64_t expected, const char *text, const char *file, int line)
{
    if (got != expected)
        check_fail(file, line, "%s is %" PRId64 ", expected %" PRId64, text, got, expected);
}

void check_u64(uint64_t got, uint64_t expected, const char *text, const char *file, int line)
{
    if (got != expected)
        check_fail(file, line, "%s is %" PRIu64 " (0x%" PRIx64 "), expected %" PRIu64
                   " (0x%" PRIx64 ")", text, got, got, expected, expected);
}

void check_f64(double got, double expected, const char *text, const char *file, int line)
{
    uint64_t got_bits, expected_bits;

    memcpy(&got_bits, &got, sizeof got);
    memcpy(&expected_bits, &expected, sizeof expected);
    if (got_bits != expected_bits)
        check_fail(file, line, "%s is %.17g (%a), expected %.17g (%a)", text, got, got, expected,
                   expected);
}

void check_near(double got, double expected, double bound, const char *text, const char *file,
                int line)
{
    if (!(fabs(got - expected) <= bound))
        check_fail(file, line, "%s is %.17g, expected %.17g within %g; off by %g", text, got,
                   expected, bound, fabs(got - expected));
}

static void print_first_difference(const char *got, const char *expected)
{
    int line = 1;

    for (;; line++) {
        size_t got_bytes = strcspn(got, "\n"), expected_bytes = strcspn(expected, "\n");
        if (got_bytes != expected_bytes || memcmp(got, expected, got_bytes) != 0 ||
            got[got_bytes] != expected[expected_bytes]) {
            print_error("first difference, line %d:\n  got      |%.*s|%s\n  expected |%.*s|%s\n",
                        line, (int)got_bytes, got, got[got_bytes] ? "" : " (end)",
                        (int)expected_bytes, expected, expected[expected_bytes] ? "" : " (end)");
            return;
        }
        if (!got[got_bytes])
            return;
        got += got_bytes + 1;
        expected += expected_bytes + 1;
    }
}

void check_text(const char *got, const char *expected, const char *text, const char *file,
                int line)
{
    if (!got)
        check_fail(file, line, "%s is NULL, expected \"%s\"", text, expected);
    if (strcmp(got, expected) == 0)
        return;
    print_error("%s differs\n--- got\n%s\n--- expected\n%s\n---\n", text, got, expected);
    print_first_difference(got, expected);
    fail_case(file, line);
}

void check_contains(const char *got, const char *part, const char *text, const char *file,
                    int line)
{
    if (!got || !strstr(got, part))
        check_fail(file, line, "%s lacks \"%s\":\n%s", text, part, got ? got : "(NULL)");
}

static const char *status_name(slip_status status)
{
    switch (status) {
#define STATUS_NAME_(name, value, meaning)                                                        \
    case name:                                                                                    \
        return #name;
        SLIP_STATUS_ROWS(STATUS_NAME_)
#undef STATUS_NAME_
    }
    return "an unknown status";
}

void check_result(slip_status got, slip_status expected, const char *text, const char *file,
                  int line)
{
    if (got != expected)
        check_fail(file, line, "%s gave %s, expected %s", text, status_name(got),
                   status_name(expected));
}

void check_record(slip_status got, slip_status expected, const slip_error *record,
                  const char *text, const char *file, int line)
{
    if (got != expected)
        check_fail(file, line, "%s gave %s, expected %s; record: %s: %s", text, status_name(got),
                   status_name(expected), status_name(record->code), record->message);
    if (record->code != got)
        check_fail(file, line, "%s gave %s, but the record says %s: %s", text, status_name(got),
                   status_name(record->code), record->message);
}

const char *check_path(const char *path)
{
    static char made[5][1024];
    static unsigned next;
    char *out = made[next++ % 5];

    snprintf(out, sizeof made[0], "%s%s%s", path[0] == '/' ? "" : CHECK_ROOT,
             path[0] == '/' ? "" : "/", path);
    return out;
}

static char *read_file(const char *path, size_t *out_bytes)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t used = 0, room = 0;

    if (!file)
        return NULL;
    do {
        room = room * 2 + 4096;
        char *grown = realloc(data, room);
        if (!grown)
            abort();
        data = grown;
        used += fread(data + used, 1, room - used - 1, file);
    } while (used == room - 1);
    data[used] = '\0';
    fclose(file);
    *out_bytes = used;
    return data;
}

char *check_read(const char *path, size_t *out_bytes)
{
    size_t bytes = 0;
    char *data = read_file(check_path(path), &bytes);

    if (!data)
        check_fail(__FILE__, __LINE__, "%s cannot be read", check_path(path));
    if (out_bytes)
        *out_bytes = bytes;
    return data;
}

const char *check_temp_path(const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    char *out;
    int handle;

    if (temp_count == TEMP_PATHS)
        check_fail(__FILE__, __LINE__, "more than %d temporary files in one program", TEMP_PATHS);
    out = temp_paths[temp_count];
    snprintf(out, sizeof temp_paths[0], "%.60s/slipway-XXXXXX%s", folder ? folder : "/tmp", suffix);
    handle = mkstemps(out, (int)strlen(suffix));
    if (handle < 0)
        check_fail(__FILE__, __LINE__, "%s cannot be made", out);
    close(handle);
    temp_count++;
    return out;
}

void check_absent(const char *what, const char *why)
{
    const char *required = getenv("SLIPWAY_REQUIRE");

    for (const char *at = required; at && *at; at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (length == strlen(what) && memcmp(at, what, length) == 0)
            check_fail(__FILE__, __LINE__, "%s is required, and missing: %s", what, why);
    }
}

void check_skip(const char *what, const char *why)
{
    check_absent(what, why);
    print_message("skipped: %s: %s\n", what, why);
    _skip(__FILE__, __LINE__);
}

static void make_folders(char *path)
{
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
}

static void bless(const char *path, const char *text, const char *file, int line)
{
    char folders[1024];
    FILE *out;

    snprintf(folders, sizeof folders, "%s", path);
    make_folders(folders);
    out = fopen(path, "wb");
    if (!out)
        check_fail(file, line, "%s cannot be written", path);
    bool whole = fwrite(text, 1, strlen(text), out) == strlen(text);
    if (fclose(out) != 0 || !whole)
        check_fail(file, line, "%s cannot be written whole", path);
}

void check_golden(const char *path, const char *text, const char *file, int line)
{
    const char *blessing = getenv("SLIPWAY_BLESS"), *full = check_path(path);
    size_t bytes = 0;

    if (blessing && strcmp(blessing, "1") == 0) {
        bless(full, text, file, line);
        return;
    }
    char *expected = read_file(full, &bytes);
    if (!expected)
        check_fail(file, line, "%s is missing; dev/bless.sh writes it. Got:\n%s", path, text);
    bool same = strcmp(expected, text) == 0;
    if (!same) {
        print_error("%s differs (dev/bless.sh rewrites it)\n--- got\n%s\n--- expected\n%s\n---\n",
                    path, text, expected);
        print_first_difference(text, expected);
    }
    free(expected);
    if (!same)
        fail_case(file, line);
}
