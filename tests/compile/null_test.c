/* SPDX-License-Identifier: Apache-2.0 */
/*
 * null_test.c - each public function of the compiler with NULL for each thing it takes, and that
 * none of slipc.h was forgotten. What is expected is the rule of slipway.h.
 */
#include <string.h>

#include <slipway/slipc.h>

#include "support/check.h"
#include "support/untried.h"

static const char kernel[] = "#include <slipway/kernel.h>\n"
                             "slip_kernel void one(f32 x[1]) { x[0] = 1; }\n";

/* It refuses, and the thread's record names the function and what was NULL. */
static void refused(slip_status status, const char *call, const char *what)
{
    const slip_error *error = slipc_result_error(NULL);

    untried_note(call);
    if (status != SLIP_ERR_ARGUMENT)
        CHECK_FAIL("%s gave %d", call, (int)status);
    CHECK_EQ_I64(error->code, SLIP_ERR_ARGUMENT);
    CHECK(strncmp(error->message, call, strcspn(call, "(")) == 0);
    CHECK_CONTAINS(error->message, what);
}

#define REFUSED(call, what) refused((call), #call, (what))
#define GIVES(call, expected)                                                                      \
    do {                                                                                           \
        untried_note(#call);                                                                       \
        CHECK((call) == (expected));                                                               \
    } while (0)

/* As a caller sees it: there is a result all the same, and its record says why. */
static void check_refused_options(const char *path, const slipc_options *options, const char *what)
{
    slipc_result *result = NULL;

    CHECK_EQ_I64(slipc_compile(path, kernel, options, &result), SLIP_ERR_ARGUMENT);
    CHECK(result != NULL);
    CHECK_EQ_I64(slipc_result_error(result)->code, SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slipc_result_error(result)->message, what);
    CHECK_EQ_U64(slipc_diagnostic_count(result), 0);
    slipc_result_free(result);
}

static void compiles(void)
{
    const char *const list[] = { "a", NULL };

    REFUSED(slipc_compile("a.c", kernel, NULL, NULL), "the place for the result is NULL");
    check_refused_options(NULL, NULL, "the path is NULL");
    check_refused_options("a.c", &(slipc_options){ .include_dir_count = 1 },
                          "include_dirs is NULL");
    check_refused_options("a.c", &(slipc_options){ .define_count = 2 }, "defines is NULL");
    check_refused_options("a.c", &(slipc_options){ .include_dirs = list, .include_dir_count = 2 },
                          "include_dirs[1] is NULL");
    check_refused_options("a.c", &(slipc_options){ .defines = list, .define_count = 2 },
                          "defines[1] is NULL");
}

static void results(void)
{
    size_t size = 7;

    GIVES(slipc_diagnostic_count(NULL), 0);
    GIVES(slipc_diagnostic_at(NULL, 0), NULL);
    GIVES(slipc_module_bytes(NULL, &size), NULL);
    CHECK_EQ_U64(size, 0);
    GIVES(slipc_module_bytes(NULL, NULL), NULL);
    GIVES(slipc_dependency_count(NULL), 0);
    GIVES(slipc_dependency_at(NULL, 0), NULL);
    GIVES(slipc_dump_text(NULL)[0], '\0');
    untried_note("slipc_result_free(");
    slipc_result_free(NULL);
    untried_note("slipc_text_free(");
    slipc_text_free(NULL);
}

static void generated(void)
{
    slipc_result *result = NULL;
    char *header = NULL, *source = NULL;
    size_t size = 0;

    CHECK_EQ_I64(slipc_compile("a.c", kernel, &(slipc_options){ .targets = "host" }, &result),
                 SLIP_OK);
    const void *bytes = slipc_module_bytes(result, &size);
    CHECK(slipc_module_bytes(result, NULL) == bytes);
    REFUSED(slipc_generate(NULL, size, "a", &header, &source), "the module is NULL");
    REFUSED(slipc_generate(bytes, size, NULL, &header, &source), "the name of the file is NULL");
    REFUSED(slipc_generate(bytes, size, "a", NULL, &source), "the place for the header is NULL");
    REFUSED(slipc_generate(bytes, size, "a", &header, NULL), "the place for the source is NULL");
    CHECK(header == NULL && source == NULL);
    CHECK_EQ_I64(slipc_generate(bytes, size, "a", &header, &source), SLIP_OK);
    GIVES(slipc_result_error(NULL)->code, SLIP_OK);
    slipc_result_free(result);
    CHECK_CONTAINS(header, "one(slip_stream *slip_on, float *x)"); /* it outlives the result */
    slipc_text_free(header);
    slipc_text_free(source);
}

static void every_public_function_takes_or_refuses_null(void)
{
    untried_begin();
    compiles();
    results();
    generated();
    CHECK_EQ_U64(untried_check("include/slipway/slipc.h"), 11);
}

static const check_case cases[] = {
    CASE(every_public_function_takes_or_refuses_null),
};

CHECK_MAIN(cases)
