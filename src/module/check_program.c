/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_program.c - is a kernel's launch program one that the host may evaluate? Instructions write
 * free slots and read what there is; nodes nest, to a limit; leaves have no children; jumps stay in
 * their loop and land on the start of a node.
 */
#include "module/check_parts.h"

enum { MOST_DEPTH = 200 };

static void check_instr(mod_checker *k, uint32_t index)
{
    const mod_instr *i = &k->e->instrs[index];

    mod_must(k, mod_slot_free(k, i->dst), "an instruction's target is no free slot", index);
    mod_must(k, !i->exact || i->text, "an exact instruction has no text", index);
    if (i->op == MOD_OP_MEMBER) {
        if (mod_must(k, i->a < k->e->param_count && k->e->params[i->a].kind == MOD_STRUCT,
                     "a member of what is no struct", index))
            mod_must(k,
                     i->b <= k->e->params[i->a].bytes &&
                         scalar_types[i->type].bytes <= k->e->params[i->a].bytes - i->b,
                     "a member outside its struct", index);
    } else if (i->op == MOD_OP_DATA) {
        mod_must(k, mod_slot_ok(k, i->a), "an operand is out of range", index);
        mod_must(k, i->b <= k->m->data_bytes && i->c <= k->m->data_bytes - i->b,
                 "a table outside the data", index);
    } else if (i->op == MOD_OP_MOVE) {
        mod_must(k, mod_slot_ok(k, i->a), "an operand is out of range", index);
    } else {
        uint8_t operands = scalar_ops[i->op].operands;
        mod_must(k,
                 mod_slot_ok(k, i->a) && (operands < 2 || mod_slot_ok(k, i->b)) &&
                     (operands < 3 || mod_slot_ok(k, i->c)),
                 "an operand is out of range", index);
        mod_must(k, scalar_allowed((scalar_op)i->op, i->type, i->from),
                 "an operation is not defined for its type", index);
    }
}

/* What a node stands in. */
typedef struct around {
    uint32_t end;                    /* of the parent */
    uint32_t loop;                   /* innermost MOD_LOOP that a jump may name; MOD_NONE */
    bool in_sections, only_sections; /* below SECTIONS; directly in it */
    uint32_t depth;
} around;

static void check_nodes(mod_checker *k, uint32_t first, around a);

/* Is `target` the start of a direct child of the loop, or its end? */
static bool starts_child(const mod_checker *k, uint32_t loop, uint32_t target)
{
    for (uint32_t n = loop + 1; n < k->e->nodes[loop].end; n = k->e->nodes[n].end)
        if (n == target)
            return true;
    return target == k->e->nodes[loop].end;
}

static void check_if(mod_checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];

    mod_must(k, mod_slot_ok(k, n->cond), "a branch's condition is out of range", index);
    if (!mod_must(k, n->other > index && n->other <= n->end, "a branch's else is out of range",
                  index))
        return;
    a.end = n->other;
    check_nodes(k, index + 1, a);
    a.end = n->end;
    check_nodes(k, n->other, a);
}

static void check_jump(mod_checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];

    mod_must(k, n->cond == MOD_NONE || mod_slot_ok(k, n->cond),
             "a jump's condition is out of range", index);
    if (n->kind == MOD_RETURN) {
        mod_must(k, !a.in_sections, "a return stands in a section", index);
        return;
    }
    /* A continue's target is looked at once the loop's children are known to nest: check_continues.
     */
    mod_must(k, a.loop != MOD_NONE, "a jump stands outside a loop", index);
}

static void check_leaf(mod_checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];

    mod_must(k, n->end == index + 1, "a node that takes no children has some", index);
    if (n->kind == MOD_EVAL)
        mod_must(k, n->first <= k->e->instr_count && n->count <= k->e->instr_count - n->first,
                 "instructions are out of range", index);
    else if (n->kind == MOD_TASK)
        mod_must(k, n->first < k->e->task_count, "a task is out of range", index);
    else if (n->kind == MOD_TAKE)
        mod_must(k, n->first < k->e->scratch_count, "a scratch array is out of range", index);
    else
        check_jump(k, index, a);
}

/* After the children of a loop: the jumps to its step part land on one of them. */
static void check_continues(mod_checker *k, uint32_t loop)
{
    uint32_t end = k->e->nodes[loop].end;

    for (uint32_t n = loop + 1; n < end && k->status == SLIP_OK; n++) {
        if (k->e->nodes[n].kind == MOD_LOOP)
            n = k->e->nodes[n].end - 1;
        else if (k->e->nodes[n].kind == MOD_CONTINUE)
            mod_must(k, starts_child(k, loop, k->e->nodes[n].other),
                     "a continue lands inside a node", n);
    }
}

static void check_node(mod_checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];
    around below = a;

    if (!mod_must(k, n->end > index && n->end <= a.end, "nodes do not nest", index) ||
        !mod_must(k, a.depth < MOST_DEPTH, "nodes nest too deep", index) ||
        !mod_must(k, a.only_sections == (n->kind == MOD_SECTION), "sections hold sections only",
                  index))
        return;
    below.end = n->end;
    below.depth++;
    below.only_sections = false;
    switch (n->kind) {
    case MOD_EVAL:
    case MOD_TASK:
    case MOD_TAKE:
    case MOD_BREAK:
    case MOD_CONTINUE:
    case MOD_RETURN:
        check_leaf(k, index, a);
        break;
    case MOD_IF:
        check_if(k, index, below);
        break;
    case MOD_LOOP:
        below.loop = index;
        check_nodes(k, index + 1, below);
        check_continues(k, index);
        break;
    case MOD_DEVICE_LOOP:
        mod_must(k, mod_cell_ok(k, n->first, 4), "a device loop's condition lies outside the cells",
                 index);
        below.loop = MOD_NONE;
        check_nodes(k, index + 1, below);
        break;
    case MOD_SECTIONS:
        mod_must(k, !a.in_sections, "sections stand in sections", index);
        below.loop = MOD_NONE;
        below.in_sections = below.only_sections = true;
        check_nodes(k, index + 1, below);
        break;
    case MOD_SECTION:
        check_nodes(k, index + 1, below);
        break;
    }
}

static void check_nodes(mod_checker *k, uint32_t first, around a)
{
    for (uint32_t n = first; n < a.end && k->status == SLIP_OK; n = k->e->nodes[n].end)
        check_node(k, n, a);
}

void mod_check_program(mod_checker *k)
{
    for (uint32_t i = 0; i < k->e->instr_count; i++)
        check_instr(k, i);
    for (uint32_t i = 0; i < k->e->const_count; i++)
        mod_must(k, mod_slot_free(k, k->e->consts[i].slot), "a constant's slot is no free slot", i);
    check_nodes(k, 0, (around){ .end = k->e->node_count, .loop = MOD_NONE });
}
