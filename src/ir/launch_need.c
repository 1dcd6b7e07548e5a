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

/* ---- expressions as C text ----------------------------------------------------------------- */

static const char *sign(ir_code code)
{
    static const struct {
        ir_code code;
        const char *sign;
    } signs[] = { { IR_add, "+" },  { IR_sub, "-" },  { IR_mul, "*" }, { IR_div, "/" },
                  { IR_rem, "%" },  { IR_and, "&" },  { IR_or, "|" },  { IR_xor, "^" },
                  { IR_shl, "<<" }, { IR_shr, ">>" }, { IR_eq, "==" }, { IR_ne, "!=" },
                  { IR_lt, "<" },   { IR_le, "<=" } };

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

static void add_choice(text *out, const ir_op *op, int depth)
{
    bool inner = depth < 8, select = op->code == IR_select;
    int below = inner ? depth - 1 : 7;

    text_add(out, inner ? "(" : "");
    launch_expression_add(out, op->in[0], below);
    text_add(out, " ? ");
    launch_expression_add(out, select ? op->in[1] : op->regions[0]->last->in[0], below);
    text_add(out, " : ");
    launch_expression_add(out, select ? op->in[2] : op->regions[1]->last->in[0], below);
    text_add(out, inner ? ")" : "");
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
    } else if (op->code == IR_select || (op->code == IR_if && op->type->kind != IR_VOID)) {
        add_choice(out, op, depth);
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

/* ---- marking ------------------------------------------------------------------------------- */

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

/* What need_value hands down. */
typedef struct need_mode {
    const char *exact; /* the expression, if overflow is to be detected; else NULL */
    const launch_guard *guard;
    bool straight; /* no branches: both sides of an if are evaluated */
} need_mode;

/* The mode below one side of a choice. A condition that is computed later guards nothing. */
static need_mode on_side(launch *l, need_mode mode, ir_op *condition, const ir_op *value,
                         bool wanted)
{
    if (!mode.exact || condition->code == IR_const ||
        (condition->id >= value->id && value->parent && condition->parent))
        return mode;
    launch_guard *g = arena_new(l->arena, sizeof *g);
    *g = (launch_guard){ .up = mode.guard, .condition = condition, .wanted = wanted };
    mode.guard = g;
    return mode;
}

static void need_value(launch *l, ir_op *op, need_mode mode);

static void need_choice(launch *l, ir_op *op, need_mode mode)
{
    need_value(l, op->in[0], mode);
    for (uint32_t side = 0; side < 2; side++) {
        ir_op *value = op->code == IR_select ? op->in[1 + side] : op->regions[side]->last->in[0];
        bool branches = op->code == IR_if && !mode.straight;
        need_value(l, value, branches ? mode : on_side(l, mode, op->in[0], value, side == 0));
    }
}

static void need_value(launch *l, ir_op *op, need_mode mode)
{
    launch_fact *f = launch_fact_of(l, op);

    if (has_no_slot_of_its_own(op) || f->device)
        return;
    if (f->needed && (!mode.exact || (f->exact && !f->guard)))
        return;
    bool again = f->needed && f->exact;
    f->needed = true;
    if (mode.exact) {
        f->guard = again || f->exact ? NULL : mode.guard; /* two uses: no guard of one alone */
        f->exact = true;
        f->text = mode.exact;
        if (again)
            mode.guard = NULL;
    }
    if (op->code == IR_select || op->code == IR_if) {
        need_choice(l, op, mode);
    } else if (op->code == IR_load) {
        for (ir_op *p = op->in[0]; launch_is_place(p); p = p->in[0])
            if (p->code != IR_field)
                need_value(l, p->in[1], mode);
    } else {
        for (uint32_t i = 0; i < op->in_count; i++)
            need_value(l, op->in[i], mode);
    }
}

void launch_need_extent(launch *l, ir_op *value, const char *written)
{
    need_value(l, value, (need_mode){ .exact = written, .straight = true });
}

/* A value that a task takes in. */
static void need_capture(launch *l, ir_op *op)
{
    if (launch_is_place(op)) {
        for (uint32_t i = 0; i < op->in_count; i++)
            need_capture(l, op->in[i]);
    } else if (!launch_fact_of(l, op)->device) {
        need_value(l, op, (need_mode){ 0 });
    }
}

static bool need_inputs(ir_op *op, void *user)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        need_capture(user, op->in[i]);
    return true;
}

static void need_region(launch *l, const ir_region *r);

static bool is_no_store(ir_op *op, void *user)
{
    (void)user;
    return op->code != IR_store;
}

bool launch_stores_within(const ir_op *op)
{
    for (uint32_t i = 0; i < op->region_count; i++)
        if (!ir_walk(op->regions[i], is_no_store, NULL))
            return true;
    return false;
}

static void need_op(launch *l, ir_op *op)
{
    const launch_fact *f = launch_fact_of(l, op);

    if (op->code == IR_task || op->code == IR_scratch) {
        for (uint32_t i = 0; i < op->in_count; i++)
            need_value(l, op->in[i], (need_mode){ .exact = launch_expression(l, op->in[i]) });
        if (op->code == IR_task)
            ir_walk(op->regions[0], need_inputs, l);
    } else if (launch_is_structure(op) && f->decided == LAUNCH_SERIAL) {
        need_inputs(op, l);
        for (uint32_t i = 0; i < op->region_count; i++)
            ir_walk(op->regions[i], need_inputs, l);
    } else if (op->code == IR_if) {
        if (op->type->kind == IR_VOID || launch_stores_within(op))
            need_value(l, op->in[0], (need_mode){ 0 });
    } else if (op->code == IR_store && op->in[0]->code == IR_var) {
        if (!launch_fact_of(l, op->in[0])->device)
            need_value(l, op->in[1], (need_mode){ 0 });
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
