/* SPDX-License-Identifier: Apache-2.0 */
/* launch_case.c - devices and calls; see launch_case.h. The kernels are made in case_make.c. */
#include "launch/launch_case.h"

#include <string.h>

#include "base/mem.h"
#include "support/check.h"

/* ---- the device ------------------------------------------------------------------------------ */

/* Plans and code that a run has: freed when it closes. */
static struct kept {
    const case_kernel *kernel;
    char shape[256];
    launch_ops *ops;
} kept_plans[64];
static struct loaded {
    const case_kernel *kernel;
    void *code;
} kept_code[64];
static uint32_t plan_count, code_count;

void case_begin_run(case_run *run, const launcher *family)
{
    *run = (case_run){ .family = family };
    plan_count = code_count = 0;
    CHECK_STATUS(family->open(0, &run->device), SLIP_OK);
    CHECK_STATUS(family->stream_open(run->device, true, &run->counts, &run->stream), SLIP_OK);
}

void case_forget_plans(const case_run *run)
{
    for (uint32_t k = 0; k < plan_count; k++)
        run->family->ops_drop(kept_plans[k].ops);
    plan_count = 0;
}

void case_end_run(case_run *run)
{
    run->family->stream_close(run->stream);
    case_forget_plans(run);
    for (uint32_t k = 0; k < code_count; k++)
        run->family->code_drop(run->device, kept_code[k].code);
    run->family->close(run->device);
    CHECK_EQ_U64(mem_live(), 0);
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct shaping {
    plan_home homes[CASE_MOST];
    uint32_t classes[CASE_MOST], ranges[CASE_MOST];
    bool small[CASE_MOST];
    launch_class found[CASE_MOST];
    launch_array arrays[CASE_MOST];
    uint32_t class_count, array_count, range_count;
    plan_shape shape;
} shaping;

static uint64_t start_of(const case_given *g)
{
    return g->host ? (uint64_t)(uintptr_t)g->host : g->memory->address + g->offset;
}

static plan_home home_of(const case_given *g)
{
    return !g->memory ? PLAN_HOME_UNKNOWN : g->host ? PLAN_HOME_PINNED : PLAN_HOME_RESIDENT;
}

/* Arrays that overlap join the class of the first of them. */
static void find_class(shaping *s, const case_given *given, uint32_t p)
{
    const case_given *g = &given[p];
    uint64_t start = start_of(g), end = start + g->bytes;

    s->classes[p] = MOD_NONE;
    for (uint32_t c = 0; c < s->class_count; c++) {
        launch_class *k = &s->found[c];
        if (k->home != home_of(g) || start >= k->start + k->bytes || end <= k->start)
            continue;
        uint64_t last = end > k->start + k->bytes ? end : k->start + k->bytes;
        if (start < k->start)
            k->memory_offset -= k->memory ? k->start - start : 0;
        k->start = start < k->start ? start : k->start;
        k->bytes = last - k->start;
        s->classes[p] = c;
    }
    if (s->classes[p] == MOD_NONE) {
        s->classes[p] = s->class_count;
        s->found[s->class_count++] = (launch_class){ .home = home_of(g),
                                                     .start = start,
                                                     .bytes = g->bytes,
                                                     .memory = g->memory,
                                                     .memory_offset = g->offset };
    }
    s->ranges[p] = s->range_count++;
    for (uint32_t q = 0; q < p; q++)
        if (s->classes[q] == s->classes[p] && start_of(&given[q]) == start &&
            given[q].bytes == g->bytes)
            s->ranges[p] = s->ranges[q];
}

static void shape_call(shaping *s, const case_run *run, const case_kernel *k,
                       const case_given *given, bool wants_result)
{
    *s = (shaping){ 0 };
    for (uint32_t p = 0; p < k->entry.param_count; p++) {
        s->homes[p] = PLAN_HOME_NONE;
        s->classes[p] = s->ranges[p] = MOD_NONE;
        if (k->params[p].kind != MOD_ARRAY)
            continue;
        s->homes[p] = home_of(&given[p]);
        s->small[p] = given[p].small;
        find_class(s, given, p);
    }
    for (uint32_t p = 0; p < k->entry.param_count; p++)
        if (k->params[p].kind == MOD_ARRAY)
            s->arrays[s->array_count++] =
                (launch_array){ p, s->classes[p],
                                start_of(&given[p]) - s->found[s->classes[p]].start, given[p].bytes,
                                (k->params[p].access & MOD_WRITE) && !k->params[p].is_const };
    s->shape = (plan_shape){ .homes = s->homes,
                             .classes = s->classes,
                             .ranges = s->ranges,
                             .small = s->small,
                             .param_count = k->entry.param_count,
                             .stream = run->kind,
                             .conservative = run->conservative,
                             .wants_result = wants_result };
}

static void drop_order(const case_run *run, plan *p)
{
    uint32_t left = run->drop_order;

    for (uint32_t i = 0; i < p->step_count && left > 0; i++) {
        plan_kind kind = p->steps[i].kind;
        bool orders =
            kind == PLAN_BARRIER || kind == PLAN_FORK || kind == PLAN_JOIN || kind == PLAN_EDGE;
        if (orders && --left == 0)
            p->steps[i].kind = PLAN_RELEASE; /* does nothing */
    }
}

static const launch_ops *ops_of(case_run *run, const case_kernel *k, const shaping *s)
{
    mem_arena arena = { 0 };
    char key[256] = { 0 };
    plan *p = NULL;
    size_t used = 0;

    for (uint32_t a = 0; a < k->entry.param_count && used + 4 < sizeof key; a++) {
        key[used++] = (char)('a' + s->homes[a]);
        key[used++] = (char)('0' + (s->classes[a] & 31));
        key[used++] = (char)('0' + (s->ranges[a] & 31));
        key[used++] = (char)('a' + s->small[a]);
    }
    key[sizeof key - 2] =
        (char)(1 + s->shape.wants_result + 2 * s->shape.conservative + 4 * (int)s->shape.stream);
    for (uint32_t i = 0; i < plan_count; i++)
        if (kept_plans[i].kernel == k && memcmp(kept_plans[i].shape, key, sizeof key) == 0)
            return kept_plans[i].ops;
    CHECK(plan_count < 64);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(plan_make(&arena, &k->entry, &s->shape, run->family->facts(run->device), &p),
                 SLIP_OK);
    drop_order(run, p);
    kept_plans[plan_count].kernel = k;
    memcpy(kept_plans[plan_count].shape, key, sizeof key);
    CHECK_STATUS(run->family->ops_make(p, &k->entry, &kept_plans[plan_count].ops), SLIP_OK);
    mem_arena_finish(&arena);
    return kept_plans[plan_count++].ops;
}

/* Not under a fault that a test has ordered. */
void case_load(case_run *run, case_kernel *k, void **out_code)
{
    for (uint32_t i = 0; i < code_count; i++)
        if (kept_code[i].kernel == k) {
            *out_code = kept_code[i].code;
            return;
        }
    CHECK(code_count < 64);
    k->code.size = k->code.shader_count * sizeof k->words[0];
    CHECK_STATUS(run->family->code_load(run->device, &k->module, &k->code, out_code), SLIP_OK);
    kept_code[code_count].kernel = k;
    kept_code[code_count++].code = *out_code;
}

void case_prepare(case_run *run, case_kernel *k, const case_given *given, bool wants_result)
{
    void *code = NULL;
    shaping s;

    shape_call(&s, run, k, given, wants_result);
    ops_of(run, k, &s);
    case_load(run, k, &code);
}

slip_status case_call(case_run *run, case_kernel *k, const case_given *given, void *result)
{
    uint64_t slots[CASE_SLOTS] = { 0 }, args[CASE_MOST] = { 0 };
    shaping s;
    launch_call call = { .name = k->entry.name, .result = result, .record = run->record };

    for (uint32_t p = 0; p < k->entry.param_count; p++)
        args[p] = k->params[p].kind == MOD_ARRAY ? start_of(&given[p]) : given[p].scalar;
    shape_call(&s, run, k, given, result != NULL);
    call.program = (program_state){ &k->module, &k->entry, slots, args };
    program_begin(&call.program);
    for (uint32_t p = 0; p < k->entry.param_count; p++)
        if (k->params[p].kind == MOD_ARRAY && given[p].memory)
            slots[p] = given[p].memory->address + given[p].offset;
    call.ops = ops_of(run, k, &s);
    case_load(run, k, &call.code);
    call.classes = s.found;
    call.class_count = s.class_count;
    call.arrays = s.arrays;
    call.array_count = s.array_count;
    if (run->around)
        run->around(run, true);
    slip_status status = run->family->perform(run->stream, &call);
    if (run->between)
        run->between(run);
    if (call.rest)
        status = run->family->finish(run->stream, call.rest);
    if (run->around)
        run->around(run, false);
    return status;
}
