/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program_test.c - launch programs: values, exactness, members, tables, and what a refusal says.
 */
#include "launch/program.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "support/check.h"

enum { SLOTS = 16 };

typedef struct bench {
    mod_module module;
    mod_entry entry;
    mod_param params[4];
    mod_instr instrs[8];
    uint64_t slots[SLOTS], args[4];
    program_state state;
} bench;

static const char *const files[] = { "heat.c" };

static void set_up(bench *b)
{
    *b = (bench){ .module = { .files = files, .file_count = 1 }, .entry = { .name = "heat" } };
    b->entry.params = b->params;
    b->entry.instrs = b->instrs;
    b->entry.slot_count = SLOTS;
    b->state = (program_state){
        .module = &b->module, .entry = &b->entry, .slots = b->slots, .args = b->args
    };
}

/* One exact instruction on two values; 0 when it was refused, else 1 with its value in slot 2. */
static slip_status exact(bench *b, scalar_op op, scalar_type type, scalar_type from, uint64_t x,
                         uint64_t y, const char *text)
{
    set_up(b);
    b->slots[0] = x;
    b->slots[1] = y;
    b->instrs[0] = (mod_instr){ .op = (uint8_t)op,
                                .type = type,
                                .from = from,
                                .exact = true,
                                .dst = 2,
                                .a = 0,
                                .b = 1,
                                .text = text,
                                .place = { 0, 12, 3 } };
    return program_eval(&b->state, 0, 1);
}

static void arithmetic_is_the_kernels_own(void)
{
    bench b;

    set_up(&b);
    b.slots[0] = 7;
    b.slots[1] = (uint64_t)-2;
    b.instrs[0] = (mod_instr){ .op = SCALAR_OP_div, .type = SCALAR_i32, .dst = 2, .a = 0, .b = 1 };
    b.instrs[1] = (mod_instr){ .op = SCALAR_OP_shl, .type = SCALAR_i32, .dst = 3, .a = 0, .b = 4 };
    b.instrs[2] =
        (mod_instr){ .op = SCALAR_OP_select, .type = SCALAR_i32, .dst = 5, .a = 6, .b = 0, .c = 1 };
    b.instrs[3] = (mod_instr){ .op = MOD_OP_MOVE, .type = SCALAR_i32, .dst = 7, .a = 5 };
    b.slots[4] = 33; /* taken modulo the width */
    b.slots[6] = 1;
    CHECK_STATUS(program_eval(&b.state, 0, 4), SLIP_OK);
    CHECK_EQ_I64(b.slots[2], -3);
    CHECK_EQ_I64(b.slots[3], 14);
    CHECK_EQ_I64(b.slots[5], 7);
    CHECK_EQ_I64(b.slots[7], 7);
    b.slots[2] = 99;
    CHECK_STATUS(program_eval(&b.state, 1, 1), SLIP_OK); /* only those asked for */
    CHECK_EQ_I64(b.slots[2], 99);
}

/* Every narrower integer type, at its ends and at -1, 0 and 1, against the value that scalar.h
 * gives. */
static void widening_to_i64_keeps_the_value(void)
{
    static const uint64_t patterns[] = { 0,      1,      UINT64_MAX, 0x7f,       0x80,
                                         0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff };
    bench b;

    for (scalar_type from = SCALAR_bool; from < SCALAR_i64; from++)
        for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
            uint64_t value = scalar_canonical(from, patterns[k]);
            CHECK_STATUS(exact(&b, SCALAR_OP_convert, SCALAR_i64, from, value, 0, "n"), SLIP_OK);
            CHECK_EQ_U64(b.slots[2], scalar_eval(SCALAR_OP_convert, SCALAR_i64, from, value, 0, 0));
        }
}

