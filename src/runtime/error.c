/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.c - the public face of the failure record.
 *
 * The record is this library's own and per thread. Must never clear it except at the start of a
 * public call.
 */
#include "base/fail.h"
#include "runtime/objects.h"

const slip_error *slip_last_error(void)
{
    return fail_last();
}

int slip_report(FILE *to)
{
    const slip_error *error = fail_last();

    if (to)
        fprintf(to, "%s: %s\n", fail_name(error->code), error->message);
    return 1;
}

const char *slip_status_name(slip_status status)
{
    return fail_name(status);
}

const char *slip_version(void)
{
    return SLIPWAY_VERSION;
}
