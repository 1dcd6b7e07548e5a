/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - the memory that a look-alike gives out. Each allocation is pages of its own between
 * pages that nobody may touch, ends as near to the upper ones as its alignment allows, and begins
 * as poison. Addresses are not given out again.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake/stream/core.h"

/* Of device memory: CUDA C++ Programming Guide, "Device Memory Accesses", gives 256 bytes. */
enum { ALIGN = 256, POISON = 0xdb };
#define MOST_POISON ((uint64_t)64 << 20) /* the rest of an allocation begins as zeros */

size_t memory_page(void)
{
    static size_t known;

    if (known == 0)
        known = (size_t)sysconf(_SC_PAGESIZE);
    return known;
}

static uint64_t round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

static void insert(fake_range *r)
{
    fake_range **at = &fake.ranges;

    while (*at && (*at)->at < r->at)
        at = &(*at)->next;
    r->next = *at;
    *at = r;
}

bool memory_holds(const fake_range *r, uint64_t address, uint64_t bytes)
{
    uint64_t base = address - r->at < r->bytes ? r->at : r->device;

    return address >= base && bytes <= r->bytes && address - base <= r->bytes - bytes;
}

fake_range *memory_find(uint64_t address)
{
    for (fake_range *r = fake.ranges; r; r = r->next)
        if (address - r->at < r->bytes || address - r->device < r->bytes)
            return r;
    return NULL;
}

/* Pinned pages have a second address, for operations: the host's own may be closed to it. It is
 * also where tasks find them, where host and device are not promised one address. */
static bool see_twice(fake_range *r)
{
    size_t inside = r->page_bytes - 2 * memory_page();

    r->view = mremap(r->pages, 0, r->page_bytes, MREMAP_MAYMOVE);
    if (r->view == MAP_FAILED)
        return false;
    mprotect(r->view + memory_page(), inside, PROT_READ | PROT_WRITE);
    r->page_rights = fake_zeroed(inside / memory_page());
    memset(r->page_rights, PROT_READ | PROT_WRITE, inside / memory_page());
    if (!fake_vendor_row.host_is_device)
        r->device = r->at - (uint64_t)(uintptr_t)r->pages + (uint64_t)(uintptr_t)r->view;
    return true;
}

uint8_t *memory_seen(uint64_t address)
{
    const fake_range *r = memory_find(address);

    if (r && r->view && address - r->at < r->bytes)
        return r->view + (address - (uint64_t)(uintptr_t)r->pages);
    return (uint8_t *)(uintptr_t)address;
}

fake_range *memory_make(fake_kind kind, uint64_t bytes)
{
    uint64_t inside = round_up(bytes, memory_page());
    fake_range *made = fake_zeroed(sizeof *made);

    if (bytes > (uint64_t)1 << 40 || fake.memory_used + bytes > fake.memory_limit)
        goto fail;
    made->page_bytes = inside + 2 * memory_page();
    made->pages =
        mmap(NULL, made->page_bytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made->pages == MAP_FAILED)
        goto fail;
    made->kind = kind;
    made->bytes = bytes;
    made->at = made->device =
        (uint64_t)(uintptr_t)made->pages + memory_page() + inside - round_up(bytes, ALIGN);
    if (kind == FAKE_PINNED && !see_twice(made))
        goto fail;
    memory_rights(made, PROT_READ | PROT_WRITE);
    memset((void *)(uintptr_t)made->at, POISON, bytes < MOST_POISON ? bytes : MOST_POISON);
    if (kind == FAKE_DEVICE)
        memory_rights(made, PROT_NONE);
    insert(made);
    fake.memory_used += bytes;
    return made;

fail:
    free(made);
    return NULL;
}

fake_range *memory_enlist(void *host, uint64_t bytes)
{
    uint64_t at = (uint64_t)(uintptr_t)host;

    for (fake_range *r = fake.ranges; r; r = r->next)
        if (at < r->at + r->bytes && r->at < at + bytes)
            return NULL;
    fake_range *made = fake_zeroed(sizeof *made);
    *made = (fake_range){ .kind = FAKE_REGISTERED, .at = at, .device = at, .bytes = bytes };
    insert(made);
    return made;
}

