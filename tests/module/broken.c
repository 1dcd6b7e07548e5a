/* SPDX-License-Identifier: Apache-2.0 */
/*
 * broken.c - a module with one claim broken is refused by that claim.
 */
#include "module/broken.h"

#include <string.h>

#include "module/read.h"
#include "support/check.h"

static void refused(const broken_claim *claim)
{
    whole w;

    whole_make(&w);
    claim->change(&w);
    fail_clear();
    slip_status status = mod_check(&w.m);
    if (status != SLIP_ERR_FORMAT || fail_last()->code != status ||
        !strstr(fail_last()->message, claim->message))
        CHECK_FAIL("%s: %s, \"%s\"; expected \"%s\"", claim->name, status ? "refused" : "passed",
                   status ? fail_last()->message : "", claim->message);
}

void broken_claims_refused(const broken_claim *claims, size_t count)
{
    for (size_t k = 0; k < count; k++)
        refused(&claims[k]);
}
