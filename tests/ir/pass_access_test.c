/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_access_test.c - the facts of tasks, and what is warned of. Each golden's kernel says which
 * accesses are shared: with a comment in the .ir file's C where it is not plain.
 */
#include "launch_case.h"

static void facts_of_tasks_and_parameters(void)
{
    static const char *const passes[] = { "launch", "access", NULL };

    launch_goldens("tests/golden/access", ".access.txt", 5, passes,
                   LAUNCH_SHOW_PROGRAM | LAUNCH_SHOW_DIAGS);
}

static const check_case cases[] = {
    CASE(facts_of_tasks_and_parameters),
};
CHECK_MAIN(cases)
