/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_capture.c - streams that other code captures into a graph: what is queued on one runs when
 * the graph does, later and as often as that is launched.
 *
 * So only what a later run finds as it was may be captured: tasks on memory of the device, and
 * order between them. Memory of calls, copies and waits are refused before anything is queued, and
 * without a driver call that would end the capture.
 */
#include "launch/lanes_parts.h"

static slip_status ask_driver(const lanes_stream *s, bool *out)
{
    return s->device->driver->stream_captured(s->device->self, s->lanes[0].self, out);
}

static slip_status ask(lanes_stream *s, bool *out)
{
    *out = false;
    return s->foreign ? lanes_told(s, ask_driver(s, out)) : SLIP_OK;
}

bool lanes_is_captured(lanes_stream *s)
{
    slip_error before = *fail_last();
    bool captured = false;

    if (s->foreign && lanes_device_told(s->device, 0, ask_driver(s, &captured)) != SLIP_OK)
        fail_restore(&before);
    return captured;
}

slip_status lanes_check_free(lanes_stream *s, const char *what)
{
    bool captured = false;

    SLIP_TRY(ask(s, &captured));
    if (captured)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "the stream is being captured into a graph, which cannot hold %s; do that "
                         "before the capture or after it",
                         what);
    return SLIP_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The name of an array of the class. */
static const char *array_of(const lanes_call *c, uint32_t class)
{
    const launch_call *call = c->call;

    for (uint32_t k = 0; k < call->array_count; k++)
        if (call->arrays[k].class == class)
            return call->program.entry->params[call->arrays[k].param].name;
    return "an array";
}

static slip_status refuse(const lanes_call *c, const char *what, const char *name)
{
    return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                     "the stream is being captured into a graph, and %s needs %s%s%s%s; only calls "
                     "whose arrays are in device memory and that take no memory of their own can "
                     "be captured",
                     c->call->name, what, name ? " `" : "", name ? name : "", name ? "`" : "");
}

static slip_status refuse_step(const lanes_call *c, const plan_step *step)
{
    bool copies = step->kind == PLAN_DOWNLOAD || step->kind == PLAN_UNSTAGE;

    if (step->kind == PLAN_UPLOAD)
        return refuse(c, "a copy to the device of", array_of(c, step->index));
    if (copies && step->index != MOD_NONE)
        return refuse(c, "a copy to the host of", array_of(c, step->index));
    if (copies && step->node == MOD_NONE)
        return refuse(c, "a copy of its result to the host", NULL);
    if (copies || step->kind == PLAN_DEVICE_LOOP)
        return refuse(c, "a value of the device's that the host decides by", NULL);
    return refuse(c, step->kind == PLAN_SCRATCH ? "memory of the launch" : "a wait of the host",
                  NULL);
}

/* What a plan does not know: that a task's parameters go by way of pinned memory, or partial
 * results lie in the lane's. */
static slip_status check_tasks(const lanes_call *c)
{
    const lanes_loaded *loaded = c->call->code;
    const mod_entry *entry = c->call->program.entry;

    for (uint32_t t = 0; t < entry->task_count; t++) {
        const mod_symbol *symbol = &loaded->code->symbols[c->call->first_symbol + t];
        if (symbol->finish != MOD_NONE)
            return refuse(c, "memory for partial results of task", entry->tasks[t].name);
        if (!loaded->code->shaders[symbol->main].inline_block)
            return refuse(c, "pinned memory for the parameters of task", entry->tasks[t].name);
    }
    return SLIP_OK;
}

slip_status lanes_check_call(lanes_call *c)
{
    SLIP_TRY(ask(c->stream, &c->captured));
    if (!c->captured)
        return SLIP_OK;
    if (c->ops->uncapturable.kind != PLAN_KIND_COUNT)
        return refuse_step(c, &c->ops->uncapturable);
    return c->call->program.entry->task_count > 0 ? check_tasks(c) : SLIP_OK;
}
