/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_fold_test.c - what fold makes of constants, identities, conversions, tables and branches;
 * and what it must leave because the bits would differ.
 */
#include "ir_case.h"

static void values_that_are_known_take_the_place_of_ops(void)
{
    case_golden("fold", "fold_values");
}

static void ops_whose_bits_would_differ_stay(void)
{
    case_declines("fold", "fold_declines");
}

static const check_case cases[] = {
    CASE(values_that_are_known_take_the_place_of_ops),
    CASE(ops_whose_bits_would_differ_stay),
};
CHECK_MAIN(cases)
