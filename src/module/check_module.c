/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_module.c - do the numbers of a module fit together? The planner, the launchers and the
 * CPU's loader trust what passes here, so each of their assumptions has its line:
 *
 *   slots       every slot named is below slot_count, which is bounded; parameters have their slots
 *   cells       everything that lies in the cells lies below cells_bytes
 *   program     nodes nest; leaves have no children; jumps stay in their loop and land on a node's
 * start tasks       arguments lie in the block; each bound is one slot or one cell; accesses name
 * arrays code        one symbol per task in each code, inside it; finish exactly where there are
 * reductions
 */
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "module/read.h"

/* Bounds that keep a launch's tables small; far above what a kernel has. */
enum { MOST_SLOTS = 1 << 20, MOST_CELLS = 1 << 20, MOST_DEPTH = 200, MOST_ELEMENT = 1 << 20 };

typedef struct checker {
    const mod_module *m;
    const mod_entry *e;
    slip_status status;
} checker;

/* The claim must hold. False, once for all, after the first that does not. */
static bool need(checker *k, bool claim, const char *what, uint32_t index)
{
    if (!claim && k->status == SLIP_OK)
        k->status = SLIP_FAIL(SLIP_ERR_FORMAT, "module: kernel %s: %s (item %u)",
                              k->e && k->e->name ? k->e->name : "?", what, index);
    return k->status == SLIP_OK;
}

static bool power_of_two(uint32_t value, uint32_t most)
{
    return value != 0 && (value & (value - 1)) == 0 && value <= most;
}

static bool slot_ok(const checker *k, uint32_t slot)
{
    return slot < k->e->slot_count;
}

static bool cell_ok(const checker *k, uint32_t cell, uint32_t bytes)
{
    return cell <= k->e->cells_bytes && bytes <= k->e->cells_bytes - cell;
}

/* May the launch write the slot? Those of parameters hold the caller's values throughout. */
static bool slot_free(const checker *k, uint32_t slot)
{
    return slot_ok(k, slot) && slot >= k->e->param_count;
}

/* Only flags there are; an update both reads and writes. */
static bool flags_ok(uint32_t flags)
{
    uint32_t all = MOD_READ | MOD_WRITE | MOD_UPDATE | MOD_SINGLE | MOD_COVERS,
             both = MOD_READ | MOD_WRITE;

    return (flags & ~all) == 0 && (!(flags & MOD_UPDATE) || (flags & both) == both);
}

static uint32_t array_count(const checker *k)
{
    return k->e->param_count + k->e->scratch_count + 1;
}

static bool array_ok(const checker *k, uint32_t array)
{
    return array < array_count(k) &&
           (array >= k->e->param_count || k->e->params[array].kind == MOD_ARRAY);
}

/* ---- signature -------------------------------------------------------------------------- */

static void check_param(checker *k, uint32_t index)
{
    const mod_param *p = &k->e->params[index];
    bool is_struct = p->kind == MOD_STRUCT || (p->kind == MOD_ARRAY && p->struct_name);

    need(k, p->name && p->name[0], "a parameter has no name", index);
    need(k, p->bytes > 0 && p->bytes <= MOST_ELEMENT, "a parameter's size is out of range", index);
    need(k, power_of_two(p->align, 64), "a parameter's alignment is no power of two up to 64",
         index);
    need(k, p->kind != MOD_STRUCT || p->struct_name, "a struct parameter has no type", index);
    need(k, is_struct || p->bytes == scalar_types[p->scalar].bytes,
         "a parameter's size is not its type's", index);
    need(k, p->kind == MOD_ARRAY || p->rank == 0, "a parameter that is no array has extents",
         index);
    need(k, flags_ok(p->access), "an access is of an unknown kind", index);
    for (uint32_t d = 0; d < p->rank; d++) {
        bool unknown = p->extents[d] == MOD_NONE;
        need(k, unknown ? d == 0 && p->outer_unknown : slot_ok(k, p->extents[d]),
             "an extent's slot is out of range", index);
    }
}

static void check_result(checker *k)
{
    const mod_result *r = &k->e->result;

    if (r->kind == MOD_NO_RESULT)
        return;
    need(k, r->bytes > 0 && r->bytes <= MOD_MAX_RESULT_BYTES, "the result's size is out of range",
         0);
    need(k, cell_ok(k, r->cell, r->bytes), "the result lies outside the cells", 0);
    need(k, r->kind == MOD_STRUCT_RESULT || r->bytes == scalar_types[r->scalar].bytes,
         "the result's size is not its type's", 0);
    need(k, r->kind != MOD_STRUCT_RESULT || r->struct_name, "the result's struct has no type", 0);
}

