/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_cache.c - loads and saves a pipeline cache.
 *
 * The file is a header (cache_header), then what vkGetPipelineCacheData gave. Drivers are not
 * obliged to survive damaged data, so length, checksum and the device's own header are checked
 * before it is handed over. A new file takes the old one's place in one rename.
 */
#define _GNU_SOURCE
#include "driver/vulkan_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/setting.h"
#include "driver/vulkan_device.h"

typedef struct cache_header {
    char magic[8];
    uint32_t version;
    uint32_t driver_version;
    uint64_t data_bytes;
    uint64_t sum; /* of the data */
} cache_header;

static const char magic[8] = { 'S', 'L', 'I', 'P', 'P', 'C', 'A', 'C' };
enum { VERSION = 1, MOST_BYTES = 256 << 20 };

/* FNV-1a over words of eight bytes, then the rest; never 0. */
static uint64_t sum_of(const uint8_t *data, size_t bytes)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325), word;
    size_t k = 0;

    for (; k + sizeof word <= bytes; k += sizeof word) {
        memcpy(&word, data + k, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x100000001b3);
        sum ^= sum >> 29;
    }
    for (; k < bytes; k++)
        sum = (sum ^ data[k]) * UINT64_C(0x100000001b3);
    return sum ? sum : 1;
}

/* ---- where the file is ---------------------------------------------------------------------- */

/* Whether there is to be a file. */
static slip_status wanted(bool *out)
{
    static const char *const words[] = { "0", "1" };
    uint32_t which = 0;

    SLIP_TRY(setting_read("SLIPWAY_CACHE", words, 2, &which));
    *out = which != 0;
    return SLIP_OK;
}

slip_status vulkan_cache_check(void)
{
    const char *folder = getenv("SLIPWAY_CACHE_DIR");
    bool any;

    SLIP_TRY(wanted(&any));
    if (folder && *folder && *folder != '/')
        return setting_refuse("SLIPWAY_CACHE_DIR", folder, "a path that begins with /");
    return SLIP_OK;
}

/* Called where the variables have values that they take. */
static bool find_folder(vulkan_cache *cache)
{
    static const struct {
        const char *variable, *below;
    } places[] = {
        { "SLIPWAY_CACHE_DIR", "" },
        { "XDG_CACHE_HOME", "/slipway" },
        { "HOME", "/.cache/slipway" },
    };
    bool any = false;

    cache->folder[0] = '\0';
    cache->state = "off: SLIPWAY_CACHE=0";
    if (wanted(&any) != SLIP_OK || !any)
        return false;
    cache->state = "off: no folder for it";
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const char *value = getenv(places[k].variable);
        if (!value || value[0] != '/')
            continue; /* the XDG Base Directory Specification ignores relative paths */
        int length = snprintf(cache->folder, sizeof cache->folder, "%s%s", value, places[k].below);
        if (length < 0 || (size_t)length >= sizeof cache->folder) {
            cache->folder[0] = '\0';
            return false;
        }
        return true;
    }
    return false;
}

static void name_file(vulkan_cache *cache, const VkPhysicalDeviceProperties *p)
{
    int length = snprintf(cache->name, sizeof cache->name, "vulkan-%08x-%08x-%08x-", p->vendorID,
                          p->deviceID, p->driverVersion);

    for (int k = 0; k < VK_UUID_SIZE; k++)
        length += snprintf(cache->name + length, sizeof cache->name - (size_t)length, "%02x",
                           p->pipelineCacheUUID[k]);
    snprintf(cache->name + length, sizeof cache->name - (size_t)length, ".cache");
}

