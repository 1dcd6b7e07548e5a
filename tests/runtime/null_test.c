/* SPDX-License-Identifier: Apache-2.0 */
/*
 * null_test.c - each public function of the runtime with NULL for each thing it takes, and that
 * none of the headers' functions was forgotten.
 *
 * What is expected is the rule of slipway.h, not what the code does.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <slipway/reference.h>

#include "runtime/hand.h"
#include "support/check.h"
#include "support/untried.h"

static void refused(slip_status status, const char *call, const char *what)
{
    const char *name = untried_note(call);
    char expected[128];

    if (status != SLIP_ERR_ARGUMENT)
        CHECK_FAIL("%s gave %s", call, slip_status_name(status));
    CHECK_EQ_I64(slip_last_error()->code, SLIP_ERR_ARGUMENT);
    snprintf(expected, sizeof expected, "the %s is NULL", what);
    CHECK_CONTAINS(slip_last_error()->message, expected);
    if (!strstr(slip_last_error()->message, "the stream of a call"))
        CHECK_CONTAINS(slip_last_error()->message, name);
}

/* It returns ARGUMENT, names itself, and says that `what` is NULL. */
#define REFUSED(call, what) refused((call), #call, (what))
/* It returns nothing, and records nothing. */
#define IDLE(call)                                                                                 \
    do {                                                                                           \
        untried_note(#call);                                                                       \
        fail_clear();                                                                              \
        call;                                                                                      \
        CHECK_EQ_I64(slip_last_error()->code, SLIP_OK);                                            \
    } while (0)
/* It returns this. */
#define GIVES(call, expected)                                                                      \
    do {                                                                                           \
        untried_note(#call);                                                                       \
        CHECK((call) == (expected));                                                               \
    } while (0)
/* All bytes of `out` are zero, whatever it held. */
#define ZEROES(call, out)                                                                          \
    do {                                                                                           \
        memset(&(out), 0xa5, sizeof(out));                                                         \
        IDLE(call);                                                                                \
        for (size_t byte_ = 0; byte_ < sizeof(out); byte_++)                                       \
            CHECK_EQ_U64(((const unsigned char *)&(out))[byte_], 0);                               \
    } while (0)

static void tell(const char *name, const char *value, void *user)
{
    (void)name;
    (void)value;
    (void)user;
}

static void devices(slip_device *device)
{
    static char facts[1 << 14];
    slip_device_info info;
    slip_stats stats;

    REFUSED(slip_device_open("cpu", NULL), "place for the device");
    REFUSED(slip_devices(NULL, NULL), "function to call");
    REFUSED(slip_device_details(NULL, tell, NULL), "device");
    REFUSED(slip_device_details(device, NULL, NULL), "function to call");
    REFUSED(slip_device_sync(NULL), "device");
    REFUSED(slip_device_set_sync(NULL, SLIP_SYNC_MINIMAL), "device");
    REFUSED(slip_device_trim(NULL), "device");
    REFUSED(slip_device_facts(NULL, facts, sizeof facts), "device");
    REFUSED(slip_device_facts(device, NULL, 0), "place for the text");
    GIVES(slip_device_get_sync(NULL), SLIP_SYNC_MINIMAL);
    IDLE(slip_device_close(NULL));
    IDLE(slip_device_describe(device, NULL));
    IDLE(slip_device_describe(NULL, NULL));
    ZEROES(slip_device_describe(NULL, &info), info);
    IDLE(slip_device_stats(device, NULL));
    IDLE(slip_device_stats(NULL, NULL));
    ZEROES(slip_device_stats(NULL, &stats), stats);
    IDLE(slip_device_stats_reset(NULL));
}

static void streams_and_events(slip_device *device)
{
    slip_stream *stream = slip_default(device);
    slip_event *event = NULL;
    void *native = NULL;
    double seconds = 0;
    bool done = false;

    GIVES(slip_default(NULL), NULL);
    GIVES(slip_stream_device(NULL), NULL);
    REFUSED(slip_stream_create(NULL, &stream), "device");
    REFUSED(slip_stream_create(device, NULL), "place for the stream");
    REFUSED(slip_stream_wrap(NULL, NULL, &stream), "device");
    REFUSED(slip_stream_wrap(device, NULL, NULL), "place for the stream");
    REFUSED(slip_stream_native(NULL, &native), "stream");
    REFUSED(slip_stream_native(stream, NULL), "place for the handle");
    REFUSED(slip_stream_sync(NULL), "stream");
    IDLE(slip_stream_destroy(NULL));
    CHECK(stream == slip_default(device) && native == NULL);

    CHECK_STATUS(slip_event_create(device, &event), SLIP_OK);
    REFUSED(slip_event_create(NULL, &event), "device");
    REFUSED(slip_event_create(device, NULL), "place for the event");
    REFUSED(slip_event_record(NULL, stream), "event");
    REFUSED(slip_event_record(event, NULL), "stream");
    REFUSED(slip_stream_wait(NULL, event), "stream");
    REFUSED(slip_stream_wait(stream, NULL), "event");
    REFUSED(slip_event_sync(NULL), "event");
    REFUSED(slip_event_query(NULL, &done), "event");
    REFUSED(slip_event_query(event, NULL), "place for the answer");
    REFUSED(slip_event_elapsed(NULL, event, &seconds), "first event");
    REFUSED(slip_event_elapsed(event, NULL, &seconds), "second event");
    REFUSED(slip_event_elapsed(event, event, NULL), "place for the answer");
    IDLE(slip_event_destroy(NULL));
    slip_event_destroy(event);
}

/* Giving memory back records what it cannot take back. */
#define RECORDS(call)                                                                              \
    do {                                                                                           \
        fail_clear();                                                                              \
        call;                                                                                      \
        refused(slip_last_error()->code, #call, "device");                                         \
    } while (0)

static void memory(slip_device *device)
{
    slip_stream *stream = slip_default(device);
    float x[8] = { 0 };
    void *out = NULL;

    REFUSED(slip_alloc(NULL, 8, &out), "device");
    REFUSED(slip_alloc(device, 8, NULL), "place for the address");
    REFUSED(slip_host_alloc(NULL, 8, &out), "device");
    REFUSED(slip_host_alloc(device, 8, NULL), "place for the address");
    REFUSED(slip_host_register(NULL, x, sizeof x), "device");
    REFUSED(slip_host_register(device, NULL, sizeof x), "memory");
    REFUSED(slip_host_unregister(NULL, x), "device");
    REFUSED(slip_host_unregister(device, NULL), "memory");
    REFUSED(slip_keep(NULL, x, sizeof x), "device");
    REFUSED(slip_keep(device, NULL, sizeof x), "memory");
    REFUSED(slip_unkeep(NULL, x), "device");
    REFUSED(slip_unkeep(device, NULL), "memory");
    REFUSED(slip_push(NULL, x), "stream");
    REFUSED(slip_push(stream, NULL), "memory");
    REFUSED(slip_fetch(NULL, x), "stream");
    REFUSED(slip_fetch(stream, NULL), "memory");
    REFUSED(slip_wrap(NULL, x, sizeof x, &out), "device");
    REFUSED(slip_wrap(device, NULL, sizeof x, &out), "memory");
    REFUSED(slip_wrap(device, x, sizeof x, NULL), "place for the address");
    REFUSED(slip_native(NULL, x, &out), "device");
    REFUSED(slip_native(device, NULL, &out), "memory");
    REFUSED(slip_native(device, x, NULL), "place for the address");
    REFUSED(slip_upload(NULL, x, x, 4), "stream");
    REFUSED(slip_upload(stream, NULL, x, 4), "memory to copy to");
    REFUSED(slip_upload(stream, x, NULL, 4), "memory to copy from");
    REFUSED(slip_download(NULL, x, x, 4), "stream");
    REFUSED(slip_download(stream, NULL, x, 4), "memory to copy to");
    REFUSED(slip_download(stream, x, NULL, 4), "memory to copy from");
    CHECK(out == NULL);
    IDLE(slip_free(device, NULL));
    IDLE(slip_free(NULL, NULL));
    IDLE(slip_host_free(device, NULL));
    IDLE(slip_host_free(NULL, NULL));
    IDLE(slip_unwrap(device, NULL));
    IDLE(slip_unwrap(NULL, NULL));
    RECORDS(slip_free(NULL, x));
    RECORDS(slip_host_free(NULL, x));
    RECORDS(slip_unwrap(NULL, x));
}

static void modules(const hand_device *on)
{
    slip_device *device = on->device;
    slip_entry *entry = hand_entry(on, HAND_ADD), *found = NULL;
    slip_module *module = NULL;
    slip_entry_info info;
    slip_param_info param;
    slip_variable_info variable;
    uint64_t extents[SLIP_MAX_RANK];
    slip_arg args[3] = { { 0 } };

    REFUSED(slip_module_load(NULL, "x", 1, &module), "device");
    REFUSED(slip_module_load(device, NULL, 1, &module), "module");
    REFUSED(slip_module_load(device, "x", 1, NULL), "place for the module");
    REFUSED(slip_module_inspect(NULL, "x", 1, &module), "device");
    REFUSED(slip_module_inspect(device, NULL, 1, &module), "module");
    REFUSED(slip_module_inspect(device, "x", 1, NULL), "place for the module");
    REFUSED(slip_module_load_file(NULL, "x", &module), "device");
    REFUSED(slip_module_load_file(device, NULL, &module), "path");
    REFUSED(slip_module_load_file(device, "x", NULL), "place for the module");
    REFUSED(slip_module_find(NULL, "add", &found), "module");
    REFUSED(slip_module_find(on->module, NULL, &found), "name");
    REFUSED(slip_module_find(on->module, "add", NULL), "place for the kernel");
    GIVES(slip_module_entry_count(NULL), 0);
    GIVES(slip_module_entry(NULL, 0), NULL);
    IDLE(slip_module_unload(NULL));
    IDLE(slip_entry_describe(entry, NULL));
    IDLE(slip_entry_describe(NULL, NULL));
    ZEROES(slip_entry_describe(NULL, &info), info);
    IDLE(slip_entry_param(entry, 0, NULL));
    IDLE(slip_entry_param(NULL, 0, NULL));
    ZEROES(slip_entry_param(NULL, 0, &param), param);
    IDLE(slip_entry_variable(entry, 0, NULL));
    IDLE(slip_entry_variable(NULL, 0, NULL));
    ZEROES(slip_entry_variable(NULL, 0, &variable), variable);
    REFUSED(slip_entry_extents(NULL, args, 3, 2, extents), "entry");
    REFUSED(slip_entry_extents(entry, NULL, 3, 2, extents), "list of arguments");
    REFUSED(slip_entry_extents(entry, args, 3, 2, NULL), "place for the extents");
    CHECK(module == NULL && found == NULL);
}

static void calls(const hand_device *on)
{
    slip_embedded embedded = { 0 };
    slip_site site = { .module = &embedded }, nowhere = { 0 };
    slip_entry *entry = hand_entry(on, HAND_ADD);
    slip_arg args[3] = { { 0 } };
    uint64_t bits[3] = { 0 };
    char *text = NULL;

    REFUSED(slip_launch(NULL, entry, args, 3, NULL, 0), "stream");
    REFUSED(slip_launch(on->stream, NULL, args, 3, NULL, 0), "entry");
    CHECK_STATUS(slip_launch(on->stream, entry, NULL, 3, NULL, 0), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "the list of the 3 arguments of add is NULL");
    REFUSED(slip_call(NULL, &site, bits, NULL), "stream of a call");
    REFUSED(slip_call(on->stream, NULL, bits, NULL), "site");
    REFUSED(slip_call(on->stream, &nowhere, bits, NULL), "module of the site");
    REFUSED(slip_explain(NULL, NULL, &text), "entry");
    REFUSED(slip_explain(entry, NULL, NULL), "place for the text");
    REFUSED(slip_dump(NULL, 1, &text), "module");
    REFUSED(slip_dump("x", 1, NULL), "place for the text");
    REFUSED(slip_dump_json(NULL, 1, &text), "module");
    REFUSED(slip_dump_json("x", 1, NULL), "place for the text");
    IDLE(slip_text_free(NULL));
    CHECK(text == NULL);
    CHECK_EQ_I64(slip_reference_run(NULL, NULL), EINVAL);
}

static void failures(void)
{
    GIVES(slip_report(NULL), 1);
    GIVES(slip_last_error()->code, SLIP_OK);
    GIVES(slip_status_name(SLIP_OK)[0], 'S');
    GIVES(slip_version()[0], SLIPWAY_VERSION[0]);
}

static void every_public_function_takes_or_refuses_null(void)
{
    static const char *const headers[] = { "handles", "device", "memory", "module" };
    uint32_t count = 0;
    char path[64];
    hand_device on;

    hand_open(&on);
    untried_begin();
    fail_clear();
    failures();
    devices(on.device);
    streams_and_events(on.device);
    memory(on.device);
    modules(&on);
    calls(&on);
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        snprintf(path, sizeof path, "include/slipway/%s.h", headers[k]);
        count += untried_check(path);
    }
    CHECK(count > 50);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(every_public_function_takes_or_refuses_null),
};

CHECK_MAIN(cases)
