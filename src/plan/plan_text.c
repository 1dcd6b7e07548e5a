/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_text.c - a plan as people read it: arrays, steps with reasons, and what was left out and
 * why.
 *
 * The same text serves `slipway explain`, golden tests and bug reports, so it depends on nothing
 * but the plan, the entry, the shape and the facts.
 */
#include "plan/plan.h"

static const char *const kind_words[PLAN_KIND_COUNT] = {
#define PLAN_KIND_WORD_(name, word) word,
    PLAN_KINDS(PLAN_KIND_WORD_)
#undef PLAN_KIND_WORD_
};

static const char *move_word(plan_move move)
{
    switch (move) {
    case PLAN_MOVE_NONE:
        return "";
    case PLAN_MOVE_IN_PLACE:
        return "in place";
    case PLAN_MOVE_BLOCKING:
        return "blocking";
    case PLAN_MOVE_STAGED:
        return "staged";
    case PLAN_MOVE_DIRECT:
        return "direct";
    case PLAN_MOVE_MAPPED:
        return "in a slot that tasks use";
    }
    return "";
}

static const char *home_words(plan_home home)
{
    switch (home) {
    case PLAN_HOME_UNKNOWN:
        return "unknown host memory";
    case PLAN_HOME_PINNED:
        return "pinned host memory";
    case PLAN_HOME_KEPT:
        return "kept, mirrored on the device";
    case PLAN_HOME_RESIDENT:
        return "device memory";
    case PLAN_HOME_NONE:
        return "no array";
    }
    return "";
}

static const char *stream_words(plan_stream_kind kind)
{
    switch (kind) {
    case PLAN_DEFAULT_STREAM:
        return "default stream";
    case PLAN_EXPLICIT_STREAM:
        return "explicit stream";
    case PLAN_WRAPPED_STREAM:
        return "wrapped stream";
    }
    return "";
}

/* An array by its number in the module's order. */
static const char *array_name(const mod_entry *entry, uint32_t array)
{
    if (array < entry->param_count)
        return entry->params[array].name;
    if (array < entry->param_count + entry->scratch_count)
        return entry->scratch[array - entry->param_count].name;
    return "the kernel's variables";
}

/* The arrays of an alias class: "u" or "a, b". */
static void add_class(text *out, const mod_entry *entry, const plan_shape *shape, uint32_t class)
{
    const char *between = "";

    if (class == MOD_NONE) {
        text_add(out, "the result");
        return;
    }
    for (uint32_t p = 0; p < shape->param_count; p++) {
        if (shape->classes[p] != class)
            continue;
        text_add(out, "%s%s", between, entry->params[p].name);
        between = ", ";
    }
}

static void add_reason(text *out, const plan_step *s, const mod_entry *entry)
{
    switch (s->reason) {
    case PLAN_REASON_PROGRAM:
        break;
    case PLAN_REASON_READS:
        text_add(out, "  because a task may read it");
        break;
    case PLAN_REASON_PARTLY:
        text_add(out, "  because a task may write only part of it");
        break;
    case PLAN_REASON_WRITTEN:
        text_add(out, "  because a task may have written it");
        break;
    case PLAN_REASON_CONFLICT:
        text_add(out, "  because %s and %s touch %s", entry->tasks[s->because[0]].name,
                 entry->tasks[s->because[1]].name, array_name(entry, s->array));
        break;
    case PLAN_REASON_MOVED:
        if (s->array != MOD_NONE)
            text_add(out, "  because %s touches %s, which was copied",
                     entry->tasks[s->because[1]].name, array_name(entry, s->array));
        else
            text_add(out, "  because copies read what tasks wrote");
        break;
    case PLAN_REASON_COMPLETE:
        text_add(out, "  because what the host gave is complete on return");
        break;
    case PLAN_REASON_IN_PLACE:
        text_add(out, "  because the device may still use the caller's memory");
        break;
    case PLAN_REASON_POLL:
        text_add(out, "  because the host reads the loop's condition");
        break;
    case PLAN_REASON_BOUNDS:
        text_add(out, "  because the host must know how far %s goes",
                 entry->tasks[s->because[1]].name);
        break;
    case PLAN_REASON_SECTIONS:
        text_add(out, "  because sections begin after and end before their neighbours");
        break;
    case PLAN_REASON_ENTRY:
        text_add(out, "  because earlier calls on this stream may still run");
        break;
    case PLAN_REASON_CONSERVATIVE:
        text_add(out, "  because the policy is conservative");
        break;
    }
}

static uint32_t line_of(const mod_entry *entry, const plan_step *s)
{
    return s->node == MOD_NONE ? 0 : entry->nodes[s->node].place.line;
}