static void check_scratch(checker *k, uint32_t index)
{
    const mod_scratch *s = &k->e->scratch[index];

    need(k, s->name != NULL, "a scratch array has no name", index);
    need(k, slot_free(k, s->slot), "a scratch array's slot is no free slot", index);
    need(k, s->bytes > 0 && s->bytes <= MOST_ELEMENT, "a scratch element's size is out of range",
         index);
    need(k, power_of_two(s->align, 64), "a scratch alignment is no power of two up to 64", index);
    for (uint32_t d = 0; d < s->rank; d++)
        need(k, slot_ok(k, s->extents[d]), "a scratch extent's slot is out of range", index);
}

/* ---- program ---------------------------------------------------------------------------- */

static void check_instr(checker *k, uint32_t index)
{
    const mod_instr *i = &k->e->instrs[index];

    need(k, slot_free(k, i->dst), "an instruction's target is no free slot", index);
    need(k, !i->exact || i->text, "an exact instruction has no text", index);
    if (i->op == MOD_OP_MEMBER) {
        if (need(k, i->a < k->e->param_count && k->e->params[i->a].kind == MOD_STRUCT,
                 "a member of what is no struct", index))
            need(k,
                 i->b <= k->e->params[i->a].bytes &&
                     scalar_types[i->type].bytes <= k->e->params[i->a].bytes - i->b,
                 "a member outside its struct", index);
    } else if (i->op == MOD_OP_DATA) {
        need(k, slot_ok(k, i->a), "an operand is out of range", index);
        need(k, i->b <= k->m->data_bytes && i->c <= k->m->data_bytes - i->b,
             "a table outside the data", index);
    } else if (i->op == MOD_OP_MOVE) {
        need(k, slot_ok(k, i->a), "an operand is out of range", index);
    } else {
        uint8_t operands = scalar_ops[i->op].operands;
        need(k,
             slot_ok(k, i->a) && (operands < 2 || slot_ok(k, i->b)) &&
                 (operands < 3 || slot_ok(k, i->c)),
             "an operand is out of range", index);
        need(k, scalar_allowed((scalar_op)i->op, i->type, i->from),
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

static void check_nodes(checker *k, uint32_t first, around a);

/* Is `target` the start of a direct child of the loop, or its end? */
static bool starts_child(const checker *k, uint32_t loop, uint32_t target)
{
    for (uint32_t n = loop + 1; n < k->e->nodes[loop].end; n = k->e->nodes[n].end)
        if (n == target)
            return true;
    return target == k->e->nodes[loop].end;
}

static void check_if(checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];

    need(k, slot_ok(k, n->cond), "a branch's condition is out of range", index);
    if (!need(k, n->other > index && n->other <= n->end, "a branch's else is out of range", index))
        return;
    a.end = n->other;
    check_nodes(k, index + 1, a);
    a.end = n->end;
    check_nodes(k, n->other, a);
}

static void check_jump(checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];

    need(k, n->cond == MOD_NONE || slot_ok(k, n->cond), "a jump's condition is out of range",
         index);
    if (n->kind == MOD_RETURN) {
        need(k, !a.in_sections, "a return stands in a section", index);
        return;
    }
    /* A continue's target is looked at once the loop's children are known to nest: check_continues.
     */
    need(k, a.loop != MOD_NONE, "a jump stands outside a loop", index);
}

static void check_leaf(checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];

    need(k, n->end == index + 1, "a node that takes no children has some", index);
    if (n->kind == MOD_EVAL)
        need(k, n->first <= k->e->instr_count && n->count <= k->e->instr_count - n->first,
             "instructions are out of range", index);
    else if (n->kind == MOD_TASK)
        need(k, n->first < k->e->task_count, "a task is out of range", index);
    else if (n->kind == MOD_TAKE)
        need(k, n->first < k->e->scratch_count, "a scratch array is out of range", index);
    else
        check_jump(k, index, a);
}

/* After the children of a loop: the jumps to its step part land on one of them. */
static void check_continues(checker *k, uint32_t loop)
{
    uint32_t end = k->e->nodes[loop].end;

    for (uint32_t n = loop + 1; n < end && k->status == SLIP_OK; n++) {
        if (k->e->nodes[n].kind == MOD_LOOP)
            n = k->e->nodes[n].end - 1;
        else if (k->e->nodes[n].kind == MOD_CONTINUE)
            need(k, starts_child(k, loop, k->e->nodes[n].other), "a continue lands inside a node",
                 n);
    }
}

