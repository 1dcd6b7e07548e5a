/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_test.c - plans as text, for this device and for the facts of others.
 */
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

#define FACTS(name) (&(slip_explain_options){ .facts = name })

static void the_plan_of_a_call_is_told_without_running_it(void)
{
    hand_device on;
    char *text = NULL;
    slip_stats stats;

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), NULL, &text), SLIP_OK);
    CHECK_CONTAINS(text, "add:3");
    slip_text_free(text);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls + stats.tasks + stats.plans, 0);
    hand_close(&on);
}

static void the_facts_of_a_family_that_is_not_here_give_its_plan(void)
{
    hand_device on;
    char *cpu = NULL, *cuda = NULL, *none = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), FACTS("cpu"), &cpu), SLIP_OK);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), FACTS("cuda"), &cuda), SLIP_OK);
    CHECK_CONTAINS(cuda, "upload");
    CHECK(strcmp(cpu, cuda) != 0);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), FACTS("metal"), &none),
                 SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(slip_last_error()->message, "cpu, cuda, hip and vulkan");
    CHECK(none == NULL);
    slip_text_free(cpu);
    slip_text_free(cuda);
    hand_close(&on);
}

/* What `cuda` says of kernel add for an array, known memory or not. */
static char *explain_add(const hand_device *on, void *x)
{
    int32_t n = 4;
    float a = 1;
    slip_arg args[] = { { &n, 4 }, { &a, 4 }, { x, 16 } };
    slip_explain_options options = { .facts = "cuda", .args = args, .arg_count = 3 };
    char *text = NULL;

    CHECK_STATUS(slip_explain(hand_entry(on, HAND_ADD), &options, &text), SLIP_OK);
    return text;
}

static void known_memory_is_classed_as_in_a_call(void)
{
    hand_device on;
    float x[4] = { 0 };
    void *memory = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 16, &memory), SLIP_OK);
    char *host = explain_add(&on, x), *resident = explain_add(&on, memory);
    CHECK(strstr(host, "download") != NULL);
    CHECK(strcmp(host, resident) != 0);
    slip_text_free(host);
    slip_text_free(resident);
    int32_t n = 5;
    slip_arg wrong[] = { { &n, 4 }, { &n, 4 }, { memory, 20 } };
    slip_explain_options options = { .args = wrong, .arg_count = 3 };
    char *none = NULL;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &none), SLIP_ERR_ARGUMENT);
    options.arg_count = 2;
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &none), SLIP_ERR_ARGUMENT);
    CHECK(none == NULL);
    hand_close(&on);
}

static char *explain_kind(const hand_device *on, slip_memory_kind kind, slip_explain_stream stream)
{
    slip_memory_kind memory[] = { SLIP_MEMORY_UNKNOWN, SLIP_MEMORY_UNKNOWN, kind };
    slip_explain_options options = { .facts = "cuda", .memory = memory, .stream = stream };
    char *text = NULL;

    CHECK_STATUS(slip_explain(hand_entry(on, HAND_ADD), &options, &text), SLIP_OK);
    return text;
}

