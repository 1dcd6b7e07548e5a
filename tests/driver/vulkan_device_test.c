/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_device_test.c - which devices are listed, what is said of them, and a process that forks.
 *
 * Devices that are not here are made of the one that is, by editing what it says of itself.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "driver/vulkan_case.h"
#include "driver/vulkan_device.h"
#include "driver/vulkan_instance.h"
#include "driver/vulkan_shim.h"
#include "support/check.h"

static const char *wanted; /* what the edit below takes away */

static void *in_chain(void *first, VkStructureType type)
{
    VkPhysicalDeviceFeatures2 *at = first; /* every one begins with sType, pNext */

    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

static void take_away(const char *name, void *out)
{
    if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0) {
        VkPhysicalDeviceProperties *p = out;
        if (strcmp(wanted, "Vulkan 1.1") == 0)
            p->apiVersion = VK_MAKE_API_VERSION(0, 1, 1, 200);
        if (strcmp(wanted, "discrete") == 0)
            p->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    }
    if (strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0) {
        VkPhysicalDeviceFeatures2 *core = out;
        VkPhysicalDeviceVulkan12Features *v12 =
            in_chain(out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
        core->features.shaderInt64 &= strcmp(wanted, "shaderInt64") != 0;
        core->features.shaderFloat64 &= strcmp(wanted, "shaderFloat64") != 0;
        core->features.shaderInt16 &= strcmp(wanted, "shaderInt16") != 0;
        v12->bufferDeviceAddress &= strcmp(wanted, "bufferDeviceAddress") != 0;
        v12->timelineSemaphore &= strcmp(wanted, "timelineSemaphore") != 0;
        v12->storageBuffer8BitAccess &= strcmp(wanted, "storageBuffer8BitAccess") != 0;
        v12->shaderBufferInt64Atomics &= strcmp(wanted, "shaderBufferInt64Atomics") != 0;
    }
}

static void devices_that_lack_something_are_missing_with_the_reason(void)
{
    static const struct {
        const char *what, *reason;
    } rows[] = {
        { "Vulkan 1.1", "it has Vulkan 1.1, and 1.2 is needed" },
        { "shaderInt64", "it lacks the feature shaderInt64" },
        { "bufferDeviceAddress", "it lacks the feature bufferDeviceAddress" },
        { "timelineSemaphore", "it lacks the feature timelineSemaphore" },
    };
    drv_info info;
    void *self = NULL;

    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    shim->edit = take_away;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        wanted = rows[k].what;
        vulkan_instance_drop();
        const char *missing = vulkan->missing();
        CHECK(missing != NULL);
        CHECK_CONTAINS(missing, "no Vulkan device is usable: ");
        CHECK_CONTAINS(missing, rows[k].reason);
        CHECK_EQ_U64(vulkan->device_count(), 0);
        CHECK_STATUS(vulkan->info(0, &info), SLIP_ERR_NOT_FOUND);
        CHECK_STATUS(vulkan->open(0, &self), SLIP_ERR_NOT_FOUND);
        CHECK_CONTAINS(fail_last()->message, rows[k].reason);
    }
    vulkan_shim_end();
    CHECK_EQ_I64(shim->live, 0);
    CHECK_EQ_U64(mem_live(), 0);
}

