/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.c - devices, and what is current on a thread: a stack of contexts (CUDA driver API,
 * "Context Management"), or a device (HIP, "Device Management").
 */
#include <stdio.h>
#include <string.h>

#include "fake/stream/core.h"
#include "fake/stream/lock.h"
#include "fake/stream/tell.h"

enum { DEEPEST = 16 };

static __thread fake_context *stack[DEEPEST];
static __thread uint32_t depth;
static __thread int device_now;

fake_context *context_of_device(int device)
{
    for (fake_context *c = fake.contexts; c; c = c->next)
        if (c->device == device && !c->foreign)
            return c;
    fake_context *made = fake_zeroed(sizeof *made);
    made->device = device;
    made->lane = lane_new(made, NULL, true);
    made->next = fake.contexts;
    fake.contexts = made;
    return made;
}

fake_context *context_now(void)
{
    if (!fake_vendor_row.has_contexts)
        return device_now < fake.devices ? context_of_device(device_now) : NULL;
    return depth > 0 ? stack[depth - 1] : NULL;
}

static bool is_device(int device)
{
    return device >= 0 && device < fake.devices;
}

/* ---- devices ---- */

int fake_init(unsigned flags)
{
    int status = fake_enter(FAKE_SLOT_init);

    if (!status && flags)
        status = FAKE_INVALID_VALUE;
    if (!status && fake.devices == 0)
        status = FAKE_NO_DEVICE;
    fake.ready = fake.ready || !status;
    return fake_leave(status);
}

int fake_version(int *out)
{
    int status = fake_enter(FAKE_SLOT_version);

    if (!status)
        *out = fake_vendor_row.has_contexts ? 12080 : 60342134;
    return fake_leave(status);
}

int fake_device_count(int *out)
{
    int status = fake_enter(FAKE_SLOT_device_count);

    if (!status)
        *out = fake.devices;
    return fake_leave(status);
}

int fake_device_get(int *out, int index)
{
    int status = fake_enter(FAKE_SLOT_device_get);

    if (!status && !is_device(index))
        status = FAKE_INVALID_DEVICE;
    if (!status)
        *out = index;
    return fake_leave(status);
}

int fake_device_name(char *out, int room, int device)
{
    int status = fake_enter(FAKE_SLOT_device_name);

    if (!status && !is_device(device))
        status = FAKE_INVALID_DEVICE;
    if (!status)
        snprintf(out, (size_t)room, "%s", fake_vendor_row.device_name);
    return fake_leave(status);
}

int fake_device_memory(size_t *out, int device)
{
    int status = fake_enter(FAKE_SLOT_device_memory);

    if (!status && !is_device(device))
        status = FAKE_INVALID_DEVICE;
    if (!status)
        *out = fake.memory_limit;
    return fake_leave(status);
}

/* CUdevice_attribute, hipDeviceAttribute_t (of ROCm 6), what it is here. */
static const struct {
    int cuda, hip, value;
} attributes[] = {
    { 1, 56, 1024 },       /* threads a block */
    { 2, 26, 1024 },       /* along x */
    { 5, 29, 0x7fffffff }, /* grid x */
    { 6, 30, 65535 },      /* grid y */
    { 7, 31, 65535 },      /* grid z */
    { 16, 63, 8 },         /* multiprocessors */
    { 18, 16, 0 },         /* integrated */
    { 75, 23, 9 },         /* capability, major */
    { 76, 61, 0 },         /* minor */
    { 41, 85, 1 },         /* unified addressing */
    { 88, 65, 0 },         /* pageable memory access */
    { 10, 87, 32 },        /* warp */
};

int fake_device_attribute(int *out, int which, int device)
{
    int status = fake_enter(FAKE_SLOT_device_attribute);
    size_t k = 0;

    while (k < sizeof attributes / sizeof *attributes &&
           which != FAKE_NAME_(attributes[k].cuda, attributes[k].hip))
        k++;
    if (!status && !is_device(device))
        status = FAKE_INVALID_DEVICE;
    if (!status && k == sizeof attributes / sizeof *attributes)
        status = FAKE_INVALID_VALUE;
    if (!status)
        *out = attributes[k].value;
    return fake_leave(status);
}

/* ---- what is current ---- */

#if !defined(FAKE_HIP)

static bool is_context(fake_handle handle)
{
    for (const fake_context *c = fake.contexts; c; c = c->next)
        if (c == handle)
            return true;
    return false;
}

int fake_context_retain(fake_handle *out, int device)
{
    int status = fake_enter(FAKE_SLOT_context_retain);

    if (!status && !is_device(device))
        status = FAKE_INVALID_DEVICE;
    if (!status) {
        fake_context *c = context_of_device(device);
        c->retained++;
        *out = c;
    }
    return fake_leave(fake_spoil(status, out));
}

int fake_context_release(int device)
{
    int status = fake_enter(FAKE_SLOT_context_release);

    if (!status && !is_device(device))
        status = FAKE_INVALID_DEVICE;
    if (!status && context_of_device(device)->retained == 0)
        status = FAKE_INVALID_CONTEXT;
    if (!status)
        context_of_device(device)->retained--;
    return fake_leave(status);
}

int fake_context_current(fake_handle *out)
{
    int status = fake_enter(FAKE_SLOT_context_current);

    if (!status)
        *out = context_now();
    return fake_leave(fake_spoil(status, out));
}

int fake_context_push(fake_handle context)
{
    int status = fake_enter(FAKE_SLOT_context_push);

    if (!status && (!is_context(context) || depth == DEEPEST))
        status = FAKE_INVALID_CONTEXT;
    if (!status)
        stack[depth++] = context;
    return fake_leave(status);
}

int fake_context_pop(fake_handle *out)
{
    int status = fake_enter(FAKE_SLOT_context_pop);

    if (!status && depth == 0)
        status = FAKE_INVALID_CONTEXT;
    if (!status) {
        depth--;
        if (out)
            *out = stack[depth];
    }
    return fake_leave(status);
}

#else

int fake_device_current(int *out)
{
    int status = fake_enter(FAKE_SLOT_device_current);

    if (!status)
        *out = device_now;
    return fake_leave(status);
}

int fake_device_select(int index)
{
    int status = fake_enter(FAKE_SLOT_device_select);

    if (!status && !is_device(index))
        status = FAKE_INVALID_DEVICE;
    if (!status)
        device_now = index;
    return fake_leave(status);
}

/* hipDeviceProp_tR0600: the name comes first; gcnArchName lies at byte 1160 of 1472. */
int fake_properties(void *out, int index)
{
    int status = fake_enter(FAKE_SLOT_properties);

    if (!status && !is_device(index))
        status = FAKE_INVALID_DEVICE;
    if (!status) {
        memset(out, 0, 1472);
        snprintf(out, 256, "%s", fake_vendor_row.device_name);
        snprintf((char *)out + 1160, 256, "gfx90a:sramecc+:xnack-");
    }
    return fake_leave(status);
}

#endif

/* A context that other code of the process made, for tests of what is current. */
void *slipfake_context(void)
{
    fake_lock();
    fake_context *made = fake_zeroed(sizeof *made);
    made->foreign = true;
    made->lane = lane_new(made, NULL, true);
    made->next = fake.contexts;
    fake.contexts = made;
    fake_unlock();
    return made;
}