static void forget(uint8_t *pages, size_t bytes)
{
    mmap(pages, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* The pages stay, out of reach, so that no other allocation gets their addresses; their contents
 * go back to the system. */
void memory_drop(fake_range *r)
{
    fake_range **at = &fake.ranges;

    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    race_forget(r);
    if (r->pages) {
        fake.memory_used -= r->bytes;
        forget(r->pages, r->page_bytes);
        if (r->view)
            forget(r->view, r->page_bytes);
    }
    free(r->page_rights);
    free(r->pieces);
    free(r->starts);
    free(r);
}

void memory_rights(fake_range *r, int rights)
{
    if (!r->pages || r->rights == rights)
        return;
    mprotect(r->pages + memory_page(), r->page_bytes - 2 * memory_page(), rights);
    r->rights = rights;
}

/* ---- parts ---- */

void memory_own(void *owner, uint64_t at, uint64_t bytes)
{
    fake_range *r = memory_find(at);
    uint32_t kept = 0, lane = 0;

    if (!r || !memory_holds(r, at, bytes)) {
        fake_report("slipfake_own names %llu bytes at 0x%llx, which are of no allocation",
                    (unsigned long long)bytes, (unsigned long long)at);
        return;
    }
    for (uint32_t k = 0; k < r->piece_count; k++)
        if (r->pieces[k].end <= at || at + bytes <= r->pieces[k].at)
            r->pieces[kept++] = r->pieces[k];
    r->piece_count = kept;
    r->pieces = fake_grown(r->pieces, &r->piece_room, kept + 1, sizeof *r->pieces);
    r->pieces[r->piece_count++] = (fake_piece){ at, at + bytes, owner };
    if (!owner || !context_lane(owner, &lane))
        return;
    /* Taking memory is a write of poison, in order with the lane's work. */
    fake_op *op = op_new(FAKE_FILL, "taking memory for a lane");
    op->to = (uint8_t *)(uintptr_t)at;
    op->bytes = bytes;
    op->value = POISON;
    op->ours = true;
    op_access(op, at, at + bytes, FAKE_WRITES);
    queue_add(lane, op, NULL);
}

/* ---- how far an address reaches ---- */

void memory_note_start(fake_range *r, uint64_t address)
{
    uint32_t k = 0;

    while (k < r->start_count && r->starts[k] < address)
        k++;
    if (k < r->start_count && r->starts[k] == address)
        return;
    r->starts = fake_grown(r->starts, &r->start_room, r->start_count + 1, sizeof *r->starts);
    memmove(r->starts + k + 1, r->starts + k, (r->start_count - k) * sizeof *r->starts);
    r->starts[k] = address;
    r->start_count++;
}

uint64_t memory_reach(const fake_range *r, uint64_t address)
{
    uint64_t end = (address - r->at < r->bytes ? r->at : r->device) + r->bytes;

    for (uint32_t k = 0; k < r->piece_count; k++)
        if (address >= r->pieces[k].at && address < r->pieces[k].end)
            return r->pieces[k].end;
    for (uint32_t k = 0; k < r->start_count; k++)
        if (r->starts[k] > address)
            return r->starts[k] < end ? r->starts[k] : end;
    return end;
}

uint32_t memory_live(fake_kind kind)
{
    uint32_t count = 0;

    for (const fake_range *r = fake.ranges; r; r = r->next)
        count += r->kind == kind;
    return count;
}

const char *memory_describe(uint64_t address, char room[160])
{
    static const char *const kinds[] = { "device memory", "pinned memory", "registered memory" };
    const fake_range *near = NULL;

    for (const fake_range *r = fake.ranges; r; r = r->next) {
        uint64_t pages = (uint64_t)(uintptr_t)r->pages;
        if (address - r->at < r->bytes || (r->pages && address - pages < r->page_bytes))
            near = r;
    }
    if (near)
        snprintf(room, 160, "byte %lld of %llu bytes of %s at 0x%llx",
                 (long long)(address - near->at), (unsigned long long)near->bytes,
                 kinds[near->kind], (unsigned long long)near->at);
    else
        snprintf(room, 160, "0x%llx, which was not given out", (unsigned long long)address);
    return room;
}
