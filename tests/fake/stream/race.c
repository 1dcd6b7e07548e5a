/* SPDX-License-Identifier: Apache-2.0 */
/*
 * race.c - finds pairs of operations that touch common bytes, of which one writes, and that nothing
 * orders. By clocks alone: what is found does not depend on when things happened to run.
 *
 * Of each lane the last operation for a range and kind of access is kept, until the host knows that
 * it has ended: whatever comes later then comes after it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake/stream/core.h"

typedef struct record {
    fake_access access;
    uint32_t lane;
    uint64_t number;
    bool ours;
    char name[64];
} record;

static record *records;
static uint32_t record_count, record_room;

static uint64_t end_of(const fake_access *a)
{
    if (a->end)
        return a->end;
    return a->range ? memory_reach(a->range, a->at) : a->at + 1;
}

/* One address for the bytes, where host and device have two. */
static uint64_t place(const fake_access *a, uint64_t address)
{
    const fake_range *r = a->range;

    if (r && r->device != r->at && address - r->device <= r->bytes)
        return address - r->device + r->at;
    return address;
}

static bool conflict(const fake_access *a, const fake_access *b)
{
    return ((a->flags | b->flags) & FAKE_WRITES) && place(a, a->at) < place(b, end_of(b)) &&
           place(b, b->at) < place(a, end_of(a));
}

static const char *lane_name(uint32_t lane, char room[32])
{
    const fake_lane *l = &fake.lanes[lane];

    if (l->context && l->context->lane == lane)
        return "the default stream";
    snprintf(room, 32, "stream %u%s", lane, l->blocking ? " (blocking)" : "");
    return room;
}

static const char *verb(uint32_t flags)
{
    return flags & FAKE_WRITES ? "writes" : "reads";
}

static void drop_known(void)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < record_count; k++)
        if (clock_at(fake.host, records[k].lane) < records[k].number)
            records[kept++] = records[k];
    record_count = kept;
}

static void add(const fake_op *op, const fake_access *a)
{
    fake.guards_stale = true;
    for (uint32_t k = 0; k < record_count; k++) {
        record *r = &records[k];
        if (r->lane == op->lane && r->access.at == a->at && r->access.end == a->end &&
            r->access.flags == a->flags) {
            r->number = op->number;
            r->ours = op->ours;
            memcpy(r->name, op->name, sizeof r->name);
            return;
        }
    }
    records = fake_grown(records, &record_room, record_count + 1, sizeof *records);
    record *r = &records[record_count++];
    *r = (record){ .access = *a, .lane = op->lane, .number = op->number, .ours = op->ours };
    memcpy(r->name, op->name, sizeof r->name);
}

static bool is_pending(const record *r)
{
    return fake.lanes[r->lane].done < r->number;
}

bool race_queue(const fake_op *op, uint32_t *out_lane, uint64_t *out_number)
{
    char first[32], second[32], where[160];
    bool found = false;

    drop_known();
    for (uint32_t a = 0; a < op->access_count; a++)
        for (uint32_t k = 0; k < record_count; k++) {
            const record *r = &records[k];
            if (clock_at(op->clock, r->lane) >= r->number ||
                !conflict(&r->access, &op->accesses[a]))
                continue;
            fake.counts[FAKE_COUNT_RACES]++;
            fake_report("race: %s on %s %s what %s on %s %s, and nothing orders them: %s", op->name,
                        lane_name(op->lane, second), verb(op->accesses[a].flags), r->name,
                        lane_name(r->lane, first), verb(r->access.flags),
                        memory_describe(op->accesses[a].at, where));
            if (!is_pending(r) || found)
                continue;
            found = true;
            *out_lane = r->lane;
            *out_number = r->number;
        }
    for (uint32_t a = 0; a < op->access_count; a++)
        add(op, &op->accesses[a]);
    return found;
}

bool race_host(const char *what, const fake_access *access)
{
    char lane[32], where[160];
    bool found = false;

    drop_known();
    for (uint32_t k = 0; k < record_count; k++) {
        const record *r = &records[k];
        if (r->ours || !conflict(&r->access, access))
            continue;
        fake.counts[FAKE_COUNT_RACES]++;
        fake_report("race: the host (%s) %s what %s on %s %s, and has not waited for it: %s", what,
                    verb(access->flags), r->name, lane_name(r->lane, lane), verb(r->access.flags),
                    memory_describe(access->at, where));
        fake.counts[FAKE_COUNT_INVERTED] += is_pending(r);
        found = true;
    }
    return found;
}

/* Another allocation may lie there one day. */
void race_forget(const fake_range *range)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < record_count; k++)
        if (records[k].access.range != range)
            records[kept++] = records[k];
    record_count = kept;
}

void race_rights(const fake_range *range, uint8_t *rights, size_t pages)
{
    uint64_t base = (uint64_t)(uintptr_t)range->pages + memory_page();

    drop_known();
    for (uint32_t k = 0; k < record_count; k++) {
        const fake_access *a = &records[k].access;
        if (a->range != range)
            continue;
        uint8_t most = a->flags & FAKE_WRITES ? PROT_NONE : PROT_READ;
        size_t first = (size_t)((place(a, a->at) - base) / memory_page());
        size_t last = (size_t)((place(a, end_of(a)) - 1 - base) / memory_page());
        for (size_t p = first; p <= last && p < pages; p++)
            rights[p] = rights[p] < most ? rights[p] : most;
    }
}
