/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.c - the driver of hand.h, and devices that use it.
 */
#define _GNU_SOURCE
#include "runtime/hand.h"
#include "runtime/hand_parts.h"

#include <string.h>

#include "launch/launch_cpu.h"
#include "support/check.h"

/* ---- the driver ------------------------------------------------------------------------------ */

uint32_t hand_fail_at, hand_calls;

static slip_status may_fail(const char *what)
{
    if (hand_fail_at != 0 && ++hand_calls == hand_fail_at)
        return SLIP_FAIL(SLIP_ERR_DEVICE, "%s was made to fail", what);
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    SLIP_TRY(may_fail("open"));
    return cpu_driver_table.open(index, out);
}

/* Contents are undefined: fresh memory is filled with a pattern. */
static slip_status alloc(void *self, uint64_t bytes, void **out)
{
    SLIP_TRY(may_fail("alloc"));
    SLIP_TRY(cpu_driver_table.alloc(self, bytes, out));
    if (bytes < 1 << 24)
        memset(*out, 0xa5, bytes);
    return SLIP_OK;
}

static slip_status code_load(void *self, const drv_code *code, void **out)
{
    (void)self;
    SLIP_TRY(may_fail("code_load"));
    memcpy(out, &code->bytes, sizeof *out);
    return SLIP_OK;
}

static void code_drop(void *self, void *loaded)
{
    (void)self;
    (void)loaded;
}

/* The array may have been copied to any address. */
static cpu_task function_at(const void *loaded, uint32_t index)
{
    cpu_task function;

    memcpy(&function, (const uint8_t *)loaded + index * sizeof function, sizeof function);
    return function;
}

static slip_status kernel_get(void *self, void *loaded, uint32_t main, uint32_t finish,
                              cpu_kernel *out)
{
    (void)self;
    SLIP_TRY(may_fail("kernel_get"));
    out->main = function_at(loaded, main);
    out->finish = finish == DRV_NO_SYMBOL ? NULL : function_at(loaded, finish);
    return SLIP_OK;
}

static slip_status run(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    SLIP_TRY(may_fail("run"));
    return cpu_driver_table.run(self, kernel, block, total);
}

static cpu_driver driver;

static slip_status open_family(uint32_t index, void **out)
{
    return launch_cpu_open(&driver, index, out);
}

const launcher *hand_family(void)
{
    static launcher made;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    if (!made.name) {
        driver = cpu_driver_table;
        driver.open = open_device;
        driver.alloc = alloc;
        driver.code_load = code_load;
        driver.code_drop = code_drop;
        driver.kernel_get = kernel_get;
        driver.run = run;
        made = launch_cpu;
        made.open = open_family;
    }
    pthread_mutex_unlock(&lock);
    return &made;
}

/* ---- devices --------------------------------------------------------------------------------- */

const mod_module *hand_module(void)
{
    return &hand_module_table;
}

void hand_open(hand_device *out)
{
    CHECK_RESULT(device_open_with(hand_family(), 0, &out->device), SLIP_OK);
    out->stream = slip_default(out->device);
    CHECK_RESULT(module_adopt(out->device, hand_module(), &out->module), SLIP_OK);
}

slip_entry *hand_entry(const hand_device *on, hand_kernel kernel)
{
    return slip_module_entry(on->module, (uint32_t)kernel);
}

void hand_close(hand_device *on)
{
    slip_device_close(on->device);
    CHECK_EQ_U64(mem_live(), 0);
}

slip_status hand_add_one(const hand_device *on, void *x, int32_t n)
{
    float a = 1;
    slip_arg args[] = { { &n, sizeof n },
                        { &a, sizeof a },
                        { x, sizeof(float) * (size_t)(n < 0 ? 0 : n) } };

    return slip_launch(on->stream, hand_entry(on, HAND_ADD), args, 3, NULL, 0);
}
