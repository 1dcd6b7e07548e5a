/* SPDX-License-Identifier: Apache-2.0 */
/* queue_random_test.c - random programs on the fake queue. */
#include "launch/queue_case.h"
#include "launch/random_program.h"
#include "support/check.h"

static void open_queue(case_run *run, uint64_t seed)
{
    case_open(run, (fake_queue_settings){ .seed = seed, .device_mapped = random_pick(2) });
}

static void random_programs_give_the_serial_values(void)
{
    random_programs(&(random_driver){ open_queue, case_close, fake_queue_wrong }, 1500);
}

static const check_case cases[] = { CASE(random_programs_give_the_serial_values) };
CHECK_MAIN(cases)
