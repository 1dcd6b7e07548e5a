/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moves_test.c - which plans are of tasks alone. What plans move is in table_test.c.
 */
#include "plan/entry.h"
#include "support/check.h"

/* On each of facts_of: cpu, cuda, hip, vulkan, and vulkan with mapped memory. */
static const struct row {
    const char *program, *homes;
    bool alone[FACTS_COUNT];
} rows[] = {
    { "x:rw | scale x=rw", "d", { true, true, true } },
    { "x:rw | scale x=rw", "k explicit", { true, true, true } },
    { "x:rw | scale x=rw", "h", { true } },
    { "x:rw y:rw | one x=rw two y=rw x=r", "dd", { true, true, true } },
    { "x:rw | if { one x=rw } else { loop { two x=rw break? } } return",
      "d",
      { true, true, true } },
    { "x:rw | scale x=rw", "d conservative", { true } },
    { "x:rw | one x=r t=w two x=w t=r", "d", { false } },
    { "x:rw result | one x=rw cells=w", "d result", { false } },
    { "x:rw | device { one x=rw cells=rw }", "d", { false } },
    { "x:rw y:rw | sections { section { one x=rw } section { two y=rw } }", "dd", { true } },
};

static void tasks_and_control_alone_on_memory_of_the_device(void)
{
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int f = 0; f < FACTS_COUNT; f++) {
            mem_arena arena = { 0 };
            plan *p = NULL;
            CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
            mod_entry *entry = entry_of(&arena, rows[r].program);
            plan_shape *shape = shape_of(&arena, entry, rows[r].homes);
            CHECK_STATUS(plan_make(&arena, entry, shape, facts_of(f), &p), SLIP_OK);
            if (plan_is_tasks_alone(p) != rows[r].alone[f])
                CHECK_FAIL("%s, %s, facts %d", rows[r].program, rows[r].homes, f);
            mem_arena_finish(&arena);
        }
}

static const check_case cases[] = {
    CASE(tasks_and_control_alone_on_memory_of_the_device),
};

CHECK_MAIN(cases)
