/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.c - ends a tool: a full disk or a closed stdout is a failure like any other.
 *
 * Must not use the libraries: both tools share it.
 */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int output_end(const char *tool, int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "%s: cannot write to stdout%s%s\n", tool, errno ? ": " : "",
            errno ? strerror(errno) : "");
    return status ? status : 1;
}
