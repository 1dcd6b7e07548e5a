/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - loading modules: from bytes and files, picking the code, and taking them down.
 *
 * The bytes are a module file's and are not trusted: module/read.c checks every number before any
 * of it is used here. The module keeps a copy, so the caller may reuse its own at once.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/text.h"
#include "module/read.h"
#include "runtime/bind.h"
#include "runtime/retire.h"

static const char *const target_names[MOD_TARGET_COUNT] = {
#define TARGET_NAME_(name, text) [MOD_TARGET_##name] = text,
    MOD_TARGETS(TARGET_NAME_)
#undef TARGET_NAME_
};

static slip_status refuse_targets(const slip_device *device, const mod_module *module)
{
    text holds = { 0 }, takes = { 0 };

    for (uint32_t k = 0; k < module->code_count; k++)
        text_add(&holds, "%s%s", k ? ", " : "", target_names[module->codes[k].target]);
    for (uint32_t k = 0; k < device->info.target_count; k++)
        text_add(&takes, "%s%s", k ? ", " : "", device->info.targets[k]);
    slip_status status =
        SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "the module holds code for %s; %s:%u takes %s",
                  holds.bytes ? text_get(&holds) : "no device", device->family->name, device->index,
                  takes.bytes ? text_get(&takes) : "none");
    text_finish(&holds);
    text_finish(&takes);
    return status;
}

/* The first of the device's targets that the module has code for. */
static const mod_code *pick_code(const slip_device *device, const mod_module *module)
{
    for (uint32_t t = 0; t < device->info.target_count; t++)
        for (uint32_t k = 0; k < module->code_count; k++)
            if (strcmp(target_names[module->codes[k].target], device->info.targets[t]) == 0)
                return &module->codes[k];
    return NULL;
}

static slip_status load_code(slip_module *made)
{
    const slip_device *device = made->device;
    const mod_module *module = made->module;
    const mod_code *code = pick_code(device, module);

    if (module->symbol_count == 0 || made->inspected)
        return SLIP_OK;
    if (!code)
        return refuse_targets(device, module);
    return device->family->code_load(device->self, module, code, &made->code);
}

/* The device's lock is held. */
static slip_status take_id(slip_device *device, uint32_t *out)
{
    if (device->free_id_count > 0) {
        *out = device->free_ids[--device->free_id_count];
        return SLIP_OK;
    }
    /* Room to take it back, so that giving back cannot fail. */
    SLIP_TRY(mem_grow((void **)&device->free_ids, &device->free_id_capacity,
                      (size_t)device->entry_ids + 1, sizeof *device->free_ids));
    *out = device->entry_ids++;
    return SLIP_OK;
}

static slip_status make_entries(slip_module *made)
{
    const mod_module *module = made->module;

    SLIP_TRY(mem_new(module->entry_count * sizeof *made->entries, (void **)&made->entries));
    for (uint32_t k = 0; k < module->entry_count; k++) {
        slip_entry *entry = &made->entries[k];
        entry->entry = &module->entries[k];
        for (uint32_t p = 0; p < entry->entry->param_count; p++)
            entry->array_count += entry->entry->params[p].kind == MOD_ARRAY;
        SLIP_TRY(device_name_keep(made->device, entry->entry->name, &entry->name));
        SLIP_TRY(take_id(made->device, &entry->id));
        pthread_mutex_init(&entry->lock, NULL);
        entry->module = made; /* marks an entry that has an id */
    }
    return SLIP_OK;
}

/* The device's lock is held: no stream has anything of the entry after this. */
static void drop_entry(slip_entry *entry)
{
    slip_device *device = entry->module->device;

    for (slip_stream *stream = device->streams; stream; stream = stream->next) {
        stream_lock(stream);
        if (entry->id < stream->binding_capacity) {
            bind_drop(stream->bindings[entry->id]);
            stream->bindings[entry->id] = NULL;
        }
        stream_unlock(stream);
    }
    if (device->free_id_count < device->free_id_capacity) /* less only after a fork */
        device->free_ids[device->free_id_count++] = entry->id;
    plans_finish(entry);
    pthread_mutex_destroy(&entry->lock);
}

static void drop_code(slip_device *device, retired *item)
{
    slip_module *module = (slip_module *)((char *)item - offsetof(slip_module, retired));

    device->family->code_drop(device->self, module->code);
    mem_arena_finish(&module->arena);
    mem_free(module);
}

/* The device's lock is held. What is queued may still use the code. */
static void drop_module(slip_module *module)
{
    slip_device *device = module->device;

    for (uint32_t k = 0; module->entries && k < module->module->entry_count; k++)
        if (module->entries[k].module)
            drop_entry(&module->entries[k]);
    mem_free(module->entries);
    module->entries = NULL;
    retire(device, &module->retired, drop_code);
    retire_sweep(device);
}