/* Edits a device to be, or not to be, llvmpipe, whose driver nests no deeper than 80 levels. */
static void change_driver(const char *name, void *out)
{
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") != 0)
        return;
    VkPhysicalDeviceVulkan12Properties *v12 =
        in_chain(out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
    if (v12)
        v12->driverID = strcmp(wanted, "llvmpipe") == 0 ? VK_DRIVER_ID_MESA_LLVMPIPE : 1;
}

static void one_driver_is_known_to_forget_deep_control_flow(void)
{
    static const char *const drivers[] = { "llvmpipe", "another" };
    queue_limits limits;

    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    shim->edit = change_driver;
    for (uint32_t k = 0; k < 2; k++) {
        wanted = drivers[k];
        vulkan_instance_drop();
        void *self = vulkan_case_open();
        vulkan->limits(self, &limits);
        CHECK_EQ_U64(limits.has >> DRV_NEED_DEPTH & 1, k);
        vulkan_case_close(self);
    }
    vulkan_shim_end();
}

/* Numbered as mod_need is: F64, I8, I16, ATOMIC64. */
static void what_kernels_may_need_is_found_and_left_off_where_it_is_not(void)
{
    static const struct {
        const char *what;
        uint32_t bit;
    } rows[] = {
        { "shaderFloat64", 0 },
        { "storageBuffer8BitAccess", 1 },
        { "shaderInt16", 2 },
        { "shaderBufferInt64Atomics", 3 },
    };
    const uint32_t f64 = 1u << NUMERIC_DIV_F64 | 1u << NUMERIC_SQRT_F64 | 1u << NUMERIC_FMA_F64 |
                         1u << NUMERIC_DENORM_F64 | 1u << NUMERIC_COMPARE_F64 |
                         1u << NUMERIC_MINMAX_F64 | 1u << NUMERIC_WHOLE_F64 | 1u << NUMERIC_NARROW |
                         1u << NUMERIC_WIDEN | 1u << NUMERIC_CLAMP_F64;
    queue_limits limits;

    void *self = vulkan_case_open();
    vulkan->limits(self, &limits);
    uint32_t all = limits.has, numerics = limits.numerics;
    vulkan_case_close(self);
    vulkan_shim *shim = vulkan_shim_begin();
    shim->edit = take_away;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        wanted = rows[k].what;
        self = vulkan_case_open();
        vulkan->limits(self, &limits);
        CHECK_EQ_U64(limits.has, all & ~(1u << rows[k].bit));
        CHECK_EQ_U64(limits.numerics, rows[k].bit == 0 ? numerics & ~f64 : numerics);
        vulkan_case_close(self); /* validation is silent: no feature is used that is not enabled */
    }
    vulkan_shim_end();
}

static void a_discrete_device_is_not_taken_to_share_memory(void)
{
    queue_memory memory;
    queue_limits limits;

    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    shim->edit = take_away;
    wanted = "discrete";
    void *self = vulkan_case_open();
    vulkan->limits(self, &limits);
    CHECK(!limits.device_mapped);
    CHECK_STATUS(vulkan->alloc(self, 4, QUEUE_MEMORY_DEVICE, &memory), SLIP_OK);
    CHECK(memory.host == NULL);
    vulkan->free(self, &memory);
    vulkan_case_close(self);
    vulkan_shim_end();
}

static void a_library_that_is_not_there_or_none_is_a_reason(void)
{
    void *self = NULL;

    setenv("SLIPWAY_VULKAN_LIBRARY", "/no/such/libvulkan.so", 1);
    vulkan_instance_drop();
    CHECK_CONTAINS(vulkan->missing(), "/no/such/libvulkan.so");
    CHECK_EQ_U64(vulkan->device_count(), 0);
    CHECK_STATUS(vulkan->open(0, &self), SLIP_ERR_NOT_FOUND);
    setenv("SLIPWAY_VULKAN_LIBRARY", "libm.so.6", 1);
    vulkan_instance_drop();
    CHECK_CONTAINS(vulkan->missing(), "libm.so.6 has no vkGetInstanceProcAddr");
    unsetenv("SLIPWAY_VULKAN_LIBRARY");
    vulkan_instance_drop();
    CHECK_EQ_U64(mem_live(), 0);
    CHECK(self == NULL);
}

