/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_device_test.c - devices of CUDA and HIP as they are listed, opened and given up, over
 * the stub.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "driver/stream_case.h"
#include "support/check.h"

/* ---- the list -------------------------------------------------------------------------------- */

static void devices_are_listed_with_what_they_are(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    drv_info info = { 0 };

    CHECK(table->missing() == NULL);
    CHECK_EQ_U64(table->device_count(), 2);
    CHECK_STATUS(table->info(1, &info), SLIP_OK);
    CHECK_TEXT(info.name, "Second stub");
    CHECK_EQ_U64(info.memory_bytes, ((uint64_t)8 << 30) + 1);
    CHECK_EQ_U64(info.compute_units, 40);
    CHECK_EQ_I64(info.kind, DRV_DISCRETE);
    CHECK_EQ_U64(info.target_count, 1);
    CHECK_TEXT(info.targets[0], family == STREAM_CUDA ? "ptx" : "gfx90a");
    CHECK_STATUS(table->info(2, &info), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(fail_last()->message, ":2; there are 2 devices");
    stream_stub_end(stub);
}
STREAM_CASES(devices_are_listed_with_what_they_are)

static void a_device_in_the_hosts_memory_is_integrated(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    drv_info info = { 0 };

    stub->integrated = true;
    CHECK_STATUS(stream_case_table(family)->info(0, &info), SLIP_OK);
    CHECK_EQ_I64(info.kind, DRV_INTEGRATED);
    stream_stub_end(stub);
}
STREAM_CASES(a_device_in_the_hosts_memory_is_integrated)

/* The level without its features; one that has no row takes no code, and is listed all the same. */
static void code_objects_are_for_one_level(void)
{
    static const struct {
        const char *level, *target;
    } rows[] = {
        { "gfx90a:sramecc+:xnack-", "gfx90a" },
        { "gfx942:sramecc+:xnack-", "gfx942" },
        { "gfx1030", "gfx1030" },
        { "gfx1100", "gfx1100" },
        { "gfx90", NULL },
        { "gfx90ab", NULL },
        { "gfx900:xnack-", NULL },
        { "", NULL },
    };

    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (int old = 0; old < 2; old++) {
            stream_stub *stub = stream_stub_begin(STREAM_HIP, old ? "old" : "whole");
            drv_info info = { 0 };
            stub->level = rows[k].level;
            CHECK_STATUS(hip_driver_table.info(0, &info), SLIP_OK);
            CHECK_EQ_U64(info.target_count, rows[k].target != NULL);
            if (rows[k].target)
                CHECK_TEXT(info.targets[0], rows[k].target);
            stream_stub_end(stub);
        }
}

static void what_is_not_there_is_a_reason(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    const char *variable = family == STREAM_CUDA ? "SLIPWAY_CUDA_LIBRARY" : "SLIPWAY_HIP_LIBRARY";
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = NULL;

    stub->device_count = 0;
    CHECK_CONTAINS(table->missing(), "driver knows no device");
    fail_clear();
    CHECK_EQ_U64(table->device_count(), 0);
    CHECK_EQ_I64(fail_last()->code, SLIP_OK);
    CHECK_STATUS(table->open(0, &self), SLIP_ERR_NOT_FOUND);
    CHECK(self == NULL);
    stream_stub_end(stub);

    stub = stream_stub_begin(family, "broken");
    CHECK_CONTAINS(table->missing(), family == STREAM_CUDA
                                         ? "the CUDA driver's library has no cuEventQuery"
                                         : "the HIP driver's library has no hipEventQuery");
    CHECK_STATUS(table->open(0, &self), SLIP_ERR_UNSUPPORTED);
    stream_stub_end(stub);

    stub = stream_stub_begin(family, "whole");
    setenv(variable, "/nowhere/lib.so", 1);
    CHECK_CONTAINS(table->missing(), variable);
    CHECK_CONTAINS(table->missing(), "/nowhere/lib.so");
    CHECK_STATUS(table->open(0, &self), SLIP_ERR_NOT_FOUND);
    stream_stub_end(stub);
}
STREAM_CASES(what_is_not_there_is_a_reason)

/* ---- limits and lines -------------------------------------------------------------------------
 */

static void limits_are_the_devices(stream_family family)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = stream_case_open(family);
    stream_limits limits;

    stream_case_table(family)->limits(self, &limits);
    CHECK_EQ_U64(limits.max_groups[0], 1000000);
    CHECK_EQ_U64(limits.max_groups[1], 65535);
    CHECK_EQ_U64(limits.max_groups[2], 1024);
    CHECK_EQ_U64(limits.max_local, 512); /* the lesser of two */
    CHECK_EQ_U64(limits.compute_units, 40);
    CHECK_EQ_U64(limits.max_threads, family == STREAM_CUDA ? UINT64_MAX : 0xffffffffu);
    CHECK_EQ_U64(limits.has, 1 << DRV_NEED_F64 | 1 << DRV_NEED_I8 | 1 << DRV_NEED_I16 |
                                 1 << DRV_NEED_ATOMIC64 | 1 << DRV_NEED_DEPTH);
    CHECK(limits.rerecords == (family == STREAM_CUDA));
    stream_case_table(family)->close(self);
    stream_stub_end(stub);
}
STREAM_CASES(limits_are_the_devices)

