/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embedded_test.c - calls as generated code makes them: a module's bytes, a site, 64-bit arguments.
 */
#include <pthread.h>
#include <string.h>

#include "module/read.h"
#include "module/write.h"
#include "runtime/hand.h"
#include "support/check.h"

static text file; /* the module as bytes */

static const void *file_bytes(void)
{
    if (file.bytes == 0) {
        CHECK_STATUS(mod_check(hand_module()), SLIP_OK);
        CHECK_STATUS(mod_write(hand_module(), &file), SLIP_OK);
    }
    return file.data;
}

static slip_device *open_device(void)
{
    slip_device *device = NULL;

    CHECK_STATUS(device_open_with(hand_family(), 0, &device), SLIP_OK);
    return device;
}

static uint64_t f32_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What the generated function of kernel add is. */
static slip_status add(slip_stream *on, slip_site *site, int32_t n, float a, float *x)
{
    uint64_t args[] = { (uint64_t)(int64_t)n, f32_bits(a), (uint64_t)(uintptr_t)x };

    return slip_call(on, site, args, NULL);
}

static void a_site_calls_its_kernel_on_any_device(void)
{
    slip_embedded module = { file_bytes(), file.bytes, NULL };
    slip_site site = { &module, HAND_ADD, NULL };
    float x[3] = { 0 };

    for (int i = 0; i < 3; i++) { /* the cached number outlives the device */
        slip_device *one = open_device(), *two = open_device();
        CHECK_STATUS(add(slip_default(one), &site, 3, 1, x), SLIP_OK);
        CHECK_STATUS(add(slip_default(two), &site, 3, 2, x), SLIP_OK);
        CHECK_STATUS(add(slip_default(one), &site, 3, 1, x), SLIP_OK);
        slip_device_close(one);
        CHECK_STATUS(add(slip_default(two), &site, 3, 0.5f, x), SLIP_OK);
        slip_device_close(two);
    }
    CHECK_EQ_F64((double)x[2], 13.5);
}

