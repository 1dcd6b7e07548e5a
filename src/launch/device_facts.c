/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_facts.c - facts that are left out by wish, and grids that know no bounds.
 */
#include "launch/device_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"

enum { MOST_NAME = 32 };
enum { LEAST_STRIDED = 16, MOST_STRIDED = 1024, STRIDED_PER_UNIT = 8 };

static plan_fact fact_named(const char *name, size_t length)
{
    for (uint32_t f = 0; f < PLAN_FACT_COUNT; f++)
        if (!plan_fact_rows[f].contract && strlen(plan_fact_rows[f].name) == length &&
            strncmp(plan_fact_rows[f].name, name, length) == 0)
            return (plan_fact)f;
    return PLAN_FACT_COUNT;
}

static const char *const numerics[] = {
#define NAME_(name, text) #name,
    NUMERICS(NAME_)
#undef NAME_
};

/* NUMERIC_COUNT: none. They are written in small letters. */
static numeric numeric_named(const char *name, size_t length)
{
    uint32_t k = 0;

    while (k < NUMERIC_COUNT &&
           (strlen(numerics[k]) != length || strncasecmp(numerics[k], name, length) != 0))
        k++;
    return (numeric)k;
}

static void add_numeric(text *out, numeric which)
{
    for (const char *at = numerics[which]; *at; at++)
        text_add(out, "%c", tolower((unsigned char)*at));
}

/* The facts of numbers are too many for a message: their first and last stand for them. */
static slip_status refuse(const char *name, size_t length)
{
    text all = { 0 };

    for (uint32_t f = 0; f < PLAN_FACT_COUNT; f++)
        if (!plan_fact_rows[f].contract)
            text_add(&all, "%s, ", plan_fact_rows[f].name);
    text_add(&all, "and of numbers (slipway devices lists them) ");
    add_numeric(&all, 0);
    text_add(&all, " to ");
    add_numeric(&all, NUMERIC_COUNT - 1);
    slip_status status = all.status;
    if (status == SLIP_OK)
        status = SLIP_FAIL(SLIP_ERR_ARGUMENT, "SLIPWAY_WITHOUT names \"%.*s%s\"; it takes %s",
                           length > MOST_NAME ? MOST_NAME : (int)length, name,
                           length > MOST_NAME ? "..." : "", text_get(&all));
    text_finish(&all);
    return status;
}

static void take_back(plan_facts *facts, plan_fact fact)
{
    if (facts->family == PLAN_FAMILY_CPU)
        return;
    facts->holds[fact] = false;
    facts->source[fact] = "SLIPWAY_WITHOUT names it";
}

slip_status device_facts_take_back(plan_facts *facts, uint32_t *out_numerics)
{
    const char *names = getenv("SLIPWAY_WITHOUT");
    uint32_t named = 0;

    while (names && *names) {
        size_t length = strcspn(names, ",");
        plan_fact fact = fact_named(names, length);
        numeric own = numeric_named(names, length);
        if (fact == PLAN_FACT_COUNT && own == NUMERIC_COUNT)
            return refuse(names, length);
        if (fact != PLAN_FACT_COUNT)
            take_back(facts, fact);
        else
            named |= 1u << own;
        names += length + (names[length] == ',');
    }
    if (out_numerics)
        *out_numerics = named;
    return SLIP_OK;
}

uint32_t device_strided_groups(uint32_t compute_units, uint64_t most)
{
    uint32_t groups = compute_units * STRIDED_PER_UNIT;

    groups = groups < LEAST_STRIDED ? LEAST_STRIDED : groups;
    groups = groups > MOST_STRIDED ? MOST_STRIDED : groups;
    return groups > most ? (uint32_t)most : groups;
}
