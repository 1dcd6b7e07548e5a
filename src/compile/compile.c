/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - the pipeline, as a straight list: front, passes, launch, math library, targets, module file.
 *
 * Holds no state between compiles. A compile that fails still has its diagnostics.
 */
#include <string.h>

#include "base/fail.h"
#include "compile/compile.h"
#include "ir/pass.h"
#include "mathlib/mathlib.h"
#include "module/print.h"
#include "module/read.h"
#include "module/write.h"
#include "target/target.h"

#define PRODUCER "slipc 0.1.0"

typedef struct compile {
    slipc_result *result;
    const slipc_options *options;
    ir_module *m;
    mod_module *module;
    bool chosen[MOD_TARGET_COUNT];
} compile;

static bool dump_is(const compile *c, const char *stage)
{
    return c->options->dump && strcmp(c->options->dump, stage) == 0;
}

/* Has the pass that name first in the table? Some passes run more than once. */
static bool pass_is_named_here(uint32_t pass)
{
    for (uint32_t i = 0; i < pass; i++) {
        if (strcmp(ir_passes[i].name, ir_passes[pass].name) == 0)
            return false;
    }
    return true;
}

static slip_status check_dump(const slipc_options *options)
{
    static const char *const stages[] = { "front", "launch", "llvm", "optimized", "asm", "spirv" };
    text all = { 0 };
    bool known = !options->dump;

    for (uint32_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        known = known || strcmp(stages[i], options->dump) == 0;
        text_add(&all, "%s%s", i ? ", " : "", stages[i]);
    }
    for (uint32_t i = 0; i < ir_pass_count; i++) {
        known = known || strcmp(ir_passes[i].name, options->dump) == 0;
        if (pass_is_named_here(i) && strcmp(ir_passes[i].name, "launch") != 0)
            text_add(&all, ", %s", ir_passes[i].name);
    }
    if (known) {
        text_finish(&all);
        return SLIP_OK;
    }
    slip_status status = SLIP_FAIL(SLIP_ERR_ARGUMENT, "no stage `%s` to dump; there are %s", options->dump,
                                   text_get(&all));
    text_finish(&all);
    return status;
}

static void watch_pass(void *user, const char *pass, ir_module *m)
{
    compile *c = user;

    if (dump_is(c, pass) && !dump_is(c, "launch")) {
        text_clear(&c->result->dump);
        ir_print(&c->result->dump, m);
    }
}

/* What llvm, optimized and asm show: this machine's own code, or where that is not asked for, the
 * first of what is. */
static mod_target shown_target(const compile *c)
{
    mod_target host = compile_host_target();

    for (uint32_t t = 0; t < MOD_TARGET_COUNT && !c->chosen[host]; t++)
        if (c->chosen[t] && t != MOD_TARGET_SPIRV)
            return (mod_target)t;
    return host;
}

/* What changes the code, as the module tells it. */
static const char *describe_options(compile *c)
{
    text all = { 0 };

    text_add(&all, "-O%u", c->options->optimize_given ? c->options->optimize : 2);
    if (c->options->debug)
        text_add(&all, " -g");
    if (c->options->fma)
        text_add(&all, " --fma");
    for (uint32_t i = 0; i < c->options->define_count; i++)
        text_add(&all, " -D%s", c->options->defines[i]);
    const char *kept = arena_copy(&c->result->arena, text_get(&all), all.bytes);
    text_finish(&all);
    return kept;
}

static slip_status run_front(compile *c, const char *path, const char *source)
{
    front_options options = { .include_dirs = c->options->include_dirs,
                              .include_dir_count = c->options->include_dir_count,
                              .defines = c->options->defines,
                              .define_count = c->options->define_count,
                              .fma = c->options->fma };

    c->m = ir_module_new(&c->result->arena);
    if (!c->m)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a compile");
    c->m->fma = c->options->fma;
    SLIP_TRY(front_compile(path, source, &options, &c->result->diags, c->m, &c->result->files));
    if (!c->m->funcs)
        diag_add(&c->result->diags, DIAG_WARNING, path, 1, 1, "mark an entry point with slip_kernel",
                 "this file holds no kernel");
    return SLIP_OK;
}

