/* SPDX-License-Identifier: Apache-2.0 */
/*
 * must_pass.c - the test checks where all is well, and the golden files' round trip.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static void equal_values_pass(void)
{
    CHECK(1 + 1 == 2);
    CHECK_EQ_I64(-1, -1);
    CHECK_EQ_U64(UINT64_MAX, -1);
    CHECK_EQ_F64(nan(""), nan(""));
    CHECK_NEAR(1.0, 1.1, 0.11);
    CHECK_TEXT("a\nb", "a\nb");
    CHECK_CONTAINS("haystack", "stack");
    CHECK_STATUS(SLIP_FAIL(SLIP_ERR_FORMAT, "so"), SLIP_ERR_FORMAT);
    CHECK_TEXT(fail_last()->message, "so"); /* the record stays for the next check */
    CHECK_STATUS(SLIP_OK, SLIP_OK);         /* and is cleared before the next call */
}

static void a_golden_file_is_compared_and_blessed(void)
{
    const char *path = check_temp_path(".txt");
    size_t bytes = 0;

    CHECK_GOLDEN("tests/self/golden.txt", "a golden text\n");
    setenv("SLIPWAY_BLESS", "1", 1);
    CHECK_GOLDEN(path, "new text\n");
    unsetenv("SLIPWAY_BLESS");
    CHECK_GOLDEN(path, "new text\n");
    char *text = check_read(path, &bytes);
    CHECK_TEXT(text, "new text\n");
    CHECK_EQ_U64(bytes, 9);
    free(text);
}

static void what_is_not_required_is_skipped(void)
{
    setenv("SLIPWAY_REQUIRE", "unobtainium2,un", 1);
    check_skip("unobtainium", "there is none");
    abort(); /* a skip ends the case */
}

static const check_case cases[] = {
    CASE(equal_values_pass),
    CASE(a_golden_file_is_compared_and_blessed),
    CASE(what_is_not_required_is_skipped),
};
CHECK_MAIN(cases)
