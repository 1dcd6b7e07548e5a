/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error_test.c - the public record of failures.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

static void the_next_public_call_clears_the_record(void)
{
    slip_device *device = NULL;

    fail_clear();
    CHECK_EQ_U64(slip_device_open("no such device", &device), SLIP_ERR_NOT_FOUND);
    CHECK_EQ_U64(slip_last_error()->code, SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "no such device");
    CHECK(slip_last_error()->line > 0);
    CHECK_EQ_U64(slip_device_sync(NULL), SLIP_ERR_ARGUMENT); /* another failure takes its place */
    CHECK_CONTAINS(slip_last_error()->message, "slip_device_sync");
    CHECK_EQ_U64(slip_device_open("cpu", &device), SLIP_OK);
    CHECK_EQ_U64(slip_last_error()->code, SLIP_OK);
    CHECK_TEXT(slip_last_error()->message, "");
    slip_device_close(device);
}

static void the_report_is_one_line(void)
{
    slip_device *device = NULL;
    char line[512];
    FILE *file = tmpfile();

    CHECK(file != NULL);
    CHECK_EQ_U64(slip_device_open("cpu:7", &device), SLIP_ERR_NOT_FOUND);
    CHECK_EQ_I64(slip_report(file), 1);
    rewind(file);
    CHECK(fgets(line, sizeof line, file) != NULL);
    /* what there is, is this machine's */
    CHECK_CONTAINS(line, "SLIP_ERR_NOT_FOUND: no device \"cpu:7\"; there is ");
    CHECK(line[strlen(line) - 1] == '\n');
    CHECK(fgets(line, sizeof line, file) == NULL);
    fclose(file);
    fail_clear();
}

static void *fail_here(void *unused)
{
    static char message[256];
    slip_device *device = NULL;

    (void)unused;
    if (slip_device_open("other thread's", &device) != SLIP_ERR_NOT_FOUND)
        return NULL;
    memcpy(message, slip_last_error()->message, sizeof message);
    return message;
}

static void each_thread_has_its_own_record(void)
{
    pthread_t thread;
    void *message = NULL;
    slip_device *device = NULL;

    CHECK_EQ_U64(slip_device_open("this thread's", &device), SLIP_ERR_NOT_FOUND);
    CHECK_EQ_I64(pthread_create(&thread, NULL, fail_here, NULL), 0);
    pthread_join(thread, &message);
    CHECK_CONTAINS(message, "other thread's");
    CHECK_CONTAINS(slip_last_error()->message, "this thread's");
    fail_clear();
}

static void codes_have_names_and_the_library_a_version(void)
{
    CHECK_TEXT(slip_status_name(SLIP_OK), "SLIP_OK");
    CHECK_TEXT(slip_status_name(SLIP_ERR_LOST), "SLIP_ERR_LOST");
    CHECK_TEXT(slip_version(), SLIPWAY_VERSION);
}

static const check_case cases[] = {
    CASE(the_next_public_call_clears_the_record),
    CASE(the_report_is_one_line),
    CASE(each_thread_has_its_own_record),
    CASE(codes_have_names_and_the_library_a_version),
};

CHECK_MAIN(cases)
