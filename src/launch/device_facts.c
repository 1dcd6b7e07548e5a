/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_facts.c - facts that are left out by wish, and grids that know no bounds.
 */
#include "launch/device_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

enum { LEAST_STRIDED = 16, MOST_STRIDED = 1024, STRIDED_PER_UNIT = 8 };

static plan_fact fact_named(const char *name, size_t length)
{
    for (uint32_t f = 0; f < PLAN_FACT_COUNT; f++)
        if (!plan_fact_rows[f].contract && strlen(plan_fact_rows[f].name) == length &&
            strncmp(plan_fact_rows[f].name, name, length) == 0)
            return (plan_fact)f;
    return PLAN_FACT_COUNT;
}

slip_status device_facts_take_back(plan_facts *facts)
{
    const char *names = getenv("SLIPWAY_WITHOUT");

    while (names && *names) {
        size_t length = strcspn(names, ",");
        plan_fact fact = fact_named(names, length);
        if (fact == PLAN_FACT_COUNT)
            return SLIP_FAIL(
                SLIP_ERR_ARGUMENT,
                "SLIPWAY_WITHOUT names \"%.*s\", which is no fact that can be left out",
                (int)length, names);
        facts->holds[fact] = false;
        facts->source[fact] = "SLIPWAY_WITHOUT names it";
        names += length + (names[length] == ',');
    }
    return SLIP_OK;
}

uint32_t device_strided_groups(uint32_t compute_units, uint64_t most)
{
    uint32_t groups = compute_units * STRIDED_PER_UNIT;

    groups = groups < LEAST_STRIDED ? LEAST_STRIDED : groups;
    groups = groups > MOST_STRIDED ? MOST_STRIDED : groups;
    return groups > most ? (uint32_t)most : groups;
}
