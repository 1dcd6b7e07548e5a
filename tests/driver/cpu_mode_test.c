/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_mode_test.c - the floating-point mode is the default inside, and the caller's outside.
 */
#include "driver/cpu_mode.h"

#include <fenv.h>

#include "support/check.h"

/* Called through pointers, or the compiler would move the arithmetic past a change of the mode. */
static double third(void)
{
    volatile double one = 1, three = 3;

    return one / three;
}

static double (*volatile one_third)(void) = third;

static void rounding_is_to_nearest_inside_and_the_callers_outside(void)
{
    CHECK_EQ_I64(fesetround(FE_UPWARD), 0);
    double up = one_third();
    uint64_t mode = cpu_mode_enter();
    double nearest = one_third();
    cpu_mode_leave(mode);
    double again = one_third();
    fesetround(FE_TONEAREST);
    CHECK_EQ_F64(nearest, 0x1.5555555555555p-2);
    CHECK_EQ_F64(up, 0x1.5555555555556p-2);
    CHECK_EQ_F64(again, up);
}

#if defined(__x86_64__)
static float tiny(void)
{
    volatile float small = 1e-10f, smaller = 1e-30f;

    return small * smaller;
}

static float (*volatile denormal)(void) = tiny;

static void denormals_are_kept_although_the_caller_flushes_them(void)
{
    enum { FLUSH = 0x8040 }; /* flush to zero, denormals are zero */
    uint64_t before = cpu_mode_read();

    cpu_mode_write(before | FLUSH);
    float flushed = denormal();
    uint64_t mode = cpu_mode_enter();
    float kept = denormal();
    cpu_mode_leave(mode);
    uint64_t after = cpu_mode_read();
    cpu_mode_write(before);
    CHECK_EQ_F64((double)flushed, 0.0);
    CHECK(kept > 0.0f && kept < 1.2e-40f);
    CHECK((after & FLUSH) == FLUSH);
}
#endif

static void a_default_mode_is_left_alone(void)
{
    uint64_t before = cpu_mode_read();
    uint64_t mode = cpu_mode_enter();

    CHECK_EQ_U64(mode & ~(uint64_t)CPU_MODE_FLAGS, CPU_MODE_DEFAULT);
    cpu_mode_leave(mode);
    CHECK_EQ_U64(cpu_mode_read() & ~(uint64_t)CPU_MODE_FLAGS, before & ~(uint64_t)CPU_MODE_FLAGS);
}

static const check_case cases[] = {
    CASE(rounding_is_to_nearest_inside_and_the_callers_outside),
#if defined(__x86_64__)
    CASE(denormals_are_kept_although_the_caller_flushes_them),
#endif
    CASE(a_default_mode_is_left_alone),
};

CHECK_MAIN(cases)
