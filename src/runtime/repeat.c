/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeat.c - keeps the arguments of calls.
 */
#include "runtime/repeat.h"

#include "base/fail.h"
#include "base/mem.h"

slip_status repeat_make(const launcher *family, const mod_entry *entry, repeats **out)
{
    size_t params = entry->param_count;
    repeats *made = NULL;

    *out = NULL;
    if (!family->perform_again)
        return SLIP_OK;
    size_t deciding_bytes = (params + 1) / 2 * (2 * sizeof(uint32_t)); /* values are aligned */
    SLIP_TRY(mem_new_aligned(sizeof *made + deciding_bytes +
                                 params * (2 * REPEAT_CALLS * sizeof(uint64_t) + sizeof(bool)),
                             MEM_LINE, (void **)&made));
    made->deciding = (uint32_t *)(made + 1);
    uint64_t *values = (uint64_t *)((uint8_t *)made->deciding + deciding_bytes);
    for (uint32_t c = 0; c < REPEAT_CALLS; c++) {
        made->calls[c].values = values + 2 * c * params;
        made->calls[c].given = made->calls[c].values + params;
    }
    made->decides = (bool *)(values + 2 * REPEAT_CALLS * params);
    if (!record_decides(entry, made->decides)) {
        mem_free_aligned(made);
        return SLIP_OK;
    }
    for (uint32_t p = 0; p < params; p++)
        if (made->decides[p])
            made->deciding[made->deciding_count++] = p;
    *out = made;
    return SLIP_OK;
}

void repeat_drop(repeats *r)
{
    if (!r)
        return;
    for (uint32_t c = 0; c < REPEAT_CALLS; c++)
        record_finish(&r->calls[c].record);
    mem_free_aligned(r);
}

static uint32_t more(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* For all of them, so that equal calls with other arrays take no memory either. Where there is none
 * now, the record that is made asks again. */
static void reserve(repeats *r)
{
    const launch_record *c = &r->counted;
    launch_record *have = &r->reserved;

    if (c->launch_count <= have->launch_count && c->patch_count <= have->patch_count &&
        c->used <= have->used)
        return;
    have->launch_count = more(c->launch_count, have->launch_count);
    have->patch_count = more(c->patch_count, have->patch_count);
    have->used = more(c->used, have->used);
    for (uint32_t k = 0; k < REPEAT_CALLS; k++)
        if (record_reserve(&r->calls[k].record, have) != SLIP_OK) {
            fail_clear();
            return;
        }
}

void repeat_keep(repeats *r, uint64_t generation, const uint64_t *args, const uint64_t *given)
{
    repeat_call *call = &r->calls[r->oldest];

    r->oldest = (r->oldest + 1) % REPEAT_CALLS;
    call->generation = generation;
    call->has_given = given != NULL;
    call->record.state = RECORD_EMPTY;
    call->record.refused = r->counted.refused;
    if (!r->counted.refused)
        reserve(r);
    for (uint32_t k = 0; k < r->deciding_count; k++) {
        call->values[k] = args[r->deciding[k]];
        call->given[k] = given ? given[r->deciding[k]] : 0;
    }
}
