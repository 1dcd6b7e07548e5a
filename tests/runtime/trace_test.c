/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_test.c - the time line that SLIPWAY_TRACE asks for.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/hand.h"
#include "support/check.h"

/* Is the text one JSON value? A reader of just enough JSON: strings, numbers, literals, objects,
 * arrays. */
static const char *skip_value(const char *at);

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    if (*at != '"')
        return NULL;
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at == '"' ? at + 1 : NULL;
}

static const char *skip_list(const char *at, char end)
{
    at = skip_space(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        if (end == '}') {
            at = skip_string(skip_space(at));
            if (!at || *(at = skip_space(at)) != ':')
                return NULL;
            at++;
        }
        at = skip_value(at);
        if (!at)
            return NULL;
        at = skip_space(at);
        if (*at == end)
            return at + 1;
        if (*at++ != ',')
            return NULL;
    }
}

static const char *skip_value(const char *at)
{
    char *end;

    at = skip_space(at);
    if (*at == '{')
        return skip_list(at, '}');
    if (*at == '[')
        return skip_list(at, ']');
    if (*at == '"')
        return skip_string(at);
    if (strncmp(at, "null", 4) == 0)
        return at + 4;
    strtod(at, &end);
    return end == at ? NULL : end;
}

static void check_json(const char *text)
{
    const char *end = skip_value(text);

    CHECK(end != NULL);
    CHECK_TEXT(skip_space(end), "");
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* The trace is begun once per process, so each case runs in a child. */
static int in_child(void (*body)(const char *path), const char *path)
{
    int status = 0;
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0) {
        setenv("SLIPWAY_TRACE", path, 1);
        body(path);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void make_calls(const char *path)
{
    hand_device on;
    float u[40] = { 0 };
    int32_t n = 40, k = 2;
    slip_arg args[] = { { &n, 4 }, { &k, 4 }, { u, sizeof u } };

    (void)path;
    if (device_open_with(hand_family(), 0, &on.device) != SLIP_OK ||
        module_adopt(on.device, hand_module(), &on.module) != SLIP_OK)
        _exit(1);
    for (int i = 0; i < 3; i++)
        if (slip_launch(slip_default(on.device), slip_module_entry(on.module, HAND_STEPS), args, 3,
                        NULL, 0))
            _exit(2);
    if (slip_keep(on.device, u, sizeof u) || slip_fetch(slip_default(on.device), u) ||
        slip_stream_sync(slip_default(on.device)))
        _exit(3);
    pid_t child = fork(); /* a child's calls do not disturb the file */
    if (child == 0) {
        if (slip_launch(slip_default(on.device), slip_module_entry(on.module, HAND_STEPS), args, 3,
                        NULL, 0))
            _exit(4);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
        _exit(5);
    /* The device stays open: what happened is in the file nonetheless. */
}

static void calls_tasks_and_copies_are_on_the_line_even_if_the_process_just_ends(void)
{
    const char *path = check_temp_path(".json");

    CHECK_EQ_I64(in_child(make_calls, path), 0);
    char *text = check_read(path, NULL);
    check_json(text);
    CHECK_EQ_I64(count_of(text, "\"name\":\"steps\",\"cat\":\"call\",\"ph\":\"X\""), 3);
    CHECK_EQ_I64(count_of(text, "\"name\":\"steps:23\",\"cat\":\"task\""), 6);
    CHECK_EQ_I64(count_of(text, "\"iterations\":40"), 12);
    CHECK_EQ_I64(count_of(text, "\"cat\":\"copy\""), 2);
    CHECK_EQ_I64(count_of(text, "\"bytes\":160"), 2);
    CHECK_EQ_I64(count_of(text, "slip_stream_sync"), 1);
    free(text);
}

/* Before the trace is begun the same call is made so often that its launches are kept. */
static void make_equal_calls(const char *path)
{
    hand_device on;
    slip_device *other;
    float x[8] = { 0 }, a = 1;
    int32_t n = 8;
    slip_arg args[] = { { &n, 4 }, { &a, 4 }, { x, sizeof x } };

    unsetenv("SLIPWAY_TRACE");
    if (device_open_with(hand_family(), 0, &on.device) != SLIP_OK ||
        module_adopt(on.device, hand_module(), &on.module) != SLIP_OK)
        _exit(1);
    for (int i = 0; i < 11; i++) {
        if (i == 5 && (setenv("SLIPWAY_TRACE", path, 1) != 0 ||
                       device_open_with(hand_family(), 0, &other) != SLIP_OK))
            _exit(2);
        if (slip_launch(slip_default(on.device), slip_module_entry(on.module, HAND_ADD), args, 3,
                        NULL, 0))
            _exit(3);
    }
}

static void calls_whose_launches_are_kept_are_on_the_line_task_by_task(void)
{
    const char *path = check_temp_path(".json");

    CHECK_EQ_I64(in_child(make_equal_calls, path), 0);
    char *text = check_read(path, NULL);
    check_json(text);
    CHECK_EQ_I64(count_of(text, "\"name\":\"add\",\"cat\":\"call\",\"ph\":\"X\""), 6);
    CHECK_EQ_I64(count_of(text, "\"name\":\"add:3\",\"cat\":\"task\""), 6);
    free(text);
}

static slip_device *open_add(slip_entry **out)
{
    hand_device on;

    if (device_open_with(hand_family(), 0, &on.device) != SLIP_OK ||
        module_adopt(on.device, hand_module(), &on.module) != SLIP_OK)
        _exit(1);
    *out = slip_module_entry(on.module, HAND_ADD);
    return on.device;
}

static slip_status call_add(slip_device *device, slip_entry *entry, float *x)
{
    float a = 0.1f;
    int32_t n = 8;
    slip_arg args[] = { { &n, 4 }, { &a, 4 }, { x, 8 * sizeof *x } };

    return slip_launch(slip_default(device), entry, args, 3, NULL, 0);
}

/* The program has its own arithmetic trap, also where it is inexact. */
static void call_with_traps(const char *path)
{
    slip_entry *entry;
    slip_device *device = open_add(&entry);
    float x[8] = { 0 };
    void *memory;

    (void)path;
    signal(SIGFPE, SIG_DFL);
    (void)feenableexcept(FE_ALL_EXCEPT); /* not all processors can */
    for (int i = 0; i < 5; i++)
        if (call_add(device, entry, x) || slip_device_sync(device))
            _exit(2);
    if (slip_alloc(device, sizeof x, &memory) ||
        slip_upload(slip_default(device), memory, x, sizeof x) || call_add(device, entry, memory))
        _exit(3);
}

static void a_program_whose_arithmetic_traps_is_not_disturbed(void)
{
    const char *path = check_temp_path(".json");

    CHECK_EQ_I64(in_child(call_with_traps, path), 0);
    char *text = check_read(path, NULL);
    check_json(text);
    CHECK_EQ_I64(count_of(text, "\"cat\":\"task\""), 6);
    CHECK_EQ_I64(count_of(text, "\"cat\":\"copy\""), 1);
    free(text);
}

/* The driver refuses the task, and one request for memory is refused beside it. */
static void fail_for_two_reasons(const char *path)
{
    slip_entry *entry;
    slip_device *device = open_add(&entry);
    float x[8] = { 0 };

    (void)path;
    for (uint64_t k = 1; k < 40; k++) {
        if (call_add(device, entry, x))
            _exit(2);
        hand_calls = 0;
        hand_fail_at = 1;
        mem_fail_at(k);
        slip_status status = call_add(device, entry, x);
        mem_fail_at(0);
        hand_fail_at = 0;
        if (status != SLIP_ERR_DEVICE)
            _exit(3);
        if (slip_last_error()->code != status)
            _exit(4);
    }
}

static void an_entry_that_is_lost_keeps_what_a_call_says_of_its_failure(void)
{
    const char *path = check_temp_path(".json");

    CHECK_EQ_I64(in_child(fail_for_two_reasons, path), 0);
    char *text = check_read(path, NULL);
    check_json(text);
    CHECK(count_of(text, "\"cat\":\"call\"") < 2 * 39);
    free(text);
}

static void open_only(const char *path)
{
    slip_device *device = NULL;

    (void)path;
    _exit(slip_device_open("cpu", &device) == SLIP_OK ? 0 : 1);
}

static void a_line_without_events_is_whole_json(void)
{
    const char *path = check_temp_path(".json");

    CHECK_EQ_I64(in_child(open_only, path), 0);
    char *text = check_read(path, NULL);
    check_json(text);
    free(text);
}

static void a_file_that_cannot_be_written_is_refused_when_a_device_is_opened(void)
{
    slip_device *device = NULL;

    setenv("SLIPWAY_TRACE", "/no/such/folder/trace.json", 1);
    CHECK_STATUS(slip_device_open("cpu", &device), SLIP_ERR_ARGUMENT);
    unsetenv("SLIPWAY_TRACE");
    CHECK_CONTAINS(slip_last_error()->message,
                   "SLIPWAY_TRACE=/no/such/folder/trace.json cannot be written: No such");
    CHECK(device == NULL);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(calls_tasks_and_copies_are_on_the_line_even_if_the_process_just_ends),
    CASE(calls_whose_launches_are_kept_are_on_the_line_task_by_task),
    CASE(a_program_whose_arithmetic_traps_is_not_disturbed),
    CASE(an_entry_that_is_lost_keeps_what_a_call_says_of_its_failure),
    CASE(a_line_without_events_is_whole_json),
    CASE(a_file_that_cannot_be_written_is_refused_when_a_device_is_opened),
};

CHECK_MAIN(cases)