/* Opens the folder; makes it, and what leads to it, where asked. -1 where it cannot be. */
static int open_folder(const char *path, bool make)
{
    char part[sizeof((vulkan_cache *)0)->folder];
    size_t length = strlen(path);

    for (size_t k = 1; make && k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        memcpy(part, path, k);
        part[k] = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return -1;
    }
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_all(int file, void *into, size_t bytes)
{
    uint8_t *at = into;

    while (bytes > 0) {
        ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

/* The data begins with a header that names its device. */
static bool of_this_device(const uint8_t *data, uint64_t bytes, const VkPhysicalDeviceProperties *p)
{
    VkPipelineCacheHeaderVersionOne head;

    if (bytes < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    return head.headerSize >= sizeof head && head.headerSize <= bytes &&
           head.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           head.vendorID == p->vendorID && head.deviceID == p->deviceID &&
           memcmp(head.pipelineCacheUUID, p->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

static bool read_header(int file, const VkPhysicalDeviceProperties *p, cache_header *out)
{
    struct stat info;

    return fstat(file, &info) == 0 && read_all(file, out, sizeof *out) &&
           memcmp(out->magic, magic, sizeof magic) == 0 && out->version == VERSION &&
           out->driver_version == p->driverVersion && out->data_bytes <= MOST_BYTES &&
           (uint64_t)info.st_size == sizeof *out + out->data_bytes;
}

/* *out stays NULL where there is nothing to use; the state says why. */
static slip_status load(vulkan_cache *cache, const VkPhysicalDeviceProperties *p, uint8_t **out,
                        uint64_t *out_bytes)
{
    cache_header head;
    uint8_t *data = NULL;
    slip_status status = SLIP_OK;
    int folder = open_folder(cache->folder, false);
    int file = folder < 0 ? -1 : openat(folder, cache->name, O_RDONLY | O_CLOEXEC);

    if (folder >= 0)
        close(folder);
    cache->state = "fresh";
    if (file < 0)
        return SLIP_OK;
    cache->state = "fresh: the file is damaged or of another driver";
    if (!read_header(file, p, &head))
        goto done;
    status = mem_new(head.data_bytes ? (size_t)head.data_bytes : 1, (void **)&data);
    if (status != SLIP_OK)
        goto done;
    if (!read_all(file, data, (size_t)head.data_bytes) ||
        sum_of(data, (size_t)head.data_bytes) != head.sum ||
        !of_this_device(data, head.data_bytes, p))
        goto done;
    cache->state = "loaded";
    cache->loaded_bytes = head.data_bytes;
    cache->saved_sum = head.sum;
    *out = data;
    *out_bytes = head.data_bytes;
    data = NULL;

done:
    mem_free(data);
    close(file);
    return status;
}

slip_status vulkan_cache_init(vulkan_device *device)
{
    vulkan_cache *cache = &device->cache;
    const VkPhysicalDeviceProperties *p = &device->physical->properties;
    uint8_t *data = NULL;
    uint64_t bytes = 0;
    slip_status status = SLIP_OK;

    SLIP_TRY(vulkan_cache_check());
    name_file(cache, p);
    if (find_folder(cache))
        status = load(cache, p, &data, &bytes);
    if (status != SLIP_OK)
        return status;
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = (size_t)bytes,
        .pInitialData = data,
    };
    status =
        VULKAN_CALL(device, vkCreatePipelineCache, device->handle, &info, NULL, &cache->handle);
    mem_free(data);
    if (status != SLIP_OK)
        return status;
    pthread_mutex_init(&cache->lock, NULL);
    return SLIP_OK;
}

void vulkan_cache_finish(vulkan_device *device)
{
    if (!device->cache.handle)
        return;
    if (!device->forked)
        device->vk.vkDestroyPipelineCache(device->handle, device->cache.handle, NULL);
    pthread_mutex_destroy(&device->cache.lock);
    device->cache.handle = NULL;
}

/* ---- writing -------------------------------------------------------------------------------- */

static bool write_all(int file, const void *from, size_t bytes)
{
    const uint8_t *at = from;

    while (bytes > 0) {
        ssize_t put = write(file, at, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        bytes -= (size_t)put;
    }
    return true;
}

/* Under a name of this process first; another that writes at the same time does no harm. */
static bool write_file(const vulkan_cache *cache, const cache_header *head, const uint8_t *data)
{
    char temporary[sizeof cache->name + 32];
    int folder = open_folder(cache->folder, true);
    bool done = false;

    if (folder < 0)
        return false;
    snprintf(temporary, sizeof temporary, "%s.%ld", cache->name, (long)getpid());
    int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) {
        done =
            write_all(file, head, sizeof *head) && write_all(file, data, (size_t)head->data_bytes);
        done = close(file) == 0 && done;
        done = done && renameat(folder, temporary, folder, cache->name) == 0;
        if (!done)
            unlinkat(folder, temporary, 0);
    }
    close(folder);
    return done;
}

static void save(vulkan_device *device)
{
    vulkan_cache *cache = &device->cache;
    const VkPhysicalDeviceProperties *p = &device->physical->properties;
    size_t bytes = 0;
    uint8_t *data = NULL;

    VkResult result =
        device->vk.vkGetPipelineCacheData(device->handle, cache->handle, &bytes, NULL);
    if (result != VK_SUCCESS || bytes == 0 || bytes > MOST_BYTES)
        return;
    if (mem_new(bytes, (void **)&data) != SLIP_OK) {
        fail_clear();
        return;
    }
    result = device->vk.vkGetPipelineCacheData(device->handle, cache->handle, &bytes, data);
    if (result == VK_SUCCESS && of_this_device(data, bytes, p)) {
        cache_header head = { .version = VERSION,
                              .driver_version = p->driverVersion,
                              .data_bytes = bytes,
                              .sum = sum_of(data, bytes) };
        memcpy(head.magic, magic, sizeof magic);
        if (head.sum != cache->saved_sum && write_file(cache, &head, data))
            cache->saved_sum = head.sum;
    }
    mem_free(data);
}

void vulkan_cache_save(vulkan_device *device)
{
    vulkan_cache *cache = &device->cache;

    if (!cache->folder[0] || device->forked || atomic_load(&device->lost) != VK_SUCCESS)
        return;
    pthread_mutex_lock(&cache->lock);
    save(device);
    pthread_mutex_unlock(&cache->lock);
}
