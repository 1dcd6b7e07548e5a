/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_test.c - plans of many shapes on a look-alike: whole, nothing is unordered; less any one
 * wait, what the checker says is unordered is found by the look-alike's own clocks, which know
 * nothing of plans, and is run in the wrong order.
 */
#include <stdio.h>

#include "fake/stream/look_control.h"
#include "plan/check.h"
#include "plan/entry.h"
#include "prove/replay.h"
#include "support/check.h"

static const struct {
    const char *program, *shape;
} rows[] = {
    { "u:rw | a u=rw", "h" },
    { "u:rw | a u=rw", "h explicit" },
    { "u:rw | take t loop { a u=r t=w b t=r u=w }", "h" },
    { "x:r a:w b:rw c:c | t x=r a=w b=rw c=w", "hhhh" },
    { "x:rk result | t x=r cells=rw", "h result" },
    { "x:rws | t x=rw", "p" },
    { "x:rw | loop { t x=rw }", "p" },
    { "x:rks d:w | t x=r d=w", "hd" },
    { "x:rws | t x=rw", "s" },
    { "d:rw | device { t d=rw cells=rw } u d=rw", "d" },
    { "x:rk a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "hhh" },
    { "x:rk a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "hhh explicit" },
    { "x:rk a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "hdd wrapped" },
    { "a:rw b:rw c:rw | sections { section { s a=rw } section { t b=rw } section { u c=rw } } v "
      "a=r "
      "b=r c=w",
      "ddd" },
    { "a:u | sections { section { s a=u } section { t a=u } }", "d" },
    { "a:rw b:rw | sections { section { s a=rw } section { t x=w u x=r b=w } } v a=r b=rw", "dd" },
    { "a:rw b:rw | sections { section { s a=rw } section { t b=rw } } v a=rw", "d0" },
    { "a:rw b:rw result | sections { section { s a=rw } section { t b=rw cells=rw } }",
      "pp explicit result" },
    { "x:r y:r a:w result | sections { section { s x=r cell0=rw } section { t y=r cell1=rw } } u "
      "cells=rw a=w",
      "ddd result" },
    { "x:r y:r z:w | sections { section { s x=r cell0=rw } section { t y=r cell1=rw } section { u "
      "z=w cell1=r } }",
      "hhh" },
    { "b:r x:r | sections { section { s b=r cell3=rw } section { t x=r bounds=cells } section { u "
      "b=r cell2=rw } }",
      "dd" },
};

typedef struct tally {
    uint32_t plans, waits, removed, inverted;
    uint64_t races;
} tally;

static void check_removal(mem_arena *arena, const plan *p, const mod_entry *entry,
                          const plan_shape *shape, const plan_facts *facts, uint32_t step,
                          const char *program, tally *t)
{
    bool *off = arena_new(arena, (p->step_count + 1) * sizeof *off);
    expand_graph g;

    off[step] = true;
    if (!plan_find_race(arena, p, entry, shape, facts, off, &g))
        CHECK_FAIL("%s: step %u is not needed", program, step);
    replay_found found = replay(&g);
    if (found.races == 0 || found.inverted == 0)
        CHECK_FAIL("%s: without step %u the look-alike finds %llu races, %llu inverted", program,
                   step, (unsigned long long)found.races, (unsigned long long)found.inverted);
    t->removed++;
    t->inverted++;
    t->races += found.races;
}

static void check_row(uint32_t row, tally *t)
{
    mem_arena arena = { 0 };
    expand_graph g;
    plan *p = NULL;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    mod_entry *entry = entry_of(&arena, rows[row].program);
    plan_shape *shape = shape_of(&arena, entry, rows[row].shape);
    const plan_facts *facts = plan_facts_named(control.hip ? "hip" : "cuda");
    CHECK_STATUS(plan_make(&arena, entry, shape, facts, &p), SLIP_OK);
    CHECK(!plan_find_race(&arena, p, entry, shape, facts, NULL, &g));
    replay_found found = replay(&g);
    if (found.races)
        CHECK_FAIL("%s [%s]: the look-alike finds %llu races", rows[row].program, rows[row].shape,
                   (unsigned long long)found.races);
    t->plans++;
    for (uint32_t i = 0; i < p->step_count; i++)
        if (plan_is_wait(&p->steps[i])) {
            t->waits++;
            check_removal(&arena, p, entry, shape, facts, i, rows[row].program, t);
        }
    mem_arena_finish(&arena);
}

static void what_the_checker_finds_the_look_alike_finds(void)
{
    tally t = { 0 };

    control_begin("lazy", 0);
    for (uint32_t row = 0; row < sizeof rows / sizeof *rows; row++)
        check_row(row, &t);
    printf("%u plans, nothing unordered; %u waits and edges, %u removals detected (%llu pairs), %u "
           "run in the wrong order\n",
           t.plans, t.waits, t.removed, (unsigned long long)t.races, t.inverted);
    CHECK(t.waits > 20);
}

static const check_case cases[] = { CASE(what_the_checker_finds_the_look_alike_finds) };
CHECK_MAIN(cases)
