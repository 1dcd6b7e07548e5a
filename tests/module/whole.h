/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole.h - a module made by hand in which every structure, kind and field occurs, free to be
 * changed by a test.
 *
 * It passes mod_check as made. Its code is never run.
 */
#ifndef SLIPWAY_TESTS_WHOLE_H
#define SLIPWAY_TESTS_WHOLE_H

#include "base/text.h"
#include "module/module.h"

enum { WHOLE_CODE_BYTES = 40, WHOLE_DATA_BYTES = 12, WHOLE_SHADER_BYTES = 4 * 20 + 16 };
enum { WHOLE_TEXT_BYTES = 8 };

/* The parts by name. Entry 0 is `all`, entry 1 is `small`: one serial task of no arguments. */
typedef struct whole {
    mod_module m;
    mod_entry entries[2];
    mod_param params[5]; /* n, p, x, q, y */
    mod_instr instrs[6]; /* convert, member; data, move, lt, select */
    mod_node nodes[21];  /* see whole.c */
    mod_const consts[2];
    mod_scratch scratch[2];
    mod_variable variables[3];
    mod_task tasks[3]; /* of 2 axes; with reductions; serial with a predicate */
    mod_arg args[5];
    mod_reduce reduces[2];
    mod_access accesses[3];
    mod_apart aparts[2];
    mod_node small_nodes[1];
    mod_task small_tasks[1];
    mod_code codes[4];        /* two of CPUs, spirv, ptx */
    mod_symbol symbols[3][4]; /* spirv and ptx have the same */
    mod_shader shaders[5];    /* strided; main and finish; serial; left out */
    mod_shader kernels[5];    /* the same, of ptx */
    const char *imports[2], *files[2];
    uint8_t data[WHOLE_DATA_BYTES], code[2][WHOLE_CODE_BYTES], words[WHOLE_SHADER_BYTES];
    uint8_t ptx[WHOLE_TEXT_BYTES];
} whole;

void whole_make(whole *w);

/* The bytes of its file: text_finish gives them back. Ends the case where writing fails. */
text whole_bytes(const whole *w);

/* Every field of the module as text, by a walk of its own: equal texts are equal modules. */
void whole_tell(text *out, const mod_module *m);

/* Makes length and checksum of the header fit the bytes after it. */
void whole_mend(uint8_t *bytes, size_t size);

#endif
