/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_dce_test.c - what goes because nobody can see it, and what has an effect and stays.
 */
#include "ir_case.h"

static void what_nobody_uses_goes(void)
{
    case_golden("dce", "dce_values");
}

static void what_has_an_effect_stays(void)
{
    case_declines("dce", "dce_declines");
}

static const check_case cases[] = {
    CASE(what_nobody_uses_goes),
    CASE(what_has_an_effect_stays),
};
CHECK_MAIN(cases)
