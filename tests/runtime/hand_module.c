/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_module.c - the signatures and launch programs of hand.h's kernels, as tables.
 *
 * What a compiler would have written; mod_check finds nothing against it (embedded_test.c).
 */
#include "runtime/hand.h"
#include "runtime/hand_parts.h"

/* The tables are not const: mod_write visits every field of a module, and writes it back. */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define SCALAR(name_, type_, bytes_)                                                               \
    {                                                                                              \
        .name = name_, .kind = MOD_SCALAR, .scalar = type_, .bytes = bytes_, .align = bytes_       \
    }
#define ARRAY(name_, type_, bytes_, slot_, text_, access_, line_)                                  \
    {                                                                                              \
        .name = name_, .kind = MOD_ARRAY, .scalar = type_, .bytes = bytes_, .align = bytes_,       \
        .rank = 1, .extents = { slot_ }, .extent_text = { text_ }, .access = access_, .place = {   \
            0,                                                                                     \
            line_,                                                                                 \
            1                                                                                      \
        }                                                                                          \
    }
#define SLOT(slot_, offset_)                                                                       \
    {                                                                                              \
        MOD_FROM_SLOT, slot_, offset_, 8                                                           \
    }
#define NO_CELLS .lo_cell = MOD_NONE, .hi_cell = MOD_NONE
#define AXIS(type_, lo_, hi_)                                                                      \
    {                                                                                              \
        .type = type_, .lo = lo_, .hi = hi_, NO_CELLS                                              \
    }
#define ARGS(array) .args = array, .arg_count = COUNT(array)
#define PLAIN .predicate = MOD_NONE, .partial_offset = MOD_NONE
#define RW (MOD_READ | MOD_WRITE)
#define ACCESSES(array) .accesses = array, .access_count = COUNT(array)
#define WIDEN(dst_, a_, text_)                                                                     \
    {                                                                                              \
        .op = SCALAR_OP_convert, .type = SCALAR_i64, .from = SCALAR_i32, .exact = true,            \
        .dst = dst_, .a = a_, .text = text_                                                        \
    }

static mod_node one_task[] = { { .kind = MOD_TASK, .first = 0, .end = 1 } };
static mod_node two_tasks[] = { { .kind = MOD_TASK, .first = 0, .end = 1 },
                                { .kind = MOD_TASK, .first = 1, .end = 2 } };

/* add: n, a, x; 3 zero, 4 extent */
static mod_param add_params[] = { SCALAR("n", SCALAR_i32, 4), SCALAR("a", SCALAR_f32, 4),
                                  ARRAY("x", SCALAR_f32, 4, 4, "n", RW, 3) };
static mod_instr add_instrs[] = { WIDEN(4, 0, "n") };
static mod_const zero_3[] = { { 3, 0 } };
static mod_arg add_args[] = { SLOT(1, 16), SLOT(2, 24) };
static mod_access touch_2[] = { { .array = 2, .flags = RW } };
static mod_task add_tasks[] = { { .name = "add:3",
                                  .rank = 1,
                                  .axes = { AXIS(SCALAR_i32, 3, 0) },
                                  ARGS(add_args),
                                  .block_bytes = 32,
                                  PLAIN,
                                  ACCESSES(touch_2) } };

/* next, reverse: n, x, y; 3 zero, 4 extent */
static mod_param next_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   ARRAY("x", SCALAR_f32, 4, 4, "n", MOD_READ, 7),
                                   ARRAY("y", SCALAR_f32, 4, 4, "n", MOD_WRITE, 7) };
static mod_arg next_args[] = { SLOT(1, 16), SLOT(2, 24) };
static mod_access next_touch[] = { { .array = 1, .flags = MOD_READ },
                                   { .array = 2, .flags = MOD_WRITE } };