/* The device's lock is held. `status` tells how the loading of the code went. Takes `made`, whole
 * or not. */
static slip_status finish_load(slip_module *made, slip_status status, slip_module **out)
{
    slip_device *device = made->device;

    if (status == SLIP_OK)
        status = make_entries(made);
    if (status != SLIP_OK) {
        fail_note("while loading a module");
        drop_module(made);
        return status;
    }
    made->next = device->modules;
    if (device->modules)
        device->modules->previous = made;
    device->modules = made;
    *out = made;
    return SLIP_OK;
}

static slip_status finish_locked(slip_module *made, slip_module **out)
{
    slip_device *device = made->device;
    slip_status status = load_code(made); /* takes long on some devices: not under the lock */

    pthread_mutex_lock(&device->lock);
    status = finish_load(made, status, out);
    pthread_mutex_unlock(&device->lock);
    return status;
}

slip_status module_adopt(slip_device *device, const mod_module *module, slip_module **out)
{
    slip_module *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->device = device;
    made->module = module;
    return finish_locked(made, out);
}

static slip_status load_bytes(slip_device *device, const void *bytes, uint64_t size, bool inspected,
                              slip_module **out)
{
    slip_module *made = NULL;
    slip_status status = mem_new(sizeof *made, (void **)&made);

    if (status != SLIP_OK)
        goto fail;
    made->device = device;
    made->inspected = inspected;
    status = mem_arena_init(&made->arena);
    if (status != SLIP_OK)
        goto fail;
    /* Launch programs read constant tables in the file's bytes for as long as the module is loaded.
     */
    void *kept = arena_new(&made->arena, size);
    if (!kept) {
        status = SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a module of %" PRIu64 " bytes", size);
        goto fail;
    }
    memcpy(kept, bytes, size);
    status = mod_read(&made->arena, kept, size, &made->module);
    if (status != SLIP_OK)
        goto fail;
    return finish_locked(made, out);

fail:
    if (made)
        mem_arena_finish(&made->arena);
    mem_free(made);
    return status;
}

static slip_status check_given(const char *where, const slip_device *device, const void *bytes,
                               slip_module **out)
{
    if (!device || !bytes || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", where,
                         !device  ? "device"
                         : !bytes ? "module"
                                  : "place for the module");
    return SLIP_OK;
}

slip_status slip_module_load(slip_device *device, const void *bytes, uint64_t size,
                             slip_module **out)
{
    runtime_enter();
    SLIP_TRY(check_given("slip_module_load", device, bytes, out));
    return load_bytes(device, bytes, size, false, out);
}

slip_status slip_module_inspect(slip_device *device, const void *bytes, uint64_t size,
                                slip_module **out)
{
    runtime_enter();
    SLIP_TRY(check_given("slip_module_inspect", device, bytes, out));
    return load_bytes(device, bytes, size, true, out);
}

static slip_status refuse_file(const char *path, const char *what)
{
    return SLIP_FAIL(errno == ENOENT ? SLIP_ERR_NOT_FOUND : SLIP_ERR_ARGUMENT,
                     "module %s cannot be %s: %s", path, what, strerror(errno));
}

/* The whole file in a block from mem_new. */
static slip_status read_file(const char *path, uint8_t **out, uint64_t *out_size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t capacity = 0, used = 0, got;
    slip_status status = SLIP_OK;

    if (!file)
        return refuse_file(path, "opened");
    do {
        status = mem_grow((void **)&bytes, &capacity, used + (1 << 16), 1);
        if (status != SLIP_OK)
            goto fail;
        got = fread(bytes + used, 1, capacity - used, file);
        used += got;
    } while (got > 0);
    if (ferror(file)) {
        status = refuse_file(path, "read");
        goto fail;
    }
    fclose(file);
    *out = bytes;
    *out_size = used;
    return SLIP_OK;

fail:
    fclose(file);
    mem_free(bytes);
    return status;
}

slip_status slip_module_load_file(slip_device *device, const char *path, slip_module **out)
{
    uint8_t *bytes = NULL;
    uint64_t size = 0;

    runtime_enter();
    if (!device || !path || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_module_load_file: the %s is NULL",
                         !device ? "device"
                         : !path ? "path"
                                 : "place for the module");
    SLIP_TRY(read_file(path, &bytes, &size));
    slip_status status = load_bytes(device, bytes, size, false, out);
    mem_free(bytes);
    if (status != SLIP_OK)
        fail_note("while reading %s", path);
    return status;
}

void slip_module_unload(slip_module *module)
{
    if (!module)
        return;
    slip_device *device = module->device;
    pthread_mutex_lock(&device->lock);
    if (module->previous)
        module->previous->next = module->next;
    else
        device->modules = module->next;
    if (module->next)
        module->next->previous = module->previous;
    drop_module(module);
    pthread_mutex_unlock(&device->lock);
}
