/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_instance.c - makes the one instance of this process, and lists its devices.
 *
 * A library, layer or device that is not there is a reason, never a crash.
 */
#define _GNU_SOURCE
#include "driver/vulkan_instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/setting.h"
#include "base/text.h"
#include "driver/once.h"
#include "driver/vulkan_library.h"
#include "driver/vulkan_result.h"

static const char *const validation_layer = "VK_LAYER_KHRONOS_validation";

static atomic_uint_fast64_t messages;

/* ---- validation ----------------------------------------------------------------------------- */

static VkBool32 hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkFlags types,
                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity;
    (void)types;
    (void)user;
    atomic_fetch_add(&messages, 1);
    fprintf(stderr, "slipway: vulkan validation: %s\n", data->pMessage);
    return VK_FALSE; /* the call goes on */
}

/* What the layer is to do beside what it always does. */
typedef enum extra {
    NO_VALIDATION,
    SYNCHRONISATION, /* look for hazards between commands */
    ADDRESSES        /* look at each address that a shader uses: much slower, and not both */
} extra;

static slip_status wanted_validation(extra *out)
{
    static const char *const words[] = { "0", "1", "gpu" };
    uint32_t which = 0;

    SLIP_TRY(setting_read("SLIPWAY_VULKAN_VALIDATE", words, 3, &which));
    *out = which < 3 ? (extra)which : NO_VALIDATION;
    return SLIP_OK;
}

slip_status vulkan_instance_check(void)
{
    extra wanted;

    return wanted_validation(&wanted);
}

uint64_t vulkan_instance_messages(void)
{
    return atomic_load(&messages);
}

static const VkDebugUtilsMessengerCreateInfoEXT hearing = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
    .pfnUserCallback = hear,
};

/* ---- the instance --------------------------------------------------------------------------- */

static slip_status list_extensions(const vulkan_instance *made, const char *layer,
                                   VkExtensionProperties **out_list, uint32_t *out_count)
{
    const vulkan_globals *vk = &made->globals;
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;
    VkResult result = VK_INCOMPLETE;

    for (int tries = 0; tries < 8 && result == VK_INCOMPLETE; tries++) {
        mem_free(list);
        list = NULL;
        result = vk->vkEnumerateInstanceExtensionProperties(layer, &count, NULL);
        if (result != VK_SUCCESS)
            break;
        SLIP_TRY(mem_new(((size_t)count + 1) * sizeof *list, (void **)&list));
        result = vk->vkEnumerateInstanceExtensionProperties(layer, &count, list);
    }
    if (result != VK_SUCCESS) {
        mem_free(list);
        return vulkan_result_fail(result, "vkEnumerateInstanceExtensionProperties", __FILE__,
                                  __LINE__);
    }
    *out_list = list;
    *out_count = count;
    return SLIP_OK;
}

static slip_status has_extension(const vulkan_instance *made, const char *layer, const char *name,
                                 bool *out)
{
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;

    SLIP_TRY(list_extensions(made, layer, &list, &count));
    *out = vulkan_extension_listed(list, count, name);
    mem_free(list);
    return SLIP_OK;
}

static slip_status has_layer(const vulkan_instance *made, const char *name, bool *out)
{
    VkLayerProperties *list = NULL;
    uint32_t count = 0;
    VkResult result = made->globals.vkEnumerateInstanceLayerProperties(&count, NULL);

    if (result == VK_SUCCESS) {
        SLIP_TRY(mem_new(((size_t)count + 1) * sizeof *list, (void **)&list));
        result = made->globals.vkEnumerateInstanceLayerProperties(&count, list);
    }
    *out = false;
    if (result == VK_SUCCESS || result == VK_INCOMPLETE)
        for (uint32_t k = 0; k < count; k++)
            *out = *out || strcmp(list[k].layerName, name) == 0;
    mem_free(list);
    if (result < 0)
        return vulkan_result_fail(result, "vkEnumerateInstanceLayerProperties", __FILE__, __LINE__);
    return SLIP_OK;
}

