/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_need.c - which launch values get a slot, and which are computed with overflow detected.
 *
 * A value gets a slot where the host needs it (a bound, an extent, a condition, a store to a launch
 * variable) or a task takes it in. Places are no such values: a task makes them again from its own
 * inputs, so that the arrays it uses stay visible. Bounds and extents are exact (LANGUAGE rule 14).
 */
#include <inttypes.h>

#include "ir/launch_parts.h"

/* ---- expressions as C text ------------------------------------------------------------------------------ */

static const char *sign(ir_code code)
{
    static const struct {
        ir_code code;
        const char *sign;
    } signs[] = { { IR_add, "+" }, { IR_sub, "-" }, { IR_mul, "*" }, { IR_div, "/" },
                  { IR_rem, "%" }, { IR_and, "&" }, { IR_or, "|" },  { IR_xor, "^" },
                  { IR_shl, "<<" }, { IR_shr, ">>" }, { IR_eq, "==" }, { IR_ne, "!=" },
                  { IR_lt, "<" },  { IR_le, "<=" } };

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].code == code)
            return signs[i].sign;
    return NULL;
}

static void add_path(text *out, const ir_op *ptr, int depth)
{
    if (ptr->code == IR_field) {
        add_path(out, ptr->in[0], depth);
        const char *name = ptr->in[0]->type->elem->fields[ptr->index].name;
        text_add(out, ".%s", name ? name : "?");
    } else if (ptr->code == IR_index || ptr->code == IR_offset) {
        add_path(out, ptr->in[0], depth);
        text_add(out, "[");
        launch_expression_add(out, ptr->in[1], depth - 1);
        text_add(out, "]");
    } else {
        text_add(out, "%s", ptr->code == IR_table ? ptr->table->name : ptr->name ? ptr->name : "?");
    }
}

static void add_call(text *out, const ir_op *op, int depth)
{
    text_add(out, "%s(", ir_codes[op->code].name);
    for (uint32_t i = 0; i < op->in_count; i++) {
        text_add(out, i ? ", " : "");
        launch_expression_add(out, op->in[i], depth - 1);
    }
    text_add(out, ")");
}

void launch_expression_add(text *out, const ir_op *op, int depth)
{
    char digits[40];

    if (depth == 0) {
        text_add(out, "...");
    } else if (op->code == IR_const && op->type->kind == IR_SCALAR) {
        scalar_print(op->type->scalar, op->bits, digits);
        text_add(out, "%s", digits);
    } else if (op->code == IR_convert || op->code == IR_bitcast) {
        launch_expression_add(out, op->in[0], depth);
    } else if (op->code == IR_load) {
        add_path(out, op->in[0], depth);
    } else if (op->in_count == 2 && sign(op->code)) {
        bool inner = depth < 8; /* the outermost needs no parentheses */
        text_add(out, inner ? "(" : "");
        launch_expression_add(out, op->in[0], depth < 8 ? depth - 1 : 7);
        text_add(out, " %s ", sign(op->code));
        launch_expression_add(out, op->in[1], depth < 8 ? depth - 1 : 7);
        text_add(out, inner ? ")" : "");
    } else if (op->code == IR_select) {
        bool inner = depth < 8;
        for (uint32_t i = 0; i < 3; i++) {
            text_add(out, "%s", i == 0 ? (inner ? "(" : "") : i == 1 ? " ? " : " : ");
            launch_expression_add(out, op->in[i], depth < 8 ? depth - 1 : 7);
        }
        text_add(out, inner ? ")" : "");
    } else if (op->code < (ir_code)SCALAR_OP_COUNT) {
        add_call(out, op, depth < 8 ? depth : 7);
    } else {
        add_path(out, op, depth);
    }
}

const char *launch_expression(launch *l, const ir_op *op)
{
    text t = { 0 };

    launch_expression_add(&t, op, 8);
    const char *made = arena_text(l->arena, "%s", text_get(&t));
    text_finish(&t);
    return made;
}

/* ---- marking ---------------------------------------------------------------------------------------------- */

bool launch_captured_place(const ir_op *op)
{
    return launch_is_place(op) || op->code == IR_table || op->code == IR_var ||
           op->code == IR_scratch || op->code == IR_param || op->code == IR_const ||
           op->code == IR_undef;
}

static bool has_no_slot_of_its_own(const ir_op *op)
{
    return op->code == IR_const || op->code == IR_undef || op->code == IR_param ||
           op->code == IR_var || op->code == IR_scratch || op->code == IR_table ||
           op->code == IR_arg;
}

static void need_value(launch *l, ir_op *op, const char *exact)
{
    launch_fact *f = launch_fact_of(l, op);

    if (has_no_slot_of_its_own(op) || f->device || (f->needed && (f->exact || !exact)))
        return;
    f->needed = true;
    if (exact) {
        f->exact = true;
        f->text = exact;
    }
    if (op->code == IR_load) {
        for (ir_op *p = op->in[0]; launch_is_place(p); p = p->in[0])
            if (p->code != IR_field)
                need_value(l, p->in[1], exact);
        return;
    }
    for (uint32_t i = 0; i < op->in_count; i++)
        need_value(l, op->in[i], exact);
    for (uint32_t i = 0; i < op->region_count; i++) /* a typed if */
        if (op->regions[i]->last)
            need_value(l, op->regions[i]->last->in[0], exact);
}

/* A value that a task takes in. */
static void need_capture(launch *l, ir_op *op)
{
    if (launch_is_place(op)) {
        for (uint32_t i = 0; i < op->in_count; i++)
            need_capture(l, op->in[i]);
    } else if (!launch_fact_of(l, op)->device) {
        need_value(l, op, NULL);
    }
}

static bool need_inputs(ir_op *op, void *user)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        need_capture(user, op->in[i]);
    return true;
}

static void need_region(launch *l, const ir_region *r);

static void need_op(launch *l, ir_op *op)
{
    const launch_fact *f = launch_fact_of(l, op);

    if (op->code == IR_task || op->code == IR_scratch) {
        for (uint32_t i = 0; i < op->in_count; i++)
            need_value(l, op->in[i], launch_expression(l, op->in[i]));
        if (op->code == IR_task)
            ir_walk(op->regions[0], need_inputs, l);
    } else if (launch_is_structure(op) && f->decided == LAUNCH_SERIAL) {
        need_inputs(op, l);
        for (uint32_t i = 0; i < op->region_count; i++)
            ir_walk(op->regions[i], need_inputs, l);
    } else if (op->code == IR_if) {
        if (op->type->kind == IR_VOID)
            need_value(l, op->in[0], NULL);
    } else if (op->code == IR_store && op->in[0]->code == IR_var) {
        if (!launch_fact_of(l, op->in[0])->device)
            need_value(l, op->in[1], NULL);
        else
            need_capture(l, op->in[1]);
    } else if (f->device || (ir_codes[op->code].flags & IR_WRITES) || op->code == IR_return) {
        need_inputs(op, l);
    }
    if (op->code == IR_task || (launch_is_structure(op) && f->decided == LAUNCH_SERIAL))
        return;
    for (uint32_t i = 0; i < op->region_count; i++)
        need_region(l, op->regions[i]);
}

static void need_region(launch *l, const ir_region *r)
{
    for (ir_op *op = r->first; op; op = op->next)
        need_op(l, op);
}

void launch_need(launch *l)
{
    need_region(l, l->kernel->body);
}
