/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - the test checks: each ends its case at the first failure and shows both values.
 *
 *     static void sum_of_nothing_is_zero(void) { CHECK_EQ_I64(sum(NULL, 0), 0); }
 *
 *     static const check_case cases[] = { CASE(sum_of_nothing_is_zero) };
 *     CHECK_MAIN(cases)
 *
 * A program runs all its cases; arguments pick those whose name contains one of them. With
 * CHECK_PUBLIC defined nothing internal is needed, and CHECK_STATUS looks at the status alone.
 */
#ifndef SLIPWAY_TESTS_CHECK_H
#define SLIPWAY_TESTS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

typedef struct check_case {
    const char *name; /* a sentence, words joined by _ */
    void (*run)(void);
} check_case;

#define CASE(function) { #function, function }

#define CHECK_MAIN(cases)                                                                         \
    int main(int argc, char **argv)                                                               \
    {                                                                                             \
        return check_main(cases, sizeof(cases) / sizeof((cases)[0]), argc, argv);                 \
    }

#define CHECK(claim) check_true((claim), #claim, __FILE__, __LINE__)
#define CHECK_EQ_I64(got, expected)                                                               \
    check_i64((int64_t)(got), (int64_t)(expected), #got, __FILE__, __LINE__)
#define CHECK_EQ_U64(got, expected)                                                               \
    check_u64((uint64_t)(got), (uint64_t)(expected), #got, __FILE__, __LINE__)
/* Equal as bits: -0.0 is not 0.0, and a NaN equals itself. */
#define CHECK_EQ_F64(got, expected) check_f64((got), (expected), #got, __FILE__, __LINE__)
/* |got - expected| <= bound; false for a NaN. */
#define CHECK_NEAR(got, expected, bound)                                                          \
    check_near((got), (expected), (bound), #got, __FILE__, __LINE__)
#define CHECK_TEXT(got, expected) check_text((got), (expected), #got, __FILE__, __LINE__)
#define CHECK_CONTAINS(got, part) check_contains((got), (part), #got, __FILE__, __LINE__)
/* Ends the case with a message, printf-like. */
#define CHECK_FAIL(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)

/* The status alone, for functions of the public interface. */
#define CHECK_RESULT(call, expected) check_result((call), (expected), #call, __FILE__, __LINE__)

#ifdef CHECK_PUBLIC
#define CHECK_STATUS(call, expected) CHECK_RESULT(call, expected)
#else
#include "base/fail.h"
/* Clears the record, makes the call, and wants the record to say what the status says. The record
 * stays, so that its message can be checked next. */
#define CHECK_STATUS(call, expected)                                                              \
    do {                                                                                          \
        fail_clear();                                                                             \
        slip_status check_status_ = (call);                                                       \
        check_record(check_status_, (expected), fail_last(), #call, __FILE__, __LINE__);          \
    } while (0)
#endif

/*
 * The text equals the file at `path` (from the top of the source tree). With SLIPWAY_BLESS=1 in
 * the environment the file is written instead.
 */
#define CHECK_GOLDEN(path, text) check_golden((path), (text), __FILE__, __LINE__)

int check_main(const check_case *cases, size_t count, int argc, char **argv);

/* A path from the top of the source tree made absolute; static storage, overwritten by the fifth
 * call after. */
const char *check_path(const char *path);
/* The whole file, terminated; the caller frees it with free(). Ends the case if it cannot be read. */
char *check_read(const char *path, size_t *out_bytes);
/* A fresh path for a file that the test makes; removed when the program ends. */
const char *check_temp_path(const char *suffix);
/* Ends the case as failed where SLIPWAY_REQUIRE names `what`, which is not here. */
void check_absent(const char *what, const char *why);
/* Ends the case as skipped, or as failed where SLIPWAY_REQUIRE names `what`. */
void check_skip(const char *what, const char *why);

void check_true(bool claim, const char *text, const char *file, int line);
void check_i64(int64_t got, int64_t expected, const char *text, const char *file, int line);
void check_u64(uint64_t got, uint64_t expected, const char *text, const char *file, int line);
void check_f64(double got, double expected, const char *text, const char *file, int line);
void check_near(double got, double expected, double bound, const char *text, const char *file,
                int line);
void check_text(const char *got, const char *expected, const char *text, const char *file,
                int line);
void check_contains(const char *got, const char *part, const char *text, const char *file,
                    int line);
void check_result(slip_status got, slip_status expected, const char *text, const char *file,
                  int line);
void check_record(slip_status got, slip_status expected, const slip_error *record,
                  const char *text, const char *file, int line);
void check_golden(const char *path, const char *text, const char *file, int line);
void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
