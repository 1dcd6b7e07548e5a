/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_test.c - kernels as shaders: their text, and what a module says of each.
 *
 * The goldens are read by hand where they change; spirv/validate puts the same files through the
 * validator, and generator/shaders and the conformance suite run what is made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "module/read.h"
#include "support/check.h"

static slipc_result *compile(const char *source, const char *dump)
{
    slipc_options options = { .targets = "spirv", .dump = dump };
    slipc_result *result = NULL;

    CHECK_STATUS(slipc_compile("kernel.c", source, &options, &result), SLIP_OK);
    return result;
}

/* How much of the text is before the first function of the math library. */
static size_t before_library(const char *text)
{
    const char *named = strstr(text, " \"slip."), *at;
    char head[32];

    if (!named)
        return strlen(text);
    for (at = named; *at != '%'; at--)
        ;
    snprintf(head, sizeof head, "\n%.*s = Function", (int)(named - at), at);
    const char *end = strstr(text, head);
    CHECK(end != NULL);
    return (size_t)(end - text) + 1;
}

static void golden(const char *name)
{
    char path[512], *source = NULL;
    size_t bytes = 0;

    snprintf(path, sizeof path, "%s/tests/golden/spirv/%s.c", CHECK_ROOT, name);
    CHECK_STATUS(compile_read_file(path, &source, &bytes), SLIP_OK);
    slipc_result *result = compile(source, "spirv");
    snprintf(path, sizeof path, "tests/golden/spirv/%s.txt", name);
    const char *text = slipc_dump_text(result);
    size_t length = before_library(text);
    char *kept = calloc(1, length + 1);
    CHECK(kept != NULL);
    memcpy(kept, text, length);
    CHECK_GOLDEN(path, kept);
    free(kept);
    slipc_result_free(result);
    mem_free(source);
}

static void an_invocation_runs_one_iteration(void)
{
    golden("plain");
}

static void exits_cross_loops_by_a_code(void)
{
    golden("exits");
}

static void own_operations_are_chosen_by_facts(void)
{
    golden("floats");
}

static void one_test_covers_the_divisions_and_roots_of_straight_code(void)
{
    golden("roots");
}

static void bounds_in_cells_are_walked_to(void)
{
    golden("strided");
}

static void updates_are_native_or_attempts(void)
{
    golden("updates");
}

static void reductions_fold_lanes_and_blocks(void)
{
    golden("sum");
}

/* ---- facts ------------------------------------------------------------------------------ */

typedef struct made {
    slipc_result *result;
    mem_arena arena;
    const mod_code *code;
} made;

static made module_of(const char *source)
{
    made m = { .result = compile(source, NULL) };
    const mod_module *module = NULL;
    size_t size;
    const void *bytes = slipc_module_bytes(m.result, &size);

    CHECK_STATUS(mem_arena_init(&m.arena), SLIP_OK);
    CHECK_STATUS(mod_read(&m.arena, bytes, size, &module), SLIP_OK);
    CHECK_EQ_U64(module->code_count, 1);
    m.code = &module->codes[0];
    CHECK_EQ_U64(m.code->target, MOD_TARGET_SPIRV);
    return m;
}

static void made_finish(made *m)
{
    mem_arena_finish(&m->arena);
    slipc_result_free(m->result);
}

/* The header takes 24 bytes, the axis 16, the two arrays 8 each: 72 are left for the struct. */
static void a_block_is_pushed_where_it_fits(void)
{
    char source[512];

    for (int bytes = 72; bytes <= 76; bytes += 4) {
        snprintf(source, sizeof source,
                 "#include <slipway/kernel.h>\ntypedef struct p { f32 v[%d]; } p;\n"
                 "slip_kernel void k(i32 n, p s, const i32 x[n], f32 y[n]) {\n"
                 "slip_for (i, n) y[i] = s.v[x[i] & 15]; }\n",
                 bytes / 4);
        made m = module_of(source);
        CHECK_EQ_U64(m.code->shader_count, 1);
        CHECK_EQ_I64(m.code->shaders[0].inline_block, bytes == 72);
        CHECK(!m.code->shaders[0].strided && !m.code->shaders[0].local_fixed);
        CHECK_EQ_U64(m.code->shaders[0].local, MOD_SHADER_LOCAL);
        made_finish(&m);
    }
}

