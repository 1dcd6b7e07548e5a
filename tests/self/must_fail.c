/* SPDX-License-Identifier: Apache-2.0 */
/*
 * must_fail.c - one case per test check, each of which must fail; CTest runs them one by one and
 * wants the message. A check that never fails would make every test that uses it worthless.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "support/check.h"

static slip_status silent_failure(void)
{
    return SLIP_ERR_MEMORY; /* without a record */
}

static void claim(void) { CHECK(1 + 1 == 3); }
static void numbers_with_sign(void) { CHECK_EQ_I64(-1, 1); }
static void unsigned_numbers(void) { CHECK_EQ_U64(UINT64_MAX, UINT64_MAX - 1); }
static void zeros_of_two_signs(void) { CHECK_EQ_F64(-0.0, 0.0); }
static void nearness(void) { CHECK_NEAR(1.0, 1.1, 0.05); }
static void nearness_of_nan(void) { CHECK_NEAR(nan(""), 1.0, 1e300); }
static void texts(void) { CHECK_TEXT("one\ntwo\nthree\n", "one\ntoo\nthree\n"); }
static void a_text_cut_short(void) { CHECK_TEXT("one\n", "one\ntwo\n"); }
static void parts(void) { CHECK_CONTAINS("haystack", "needle"); }
static void statuses(void) { CHECK_STATUS(SLIP_OK, SLIP_ERR_MEMORY); }
static void records(void) { CHECK_STATUS(silent_failure(), SLIP_ERR_MEMORY); }
static void goldens(void) { CHECK_GOLDEN("tests/self/golden.txt", "another text\n"); }
static void missing_goldens(void) { CHECK_GOLDEN("tests/self/nowhere.txt", "text\n"); }
static void what_is_required(void)
{
    setenv("SLIPWAY_REQUIRE", "cpu,unobtainium", 1);
    check_skip("unobtainium", "there is none");
}

static const check_case cases[] = {
    CASE(claim),   CASE(numbers_with_sign),   CASE(unsigned_numbers), CASE(zeros_of_two_signs),
    CASE(nearness), CASE(nearness_of_nan), CASE(texts),            CASE(a_text_cut_short),
    CASE(parts),   CASE(statuses),         CASE(records),          CASE(goldens),
    CASE(missing_goldens), CASE(what_is_required),
};
CHECK_MAIN(cases)