static mod_apart next_apart[] = { { 1, 2, true, { 0, 8, 5 } } };
static mod_task next_tasks[] = { { .name = "next:8",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 3, 0) },
                                   ARGS(next_args),
                                   .block_bytes = 32,
                                   PLAIN,
                                   ACCESSES(next_touch),
                                   .aparts = next_apart,
                                   .apart_count = 1 } };
static mod_apart reverse_apart[] = { { 1, 2, false, { 0, 12, 5 } } };
static mod_task reverse_tasks[] = { { .name = "reverse:12",
                                      .rank = 1,
                                      .axes = { AXIS(SCALAR_i32, 3, 0) },
                                      ARGS(next_args),
                                      .block_bytes = 32,
                                      PLAIN,
                                      ACCESSES(next_touch),
                                      .aparts = reverse_apart,
                                      .apart_count = 1 } };

/* sum: n, x; 2 zero, 3 cells. The result is at byte 8 of the cells. */
static mod_param sum_params[] = { SCALAR("n", SCALAR_i64, 8),
                                  ARRAY("x", SCALAR_i32, 4, 0, "n", MOD_READ, 15) };
static mod_const zero_2[] = { { 2, 0 } };
static mod_arg sum_args[] = { SLOT(1, 16), SLOT(3, 32) };
static mod_access sum_touch[] = { { .array = 1, .flags = MOD_READ },
                                  { .array = 2, .flags = MOD_READ | MOD_WRITE } };
static mod_reduce sum_reduce[] = { { SCALAR_OP_add, SCALAR_i64, 8 } };
static mod_task sum_tasks[] = { { .name = "sum:16",
                                  .rank = 1,
                                  .axes = { AXIS(SCALAR_i64, 2, 0) },
                                  ARGS(sum_args),
                                  .block_bytes = 40,
                                  .predicate = MOD_NONE,
                                  .reduces = sum_reduce,
                                  .reduce_count = 1,
                                  .partial_bytes = 8,
                                  .partial_offset = 24,
                                  ACCESSES(sum_touch) } };

/* steps: n, k, u; 3 zero, 4 extent, 5 t, 6 s, 7 condition, 8 one */
static mod_param steps_params[] = { SCALAR("n", SCALAR_i32, 4), SCALAR("k", SCALAR_i32, 4),
                                    ARRAY("u", SCALAR_f32, 4, 4, "n", RW, 20) };
static mod_instr steps_instrs[] = {
    WIDEN(4, 0, "n"),
    { .op = MOD_OP_MOVE, .type = SCALAR_i32, .dst = 6, .a = 3 },
    { .op = SCALAR_OP_lt, .type = SCALAR_i32, .dst = 7, .a = 6, .b = 1 },
    { .op = SCALAR_OP_add, .type = SCALAR_i32, .dst = 6, .a = 6, .b = 8 },
};
static mod_node steps_nodes[] = {
    { .kind = MOD_TAKE, .first = 0, .end = 1 },
    { .kind = MOD_EVAL, .first = 1, .count = 1, .end = 2 },
    { .kind = MOD_LOOP, .end = 8 },
    { .kind = MOD_EVAL, .first = 2, .count = 1, .end = 4 },
    { .kind = MOD_BREAK, .cond = 7, .end = 5 },
    { .kind = MOD_TASK, .first = 0, .end = 6 },
    { .kind = MOD_TASK, .first = 1, .end = 7 },
    { .kind = MOD_EVAL, .first = 3, .count = 1, .end = 8 },
};
static mod_const steps_consts[] = { { 3, 0 }, { 8, 1 } };
static mod_scratch steps_scratch[] = { { .name = "t",
                                         .slot = 5,
                                         .bytes = 4,
                                         .align = 4,
                                         .rank = 1,
                                         .extents = { 4 },
                                         .place = { 0, 21, 5 } } };
static mod_arg steps_args[] = { SLOT(2, 16), SLOT(5, 24) };
static mod_access up_touch[] = { { .array = 2, .flags = MOD_READ },
                                 { .array = 3, .flags = MOD_WRITE } };