/* Whoever asks may have a failure of another kind on record: neither takes the other's place. */
static void an_older_record_is_neither_the_reason_nor_lost(void)
{
    void *self = NULL;

    setenv("SLIPWAY_VULKAN_LIBRARY", "/no/such/libvulkan.so", 1);
    vulkan_instance_drop();
    fail_clear();
    CHECK_EQ_I64(SLIP_FAIL(SLIP_ERR_FORMAT, "of something else"), SLIP_ERR_FORMAT);
    CHECK_RESULT(vulkan->open(0, &self), SLIP_ERR_NOT_FOUND);
    CHECK_TEXT(fail_last()->message, "of something else");
    CHECK_EQ_U64(vulkan->device_count(), 0);
    CHECK_CONTAINS(vulkan->missing(), "/no/such/libvulkan.so");
    CHECK_TEXT(fail_last()->message, "of something else");
    unsetenv("SLIPWAY_VULKAN_LIBRARY");
    vulkan_instance_drop();
}

/* The failure is kept, so that asking again is cheap; running out of memory is not. */
static void only_running_out_of_memory_is_tried_again(void)
{
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    *shim = (vulkan_shim){ .fail_at = 1,
                           .result = VK_ERROR_OUT_OF_HOST_MEMORY,
                           .only = "vkCreateInstance" };
    CHECK_CONTAINS(vulkan->missing(), "vkCreateInstance: VK_ERROR_OUT_OF_HOST_MEMORY");
    CHECK(vulkan->missing() == NULL);
    vulkan_instance_drop();
    *shim = (vulkan_shim){ .fail_at = 1,
                           .result = VK_ERROR_INITIALIZATION_FAILED,
                           .only = "vkCreateInstance" };
    CHECK_CONTAINS(vulkan->missing(), "vkCreateInstance: VK_ERROR_INITIALIZATION_FAILED");
    CHECK_CONTAINS(vulkan->missing(), "vkCreateInstance: VK_ERROR_INITIALIZATION_FAILED");
    CHECK_EQ_U64(shim->calls, 1);
    vulkan_shim_end();
}

/* ---- text ----------------------------------------------------------------------------------- */

static char lines[8000];

static void keep_line(void *user, const char *name, const char *value)
{
    size_t used = strlen(lines);

    (void)user;
    snprintf(lines + used, sizeof lines - used, "%s: %s\n", name, value);
}

static void a_device_is_described_line_by_line(void)
{
    static const char *const names[] = { "type: ",
                                         "\nVulkan: 1.",
                                         "\ndriver: ",
                                         "\nqueues: ",
                                         "\ndevice memory: type ",
                                         "\nupload memory: type ",
                                         "\nread-back memory: type ",
                                         "\npush constants: ",
                                         "\nf32 float controls: ",
                                         "\nf64 float controls: ",
                                         "\nhas: ",
                                         "\ndiv_f32: ",
                                         "\nnearest: ",
                                         "\npipeline cache: " };
    void *self = vulkan_case_open();

    lines[0] = '\0';
    vulkan->describe(self, keep_line, NULL);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        CHECK_CONTAINS(lines, names[k]);
    vulkan_case_close(self);
}

/* ---- validation ----------------------------------------------------------------------------- */

/* No size: VUID-VkBufferCreateInfo-size-00912. What is printed goes to a file: of any other test it
 * would be the end (cmake/SlipwayTests.cmake). */
static void make_wrong_buffer(vulkan_device *device, const char *path)
{
    const VkBufferCreateInfo wrong = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .usage = 1 };
    VkBuffer buffer = NULL;
    int to = open(path, O_WRONLY | O_TRUNC), kept = dup(STDERR_FILENO);

    CHECK(to >= 0 && kept >= 0 && dup2(to, STDERR_FILENO) >= 0);
    if (device->vk.vkCreateBuffer(device->handle, &wrong, NULL, &buffer) == VK_SUCCESS)
        device->vk.vkDestroyBuffer(device->handle, buffer, NULL);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(to);
}

