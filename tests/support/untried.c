/* SPDX-License-Identifier: Apache-2.0 */
/*
 * untried.c - see untried.h.
 */
#include "support/untried.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static char tried[8192]; /* a space before and after each name */

void untried_begin(void)
{
    tried[0] = '\0';
}

const char *untried_note(const char *call)
{
    static char name[64];

    snprintf(name, sizeof name, " %.*s ", (int)strcspn(call, "("), call);
    if (!strstr(tried, name))
        strcat(tried, name);
    name[strlen(name) - 1] = '\0';
    return name + 1;
}

/* The names before "(". */
uint32_t untried_check(const char *header)
{
    char *text = check_read(header, NULL), name[64];
    uint32_t count = 0;

    for (char *at = text; (at = strstr(at, "\nSLIP_API ")) != NULL; count++) {
        at += strcspn(at, "(");
        char *start = at;
        while (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z'))
            start--;
        snprintf(name, sizeof name, " %.*s ", (int)(at - start), start);
        if (!strstr(tried, name))
            CHECK_FAIL("nobody tried%sof %s with NULL", name, header);
    }
    free(text);
    return count;
}