static mod_access back_touch[] = { { .array = 2, .flags = MOD_WRITE },
                                   { .array = 3, .flags = MOD_READ } };
static mod_task steps_tasks[] = { { .name = "steps:23",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 3, 0) },
                                    ARGS(steps_args),
                                    .block_bytes = 32,
                                    PLAIN,
                                    ACCESSES(up_touch) },
                                  { .name = "steps:24",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 3, 0) },
                                    ARGS(steps_args),
                                    .block_bytes = 32,
                                    PLAIN,
                                    ACCESSES(back_touch) } };

/* area: n, m, x; 3 zero, 4 n * m, 5 extent, 6 and 7 axes */
static mod_param area_params[] = { SCALAR("n", SCALAR_i32, 4), SCALAR("m", SCALAR_i32, 4),
                                   ARRAY("x", SCALAR_f32, 4, 5, "n * m", MOD_WRITE, 30) };
static mod_instr area_instrs[] = {
    { .op = SCALAR_OP_mul,
      .type = SCALAR_i32,
      .exact = true,
      .dst = 4,
      .a = 0,
      .b = 1,
      .text = "n * m",
      .place = { 0, 30, 40 } },
    WIDEN(5, 4, "n * m"),
};
static mod_arg area_args[] = { SLOT(2, 32) };
static mod_access area_touch[] = { { .array = 2, .flags = MOD_WRITE } };
static mod_task area_tasks[] = { { .name = "area:31",
                                   .rank = 2,
                                   .axes = { AXIS(SCALAR_i32, 3, 0), AXIS(SCALAR_i32, 3, 1) },
                                   ARGS(area_args),
                                   .block_bytes = 40,
                                   PLAIN,
                                   ACCESSES(area_touch) } };

/* open: n, x; 2 zero */
static mod_param open_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   { .name = "x",
                                     .kind = MOD_ARRAY,
                                     .scalar = SCALAR_f32,
                                     .bytes = 4,
                                     .align = 4,
                                     .access = RW,
                                     .place = { 0, 35, 1 } } };
static mod_arg open_args[] = { SLOT(1, 16) };
static mod_access open_touch[] = { { .array = 1, .flags = RW } };
static mod_task open_tasks[] = { { .name = "open:36",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 2, 0) },
                                   ARGS(open_args),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(open_touch) } };

/* point: p, x; 2 zero, 3 p.n, 4 extent */
static mod_param point_params[] = {
    { .name = "p", .kind = MOD_STRUCT, .struct_name = "P", .bytes = 8, .align = 4 },
    ARRAY("x", SCALAR_f32, 4, 4, "p.n", RW, 40)
};
static mod_instr point_instrs[] = {
    { .op = MOD_OP_MEMBER, .type = SCALAR_i32, .dst = 3, .a = 0, .b = 4 }, WIDEN(4, 3, "p.n")
};
static mod_arg point_args[] = { { MOD_FROM_STRUCT, 0, 16, 8 }, SLOT(1, 24) };
static mod_task point_tasks[] = { { .name = "point:41",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 2, 3) },
                                    ARGS(point_args),
                                    .block_bytes = 32,
                                    PLAIN,
                                    ACCESSES(open_touch) } };

/* drain: n, x; 2 zero, 3 extent, 4 cells. Byte 0 of the cells: the condition. */
static mod_param drain_params[] = { SCALAR("n", SCALAR_i32, 4),
                                    ARRAY("x", SCALAR_i32, 4, 3, "n", RW, 50) };
static mod_instr drain_instrs[] = { WIDEN(3, 0, "n") };
static mod_node drain_nodes[] = { { .kind = MOD_DEVICE_LOOP, .first = 0, .end = 3 },
                                  { .kind = MOD_TASK, .first = 0, .end = 2 },
                                  { .kind = MOD_TASK, .first = 1, .end = 3 } };
