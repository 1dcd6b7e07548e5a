/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rest.c - takes, fills and gives back what is left of calls. A repeated call allocates nothing:
 * the list of copies is kept.
 */
#define _GNU_SOURCE
#include "launch/rest.h"

#include <string.h>
#include <time.h>

#include "base/mem.h"

rest_call *rest_take(rest_calls *r, uint64_t number)
{
    for (uint32_t k = 0; k < REST_CALLS; k++) {
        rest_call *c = &r->all[k];
        if (atomic_load_explicit(&c->number, memory_order_acquire) != 0)
            continue;
        if (k >= r->used)
            r->used = k + 1;
        c->copy_count = 0;
        atomic_store_explicit(&c->number, number, memory_order_relaxed);
        return c;
    }
    return NULL;
}

slip_status rest_add(rest_call *c, const rest_copy *copy)
{
    SLIP_TRY(
        mem_grow((void **)&c->copies, &c->copy_capacity, c->copy_count + 1, sizeof *c->copies));
    c->copies[c->copy_count++] = *copy;
    return SLIP_OK;
}

slip_status rest_or_copy(rest_call *c, void *to, const void *from, uint64_t bytes)
{
    if (c)
        return rest_add(c, &(rest_copy){ .to = to, .from = from, .bytes = bytes });
    memcpy(to, from, bytes);
    return SLIP_OK;
}

void rest_copy_out(const rest_call *c)
{
    for (size_t k = 0; k < c->copy_count; k++)
        if (c->copies[k].from)
            memcpy(c->copies[k].to, c->copies[k].from, c->copies[k].bytes);
}

void rest_give(rest_call *c)
{
    atomic_store_explicit(&c->number, 0, memory_order_release);
}

void rest_await(const rest_calls *r, uint64_t number)
{
    struct timespec pause = { 0, 20000 };

    for (uint64_t oldest; (oldest = rest_oldest(r)) <= number && oldest != UINT64_MAX;)
        nanosleep(&pause, NULL);
}

void rest_finish(rest_calls *r)
{
    for (uint32_t k = 0; k < r->used; k++) {
        mem_free(r->all[k].copies);
        r->all[k] = (rest_call){ 0 };
    }
    r->used = 0;
}
