/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_emit.c - modules, functions, blocks and instructions; what every other file writes with.
 *
 * The only file that writes labels and ends blocks. The sections are joined once, at the end, when
 * it is known what capabilities were used.
 */
#include "target/spirv_emit.h"

#include <string.h>

#include "target/shader.h"

spirv_id spirv_new(spirv_emit *e)
{
    if (e->ids >= SPIRV_MOST_IDS) {
        /* SPIR-V 1.5, 2.17: a module's ids are below 4,194,304. */
        if (e->status == SLIP_OK)
            e->status = SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                                  "a shader of more than %d values; SPIR-V "
                                  "has no room for them",
                                  SPIRV_MOST_IDS);
        return e->ids;
    }
    return ++e->ids;
}

void spirv_need(spirv_emit *e, mod_need need)
{
    if (e->shader->needs >> need & 1)
        return;
    e->shader->needs |= 1u << need;
    e->shader->need_places[need] = (mod_place){ e->place.file, e->place.line, e->place.column };
}

void spirv_wrong(spirv_emit *e, const char *what)
{
    if (e->status == SLIP_OK)
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "spirv: %s in %s", what,
                              e->func ? e->func->name : e->task->name);
}

/* ---- instructions ---- */

void spirv_line(spirv_emit *e, spirv_op op, const uint32_t *operands, uint32_t count)
{
    if (!e->open)
        spirv_wrong(e, "an instruction follows the end of a block");
    spirv_words_put(&e->words[SPIRV_IN_BODY], op, operands, count);
}

spirv_id spirv_make(spirv_emit *e, spirv_op op, spirv_id type, const uint32_t *operands,
                    uint32_t count)
{
    spirv_words *w = &e->words[SPIRV_IN_BODY];
    spirv_id id = spirv_new(e);

    if (!e->open)
        spirv_wrong(e, "a value follows the end of a block");
    spirv_words_begin(w, op);
    spirv_words_add(w, type);
    spirv_words_add(w, id);
    for (uint32_t k = 0; k < count; k++)
        spirv_words_add(w, operands[k]);
    spirv_words_end(w);
    return id;
}

spirv_id spirv_make1(spirv_emit *e, spirv_op op, spirv_id type, uint32_t a)
{
    return spirv_make(e, op, type, &a, 1);
}

spirv_id spirv_make2(spirv_emit *e, spirv_op op, spirv_id type, uint32_t a, uint32_t b)
{
    uint32_t operands[2] = { a, b };

    return spirv_make(e, op, type, operands, 2);
}

spirv_id spirv_make3(spirv_emit *e, spirv_op op, spirv_id type, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t operands[3] = { a, b, c };

    return spirv_make(e, op, type, operands, 3);
}

spirv_id spirv_glsl(spirv_emit *e, enum spirv_glsl which, spirv_id type, const spirv_id *in,
                    uint32_t count)
{
    spirv_words *w = &e->words[SPIRV_IN_IMPORTS];
    uint32_t operands[5] = { 0, (uint32_t)which };

    if (e->glsl == 0) {
        e->glsl = spirv_new(e);
        spirv_words_begin(w, SPIRV_ExtInstImport);
        spirv_words_add(w, e->glsl);
        spirv_words_text(w, "GLSL.std.450");
        spirv_words_end(w);
    }
    operands[0] = e->glsl;
    for (uint32_t k = 0; k < count && k < 3; k++)
        operands[k + 2] = in[k];
    return spirv_make(e, SPIRV_ExtInst, type, operands, count + 2);
}

/* ---- blocks ---- */

void spirv_block_begin(spirv_emit *e, spirv_id label)
{
    if (e->open)
        spirv_branch(e, label);
    spirv_words_put(&e->words[SPIRV_IN_BODY], SPIRV_Label, &label, 1);
    e->block = label;
    e->open = true;
}

void spirv_branch(spirv_emit *e, spirv_id label)
{
    spirv_line(e, SPIRV_Branch, &label, 1);
    e->open = false;
}

void spirv_branch_if(spirv_emit *e, spirv_id condition, spirv_id yes, spirv_id no, spirv_id merge)
{
    uint32_t header[2] = { merge, 0 }, operands[3] = { condition, yes, no };

    spirv_line(e, SPIRV_SelectionMerge, header, 2);
    spirv_line(e, SPIRV_BranchConditional, operands, 3);
    e->open = false;
}

void spirv_return(spirv_emit *e, spirv_id value_or_none)
{
    spirv_line(e, value_or_none ? SPIRV_ReturnValue : SPIRV_Return, &value_or_none,
               value_or_none ? 1 : 0);
    e->open = false;
}

