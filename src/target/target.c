/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.c - the rows, and what the calls of target.h have in common.
 */
#include "target/target.h"

#include <string.h>

#include "base/fail.h"
#include "target/cpu_image_link.h"
#include "target/gpu_link.h"
#include "target/llvm_code.h"
#include "target/llvm_gpu.h"
#include "target/spirv_code.h"

const target_row *target_named(const char *name, size_t length)
{
    for (int k = 0; k < MOD_TARGET_COUNT; k++)
        if (strlen(target_rows[k].name) == length && memcmp(target_rows[k].name, name, length) == 0)
            return &target_rows[k];
    return NULL;
}

void target_prepare(ir_module *m)
{
    for (ir_func *f = m->funcs; f; f = f->next)
        ir_number(f);
}

static slip_status check(const ir_module *m, const target_row *row)
{
    if (m->fma && !row->has_fma)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "%s has no fused multiply and add; --fma needs cpu-x86-64-v3 or more",
                         row->name);
    return SLIP_OK;
}

/* ---- in pieces ---- */

struct target_shared {
    const ir_module *m;
    const target_row *row; /* the first level */
    const char *many;      /* words for what is more than that */
    target_options options;
    llvm_source source;
    llvm_object simplified[LLVM_PARTS]; /* at optimisation level 2 */
    llvm_object made[MOD_TARGET_COUNT][LLVM_PARTS];
};

slip_status target_share(const ir_module *m, const bool chosen[MOD_TARGET_COUNT],
                         const target_options *options, mem_arena *arena, target_shared **out)
{
    const target_row *rows[MOD_TARGET_COUNT + 1] = { NULL };
    target_shared *made = arena_new(arena, sizeof *made);
    uint32_t count = 0;

    if (!made)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for what levels share");
    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        if (chosen[t])
            rows[count++] = &target_rows[t];
    *out = NULL;
    if (count == 0 || (count > 1 && !llvm_code_halves(rows[0], options)))
        return SLIP_OK;
    for (uint32_t k = 0; k < count; k++)
        SLIP_TRY(check(m, rows[k]));
    made->m = m;
    made->row = rows[0];
    made->many = count > 1 ? " and the levels above" : "";
    made->options = *options;
    slip_status status = llvm_print(m, rows, options, arena, &made->source);
    if (status != SLIP_OK)
        fail_note("compiling for %s%s", made->row->name, made->many);
    else if (count > 1 && made->source.levels_differ)
        llvm_source_free(&made->source);
    else
        *out = made;
    return status;
}

uint32_t target_part_count(const target_shared *shared)
{
    return shared->source.part_count;
}

slip_status target_simplify(target_shared *shared, uint32_t part)
{
    if (!llvm_code_halves(shared->row, &shared->options))
        return SLIP_OK;
    slip_status status = llvm_code_simplify(shared->row, &shared->options,
                                            &shared->source.parts[part], &shared->simplified[part]);
    if (status != SLIP_OK)
        fail_note("compiling for %s%s", shared->row->name, shared->many);
    return status;
}

slip_status target_level(target_shared *shared, uint32_t part, mod_target which)
{
    const target_row *row = &target_rows[which];
    llvm_object *out = &shared->made[which][part];
    slip_status status;

    if (llvm_code_halves(row, &shared->options))
        status = llvm_code_level(row, &shared->options, &shared->simplified[part], out);
    else
        status = llvm_code_object(row, &shared->options, &shared->source.parts[part], out);
    if (status == SLIP_OK && row->arch == TARGET_AMDGCN)
        status = gpu_link(out);
    if (status != SLIP_OK)
        fail_note("compiling for %s", row->name);
    return status;
}

/* One text or object, and the table of the shaders in it. */
static slip_status link_shaders(const target_shared *shared, uint32_t symbols,
                                const target_row *row, mem_arena *arena, mod_code *out)
{
    const llvm_object *object = &shared->made[row->id][0];
    size_t end = row->arch == TARGET_NVPTX ? 1 : 0; /* a text's NUL */
    uint8_t *bytes = arena_new(arena, object->size + end);
    llvm_gpu_plan plan;

    if (!bytes || object->size + end > UINT32_MAX)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %zu bytes of code", object->size);
    memcpy(bytes, object->bytes, object->size);
    llvm_gpu_plan_make(shared->m, symbols, arena, &plan);
    for (uint32_t s = 0; s < plan.shader_count; s++)
        plan.shaders[s].bytes = plan.shaders[s].needs ? 0 : (uint32_t)(object->size + end);
    *out = (mod_code){ .target = row->id,
                       .bytes = bytes,
                       .size = object->size + end,
                       .symbols = plan.symbols,
                       .symbol_count = symbols,
                       .shaders = plan.shaders,
                       .shader_count = plan.shader_count };
    return SLIP_OK;
}

slip_status target_link(const target_shared *shared, uint32_t symbols, mod_target which,
                        mem_arena *arena, mod_code *out)
{
    const target_row *row = &target_rows[which];
    const llvm_source *source = &shared->source;
    cpu_object objects[LLVM_PARTS];
    mod_code made = { .target = row->id,
                      .symbol_count = symbols,
                      .imports = source->imports,
                      .import_count = source->import_count };

    if (mod_is_stream(which))
        return link_shaders(shared, symbols, row, arena, out);
    for (uint32_t p = 0; p < source->part_count; p++)
        objects[p] = (cpu_object){ shared->made[which][p].bytes, shared->made[which][p].size };
    slip_status status = cpu_image_link(row, objects, source->part_count, arena, &made);
    if (status != SLIP_OK)
        fail_note("compiling for %s", row->name);
    else
        *out = made;
    return status;
}