static void kinds_of_memory_and_stream_are_asked_for_by_name(void)
{
    static const struct {
        slip_memory_kind kind;
        slip_explain_stream stream;
        const char *says, *waits;
    } rows[] = {
        { SLIP_MEMORY_UNKNOWN, SLIP_EXPLAIN_DEFAULT, "download x, blocking", " 1 host wait\n" },
        { SLIP_MEMORY_UNKNOWN, SLIP_EXPLAIN_EXPLICIT, "explicit stream", " 1 host wait\n" },
        { SLIP_MEMORY_PINNED, SLIP_EXPLAIN_DEFAULT, "pinned host memory", " 1 host wait\n" },
        { SLIP_MEMORY_KEPT, SLIP_EXPLAIN_DEFAULT, "kept, mirrored on the device",
          " 0 host waits\n" },
        { SLIP_MEMORY_UNKNOWN, SLIP_EXPLAIN_WRAPPED, "on cuda, wrapped stream", " 1 host wait\n" },
        { SLIP_MEMORY_UNKNOWN, SLIP_EXPLAIN_WRAPPED,
          "while the stream is captured into a graph: refused, because of upload x, staged\n", "" },
        { SLIP_MEMORY_DEVICE, SLIP_EXPLAIN_WRAPPED,
          "while the stream is captured into a graph: the call becomes part of it\n",
          " 0 host waits\n" },
        { SLIP_MEMORY_DEVICE, SLIP_EXPLAIN_DEFAULT, "device memory", " 0 host waits\n" },
    };
    hand_device on;

    hand_open(&on);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *text = explain_kind(&on, rows[k].kind, rows[k].stream);
        CHECK_CONTAINS(text, rows[k].says);
        CHECK_CONTAINS(text, rows[k].waits);
        slip_text_free(text);
    }
    slip_memory_kind none[] = { 0, 0, (slip_memory_kind)4 };
    char *text = NULL;
    CHECK_STATUS(
        slip_explain(hand_entry(&on, HAND_ADD), &(slip_explain_options){ .memory = none }, &text),
        SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "x: there is no memory of kind 4");
    hand_close(&on);
}

static void streams_that_a_family_does_not_wrap_are_unsupported(void)
{
    hand_device on;
    char *text = NULL;
    slip_explain_options options = { .stream = SLIP_EXPLAIN_WRAPPED };

    hand_open(&on);
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &text), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "can be wrapped on cuda and hip, not on cpu");
    options.facts = "vulkan";
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &text), SLIP_ERR_UNSUPPORTED);
    options = (slip_explain_options){ .facts = "hip", .stream = (slip_explain_stream)3 };
    CHECK_STATUS(slip_explain(hand_entry(&on, HAND_ADD), &options, &text), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "there is no stream of kind 3");
    CHECK(text == NULL);
    hand_close(&on);
}

/* A sum's partial results lie in memory of the stream's own. */
static void a_capture_refuses_what_a_graph_cannot_hold(void)
{
    slip_memory_kind memory[] = { SLIP_MEMORY_UNKNOWN, SLIP_MEMORY_DEVICE, SLIP_MEMORY_DEVICE };
    slip_explain_options options = { .facts = "hip",
                                     .memory = memory,
                                     .stream = SLIP_EXPLAIN_WRAPPED };
    hand_device on;

    hand_open(&on);
    for (int svg = 0; svg < 2; svg++) {
        char *text = NULL;
        options.format = svg ? SLIP_EXPLAIN_SVG : SLIP_EXPLAIN_TEXT;
        CHECK_STATUS(slip_explain(hand_entry(&on, HAND_SUM), &options, &text), SLIP_OK);
        CHECK_CONTAINS(text, "wrapped stream");
        CHECK_CONTAINS(text, "while the stream is captured into a graph: refused, because of "
                             "download the result, staged");
        slip_text_free(text);
    }
    hand_close(&on);
}

static void explaining_leaves_nothing_behind_whichever_request_fails(void)
{
    hand_device on;

    hand_open(&on);
    uint64_t live = mem_live();
    for (uint64_t fail = 1;; fail++) {
        char *text = NULL;
        fail_clear();
        mem_fail_at(fail);
        slip_status status = slip_explain(hand_entry(&on, HAND_STEPS), NULL, &text);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        slip_text_free(text);
        CHECK_EQ_U64(mem_live(), live);
        if (status == SLIP_OK)
            break;
        CHECK(text == NULL);
    }
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(the_plan_of_a_call_is_told_without_running_it),
    CASE(the_facts_of_a_family_that_is_not_here_give_its_plan),
    CASE(known_memory_is_classed_as_in_a_call),
    CASE(kinds_of_memory_and_stream_are_asked_for_by_name),
    CASE(streams_that_a_family_does_not_wrap_are_unsupported),
    CASE(a_capture_refuses_what_a_graph_cannot_hold),
    CASE(explaining_leaves_nothing_behind_whichever_request_fails),
};

CHECK_MAIN(cases)
