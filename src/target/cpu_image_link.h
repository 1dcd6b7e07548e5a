/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_link.h - from a relocatable ELF object to a flat image (module/module.h, mod_code).
 */
#ifndef SLIPWAY_TARGET_CPU_IMAGE_LINK_H
#define SLIPWAY_TARGET_CPU_IMAGE_LINK_H

#include "base/mem.h"
#include "module/module.h"
#include "target/target.h"

/* The names of a task's entry points in the object, before the symbol's number. */
#define CPU_IMAGE_MAIN "slip.main."
#define CPU_IMAGE_FINISH "slip.finish."
#define CPU_IMAGE_IMPORTS "slip_imports"

typedef struct cpu_object {
    const uint8_t *bytes;
    size_t size;
} cpu_object;

/*
 * Fills in bytes, size, symbols and imports_offset of `code`, whose symbol_count says how many
 * tasks there are. Of several objects each resolves its own names: they have only the table of
 * imports in common.
 *
 * Errors   INTERNAL  an object is not one of row's architecture, has writable data, a relocation
 *                    or an undefined name that an image cannot have, or a task is in none, or in
 *                    two
 */
slip_status cpu_image_link(const target_row *row, const cpu_object *objects, uint32_t object_count,
                           mem_arena *arena, mod_code *code) SLIP_MUST_USE;

#endif
