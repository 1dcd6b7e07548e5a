/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_test.c - the slots of the cpu driver's table.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/cpu_host.h"
#include "driver/cpu_driver.h"
#include "support/check.h"

static const cpu_driver *const cpu = &cpu_driver_table;

static void every_slot_is_filled(void)
{
    void *slots[sizeof(cpu_driver) / sizeof(void *)];

    memcpy(slots, cpu, sizeof *cpu);
    for (size_t k = 0; k < sizeof slots / sizeof slots[0]; k++)
        CHECK(slots[k] != NULL);
}

static void there_is_one_device_with_a_name_memory_and_targets(void)
{
    drv_info info;

    CHECK_EQ_U64(cpu->device_count(), 1);
    CHECK_STATUS(cpu->info(0, &info), SLIP_OK);
    CHECK(info.name[0] != '\0');
    CHECK(info.memory_bytes > 1 << 20);
    CHECK(info.target_count >= 1);
    for (uint32_t k = 0; k < info.target_count; k++)
        CHECK_CONTAINS(info.targets[k], "cpu-");
    CHECK_STATUS(cpu->info(1, &info), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(fail_last()->message, "there is no cpu:1");
}

static void memory_is_aligned_to_64_and_goes_back(void)
{
    void *self = NULL, *memory[20];

    CHECK_STATUS(cpu->open(0, &self), SLIP_OK);
    for (uint64_t k = 0; k < 20; k++) {
        CHECK_STATUS(cpu->alloc(self, k * k * 7, &memory[k]), SLIP_OK);
        CHECK_EQ_U64((uintptr_t)memory[k] % 64, 0);
        memset(memory[k], 1, k * k * 7);
    }
    for (uint64_t k = 0; k < 20; k++)
        cpu->free(self, memory[k]);
    cpu->free(self, NULL);
    CHECK_STATUS(cpu->alloc(self, UINT64_MAX, &memory[0]), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "18446744073709551615 bytes");
    mem_fail_at(1);
    CHECK_STATUS(cpu->alloc(self, 100, &memory[0]), SLIP_ERR_MEMORY);
    CHECK_TEXT(fail_last()->message, "no memory for 100 bytes");
    cpu->close(self);
    cpu->close(NULL);
    CHECK_EQ_U64(mem_live(), 0);
}

static void opening_leaves_nothing_behind_whichever_request_fails(void)
{
    for (uint64_t fail = 1;; fail++) {
        void *self = NULL;
        fail_clear();
        mem_fail_at(fail);
        slip_status status = cpu->open(0, &self);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        if (status == SLIP_OK) {
            CHECK_EQ_U64(fail, 3); /* the device and its pool */
            cpu->close(self);
            break;
        }
        CHECK(self == NULL);
        CHECK_EQ_U64(mem_live(), 0);
    }
}

/* A task that counts its calls, and a finish that must come after all of them. */
static atomic_llong ran, finished_at;

static void count(const void *block, int64_t first, int64_t last)
{
    (void)block;
    CHECK(first < last);
    atomic_fetch_add(&ran, last - first);
}

static void finish(const void *block, int64_t first, int64_t last)
{
    const int64_t *total = block;

    CHECK(first == 0 && last == *total);
    atomic_store(&finished_at, atomic_load(&ran));
}

static void finish_is_called_once_after_all_of_main(void)
{
    void *self = NULL;

    setenv("SLIPWAY_CPU_THREADS", "4", 1);
    CHECK_STATUS(cpu->open(0, &self), SLIP_OK);
    unsetenv("SLIPWAY_CPU_THREADS");
    cpu_kernel kernel = { .main = count, .finish = finish };
    for (int64_t total = 0; total < 3000000; total = total * 3 + 1) {
        atomic_store(&ran, 0);
        atomic_store(&finished_at, -1);
        CHECK_STATUS(cpu->run(self, &kernel, &total, total), SLIP_OK);
        CHECK_EQ_I64(atomic_load(&finished_at), total);
    }
    cpu->close(self);
}

static const check_case cases[] = {
    CASE(every_slot_is_filled),
    CASE(there_is_one_device_with_a_name_memory_and_targets),
    CASE(memory_is_aligned_to_64_and_goes_back),
    CASE(opening_leaves_nothing_behind_whichever_request_fails),
    CASE(finish_is_called_once_after_all_of_main),
};

CHECK_MAIN(cases)
