/* SPDX-License-Identifier: Apache-2.0 */
/* queue_case.c - see queue_case.h. */
#include "launch/queue_case.h"

#include "support/check.h"

static slip_status open_fake(uint32_t index, void **out)
{
    return queue_device_open(&fake_queue_table, "vulkan", index, out);
}

const launcher case_launcher = { .name = "fake", .open = open_fake, LAUNCH_QUEUE_SLOTS };

void case_open(case_run *run, fake_queue_settings settings)
{
    fake_queue_reset(settings);
    case_begin_run(run, &case_launcher);
}

void case_close(case_run *run)
{
    case_end_run(run);
    CHECK_TEXT(fake_queue_wrong(), "");
    CHECK_EQ_U64(fake_queue_live(), 0);
}
