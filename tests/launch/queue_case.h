/* SPDX-License-Identifier: Apache-2.0 */
/* queue_case.h - runs of the cases' kernels on the fake queue. */
#ifndef SLIPWAY_TESTS_LAUNCH_QUEUE_CASE_H
#define SLIPWAY_TESTS_LAUNCH_QUEUE_CASE_H

#include "fake/fake_queue.h"
#include "launch/case_kernels.h"
#include "launch/launch_queue.h"

extern const launcher case_launcher;

/* By the seed: devices whose memory the host uses and others, with small grids and large ones. */
fake_queue_settings case_queue_settings(uint64_t seed);
/* Ends the test case where the device does not open. */
void case_open(case_run *run, fake_queue_settings settings);
/* Wants that nothing went wrong and nothing lives. */
void case_close(case_run *run);

#endif
