/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_memory.c - entry points for memory and copies. When a copy blocks, and when its source may be
 * changed: CUDA driver API, "API synchronization behavior"; HIP, "Asynchronous concurrent
 * execution" and hipMemcpyAsync. Where those say may or might, what happens is drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/stream/core.h"

static uint8_t *pointer(uint64_t address)
{
    return (uint8_t *)(uintptr_t)address;
}

/* ---- allocations ---- */

int fake_memory_new(uint64_t *out, size_t bytes)
{
    int status = fake_enter_in_context(FAKE_SLOT_memory_new);

    if (!status && (bytes == 0 || !out))
        status = FAKE_INVALID_VALUE;
    if (!status) {
        fake_range *made = memory_make(FAKE_DEVICE, bytes);
        if (made)
            *out = made->at;
        else
            status = FAKE_OUT_OF_MEMORY;
    }
    return fake_leave(fake_spoil(status, out));
}

int fake_memory_managed(uint64_t *out, size_t bytes, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_memory_managed);

    if (!status && (bytes == 0 || !out || flags != 1)) /* CU_MEM_ATTACH_GLOBAL */
        status = FAKE_INVALID_VALUE;
    if (!status) {
        fake_range *made = memory_make(FAKE_PINNED, bytes);
        if (made) {
            made->managed = true;
            *out = made->at;
        } else {
            status = FAKE_OUT_OF_MEMORY;
        }
    }
    return fake_leave(fake_spoil(status, out));
}

static fake_range *range_from(uint64_t at, fake_kind kind)
{
    fake_range *r = memory_find(at);

    return r && r->at == at && (r->managed ? FAKE_DEVICE : r->kind) == kind ? r : NULL;
}

/* CUmemorytype, and hipMemoryType since ROCm 6. "Managed memory can return either", says
 * cudaPointerAttributes. */
static uint32_t type_of(const fake_range *r)
{
    enum { HOST = 1, DEVICE = 2, HIP_MANAGED = 3 };

    if (r->managed)
        return !fake_vendor_row.has_contexts ? HIP_MANAGED : fake_draw(2) ? HOST : DEVICE;
    return r->kind == FAKE_DEVICE ? DEVICE : HOST;
}

/* Of memory that it does not know CUDA gives zeros; HIP does not say. */
int fake_pointer_attributes(unsigned count, const int *which, void **out, uint64_t address)
{
    enum { MEMORY_TYPE = 2, IS_MANAGED = 8 };
    int status = fake_enter_in_context(FAKE_SLOT_pointer_attributes);
    const fake_range *r = memory_find(address);
    uint32_t type = r ? type_of(r) : 0;
    bool managed = r && r->managed;

    if (!status && !r && !fake_vendor_row.has_contexts && fake_draw(2))
        status = FAKE_INVALID_VALUE;
    for (unsigned k = 0; k < count; k++)
        if (!status && which[k] == IS_MANAGED)
            memcpy(out[k], &managed, sizeof managed);
        else if (!status && which[k] == MEMORY_TYPE)
            memcpy(out[k], &type, sizeof type);
        else
            status = fake_spoil(status ? status : FAKE_INVALID_VALUE, out[k]);
    return fake_leave(status);
}

/* Nothing that is queued may use what goes. */
static void check_unused(const char *what, fake_range *r)
{
    fake_access whole = { r->at, r->at + r->bytes, FAKE_WRITES, r };

    race_host(what, &whole);
    queue_run_all(NULL); /* whatever was said: tests go on */
}

int fake_memory_free(uint64_t address)
{
    int status = fake_enter_in_context(FAKE_SLOT_memory_free);
    fake_range *r = range_from(address, FAKE_DEVICE);

    if (status || address == 0)
        return fake_leave(status);
    if (!r)
        return fake_leave(FAKE_INVALID_VALUE);
    if (!fake_vendor_row.free_may_not_wait || fake_draw(2) == 0)
        queue_run_all(NULL);
    check_unused("freeing", r);
    memory_drop(r);
    return fake_leave(FAKE_OK);
}

