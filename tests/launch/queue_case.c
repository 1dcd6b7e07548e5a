/* SPDX-License-Identifier: Apache-2.0 */
/* queue_case.c - see queue_case.h. */
#include "launch/queue_case.h"

#include <string.h>

#include "support/check.h"

static slip_status open_fake(uint32_t index, void **out)
{
    return queue_device_open(&fake_queue_table, "vulkan", index, out);
}

const launcher case_launcher = { .name = "fake", .open = open_fake, LAUNCH_QUEUE_SLOTS };

fake_queue_settings case_queue_settings(uint64_t seed)
{
    fake_queue_settings s = { .seed = seed, .device_mapped = seed % 2 };

    if (seed % 3 == 0)
        memcpy(s.max_groups, (uint32_t[]){ 3, 2, 2 }, sizeof s.max_groups);
    return s;
}

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
