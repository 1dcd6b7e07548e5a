/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table_test.c - the launch contract, row by row, as plans in text: what waits, and what does not.
 *
 * Each row is planned for every driver's facts, also those of families that are not built yet. The
 * number of host waits is the contract's; the text is in golden/plan/ so that a change of any step
 * is seen; and each plan is proved right and minimal by the checker.
 */
#include <stdio.h>
#include <string.h>

#include "plan/check.h"
#include "plan/entry.h"
#include "support/check.h"

typedef struct row {
    const char *name; /* of the golden files */
    const char *program, *shape;
    int waits[FACTS_COUNT]; /* host waits that the contract allows */
} row;

static int occurrences(const char *in, const char *of)
{
    int count = 0;

    for (const char *at = in; (at = strstr(at, of)); at++)
        count++;
    return count;
}

/* The picture has a red arrow for each wait, a black one for each edge and submission. */
static void check_picture(const row *r, const plan *p, const mod_entry *entry,
                          const plan_shape *shape, const plan_facts *facts, int waits)
{
    text drawn = { 0 };
    int edges = 0, boxes = 0;

    for (uint32_t i = 0; i < p->step_count; i++) {
        plan_kind kind = p->steps[i].kind;
        bool between = kind == PLAN_FORK || kind == PLAN_JOIN || kind == PLAN_EDGE;
        edges += between || kind == PLAN_SUBMIT;
        boxes += !between;
    }
    plan_draw(&drawn, p, entry, shape, facts);
    CHECK_STATUS(drawn.status, SLIP_OK);
    if (occurrences(text_get(&drawn), "<path class=\"wait\"") != waits ||
        occurrences(text_get(&drawn), "<path class=\"edge\"") != edges ||
        occurrences(text_get(&drawn), "<rect ") != boxes)
        CHECK_FAIL("%s on %s: %d waits, %d edges, %d boxes are not what is drawn\n%s", r->name,
                   facts->name, waits, edges, boxes, text_get(&drawn));
    text_finish(&drawn);
}

/* Proves the plan and appends its text. */
static void plan_row(const row *r, int driver, text *out)
{
    mem_arena arena = { 0 };
    plan_proof proof;
    plan *p;
    text told = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    mod_entry *entry = entry_of(&arena, r->program);
    plan_shape *shape = shape_of(&arena, entry, r->shape);
    const plan_facts *facts = facts_of(driver);
    int waits = r->waits[driver];
    CHECK_STATUS(plan_make(&arena, entry, shape, facts, &p), SLIP_OK);
    plan_print(out, p, entry, shape, facts);
    plan_check(&arena, p, entry, shape, facts, &proof, &told);
    if (!proof.right || !proof.right_without_conservative || !proof.minimal)
        CHECK_FAIL("%s on %s: right %d, minimal %d, without conservative %d\n%s%s", r->name,
                   facts->name, proof.right, proof.minimal, proof.right_without_conservative,
                   text_get(&told), text_get(out));
    if ((int)p->host_waits != waits)
        CHECK_FAIL("%s on %s: %u host waits, the contract says %d\n%s", r->name, facts->name,
                   p->host_waits, waits, text_get(out));
    check_picture(r, p, entry, shape, facts, waits);
    text_add(out, "%s\n", text_get(&told));
    text_finish(&told);
    mem_arena_finish(&arena);
}

static void check_row(const row *r)
{
    text all = { 0 };
    char path[128];

    text_add(&all, "kernel  %s\nshape   %s\n\n", r->program, r->shape);
    for (int d = 0; d < FACTS_COUNT; d++)
        plan_row(r, d, &all);
    snprintf(path, sizeof path, "tests/golden/plan/%s.txt", r->name);
    CHECK_GOLDEN(path, text_get(&all));
    text_finish(&all);
}

#define ROW(name, program, shape, cpu, cuda, hip, vulkan)                                          \
    ROW_MAPPED(name, program, shape, cpu, cuda, hip, vulkan, vulkan)