static void parameters_by_value_grow_with_cuda_12_1_and_volta(void)
{
    static const struct {
        int version, major;
        uint32_t bytes;
    } rows[] = { { 12010, 7, 32764 }, { 13000, 9, 32764 }, { 12000, 9, 4096 }, { 12010, 6, 4096 } };

    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        stream_stub *stub = stream_stub_begin(STREAM_CUDA, "whole");
        stream_limits limits;
        stub->version = rows[k].version;
        stub->major = rows[k].major;
        void *self = stream_case_open(STREAM_CUDA);
        cuda_driver_table.limits(self, &limits);
        CHECK_EQ_U64(limits.max_param_bytes, rows[k].bytes);
        cuda_driver_table.close(self);
        stream_stub_end(stub);
    }
}

static void add_line(void *user, const char *name, const char *value)
{
    text_add(user, "%s: %s\n", name, value);
}

static void check_lines(stream_family family, const char *level, bool describes,
                        const char *expected)
{
    stream_stub *stub = stream_stub_begin(family, "whole");
    text t = { 0 };

    stub->level = level;
    stub->describes = describes;
    void *self = stream_case_open(family);
    fail_clear();
    stream_case_table(family)->describe(self, add_line, &t);
    CHECK_EQ_I64(fail_last()->code, SLIP_OK);
    CHECK_TEXT(text_get(&t), expected);
    text_finish(&t);
    stream_case_table(family)->close(self);
    stream_stub_end(stub);
}

static void a_device_is_described(void)
{
    check_lines(STREAM_CUDA, "", true,
                "driver: CUDA 13.0\n"
                "compute capability: 9.5\n"
                "code: ptx\n"
                "unified addressing: yes\n"
                "pageable memory access: no\n"
                "kernel parameters: 32764 bytes by value\n"
                "largest group: 512 threads\n");
    check_lines(STREAM_HIP, "gfx906:sramecc+:xnack-", false,
                "driver: HIP 6.3\n"
                "level: gfx906:sramecc+:xnack-\n"
                "code: none: there is no target for gfx906:sramecc+:xnack-\n"
                "unified addressing: not told\n"
                "pageable memory access: not told\n"
                "kernel parameters: 4096 bytes by value\n"
                "largest group: 512 threads\n");
}

/* ---- code ------------------------------------------------------------------------------------ */

