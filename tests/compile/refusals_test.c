/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusals_test.c - what the passes after the front say of a kernel: each NAME.c of
 * golden/launch_errors has its messages beside it, as the tool prints them. SLIPWAY_BLESS=1 writes
 * them anew.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipc.h>

#include "base/text.h"
#include "support/check.h"

#define FOLDER "tests/golden/launch_errors"

static void one_refusal(const char *name)
{
    char path[256];
    slipc_options options = { .targets = "host" };
    slipc_result *result = NULL;
    text out = { 0 };
    bool refused = false;

    snprintf(path, sizeof path, "%s/%s", FOLDER, name);
    char *source = check_read(path, NULL);
    slip_status status = slipc_compile(name, source, &options, &result);
    for (uint32_t i = 0; i < slipc_diagnostic_count(result); i++) {
        text_add(&out, "%s", slipc_diagnostic_at(result, i)->text);
        refused |= slipc_diagnostic_at(result, i)->severity == SLIPC_ERROR;
    }
    CHECK_EQ_I64(status, refused ? SLIP_ERR_COMPILE : SLIP_OK);
    CHECK_EQ_I64(slipc_result_error(result)->code, status);
    CHECK(slipc_diagnostic_count(result) > 0);
    snprintf(path, sizeof path, "%s/%.*s.txt", FOLDER, (int)(strlen(name) - 2), name);
    CHECK_GOLDEN(path, text_get(&out));
    text_finish(&out);
    slipc_result_free(result);
    free(source);
}

static void races_and_device_values_are_refused_with_advice(void)
{
    DIR *dir = opendir(check_path(FOLDER));
    uint32_t count = 0;

    CHECK(dir != NULL);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        size_t n = strlen(e->d_name);
        if (n > 2 && strcmp(e->d_name + n - 2, ".c") == 0) {
            one_refusal(e->d_name);
            count++;
        }
    }
    closedir(dir);
    CHECK(count >= 20);
}

static const check_case cases[] = {
    CASE(races_and_device_values_are_refused_with_advice),
};
CHECK_MAIN(cases)
