/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify.c - is the module well-formed? Structure here, types in verify_op.c.
 *
 * Runs between passes and after the parser, so it takes any module that hangs together, however
 * wrong its ops. Must never change the module but for the ops' numbers.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "ir/launch.h"
#include "ir/verify.h"

/* Where an op stands: what is around its region, up to the function's body. */
typedef struct scope {
    const struct scope *up;
    const ir_op *owner; /* NULL: body or extent */
    uint32_t region;
} scope;

void verify_fail(verifier *v, const ir_op *op, const char *rule, ...)
{
    char what[120];
    text line = { 0 };
    va_list args;

    if (v->status != SLIP_OK)
        return;
    va_start(args, rule);
    int length = vsnprintf(what, sizeof what, rule, args);
    va_end(args);
    if (op)
        ir_print_op(&line, op);
    v->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "%s; in %s: `%s`", length < 0 ? "" : what,
                          v->func ? v->func->name : "the module", text_get(&line));
    text_finish(&line);
}

static bool ends(const ir_op *op)
{
    return (ir_codes[op->code].flags & IR_EXIT) != 0;
}

static bool is_level(const ir_op *op)
{
    return op->code == IR_loop || op->code == IR_block;
}

/* Runs before ids are given: nothing here may follow an input or print an op. */
static bool check_links(verifier *v, const ir_region *r, const ir_op *owner, uint32_t depth)
{
    const ir_op *prev = NULL;

    if (depth > IR_MAX_DEPTH)
        verify_fail(v, NULL, "regions nest at most %d deep", IR_MAX_DEPTH);
    if (r->owner != owner)
        verify_fail(v, NULL, "a region's owner is the op that holds it");
    for (const ir_op *op = r->first; op && v->status == SLIP_OK; prev = op, op = op->next) {
        if (op->parent != r || op->prev != prev)
            verify_fail(v, NULL, "an op (%s) is linked to its region and neighbours",
                        ir_codes[op->code].name);
        if (!op->type)
            verify_fail(v, NULL, "an op (%s) has a type", ir_codes[op->code].name);
        for (uint32_t i = 0; i < op->in_count; i++)
            if (!op->in[i])
                verify_fail(v, NULL, "an input of %s is missing", ir_codes[op->code].name);
        for (uint32_t i = 0; i < op->region_count && v->status == SLIP_OK; i++)
            check_links(v, op->regions[i], op, depth + 1);
    }
    if (v->status == SLIP_OK && r->last != prev)
        verify_fail(v, NULL, "a region's last op is the end of its list");
    return v->status == SLIP_OK;
}

static void check_counts(verifier *v, const ir_op *op)
{
    const ir_code_row *row = &ir_codes[op->code];

    if (row->inputs != IR_ANY && op->in_count != row->inputs)
        verify_fail(v, op, "%s takes %d inputs, not %" PRIu32, row->name, row->inputs,
                    op->in_count);
    if (row->regions != IR_ANY && op->region_count != row->regions)
        verify_fail(v, op, "%s holds %d regions, not %" PRIu32, row->name, row->regions,
                    op->region_count);
    if (op->code == IR_switch && op->region_count == 0)
        verify_fail(v, op, "a switch has a default");
    if (op->code == IR_param || op->code == IR_arg)
        verify_fail(v, op, "%s stands in no region", row->name);
}

static void check_inputs_visible(verifier *v, const ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        if (op->in[i]->id >= v->id_count || v->visible[op->in[i]->id] != op->in[i])
            verify_fail(v, op, "a value is used below and after it is made: %%%" PRIu32 " is not",
                        op->in[i]->id);
}

/* Does a yield belong at the end of this region? Then its value's type; void: no value at all. */
static const ir_type *yielded_type(const scope *s)
{
    if (!s->owner)
        return NULL;
    return s->owner->code == IR_if || s->owner->code == IR_update ? s->owner->type : NULL;
}

static void check_yield(verifier *v, const ir_op *op, const scope *s, bool extent)
{
    const ir_type *wanted = yielded_type(s);
    bool valued = wanted && wanted->kind != IR_VOID;

    if (extent && !s->owner) {
        if (op->in_count != 1 || !ir_is_scalar(op->in[0]->type, SCALAR_i64))
            verify_fail(v, op, "an extent yields an i64");
    } else if (!valued) {
        verify_fail(v, op, "yield ends a region that gives a value");
    } else if (op->in_count != 1 || op->in[0]->type != wanted || !verify_plain(wanted)) {
        verify_fail(v, op, "yield gives the value of its op: one plain value of its type");
    }
}

