/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_module.c - a task's shader as a whole: what it is like, its functions, its head.
 *
 * The sections are joined once, at the end, when it is known what capabilities were used.
 */
#include "target/spirv_emit.h"

#include <string.h>

#include "target/shader.h"
#include "target/spirv_flow.h"

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
        case SPIRV_FOLD:
            spirv_fold(e, f);
            break;
        }
    }
}

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
    if (!finish)
        spirv_tell_depth(e);
    e->place = task->place;
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