static void check_node(checker *k, uint32_t index, around a)
{
    const mod_node *n = &k->e->nodes[index];
    around below = a;

    if (!need(k, n->end > index && n->end <= a.end, "nodes do not nest", index) ||
        !need(k, a.depth < MOST_DEPTH, "nodes nest too deep", index) ||
        !need(k, a.only_sections == (n->kind == MOD_SECTION), "sections hold sections only", index))
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
        need(k, cell_ok(k, n->first, 4), "a device loop's condition lies outside the cells", index);
        below.loop = MOD_NONE;
        check_nodes(k, index + 1, below);
        break;
    case MOD_SECTIONS:
        need(k, !a.in_sections, "sections stand in sections", index);
        below.loop = MOD_NONE;
        below.in_sections = below.only_sections = true;
        check_nodes(k, index + 1, below);
        break;
    case MOD_SECTION:
        check_nodes(k, index + 1, below);
        break;
    }
}

static void check_nodes(checker *k, uint32_t first, around a)
{
    for (uint32_t n = first; n < a.end && k->status == SLIP_OK; n = k->e->nodes[n].end)
        check_node(k, n, a);
}

/* ---- tasks ------------------------------------------------------------------------------ */

static void check_axis(checker *k, const mod_axis *a, uint32_t task)
{
    uint32_t bytes = scalar_types[a->type].bytes;

    need(k, scalar_types[a->type].is_integer, "an index is no integer", task);
    need(k,
         (a->lo == MOD_NONE) != (a->lo_cell == MOD_NONE) &&
             (a->hi == MOD_NONE) != (a->hi_cell == MOD_NONE),
         "a bound is not one of slot and cell", task);
    need(k, (a->lo == MOD_NONE || slot_ok(k, a->lo)) && (a->hi == MOD_NONE || slot_ok(k, a->hi)),
         "a bound's slot is out of range", task);
    need(k,
         (a->lo_cell == MOD_NONE || cell_ok(k, a->lo_cell, bytes)) &&
             (a->hi_cell == MOD_NONE || cell_ok(k, a->hi_cell, bytes)),
         "a bound lies outside the cells", task);
}

static void check_arg(checker *k, const mod_task *t, const mod_arg *a, uint32_t task)
{
    need(k,
         a->offset >= t->rank * 16 && a->offset <= t->block_bytes &&
             a->bytes <= t->block_bytes - a->offset,
         "an argument lies outside the block", task);
    if (a->source == MOD_FROM_SLOT) {
        need(k, slot_ok(k, a->index) && a->bytes == 8 && a->offset % 8 == 0,
             "an argument from a slot is not one", task);
    } else if (need(k, a->index < k->e->param_count && k->e->params[a->index].kind == MOD_STRUCT,
                    "an argument from what is no struct", task)) {
        need(k, a->bytes == k->e->params[a->index].bytes,
             "a struct argument's size is not its type's", task);
    }
}

static void check_reductions(checker *k, const mod_task *t, uint32_t task)
{
    for (uint32_t r = 0; r < t->reduce_count; r++) {
        need(k, scalar_allowed(t->reduces[r].op, t->reduces[r].type, t->reduces[r].type),
             "a reduction is not defined for its type", task);
        need(k, cell_ok(k, t->reduces[r].cell, scalar_types[t->reduces[r].type].bytes),
             "a reduction lies outside the cells", task);
    }
    if (t->reduce_count == 0) {
        need(k, t->partial_offset == MOD_NONE, "a task without reductions has partial results",
             task);
        need(k, !t->finishes_always, "a task without reductions has nothing to finish", task);
        return;
    }
    need(k, t->partial_bytes == 8 * (uint64_t)t->reduce_count,
         "partial results are not 8 bytes each", task);
    need(k,
         t->partial_offset >= t->rank * 16 && t->partial_offset % 8 == 0 &&
             t->partial_offset <= t->block_bytes && t->block_bytes - t->partial_offset >= 8,
         "partial results lie outside the block", task);
}

