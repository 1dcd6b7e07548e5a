/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_atomics_test.c - which updates become plain code, which native, which stay; and a second run
 * changes nothing.
 */
#include "launch_case.h"

static void updates_of_tasks(void)
{
    static const char *const passes[] = { "launch", "access", "atomics", NULL };

    launch_goldens("tests/golden/access", ".atomics.txt", 5, passes, LAUNCH_SHOW_TASKS);
}

static void a_second_run_changes_nothing(void)
{
    static const char *const passes[] = { "launch", "access", "atomics", "atomics", NULL };

    launch_goldens("tests/golden/access", ".atomics.txt", 5, passes, LAUNCH_SHOW_TASKS);
}

static const check_case cases[] = {
    CASE(updates_of_tasks),
    CASE(a_second_run_changes_nothing),
};
CHECK_MAIN(cases)