static void what_does_not_fit_is_refused_with_expression_values_and_line(void)
{
    bench b;

    CHECK_STATUS(exact(&b, SCALAR_OP_mul, SCALAR_i32, SCALAR_i32, 65536, 65536, "n*m"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "`n*m` overflows: 65536 * 65536 does not fit i32 (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_add, SCALAR_u64, SCALAR_u64, UINT64_MAX, 1, "n + 1"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message,
               "`n + 1` overflows: 18446744073709551615 + 1 does not fit u64 (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_sub, SCALAR_u32, SCALAR_u32, 3, 5, "n - 5"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "`n - 5` overflows: 3 - 5 does not fit u32 (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_div, SCALAR_i32, SCALAR_i32, 8, 0, "n / k"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "`n / k` divides by zero: 8 / 0 (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_rem, SCALAR_i64, SCALAR_i64, 8, 0, "n % k"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "`n % k` divides by zero: 8 % 0 (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_convert, SCALAR_i32, SCALAR_i64, 5000000000, 0, "(i32)n"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "`(i32)n` is 5000000000, which i32 cannot hold (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_neg, SCALAR_i32, SCALAR_i32, (uint64_t)INT32_MIN, 0, "-n"),
                 SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message,
               "`-n` overflows: neg of -2147483648 does not fit i32 (heat.c:12)");
    CHECK_STATUS(exact(&b, SCALAR_OP_mul, SCALAR_i32, SCALAR_i32, 46340, 46340, "n*n"), SLIP_OK);
    CHECK_EQ_I64(b.slots[2], 2147395600);
}

static void scalars_and_constants_begin_a_program_and_arrays_are_zero(void)
{
    static const mod_const consts[] = { { 5, 77 } };
    bench b;

    set_up(&b);
    b.params[0] = (mod_param){ .kind = MOD_SCALAR };
    b.params[1] = (mod_param){ .kind = MOD_ARRAY };
    b.params[2] = (mod_param){ .kind = MOD_STRUCT };
    b.entry.param_count = 3;
    b.entry.consts = consts;
    b.entry.const_count = 1;
    b.args[0] = 4;
    b.args[1] = b.args[2] = 0xdead;
    program_begin(&b.state);
    CHECK_EQ_U64(b.slots[0], 4);
    CHECK_EQ_U64(b.slots[1], 0);
    CHECK_EQ_U64(b.slots[2], 0);
    CHECK_EQ_U64(b.slots[5], 77);
}

static void members_and_tables_are_read_as_their_types(void)
{
    struct {
        float f;
        int16_t h;
        uint8_t u;
    } p = { 2.5f, -3, 200 };
    static const uint8_t table[] = { 0xff, 0xff, 1, 0, 0xfe, 0xff, 0xff, 0xff };
    bench b;

    set_up(&b);
    b.module.data = table;
    b.module.data_bytes = sizeof table;
    b.args[1] = (uint64_t)(uintptr_t)&p;
    b.slots[0] = 4; /* the byte in the part of the table */
    b.instrs[0] = (mod_instr){ .op = MOD_OP_MEMBER, .type = SCALAR_i16, .dst = 2, .a = 1, .b = 4 };
    b.instrs[1] = (mod_instr){ .op = MOD_OP_MEMBER, .type = SCALAR_u8, .dst = 3, .a = 1, .b = 6 };
    b.instrs[2] = (mod_instr){ .op = MOD_OP_MEMBER, .type = SCALAR_f32, .dst = 4, .a = 1, .b = 0 };
    b.instrs[3] =
        (mod_instr){ .op = MOD_OP_DATA, .type = SCALAR_i32, .dst = 5, .a = 0, .b = 0, .c = 8 };
    b.instrs[4] = (mod_instr){ .op = MOD_OP_DATA,
                               .type = SCALAR_i16,
                               .dst = 6,
                               .a = 0,
                               .b = 2,
                               .c = 6,
                               .text = "t[k]",
                               .place = { 0, 7, 1 } };
    CHECK_STATUS(program_eval(&b.state, 0, 5), SLIP_OK);
    CHECK_EQ_I64(b.slots[2], -3);
    CHECK_EQ_I64(b.slots[3], 200);
    CHECK_EQ_U64(b.slots[4], 0x40200000);
    CHECK_EQ_I64(b.slots[5], -2);
    CHECK_EQ_I64(b.slots[6], -1);
    static const uint64_t outside[] = { 5, 6, 1000, UINT64_MAX, (uint64_t)-1, UINT64_MAX - 1 };
    for (size_t k = 0; k < sizeof outside / sizeof outside[0]; k++) {
        b.slots[0] = outside[k];
        CHECK_STATUS(program_eval(&b.state, 4, 1), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(fail_last()->message, "of a table of 6 bytes (heat.c:7)");
    }
}

static slip_status bytes_of(bench *b, int64_t x, int64_t y, int64_t z, uint32_t element,
                            uint64_t *out)
{
    static const uint32_t extents[] = { 0, 1, 2 };
    static const char *const texts[] = { "n", NULL, "k + 1" };

    set_up(b);
    b->slots[0] = (uint64_t)x;
    b->slots[1] = (uint64_t)y;
    b->slots[2] = (uint64_t)z;
    return program_bytes(&b->state, "u", (mod_place){ 0, 4, 1 }, extents, texts, 3, element, out);
}

static void sizes_are_checked_products(void)
{
    bench b;
    uint64_t bytes = 0;

    CHECK_STATUS(bytes_of(&b, 3, 5, 7, 8, &bytes), SLIP_OK);
    CHECK_EQ_U64(bytes, 840);
    CHECK_STATUS(bytes_of(&b, 0, INT64_MAX, INT64_MAX, 8, &bytes), SLIP_OK);
    CHECK_EQ_U64(bytes, 0);
    CHECK_STATUS(bytes_of(&b, INT64_MAX, INT64_MAX, 0, 8, &bytes), SLIP_OK);
    CHECK_EQ_U64(bytes, 0);
    CHECK_STATUS(bytes_of(&b, INT64_MAX, 1, 1, 1, &bytes), SLIP_OK);
    CHECK_STATUS(bytes_of(&b, (int64_t)1 << 32, (int64_t)1 << 31, 1, 4, &bytes), SLIP_ERR_ARGUMENT);
    CHECK_TEXT(
        fail_last()->message,
        "the size of `u` overflows: 4294967296 * 2147483648 * 1 elements of 4 bytes (heat.c:4)");
    CHECK_STATUS(bytes_of(&b, (int64_t)1 << 60, 1, 1, 8, &bytes), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(bytes_of(&b, -1, 2, 3, 4, &bytes), SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "extent `n` of `u` is negative: -1 (heat.c:4)");
    CHECK_STATUS(bytes_of(&b, 0, -2, 3, 4, &bytes), SLIP_ERR_ARGUMENT);
    CHECK_TEXT(fail_last()->message, "an extent of `u` is negative: -2 (heat.c:4)");
}

static const check_case cases[] = {
    CASE(arithmetic_is_the_kernels_own),
    CASE(widening_to_i64_keeps_the_value),
    CASE(what_does_not_fit_is_refused_with_expression_values_and_line),
    CASE(scalars_and_constants_begin_a_program_and_arrays_are_zero),
    CASE(members_and_tables_are_read_as_their_types),
    CASE(sizes_are_checked_products),
};

CHECK_MAIN(cases)