static void a_kernel_that_takes_something_needs_its_arguments(void)
{
    slip_embedded module = { file_bytes(), file.bytes, NULL };
    slip_site site = { &module, HAND_ADD, NULL }, nothing = { &module, HAND_NOTHING, NULL };
    slip_device *device = open_device();
    float x[3] = { 0 };

    for (int k = 0; k < 3; k++) { /* also where calls before it are kept */
        CHECK_STATUS(slip_call(slip_default(device), &site, NULL, NULL), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(slip_last_error()->message,
                       "slip_call: the list of arguments of add is NULL");
        CHECK_STATUS(add(slip_default(device), &site, 3, 2, x), SLIP_OK);
        CHECK_STATUS(slip_call(slip_default(device), &nothing, NULL, NULL), SLIP_OK);
    }
    CHECK_EQ_F64((double)x[2], 6.0);
    slip_device_close(device);
}

static void results_and_structs_go_by_address(void)
{
    slip_embedded module = { file_bytes(), file.bytes, NULL };
    slip_site sum = { &module, HAND_SUM, NULL }, point = { &module, HAND_POINT, NULL };
    slip_device *device = open_device();
    int32_t x[4] = { 1, 2, 3, -10 };
    float y[2] = { 0 };
    struct {
        float a;
        int32_t n;
    } p = { 4, 2 };
    int64_t result = 0;
    uint64_t args[] = { 4, (uint64_t)(uintptr_t)x };
    uint64_t more[] = { (uint64_t)(uintptr_t)&p, (uint64_t)(uintptr_t)y };

    CHECK_STATUS(slip_call(slip_default(device), &sum, args, &result), SLIP_OK);
    CHECK_EQ_I64(result, -4);
    CHECK_STATUS(slip_call(slip_default(device), &sum, args, NULL), SLIP_OK);
    CHECK_STATUS(slip_call(slip_default(device), &point, more, NULL), SLIP_OK);
    CHECK_EQ_F64((double)y[1], 4.0);
    slip_device_close(device);
}

static void an_array_of_unknown_extent_is_refused_with_what_to_write(void)
{
    slip_embedded module = { file_bytes(), file.bytes, NULL };
    slip_site open = { &module, HAND_OPEN, NULL };
    slip_device *device = open_device();
    float x[4] = { 0 };
    void *memory = NULL;
    uint64_t args[] = { 4, (uint64_t)(uintptr_t)x };

    CHECK_STATUS(slip_call(slip_default(device), &open, args, NULL), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "the size of array `x` of open is not known");
    CHECK_CONTAINS(slip_last_error()->message, "write x[n] (hand.c:35)");
    CHECK_STATUS(slip_host_register(device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(slip_call(slip_default(device), &open, args, NULL), SLIP_OK);
    CHECK_EQ_F64((double)x[3], 1.0); /* in place on the CPU */
    CHECK_STATUS(slip_host_unregister(device, x), SLIP_OK);
    x[3] = 0;
    CHECK_STATUS(slip_keep(device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(slip_call(slip_default(device), &open, args, NULL), SLIP_OK);
    CHECK_STATUS(slip_fetch(slip_default(device), x), SLIP_OK);
    CHECK_EQ_F64((double)x[3], 1.0);
    CHECK_STATUS(slip_alloc(device, 64, &memory), SLIP_OK);
    args[1] = (uint64_t)(uintptr_t)memory;
    CHECK_STATUS(slip_call(slip_default(device), &open, args, NULL), SLIP_OK);
    args[0] = 0;
    args[1] = 0;
    CHECK_STATUS(slip_call(slip_default(device), &open, args, NULL), SLIP_OK);
    slip_device_close(device);
}

static void a_null_stream_and_a_bad_module_are_refused(void)
{
    static const char noise[64] = "noise";
    slip_embedded module = { file_bytes(), file.bytes, NULL }, bad = { noise, sizeof noise, NULL };
    slip_site site = { &module, HAND_ADD, NULL }, broken = { &bad, 0, NULL },
              beyond = { &module, 99, NULL };
    slip_device *device = open_device();
    float x[1] = { 0 };

    CHECK_STATUS(add(NULL, &site, 1, 1, x), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "slip_default(device) gives one");
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(add(slip_default(device), &broken, 1, 1, x), SLIP_ERR_FORMAT);
    CHECK_STATUS(add(slip_default(device), &beyond, 1, 1, x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(add(slip_default(device), &site, 1, 1, x), SLIP_OK);
    slip_device_close(device);
}

static void many_modules_each_have_their_number(void)
{
    enum { MANY = 40 };
    slip_embedded modules[MANY];
    slip_device *device = open_device();
    float x[1] = { 0 };

    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            if (round == 0)
                modules[i] = (slip_embedded){ file_bytes(), file.bytes, NULL };
            slip_site site = { &modules[i], HAND_ADD, NULL };
            CHECK_STATUS(add(slip_default(device), &site, 1, 1, x), SLIP_OK);
        }
    CHECK_EQ_F64((double)x[0], 2.0 * MANY);
    for (int i = 1; i < MANY; i++)
        CHECK(modules[i].runtime != modules[0].runtime);
    slip_device_close(device);
}

static void a_first_call_leaves_nothing_behind_whichever_request_fails(void)
{
    uint64_t before = mem_live();
    const void *bytes = file_bytes();

    before += mem_live() - before; /* the file stays */
    for (uint64_t fail = 1;; fail++) {
        slip_embedded module = { bytes, file.bytes, NULL };
        slip_site site = { &module, HAND_ADD, NULL };
        slip_device *device = open_device();
        float x[1] = { 0 };
        fail_clear();
        mem_fail_at(fail);
        slip_status status = add(slip_default(device), &site, 1, 1, x);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        if (status != SLIP_OK) {
            CHECK_EQ_F64((double)x[0], 0.0);
            CHECK_STATUS(add(slip_default(device), &site, 1, 1, x), SLIP_OK);
        }
        CHECK_EQ_F64((double)x[0], 1.0);
        slip_device_close(device);
        CHECK_EQ_U64(mem_live(), before);
        if (status == SLIP_OK)
            break;
    }
}

static const check_case cases[] = {
    CASE(a_site_calls_its_kernel_on_any_device),
    CASE(a_kernel_that_takes_something_needs_its_arguments),
    CASE(results_and_structs_go_by_address),
    CASE(an_array_of_unknown_extent_is_refused_with_what_to_write),
    CASE(a_null_stream_and_a_bad_module_are_refused),
    CASE(many_modules_each_have_their_number),
    CASE(a_first_call_leaves_nothing_behind_whichever_request_fails),
};

int main(int argc, char **argv)
{
    int failed = check_main(cases, sizeof cases / sizeof cases[0], argc, argv);

    text_finish(&file);
    return failed;
}