static mod_arg drain_args[] = { SLOT(1, 16) };
static mod_arg drain_test_args[] = { SLOT(1, 0), SLOT(4, 8) };
static mod_access drain_touch[] = { { .array = 1, .flags = MOD_READ },
                                    { .array = 2, .flags = MOD_WRITE } };
static mod_task drain_tasks[] = { { .name = "drain:51",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 2, 0) },
                                    ARGS(drain_args),
                                    .block_bytes = 24,
                                    PLAIN,
                                    ACCESSES(open_touch) },
                                  { .name = "drain:52",
                                    .rank = 0,
                                    ARGS(drain_test_args),
                                    .block_bytes = 16,
                                    PLAIN,
                                    ACCESSES(drain_touch) } };

/* wide: lo, hi, out; 3 one. square: h, w, out; 3 one, 4 zero */
static mod_param wide_params[] = { SCALAR("lo", SCALAR_i64, 8), SCALAR("hi", SCALAR_i64, 8),
                                   ARRAY("out", SCALAR_i64, 8, 3, "1", RW, 60) };
static mod_const one_3[] = { { 3, 1 }, { 4, 0 } };
static mod_arg wide_args[] = { SLOT(2, 16) };
static mod_arg square_args[] = { SLOT(2, 32) };
static mod_access wide_touch[] = { { .array = 2, .flags = RW | MOD_UPDATE } };
static mod_task wide_tasks[] = { { .name = "wide:61",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i64, 0, 1) },
                                   ARGS(wide_args),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(wide_touch),
                                   .place = { 0, 61, 5 } } };
static mod_task square_tasks[] = { { .name = "square:66",
                                     .rank = 2,
                                     .axes = { AXIS(SCALAR_i64, 4, 0), AXIS(SCALAR_i64, 4, 1) },
                                     ARGS(square_args),
                                     .block_bytes = 40,
                                     PLAIN,
                                     ACCESSES(wide_touch),
                                     .place = { 0, 66, 5 } } };

/* both: n, x, y; 3 zero, 4 extent */
static mod_param both_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   ARRAY("x", SCALAR_f32, 4, 4, "n", RW, 70),
                                   ARRAY("y", SCALAR_f32, 4, 4, "n", RW, 70) };
static mod_arg both_x[] = { SLOT(1, 16) }, both_y[] = { SLOT(2, 16) };
static mod_task both_tasks[] = { { .name = "both:71",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 3, 0) },
                                   ARGS(both_x),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(open_touch) },
                                 { .name = "both:72",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 3, 0) },
                                   ARGS(both_y),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(touch_2) } };

/* slow: n, out; 2 one */
static mod_param slow_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   ARRAY("out", SCALAR_i64, 8, 2, "1", RW, 80) };
static mod_const one_2[] = { { 2, 1 } };
static mod_arg slow_args[] = { SLOT(0, 0), SLOT(1, 8) };
static mod_task slow_tasks[] = { { .name = "slow:81",
                                   .rank = 0,
                                   ARGS(slow_args),
                                   .block_bytes = 16,
                                   PLAIN,
                                   ACCESSES(open_touch) } };

#define ENTRY(name_, first_, slots_, ...)                                                          \
    {                                                                                              \
        .name = #name_, .params = name_##_params, .param_count = COUNT(name_##_params),            \
        .tasks = name_##_tasks, .task_count = COUNT(name_##_tasks), .first_symbol = first_,        \
        .slot_count = slots_, __VA_ARGS__                                                          \
    }
#define INSTRS(array, extents)                                                                     \
    .instrs = array, .instr_count = COUNT(array), .extent_instrs = extents
#define NODES(array) .nodes = array, .node_count = COUNT(array)
#define CONSTS(array) .consts = array, .const_count = COUNT(array)
#define BARE .cells_slot = MOD_NONE

static mod_variable sum_variables[] = {
    { .name = "half", .type = "i32", .at = MOD_NONE, .place = { 0, 3, 5 } },
    { .name = "s", .type = "i64", .kind = MOD_DEVICE_VARIABLE, .at = 0, .place = { 0, 4, 5 } }
};