static void needs_name_their_lines(void)
{
    made m = module_of("#include <slipway/kernel.h>\n"
                       "slip_kernel void k(i32 n, const i16 a[n], u8 b[n], f64 c[n], u64 d[4]) {\n"
                       "    slip_for (i, n) {\n"
                       "        b[i] =\n"
                       "            a[i];\n"
                       "        c[i] = 1;\n"
                       "        d[a[i] & 3] += 1;\n"
                       "    }\n}\n");
    const mod_shader *s = &m.code->shaders[0];

    CHECK_EQ_U64(s->needs,
                 1 << MOD_NEED_F64 | 1 << MOD_NEED_I8 | 1 << MOD_NEED_I16 | 1 << MOD_NEED_ATOMIC64);
    CHECK_EQ_U64(s->need_places[MOD_NEED_I8].line, 4);
    CHECK_EQ_U64(s->need_places[MOD_NEED_I16].line, 5);
    CHECK_EQ_U64(s->need_places[MOD_NEED_F64].line, 6);
    CHECK_EQ_U64(s->need_places[MOD_NEED_ATOMIC64].line, 7);
    made_finish(&m);
}

/* A kernel of `count` lines, each `line`, around or before one more. Each is a level. */
static made deep_module(const char *line, uint32_t count, const char *end)
{
    static char source[1 << 15];
    size_t used = (size_t)snprintf(source, sizeof source,
                                   "#include <slipway/kernel.h>\n"
                                   "slip_kernel void k(i32 n, i32 x[n]) {\nslip_for (i, n) {\n");

    for (uint32_t k = 0; k < count; k++)
        used += (size_t)snprintf(source + used, sizeof source - used, line, k, k);
    used += (size_t)snprintf(source + used, sizeof source - used, "x[i] ^= 1;\n");
    for (uint32_t k = 0; k < count && *end; k++)
        used += (size_t)snprintf(source + used, sizeof source - used, "%s", end);
    snprintf(source + used, sizeof source - used, "}\n}\n");
    return module_of(source);
}

static void check_depth(const char *line, uint32_t count, const char *end, uint32_t wanted_line)
{
    made m = deep_module(line, count, end);
    const mod_shader *s = &m.code->shaders[0];

    CHECK_EQ_U64(s->needs, wanted_line ? 1 << MOD_NEED_DEPTH : 0);
    CHECK_EQ_U64(s->need_places[MOD_NEED_DEPTH].line, wanted_line);
    CHECK(s->bytes > 0);
    made_finish(&m);
}

/* The first line is the fourth of the source; 64 levels are few enough. */
static void deep_control_flow_is_a_need(void)
{
    check_depth("if (x[i] != %u) {\n", 64, "}\n", 0);
    check_depth("if (x[i] != %u) {\n", 65, "}\n", 4 + 64);
    check_depth("if (x[i] == %u) x[i] = n - %u; else\n", 64, "", 0);
    check_depth("if (x[i] == %u) x[i] = n - %u; else\n", 65, "", 4 + 64);
    check_depth("if (x[i] == %u) continue;\n", 63, "",
                0); /* all in a block, which continue leaves */
    check_depth("if (x[i] == %u) continue;\n", 64, "", 4 + 63);
    check_depth("if (x[i] == %u) x[i] = %u;\n", 500, "", 0); /* one after another */
    check_depth("for (;;) { if (x[i] == %u) break; x[i]++;\n", 63, "}\n", 0); /* and the if */
    check_depth("for (;;) { if (x[i] == %u) break; x[i]++;\n", 64, "}\n", 4 + 63);
}

/* A loop with `count` breaks, a line each, which ends by `end`. */
static uint32_t depth_line_of_breaks(uint32_t count, const char *end)
{
    static char source[1 << 15];
    size_t used =
        (size_t)snprintf(source, sizeof source,
                         "#include <slipway/kernel.h>\nslip_kernel void k(i32 n, i32 x[n]) {"
                         "slip_for (i, n) { for (;;) {\n");

    for (uint32_t k = 0; k < count; k++)
        used += (size_t)snprintf(source + used, sizeof source - used,
                                 "if (x[i] == %u) { x[i] = n - %u; break; }\n", k, k);
    snprintf(source + used, sizeof source - used, "%s\n}\n}\n}\n", end);
    made m = module_of(source);
    const mod_shader *s = &m.code->shaders[0];
    uint32_t line = s->needs >> MOD_NEED_DEPTH & 1 ? s->need_places[MOD_NEED_DEPTH].line : 0;
    made_finish(&m);
    return line;
}

