/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.c - sees the host touch pinned memory that queued work uses: such pages are closed to the
 * host until it has waited, and the fault says who was early.
 *
 * A page may hold slots that nothing uses: a touch of one of them opens the page until the next
 * call, and is no race.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake/stream/core.h"
#include "fake/stream/lock.h"

enum { ALL = PROT_READ | PROT_WRITE };

static uint8_t *inside(const fake_range *r)
{
    return r->pages + memory_page();
}

static size_t page_count(const fake_range *r)
{
    return r->page_bytes / memory_page() - 2;
}

static void apply(fake_range *r, const uint8_t *want)
{
    size_t pages = page_count(r);

    for (size_t first = 0, end; first < pages; first = end) {
        for (end = first + 1; end < pages && want[end] == want[first]; end++)
            ;
        if (memcmp(r->page_rights + first, want + first, end - first) != 0)
            mprotect(inside(r) + first * memory_page(), (end - first) * memory_page(), want[first]);
        memcpy(r->page_rights + first, want + first, end - first);
    }
}

void guard_update(void)
{
    if (!fake.guards_stale)
        return;
    fake.guards_stale = false;
    for (fake_range *r = fake.ranges; r; r = r->next) {
        if (r->kind != FAKE_PINNED)
            continue;
        uint8_t *want = fake_zeroed(page_count(r));
        memset(want, ALL, page_count(r));
        race_rights(r, want, page_count(r));
        apply(r, want);
        free(want);
    }
}

static void open_pages(fake_range *r, size_t first, size_t count)
{
    mprotect(inside(r) + first * memory_page(), count * memory_page(), ALL);
    memset(r->page_rights + first, ALL, count);
    fake.guards_stale = true;
}

void guard_open(fake_range *r)
{
    open_pages(r, 0, page_count(r));
}

/* In a signal handler, of a thread that may be in an entry point. */
bool guard_touched(uint64_t address, bool writes)
{
    bool locked = !fake_inside;

    if (locked)
        fake_lock();
    fake_range *r = memory_find(address);
    bool known = r && r->kind == FAKE_PINNED && address - r->at < r->bytes;
    if (known) {
        size_t at = (size_t)(address - (uint64_t)(uintptr_t)inside(r)) / memory_page();
        fake_access touch = { address, address + 1, FAKE_READS, r };
        if (writes || r->page_rights[at] == PROT_READ)
            touch.flags = FAKE_WRITES;
        if (locked)
            race_host("touching it", &touch);
        open_pages(r, at, 1);
    }
    if (locked)
        fake_unlock();
    return known;
}
