/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_words.c - what a plan's steps, reasons and omissions are called. The layouts are
 * plan_text.c's and plan_svg.c's.
 */
#include "plan/plan_words.h"

#include "plan/cells.h"

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
        return "blocking, a host wait";
    case PLAN_MOVE_STAGED:
        return "staged";
    case PLAN_MOVE_DIRECT:
        return "direct";
    case PLAN_MOVE_MAPPED:
        return "in a slot that tasks use";
    }
    return "";
}

const char *plan_home_words(plan_home home)
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

/* What plan_step.array means. */
static const char *array_name(const mod_entry *entry, uint32_t array)
{
    if (array < entry->param_count)
        return entry->params[array].name;
    if (array < entry->param_count + entry->scratch_count)
        return entry->scratch[array - entry->param_count].name;
    const char *variable =
        plan_cells_name(entry, array - entry->param_count - entry->scratch_count);
    return variable ? variable : "the kernel's variables";
}

/* The arrays of an alias class: "u" or "a, b". */
static void class_words(text *out, const mod_entry *entry, const plan_shape *shape, uint32_t class)
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

static bool is_cells(const mod_entry *entry, uint32_t array)
{
    return array >= entry->param_count + entry->scratch_count;
}

static void add_pair(text *out, const plan_step *s, uint32_t earlier, const char *of,
                     const mod_entry *entry, const plan_shape *shape)
{
    text_add(out, "%s%s and %s touch ", entry->tasks[earlier].name, of,
             entry->tasks[s->because[1]].name);
    if (!plan_shared_words(out, earlier, s->because[1], entry, shape))
        text_add(out, "%s", array_name(entry, s->array));
}

/* The tasks that the step orders: "a and b touch next; c of the pass before and b touch u". */
static void add_pairs(text *out, const plan_step *s, const char *lead, const mod_entry *entry,
                      const plan_shape *shape)
{
    if (s->because[0] != MOD_NONE) {
        text_add(out, "%s", lead);
        add_pair(out, s, s->because[0], "", entry, shape);
        lead = "; ";
    }
    if (s->again != MOD_NONE) {
        text_add(out, "%s", lead);
        add_pair(out, s, s->again, " of the pass before", entry, shape);
    }
}

void plan_reason_words(text *out, const plan_step *s, const mod_entry *entry,
                       const plan_shape *shape)
{
    switch (s->reason) {
    case PLAN_REASON_PROGRAM:
        break;
    case PLAN_REASON_READS:
        text_add(out, "because a task may read it");
        break;
    case PLAN_REASON_PARTLY:
        text_add(out, "because a task may write only part of it");
        break;
    case PLAN_REASON_WRITTEN:
        text_add(out, "because a task may have written it");
        break;
    case PLAN_REASON_CONFLICT:
        add_pairs(out, s, "because ", entry, shape);
        break;
    case PLAN_REASON_MOVED:
        if (s->because[1] == MOD_NONE) {
            text_add(out, "because copies read what tasks wrote");
            break;
        }
        text_add(out, "because %s touches %s, %s before", entry->tasks[s->because[1]].name,
                 array_name(entry, s->array), is_cells(entry, s->array) ? "zeroed" : "copied");
        add_pairs(out, s, "; ", entry, shape);
        break;
    case PLAN_REASON_COMPLETE:
        text_add(out, "because what the host gave is complete on return");
        break;
    case PLAN_REASON_IN_PLACE:
        text_add(out, "because the device may still use the caller's memory");
        break;
    case PLAN_REASON_POLL:
        text_add(out, "because the host reads the loop's condition");
        break;
    case PLAN_REASON_BOUNDS:
        text_add(out, "because the host must know how far %s goes",
                 entry->tasks[s->because[1]].name);
        break;
    case PLAN_REASON_SECTIONS:
        text_add(out, "because sections begin after and end before their neighbours");
        break;
    case PLAN_REASON_ENTRY:
        text_add(out, "because earlier calls on this stream may still run");
        add_pairs(out, s, "; ", entry, shape);
        break;
    case PLAN_REASON_CONSERVATIVE:
        text_add(out, "because %s",
                 shape->conservative ? "the policy is conservative"
                                     : "copies_join_submission is switched off");
        break;
    case PLAN_REASON_BEHIND:
        text_add(out, "because what uses it next is queued behind");
        break;
    case PLAN_REASON_SLOT:
        text_add(out, "because it is used again only once the device is known to be done with it");
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
        text_add(out, " the kernel's variables%s%s", s->kind == PLAN_SCRATCH ? ", zeroed" : "",
                 s->move == PLAN_MOVE_MAPPED ? " by the host" : "");
    else
        text_add(out, " %s", entry->scratch[s->index].name);
}

void plan_step_words(text *out, const plan_step *s, const mod_entry *entry, const plan_shape *shape)
{
    text_add(out, "%s", kind_words[s->kind]);
    switch (s->kind) {
    case PLAN_EVAL:
        text_add(out, " %u instruction%s", entry->nodes[s->node].count,
                 entry->nodes[s->node].count == 1 ? "" : "s");
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
            class_words(out, entry, shape, s->index);
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

void plan_omission_words(text *out, const plan_omission *o, const mod_entry *entry,
                         const plan_shape *shape)
{
    text_add(out, "%s", kind_words[o->kind]);
    if (o->index != MOD_NONE) {
        text_add(out, " ");
        class_words(out, entry, shape, o->index);
    }
    text_add(out, o->kind == PLAN_HOST_WAIT ? " %s" : ": %s", o->text);
}

/* Partial results lie in memory of the stream's own, which a later replay would not have. */
static const mod_task *first_reduction(const mod_entry *entry)
{
    for (uint32_t t = 0; t < entry->task_count; t++)
        if (entry->tasks[t].reduce_count > 0)
            return &entry->tasks[t];
    return NULL;
}

void plan_capture_words(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape)
{
    const plan_step *step = plan_uncapturable(p);
    const mod_task *reduction = first_reduction(entry);

    text_add(out, "while the stream is captured into a graph: ");
    if (step) {
        text_add(out, "refused, because of ");
        plan_step_words(out, step, entry, shape);
    } else if (reduction) {
        text_add(out, "refused, because of memory for partial results of %s", reduction->name);
    } else {
        text_add(out, "the call becomes part of it");
    }
}

void plan_title_words(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
                      const plan_facts *facts)
{
    text_add(out, "plan of %s on %s, %s%s: %u step%s, %u lane%s, %u host wait%s", entry->name,
             facts->name, stream_words(shape->stream), shape->conservative ? ", conservative" : "",
             p->step_count, p->step_count == 1 ? "" : "s", p->lane_count,
             p->lane_count == 1 ? "" : "s", p->host_waits, p->host_waits == 1 ? "" : "s");
}

void plan_assumed_words(text *out, const plan *p)
{
    text_add(out, "assumed: no range or loop is empty%s",
             p->class_count > 1 ? "; arrays of different classes do not overlap" : "");
}
