/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_code.h - LLVM's part: text in, passes run, an object or a text out.
 */
#ifndef SLIPWAY_TARGET_LLVM_CODE_H
#define SLIPWAY_TARGET_LLVM_CODE_H

#include "base/text.h"
#include "target/target.h"

typedef struct llvm_object {
    const uint8_t *bytes;
    size_t size;
    void *buffer; /* LLVM's */
} llvm_object;

/* `source` is LLVM's textual IR; of PTX the object is its text. Each call has a context of its own: any thread. */
slip_status llvm_code_object(const target_row *row, const target_options *options,
                             const text *source, llvm_object *out) SLIP_MUST_USE;
void llvm_object_free(llvm_object *object); /* takes a zeroed one */
/* A file's bytes. NOT_FOUND, and no failure record: the caller says what it was. */
slip_status llvm_object_read(const char *path, llvm_object *out) SLIP_MUST_USE;

/*
 * The same in two steps, where several levels share a text (llvm_print): its simplification, once,
 * as bitcode, and from that the object of each level. `row` is any of them, the outcome is the
 * same. Only where llvm_code_halves.
 */
slip_status llvm_code_simplify(const target_row *row, const target_options *options,
                               const text *source, llvm_object *out) SLIP_MUST_USE;
slip_status llvm_code_level(const target_row *row, const target_options *options,
                            const llvm_object *simplified, llvm_object *out) SLIP_MUST_USE;

/* Are these two steps what makes the code? Else llvm_code_object alone does. */
bool llvm_code_halves(const target_row *row, const target_options *options);

/* llvm_pipeline.c: the two steps' passes, as LLVM spells them. */
extern const char llvm_simplify[], llvm_optimize[], llvm_optimize_briefly[];

/* Assembly, or the optimised IR, appended to out. */
slip_status llvm_code_text(const target_row *row, const target_options *options, const text *source,
                           bool assembly, text *out) SLIP_MUST_USE;

#endif
