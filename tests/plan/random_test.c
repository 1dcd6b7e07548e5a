/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_test.c - random programs, homes and streams: every plan is right and each of its waits
 * needed.
 *
 * Where sections have lanes, two shapes are let off minimality: a program with several sections
 * regions may join a lane that its next region would have joined later, and one in which the host
 * waits in the midst, on lanes, may have ordered what that wait orders. Such waits are counted and
 * printed.
 *
 * The planner places waits from conflicts while it walks a program; the checker expands the plan
 * that came out and knows nothing of how. That the two agree over many programs is the proof of
 * both.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/check.h"
#include "plan/entry.h"
#include "support/check.h"

static uint64_t state;
static bool with_device_loops;

static uint32_t pick(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % below);
}

static void add_tasks(text *out, int depth, bool in_sections, bool in_loop)
{
    static const char *const arrays[] = { "a", "b", "c", "s", "t" };
    static const char *const access[] = { "r", "w", "rw", "u" };
    uint32_t count = 1 + pick(3);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = depth < 3 ? pick(10) : 9;
        if (kind == 0) {
            text_add(out, "loop { ");
            add_tasks(out, depth + 1, in_sections, true);
            text_add(out, "} ");
        } else if (kind == 1) {
            text_add(out, "if { ");
            add_tasks(out, depth + 1, in_sections, in_loop);
            text_add(out, "%s} else { ", !in_sections && pick(4) == 0 ? "return " : "");
            if (pick(2))
                add_tasks(out, depth + 1, in_sections, in_loop);
            text_add(out, "} ");
        } else if (kind == 4 && with_device_loops) {
            text_add(out, pick(2) ? "device { " : "device%u { ", pick(4));
            add_tasks(out, depth + 1, in_sections, false);
            text_add(out, "cond cell%s=rw } ", pick(2) ? "s" : "0");
        } else if (kind <= 3 && !in_sections) {
            text_add(out, "sections { ");
            for (uint32_t s = 0, n = 1 + pick(4); s < n; s++) {
                text_add(out, "section { ");
                add_tasks(out, depth + 1, true, false);
                text_add(out, "} ");
            }
            text_add(out, "} ");
        } else {
            if (in_loop && pick(6) == 0)
                text_add(out, "break? ");
            bool bounded = with_device_loops && pick(12) == 0;
            text_add(out, "%stask%u %s", bounded ? "setter cells=w " : "", pick(100),
                     bounded ? "bounds=cells " : "");
            for (uint32_t k = 0, first = pick(5), n = 1 + pick(2); k < n; k++)
                text_add(out, "%s=%s ", arrays[(first + k) % 5], access[pick(4)]);
            if (pick(3) == 0)
                text_add(out, "cell%u=%s ", pick(4), access[pick(4)]);
        }
    }
}

/* What the whole kernel does to a parameter is the union of what its tasks do. */
static void settle_access(mod_entry *entry)
{
    mod_param *params = (mod_param *)entry->params;

    for (uint32_t p = 0; p < entry->param_count; p++)
        params[p].access &= MOD_SINGLE | MOD_COVERS;
    for (uint32_t t = 0; t < entry->task_count; t++)
        for (uint32_t i = 0; i < entry->tasks[t].access_count; i++)
            if (entry->tasks[t].accesses[i].array < entry->param_count)
                params[entry->tasks[t].accesses[i].array].access |=
                    entry->tasks[t].accesses[i].flags;
}