#define ROW_MAPPED(name, program, shape, cpu, cuda, hip, vulkan, mapped)                           \
    static void name(void)                                                                         \
    {                                                                                              \
        static const row r = { #name, program, shape, { cpu, cuda, hip, vulkan, mapped } };        \
        check_row(&r);                                                                             \
    }

/* Default stream, all tasks serial, host outputs or a result, however many: one wait. */
ROW(one_host_array_in_and_out_waits_once, "u:rw | a u=rw", "h", 0, 1, 1, 1)
ROW(a_loop_around_tasks_waits_once, "u:rw | take t loop { a u=r t=w b t=r u=w }", "h", 0, 1, 1, 1)
ROW(three_outputs_gather_and_wait_once, "x:r a:w b:rw c:c | t x=r a=w b=rw c=w", "hhhh", 0, 1, 1, 1)
ROW(a_result_alone_waits_once, "x:rk result | t x=r cells=rw", "h result", 0, 1, 1, 1)
ROW(a_result_beside_an_output_waits_once, "x:rw result | t x=rw cells=rw", "h result", 0, 1, 1, 1)
ROW(a_result_not_asked_for_waits_for_nothing, "x:rk result | t x=r cells=rw", "d", 0, 0, 0, 0)
/* Host arrays read only, no host output: none when staged; one when used in place. */
ROW(a_host_input_alone_waits_for_nothing, "x:rk d:w | t x=r d=w", "hd", 0, 0, 0, 0)
ROW(a_pinned_input_alone_is_staged_and_waits_for_nothing, "x:rks d:w | t x=r d=w", "pd", 0, 0, 0, 0)
ROW(a_pinned_array_of_one_pass_is_used_in_place, "x:rws | t x=rw", "p", 0, 1, 1, 1)
ROW(a_pinned_array_of_many_passes_is_copied, "x:rw | loop { t x=rw }", "p", 0, 1, 1, 1)
/* A device loop that the host must poll: one per batch. */
ROW(a_device_loop_waits_once_a_batch, "d:rw | device { t d=rw cells=rw }", "d", 0, 1, 1, 1)
ROW(what_follows_a_device_loop_needs_no_barrier, "d:rw | device { t d=rw cells=rw } u d=rw", "d", 0,
    1, 1, 1)
ROW_MAPPED(a_condition_that_an_inner_loop_has_waited_for_is_read_at_once_where_it_lies,
           "d:rw | device2 { a d=r cell2=w device { t d=rw cell0=rw } u d=rw cell1=w }", "d", 0, 2,
           2, 2, 1)
/* Partial results need memory by the number of iterations. */
ROW(a_reduction_with_bounds_of_the_device_waits_to_know_them,
    "b:r x:r y:w | f b=r cells=w t x=r bounds=cells u y=w cells=r", "ddd", 0, 1, 1, 1)
/* A slot that tasks use: where it is small and each element is touched once, and everywhere on a
 * device whose memory the host uses. */
ROW(a_small_array_of_one_pass_lies_in_a_slot, "x:rws | t x=rw", "s", 0, 1, 1, 1)
ROW(a_small_input_alone_lies_in_a_slot_and_waits_for_nothing, "x:rks d:w | t x=r d=w", "sd", 0, 0,
    0, 0)
ROW(a_small_array_of_many_passes_is_copied, "x:rw | loop { t x=rw }", "s", 0, 1, 1, 1)
ROW(a_small_array_with_updates_is_copied, "x:us | t x=u", "s", 0, 1, 1, 1)
ROW(a_small_output_written_whole_is_not_copied_in, "x:cs y:rks | t x=c y=r", "ss", 0, 1, 1, 1)
/* What a launch that has ended early did is before nothing. */
ROW(tasks_after_an_early_return_are_behind_the_others_alone,
    "d:rw e:rw | if { a d=rw return } b e=rw if { c d=rw return } f e=rw", "dd", 0, 0, 0, 0)
/* Default stream, only device-resident arrays, no result: none. */
ROW(resident_arrays_wait_for_nothing, "a:rw b:rw | t a=r b=w u b=r a=w", "dd", 0, 0, 0, 0)
ROW(kept_arrays_wait_for_nothing, "a:rw b:rw | t a=r b=w u b=r a=w", "kk", 0, 0, 0, 0)
/* Explicit stream: the needed waits stay; the blocking copy of the default stream is not used. */
ROW(an_explicit_stream_queues_its_copies, "u:rw | a u=rw", "h explicit", 0, 1, 1, 1)
ROW(a_wrapped_stream_queues_its_copies, "u:rw | a u=rw", "h wrapped", 0, 1, 1, 1)
ROW(a_wrapped_stream_forks_and_joins_its_sections,
    "x:r a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "ddd wrapped", 0, 0,
    0, 0)
ROW(an_explicit_stream_with_resident_arrays_waits_for_nothing, "a:rw | t a=rw", "d explicit", 0, 0,
    0, 0)
/* Sections: fork after the uploads, join before the downloads; never a host wait. */
ROW(sections_fork_after_uploads_and_join_before_downloads,
    "x:rk a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "hhh", 0, 1, 1, 1)
ROW(sections_of_resident_arrays_never_wait_on_the_host,
    "a:rw b:rw c:rw | sections { section { s a=rw } section { t b=rw } section { u c=rw } } v a=r "
    "b=r c=w",
    "ddd", 0, 0, 0, 0)
ROW(sections_that_touch_the_same_array_keep_source_order,
    "a:u | sections { section { s a=u } section { t a=u } }", "d", 0, 0, 0, 0)
ROW(a_section_keeps_scratch_on_its_own_lane,
    "a:rw b:rw | sections { section { s a=rw } section { t x=w u x=r b=w } } v a=r b=rw", "dd", 0,
    0, 0, 0)
/* The kernel's own variables, each by itself: a section that sums into one has no order with a
 * section that sums into another, and what the host reads waits for both. */
ROW(sections_that_sum_into_variables_of_their_own_run_at_the_same_time,
    "x:r y:r a:w result | sections { section { s x=r cell0=rw } section { t y=r cell1=rw } } u "
    "cells=rw a=w",
    "ddd result", 0, 1, 1, 1)
ROW(sections_that_sum_into_one_variable_keep_source_order,
    "x:r y:r result | sections { section { s x=r cell0=rw } section { t y=r cell0=rw } }",
    "dd explicit result", 0, 1, 1, 1)
ROW(a_section_that_reads_the_sum_of_another_follows_it,
    "x:r y:r z:w | sections { section { s x=r cell0=rw } section { t y=r cell1=rw } section { u "
    "z=w cell1=r } }",
    "ddd", 0, 0, 0, 0)
ROW(tasks_that_sum_into_variables_of_their_own_need_no_barrier,
    "x:r y:r | s x=r cell0=rw t y=r cell1=rw u cell0=r cell2=w", "dd", 0, 0, 0, 0)
ROW(bounds_wait_for_every_variable_because_all_are_copied,
    "b:r x:r | sections { section { s b=r cell3=rw } section { t x=r bounds=cells } section { u "
    "b=r cell2=rw } }",
    "dd", 0, 1, 1, 1)
/* The alias partition: two parameters that are one array are one copy, and conflict. */
ROW(the_same_array_twice_is_one_copy, "a:rk b:w | t a=r b=w", "h=0", 0, 1, 1, 1)
ROW(overlapping_arrays_are_one_copy_of_the_union, "a:rk b:w | t a=r b=w", "h0", 0, 1, 1, 1)
ROW(aliased_resident_arrays_order_their_tasks, "a:w b:rw | t a=w u b=rw", "d=0", 0, 0, 0, 0)
ROW(apart_resident_arrays_do_not, "a:w b:rw | t a=w u b=rw", "dd", 0, 0, 0, 0)
/* Copies left out. */
ROW(an_output_overwritten_whole_is_not_copied_in, "x:rk y:c | t x=r y=c", "hh", 0, 1, 1, 1)
ROW(a_slip_out_array_is_not_copied_in, "y:wo | t y=w", "h", 0, 1, 1, 1)
ROW(an_array_that_no_task_touches_does_not_move, "x:r y:k | t x=r", "hh", 0, 0, 0, 0)
/* The conservative policy: one wait after each phase. */
ROW(the_conservative_policy_waits_after_each_phase, "u:rw | a u=rw", "h conservative", 0, 3, 3, 3)
ROW(the_conservative_policy_waits_for_resident_arrays, "a:rw b:rw | t a=r b=w u b=r a=w",
    "dd conservative", 0, 1, 1, 1)
ROW(the_conservative_policy_waits_after_uploads_and_tasks, "x:rk d:w | t x=r d=w",
    "hd conservative", 0, 2, 2, 2)
ROW(the_conservative_policy_with_sections,
    "x:rk a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "hhh conservative",
    0, 3, 3, 3)
ROW(the_conservative_policy_orders_no_sections_that_read_one_array,
    "x:r a:w b:w | sections { section { s x=r a=w } section { t x=r b=w } }", "ddd conservative", 0,
    1, 1, 1)
ROW(the_conservative_policy_orders_sections_as_written,
    "x:r a:u b:w | sections { section { s x=r a=u } section { t a=r b=w } }", "hdd conservative", 0,
    3, 3, 3)
/* Nothing to do. */
ROW(a_kernel_without_tasks_does_nothing, "u: |", "h", 0, 0, 0, 0)

static void homes_may_not_mix_in_one_class(void)
{
    mem_arena arena = { 0 };
    plan *p = NULL;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    mod_entry *entry = entry_of(&arena, "a:r b:w | t a=r b=w");
    plan_shape *shape = shape_of(&arena, entry, "h0");
    ((plan_home *)shape->homes)[1] = PLAN_HOME_RESIDENT;
    CHECK_STATUS(plan_make(&arena, entry, shape, plan_facts_named("cuda"), &p),
                 SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "`b` of k");
    CHECK(p == NULL);
    mem_arena_finish(&arena);
}

/* A plan from which a wait is taken by hand is seen to be wrong: the checker can fail. */
static void the_checker_sees_a_missing_wait(void)
{
    mem_arena arena = { 0 };
    plan *p = NULL;
    plan_proof proof;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    mod_entry *entry =
        entry_of(&arena, "a:rw | sections { section { s a=rw } section { t a=rw } }");
    plan_shape *shape = shape_of(&arena, entry, "d");
    const plan_facts *cuda = plan_facts_named("cuda");
    CHECK_STATUS(plan_make(&arena, entry, shape, cuda, &p), SLIP_OK);
    for (uint32_t i = 0; i < p->step_count; i++) {
        if (p->steps[i].kind != PLAN_EDGE && p->steps[i].kind != PLAN_JOIN)
            continue;
        plan_step kept = p->steps[i];
        CHECK(!plan_right_without(&arena, p, entry, shape, cuda, i));
        p->steps[i].kind = PLAN_RELEASE; /* does nothing in a proof */
        plan_check(&arena, p, entry, shape, cuda, &proof, NULL);
        CHECK(!proof.right);
        p->steps[i] = kept;
    }
    plan_check(&arena, p, entry, shape, cuda, &proof, NULL);
    CHECK(proof.right && proof.minimal && proof.waits == 2);
    mem_arena_finish(&arena);
}

/* An added wait is seen to be unneeded. */
static void the_checker_sees_a_wait_too_many(void)
{
    mem_arena arena = { 0 };
    plan *p = NULL;
    plan_proof proof;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    mod_entry *entry = entry_of(&arena, "a:rw x: | t a=rw u a=rw");
    plan_shape *shape = shape_of(&arena, entry, "dd");
    const plan_facts *cuda = plan_facts_named("cuda");
    CHECK_STATUS(plan_make(&arena, entry, shape, cuda, &p), SLIP_OK);
    CHECK_EQ_U64(p->step_count, 2);
    plan_step added[3] = { p->steps[0],
                           { .kind = PLAN_HOST_WAIT, .reason = PLAN_REASON_COMPLETE },
                           p->steps[1] };
    p->steps = added;
    p->step_count = 3;
    plan_check(&arena, p, entry, shape, cuda, &proof, NULL);
    CHECK(proof.right && !proof.minimal && proof.waits == 1 && proof.needed == 0);
    mem_arena_finish(&arena);
}

static void equal_inputs_give_equal_plans(void)
{
    mem_arena arena = { 0 };
    text first = { 0 }, second = { 0 };
    plan *p;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    mod_entry *entry =
        entry_of(&arena, "a:rw b:rw | loop { sections { section { s a=rw } section { t b=rw } } }");
    plan_shape *shape = shape_of(&arena, entry, "hp");
    for (int d = 0; d < FACTS_COUNT; d++) {
        CHECK_STATUS(plan_make(&arena, entry, shape, facts_of(d), &p), SLIP_OK);
        plan_print(&first, p, entry, shape, facts_of(d));
        CHECK_STATUS(plan_make(&arena, entry, shape, facts_of(d), &p), SLIP_OK);
        plan_print(&second, p, entry, shape, facts_of(d));
    }
    CHECK_TEXT(text_get(&second), text_get(&first));
    text_finish(&first);
    text_finish(&second);
    mem_arena_finish(&arena);
}

static void every_fact_rests_on_a_clause(void)
{
    for (int d = 0; d < FACTS_COUNT; d++) {
        const plan_facts *facts = facts_of(d);
        CHECK(facts != NULL);
        for (uint32_t f = 0; f < PLAN_FACT_COUNT; f++)
            CHECK(facts->source[f] != NULL && facts->source[f][0] != 0);
    }
    CHECK(plan_facts_named("abacus") == NULL);
}

static const check_case cases[] = {
    CASE(one_host_array_in_and_out_waits_once),
    CASE(a_loop_around_tasks_waits_once),
    CASE(three_outputs_gather_and_wait_once),
    CASE(a_result_alone_waits_once),
    CASE(a_result_beside_an_output_waits_once),
    CASE(a_result_not_asked_for_waits_for_nothing),
    CASE(a_host_input_alone_waits_for_nothing),
    CASE(a_pinned_input_alone_is_staged_and_waits_for_nothing),
    CASE(a_pinned_array_of_one_pass_is_used_in_place),
    CASE(a_pinned_array_of_many_passes_is_copied),
    CASE(a_device_loop_waits_once_a_batch),
    CASE(what_follows_a_device_loop_needs_no_barrier),
    CASE(a_condition_that_an_inner_loop_has_waited_for_is_read_at_once_where_it_lies),
    CASE(a_reduction_with_bounds_of_the_device_waits_to_know_them),
    CASE(a_small_array_of_one_pass_lies_in_a_slot),
    CASE(a_small_input_alone_lies_in_a_slot_and_waits_for_nothing),
    CASE(a_small_array_of_many_passes_is_copied),
    CASE(a_small_array_with_updates_is_copied),
    CASE(a_small_output_written_whole_is_not_copied_in),
    CASE(tasks_after_an_early_return_are_behind_the_others_alone),
    CASE(resident_arrays_wait_for_nothing),
    CASE(kept_arrays_wait_for_nothing),
    CASE(an_explicit_stream_queues_its_copies),
    CASE(a_wrapped_stream_queues_its_copies),
    CASE(a_wrapped_stream_forks_and_joins_its_sections),
    CASE(an_explicit_stream_with_resident_arrays_waits_for_nothing),
    CASE(sections_fork_after_uploads_and_join_before_downloads),
    CASE(sections_of_resident_arrays_never_wait_on_the_host),
    CASE(sections_that_touch_the_same_array_keep_source_order),
    CASE(a_section_keeps_scratch_on_its_own_lane),
    CASE(sections_that_sum_into_variables_of_their_own_run_at_the_same_time),
    CASE(sections_that_sum_into_one_variable_keep_source_order),
    CASE(a_section_that_reads_the_sum_of_another_follows_it),
    CASE(tasks_that_sum_into_variables_of_their_own_need_no_barrier),
    CASE(bounds_wait_for_every_variable_because_all_are_copied),
    CASE(the_same_array_twice_is_one_copy),
    CASE(overlapping_arrays_are_one_copy_of_the_union),
    CASE(aliased_resident_arrays_order_their_tasks),
    CASE(apart_resident_arrays_do_not),
    CASE(an_output_overwritten_whole_is_not_copied_in),
    CASE(a_slip_out_array_is_not_copied_in),
    CASE(an_array_that_no_task_touches_does_not_move),
    CASE(the_conservative_policy_waits_after_each_phase),
    CASE(the_conservative_policy_waits_for_resident_arrays),
    CASE(the_conservative_policy_waits_after_uploads_and_tasks),
    CASE(the_conservative_policy_with_sections),
    CASE(the_conservative_policy_orders_no_sections_that_read_one_array),
    CASE(the_conservative_policy_orders_sections_as_written),
    CASE(a_kernel_without_tasks_does_nothing),
    CASE(homes_may_not_mix_in_one_class),
    CASE(the_checker_sees_a_missing_wait),
    CASE(the_checker_sees_a_wait_too_many),
    CASE(equal_inputs_give_equal_plans),
    CASE(every_fact_rests_on_a_clause),
};
CHECK_MAIN(cases)
