/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_inline_test.c - what inline makes of early returns, of loops, of tasks; and what it leaves.
 */
#include "interp.h"
#include "ir/pass.h"
#include "ir_case.h"

static void early_returns_become_values_of_ifs(void)
{
    case_golden("inline", "inline_tail");
}

static void returns_in_loops_leave_a_block(void)
{
    case_golden("inline", "inline_block");
}

static void bodies_that_never_return_give_something_undefined(void)
{
    case_golden("inline", "inline_never");
}

static void large_helpers_stay_functions(void)
{
    case_declines("inline", "inline_declines");
}

static void a_clamp_gives_the_same_before_and_after(void)
{
    ir_case_module c;
    static const int32_t wanted[] = { 0, 6, -6, 6 };

    case_load(&c, "module\nhelper i32 clamp {\n  %x = param i32\n  %hi = param i32\n"
                  "  %z = const i32 0\n  %a = lt bool %x, %z\n  if %a {\n    return %z\n  }\n"
                  "  %b = lt bool %hi, %x\n  if %b {\n    return %hi\n  }\n  return %x\n}\n"
                  "kernel i32 f {\n  %x = param i32\n  %c = const i32 3\n"
                  "  %y = call i32 clamp %x, %c\n  %m = const i32 -3\n  %lt = lt bool %x, %m\n"
                  "  %w = call i32 clamp %m, %c\n  %s = add i32 %y, %y\n  %t = add i32 %s, %w\n"
                  "  %n = neg i32 %c\n  %k = add i32 %n, %n\n  %r = select i32 %lt, %k, %t\n"
                  "  return %r\n}\n", true);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 4; k++) {
            static const int32_t inputs[] = { -1, 3, -9, 40 };
            interp in = { .steps = 1000 };
            uint64_t arg = (uint64_t)(int64_t)inputs[k];
            CHECK_EQ_I64(interp_run(&in, case_func(&c, "f"), &arg), wanted[k]);
            CHECK(!in.failed);
            interp_finish(&in);
        }
        CHECK_STATUS(ir_run_pass("inline", c.module, NULL, NULL), SLIP_OK);
        CHECK(c.module->funcs == c.module->last_func); /* clamp is gone */
    }
    case_finish(&c);
}

static void recursion_is_an_error_not_an_endless_loop(void)
{
    ir_case_module c;

    case_load(&c, "module\nhelper void f {\n  call g\n}\nhelper void g {\n  call f\n}\n", true);
    CHECK_STATUS(ir_run_pass("inline", c.module, NULL, NULL), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "f calls itself");
    case_finish(&c);
}

static const check_case cases[] = {
    CASE(early_returns_become_values_of_ifs),
    CASE(returns_in_loops_leave_a_block),
    CASE(bodies_that_never_return_give_something_undefined),
    CASE(large_helpers_stay_functions),
    CASE(a_clamp_gives_the_same_before_and_after),
    CASE(recursion_is_an_error_not_an_endless_loop),
};
CHECK_MAIN(cases)
