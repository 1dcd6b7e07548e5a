/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_promote_test.c - which loads of variables become values, and which must not.
 */
#include "ir_case.h"

static void loads_after_one_store_become_its_value(void)
{
    case_golden("promote", "promote_values");
}

static void loads_of_what_may_have_been_written_stay(void)
{
    case_declines("promote", "promote_declines");
}

static const check_case cases[] = {
    CASE(loads_after_one_store_become_its_value),
    CASE(loads_of_what_may_have_been_written_stay),
};
CHECK_MAIN(cases)
