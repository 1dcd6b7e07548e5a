/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove.h - plan_make, and a proof of what it made.
 */
#ifndef SLIPWAY_TESTS_PROVE_PROVE_H
#define SLIPWAY_TESTS_PROVE_PROVE_H

#include "plan/plan.h"

slip_status prove_plan_make(mem_arena *arena, const mod_entry *entry, const plan_shape *shape,
                            const plan_facts *facts, plan **out) SLIP_MUST_USE;

#endif