static mod_entry entries[HAND_KERNELS] = {
    [HAND_NOTHING] = { .name = "nothing", .cells_slot = MOD_NONE },
    [HAND_ADD] = ENTRY(add, 0, 5, INSTRS(add_instrs, 1), NODES(one_task), CONSTS(zero_3), BARE),
    [HAND_NEXT] = ENTRY(next, 1, 5, INSTRS(add_instrs, 1), NODES(one_task), CONSTS(zero_3), BARE),
    [HAND_REVERSE] = { .name = "reverse",
                       .params = next_params,
                       .param_count = 3,
                       .tasks = reverse_tasks,
                       .task_count = 1,
                       .first_symbol = 2,
                       .slot_count = 5,
                       INSTRS(add_instrs, 1),
                       NODES(one_task),
                       CONSTS(zero_3),
                       BARE },
    [HAND_SUM] =
        ENTRY(sum, 3, 4, NODES(one_task), CONSTS(zero_2), .cells_bytes = 16, .cells_slot = 3,
              .variables = sum_variables, .variable_count = 2,
              .result = { .kind = MOD_SCALAR_RESULT, .scalar = SCALAR_i64, .bytes = 8, .cell = 8 }),
    [HAND_STEPS] = ENTRY(steps, 4, 9, INSTRS(steps_instrs, 1), NODES(steps_nodes),
                         CONSTS(steps_consts), .scratch = steps_scratch, .scratch_count = 1, BARE),
    [HAND_AREA] = ENTRY(area, 6, 6, INSTRS(area_instrs, 2), NODES(one_task), CONSTS(zero_3), BARE),
    [HAND_OPEN] = ENTRY(open, 7, 3, NODES(one_task), CONSTS(zero_2), BARE),
    [HAND_POINT] =
        ENTRY(point, 8, 5, INSTRS(point_instrs, 2), NODES(one_task), CONSTS(zero_2), BARE),
    [HAND_DRAIN] = ENTRY(drain, 9, 5, INSTRS(drain_instrs, 1), NODES(drain_nodes), CONSTS(zero_2),
                         .cells_bytes = 8, .cells_slot = 4),
    [HAND_WIDE] = ENTRY(wide, 11, 5, NODES(one_task), CONSTS(one_3), BARE),
    [HAND_SQUARE] = { .name = "square",
                      .params = wide_params,
                      .param_count = 3,
                      .tasks = square_tasks,
                      .task_count = 1,
                      .first_symbol = 12,
                      .slot_count = 5,
                      NODES(one_task),
                      CONSTS(one_3),
                      BARE },
    [HAND_BOTH] = ENTRY(both, 13, 5, INSTRS(add_instrs, 1), NODES(two_tasks), CONSTS(zero_3), BARE),
    [HAND_SLOW] = ENTRY(slow, 15, 3, NODES(one_task), CONSTS(one_2), BARE),
};

static const char *files[] = { "hand.c" };

#if defined(__x86_64__)
#define HAND_TARGET MOD_TARGET_CPU_X86_64_V2
#else
#define HAND_TARGET MOD_TARGET_CPU_AARCH64
#endif

static mod_code codes[] = { { .target = HAND_TARGET,
                              .bytes = (const uint8_t *)hand_functions,
                              .size = sizeof hand_functions,
                              .imports_offset = 65536,
                              .symbols = hand_symbols,
                              .symbol_count = HAND_SYMBOLS } };

mod_module hand_module_table = { .producer = "hand",
                                 .options = "",
                                 .files = files,
                                 .file_count = 1,
                                 .entries = entries,
                                 .entry_count = HAND_KERNELS,
                                 .codes = codes,
                                 .code_count = 1,
                                 .symbol_count = HAND_SYMBOLS,
                                 .header_text = "" };