/* break and continue stay inside the task, section or update around them. */
static void check_levels(verifier *v, const ir_op *op, const scope *s)
{
    uint32_t left = op->levels;

    if (left == 0)
        verify_fail(v, op, "levels count from 1");
    for (; s && s->owner && left; s = s->up) {
        ir_code code = s->owner->code;
        if (code == IR_task || code == IR_section || code == IR_update)
            break;
        left -= is_level(s->owner);
        if (left == 0 && op->code == IR_continue && code != IR_loop)
            verify_fail(v, op, "continue goes to a loop, not to a block");
        if (left == 0 && op->code == IR_continue && s->region == 1)
            verify_fail(v, op, "continue stands in the body of its loop, not in next");
    }
    if (left)
        verify_fail(v, op, "%s has %" PRIu32 " levels, %" PRIu32 " more than stand around it",
                    ir_codes[op->code].name, op->levels, left);
}

static const scope *inside(const scope *s, ir_code code)
{
    while (s && !(s->owner && s->owner->code == code))
        s = s->up;
    return s;
}

static void check_return(verifier *v, const ir_op *op, const scope *s, bool extent)
{
    const ir_type *result = v->func->result;
    bool pointed = result->kind == IR_STRUCT && v->func->kind == IR_KERNEL;
    const ir_type *type = op->in_count == 1 ? op->in[0]->type : NULL;

    if (extent || inside(s, IR_task) || inside(s, IR_sections) || inside(s, IR_update))
        verify_fail(v, op,
                    "return leaves the function: not from a task, section, update or extent");
    else if (result->kind == IR_SCALAR && type != result)
        verify_fail(v, op, "return gives one value of the function's result type");
    else if (pointed && !(type && type->kind == IR_PTR && type->space == IR_LOCAL &&
                          type->elem == result))
        verify_fail(v, op, "return takes a ptr.local to the kernel's result struct");
    else if (result->kind != IR_SCALAR && !pointed && op->in_count)
        verify_fail(v, op, "return takes no value in this function");
}

/* task, sections, section and scratch: at kernel level, one task deep. */
static void check_level_of(verifier *v, const ir_op *op, const scope *s, bool extent)
{
    const char *name = ir_codes[op->code].name;
    bool in_sections = s->owner && s->owner->code == IR_sections;

    if (in_sections != (op->code == IR_section))
        verify_fail(v, op, "sections hold section ops only, and nothing else holds them");
    if (op->code != IR_task && op->code != IR_sections && op->code != IR_scratch)
        return;
    if (v->func->kind == IR_TASK || extent || inside(s, IR_update))
        verify_fail(v, op, "%s stands at kernel level", name);
    if (inside(s, IR_task))
        verify_fail(v, op, "%s stands at kernel level, not inside a task", name);
}

static void check_args(verifier *v, const ir_op *op)
{
    for (uint32_t k = 0; k < op->region_count; k++) {
        const ir_region *r = op->regions[k];
        uint32_t wanted = op->code == IR_task ? op->in_count / 2 : op->code == IR_update;
        if (r->arg_count != wanted)
            verify_fail(v, op, "a region of %s has %" PRIu32 " arguments, not %" PRIu32,
                        ir_codes[op->code].name, wanted, r->arg_count);
        for (uint32_t i = 0; i < r->arg_count && i < wanted; i++)
            if (r->args[i]->type != (op->code == IR_task ? op->in[2 * i]->type : op->type) ||
                r->args[i]->code != IR_arg || r->args[i]->index != i)
                verify_fail(v, op, "argument %" PRIu32 " has the type of what it stands for", i);
    }
}

static void show(verifier *v, const ir_op *op, bool visible)
{
    v->visible[op->id] = visible ? op : NULL;
}

static void check_region(verifier *v, const ir_region *r, const scope *s, bool extent);

static void check_op(verifier *v, const ir_op *op, const scope *s, bool extent)
{
    check_counts(v, op);
    if (v->status == SLIP_OK)
        check_inputs_visible(v, op);
    if (v->status == SLIP_OK)
        verify_types(v, op);
    if (v->status != SLIP_OK)
        return;
    if (ends(op) && op->next)
        verify_fail(v, op, "%s ends its region", ir_codes[op->code].name);
    if (op->code == IR_yield)
        check_yield(v, op, s, extent);
    if (op->code == IR_break || op->code == IR_continue)
        check_levels(v, op, s);
    if (op->code == IR_return)
        check_return(v, op, s, extent);
    check_level_of(v, op, s, extent);
    check_args(v, op);
    for (uint32_t i = 0; i < op->region_count; i++) {
        scope below = { s, op, i };
        check_region(v, op->regions[i], &below, extent);
        bool yields = op->regions[i]->last && op->regions[i]->last->code == IR_yield;
        if ((op->code == IR_if || op->code == IR_update) && op->type->kind != IR_VOID && !yields)
            verify_fail(v, op, "each region of an %s that gives a value ends in yield",
                        ir_codes[op->code].name);
    }
}

static void check_region(verifier *v, const ir_region *r, const scope *s, bool extent)
{
    for (uint32_t i = 0; i < r->arg_count; i++)
        show(v, r->args[i], true);
    for (const ir_op *op = r->first; op && v->status == SLIP_OK; op = op->next) {
        check_op(v, op, s, extent);
        show(v, op, true);
    }
    for (uint32_t i = 0; i < r->arg_count; i++)
        show(v, r->args[i], false);
    for (const ir_op *op = r->first; op; op = op->next)
        show(v, op, false);
}