static uint32_t count_word(const char *in, const char *word)
{
    uint32_t count = 0;

    for (const char *at = in; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

static void check_program(mem_arena *arena, uint64_t seed, const plan_facts *facts,
                          uint64_t counts[5])
{
    static const char *const homes[] = { "hhh", "ppp", "ddd",   "hdh", "h0d", "d=0h",
                                         "hpd", "kkh", "p=0=0", "sss", "shd", "s=0d" };
    static const char *const streams[] = { "", "explicit", "", "wrapped" };
    text program = { 0 }, told = { 0 };
    char shape_text[64];

    state = seed * 0x9e3779b97f4a7c15u + 1;
    const char *single = pick(2) ? "s" : "";
    text_add(&program, "a:rw%s b:rw%s c:rw%s %s| take s take t ", single, single, single,
             pick(3) == 0 ? "result " : "");
    with_device_loops = facts->family != PLAN_FAMILY_CPU;
    add_tasks(&program, 0, false, false);
    snprintf(shape_text, sizeof shape_text, "%s %s %s %s", homes[pick(12)], streams[pick(4)],
             pick(2) ? "result" : "", pick(4) == 0 ? "conservative" : "");
    mod_entry *entry = entry_of(arena, text_get(&program));
    settle_access(entry);
    plan_shape *shape = shape_of(arena, entry, shape_text);
    plan *p;
    plan_proof proof;
    CHECK_STATUS(plan_make(arena, entry, shape, facts, &p), SLIP_OK);
    plan_check(arena, p, entry, shape, facts, &proof, &told);
    const char *written = text_get(&program);
    bool waits = count_word(written, "device") + count_word(written, "bounds") > 0;
    bool minimal_shape = facts->max_lanes == 1 || count_word(written, "sections") == 0 ||
                         (count_word(written, "sections") == 1 && !waits);
    bool good =
        proof.right && proof.right_without_conservative && (proof.minimal || !minimal_shape);
    counts[4] += minimal_shape ? 0 : proof.waits - proof.needed;
    if (!good) {
        plan_print(&told, p, entry, shape, facts);
        CHECK_FAIL("seed %" PRIu64
                   " %s: %s [%s]: right %d, minimal %d, without conservative %d\n%s",
                   seed, facts->name, text_get(&program), shape_text, proof.right, proof.minimal,
                   proof.right_without_conservative, text_get(&told));
    }
    counts[0]++;
    counts[1] += proof.waits;
    counts[2] += proof.pairs;
    counts[3] += proof.needed;
    text_finish(&program);
    text_finish(&told);
}

static void check_many(const plan_facts *facts)
{
    uint64_t counts[5] = { 0 };
    mem_arena arena = { 0 };
    const char *rounds = getenv("SLIPWAY_PLAN_ROUNDS");
    uint64_t most = rounds ? strtoull(rounds, NULL, 10) : 150;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    size_t mark = arena.used;
    for (uint64_t seed = 1; seed <= most; seed++) {
        check_program(&arena, seed, facts, counts);
        mem_arena_rewind(&arena, mark);
    }
    printf("%s: %" PRIu64 " plans, %" PRIu64 " waits and edges, %" PRIu64
           " conflicting pairs, %" PRIu64 " removals detected; waits that a later sections region "
           "or a wait in the midst makes unneeded: %" PRIu64 "\n",
           facts->name, counts[0], counts[1], counts[2], counts[3], counts[4]);
    mem_arena_finish(&arena);
}

static void random_plans_of_the_cpu_are_right_and_minimal(void)
{
    check_many(facts_of(0));
}
static void random_plans_of_cuda_are_right_and_minimal(void)
{
    check_many(facts_of(1));
}
static void random_plans_of_hip_are_right_and_minimal(void)
{
    check_many(facts_of(2));
}
static void random_plans_of_vulkan_are_right_and_minimal(void)
{
    check_many(facts_of(3));
}
static void random_plans_of_mapped_vulkan_are_right_and_minimal(void)
{
    check_many(facts_of(4));
}

static const check_case cases[] = {
    CASE(random_plans_of_the_cpu_are_right_and_minimal),
    CASE(random_plans_of_cuda_are_right_and_minimal),
    CASE(random_plans_of_hip_are_right_and_minimal),
    CASE(random_plans_of_vulkan_are_right_and_minimal),
    CASE(random_plans_of_mapped_vulkan_are_right_and_minimal),
};
CHECK_MAIN(cases)
