/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_test.c - loading modules, finding kernels in them, and what they tell of themselves.
 */
#include <string.h>

#include "module/write.h"
#include "runtime/hand.h"
#include "support/check.h"

static void code_for_other_processors_is_refused_with_both_lists(void)
{
    static const mod_symbol symbols[16];
    static const uint8_t byte[1];
#if defined(__x86_64__)
    mod_code code = { .target = MOD_TARGET_CPU_AARCH64,
                      .bytes = byte,
                      .size = 1,
                      .symbols = symbols,
                      .symbol_count = 16 };
    const char *holds = "code for cpu-aarch64; cpu:0 takes cpu-x86-64-v";
#else
    mod_code code = { .target = MOD_TARGET_CPU_X86_64_V3,
                      .bytes = byte,
                      .size = 1,
                      .symbols = symbols,
                      .symbol_count = 16 };
    const char *holds = "code for cpu-x86-64-v3; cpu:0 takes cpu-aarch64";
#endif
    mod_module other = *hand_module();
    hand_device on;
    slip_module *module = NULL;

    other.codes = &code;
    hand_open(&on);
    CHECK_STATUS(module_adopt(on.device, &other, &module), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, holds);
    other.code_count = 0;
    CHECK_STATUS(module_adopt(on.device, &other, &module), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "holds code for no device");
    CHECK(module == NULL);
    hand_close(&on);
}

static void a_module_without_tasks_needs_no_code(void)
{
    mod_entry entry = { .name = "nothing", .cells_slot = MOD_NONE };
    mod_module bare = {
        .producer = "hand", .options = "", .entries = &entry, .entry_count = 1, .header_text = ""
    };
    hand_device on;
    slip_module *module = NULL;

    hand_open(&on);
    CHECK_STATUS(module_adopt(on.device, &bare, &module), SLIP_OK);
    CHECK_STATUS(slip_launch(on.stream, slip_module_entry(module, 0), NULL, 0, NULL, 0), SLIP_OK);
    slip_module_unload(module);
    hand_close(&on);
}

static void an_unloaded_modules_place_is_taken_by_the_next(void)
{
    hand_device on;
    float x[4] = { 0 }, a = 1;
    int32_t n = 4;
    slip_arg args[] = { { &n, 4 }, { &a, 4 }, { x, sizeof x } };

    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), args, 3, NULL, 0), SLIP_OK);
    uint32_t ids = on.device->entry_ids;
    for (int i = 0; i < 5; i++) {
        slip_module_unload(on.module);
        CHECK_STATUS(module_adopt(on.device, hand_module(), &on.module), SLIP_OK);
        CHECK_EQ_U64(on.device->entry_ids, ids);
        CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), args, 3, NULL, 0), SLIP_OK);
    }
    CHECK_EQ_F64((double)x[0], 6.0);
    slip_module_unload(NULL);
    hand_close(&on);
}

static void damaged_bytes_are_refused(void)
{
    hand_device on;
    slip_module *module = NULL;
    static const char text[] =
        "this is no module at all, but a line of text that goes on for a while";

    hand_open(&on);
    CHECK_STATUS(slip_module_load(on.device, text, sizeof text, &module), SLIP_ERR_FORMAT);
    CHECK_STATUS(slip_module_load(on.device, text, 0, &module), SLIP_ERR_FORMAT);
    CHECK_STATUS(slip_module_load(on.device, NULL, 8, &module), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_module_load_file(on.device, "/no/such/file.slip", &module),
                 SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "/no/such/file.slip cannot be opened: No such file");
    CHECK_STATUS(slip_module_load_file(on.device, check_path("README.md"), &module),
                 SLIP_ERR_FORMAT);
    CHECK_CONTAINS(slip_last_error()->message, "while reading ");
    CHECK_STATUS(slip_module_load_file(on.device, "/", &module), SLIP_ERR_ARGUMENT);
    CHECK(module == NULL);
    hand_close(&on);
}

static void loading_leaves_nothing_behind_whichever_request_fails(void)
{
    hand_device on;

    hand_open(&on);
    slip_module_unload(on.module);
    uint64_t live = mem_live();
    for (uint64_t fail = 1;; fail++) {
        slip_module *module = NULL;
        fail_clear();
        mem_fail_at(fail);
        slip_status status = module_adopt(on.device, hand_module(), &module);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        if (status == SLIP_OK)
            break;
        CHECK(module == NULL);
        CHECK_EQ_U64(mem_live(), live);
    }
    hand_close(&on);
}

static void loading_leaves_nothing_behind_whichever_driver_call_fails(void)
{
    hand_device on;

    hand_open(&on);
    slip_module_unload(on.module);
    uint64_t live = mem_live();
    for (uint32_t fail = 1;; fail++) {
        slip_module *module = NULL;
        fail_clear();
        hand_calls = 0;
        hand_fail_at = fail;
        slip_status status = module_adopt(on.device, hand_module(), &module);
        hand_fail_at = 0;
        CHECK_EQ_U64(fail_last()->code, status);
        if (status == SLIP_OK) {
            CHECK_EQ_U64(fail, 1 + hand_module()->symbol_count + 1);
            break;
        }
        CHECK(module == NULL);
        CHECK_EQ_U64(mem_live(), live);
    }
    hand_close(&on);
}

/* void f(f32 x[table[0]]): the extent is read from a constant table of the module. */
static void bytes_may_be_given_back_after_loading(void)
{
    static const mod_instr instr = { .op = MOD_OP_DATA, .type = SCALAR_i64, .dst = 1, .a = 2, .c = 8 };
    static const mod_const zero = { 2, 0 };
    static const uint8_t table[8] = { 5 };
    const mod_param x = { .name = "x",
                          .kind = MOD_ARRAY,
                          .scalar = SCALAR_f32,
                          .bytes = 4,
                          .align = 4,
                          .rank = 1,
                          .extents = { 1, MOD_NONE, MOD_NONE, MOD_NONE } };
    const mod_entry entry = { .name = "f",
                              .params = &x,
                              .param_count = 1,
                              .instrs = &instr,
                              .instr_count = 1,
                              .extent_instrs = 1,
                              .consts = &zero,
                              .const_count = 1,
                              .slot_count = 3,
                              .cells_slot = MOD_NONE };
    const mod_module m = { .producer = "hand",
                           .options = "",
                           .entries = &entry,
                           .entry_count = 1,
                           .data = table,
                           .data_bytes = 8,
                           .header_text = "" };
    hand_device on;
    slip_module *module = NULL;
    slip_arg none = { NULL, 0 };
    uint64_t extents[SLIP_MAX_RANK] = { 0 };
    text file = { 0 };

    hand_open(&on);
    CHECK_STATUS(mod_write(&m, &file), SLIP_OK);
    CHECK_STATUS(slip_module_load(on.device, text_get(&file), file.bytes, &module), SLIP_OK);
    memset(file.data, 0xee, file.bytes);
    text_finish(&file);
    CHECK_STATUS(slip_entry_extents(slip_module_entry(module, 0), &none, 1, 0, extents), SLIP_OK);
    CHECK_EQ_U64(extents[0], 5);
    slip_module_unload(module);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(code_for_other_processors_is_refused_with_both_lists),
    CASE(a_module_without_tasks_needs_no_code),
    CASE(an_unloaded_modules_place_is_taken_by_the_next),
    CASE(bytes_may_be_given_back_after_loading),
    CASE(damaged_bytes_are_refused),
    CASE(loading_leaves_nothing_behind_whichever_request_fails),
    CASE(loading_leaves_nothing_behind_whichever_driver_call_fails),
};

CHECK_MAIN(cases)
