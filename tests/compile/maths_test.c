/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maths_test.c - what target/ leaves to the math library is what mathlib/ links.
 */
#include "mathlib/mathlib.h"
#include "support/check.h"
#include "target/maths.h"

static void every_math_operation_has_exactly_one_way_to_run(void)
{
    for (int k = 0; k < IR_MATH_COUNT; k++) {
        bool linked = maths_rows[k].way == MATHS_LINKED;
        if (k != MATHS_FMOD) /* linked too; the scalar remainder needs the import */
            CHECK_EQ_I64(mathlib_has((ir_math)k), linked);
        CHECK_EQ_U64(maths_rows[k].operands, ir_maths[k].operands);
    }
    CHECK(mathlib_has(IR_MATH_fmod));
}

static const check_case cases[] = { CASE(every_math_operation_has_exactly_one_way_to_run) };
CHECK_MAIN(cases)
