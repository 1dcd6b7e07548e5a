/* SPDX-License-Identifier: Apache-2.0 */
/*
 * needs_test.c - the drivers' table of needs, which cannot see the module's, is the same: `has` of
 * their limits is numbered as mod_need.
 */
#include "driver/queue_driver.h"
#include "module/module.h"
#include "support/check.h"

static void needs_of_the_driver_are_those_of_the_module(void)
{
    static const char *const driver[] = {
#define NAME_(name) #name,
        DRV_NEEDS(NAME_)
#undef NAME_
    };
    static const char *const module[] = {
#define NAME_(name, text) #name,
        MOD_NEEDS(NAME_)
#undef NAME_
    };

    CHECK_EQ_U64((int)DRV_NEED_COUNT, (int)MOD_NEED_COUNT);
    for (int k = 0; k < DRV_NEED_COUNT && k < MOD_NEED_COUNT; k++)
        CHECK_TEXT(driver[k], module[k]);
    CHECK((int)MOD_NEED_COUNT <= (int)QUEUE_NEED_COUNT_MAX);
}

static const check_case cases[] = {
    CASE(needs_of_the_driver_are_those_of_the_module),
};

CHECK_MAIN(cases)