void spirv_unreachable(spirv_emit *e)
{
    spirv_line(e, SPIRV_Unreachable, NULL, 0);
    e->open = false;
}

/* ---- functions ---- */

static void name_it(spirv_emit *e, spirv_id id, const char *name)
{
    spirv_words *w = &e->words[SPIRV_IN_NAMES];

    spirv_words_begin(w, SPIRV_Name);
    spirv_words_add(w, id);
    spirv_words_text(w, name);
    spirv_words_end(w);
}

void spirv_function_begin(spirv_emit *e, spirv_id id, spirv_id result, const spirv_id *types,
                          spirv_id *params, uint32_t count, const char *name)
{
    spirv_words *w = &e->words[SPIRV_IN_FUNCTIONS];
    uint32_t *signature = arena_new(e->arena, (count + 1) * sizeof *signature);

    signature[0] = result;
    if (count > 0)
        memcpy(signature + 1, types, count * sizeof *types);
    uint32_t operands[4] = { result, id, 0,
                             spirv_intern(e, SPIRV_TypeFunction, 0, signature, count + 1) };
    spirv_words_put(w, SPIRV_Function, operands, 4);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t param[2] = { types[k], params[k] = spirv_new(e) };
        spirv_words_put(w, SPIRV_FunctionParameter, param, 2);
    }
    name_it(e, id, name);
    spirv_words_clear(&e->words[SPIRV_IN_VARIABLES]);
    spirv_words_clear(&e->words[SPIRV_IN_BODY]);
    e->func = NULL;
    e->block = spirv_new(e);
    e->open = true;
    e->construct = NULL;
    e->constructs = 0;
    e->exit_code = 0;
    spirv_words_put(&e->words[SPIRV_IN_VARIABLES], SPIRV_Label, &e->block, 1);
}

void spirv_function_end(spirv_emit *e)
{
    spirv_words *w = &e->words[SPIRV_IN_FUNCTIONS];

    spirv_words_append(w, &e->words[SPIRV_IN_VARIABLES]);
    spirv_words_append(w, &e->words[SPIRV_IN_BODY]);
    spirv_words_put(w, SPIRV_FunctionEnd, NULL, 0);
}

spirv_id spirv_variable(spirv_emit *e, spirv_id type, spirv_id initial_or_none)
{
    uint32_t operands[4] = { spirv_type_ptr(e, SPIRV_FUNCTION, type), spirv_new(e), SPIRV_FUNCTION,
                             initial_or_none };

    spirv_words_put(&e->words[SPIRV_IN_VARIABLES], SPIRV_Variable, operands,
                    initial_or_none ? 4 : 3);
    return operands[1];
}

spirv_id spirv_function_of(spirv_emit *e, spirv_function what)
{
    for (spirv_function *f = e->functions; f; f = f->next)
        if (f->kind == what.kind && f->func == what.func && f->op == what.op &&
            f->type == what.type)
            return f->id;
    spirv_function *made = arena_new(e->arena, sizeof *made);
    *made = what;
    made->next = NULL;
    made->id = spirv_new(e);
    made->place = e->place;
    if (e->last_function)
        e->last_function->next = made;
    else
        e->functions = made;
    e->last_function = made;
    return made->id;
}

static void write_functions(spirv_emit *e)
{
    for (spirv_function *f = e->functions; f && e->status == SLIP_OK; f = f->next) {
        e->place = f->place;
        e->in_library = f->func && strncmp(f->func->name, "slip.", 5) == 0;
        switch (f->kind) {
        case SPIRV_HELPER:
        case SPIRV_TASK:
            spirv_body(e, f->func, f->id);
            break;
        case SPIRV_QUOTIENT:
            spirv_quotient(e, f->id);
            break;
        case SPIRV_REFINED:
            spirv_refined(e, f);
            break;
        case SPIRV_FOLD:
            spirv_fold(e, f);
            break;
        }
    }
}

/* ---- modules ---- */

static void capability(spirv_emit *e, uint32_t which)
{
    spirv_words_put(&e->words[SPIRV_IN_CAPABILITIES], SPIRV_Capability, &which, 1);
}

static void mode(spirv_emit *e, spirv_id main, uint32_t which, uint32_t width)
{
    uint32_t operands[3] = { main, which, width };

    spirv_words_put(&e->words[SPIRV_IN_MODES], SPIRV_ExecutionMode, operands, 3);
}

/* Float controls are asked for wherever floats are used; a driver drops those that its device does
 * not have (LANGUAGE rule 20). */