void target_shared_free(target_shared *shared)
{
    if (!shared)
        return;
    llvm_source_free(&shared->source);
    for (uint32_t p = 0; p < LLVM_PARTS; p++) {
        llvm_object_free(&shared->simplified[p]);
        for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
            llvm_object_free(&shared->made[t][p]);
    }
}

/* ---- at once ---- */

slip_status target_compile(const ir_module *m, uint32_t symbols, mod_target which,
                           const target_options *options, mem_arena *arena, mod_code *out)
{
    bool chosen[MOD_TARGET_COUNT] = { false };
    target_shared *shared = NULL;

    if (target_rows[which].arch == TARGET_SHADER)
        return spirv_compile(m, symbols, arena, out);
    chosen[which] = true;
    slip_status status = target_share(m, chosen, options, arena, &shared);
    for (uint32_t p = 0; status == SLIP_OK && p < target_part_count(shared); p++) {
        status = target_simplify(shared, p);
        if (status == SLIP_OK)
            status = target_level(shared, p, which);
    }
    if (status == SLIP_OK)
        status = target_link(shared, symbols, which, arena, out);
    target_shared_free(shared);
    return status;
}

static slip_status shader_text(const ir_module *m, text *out)
{
    mem_arena arena = { 0 };
    mod_code code = { 0 };
    uint32_t symbols = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        if (f->kind == IR_TASK && f->task->index >= symbols)
            symbols = f->task->index + 1;
    SLIP_TRY(mem_arena_init(&arena));
    slip_status status = spirv_compile(m, symbols, &arena, &code);
    if (status == SLIP_OK)
        spirv_print_code(out, &code);
    mem_arena_finish(&arena);
    return status == SLIP_OK ? out->status : status;
}

slip_status target_text(const ir_module *m, mod_target which, const target_options *options,
                        target_stage stage, text *out)
{
    const target_row *row = &target_rows[which];
    const target_row *rows[] = { row, NULL };
    mem_arena arena = { 0 };
    llvm_source source = { 0 };
    slip_status status;

    SLIP_TRY(check(m, row));
    if ((row->arch == TARGET_SHADER) != (stage == TARGET_STAGE_SPIRV))
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s has no such stage", row->name);
    if (stage == TARGET_STAGE_SPIRV)
        return shader_text(m, out);
    SLIP_TRY(mem_arena_init(&arena));
    status = llvm_print(m, rows, options, &arena, &source);
    for (uint32_t p = 0; status == SLIP_OK && p < source.part_count; p++) {
        const text *part = &source.parts[p];
        if (source.part_count > 1)
            text_add(out, "%s part %u of %u\n", stage == TARGET_STAGE_ASM ? "#" : ";", p + 1,
                     source.part_count);
        if (stage == TARGET_STAGE_LLVM)
            text_bytes(out, text_get(part), part->bytes);
        else
            status = llvm_code_text(row, options, part, stage == TARGET_STAGE_ASM, out);
    }
    llvm_source_free(&source);
    mem_arena_finish(&arena);
    return status == SLIP_OK ? out->status : status;
}

#define X86_LAYOUT "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
#define AARCH64_LAYOUT "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

#define NVPTX_LAYOUT "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
#define AMDGCN_LAYOUT                                                                              \
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:"    \
    "128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-" \
    "v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"

const target_row target_rows[MOD_TARGET_COUNT] = {
    { MOD_TARGET_CPU_X86_64_V2, "cpu-x86-64-v2", TARGET_X86_64, "x86_64-unknown-linux-gnu",
      "x86-64-v2", "", X86_LAYOUT, false, false, NULL, 128, true },
    { MOD_TARGET_CPU_X86_64_V3, "cpu-x86-64-v3", TARGET_X86_64, "x86_64-unknown-linux-gnu",
      "x86-64-v3", "", X86_LAYOUT, true, false, NULL, 256, false },
    { MOD_TARGET_CPU_X86_64_V4, "cpu-x86-64-v4", TARGET_X86_64, "x86_64-unknown-linux-gnu",
      "x86-64-v4", "", X86_LAYOUT, true, false, "512", 512, false },
    { MOD_TARGET_CPU_AARCH64, "cpu-aarch64", TARGET_AARCH64, "aarch64-unknown-linux-gnu", "generic",
      "+v8a", AARCH64_LAYOUT, true, true, NULL, 256, false },
    { MOD_TARGET_SPIRV, "spirv", TARGET_SHADER, NULL, NULL, NULL, NULL, true, false, NULL, 0, false },
    { MOD_TARGET_PTX, "ptx", TARGET_NVPTX, "nvptx64-nvidia-cuda", "sm_60", "+ptx60", NVPTX_LAYOUT,
      true, true, NULL, 0, false },
    { MOD_TARGET_GFX90A, "gfx90a", TARGET_AMDGCN, "amdgcn-amd-amdhsa", "gfx90a", "", AMDGCN_LAYOUT,
      true, true, NULL, 0, false },
    { MOD_TARGET_GFX942, "gfx942", TARGET_AMDGCN, "amdgcn-amd-amdhsa", "gfx942", "", AMDGCN_LAYOUT,
      true, true, NULL, 0, false },
    { MOD_TARGET_GFX1030, "gfx1030", TARGET_AMDGCN, "amdgcn-amd-amdhsa", "gfx1030", "",
      AMDGCN_LAYOUT, true, true, NULL, 0, false },
    { MOD_TARGET_GFX1100, "gfx1100", TARGET_AMDGCN, "amdgcn-amd-amdhsa", "gfx1100", "",
      AMDGCN_LAYOUT, true, true, NULL, 0, false },
};
