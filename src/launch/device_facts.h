/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_facts.h - what families with a driver of their own do alike when they open a device.
 */
#ifndef SLIPWAY_LAUNCH_DEVICE_FACTS_H
#define SLIPWAY_LAUNCH_DEVICE_FACTS_H

#include "base/numerics.h"
#include "plan/facts.h"

/* Takes back elision facts that SLIPWAY_WITHOUT names, with commas between: to measure what each is
 * worth, and to test what is done where it does not hold. It may also name what a device's numbers
 * are like, a bit each in *out_numerics; NULL where code does not choose by them. ARGUMENT where it
 * names another thing. The CPU's facts stay: nothing is queued there that could wait for less. */
slip_status device_facts_take_back(plan_facts *facts, uint32_t *out_numerics) SLIP_MUST_USE;

/* Groups of a task whose bounds the host does not know; `most` is the device's limit. */
uint32_t device_strided_groups(uint32_t compute_units, uint64_t most);

#endif