/* Such a loop is none to drivers, which put what follows a break into an else. */
static void breaks_of_a_loop_of_one_pass_are_levels(void)
{
    CHECK_EQ_U64(depth_line_of_breaks(200, "x[i] += 3;"), 0);
    CHECK_EQ_U64(depth_line_of_breaks(63, "x[i] += 3; break;"), 0);
    CHECK_EQ_U64(depth_line_of_breaks(64, "x[i] += 3; break;"), 3 + 63);
    CHECK_EQ_U64(depth_line_of_breaks(64, "if (n > 5) { x[i] = 1; break; } else break;"), 3 + 63);
}

static void words_of_32_and_64_bits_and_floats_need_nothing(void)
{
    made m = module_of("#include <slipway/kernel.h>\n"
                       "slip_kernel void k(i32 n, const i64 a[n], u32 b[n], f32 c[n]) {\n"
                       "    slip_for (i, n) {\n"
                       "        u8 low = (u8)a[i]; i16 other = (i16)(low * 3);\n"
                       "        b[i] += low; c[i] = (f32)a[i] / other;\n"
                       "    }\n}\n");

    CHECK_EQ_U64(m.code->shaders[0].needs, 0);
    made_finish(&m);
}

static void a_function_without_code_leaves_its_shader_out_alone(void)
{
    made m = module_of("#include <math.h>\n#include <slipway/kernel.h>\n"
                       "slip_kernel void k(i32 n, f32 x[n]) {\n"
                       "    slip_for (i, n) x[i] += 1;\n"
                       "    slip_for (i, n)\n"
                       "        x[i] = erff(x[i]);\n}\n");

    CHECK_EQ_U64(m.code->shader_count, 2);
    CHECK(m.code->shaders[0].bytes > 0 && m.code->shaders[0].needs == 0);
    CHECK_EQ_U64(m.code->shaders[1].bytes, 0);
    CHECK_EQ_U64(m.code->shaders[1].needs, 1 << MOD_NEED_MATH);
    CHECK_EQ_U64(m.code->shaders[1].need_places[MOD_NEED_MATH].line, 6);
    made_finish(&m);
}

static void large_tables_lie_in_the_data(void)
{
    made m = module_of("#include <slipway/kernel.h>\n"
                       "static const u32 small[64] = { 7 }, large[65] = { 1, 2, [64] = 9 };\n"
                       "slip_kernel void k(i32 n, u32 x[n]) {\n"
                       "    slip_for (i, n) x[i] = small[i & 63] + large[i & 63];\n}\n");
    const uint32_t want[3] = { 1, 2, 0 };

    CHECK_EQ_U64(m.code->data_bytes, 272); /* 260, to a multiple of 16 */
    CHECK_EQ_U64(m.code->data_offset % 16, 0);
    CHECK(memcmp(m.code->bytes + m.code->data_offset, want, sizeof want) == 0);
    CHECK_EQ_U64(m.code->bytes[m.code->data_offset + 256], 9);
    made_finish(&m);
}

static void the_same_source_gives_the_same_bytes(void)
{
    static const char source[] = "#include <slipway/kernel.h>\n"
                                 "slip_kernel f64 k(i32 n, const f64 x[n]) { f64 s = 0;\n"
                                 "    slip_for (i, n) s += x[i] / 3; return s; }\n";
    slipc_result *a = compile(source, NULL), *b = compile(source, NULL);
    size_t a_size, b_size;
    const void *a_bytes = slipc_module_bytes(a, &a_size), *b_bytes = slipc_module_bytes(b, &b_size);

    CHECK_EQ_U64(a_size, b_size);
    CHECK(memcmp(a_bytes, b_bytes, a_size) == 0);
    slipc_result_free(a);
    slipc_result_free(b);
}

static const check_case cases[] = {
    CASE(an_invocation_runs_one_iteration),
    CASE(exits_cross_loops_by_a_code),
    CASE(own_operations_are_chosen_by_facts),
    CASE(one_test_covers_the_divisions_and_roots_of_straight_code),
    CASE(bounds_in_cells_are_walked_to),
    CASE(updates_are_native_or_attempts),
    CASE(reductions_fold_lanes_and_blocks),
    CASE(a_block_is_pushed_where_it_fits),
    CASE(needs_name_their_lines),
    CASE(deep_control_flow_is_a_need),
    CASE(breaks_of_a_loop_of_one_pass_are_levels),
    CASE(words_of_32_and_64_bits_and_floats_need_nothing),
    CASE(a_function_without_code_leaves_its_shader_out_alone),
    CASE(large_tables_lie_in_the_data),
    CASE(the_same_source_gives_the_same_bytes),
};
CHECK_MAIN(cases)