typedef struct wishes {
    bool portability, validation, features;
    extra extra;
} wishes;

static slip_status find_wishes(const vulkan_instance *made, wishes *out)
{
    uint32_t version = 0;
    VkResult result = made->globals.vkEnumerateInstanceVersion(&version);

    if (result != VK_SUCCESS)
        return vulkan_result_fail(result, "vkEnumerateInstanceVersion", __FILE__, __LINE__);
    if (version < VK_API_VERSION_1_2)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "the Vulkan loader has %u.%u, and 1.2 is needed",
                         version >> 22 & 0x7f, version >> 12 & 0x3ff);
    *out = (wishes){ 0 };
    SLIP_TRY(wanted_validation(&out->extra));
    SLIP_TRY(has_extension(made, NULL, "VK_KHR_portability_enumeration", &out->portability));
    if (out->extra == NO_VALIDATION)
        return SLIP_OK;
    SLIP_TRY(has_layer(made, validation_layer, &out->validation));
    if (!out->validation)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "SLIPWAY_VULKAN_VALIDATE=%s needs the layer %s, which is not installed",
                         out->extra == ADDRESSES ? "gpu" : "1", validation_layer);
    SLIP_TRY(has_extension(made, validation_layer, "VK_EXT_validation_features", &out->features));
    if (out->extra == ADDRESSES && !out->features)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "SLIPWAY_VULKAN_VALIDATE=gpu needs VK_EXT_validation_features, which this "
                         "version of %s has not",
                         validation_layer);
    return SLIP_OK;
}

static slip_status make_instance(vulkan_instance *made)
{
    static const VkValidationFeatureEnableEXT synchronisation =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    static const VkValidationFeatureEnableEXT addresses =
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
    VkValidationFeaturesEXT more = { .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                     .pNext = &hearing,
                                     .enabledValidationFeatureCount = 1 };
    const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .pEngineName = "slipway",
                                            .apiVersion = VK_API_VERSION_1_2 };
    const char *extensions[3];
    uint32_t extension_count = 0;
    wishes want;

    SLIP_TRY(find_wishes(made, &want));
    more.pEnabledValidationFeatures = want.extra == ADDRESSES ? &addresses : &synchronisation;
    if (want.portability)
        extensions[extension_count++] = "VK_KHR_portability_enumeration";
    if (want.validation)
        extensions[extension_count++] = "VK_EXT_debug_utils";
    if (want.features)
        extensions[extension_count++] = "VK_EXT_validation_features";
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = want.features     ? (const void *)&more
                 : want.validation ? (const void *)&hearing
                                   : NULL,
        .flags = want.portability ? VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR : 0,
        .pApplicationInfo = &application,
        .enabledLayerCount = want.validation,
        .ppEnabledLayerNames = &validation_layer,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult result = made->globals.vkCreateInstance(&info, NULL, &made->handle);
    if (result != VK_SUCCESS) {
        made->handle = NULL;
        slip_status status = vulkan_result_fail(result, "vkCreateInstance", __FILE__, __LINE__);
        if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
            fail_note("while looking for a driver: the loader found none");
        return status;
    }
    SLIP_TRY(vulkan_library_calls(made));
    if (!want.validation)
        return SLIP_OK;
    if (!made->vk.vkCreateDebugUtilsMessengerEXT || !made->vk.vkDestroyDebugUtilsMessengerEXT)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "%s has no VK_EXT_debug_utils", validation_layer);
    result =
        made->vk.vkCreateDebugUtilsMessengerEXT(made->handle, &hearing, NULL, &made->messenger);
    if (result != VK_SUCCESS) {
        made->messenger = NULL;
        return vulkan_result_fail(result, "vkCreateDebugUtilsMessengerEXT", __FILE__, __LINE__);
    }
    return SLIP_OK;
}

/* ---- its devices ---------------------------------------------------------------------------- */