static void check_task(checker *k, uint32_t index)
{
    const mod_task *t = &k->e->tasks[index];

    need(k, t->name != NULL, "a task has no name", index);
    need(k, t->block_bytes >= t->rank * 16 && t->block_bytes <= MOD_MAX_BLOCK_BYTES,
         "a task's block is out of range", index);
    for (uint32_t a = 0; a < t->rank; a++)
        check_axis(k, &t->axes[a], index);
    for (uint32_t a = 0; a < t->arg_count && k->status == SLIP_OK; a++)
        check_arg(k, t, &t->args[a], index);
    need(k, t->predicate == MOD_NONE || cell_ok(k, t->predicate, 4),
         "a predicate lies outside the cells", index);
    check_reductions(k, t, index);
    for (uint32_t a = 0; a < t->access_count; a++) {
        need(k, array_ok(k, t->accesses[a].array), "an access names no array", index);
        need(k, flags_ok(t->accesses[a].flags), "an access is of an unknown kind", index);
    }
    for (uint32_t a = 0; a < t->apart_count; a++)
        need(k, array_ok(k, t->aparts[a].a) && array_ok(k, t->aparts[a].b), "a pair names no array",
             index);
}

static void check_variable(checker *k, uint32_t index)
{
    const mod_variable *v = &k->e->variables[index];
    bool is_launch = v->kind == MOD_LAUNCH_VARIABLE;

    need(k, v->name && v->type, "a variable has no name or type", index);
    need(k, v->at == MOD_NONE || (is_launch ? slot_ok(k, v->at) : cell_ok(k, v->at, 1)),
         "a variable lies outside the slots or cells", index);
}

static void check_entry(checker *k)
{
    const mod_entry *e = k->e;

    need(k, e->name && e->name[0], "a kernel has no name", 0);
    need(k, e->slot_count <= MOST_SLOTS && e->slot_count >= e->param_count,
         "slots are out of range", 0);
    need(k, e->cells_bytes <= MOST_CELLS, "the cells are too large", 0);
    need(k, e->cells_bytes == 0 ? e->cells_slot == MOD_NONE : slot_free(k, e->cells_slot),
         "the cells' slot is no free slot", 0);
    need(k, e->extent_instrs <= e->instr_count, "extents are out of range", 0);
    for (uint32_t i = 0; i < e->param_count; i++)
        check_param(k, i);
    check_result(k);
    for (uint32_t i = 0; i < e->instr_count; i++)
        check_instr(k, i);
    for (uint32_t i = 0; i < e->const_count; i++)
        need(k, slot_free(k, e->consts[i].slot), "a constant's slot is no free slot", i);
    for (uint32_t i = 0; i < e->scratch_count; i++)
        check_scratch(k, i);
    for (uint32_t i = 0; i < e->variable_count; i++)
        check_variable(k, i);
    check_nodes(k, 0, (around){ .end = e->node_count, .loop = MOD_NONE });
    for (uint32_t i = 0; i < e->task_count && k->status == SLIP_OK; i++)
        check_task(k, i);
    need(k,
         e->first_symbol <= k->m->symbol_count &&
             e->task_count <= k->m->symbol_count - e->first_symbol,
         "symbols are out of range", 0);
}

/* ---- code ------------------------------------------------------------------------------- */

enum { SPIRV_MAGIC_WORD = 0x07230203, MOST_LOCAL = 1024 };

static uint32_t word_at(const mod_code *c, uint32_t offset)
{
    return (uint32_t)c->bytes[offset] | (uint32_t)c->bytes[offset + 1] << 8 |
           (uint32_t)c->bytes[offset + 2] << 16 | (uint32_t)c->bytes[offset + 3] << 24;
}

static void check_shader(checker *k, const mod_code *c, uint32_t index)
{
    const mod_shader *s = &c->shaders[index];
    bool left_out = s->needs >> MOD_NEED_MATH & 1;

    need(k, s->needs < 1u << MOD_NEED_COUNT, "a shader needs what is unknown", index);
    need(k, s->local >= 1 && s->local <= MOST_LOCAL, "a shader's workgroup is out of range", index);
    if (left_out) {
        need(k, s->bytes == 0 && s->offset == 0, "a shader that was left out has words", index);
        return;
    }
    if (mod_is_stream(c->target)) {
        need(k, s->offset == 0 && s->bytes == c->size, "a shader is not the whole code", index);
        return;
    }
    need(k, s->offset % 4 == 0 && s->bytes % 4 == 0 && s->bytes >= 20,
         "a shader is not made of words", index);
    if (need(k, s->offset <= c->size && s->bytes <= c->size - s->offset,
             "a shader lies outside its code", index))
        need(k, word_at(c, s->offset) == SPIRV_MAGIC_WORD, "a shader is no SPIR-V", index);
}

