/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_needs_test.c - the Vulkan driver's table of needs, which cannot see the module's, is the
 * same: queue_limits.has is numbered as mod_need.
 */
#include "driver/queue_driver.h"
#include "driver/vulkan_physical.h"
#include "module/module.h"
#include "support/check.h"

static void needs_of_the_driver_are_those_of_the_module(void)
{
    static const char *const driver[] = {
#define NAME_(name) #name,
        VULKAN_NEEDS(NAME_)
#undef NAME_
    };
    static const char *const module[] = {
#define NAME_(name, text) #name,
        MOD_NEEDS(NAME_)
#undef NAME_
    };

    CHECK_EQ_U64((int)VULKAN_NEED_COUNT, (int)MOD_NEED_COUNT);
    for (int k = 0; k < VULKAN_NEED_COUNT && k < MOD_NEED_COUNT; k++)
        CHECK_TEXT(driver[k], module[k]);
    CHECK((int)MOD_NEED_COUNT <= (int)QUEUE_NEED_COUNT_MAX);
}

static const check_case cases[] = {
    CASE(needs_of_the_driver_are_those_of_the_module),
};

CHECK_MAIN(cases)