static void float_modes(spirv_emit *e, spirv_id main)
{
    static const uint32_t modes[3][2] = {
        { SPIRV_CAP_DENORM_PRESERVE, SPIRV_MODE_DENORM_PRESERVE },
        { SPIRV_CAP_SIGNED_ZERO_INF_NAN_PRESERVE, SPIRV_MODE_SIGNED_ZERO_INF_NAN_PRESERVE },
        { SPIRV_CAP_ROUNDING_MODE_RTE, SPIRV_MODE_ROUNDING_MODE_RTE },
    };
    bool f32 = e->bases[SPIRV_F32] != 0, f64 = e->bases[SPIRV_F64] != 0;

    for (uint32_t k = 0; k < 3 && (f32 || f64); k++) {
        capability(e, modes[k][0]);
        if (f32)
            mode(e, main, modes[k][1], 32);
        if (f64)
            mode(e, main, modes[k][1], 64);
    }
}

static void head(spirv_emit *e, spirv_id main)
{
    spirv_words *entry = &e->words[SPIRV_IN_ENTRY];
    uint32_t model[2] = { SPIRV_ADDRESSING_PHYSICAL64, SPIRV_MEMORY_GLSL450 };
    uint32_t size[5] = { main, SPIRV_MODE_LOCAL_SIZE, e->shader->local, 1, 1 };

    capability(e, SPIRV_CAP_SHADER);
    capability(e, SPIRV_CAP_PHYSICAL_ADDRESSES);
    capability(e, SPIRV_CAP_INT64);
    if (e->bases[SPIRV_F64])
        capability(e, SPIRV_CAP_FLOAT64);
    if (e->bases[SPIRV_U8])
        capability(e, SPIRV_CAP_STORAGE_8BIT);
    if (e->bases[SPIRV_U16])
        capability(e, SPIRV_CAP_STORAGE_16BIT);
    if (e->shader->needs >> MOD_NEED_ATOMIC64 & 1)
        capability(e, SPIRV_CAP_INT64_ATOMICS);
    spirv_words_put(entry, SPIRV_MemoryModel, model, 2);
    spirv_words_begin(entry, SPIRV_EntryPoint);
    spirv_words_add(entry, SPIRV_MODEL_COMPUTE);
    spirv_words_add(entry, main);
    spirv_words_text(entry, "main");
    for (uint32_t k = 0; k < e->interface_count; k++)
        spirv_words_add(entry, e->interface[k]);
    spirv_words_end(entry);
    spirv_words_put(&e->words[SPIRV_IN_MODES], SPIRV_ExecutionMode, size, 5);
    float_modes(e, main);
}

static slip_status emit_status(const spirv_emit *e)
{
    if (e->status != SLIP_OK)
        return e->status;
    for (uint32_t k = 0; k < SPIRV_WORDS_COUNT; k++)
        if (e->words[k].status != SLIP_OK)
            return e->words[k].status;
    return SLIP_OK;
}

static slip_status join(spirv_emit *e, spirv_words *out)
{
    uint32_t header[5] = { SPIRV_MAGIC, SPIRV_VERSION, 0, e->ids + 1, 0 };

    SLIP_TRY(emit_status(e));
    for (uint32_t k = 0; k < 5; k++)
        spirv_words_add(out, header[k]);
    for (uint32_t k = 0; k < SPIRV_SECTION_COUNT; k++)
        spirv_words_append(out, &e->words[k]);
    return out->status;
}

static void write_main(spirv_emit *e, bool finish)
{
    if (finish)
        spirv_reduce_finish(e);
    else if (spirv_task_row(e)->reduce_count)
        spirv_reduce_main(e);
    else
        spirv_task_main(e);
}

slip_status spirv_shader(const ir_module *m, mem_arena *arena, const ir_func *task, bool finish,
                         spirv_words *out, mod_shader *shader)
{
    const mod_task *row = task->task->task;
    mod_shader made = shader_facts(row, MOD_SHADER_PUSH_BYTES);
    size_t start = out->count;
    slip_status status;

    if (row->rank > MOD_MAX_AXES || task->param_count != row->rank + row->arg_count)
        return SLIP_FAIL(SLIP_ERR_INTERNAL, "task %u has %u parameters for %u axes and %u args",
                         task->task->index, task->param_count, row->rank, row->arg_count);
    spirv_emit *e = arena_new(arena, sizeof *e);
    *e =
        (spirv_emit){ .m = m, .arena = arena, .shader = &made, .task = task, .place = task->place };
    write_main(e, finish);
    write_functions(e);
    head(e, e->main);
    status = made.needs >> MOD_NEED_MATH & 1 ? emit_status(e) : join(e, out);
    for (uint32_t k = 0; k < SPIRV_WORDS_COUNT; k++)
        spirv_words_finish(&e->words[k]);
    if (status == SLIP_OK) {
        made.bytes = (uint32_t)(4 * (out->count - start));
        *shader = made;
    }
    return status;
}
