/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_code.c - a module's shaders: pipelines when a task is first called, tables at load.
 */
#include <string.h>

#include "launch/queue_parts.h"
#include "launch/shader_needs.h"

/* ---- constant tables ------------------------------------------------------------------------- */

/* Copies by a stream of its own, since no call has one yet. */
static slip_status copy_tables(queue_device *d, const queue_memory *to, const uint8_t *from,
                               uint64_t bytes)
{
    const queue_driver *driver = d->driver;
    queue_memory slot = { 0 };
    void *stream = NULL;
    uint64_t value = 0;
    slip_status status = queue_alloc(d, NULL, bytes, QUEUE_MEMORY_UPLOAD, &slot);

    if (status != SLIP_OK)
        return status;
    memcpy(slot.host, from, bytes);
    status = driver->stream_open(d->self, &stream);
    if (status != SLIP_OK)
        goto done;
    status = driver->copy(stream, to, 0, &slot, 0, bytes);
    if (status == SLIP_OK)
        status = driver->submit(stream, NULL, 0, &value);
    else
        driver->discard(stream);
    if (status == SLIP_OK)
        status = driver->wait(stream, value, QUEUE_SPIN_NS);
    driver->stream_close(d->self, stream);

done:
    driver->free(d->self, &slot);
    return status;
}

static slip_status load_tables(queue_device *d, queue_loaded *loaded)
{
    const mod_code *code = loaded->code;

    if (code->data_bytes == 0)
        return SLIP_OK;
    SLIP_TRY(queue_alloc(d, NULL, code->data_bytes, QUEUE_MEMORY_DEVICE, &loaded->data));
    const uint8_t *from = code->bytes + code->data_offset;
    if (loaded->data.host) {
        memcpy(loaded->data.host, from, code->data_bytes);
        return SLIP_OK;
    }
    return copy_tables(d, &loaded->data, from, code->data_bytes);
}

/* ---- loading --------------------------------------------------------------------------------- */

slip_status queue_code_load(void *device, const mod_module *module, const mod_code *code,
                            void **out)
{
    queue_loaded *made = NULL;
    size_t bytes = sizeof *made + code->shader_count * sizeof *made->kernels;

    (void)module;
    SLIP_TRY(mem_new(bytes, (void **)&made));
    made->code = code;
    made->kernels = (queue_code_kernel *)(made + 1);
    pthread_mutex_init(&made->lock, NULL);
    slip_status status = load_tables(device, made);
    if (status != SLIP_OK)
        queue_code_drop(device, made);
    else
        *out = made;
    return queue_told(device, status);
}

void queue_code_drop(void *device, void *code)
{
    queue_device *d = device;
    queue_loaded *loaded = code;

    if (!loaded)
        return;
    for (uint32_t k = 0; k < loaded->code->shader_count && !d->forked; k++)
        if (atomic_load(&loaded->kernels[k].ready))
            d->driver->kernel_drop(d->self, &loaded->kernels[k].kernel);
    if (loaded->data.bytes > 0 && !d->forked)
        d->driver->free(d->self, &loaded->data);
    pthread_mutex_destroy(&loaded->lock);
    mem_free(loaded);
}

slip_status queue_code_check(void *device, void *code, const mod_module *module,
                             const mod_entry *entry)
{
    const queue_device *d = device;
    const queue_loaded *loaded = code;

    return shader_needs_check(loaded->code, d->limits.has, module, entry);
}

/* ---- pipelines ------------------------------------------------------------------------------- */

static slip_status make_kernel(queue_device *d, queue_loaded *loaded, uint32_t index)
{
    const mod_shader *shader = &loaded->code->shaders[index];
    queue_code_kernel *kernel = &loaded->kernels[index];
    queue_code code = { .words = loaded->code->bytes + shader->offset,
                        .bytes = shader->bytes,
                        .push_bytes = MOD_SHADER_PUSH_BYTES,
                        .local = shader->local,
                        .local_fixed = shader->local_fixed };

    if (atomic_load_explicit(&kernel->ready, memory_order_relaxed))
        return SLIP_OK;
    SLIP_TRY(queue_seen(
        d, d->driver->kernel_new(d->self, &code, loaded->data.address, &kernel->kernel)));
    atomic_store_explicit(&kernel->ready, true, memory_order_release);
    return SLIP_OK;
}

slip_status queue_kernel_get(queue_device *device, queue_loaded *loaded, uint32_t shader,
                             const queue_kernel **out)
{
    queue_code_kernel *kernel = &loaded->kernels[shader];

    if (!atomic_load_explicit(&kernel->ready, memory_order_acquire)) {
        pthread_mutex_lock(&loaded->lock);
        slip_status status = make_kernel(device, loaded, shader);
        pthread_mutex_unlock(&loaded->lock);
        SLIP_TRY(status);
    }
    *out = &kernel->kernel;
    return SLIP_OK;
}
