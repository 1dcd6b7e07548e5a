/* SPDX-License-Identifier: Apache-2.0 */
/* stream_random_test.c - random programs on the fake stream driver: with lanes, under each
 * schedule, by CUDA's facts and by HIP's. */
#include "launch/random_program.h"
#include "launch/stream_case.h"
#include "support/check.h"

static void open_stream(case_run *run, uint64_t seed)
{
    stream_case_open_kth(run, (uint32_t)(seed % CASE_SETTINGS));
    if (seed / CASE_SETTINGS % 2 == 0)
        return;
    CHECK_STATUS(run->family->stream_sync(run->stream, NULL), SLIP_OK);
    run->family->stream_close(run->stream);
    CHECK_STATUS(run->family->stream_open(run->device, false, &run->counts, &run->stream), SLIP_OK);
    run->kind = PLAN_EXPLICIT_STREAM;
}

static void random_programs_give_the_serial_values(void)
{
    random_programs(&(random_driver){ open_stream, stream_case_close, fake_stream_wrong }, 6000);
}

static const check_case cases[] = { CASE(random_programs_give_the_serial_values) };
CHECK_MAIN(cases)
