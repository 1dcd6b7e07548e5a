/* SPDX-License-Identifier: Apache-2.0 */
/* stream_case.c - see stream_case.h. */
#include "launch/stream_case.h"

#include <string.h>

#include "launch/lanes_parts.h"
#include "support/check.h"

static slip_status open_cuda(uint32_t index, void **out)
{
    return lanes_device_open(&fake_stream_table, "cuda", index, out);
}

static slip_status open_hip(uint32_t index, void **out)
{
    return lanes_device_open(&fake_stream_table, "hip", index, out);
}

static const launcher cuda = { .name = "cuda", .open = open_cuda, LAUNCH_STREAM_SLOTS };
static const launcher hip = { .name = "hip", .open = open_hip, LAUNCH_STREAM_SLOTS };

const launcher *stream_case_family(bool rerecords)
{
    return rerecords ? &cuda : &hip;
}

static void compare_counts(case_run *run, bool before)
{
    const counters *own = run->family->counts(run->device);
    uint64_t now[4] = { fake_stream_calls(),
                        atomic_load(&run->counts.driver_calls) + atomic_load(&own->driver_calls),
                        fake_stream_waits(),
                        atomic_load(&run->counts.host_waits) + atomic_load(&own->host_waits) };

    if (!before) {
        CHECK_EQ_U64(now[1] - run->noted[1], now[0] - run->noted[0]);
        CHECK_EQ_U64(now[3] - run->noted[3], now[2] - run->noted[2]);
    }
    memcpy(run->noted, now, sizeof now);
}

void stream_case_open(case_run *run, fake_stream_settings settings)
{
    fake_stream_reset(settings);
    case_begin_run(run, stream_case_family(settings.rerecords));
    run->around = compare_counts;
    stream_case_size(run, false);
}

void stream_case_open_kth(case_run *run, uint32_t k)
{
    stream_case_open(run, stream_case_settings(k));
    stream_case_size(run, stream_case_small(k));
}

void stream_case_size(case_run *run, bool small)
{
    lanes_device *d = run->device;

    d->sizes = small ? lanes_sizes_small : lanes_sizes_usual;
}

void stream_case_close(case_run *run)
{
    case_end_run(run);
    CHECK_TEXT(fake_stream_wrong(), "");
    CHECK_EQ_U64(fake_stream_live(), 0);
}

void stream_case_second(case_run *run, case_run *out)
{
    *out = (case_run){ .family = run->family,
                       .device = run->device,
                       .kind = PLAN_EXPLICIT_STREAM,
                       .around = compare_counts };
    CHECK_STATUS(run->family->stream_open(run->device, false, &out->counts, &out->stream), SLIP_OK);
}

void stream_case_end_second(case_run *second)
{
    second->family->stream_close(second->stream);
}

fake_stream_settings stream_case_settings(uint32_t k)
{
    fake_stream_settings s = { .seed = k + 1, .schedule = k % 3, .rerecords = k / 3 % 2 };

    if (k % 4 == 1) {
        memcpy(s.max_groups, (uint64_t[]){ 3, 2, 2 }, sizeof s.max_groups);
        s.max_local = 1024;
    } else if (k % 4 == 3) {
        s.max_threads = 2048;
    }
    return s;
}
