/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu.c - the CPU as a device: the table of the cpu family.
 *
 * Translates and nothing more: memory is the heap's, code is a loaded image, a run is the thread
 * pool's. Must never decide what to run, where, or in which order.
 */
#include "driver/cpu_driver.h"

#include "base/fail.h"
#include "base/mem.h"
#include "driver/cpu_host.h"
#include "driver/cpu_image.h"
#include "driver/cpu_pool.h"

enum { MEMORY_ALIGN = 64 };

typedef struct cpu_device {
    cpu_pool *pool;
} cpu_device;

static uint32_t device_count(void)
{
    return 1;
}

static slip_status info(uint32_t index, drv_info *out)
{
    uint32_t threads;

    if (index != 0)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND,
                         "there is no cpu:%u; the cpu family has one device, cpu:0", index);
    SLIP_TRY(cpu_host_threads(&threads));
    SLIP_TRY(cpu_host_info(out));
    out->compute_units = threads;
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    cpu_device *made = NULL;
    drv_info found;
    slip_status status = info(index, &found);

    if (status != SLIP_OK)
        goto fail;
    status = mem_new(sizeof *made, (void **)&made);
    if (status != SLIP_OK)
        goto fail;
    status = cpu_pool_create(found.compute_units, &made->pool);
    if (status != SLIP_OK)
        goto fail;
    *out = made;
    return SLIP_OK;

fail:
    mem_free(made);
    return status;
}

static void close_device(void *self)
{
    cpu_device *device = self;

    if (!device)
        return;
    cpu_pool_destroy(device->pool);
    mem_free(device);
}

static void after_fork(void *self)
{
    cpu_device *device = self;

    cpu_pool_after_fork(device->pool);
}

static slip_status alloc(void *self, uint64_t bytes, void **out)
{
    (void)self;
    return mem_new_aligned(bytes, MEMORY_ALIGN, out);
}

static void free_memory(void *self, void *memory)
{
    (void)self;
    mem_free_aligned(memory);
}

static slip_status code_load(void *self, const drv_code *code, void **out)
{
    cpu_image *image = NULL;

    (void)self;
    SLIP_TRY(cpu_image_load(code, &image));
    *out = image;
    return SLIP_OK;
}

static void code_drop(void *self, void *loaded)
{
    (void)self;
    cpu_image_drop(loaded);
}

static slip_status kernel_get(void *self, void *loaded, uint32_t main, uint32_t finish,
                              cpu_kernel *out)
{
    (void)self;
    out->main = (cpu_task)(uintptr_t)cpu_image_at(loaded, main);
    out->finish =
        finish == DRV_NO_SYMBOL ? NULL : (cpu_task)(uintptr_t)cpu_image_at(loaded, finish);
    atomic_store(&out->cost, 0);
    if (!out->main || (finish != DRV_NO_SYMBOL && !out->finish))
        return SLIP_FAIL(SLIP_ERR_FORMAT, "a task's entry point lies outside the code: %u, %u",
                         main, finish);
    return SLIP_OK;
}

static slip_status run(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    cpu_device *device = self;

    if (total > 0)
        cpu_pool_run(device->pool, kernel, block, total, kernel->finish ? CPU_BLOCK : 1);
    if (kernel->finish)
        cpu_task_run(kernel->finish, block, 0, total);
    return SLIP_OK;
}

const cpu_driver cpu_driver_table = {
    .name = "cpu",
    .device_count = device_count,
    .info = info,
    .open = open_device,
    .close = close_device,
    .after_fork = after_fork,
    .alloc = alloc,
    .free = free_memory,
    .code_load = code_load,
    .code_drop = code_drop,
    .kernel_get = kernel_get,
    .run = run,
};