static void add_scratch(text *out, const plan_step *s, const mod_entry *entry)
{
    if (s->index == entry->scratch_count)
        text_add(out, " the kernel's variables, zeroed%s",
                 s->move == PLAN_MOVE_MAPPED ? " by the host" : "");
    else
        text_add(out, " %s", entry->scratch[s->index].name);
}

static void add_body(text *out, const plan_step *s, const mod_entry *entry, const plan_shape *shape)
{
    switch (s->kind) {
    case PLAN_EVAL:
        text_add(out, " %u instructions", entry->nodes[s->node].count);
        break;
    case PLAN_IF:
    case PLAN_LOOP:
    case PLAN_DEVICE_LOOP:
    case PLAN_BREAK:
    case PLAN_CONTINUE:
    case PLAN_RETURN:
        if (line_of(entry, s) > 0)
            text_add(out, " at line %u", line_of(entry, s));
        break;
    case PLAN_SCRATCH:
    case PLAN_RELEASE:
        add_scratch(out, s, entry);
        break;
    case PLAN_UPLOAD:
    case PLAN_DOWNLOAD:
    case PLAN_UNSTAGE:
        text_add(out, " ");
        if (s->node == MOD_NONE)
            add_class(out, entry, shape, s->index);
        else if (entry->nodes[s->node].kind == MOD_TASK)
            text_add(out, "the bounds of %s", entry->tasks[entry->nodes[s->node].first].name);
        else
            text_add(out, "the condition of the loop at line %u", line_of(entry, s));
        if (s->move != PLAN_MOVE_NONE)
            text_add(out, ", %s", move_word(s->move));
        break;
    case PLAN_TASK:
        text_add(out, " %s", entry->tasks[s->index].name);
        break;
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        text_add(out, " lane %u after lane %u", s->lane, s->from);
        break;
    case PLAN_BARRIER:
    case PLAN_SUBMIT:
    case PLAN_HOST_WAIT:
    case PLAN_KIND_COUNT:
        break;
    }
    if (s->lane > 0 && s->kind != PLAN_FORK && s->kind != PLAN_EDGE)
        text_add(out, "  on lane %u", s->lane);
}

static void print_variables(text *out, const mod_entry *entry)
{
    for (uint32_t k = 0; k < entry->variable_count; k++) {
        const mod_variable *v = &entry->variables[k];
        bool has_place = v->at != MOD_NONE;

        text_add(out, "variable %s: %s, ", v->name, v->type);
        if (v->kind == MOD_LAUNCH_VARIABLE)
            text_add(out, "launch%s\n", has_place ? "" : ", part of what uses it");
        else if (has_place)
            text_add(out, "device, at byte %u\n", v->at);
        else
            text_add(out, "device, in one task\n");
    }
}

static void print_steps(text *out, const plan *p, uint32_t first, uint32_t end, int depth,
                        const mod_entry *entry, const plan_shape *shape)
{
    for (uint32_t i = first; i < end; i++) {
        const plan_step *s = &p->steps[i];

        text_add(out, "%4u  %*s%s", i, depth * 2, "", kind_words[s->kind]);
        add_body(out, s, entry, shape);
        add_reason(out, s, entry);
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

        text_add(out, "      %s", kind_words[o->kind]);
        if (o->index != MOD_NONE) {
            text_add(out, " ");
            add_class(out, entry, shape, o->index);
        }
        if (o->kind == PLAN_HOST_WAIT)
            text_add(out, " %s", o->text);
        else
            text_add(out, ": %s", o->text);
        if (o->fact != PLAN_FACT_COUNT)
            text_add(out, "  [%s: %s]", plan_fact_rows[o->fact].name, facts->source[o->fact]);
        text_add(out, "\n");
    }
}

void plan_print(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
                const plan_facts *facts)
{
    text_add(out, "plan of %s on %s, %s%s: %u step%s, %u lane%s, %u host wait%s\n", entry->name,
             facts->name, stream_words(shape->stream), shape->conservative ? ", conservative" : "",
             p->step_count, p->step_count == 1 ? "" : "s", p->lane_count,
             p->lane_count == 1 ? "" : "s", p->host_waits, p->host_waits == 1 ? "" : "s");
    for (uint32_t a = 0; a < shape->param_count; a++)
        if (shape->classes[a] != MOD_NONE)
            text_add(out, "array %s: %s, class %u\n", entry->params[a].name,
                     home_words(shape->homes[a]), shape->classes[a]);
    print_variables(out, entry);
    print_steps(out, p, 0, p->step_count, 0, entry, shape);
    print_omissions(out, p, entry, shape, facts);
}
