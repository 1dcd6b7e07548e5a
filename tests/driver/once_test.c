/* SPDX-License-Identifier: Apache-2.0 */
/*
 * once_test.c - a library is loaded at the first use, and its failure told again and again.
 */
#define _GNU_SOURCE
#include "driver/once.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

/* What the next making gives, and how often things were made and dropped. */
typedef struct plan {
    slip_status gives;
    int made, dropped;
} plan;

static plan asked;

static slip_status make(const void *user, void **out)
{
    asked.made++;
    CHECK(user == &asked);
    CHECK_EQ_I64(fail_last()->code, SLIP_OK); /* whatever stood before */
    if (asked.gives != SLIP_OK)
        return SLIP_FAIL(asked.gives, "number %d", asked.made);
    *out = &asked;
    return SLIP_OK;
}

static void drop(void *made)
{
    CHECK(made == &asked);
    asked.dropped++;
}

static void it_is_made_once_and_dropped_once(void)
{
    drv_once once = DRV_ONCE_INIT("Vulkan", make, drop, &asked);
    void *out = NULL;

    asked = (plan){ 0 };
    CHECK_TEXT(drv_once_missing(&once) ? "missing" : "here", "here");
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_OK);
    CHECK(out == &asked);
    CHECK_EQ_I64(asked.made, 1);
    drv_once_forget(&once);
    drv_once_forget(&once);
    CHECK_EQ_I64(asked.dropped, 1);
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_OK);
    CHECK_EQ_I64(asked.made, 2);
    drv_once_forget(&once);
}

static void a_failure_is_told_again_until_it_is_forgotten(void)
{
    drv_once once = DRV_ONCE_INIT("Vulkan", make, drop, &asked);
    void *out = NULL;

    asked = (plan){ .gives = SLIP_ERR_NOT_FOUND };
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_ERR_NOT_FOUND);
    CHECK_TEXT(fail_last()->message, "number 1");
    asked.gives = SLIP_OK;
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_ERR_NOT_FOUND);
    CHECK_TEXT(fail_last()->message, "number 1");
    CHECK_TEXT(drv_once_missing(&once), "number 1");
    CHECK_EQ_I64(asked.made, 1);
    CHECK(out == NULL);
    drv_once_forget(&once);
    CHECK_EQ_I64(asked.dropped, 0);
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_OK);
    drv_once_forget(&once);
}

static void want_of_memory_is_tried_again(void)
{
    drv_once once = DRV_ONCE_INIT("Vulkan", make, drop, &asked);
    void *out = NULL;

    asked = (plan){ .gives = SLIP_ERR_MEMORY };
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_ERR_MEMORY);
    asked.gives = SLIP_OK;
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_OK);
    drv_once_forget(&once);
}

/* A variable of the environment may be set right. */
static void a_wrong_argument_is_looked_at_again(void)
{
    drv_once once = DRV_ONCE_INIT("Vulkan", make, drop, &asked);
    void *out = NULL;

    asked = (plan){ .gives = SLIP_ERR_ARGUMENT };
    CHECK_TEXT(drv_once_missing(&once), "number 1");
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "number 2");
    asked.gives = SLIP_OK;
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_OK);
    CHECK_EQ_I64(asked.made, 3);
    drv_once_forget(&once);
}

static void a_record_that_stands_is_not_what_is_kept(void)
{
    drv_once once = DRV_ONCE_INIT("Vulkan", make, drop, &asked);
    void *out = NULL;

    asked = (plan){ .gives = SLIP_ERR_UNSUPPORTED };
    fail_clear();
    (void)SLIP_FAIL(SLIP_ERR_ARGUMENT, "an earlier one");
    CHECK_TEXT(drv_once_missing(&once), "number 1");
    CHECK_TEXT(fail_last()->message, "an earlier one");
    CHECK_EQ_I64(drv_once_get(&once, &out), SLIP_ERR_UNSUPPORTED);
    CHECK_TEXT(fail_last()->message, "an earlier one");
    drv_once_forget(&once);
}

/* The exit status of a forked child. */
static int in_a_child(drv_once *once)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        void *out = NULL;
        fail_clear();
        _exit(drv_once_get(once, &out) == SLIP_ERR_UNSUPPORTED &&
                      strstr(fail_last()->message, "which uses Vulkan")
                  ? 7
                  : 8);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WEXITSTATUS(status);
}

static void a_forked_child_does_not_get_its_parents(void)
{
    drv_once once = DRV_ONCE_INIT("Vulkan", make, drop, &asked);
    void *out = NULL;

    asked = (plan){ 0 };
    CHECK_STATUS(drv_once_get(&once, &out), SLIP_OK);
    CHECK_EQ_I64(in_a_child(&once), 7);
    drv_once_forget(&once);
}

static const check_case cases[] = {
    CASE(it_is_made_once_and_dropped_once),
    CASE(a_failure_is_told_again_until_it_is_forgotten),
    CASE(want_of_memory_is_tried_again),
    CASE(a_wrong_argument_is_looked_at_again),
    CASE(a_record_that_stands_is_not_what_is_kept),
    CASE(a_forked_child_does_not_get_its_parents),
};

CHECK_MAIN(cases)
