/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_emit.c - functions, blocks and instructions; what every other file writes with.
 *
 * The only file that writes labels and ends blocks.
 */
#include "target/spirv_emit.h"

#include <string.h>

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

static void branch(spirv_emit *e, spirv_id condition, spirv_id yes, spirv_id no, spirv_id merge,
                   uint32_t control)
{
    uint32_t header[2] = { merge, control }, operands[3] = { condition, yes, no };

    spirv_line(e, SPIRV_SelectionMerge, header, 2);
    spirv_line(e, SPIRV_BranchConditional, operands, 3);
    e->open = false;
}

void spirv_branch_if(spirv_emit *e, spirv_id condition, spirv_id yes, spirv_id no, spirv_id merge)
{
    branch(e, condition, yes, no, merge, SPIRV_SELECT_NONE);
}

void spirv_branch_rarely(spirv_emit *e, spirv_id condition, spirv_id yes, spirv_id merge)
{
    branch(e, condition, yes, merge, merge, SPIRV_SELECT_DONT_FLATTEN);
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
    spirv_words_clear(&e->words[SPIRV_IN_START]);
    spirv_words_clear(&e->words[SPIRV_IN_BODY]);
    e->func = NULL;
    e->block = spirv_new(e);
    e->open = true;
    e->construct = NULL;
    e->constructs = 0;
    e->exit_code = 0;
    memset(e->unseen, 0, sizeof e->unseen);
    spirv_words_put(&e->words[SPIRV_IN_VARIABLES], SPIRV_Label, &e->block, 1);
}

void spirv_function_end(spirv_emit *e)
{
    spirv_words *w = &e->words[SPIRV_IN_FUNCTIONS];

    spirv_words_append(w, &e->words[SPIRV_IN_VARIABLES]);
    spirv_words_append(w, &e->words[SPIRV_IN_START]);
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

spirv_words spirv_start_begin(spirv_emit *e)
{
    spirv_words body = e->words[SPIRV_IN_BODY];

    e->words[SPIRV_IN_BODY] = e->words[SPIRV_IN_START];
    return body;
}

void spirv_start_end(spirv_emit *e, spirv_words body)
{
    e->words[SPIRV_IN_START] = e->words[SPIRV_IN_BODY];
    e->words[SPIRV_IN_BODY] = body;
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
