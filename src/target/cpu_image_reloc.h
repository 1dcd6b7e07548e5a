/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_reloc.h - one relocation inside an image whose address is not known.
 */
#ifndef SLIPWAY_TARGET_CPU_IMAGE_RELOC_H
#define SLIPWAY_TARGET_CPU_IMAGE_RELOC_H

#include "target/target.h"

typedef struct cpu_image_reloc {
    uint32_t type;   /* of the architecture's ELF supplement */
    uint64_t target; /* symbol and addend, as an offset in the image (or its table of imports) */
    uint64_t place;  /* likewise, of the bytes to change */
    uint8_t *bytes;  /* at place */
    uint64_t room;   /* bytes there; at least 4 */
} cpu_image_reloc;

/* INTERNAL where the type needs the image's address or is not known, or the distance does not fit.
 */
slip_status cpu_image_relocate(target_arch arch, const cpu_image_reloc *r) SLIP_MUST_USE;

#endif