int fake_host_new(void **out, size_t bytes, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_host_new);

    (void)flags;
    if (!status && (bytes == 0 || !out))
        status = FAKE_INVALID_VALUE;
    if (!status) {
        fake_range *made = memory_make(FAKE_PINNED, bytes);
        if (made)
            *out = pointer(made->at);
        else
            status = FAKE_OUT_OF_MEMORY;
    }
    return fake_leave(fake_spoil(status, out));
}

int fake_host_free(void *host)
{
    int status = fake_enter_in_context(FAKE_SLOT_host_free);
    fake_range *r = range_from((uint64_t)(uintptr_t)host, FAKE_PINNED);

    if (status || !host)
        return fake_leave(status);
    if (!r)
        return fake_leave(FAKE_INVALID_VALUE);
    check_unused("freeing", r);
    memory_drop(r);
    return fake_leave(FAKE_OK);
}

int fake_host_address(uint64_t *out, void *host, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_host_address);
    uint64_t at = (uint64_t)(uintptr_t)host;
    fake_range *r = memory_find(at);

    if (!status && (flags || !out || !r || r->kind == FAKE_DEVICE))
        status = FAKE_INVALID_VALUE;
    if (!status)
        *out = at - r->at < r->bytes ? at - r->at + r->device : at;
    return fake_leave(fake_spoil(status, out));
}

int fake_host_register(void *host, size_t bytes, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_host_register);

    (void)flags;
    if (!status && (!host || bytes == 0))
        status = FAKE_INVALID_VALUE;
    if (!status && !memory_enlist(host, bytes))
        status = FAKE_ALREADY_REGISTERED;
    return fake_leave(status);
}

int fake_host_unregister(void *host)
{
    int status = fake_enter_in_context(FAKE_SLOT_host_unregister);
    fake_range *r = range_from((uint64_t)(uintptr_t)host, FAKE_REGISTERED);

    if (status)
        return fake_leave(status);
    if (!r)
        return fake_leave(FAKE_NOT_REGISTERED);
    check_unused("unregistering", r);
    memory_drop(r);
    return fake_leave(FAKE_OK);
}

/* ---- copies ---- */

/* Memory that the device has an address for. */
static bool on_device(uint64_t address, size_t bytes)
{
    const fake_range *r = memory_find(address);

    return r && memory_holds(r, address, bytes);
}

static bool is_pageable(const void *host)
{
    return !memory_find((uint64_t)(uintptr_t)host);
}

static fake_op *copy_op(const char *name, uint64_t to, uint64_t from, size_t bytes)
{
    fake_op *op = op_new(FAKE_COPY, name);

    op->to = memory_seen(to);
    op->from = memory_seen(from);
    op->bytes = bytes;
    op_access(op, from, from + bytes, FAKE_READS);
    op_access(op, to, to + bytes, FAKE_WRITES);
    fake.counts[FAKE_COUNT_COPIES]++;
    return op;
}

static void queue_and_wait(uint32_t lane, fake_op *op)
{
    queue_add(lane, op, NULL);
    queue_wait(lane, fake.lanes[lane].queued, fake.lanes[lane].clock);
}

/* From a copy of the source: the caller's may change when this has returned. */
static void queue_staged(uint32_t lane, const char *name, uint64_t to, const void *from,
                         size_t bytes)
{
    fake_op *op = op_new(FAKE_COPY, name);

    op->own = fake_zeroed(bytes);
    memcpy(op->own, from, bytes);
    op->to = memory_seen(to);
    op->bytes = bytes;
    op_access(op, to, to + bytes, FAKE_WRITES);
    fake.counts[FAKE_COUNT_COPIES]++;
    queue_add(lane, op, NULL);
}

