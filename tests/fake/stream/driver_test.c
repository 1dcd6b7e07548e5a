/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver_test.c - the stream drivers over the look-alikes: they ask for what there is, in the way
 * that it is to be asked, and whichever of their calls fails, nothing is left behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/stream_driver.h"
#include "fake/stream/look.h"
#include "module/read.h"
#include "support/check.h"

enum { COUNT = 3000, BYTES = COUNT * 4 };

typedef struct add_params {
    int64_t first, end;
    uint64_t cells;
    int64_t lo, count;
    uint64_t y, x;
} add_params;

static const stream_driver *driver;
static mem_arena arena;
static const mod_code *code;

/* The module's code for the look-alike that was named, and the driver that finds it by the
 * environment. */
static void begin(const char *schedule, uint64_t seed)
{
    const mod_module *module = NULL;
    size_t bytes = 0;

    look_begin(schedule, seed);
    driver = look.hip ? &hip_driver_table : &cuda_driver_table;
    if (code)
        return;
    char *file = check_read(look.module, &bytes);
    CHECK_EQ_I64(mem_arena_init(&arena), SLIP_OK);
    CHECK_EQ_I64(mod_read(&arena, file, bytes, &module), SLIP_OK);
    for (uint32_t c = 0; c < module->code_count; c++)
        if (module->codes[c].target == (look.hip ? MOD_TARGET_GFX90A : MOD_TARGET_PTX))
            code = &module->codes[c];
}

typedef struct things {
    void *device, *code, *stream, *lane, *event;
    stream_guard guard;
    bool inside;
    stream_memory up, down, x, y;
    stream_kernel add;
} things;

static slip_status make(things *t)
{
    SLIP_TRY(driver->open(0, &t->device));
    SLIP_TRY(driver->enter(t->device, &t->guard));
    t->inside = true;
    SLIP_TRY(driver->code_load(t->device, code->bytes, code->size, &t->code));
    SLIP_TRY(driver->kernel_get(t->device, t->code, 0, &t->add));
    SLIP_TRY(driver->stream_open(t->device, true, &t->stream));
    SLIP_TRY(driver->stream_open(t->device, false, &t->lane));
    SLIP_TRY(driver->event_new(t->device, &t->event));
    SLIP_TRY(driver->alloc(t->device, BYTES, STREAM_MEMORY_PINNED, &t->up));
    SLIP_TRY(driver->alloc(t->device, BYTES, STREAM_MEMORY_PINNED, &t->down));
    SLIP_TRY(driver->alloc(t->device, BYTES, STREAM_MEMORY_DEVICE, &t->x));
    return driver->alloc(t->device, BYTES, STREAM_MEMORY_DEVICE, &t->y);
}

static slip_status add(things *t, void *stream)
{
    add_params p = { 0, COUNT, 0, 0, COUNT, t->y.address, t->x.address };
    const uint32_t groups[3] = { (COUNT + 127) / 128, 1, 1 };

    return driver->launch(t->device, stream, &t->add, &p, sizeof p, groups, 128);
}

/* y = 0; y += x on the one stream, then on the other. */
static slip_status work(things *t)
{
    int32_t *up = (int32_t *)t->up.host;

    for (int32_t k = 0; k < COUNT; k++)
        up[k] = k;
    SLIP_TRY(driver->upload(t->device, t->stream, t->x.address, up, BYTES));
    SLIP_TRY(driver->zero(t->device, t->stream, t->y.address, BYTES));
    SLIP_TRY(add(t, t->stream));
    SLIP_TRY(driver->record(t->device, t->stream, t->event));
    SLIP_TRY(driver->stream_after(t->device, t->lane, t->event));
    SLIP_TRY(add(t, t->lane));
    SLIP_TRY(driver->download(t->device, t->lane, t->down.host, t->y.address, BYTES));
    return driver->stream_wait(t->device, t->lane);
}

/* Whatever is queued has ended first: the drivers' contract. */
static void drop(things *t)
{
    if (t->inside) {
        fail_clear();
        if ((t->stream && driver->stream_wait(t->device, t->stream) != SLIP_OK) ||
            (t->lane && driver->stream_wait(t->device, t->lane) != SLIP_OK))
            fail_clear();
        driver->free(t->device, &t->y);
        driver->free(t->device, &t->x);
        driver->free(t->device, &t->down);
        driver->free(t->device, &t->up);
        driver->event_drop(t->device, t->event);
        if (t->lane)
            driver->stream_close(t->device, t->lane);
        if (t->stream)
            driver->stream_close(t->device, t->stream);
        if (t->code)
            driver->code_drop(t->device, t->code);
        driver->leave(t->device, &t->guard);
    }
    if (t->device)
        driver->close(t->device);
}

static void work_is_done_in_order_whatever_the_schedule(void)
{
    static const char *const schedules[] = { "eager", "lazy", "random", "random", "random" };

    for (int k = 0; k < 5; k++) {
        things t = { 0 };
        begin(schedules[k], (uint64_t)k);
        uint32_t before = look.live();
        CHECK_STATUS(make(&t), SLIP_OK);
        CHECK_STATUS(work(&t), SLIP_OK);
        for (int32_t i = 0; i < COUNT; i++)
            CHECK_EQ_I64(((int32_t *)t.down.host)[i], 2 * i);
        drop(&t);
        look_reported(0, "");
        CHECK_EQ_U64(look.live(), before);
    }
}

/* Which of make's calls fails is a matter of counting: each is told of, and leaves nothing. */
static void nothing_is_left_whichever_call_fails(void)
{
    uint32_t failures = 0;

    for (uint64_t k = 1;; k++) {
        things t = { 0 };
        begin("random", k);
        uint32_t before = look.live();
        look.fail(NULL, k, 2);
        fail_clear();
        slip_status status = make(&t);
        if (status == SLIP_OK)
            status = work(&t);
        if (status == SLIP_OK && look.count(LOOK_CALLS) < k) {
            drop(&t);
            CHECK_EQ_U64(look.live(), before);
            break;
        }
        if (status != SLIP_OK) {
            CHECK_EQ_I64(fail_last()->code, status);
            CHECK(fail_last()->vendor_call[0] != '\0');
            failures++;
        }
        look.fail(NULL, 0, 0);
        drop(&t);
        look_reported(0, "");
        CHECK_EQ_U64(look.live(), before);
    }
    printf("%u calls failed, each told by name\n", failures);
    CHECK(failures >= 25);
}

static const check_case cases[] = {
    CASE(work_is_done_in_order_whatever_the_schedule),
    CASE(nothing_is_left_whichever_call_fails),
};
CHECK_MAIN(cases)