static void code_that_is_refused_says_why(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = stream_case_open(family), *code = NULL;
    uint64_t bytes = 0;
    const char *good = stream_case_code(family, &bytes);
    stream_kernel kernel = { 0 };
    stream_guard guard;

    CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
    CHECK_STATUS(table->code_load(self, (const uint8_t *)"bad", 4, &code), SLIP_ERR_FORMAT);
    CHECK(code == NULL);
    CHECK_TEXT(fail_last()->message,
               family == STREAM_CUDA
                   ? "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218), as the stub has it: ptxas "
                     "stub, line 9 error   : no such instruction "
                   : "hipModuleLoadDataEx: hipErrorInvalidImage (200), as the stub has it");
    if (family == STREAM_CUDA) {
        uint64_t calls = stub->calls;
        CHECK_STATUS(table->code_load(self, (const uint8_t *)good, bytes - 1, &code),
                     SLIP_ERR_FORMAT);
        CHECK_CONTAINS(fail_last()->message, "does not end in a NUL byte");
        CHECK_STATUS(table->code_load(self, (const uint8_t *)good, 0, &code), SLIP_ERR_FORMAT);
        CHECK_EQ_U64(stub->calls - calls, 4); /* the capture modes alone */
    }
    CHECK_STATUS(table->code_load(self, (const uint8_t *)good, bytes, &code), SLIP_OK);
    CHECK_STATUS(table->kernel_get(self, code, 12, &kernel), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(fail_last()->message, "while loading entry point s12");
    CHECK(kernel.function == NULL);
    table->code_drop(self, code);
    table->leave(self, &guard);
    table->close(self);
    stream_stub_end(stub);
}
STREAM_CASES(code_that_is_refused_says_why)

/* ---- forks ----------------------------------------------------------------------------------- */

/* In the child: 0 where nothing reached the library. */
static int check_child(const stream_driver *table, stream_stub *stub, void *self, void *stream,
                       stream_memory *x)
{
    uint64_t calls = stub->calls;
    stream_guard guard;
    drv_info info;
    void *other = NULL;

    table->after_fork(self);
    fail_clear();
    if (table->enter(self, &guard) != SLIP_ERR_UNSUPPORTED ||
        !strstr(fail_last()->message, "Stub was opened before this process was forked"))
        return 1;
    if (table->zero(self, stream, 0, 0) != SLIP_ERR_UNSUPPORTED ||
        table->stream_wait(self, stream) != SLIP_ERR_UNSUPPORTED)
        return 2;
    if (table->info(0, &info) != SLIP_ERR_UNSUPPORTED ||
        table->open(0, &other) != SLIP_ERR_UNSUPPORTED || table->device_count() != 0)
        return 3;
    table->free(self, x);
    table->stream_close(self, stream);
    table->close(self);
    return stub->calls == calls ? 0 : 4;
}

static void a_forked_child_reaches_no_device(stream_family family)
{
    const stream_driver *table = stream_case_table(family);
    stream_stub *stub = stream_stub_begin(family, "whole");
    void *self = stream_case_open(family), *stream = NULL;
    stream_guard guard;
    stream_memory x;
    int status = -1;

    CHECK_STATUS(table->enter(self, &guard), SLIP_OK);
    CHECK_STATUS(table->stream_open(self, false, &stream), SLIP_OK);
    CHECK_STATUS(table->alloc(self, 64, STREAM_MEMORY_PINNED, &x), SLIP_OK);
    pid_t child = fork();
    if (child == 0)
        _exit(check_child(table, stub, self, stream, &x));
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_EQ_I64(WEXITSTATUS(status), 0);
    table->free(self, &x);
    table->stream_close(self, stream);
    table->leave(self, &guard);
    table->close(self);
    stream_stub_end(stub);
}
STREAM_CASES(a_forked_child_reaches_no_device)

static const check_case cases[] = {
    STREAM_CASE(devices_are_listed_with_what_they_are),
    STREAM_CASE(a_device_in_the_hosts_memory_is_integrated),
    CASE(code_objects_are_for_one_level),
    STREAM_CASE(what_is_not_there_is_a_reason),
    STREAM_CASE(limits_are_the_devices),
    CASE(parameters_by_value_grow_with_cuda_12_1_and_volta),
    CASE(a_device_is_described),
    STREAM_CASE(code_that_is_refused_says_why),
    STREAM_CASE(a_forked_child_reaches_no_device),
};

CHECK_MAIN(cases)
