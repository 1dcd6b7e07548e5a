/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setting.c - reads variables of the environment, and refuses what they do not take.
 *
 * Must keep nothing: each reading sees what the variable is then.
 */
#include "base/setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/text.h"

/* A long value leaves room for what it might have been. */
slip_status setting_refuse(const char *variable, const char *value, const char *takes)
{
    return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s is \"%.64s%s\"; it takes %s or nothing", variable,
                     value, strlen(value) > 64 ? "..." : "", takes);
}

slip_status setting_read(const char *variable, const char *const *words, uint32_t count,
                         uint32_t *out)
{
    const char *value = getenv(variable);
    uint32_t k = 0;
    text takes = { 0 };

    if (!value || !*value) {
        *out = count;
        return SLIP_OK;
    }
    while (k < count && strcmp(words[k], value) != 0)
        k++;
    if (k < count) {
        *out = k;
        return SLIP_OK;
    }
    for (k = 0; k < count; k++)
        text_add(&takes, "%s\"%s\"", k ? ", " : "", words[k]);
    slip_status status = takes.status;
    if (status == SLIP_OK)
        status = setting_refuse(variable, value, text_get(&takes));
    text_finish(&takes);
    return status;
}
