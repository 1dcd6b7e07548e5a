/* SPDX-License-Identifier: Apache-2.0 */
/* stream_case.h - runs of the cases' kernels on the fake stream driver. */
#ifndef SLIPWAY_TESTS_LAUNCH_STREAM_CASE_H
#define SLIPWAY_TESTS_LAUNCH_STREAM_CASE_H

#include "fake/fake_stream.h"
#include "launch/case_kernels.h"
#include "launch/launch_stream.h"

/* By the facts of CUDA where events may be recorded again while pending, else of HIP. */
const launcher *stream_case_family(bool rerecords);

/* Ends the test case where the device does not open. */
void stream_case_open(case_run *run, fake_stream_settings settings);
/* Wants that nothing went wrong and nothing lives. Of each call between, it is wanted that the
 * counters tell how often the driver was called, and how often it may have waited. */
void stream_case_close(case_run *run);
/* A second stream, as the program's own; calls of `run` go to it until it is put back. */
void stream_case_second(case_run *run, case_run *out);
void stream_case_end_second(case_run *second);

/* The k-th of CASE_SETTINGS: every schedule of both drivers, with small grids and large ones, and
 * with rings of one slot and one event from the middle on. */
enum { CASE_SETTINGS = 24 };
static inline bool stream_case_small(uint32_t k)
{
    return k >= CASE_SETTINGS / 2;
}
fake_stream_settings stream_case_settings(uint32_t k);
void stream_case_open_kth(case_run *run, uint32_t k);
/* Sizes as they are usual, or small, whatever the build. */
void stream_case_size(case_run *run, bool small);

#endif
