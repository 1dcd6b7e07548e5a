/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_reloc_test.c - relocations against encodings worked out by hand from the two ELF
 * supplements.
 */
#include "target/cpu_image_reloc.h"

#include <elf.h>
#include <string.h>

#include "support/check.h"

typedef struct known {
    target_arch arch;
    uint32_t type;
    uint64_t target, place;
    uint32_t before, after; /* the first four bytes */
} known;

static void fields_hold_what_the_supplements_say(void)
{
    static const known rows[] = {
        { TARGET_X86_64, R_X86_64_PC32, 0x1000 - 4, 0x10, 0, 0xfec },
        { TARGET_X86_64, R_X86_64_PLT32, 0x10, 0x1000, 0, 0xfffff010 },
        { TARGET_AARCH64, R_AARCH64_PREL32, 0x40, 0x100, 0, 0xffffff40 },
        /* adrp x0, 2 pages on: immlo 2, immhi 0 */
        { TARGET_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 0x2abc, 0xff0, 0x90000000, 0xd0000000 },
        /* adrp x1, one page back: all ones */
        { TARGET_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 0x10, 0x1004, 0x90000001, 0xf0ffffe1 },
        { TARGET_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, 0x2abc, 0, 0x91000000, 0x912af000 },
        { TARGET_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, 0x10008, 0, 0xf9400000, 0xf9400400 },
        { TARGET_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, 0x2020, 0, 0x3dc00000, 0x3dc00800 },
        { TARGET_AARCH64, R_AARCH64_CALL26, 0x20, 0x10, 0x94000000, 0x94000004 },
        { TARGET_AARCH64, R_AARCH64_JUMP26, 0x10, 0x20, 0x14000000, 0x17fffffc },
        { TARGET_AARCH64, R_AARCH64_CONDBR19, 0x40, 0x20, 0x54000000, 0x54000100 },
        { TARGET_AARCH64, R_AARCH64_TSTBR14, 0x40, 0x20, 0x36000000, 0x36000100 },
        { TARGET_AARCH64, R_AARCH64_ADR_PREL_LO21, 0x23, 0x20, 0x10000000, 0x70000000 },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint8_t bytes[8] = { 0 };
        uint32_t got;
        cpu_image_reloc r = { rows[k].type, rows[k].target, rows[k].place, bytes, 8 };
        memcpy(bytes, &rows[k].before, 4);
        CHECK_STATUS(cpu_image_relocate(rows[k].arch, &r), SLIP_OK);
        memcpy(&got, bytes, 4);
        CHECK_EQ_U64(got, rows[k].after);
    }
}

static void a_wide_field_takes_all_bits_and_needs_the_room(void)
{
    uint8_t bytes[8] = { 0 };
    int64_t got;
    cpu_image_reloc r = { R_X86_64_PC64, 0x10, 0x30, bytes, 8 };

    CHECK_STATUS(cpu_image_relocate(TARGET_X86_64, &r), SLIP_OK);
    memcpy(&got, bytes, 8);
    CHECK_EQ_I64(got, -0x20);
    r.room = 4;
    CHECK_STATUS(cpu_image_relocate(TARGET_X86_64, &r), SLIP_ERR_INTERNAL);
}

static void addresses_unknown_types_and_long_ways_are_refused(void)
{
    uint8_t bytes[8] = { 0 };
    cpu_image_reloc r = { R_X86_64_64, 0, 0, bytes, 8 };

    CHECK_STATUS(cpu_image_relocate(TARGET_X86_64, &r), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "relocation 1 at 0");
    r.type = R_X86_64_GOTPCREL;
    CHECK_STATUS(cpu_image_relocate(TARGET_X86_64, &r), SLIP_ERR_INTERNAL);
    r.type = R_AARCH64_ABS64;
    CHECK_STATUS(cpu_image_relocate(TARGET_AARCH64, &r), SLIP_ERR_INTERNAL);
    r = (cpu_image_reloc){ R_X86_64_PC32, (uint64_t)1 << 32, 0, bytes, 8 };
    CHECK_STATUS(cpu_image_relocate(TARGET_X86_64, &r), SLIP_ERR_INTERNAL);
    r = (cpu_image_reloc){ R_AARCH64_CALL26, (uint64_t)1 << 27, 0, bytes, 8 };
    CHECK_STATUS(cpu_image_relocate(TARGET_AARCH64, &r), SLIP_ERR_INTERNAL);
    r = (cpu_image_reloc){ R_AARCH64_CALL26, 6, 0, bytes, 8 }; /* between instructions */
    CHECK_STATUS(cpu_image_relocate(TARGET_AARCH64, &r), SLIP_ERR_INTERNAL);
    r = (cpu_image_reloc){ R_AARCH64_LDST64_ABS_LO12_NC, 0x1004, 0, bytes, 8 };
    CHECK_STATUS(cpu_image_relocate(TARGET_AARCH64, &r), SLIP_ERR_INTERNAL);
}

static const check_case cases[] = {
    CASE(fields_hold_what_the_supplements_say),
    CASE(a_wide_field_takes_all_bits_and_needs_the_room),
    CASE(addresses_unknown_types_and_long_ways_are_refused),
};
CHECK_MAIN(cases)
