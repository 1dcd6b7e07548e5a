/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_text.c - a plan as people read it: arrays, steps with reasons, and what was left out and
 * why.
 *
 * The same text serves `slipway explain`, golden tests and bug reports, so it depends on nothing
 * but the plan, the entry, the shape and the facts.
 */
#include "plan/plan_words.h"

static void print_variables(text *out, const mod_entry *entry)
{
    for (uint32_t k = 0; k < entry->variable_count; k++) {
        const mod_variable *v = &entry->variables[k];
        bool has_place = v->at != MOD_NONE;

        text_add(out, "variable %s: %s, ", v->name, v->type);
        if (v->kind == MOD_LAUNCH_VARIABLE)
            text_add(out, "launch%s\n", has_place ? "" : ", part of what uses it");
        else if (has_place)
            text_add(out, "device, at byte %u of the launch's cells\n", v->at);
        else
            text_add(out, "device, in one task\n");
    }
}

static void print_steps(text *out, const plan *p, uint32_t first, uint32_t end, int depth,
                        const mod_entry *entry, const plan_shape *shape)
{
    for (uint32_t i = first; i < end; i++) {
        const plan_step *s = &p->steps[i];

        text_add(out, "%4u  %*s", i, depth * 2, "");
        plan_step_words(out, s, entry, shape);
        if (s->reason != PLAN_REASON_PROGRAM)
            text_add(out, "  ");
        plan_reason_words(out, s, entry, shape);
        text_add(out, "\n");
        if (s->kind == PLAN_IF && s->other > i + 1)
            print_steps(out, p, i + 1, s->other, depth + 1, entry, shape);
        if (s->kind == PLAN_IF && s->end > s->other) {
            text_add(out, "      %*selse\n", depth * 2, "");
            print_steps(out, p, s->other, s->end, depth + 1, entry, shape);
        }
        if (s->kind == PLAN_LOOP || s->kind == PLAN_DEVICE_LOOP)
            print_steps(out, p, i + 1, s->end, depth + 1, entry, shape);
        if (s->kind == PLAN_IF || s->kind == PLAN_LOOP || s->kind == PLAN_DEVICE_LOOP)
            i = s->end - 1;
    }
}

static void print_omissions(text *out, const plan *p, const mod_entry *entry,
                            const plan_shape *shape, const plan_facts *facts)
{
    if (p->omission_count > 0)
        text_add(out, "left out\n");
    for (uint32_t i = 0; i < p->omission_count; i++) {
        const plan_omission *o = &p->omissions[i];

        text_add(out, "      ");
        plan_omission_words(out, o, entry, shape);
        if (o->fact != PLAN_FACT_COUNT)
            text_add(out, "  [%s: %s]", plan_fact_rows[o->fact].name, facts->source[o->fact]);
        text_add(out, "\n");
    }
}

void plan_print(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
                const plan_facts *facts)
{
    plan_title_words(out, p, entry, shape, facts);
    text_add(out, "\n");
    plan_assumed_words(out, p);
    text_add(out, "\n");
    for (uint32_t a = 0; a < shape->param_count; a++)
        if (shape->classes[a] != MOD_NONE)
            text_add(out, "array %s: %s, class %u\n", entry->params[a].name,
                     plan_home_words(shape->homes[a]), shape->classes[a]);
    print_variables(out, entry);
    print_steps(out, p, 0, p->step_count, 0, entry, shape);
    print_omissions(out, p, entry, shape, facts);
    if (shape->stream == PLAN_WRAPPED_STREAM && facts->family == PLAN_FAMILY_STREAM) {
        plan_capture_words(out, p, entry, shape);
        text_add(out, "\n");
    }
}