/* Is the symbol a shader of the task's kind? */
static void check_shader_symbol(checker *k, const mod_code *c, const mod_task *t, uint32_t shader,
                                bool finish, uint32_t task)
{
    if (!need(k, shader < c->shader_count, "a task names no shader", task))
        return;
    const mod_shader *s = &c->shaders[shader];
    bool reduces = t->reduce_count > 0, is_stream = mod_is_stream(c->target);
    uint32_t most = is_stream ? MOD_STREAM_PARAM_BYTES : MOD_SHADER_PUSH_BYTES;
    uint32_t lanes = is_stream && finish ? MOD_STREAM_FINISH : MOD_REDUCE_LANES;

    need(k, !s->inline_block || mod_shader_header(t->rank) + t->block_bytes <= most,
         "a task's block does not fit into what a shader is passed", task);
    need(k, !s->strided || (!finish && !reduces && t->rank > 0), "a shader walks on that must not",
         task);
    need(k, !reduces || (s->local_fixed && s->local == lanes),
         "a reduction's workgroup is not its lanes", task);
    need(k, t->rank > 0 || (s->local_fixed && s->local == 1),
         "a serial task's workgroup is not one invocation", task);
}

static void check_shaders(checker *k, const mod_code *c, uint32_t index)
{
    need(k, c->import_count == 0 && c->imports_offset == 0, "shaders import nothing", index);
    need(k, c->target != MOD_TARGET_PTX || (c->size > 0 && c->bytes[c->size - 1] == 0),
         "a text does not end", index);
    need(k, !mod_is_stream(c->target) || (c->size <= UINT32_MAX && c->data_bytes == 0),
         "a code that holds its own tables has others", index);
    need(k,
         c->data_offset % 16 == 0 && c->data_offset <= c->size &&
             c->data_bytes <= c->size - c->data_offset,
         "constant tables lie outside their code", index);
    for (uint32_t s = 0; s < c->shader_count && k->status == SLIP_OK; s++)
        check_shader(k, c, s);
    for (uint32_t e = 0; e < k->m->entry_count && k->status == SLIP_OK; e++)
        for (uint32_t t = 0; t < k->m->entries[e].task_count && k->status == SLIP_OK; t++) {
            const mod_task *task = &k->m->entries[e].tasks[t];
            const mod_symbol *s = &c->symbols[k->m->entries[e].first_symbol + t];
            check_shader_symbol(k, c, task, s->main, false, t);
            if (task->reduce_count > 0)
                check_shader_symbol(k, c, task, s->finish, true, t);
            else
                need(k, s->finish == MOD_NONE, "a task without reductions has a finish", t);
        }
}

static void check_code(checker *k, uint32_t index)
{
    const mod_code *c = &k->m->codes[index];

    if (!need(k, c->symbol_count == k->m->symbol_count, "a code's symbols are not one per task",
              index))
        return;
    if (mod_has_shaders(c->target)) {
        check_shaders(k, c, index);
        return;
    }
    need(k,
         c->imports_offset % 65536 == 0 && c->imports_offset >= c->size &&
             c->imports_offset <= UINT32_MAX,
         "a code's imports are out of range", index);
    need(k, c->import_count <= 4096, "a code has too many imports", index);
    for (uint32_t i = 0; i < c->import_count; i++)
        need(k, c->imports[i] && c->imports[i][0], "an import has no name", index);
    for (uint32_t e = 0; e < k->m->entry_count && k->status == SLIP_OK; e++)
        for (uint32_t t = 0; t < k->m->entries[e].task_count; t++) {
            const mod_symbol *s = &c->symbols[k->m->entries[e].first_symbol + t];
            bool reduces = k->m->entries[e].tasks[t].reduce_count > 0;
            need(k, s->main < c->size, "a task lies outside its code", t);
            need(k, reduces ? s->finish < c->size : s->finish == MOD_NONE,
                 "a task's finish lies outside its code", t);
        }
}

slip_status mod_check(const mod_module *module)
{
    checker k = { .m = module };

    for (uint32_t i = 0; i < module->file_count; i++)
        need(&k, module->files[i] != NULL, "a file has no name", i);
    for (uint32_t i = 0; i < module->entry_count && k.status == SLIP_OK; i++) {
        k.e = &module->entries[i];
        check_entry(&k);
        for (uint32_t j = 0; j < i && k.status == SLIP_OK; j++)
            need(&k, strcmp(module->entries[j].name, k.e->name) != 0, "two kernels have one name",
                 i);
    }
    k.e = NULL;
    for (uint32_t i = 0; i < module->code_count && k.status == SLIP_OK; i++)
        check_code(&k, i);
    return k.status;
}
