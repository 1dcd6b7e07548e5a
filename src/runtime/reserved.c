/* SPDX-License-Identifier: Apache-2.0 */
/* reserved.c - see reserved.h. */
#define _GNU_SOURCE
#include "runtime/reserved.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"

enum { FORMER = 64 };

typedef struct former_range {
    uintptr_t start;
    size_t bytes;
} former_range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static reserved_range *list;
static former_range former[FORMER]; /* a ring: the oldest is overwritten */
static uint32_t former_next;
static atomic_bool any; /* were there ever some? */

static bool holds(uintptr_t start, size_t bytes, const void *address)
{
    return (uintptr_t)address - start < bytes;
}

/* Pages nobody may touch cost no memory. Two such ranges would touch, so that the address one past
 * the end of one were the other's: hence the page between. */
slip_status reserved_make(const slip_device *device, uint64_t bytes, reserved_range *out)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t room = ((bytes ? bytes : 1) + page - 1) / page * page + page;
    void *start = MAP_FAILED;

    if (room <= SIZE_MAX / 2)
        start =
            mmap(NULL, (size_t)room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    else
        errno = ENOMEM;
    if (start == MAP_FAILED)
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "this process has no %" PRIu64
                         " addresses left to stand for device memory: %s",
                         room, strerror(errno));
    *out = (reserved_range){ .device = device, .start = start, .bytes = (size_t)room };
    pthread_mutex_lock(&lock);
    out->next = list;
    if (list)
        list->previous = out;
    list = out;
    atomic_store_explicit(&any, true, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    return SLIP_OK;
}

void reserved_drop(reserved_range *range)
{
    if (!range->start)
        return;
    pthread_mutex_lock(&lock);
    if (range->previous)
        range->previous->next = range->next;
    else
        list = range->next;
    if (range->next)
        range->next->previous = range->previous;
    former[former_next++ % FORMER] = (former_range){ (uintptr_t)range->start, range->bytes };
    munmap(range->start, range->bytes);
    pthread_mutex_unlock(&lock);
    range->start = NULL;
}

/* msync refuses pages that are not mapped (POSIX: ENOMEM). */
static bool is_mapped(const void *address)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    return msync((void *)((uintptr_t)address / page * page), page, MS_ASYNC) == 0 ||
           errno != ENOMEM;
}

reserved_kind reserved_at(const void *address, const slip_device **out_device)
{
    reserved_kind kind = RESERVED_NOT;

    if (!atomic_load_explicit(&any, memory_order_relaxed))
        return RESERVED_NOT;
    pthread_mutex_lock(&lock);
    for (const reserved_range *r = list; r && kind == RESERVED_NOT; r = r->next)
        if (holds((uintptr_t)r->start, r->bytes, address)) {
            *out_device = r->device;
            kind = RESERVED_BY;
        }
    for (uint32_t k = 0; k < FORMER && kind == RESERVED_NOT; k++)
        if (holds(former[k].start, former[k].bytes, address) && !is_mapped(address))
            kind = RESERVED_ONCE;
    pthread_mutex_unlock(&lock);
    return kind;
}

void reserved_before_fork(void)
{
    pthread_mutex_lock(&lock);
}

void reserved_after_fork(void)
{
    pthread_mutex_unlock(&lock);
}