static slip_status run_targets(compile *c)
{
    target_options options = { .optimize = c->options->optimize_given ? c->options->optimize : 2,
                               .debug = c->options->debug };
    static const char *const stages[] = { "llvm", "optimized", "asm" };

    target_prepare(c->m);
    if (dump_is(c, "spirv"))
        SLIP_TRY(target_text(c->m, MOD_TARGET_SPIRV, &options, TARGET_STAGE_SPIRV, &c->result->dump));
    for (uint32_t s = 0; s < 3; s++)
        if (dump_is(c, stages[s]))
            SLIP_TRY(target_text(c->m, shown_target(c), &options, (target_stage)s, &c->result->dump));
    return compile_targets(&c->result->arena, c->m, c->chosen, c->options, c->module);
}

static bool any_shaders(const compile *c)
{
    bool some = dump_is(c, "spirv");

    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        some = some || (c->chosen[t] && mod_has_shaders((mod_target)t));
    return some;
}

/* None of a list of `count` texts is NULL, nor the list. */
static slip_status check_list(const char *const *list, uint32_t count, const char *name)
{
    if (count > 0 && !list)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slipc_compile: %s is NULL, and its count is %u", name, count);
    for (uint32_t i = 0; i < count; i++)
        if (!list[i])
            return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slipc_compile: %s[%u] is NULL", name, i);
    return SLIP_OK;
}

static slip_status check_given(const slipc_options *options, const char *path)
{
    if (!path)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slipc_compile: the path is NULL");
    SLIP_TRY(check_list(options->include_dirs, options->include_dir_count, "include_dirs"));
    return check_list(options->defines, options->define_count, "defines");
}

static slip_status run(compile *c, const char *path, const char *source)
{
    SLIP_TRY(check_given(c->options, path));
    SLIP_TRY(check_dump(c->options));
    if (c->options->optimize_given && c->options->optimize > 3)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "-O%u; the levels are 0 to 3", c->options->optimize);
    SLIP_TRY(compile_choose_targets(c->options->targets, c->chosen));
    SLIP_TRY(run_front(c, path, source));
    SLIP_TRY(ir_run_passes(c->m, &c->result->diags, watch_pass, c, &c->module));
    SLIP_TRY(mathlib_link(c->m));
    SLIP_TRY(compile_warn_left_out(&c->result->arena, c->m, c->chosen, &c->result->diags));
    if (any_shaders(c))
        SLIP_TRY(mathlib_link_soft(c->m));
    SLIP_TRY(ir_verify(c->m));
    c->module->producer = PRODUCER;
    c->module->options = describe_options(c);
    SLIP_TRY(run_targets(c));
    SLIP_TRY(mod_check(c->module));
    if (dump_is(c, "launch"))
        mod_print(&c->result->dump, c->module);
    return mod_write(c->module, &c->result->bytes);
}

slip_status slipc_compile(const char *path, const char *source, const slipc_options *options,
                          slipc_result **out)
{
    static const slipc_options defaults;
    slipc_result *made = NULL;

    fail_clear();
    if (!out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slipc_compile: the place for the result is NULL");
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = mem_arena_init(&made->arena);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->diags.arena = &made->arena;
    compile c = { .result = made, .options = options ? options : &defaults };
    status = run(&c, path, source);
    slip_status told = compile_report(made, path, source);
    if (status == SLIP_OK)
        status = told;
    made->error = *fail_last();
    made->error.code = status;
    *out = made;
    return status;
}

void slipc_result_free(slipc_result *result)
{
    if (!result)
        return;
    text_finish(&result->bytes);
    text_finish(&result->dump);
    mem_arena_finish(&result->arena);
    mem_free(result);
}

uint32_t slipc_diagnostic_count(const slipc_result *result)
{
    uint32_t count = 0;

    for (const diag *d = result ? result->diags.first : NULL; d; d = d->next)
        count++;
    return count;
}

const slipc_diagnostic *slipc_diagnostic_at(const slipc_result *result, uint32_t index)
{
    return index < slipc_diagnostic_count(result) ? &result->diagnostics[index] : NULL;
}

const slip_error *slipc_result_error(const slipc_result *result)
{
    return result ? &result->error : fail_last();
}

const void *slipc_module_bytes(const slipc_result *result, size_t *out_size)
{
    if (out_size)
        *out_size = result ? result->bytes.bytes : 0;
    return result ? result->bytes.data : NULL;
}

uint32_t slipc_dependency_count(const slipc_result *result)
{
    return result ? result->files.count : 0;
}

const char *slipc_dependency_at(const slipc_result *result, uint32_t index)
{
    return index < slipc_dependency_count(result) ? result->files.paths[index] : NULL;
}

const char *slipc_dump_text(const slipc_result *result)
{
    return result ? text_get(&result->dump) : "";
}
