/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cases.c - the device under test, and arrays on it.
 */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels.slip.h"

slip_device *device;

const char *cases_family(void)
{
    const char *family = getenv("SLIPWAY_TEST_FAMILY");

    return family ? family : "cpu";
}

slip_device *open_device(void)
{
    slip_device *made = NULL;

    OK(slip_device_open(cases_family(), &made));
    return made;
}

bool runs_in_software(void)
{
    slip_device_info info;

    slip_device_describe(device, &info);
    bool software = strcmp(info.kind, "software") == 0 || strstr(info.name, "Look-alike");
    if (software)
        printf("%s is software: fewer iterations\n", info.name);
    return software;
}

int32_t *device_ints(int32_t n)
{
    void *made = NULL;

    OK(slip_alloc(device, (uint64_t)n * 4, &made));
    return made;
}

int64_t sum_of(slip_stream *on, int32_t n, const int32_t *x)
{
    int64_t sum = -1;

    OK(total_i32(on, n, x, &sum));
    return sum;
}

void cases_ok(slip_status status, const char *call, const char *file, int line)
{
    if (status != SLIP_OK)
        check_fail(file, line, "%s gave %s: %s", call, slip_status_name(status),
                   slip_last_error()->message);
}