static void check_param(verifier *v, const ir_param *p, uint32_t index)
{
    const ir_type *type = p->op->type;
    bool kernel = v->func->kind != IR_HELPER;
    bool right = type->kind == IR_SCALAR || (type->kind == IR_PTR && type->space == IR_GLOBAL) ||
                 (type->kind == IR_PTR && !kernel) ||
                 (type->kind == IR_PTR && type->space == IR_PARAM_SPACE &&
                  type->elem->kind == IR_STRUCT);

    if (p->op->code != IR_param || p->op->index != index)
        verify_fail(v, p->op, "parameter %" PRIu32 " is a param op of that index", index);
    if (!right)
        verify_fail(v, p->op, "a parameter is a scalar, ptr.global or ptr.param to a struct");
    if ((p->is_array || p->rank) && !(type->kind == IR_PTR && type->space == IR_GLOBAL))
        verify_fail(v, p->op, "an array parameter is a ptr.global");
    if (p->rank > IR_MAX_RANK || (p->outer_unknown && p->rank == 0))
        verify_fail(v, p->op, "an array has 1 to %d extents where one is named", IR_MAX_RANK);
    for (uint32_t d = 0; d < p->rank && v->status == SLIP_OK; d++) {
        const ir_region *r = p->extents[d];
        if (!r != (d == 0 && p->outer_unknown))
            verify_fail(v, p->op, "each extent has its region, but for an unknown outer one");
        if (r && !(r->last && r->last->code == IR_yield))
            verify_fail(v, p->op, "an extent's region ends in yield");
        if (r && v->status == SLIP_OK)
            check_region(v, r, &(scope){ 0 }, true);
    }
    if (v->status == SLIP_OK)
        show(v, p->op, true);
}

/* What `finish` calls takes some of the task's arguments, as they are. */
static bool finish_fits(const verifier *v, const ir_func *f, const ir_finish_call *call)
{
    const ir_func *g = v->module->funcs;
    const mod_task *task = f->task->task;

    while (g && g != call->func)
        g = g->next;
    bool fits = g && g->kind == IR_HELPER && g->result->kind == IR_VOID && task->reduce_count > 0 &&
                g->param_count == call->arg_count;
    for (uint32_t i = 0; fits && i < call->arg_count; i++) {
        uint32_t at = task->rank + call->args[i];
        const ir_type *type = g->params[i].op->type;
        fits = call->args[i] < task->arg_count && at < f->param_count &&
               f->params[at].op->type == type &&
               !(type->kind == IR_PTR && type->space == IR_PARAM_SPACE);
    }
    return fits;
}

static void check_finishes(verifier *v, const ir_func *f)
{
    bool some = false;

    for (int k = 0; k < IR_FINISH_CALLS; k++) {
        const ir_finish_call *call = &f->task->calls[k];
        some = some || call->func;
        if (call->func && !finish_fits(v, f, call))
            verify_fail(v, NULL,
                        "what a task that reduces finishes with is a helper of its arguments");
    }
    if (some != f->task->task->finishes_always)
        verify_fail(v, NULL, "a task that finishes with more than its fold always finishes");
}

static void check_func(verifier *v, ir_func *f)
{
    v->func = f;
    for (uint32_t i = 0; i < f->param_count; i++)
        for (uint32_t d = 0; d < IR_MAX_RANK && v->status == SLIP_OK; d++)
            if (f->params[i].extents[d])
                check_links(v, f->params[i].extents[d], NULL, 0);
    if (v->status != SLIP_OK || !check_links(v, f->body, NULL, 0))
        return;
    v->id_count = ir_number(f);
    v->visible = arena_new(v->module->arena, v->id_count * sizeof *v->visible);
    if (f->result->kind != IR_VOID && f->result->kind != IR_SCALAR && f->result->kind != IR_STRUCT)
        verify_fail(v, NULL, "a result is void, a scalar or a struct");
    if (f->kind == IR_TASK && (f->result->kind != IR_VOID || !f->task))
        verify_fail(v, NULL, "a task function gives nothing and has its facts");
    if (v->status == SLIP_OK && f->kind == IR_TASK)
        check_finishes(v, f);
    for (uint32_t i = 0; i < f->param_count && v->status == SLIP_OK; i++)
        check_param(v, &f->params[i], i);
    if (v->status == SLIP_OK)
        check_region(v, f->body, &(scope){ 0 }, false);
    bool gives = f->result->kind == IR_SCALAR ||
                 (f->result->kind == IR_STRUCT && f->kind == IR_KERNEL);
    if (gives && !ir_region_ended(f->body))
        verify_fail(v, f->body->last, "a function with a result returns on every way out");
}

slip_status ir_verify(ir_module *m)
{
    verifier v = { .module = m };

    for (ir_func *f = m->funcs; f && v.status == SLIP_OK; f = f->next)
        check_func(&v, f);
    return v.status;
}
