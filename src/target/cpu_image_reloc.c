/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_reloc.c - the relative relocations of x86-64 and AArch64, one row each.
 *
 * The image starts at a multiple of 4096 bytes, so page distances and the low twelve bits follow
 * from offsets alone. Types that hold an absolute address have no row: they are refused.
 */
#include "target/cpu_image_reloc.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"

/* How the value gets into the bytes. */
typedef enum field_kind {
    FIELD_WORD32, /* 32 bits, signed */
    FIELD_WORD64,
    FIELD_WORD16,
    FIELD_BRANCH26, /* instruction fields, counted in instructions */
    FIELD_BRANCH19,
    FIELD_BRANCH14,
    FIELD_ADR,  /* 21 bits, split */
    FIELD_LOW12 /* of the address, scaled by an access size */
} field_kind;

typedef enum value_kind {
    VALUE_DISTANCE, /* target - place */
    VALUE_PAGES,    /* page of target - page of place */
    VALUE_LOW       /* target within its page */
} value_kind;

typedef struct reloc_row {
    target_arch arch;
    uint32_t type;
    value_kind value;
    field_kind field;
    uint8_t shift; /* low bits that are not stored and must be 0 */
} reloc_row;

static const reloc_row rows[] = {
    { TARGET_X86_64, R_X86_64_PC32, VALUE_DISTANCE, FIELD_WORD32, 0 },
    { TARGET_X86_64, R_X86_64_PLT32, VALUE_DISTANCE, FIELD_WORD32, 0 },
    { TARGET_X86_64, R_X86_64_PC64, VALUE_DISTANCE, FIELD_WORD64, 0 },
    { TARGET_AARCH64, R_AARCH64_PREL64, VALUE_DISTANCE, FIELD_WORD64, 0 },
    { TARGET_AARCH64, R_AARCH64_PREL32, VALUE_DISTANCE, FIELD_WORD32, 0 },
    { TARGET_AARCH64, R_AARCH64_PREL16, VALUE_DISTANCE, FIELD_WORD16, 0 },
    { TARGET_AARCH64, R_AARCH64_LD_PREL_LO19, VALUE_DISTANCE, FIELD_BRANCH19, 2 },
    { TARGET_AARCH64, R_AARCH64_ADR_PREL_LO21, VALUE_DISTANCE, FIELD_ADR, 0 },
    { TARGET_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, VALUE_PAGES, FIELD_ADR, 0 },
    { TARGET_AARCH64, R_AARCH64_ADR_PREL_PG_HI21_NC, VALUE_PAGES, FIELD_ADR, 0 },
    { TARGET_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, VALUE_LOW, FIELD_LOW12, 0 },
    { TARGET_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, VALUE_LOW, FIELD_LOW12, 0 },
    { TARGET_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, VALUE_LOW, FIELD_LOW12, 1 },
    { TARGET_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, VALUE_LOW, FIELD_LOW12, 2 },
    { TARGET_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, VALUE_LOW, FIELD_LOW12, 3 },
    { TARGET_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, VALUE_LOW, FIELD_LOW12, 4 },
    { TARGET_AARCH64, R_AARCH64_TSTBR14, VALUE_DISTANCE, FIELD_BRANCH14, 2 },
    { TARGET_AARCH64, R_AARCH64_CONDBR19, VALUE_DISTANCE, FIELD_BRANCH19, 2 },
    { TARGET_AARCH64, R_AARCH64_JUMP26, VALUE_DISTANCE, FIELD_BRANCH26, 2 },
    { TARGET_AARCH64, R_AARCH64_CALL26, VALUE_DISTANCE, FIELD_BRANCH26, 2 },
};

static int64_t value_of(value_kind kind, const cpu_image_reloc *r)
{
    switch (kind) {
    case VALUE_DISTANCE:
        return (int64_t)(r->target - r->place);
    case VALUE_PAGES:
        return (int64_t)((r->target >> 12) - (r->place >> 12));
    case VALUE_LOW:
        return (int64_t)(r->target & 0xfff);
    }
    return 0;
}

static bool fits(int64_t value, uint32_t bits)
{
    int64_t limit = (int64_t)1 << (bits - 1);

    return value >= -limit && value < limit;
}

/* Puts `bits` bits of value at bit `at` of the instruction. */
static void put(uint8_t *bytes, uint64_t value, uint32_t at, uint32_t bits)
{
    uint32_t word, mask = (uint32_t)(((uint64_t)1 << bits) - 1) << at;

    memcpy(&word, bytes, 4);
    word = (word & ~mask) | ((uint32_t)(value << at) & mask);
    memcpy(bytes, &word, 4);
}

/* False where the value does not fit. */
static bool store(field_kind kind, int64_t value, const cpu_image_reloc *r)
{
    uint64_t bits = (uint64_t)value;

    switch (kind) {
    case FIELD_WORD16:
        if (!fits(value, 16))
            return false;
        memcpy(r->bytes, &bits, 2);
        return true;
    case FIELD_WORD32:
        if (!fits(value, 32))
            return false;
        memcpy(r->bytes, &bits, 4);
        return true;
    case FIELD_WORD64:
        if (r->room < 8)
            return false;
        memcpy(r->bytes, &bits, 8);
        return true;
    case FIELD_BRANCH26:
        put(r->bytes, bits, 0, 26);
        return fits(value, 26);
    case FIELD_BRANCH19:
        put(r->bytes, bits, 5, 19);
        return fits(value, 19);
    case FIELD_BRANCH14:
        put(r->bytes, bits, 5, 14);
        return fits(value, 14);
    case FIELD_ADR:
        put(r->bytes, bits & 3, 29, 2);
        put(r->bytes, bits >> 2, 5, 19);
        return fits(value, 21);
    case FIELD_LOW12:
        put(r->bytes, bits, 10, 12);
        return true;
    }
    return false;
}

slip_status cpu_image_relocate(target_arch arch, const cpu_image_reloc *r)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].arch != arch || rows[k].type != r->type)
            continue;
        int64_t value = value_of(rows[k].value, r);
        int64_t unit = (int64_t)1 << rows[k].shift;
        if (value % unit != 0 || !store(rows[k].field, value / unit, r))
            return SLIP_FAIL(SLIP_ERR_INTERNAL, "relocation %u at %" PRIu64 " cannot hold %" PRId64,
                             r->type, r->place, value);
        return SLIP_OK;
    }
    return SLIP_FAIL(SLIP_ERR_INTERNAL,
                     "relocation %u at %" PRIu64 " has no place in an image without an address",
                     r->type, r->place);
}
