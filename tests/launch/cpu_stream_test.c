/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_stream_test.c - control flow of launch programs on the cpu stream.
 */
#include "launch/cpu_program.h"
#include "support/check.h"

static cpu_program p;

static void tasks_run_in_the_order_of_the_program(void)
{
    static const mod_node nodes[] = { TASK(0, 2), TASK(1, 0), TASK(2, 2) };

    cpu_program_check(&p, nodes, COUNT(nodes), NULL, 0, "2 0 2");
    cpu_program_check(&p, nodes, 0, NULL, 0, "");
}

static void an_if_runs_one_of_its_parts(void)
{
    static const mod_node both[] = { { .kind = MOD_IF, .cond = 0, .other = 3, .end = 4 },
                                     TASK(1, 0),
                                     TASK(2, 1),
                                     TASK(3, 2),
                                     TASK(4, 3) };
    static const mod_node only_then[] = { { .kind = MOD_IF, .cond = 0, .other = 2, .end = 2 },
                                          TASK(1, 0),
                                          TASK(2, 3) };
    static const mod_node only_else[] = { { .kind = MOD_IF, .cond = 0, .other = 1, .end = 2 },
                                          TASK(1, 0),
                                          TASK(2, 3) };
    static const mod_node neither[] = { { .kind = MOD_IF, .cond = 0, .other = 1, .end = 1 },
                                        TASK(1, 3) };

    cpu_program_check(&p, both, COUNT(both), NULL, 1, "0 1 3");
    cpu_program_check(&p, both, COUNT(both), NULL, 0, "2 3");
    cpu_program_check(&p, only_then, COUNT(only_then), NULL, 1, "0 3");
    cpu_program_check(&p, only_then, COUNT(only_then), NULL, 0, "3");
    cpu_program_check(&p, only_else, COUNT(only_else), NULL, 1, "3");
    cpu_program_check(&p, only_else, COUNT(only_else), NULL, 0, "0 3");
    cpu_program_check(&p, neither, COUNT(neither), NULL, 1, "3");
}

static void a_loop_runs_until_it_is_left(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 5 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      TASK(3, 0),
                                      EVAL(4, 1),
                                      TASK(5, 1) };

    cpu_program_check(&p, nodes, COUNT(nodes), cpu_counting, 3, "0 0 0 1");
    cpu_program_check(&p, nodes, COUNT(nodes), cpu_counting, 0, "1");
}

/* for (i = 0; i < n; i++) { t0; if (i == 1) continue; t1 }  with the step at node 8 */
static void continue_goes_on_with_the_step_of_its_loop(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 9 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      TASK(3, 0),
                                      EVAL(4, 2),
                                      { .kind = MOD_IF, .cond = 4, .other = 7, .end = 7 },
                                      { .kind = MOD_CONTINUE, .other = 8, .end = 7 },
                                      TASK(7, 1),
                                      EVAL(8, 1),
                                      TASK(9, 2) };

    cpu_program_check(&p, nodes, COUNT(nodes), cpu_counting, 3, "0 1 0 0 1 2");
}

/* A loop without a step part: continue goes to its end, where it begins again. The if is its
 * last child. */
static void continue_without_a_step_begins_the_next_round(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 9 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      EVAL(3, 1),
                                      TASK(4, 0),
                                      EVAL(5, 2),
                                      { .kind = MOD_IF, .cond = 4, .other = 8, .end = 9 },
                                      { .kind = MOD_CONTINUE, .other = 9, .end = 8 },
                                      TASK(8, 1),
                                      TASK(9, 2) };

    cpu_program_check(&p, nodes, COUNT(nodes), cpu_counting, 3, "0 0 1 0 1 2");
}

/* for (i...) for (k = 0; k < i; k++) t0: the inner break leaves the inner loop only */
static void break_leaves_the_innermost_loop(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 11 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      EVAL(3, 5),
                                      { .kind = MOD_LOOP, .end = 9 },
                                      EVAL(5, 3),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 7 },
                                      TASK(7, 0),
                                      EVAL(8, 4),
                                      TASK(9, 1),
                                      EVAL(10, 1),
                                      TASK(11, 2) };

    cpu_program_check(&p, nodes, COUNT(nodes), cpu_counting, 4, "1 0 1 0 0 1 0 0 0 1 2");
}

static void break_without_a_condition_always_leaves(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 4 },
                                      TASK(1, 0),
                                      { .kind = MOD_BREAK, .cond = MOD_NONE, .end = 3 },
                                      TASK(3, 1),
                                      TASK(4, 2) };

    cpu_program_check(&p, nodes, COUNT(nodes), NULL, 0, "0 2");
}

static void return_ends_the_launch_from_inside_loops(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 7 },
                                      EVAL(1, 1),
                                      EVAL(2, 2),
                                      TASK(3, 0),
                                      { .kind = MOD_IF, .cond = 4, .other = 5, .end = 6 },
                                      { .kind = MOD_RETURN, .end = 6 },
                                      TASK(6, 1),
                                      TASK(7, 2) };

    cpu_program_check(&p, nodes, COUNT(nodes), cpu_counting, 0, "0 1 0");
}

static void sections_run_in_source_order(void)
{
    static const mod_node nodes[] = { { .kind = MOD_SECTIONS, .end = 6 },
                                      { .kind = MOD_SECTION, .end = 4 },
                                      TASK(2, 0),
                                      TASK(3, 1),
                                      { .kind = MOD_SECTION, .end = 6 },
                                      TASK(5, 2),
                                      TASK(6, 3) };

    cpu_program_check(&p, nodes, COUNT(nodes), NULL, 0, "0 1 2 3");
}

static const check_case cases[] = {
    CASE(tasks_run_in_the_order_of_the_program),
    CASE(an_if_runs_one_of_its_parts),
    CASE(a_loop_runs_until_it_is_left),
    CASE(continue_goes_on_with_the_step_of_its_loop),
    CASE(continue_without_a_step_begins_the_next_round),
    CASE(break_leaves_the_innermost_loop),
    CASE(break_without_a_condition_always_leaves),
    CASE(return_ends_the_launch_from_inside_loops),
    CASE(sections_run_in_source_order),
};

CHECK_MAIN(cases)