int fake_upload(uint64_t to, const void *from, size_t bytes)
{
    int status = fake_enter_in_context(FAKE_SLOT_upload);
    const char *name = fake_rows[FAKE_SLOT_upload].name;

    uint32_t lane = 0;
    if (!status && (!from || !on_device(to, bytes)))
        status = FAKE_INVALID_VALUE;
    if (!status)
        status = context_stream(NULL, &lane);
    if (status || bytes == 0)
        return fake_leave(status);
    if (is_pageable(from) && fake_vendor_row.staged_upload && fake_draw(2) == 1) {
        queue_wait(lane, fake.lanes[lane].queued, fake.lanes[lane].clock);
        queue_staged(lane, name, to, from, bytes);
    } else {
        queue_and_wait(lane, copy_op(name, to, (uint64_t)(uintptr_t)from, bytes));
    }
    return fake_leave(FAKE_OK);
}

int fake_download(void *to, uint64_t from, size_t bytes)
{
    int status = fake_enter_in_context(FAKE_SLOT_download);

    uint32_t lane = 0;
    if (!status && (!to || !on_device(from, bytes)))
        status = FAKE_INVALID_VALUE;
    if (!status)
        status = context_stream(NULL, &lane);
    if (status || bytes == 0)
        return fake_leave(status);
    queue_and_wait(
        lane, copy_op(fake_rows[FAKE_SLOT_download].name, (uint64_t)(uintptr_t)to, from, bytes));
    return fake_leave(FAKE_OK);
}

int fake_upload_queued(uint64_t to, const void *from, size_t bytes, fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_upload_queued);
    const char *name = fake_rows[FAKE_SLOT_upload_queued].name;
    uint32_t lane = 0, choice = 0;

    if (!status && (!from || !on_device(to, bytes)))
        status = FAKE_INVALID_VALUE;
    if (!status)
        status = context_stream(stream, &lane);
    if (status || bytes == 0)
        return fake_leave(status);
    if (is_pageable(from))
        choice = fake_vendor_row.pageable_is_queued ? fake_draw(3) : 0;
    else
        choice = 2;
    if (choice == 0)
        queue_and_wait(lane, copy_op(name, to, (uint64_t)(uintptr_t)from, bytes));
    else if (choice == 1)
        queue_staged(lane, name, to, from, bytes);
    else
        queue_add(lane, copy_op(name, to, (uint64_t)(uintptr_t)from, bytes), NULL);
    return fake_leave(FAKE_OK);
}

int fake_download_queued(void *to, uint64_t from, size_t bytes, fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_download_queued);
    uint32_t lane = 0;

    if (!status && (!to || !on_device(from, bytes)))
        status = FAKE_INVALID_VALUE;
    if (!status)
        status = context_stream(stream, &lane);
    if (status || bytes == 0)
        return fake_leave(status);
    fake_op *op =
        copy_op(fake_rows[FAKE_SLOT_download_queued].name, (uint64_t)(uintptr_t)to, from, bytes);
    if (is_pageable(to) && (!fake_vendor_row.pageable_is_queued || fake_draw(2) == 0))
        queue_and_wait(lane, op);
    else
        queue_add(lane, op, NULL);
    return fake_leave(FAKE_OK);
}

int fake_fill_queued(uint64_t to, unsigned char value, size_t bytes, fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_fill_queued);
    uint32_t lane = 0;

    if (!status && !on_device(to, bytes))
        status = FAKE_INVALID_VALUE;
    if (!status)
        status = context_stream(stream, &lane);
    if (status || bytes == 0)
        return fake_leave(status);
    fake_op *op = op_new(FAKE_FILL, fake_rows[FAKE_SLOT_fill_queued].name);
    op->to = memory_seen(to);
    op->value = value;
    op->bytes = bytes;
    op_access(op, to, to + bytes, FAKE_WRITES);
    queue_add(lane, op, NULL);
    return fake_leave(FAKE_OK);
}
