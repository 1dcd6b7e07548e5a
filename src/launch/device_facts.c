/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_facts.c - facts that are left out by wish, and grids that know no bounds.
 */
#include "launch/device_facts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* NUMERIC_COUNT: none. They are written in small letters. */
static numeric numeric_named(const char *name, size_t length)
{
    static const char *const names[] = {
#define NAME_(name, text) #name,
        NUMERICS(NAME_)
#undef NAME_
    };
    uint32_t k = 0;

    while (k < NUMERIC_COUNT &&
           (strlen(names[k]) != length || strncasecmp(names[k], name, length) != 0))
        k++;
    return (numeric)k;
}

slip_status device_facts_take_back(plan_facts *facts, uint32_t *out_numerics)
{
    const char *names = getenv("SLIPWAY_WITHOUT");
    uint32_t numerics = 0;

    while (names && *names) {
        size_t length = strcspn(names, ",");
        plan_fact fact = fact_named(names, length);
        numeric own = numeric_named(names, length);
        if (fact == PLAN_FACT_COUNT && own == NUMERIC_COUNT)
            return SLIP_FAIL(
                SLIP_ERR_ARGUMENT,
                "SLIPWAY_WITHOUT names \"%.*s\", which is no fact that can be left out",
                (int)length, names);
        if (fact != PLAN_FACT_COUNT) {
            facts->holds[fact] = false;
            facts->source[fact] = "SLIPWAY_WITHOUT names it";
        } else {
            numerics |= 1u << own;
        }
        names += length + (names[length] == ',');
    }
    if (out_numerics)
        *out_numerics = numerics;
    return SLIP_OK;
}

uint32_t device_strided_groups(uint32_t compute_units, uint64_t most)
{
    uint32_t groups = compute_units * STRIDED_PER_UNIT;

    groups = groups < LEAST_STRIDED ? LEAST_STRIDED : groups;
    groups = groups > MOST_STRIDED ? MOST_STRIDED : groups;
    return groups > most ? (uint32_t)most : groups;
}
