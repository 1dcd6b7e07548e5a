/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry_test.c - what modules and kernels tell of themselves.
 */
#include "runtime/hand.h"
#include "support/check.h"

static void a_module_lists_its_kernels(void)
{
    hand_device on;
    slip_entry *entry = NULL;
    slip_entry_info info;

    hand_open(&on);
    CHECK_EQ_U64(slip_module_entry_count(on.module), HAND_KERNELS);
    CHECK_STATUS(slip_module_find(on.module, "sum", &entry), SLIP_OK);
    CHECK(entry == hand_entry(&on, HAND_SUM));
    slip_entry_describe(entry, &info);
    CHECK_TEXT(info.name, "sum");
    CHECK_TEXT(info.result, "i64");
    CHECK_EQ_U64(info.result_bytes, 8);
    CHECK_EQ_U64(info.param_count, 2);
    CHECK_EQ_U64(info.task_count, 1);
    slip_entry_describe(hand_entry(&on, HAND_ADD), &info);
    CHECK(info.result == NULL);
    CHECK(slip_module_entry(on.module, HAND_KERNELS) == NULL);
    hand_close(&on);
}

static void a_kernel_that_is_not_there_is_refused_with_those_that_are(void)
{
    hand_device on;
    slip_entry *entry = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_module_find(on.module, "subtract", &entry), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "no kernel \"subtract\"");
    CHECK_CONTAINS(slip_last_error()->message, "nothing, add, next, reverse, sum");
    CHECK(entry == NULL);
    hand_close(&on);
}

static void parameters_tell_kind_type_extents_and_access(void)
{
    hand_device on;
    slip_param_info info;

    hand_open(&on);
    slip_entry_param(hand_entry(&on, HAND_AREA), 2, &info);
    CHECK_TEXT(info.name, "x");
    CHECK_EQ_U64(info.kind, SLIP_PARAM_ARRAY);
    CHECK_TEXT(info.type, "f32");
    CHECK_EQ_U64(info.bytes, 4);
    CHECK_EQ_U64(info.rank, 1);
    CHECK_TEXT(info.extents[0], "n * m");
    CHECK(info.is_written && !info.is_read);
    slip_entry_param(hand_entry(&on, HAND_POINT), 0, &info);
    CHECK_EQ_U64(info.kind, SLIP_PARAM_STRUCT);
    CHECK_TEXT(info.type, "P");
    CHECK_EQ_U64(info.bytes, 8);
    slip_entry_param(hand_entry(&on, HAND_ADD), 1, &info);
    CHECK_EQ_U64(info.kind, SLIP_PARAM_SCALAR);
    CHECK_TEXT(info.type, "f32");
    slip_entry_param(hand_entry(&on, HAND_ADD), 3, &info);
    CHECK(info.name == NULL);
    hand_close(&on);
}

static void variables_tell_who_computes_them(void)
{
    hand_device on;
    slip_entry_info entry;
    slip_variable_info v;

    hand_open(&on);
    slip_entry_describe(hand_entry(&on, HAND_SUM), &entry);
    CHECK_EQ_U64(entry.variable_count, 2);
    slip_entry_variable(hand_entry(&on, HAND_SUM), 0, &v);
    CHECK_TEXT(v.name, "half");
    CHECK(!v.on_device);
    slip_entry_variable(hand_entry(&on, HAND_SUM), 1, &v);
    CHECK_TEXT(v.name, "s");
    CHECK_TEXT(v.type, "i64");
    CHECK(v.on_device);
    CHECK_EQ_U64(v.line, 4);
    slip_entry_variable(hand_entry(&on, HAND_SUM), 2, &v);
    CHECK(v.name == NULL && v.type == NULL && v.line == 0);
    slip_entry_variable(hand_entry(&on, HAND_ADD), 0, &v);
    CHECK(v.name == NULL);
    hand_close(&on);
}

static void extents_are_computed_from_the_arguments(void)
{
    hand_device on;
    int32_t n = 6, m = 7;
    struct {
        float a;
        int32_t n;
    } p = { 0, 12 };
    slip_arg area[] = { { &n, 4 }, { &m, 4 }, { NULL, 0 } }, point[] = { { &p, 8 }, { NULL, 0 } };
    slip_arg open[] = { { &n, 4 }, { NULL, 0 } };
    uint64_t out[SLIP_MAX_RANK] = { 0 };

    hand_open(&on);
    CHECK_STATUS(slip_entry_extents(hand_entry(&on, HAND_AREA), area, 3, 2, out), SLIP_OK);
    CHECK_EQ_U64(out[0], 42);
    CHECK_EQ_U64(out[1], UINT64_MAX);
    CHECK_STATUS(slip_entry_extents(hand_entry(&on, HAND_POINT), point, 2, 1, out), SLIP_OK);
    CHECK_EQ_U64(out[0], 12);
    CHECK_STATUS(slip_entry_extents(hand_entry(&on, HAND_OPEN), open, 2, 1, out), SLIP_OK);
    CHECK_EQ_U64(out[0], UINT64_MAX);
    CHECK_STATUS(slip_entry_extents(hand_entry(&on, HAND_AREA), area, 3, 0, out),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "parameter 0 of area is no array");
    CHECK_STATUS(slip_entry_extents(hand_entry(&on, HAND_AREA), area, 2, 2, out),
                 SLIP_ERR_ARGUMENT);
    out[0] = 77;
    n = -1;
    CHECK_STATUS(slip_entry_extents(hand_entry(&on, HAND_AREA), area, 3, 2, out),
                 SLIP_ERR_ARGUMENT);
    CHECK_EQ_U64(out[0], 77);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(a_module_lists_its_kernels),
    CASE(a_kernel_that_is_not_there_is_refused_with_those_that_are),
    CASE(parameters_tell_kind_type_extents_and_access),
    CASE(variables_tell_who_computes_them),
    CASE(extents_are_computed_from_the_arguments),
};

CHECK_MAIN(cases)