static void what_the_validation_layer_says_is_counted(void)
{
    vulkan_case_need_layer();
    vulkan_device *device = vulkan_case_open();
    uint64_t before = vulkan_instance_messages();
    const char *path = check_temp_path(".txt");

    make_wrong_buffer(device, path);
    CHECK(vulkan_instance_messages() > before);
    char *said = check_read(path, NULL);
    CHECK_CONTAINS(said, "slipway: vulkan validation: ");
    CHECK_CONTAINS(said, "VUID-VkBufferCreateInfo-size-00912");
    free(said);
    vulkan->close(device);
    vulkan_instance_drop();
}

static void a_device_without_validation_works_too(void)
{
    void *self = NULL;

    vulkan_case_begin();
    vulkan_instance_drop();
    setenv("SLIPWAY_VULKAN_VALIDATE", "0", 1);
    CHECK_STATUS(vulkan->open(0, &self), SLIP_OK);
    vulkan->close(self);
    vulkan_instance_drop();
    CHECK_EQ_U64(mem_live(), 0);
}

/* ---- fork ----------------------------------------------------------------------------------- */

/* In the child: the device can be let go, and a new one is refused with the reason. */
static int child(void *self, void *stream, queue_kernel *kernel, queue_memory *memory)
{
    void *other = NULL;
    uint64_t reached = 0;

    vulkan->after_fork(self);
    if (vulkan->reached(stream, &reached) != SLIP_ERR_UNSUPPORTED)
        return 1;
    vulkan->stream_close(self, stream);
    vulkan->kernel_drop(self, kernel);
    vulkan->free(self, memory);
    vulkan->cache_save(self);
    vulkan->close(self);
    fail_clear();
    if (vulkan->device_count() != 0 || vulkan->open(0, &other) != SLIP_ERR_UNSUPPORTED)
        return 2;
    return strstr(fail_last()->message, "was forked from") ? 0 : 3;
}

static void a_child_lets_go_and_the_parent_goes_on(void)
{
    void *self = vulkan_case_open(), *stream = NULL;
    queue_code code = vulkan_case_shader("add");
    queue_kernel kernel;
    queue_memory memory;
    uint64_t value = 0;
    int status = -1;

    CHECK_STATUS(vulkan->kernel_new(self, &code, 0, &kernel), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(self, 4, QUEUE_MEMORY_READBACK, &memory), SLIP_OK);
    CHECK_STATUS(vulkan->stream_open(self, &stream), SLIP_OK);
    pid_t pid = fork();
    if (pid == 0)
        _exit(child(self, stream, &kernel, &memory));
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status));
    CHECK_EQ_I64(WEXITSTATUS(status), 0);
    CHECK_STATUS(vulkan->zero(stream, &memory, 0, 4), SLIP_OK);
    CHECK_STATUS(vulkan->submit(stream, NULL, 0, &value), SLIP_OK);
    CHECK_STATUS(vulkan->wait(stream, value, 0), SLIP_OK);
    vulkan->stream_close(self, stream);
    vulkan->kernel_drop(self, &kernel);
    vulkan->free(self, &memory);
    vulkan_case_shader_free(&code);
    vulkan_case_close(self);
}

static const check_case cases[] = {
    CASE(devices_that_lack_something_are_missing_with_the_reason),
    CASE(what_kernels_may_need_is_found_and_left_off_where_it_is_not),
    CASE(one_driver_is_known_to_forget_deep_control_flow),
    CASE(a_discrete_device_is_not_taken_to_share_memory),
    CASE(a_library_that_is_not_there_or_none_is_a_reason),
    CASE(an_older_record_is_neither_the_reason_nor_lost),
    CASE(only_running_out_of_memory_is_tried_again),
    CASE(a_device_is_described_line_by_line),
    CASE(a_device_without_validation_works_too),
    CASE(a_child_lets_go_and_the_parent_goes_on),
    CASE(what_the_validation_layer_says_is_counted), /* last: the count never falls */
};

CHECK_MAIN(cases)