static slip_status list_handles(const vulkan_instance *made, VkPhysicalDevice **out_list,
                                uint32_t *out_count)
{
    VkPhysicalDevice *list = NULL;
    VkResult result = VK_INCOMPLETE;

    for (int tries = 0; tries < 8 && result == VK_INCOMPLETE; tries++) {
        mem_free(list);
        list = NULL;
        *out_count = 0;
        result = made->vk.vkEnumeratePhysicalDevices(made->handle, out_count, NULL);
        if (result != VK_SUCCESS)
            break;
        SLIP_TRY(mem_new(((size_t)*out_count + 1) * sizeof *list, (void **)&list));
        result = made->vk.vkEnumeratePhysicalDevices(made->handle, out_count, list);
    }
    if (result != VK_SUCCESS) {
        mem_free(list);
        return vulkan_result_fail(result, "vkEnumeratePhysicalDevices", __FILE__, __LINE__);
    }
    *out_list = list;
    return SLIP_OK;
}

/* "no Vulkan device is usable: NAME: it lacks ...; NAME: ..." */
static slip_status refuse_all(const vulkan_instance *made)
{
    text t = { 0 };

    for (uint32_t k = 0; k < made->skipped_count; k++)
        text_add(&t, "%s%s: %s", k ? "; " : "", made->skipped[k].info.name,
                 made->skipped[k].why_not);
    slip_status status =
        made->skipped_count == 0
            ? SLIP_FAIL(SLIP_ERR_NOT_FOUND, "the Vulkan loader knows no device")
            : SLIP_FAIL(SLIP_ERR_NOT_FOUND, "no Vulkan device is usable: %s", text_get(&t));
    text_finish(&t);
    return status;
}

static slip_status list_devices(vulkan_instance *made)
{
    VkPhysicalDevice *handles = NULL;
    uint32_t count = 0;
    vulkan_physical found;
    slip_status status;

    SLIP_TRY(list_handles(made, &handles, &count));
    status = mem_new(((size_t)count + 1) * sizeof *made->devices, (void **)&made->devices);
    if (status == SLIP_OK)
        status = mem_new(((size_t)count + 1) * sizeof *made->skipped, (void **)&made->skipped);
    for (uint32_t k = 0; status == SLIP_OK && k < count; k++) {
        status = vulkan_physical_read(&made->vk, handles[k], &found);
        if (status == SLIP_OK && found.why_not[0])
            made->skipped[made->skipped_count++] = found;
        else if (status == SLIP_OK)
            made->devices[made->device_count++] = found;
    }
    mem_free(handles);
    if (status == SLIP_OK && made->device_count == 0)
        status = refuse_all(made);
    return status;
}

/* ---- made once ------------------------------------------------------------------------------ */

/* The library stays loaded. */
static void drop(void *instance)
{
    vulkan_instance *made = instance;

    if (made->messenger)
        made->vk.vkDestroyDebugUtilsMessengerEXT(made->handle, made->messenger, NULL);
    if (made->handle && made->vk.vkDestroyInstance)
        made->vk.vkDestroyInstance(made->handle, NULL);
    mem_free(made->devices);
    mem_free(made->skipped);
    mem_free(made);
}

static slip_status make(const void *user, void **out)
{
    vulkan_instance *made = NULL;
    slip_status status = mem_new(sizeof *made, (void **)&made);

    (void)user;
    if (status != SLIP_OK)
        return status;
    status = vulkan_library_open(made);
    if (status == SLIP_OK)
        status = make_instance(made);
    if (status == SLIP_OK)
        status = list_devices(made);
    if (status != SLIP_OK) {
        drop(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

static drv_once current = DRV_ONCE_INIT("Vulkan", make, drop, NULL);

slip_status vulkan_instance_get(const vulkan_instance **out)
{
    void *made;

    SLIP_TRY(drv_once_get(&current, &made));
    *out = made;
    return SLIP_OK;
}

const char *vulkan_instance_missing(void)
{
    return drv_once_missing(&current);
}

void vulkan_instance_drop(void)
{
    drv_once_forget(&current);
}
