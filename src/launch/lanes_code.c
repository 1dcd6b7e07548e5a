/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_code.c - a module's code on a device: loaded whole, each of its kernels with it, so that
 * no call finds one that the driver has yet to load.
 */
#include "launch/lanes_parts.h"
#include "launch/shader_needs.h"

/* A shader that was left out, or that needs what the device lacks, has no kernel: code_check
 * refuses its entries. */
static slip_status load_kernels(lanes_device *d, lanes_loaded *loaded)
{
    for (uint32_t k = 0; k < loaded->code->shader_count; k++) {
        const mod_shader *shader = &loaded->code->shaders[k];
        if (shader->bytes == 0 || shader->needs & ~d->limits.has)
            continue;
        uint64_t from = counters_now();
        SLIP_TRY(lanes_device_told(
            d, from, d->driver->kernel_get(d->self, loaded->self, k, &loaded->kernels[k])));
    }
    return SLIP_OK;
}

static slip_status load(lanes_device *d, lanes_loaded *made)
{
    const mod_code *code = made->code;
    uint64_t from = counters_now();

    SLIP_TRY(lanes_device_told(
        d, from, d->driver->code_load(d->self, code->bytes, code->size, &made->self)));
    return load_kernels(d, made);
}

slip_status lanes_code_load(void *device, const mod_module *module, const mod_code *code,
                            void **out)
{
    lanes_device *d = device;
    lanes_loaded *made = NULL;
    stream_guard guard;

    (void)module;
    SLIP_TRY(mem_new(sizeof *made + code->shader_count * sizeof made->kernels[0], (void **)&made));
    made->code = code;
    slip_status status = lanes_enter(d, &guard);
    if (status == SLIP_OK) {
        status = load(d, made);
        lanes_leave(d, &guard);
    }
    if (status != SLIP_OK)
        lanes_code_drop(d, made);
    else
        *out = made;
    return status;
}

void lanes_code_drop(void *device, void *code)
{
    lanes_device *d = device;
    lanes_loaded *loaded = code;

    if (!loaded)
        return;
    if (!loaded->self) {
        mem_free(loaded);
        return;
    }
    pthread_mutex_lock(&d->lock);
    loaded->next = d->dropped;
    d->dropped = loaded;
    pthread_mutex_unlock(&d->lock);
}

slip_status lanes_code_check(void *device, void *code, const mod_module *module,
                             const mod_entry *entry)
{
    const lanes_device *d = device;
    const lanes_loaded *loaded = code;

    return shader_needs_check(loaded->code, d->limits.has, module, entry);
}
